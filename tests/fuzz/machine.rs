//! Statements of the dialects near the machine: atomics as one thread sees them, special functions, hints and counters.

use crate::body::{Body, int_of, is_float, text};
use ppy_mlir::ppyir::ast::{Attr, Type, ValueId};

pub const STATEMENTS: &[(usize, fn(&mut Body))] = &[
    (5, load),
    (5, store),
    (5, exchange),
    (8, fetch),
    (6, compare_exchange),
    (2, fence),
    (6, special),
    (2, hint),
    (2, count),
];

const ORDERS: &[&str] = &["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
const LOADS: &[&str] = &["relaxed", "acquire", "seq_cst"];
const STORES: &[&str] = &["relaxed", "release", "seq_cst"];

/// A number in memory.
fn cell(body: &mut Body, kind: fn(&Type) -> bool, writable: bool) -> Option<(ValueId, Type)> {
    let at = body.find(|body, id| {
        let fits = matches!(body.ty(id), Type::Ptr(ptr) if kind(&ptr.pointee) && !(writable && ptr.constant));
        fits && body.reach(id).is_some_and(|reach| reach.elements > 0 && (reach.writable || !writable))
    })?;
    match body.ty(at) {
        Type::Ptr(ptr) => Some((at, ptr.pointee.clone())),
        _ => None,
    }
}

fn is_int(ty: &Type) -> bool {
    int_of(ty).is_some()
}

fn is_number(ty: &Type) -> bool {
    is_int(ty) || is_float(ty)
}

fn order(body: &mut Body, orders: &[&'static str]) -> (&'static str, Attr) {
    let order = *body.dice.pick(orders);
    ("order", text(order))
}

fn load(body: &mut Body) {
    let Some((at, ty)) = cell(body, is_number, false) else { return };
    let order = order(body, LOADS);
    body.one("atomic.load", &[at], &ty, &[order]);
}

fn store(body: &mut Body) {
    let Some((at, ty)) = cell(body, is_number, true) else { return };
    let (value, order) = (body.of_type(&ty), order(body, STORES));
    body.none("atomic.store", &[value, at], &[order]);
}

fn exchange(body: &mut Body) {
    let Some((at, ty)) = cell(body, is_number, true) else { return };
    let (value, order) = (body.of_type(&ty), order(body, ORDERS));
    body.one("atomic.exchange", &[at, value], &ty, &[order]);
}

fn fetch(body: &mut Body) {
    let Some((at, ty)) = cell(body, is_int, true) else { return };
    let (value, order) = (body.of_type(&ty), order(body, ORDERS));
    let name = format!("atomic.fetch_{}", body.dice.pick(&["add", "sub", "and", "or", "xor"]));
    body.one(&name, &[at, value], &ty, &[order]);
}

/// The bits of a NaN are nobody's promise, so no float that is expected is one.
fn compare_exchange(body: &mut Body) {
    let Some((at, ty)) = cell(body, is_number, true) else { return };
    let expected = if is_float(&ty) {
        let value = *body.dice.pick(&[0.0, -0.0, 1.0, -2.0, f64::INFINITY]);
        body.float(&ty, value)
    } else if body.dice.chance(50) {
        // What is there.
        body.one("atomic.load", &[at], &ty, &[("order", text("relaxed"))])
    } else {
        body.of_type(&ty)
    };
    let desired = body.of_type(&ty);
    let success = *body.dice.pick(ORDERS);
    let failure = match success {
        "relaxed" | "release" => "relaxed",
        "seq_cst" => *body.dice.pick(LOADS),
        _ => *body.dice.pick(&["relaxed", "acquire"]),
    };
    let attrs = [("success", text(success)), ("failure", text(failure))];
    body.op("atomic.compare_exchange", &[at, expected, desired], &[ty, Type::Bool], &attrs);
}

fn fence(body: &mut Body) {
    let order = order(body, &ORDERS[1..]);
    body.none("atomic.fence", &[], &[order]);
}

fn special(body: &mut Body) {
    const UNARY: &[&str] =
        &["erf", "erfc", "gamma", "gammaln", "ndtr", "logit", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"];
    let ty = body.some_float();
    let a = body.of_type(&ty);
    if body.dice.chance(80) {
        let name = format!("special.{}", body.dice.pick(UNARY));
        body.one(&name, &[a], &ty, &[]);
        return;
    }
    // An order takes as long as it is large.
    let of = body.some_int();
    let order = body.dice.below(12) as i128;
    let order = body.int(&of, order);
    let name = *body.dice.pick(&["special.bessel_jn", "special.bessel_yn"]);
    body.one(name, &[order, a], &ty, &[]);
}

fn hint(body: &mut Body) {
    let Some(at) = body.find(|body, id| matches!(body.ty(id), Type::Ptr(_))) else {
        return body.none("cpu.pause", &[], &[]);
    };
    let mut attrs = Vec::new();
    if body.dice.chance(50) {
        let access = *body.dice.pick(&["read", "write"]);
        attrs.push(("rw", text(access)));
    }
    if body.dice.chance(50) {
        attrs.push(("locality", Attr::Int(body.dice.below(4) as i128)));
    }
    body.none("cpu.prefetch", &[at], &attrs);
}

fn count(body: &mut Body) {
    let counter = [("counter", Attr::Int(body.dice.below(6) as i128))];
    if body.dice.chance(50) {
        return body.none("prof.hit", &[], &counter);
    }
    let condition = body.condition();
    body.none("prof.hit_if", &[condition], &counter);
}
