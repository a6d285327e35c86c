//! Statements on memory, aggregates and calls. Every access is inside what is there.

use crate::arithmetic::{likely, yes};
use crate::body::{Body, int_of, text};
use crate::rows::{I64, POINTED, U8, group_type, pointer, scalar_type, value_type, vector_type};
use ppy_mlir::ppyir::ast::{Attr, Type, ValueId};
use std::sync::Arc;

pub const STATEMENTS: &[(usize, fn(&mut Body))] = &[
    (7, guard),
    (6, alloca),
    (9, access),
    (3, offset),
    (4, string),
    (9, buffer),
    (3, parts),
    (3, array),
    (5, group),
    (7, extract),
    (9, call),
    (2, indirect),
    (3, external),
];

fn guard(body: &mut Body) {
    const KINDS: &[&str] = &["overflow", "bounds", "zero_division", "range", "contract", "assert"];
    const LABELS: &[&str] =
        &["raised", "sanitize:bounds", "sanitize:overflow", "sanitize:pointer", "sanitize:alignment"];
    let condition = likely(body);
    let kind = *body.dice.pick(KINDS);
    let mut attrs = vec![("kind", text(kind))];
    if body.dice.chance(30) {
        let label = *body.dice.pick(LABELS);
        attrs.push(("label", text(label)));
    }
    let mut operands = vec![condition];
    if body.dice.chance(30) {
        attrs.push(("message", text("it does not hold")));
        if body.dice.chance(50) {
            attrs.push(("raises", text("ValueError: {0}")));
            operands.push(body.of_type(&I64));
        }
    }
    body.none("core.guard", &operands, &attrs);
}

/// Stack memory, which most often gets a first value right away.
fn alloca(body: &mut Body) {
    let ty = match body.dice.weighted(&[75, 15, 10]) {
        0 => scalar_type(body.dice),
        1 => group_type(body.dice, 1),
        _ => vector_type(body.dice),
    };
    let count = if body.dice.chance(70) { 1 } else { body.dice.within(2, 5) as u64 };
    let attrs = [("count", Attr::Int(count.into()))];
    let slot =
        body.one("core.alloca", &[], &pointer(ty.clone(), "stack", false), if count == 1 { &[] } else { &attrs });
    body.set_reach(slot, count, true);
    if body.dice.chance(75) {
        let value = body.of_type(&ty);
        body.none("core.store", &[value, slot], &[]);
    }
}

fn pointee(body: &Body, id: ValueId) -> Option<Type> {
    match body.ty(id) {
        Type::Ptr(ptr) => Some(ptr.pointee.clone()),
        _ => None,
    }
}

/// A load or store through any pointer in scope.
fn access(body: &mut Body) {
    let Some(at) = body.find(|body, id| body.reach(id).is_some_and(|reach| reach.elements > 0)) else {
        return alloca(body);
    };
    let (Some(ty), Some(reach)) = (pointee(body, at), body.reach(at)) else { return };
    if reach.writable && body.dice.chance(50) {
        let value = body.of_type(&ty);
        body.none("core.store", &[value, at], &[]);
    } else {
        body.one("core.load", &[at], &ty, &[]);
    }
}

/// An index below `count`, of any integer type.
pub fn index(body: &mut Body, count: u64) -> ValueId {
    let ty = body.some_int();
    if body.dice.chance(40) {
        let value = body.dice.below(count as usize) as i128;
        return body.int(&ty, value);
    }
    let (a, modulus) = (body.of_type(&ty), body.int(&ty, count.into()));
    let id = body.one("core.mod", &[a, modulus], &ty, &[("overflow", text("wrap")), ("rounding", text("floor"))]);
    body.set_range(id, (0, i128::from(count) - 1));
    id
}

fn offset(body: &mut Body) {
    let Some(at) = body.find(|body, id| body.reach(id).is_some_and(|reach| reach.elements > 1)) else { return };
    let (Some(reach), ty) = (body.reach(at), body.ty(at).clone()) else { return };
    let by = index(body, reach.elements);
    let most = body.range(by).1.clamp(0, i128::from(reach.elements) - 1) as u64;
    let id = body.one("core.ptr_offset", &[at, by], &ty, &[]);
    body.set_reach(id, reach.elements - most, reach.writable);
}

/// A byte of a string of the module.
fn string(body: &mut Body) {
    let Some((symbol, len)) = body.dice.pick_some(body.strings) else { return };
    let attrs = [("intrinsic", text("ppy.string_data")), ("symbol", text(&symbol))];
    let id = body.one("core.call_intrinsic", &[], &pointer(U8, "generic", false), &attrs);
    body.set_reach(id, len, false);
}

/// An element of a buffer, behind a bounds guard.
fn buffer(body: &mut Body) {
    let Some(at) = body.find(|body, id| matches!(body.ty(id), Type::Buffer(_))) else { return };
    let Type::Buffer(element) = body.ty(at).clone() else { return };
    let len = body.one("core.buffer_len", &[at], &Type::Index, &[]);
    body.set_range(len, (0, 1 << 32));
    if body.dice.chance(10) {
        let id = body.one("core.buffer_data", &[at], &pointer((*element).clone(), "generic", false), &[]);
        let some = body.int(&Type::Index, 2);
        let ok = body.one("core.cmp", &[len, some], &Type::Bool, &[("predicate", text("ge"))]);
        body.none("core.guard", &[ok], &[("kind", text("bounds"))]);
        body.set_reach(id, 2, true);
        return;
    }
    let i = if body.dice.chance(50) {
        let i = body.dice.below(3) as i128;
        body.int(&Type::Index, i)
    } else {
        body.of_type(&Type::Index)
    };
    let zero = body.int(&Type::Index, 0);
    let low = body.one("core.cmp", &[i, zero], &Type::Bool, &[("predicate", text("ge"))]);
    let high = body.one("core.cmp", &[i, len], &Type::Bool, &[("predicate", text("lt"))]);
    if body.dice.chance(50) {
        let ok = body.one("core.and", &[low, high], &Type::Bool, &[]);
        body.none("core.guard", &[ok], &[("kind", text("bounds"))]);
    } else {
        body.none("core.guard", &[low], &[("kind", text("bounds"))]);
        body.none("core.guard", &[high], &[("kind", text("bounds"))]);
    }
    if body.dice.chance(50) {
        let value = body.of_type(&element);
        body.none("core.buffer_store", &[value, at, i], &[]);
    } else {
        body.one("core.buffer_load", &[at, i], &element, &[]);
    }
}

/// A buffer of a pointer and a length.
fn parts(body: &mut Body) {
    let found = body.find(|body, id| {
        body.reach(id).is_some_and(|reach| reach.writable)
            && matches!(body.ty(id), Type::Ptr(ptr) if ptr.space == "generic" && !ptr.constant)
    });
    let Some(at) = found else { return };
    let (Some(ty), Some(reach)) = (pointee(body, at), body.reach(at)) else { return };
    let len = body.dice.within(1, reach.elements as usize) as i128;
    let len = body.int(&I64, len);
    let attrs = [("intrinsic", text("ppy.buffer_from_parts"))];
    body.one("core.call_intrinsic", &[at, len], &Type::Buffer(Arc::new(ty)), &attrs);
}

/// An element of an array in memory.
fn array(body: &mut Body) {
    let element = scalar_type(body.dice);
    let shape: Vec<u64> = (0..body.dice.within(1, 2)).map(|_| body.dice.within(1, 3) as u64).collect();
    let ty = Type::Array(Arc::new(element.clone()), shape.clone().into());
    let at = body.one("core.alloca", &[], &pointer(ty, "stack", false), &[]);
    let mut operands = vec![at, body.int(&I64, 0)];
    for extent in &shape {
        operands.push(index(body, *extent));
    }
    let id = body.one("core.ptr_index", &operands, &pointer(element, "stack", false), &[]);
    body.set_reach(id, 1, true);
}

fn group(body: &mut Body) {
    let ty = group_type(body.dice, 1);
    body.make(&ty);
}

fn extract(body: &mut Body) {
    let Some(of) = body.find(|body, id| matches!(body.ty(id), Type::Tuple(_) | Type::Struct(_))) else { return };
    match body.ty(of).clone() {
        Type::Tuple(items) => {
            let index = body.dice.below(items.len());
            body.one("core.tuple_extract", &[of], &items[index], &[("index", Attr::Int(index as i128))]);
        }
        Type::Struct(ty) => {
            let (field, part) = body.dice.pick(&ty.fields).clone();
            body.one("core.struct_extract", &[of], &part, &[("field", text(&field))]);
        }
        _ => {}
    }
}

/// Arguments for a call; `None` where memory to pass is missing.
fn arguments(body: &mut Body, params: &[Type]) -> Option<Vec<ValueId>> {
    params
        .iter()
        .map(|ty| match ty {
            Type::Ptr(ptr) => body.find(|body, id| {
                body.ty(id) == ty
                    && body.reach(id).is_some_and(|r| r.elements >= POINTED && (r.writable || ptr.constant))
            }),
            Type::Buffer(_) => body.find(|body, id| body.ty(id) == ty),
            _ => Some(body.of_type(ty)),
        })
        .collect()
}

fn call(body: &mut Body) {
    let Some(callee) = body.dice.pick_some(body.callees).filter(|callee| callee.strict || !body.strict) else { return };
    let Some(operands) = arguments(body, &callee.params) else { return };
    let mut results = callee.results.clone();
    let mut attrs = vec![("callee", Attr::Symbol(callee.symbol.clone()))];
    let captured = callee.strict && body.dice.chance(40);
    if captured {
        attrs.push(("capture_status", yes()));
        results.push(I64);
    }
    let values = body.op("core.call", &operands, &results, &attrs);
    // The results of a failed call mean nothing: nobody reads them unless the status is 0.
    if captured {
        let status = values[values.len() - 1];
        let zero = body.int(&I64, 0);
        let ok = body.one("core.cmp", &[status, zero], &Type::Bool, &[("predicate", text("eq"))]);
        let others: Vec<ValueId> = values[..values.len() - 1].to_vec();
        body.scope.retain(|id| !others.contains(id));
        for (value, ty) in others.iter().zip(&callee.results) {
            let instead = body.of_type(ty);
            body.one("core.select", &[ok, *value, instead], ty, &[]);
        }
    }
}

fn indirect(body: &mut Body) {
    let Some(callee) = body.dice.pick_some(body.callees).filter(|callee| callee.strict || !body.strict) else { return };
    let Some(mut operands) = arguments(body, &callee.params) else { return };
    let attrs = [("intrinsic", text("ppy.function_address")), ("callee", Attr::Symbol(callee.symbol.clone()))];
    let address = body.one("core.call_intrinsic", &[], &I64, &attrs);
    // An address differs from engine to engine: nobody else reads it.
    body.scope.retain(|id| *id != address);
    operands.insert(0, address);
    body.op("core.call_indirect", &operands, &callee.results, &[]);
}

fn external(body: &mut Body) {
    const FUNCTIONS: &[(&str, usize)] = &[("fabs", 1), ("floor", 1), ("sqrt", 1), ("fmod", 2), ("cbrt", 1)];
    let (ty, name, arity) = if body.dice.chance(30) {
        (I64, "labs", 1)
    } else {
        let (name, arity) = *body.dice.pick(FUNCTIONS);
        (Type::F64, name, arity)
    };
    let operands: Vec<ValueId> = (0..arity).map(|_| body.of_type(&ty)).collect();
    body.one("core.call_extern", &operands, &ty, &[("abi", text("c")), ("callee", text(name))]);
}

/// Any value for the types of a block's arguments.
pub fn carried(body: &mut Body) -> Vec<Type> {
    (0..body.dice.below(4)).map(|_| value_type(body.dice)).collect()
}

/// A number of rounds, small: a constant, or a masked value.
pub fn rounds(body: &mut Body, ty: &Type) -> ValueId {
    let most = if body.depth > 1 { 2 } else { 5 };
    if body.dice.chance(50) || int_of(ty).is_none() {
        let count = body.dice.within(0, most) as i128;
        return body.int(ty, count);
    }
    let (a, mask) = (body.of_type(ty), body.int(ty, 3));
    let id = body.one("core.and", &[a, mask], ty, &[]);
    body.set_range(id, (0, 3));
    id
}
