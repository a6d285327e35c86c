//! Statements on vectors: the simd dialect, and core and math on lanes.

use crate::body::{Body, int_of, is_float, text};
use crate::memory::index;
use crate::rows::{float_type, int_type, pointer, scalar_type, vector_type};
use ppy_mlir::ppyir::ast::{Attr, Type, ValueId};
use std::sync::Arc;

pub const STATEMENTS: &[(usize, fn(&mut Body))] = &[
    (12, binary),
    (5, division),
    (5, shift),
    (5, bits),
    (5, neg),
    (8, cmp),
    (7, select),
    (8, cast),
    (4, math),
    (5, splat),
    (8, load),
    (8, store),
    (4, memory),
    (4, slot),
    (8, extract),
    (7, insert),
    (10, shuffle),
    (9, reduce),
];

/// The lane's type and how many there are.
fn lanes(ty: &Type) -> Option<(&Type, u64)> {
    match ty {
        Type::Vector(lane, count) => Some((lane, *count)),
        _ => None,
    }
}

fn lane(ty: &Type) -> &Type {
    lanes(ty).map_or(ty, |(lane, _)| lane)
}

fn vector(lane: Type, count: u64) -> Type {
    Type::Vector(Arc::new(lane), count)
}

/// A vector type whose lanes are of a kind, most often one that is in scope.
fn some(body: &mut Body, kind: fn(&Type) -> bool, make: fn(&mut crate::dice::Dice) -> Type) -> Type {
    let found = body.find(|body, id| lanes(body.ty(id)).is_some_and(|(lane, _)| kind(lane)));
    match found {
        Some(id) if body.dice.chance(85) => body.ty(id).clone(),
        _ => {
            let lane = make(body.dice);
            vector(lane, body.dice.lanes())
        }
    }
}

fn is_int(ty: &Type) -> bool {
    int_of(ty).is_some()
}

fn is_number(ty: &Type) -> bool {
    is_int(ty) || is_float(ty)
}

fn is_bits(ty: &Type) -> bool {
    is_int(ty) || *ty == Type::Bool
}

fn number(dice: &mut crate::dice::Dice) -> Type {
    if dice.chance(60) { int_type(dice) } else { float_type(dice) }
}

/// One scalar in every lane.
fn all(body: &mut Body, value: ValueId, ty: &Type) -> ValueId {
    body.one("simd.splat", &[value], ty, &[])
}

impl Body<'_> {
    /// A vector with an edge of its type in every lane, and others in some.
    pub fn vector(&mut self, ty: &Type) -> ValueId {
        let Some((lane, count)) = lanes(ty) else { return self.constant(ty) };
        let lane = lane.clone();
        let first = self.of_type(&lane);
        let mut value = all(self, first, ty);
        for _ in 0..self.dice.below(4) {
            let (other, at) = (self.constant(&lane), self.dice.below(count as usize) as i128);
            let at = self.int(&crate::rows::I64, at);
            value = self.one("simd.insert", &[value, other, at], ty, &[]);
        }
        value
    }
}

fn binary(body: &mut Body) {
    let ty = some(body, is_number, number);
    let (a, b) = body.pair(&ty);
    let name = *body.dice.pick(&["core.add", "core.sub", "core.mul"]);
    let wrap = [("overflow", text("wrap"))];
    body.one(name, &[a, b], &ty, if is_int(lane(&ty)) { &wrap } else { &[] });
}

/// Division by what has no zero lane: a constant, or odd numbers.
fn division(body: &mut Body) {
    let ty = some(body, is_number, number);
    let a = body.of_type(&ty);
    let name = *body.dice.pick(&["core.div", "core.mod"]);
    let rounding = *body.dice.pick(&["floor", "trunc"]);
    let rounding = ("rounding", text(rounding));
    if is_float(lane(&ty)) {
        let b = body.of_type(&ty);
        let rounded = name == "core.mod" || body.dice.chance(25);
        body.one(name, &[a, b], &ty, if rounded { std::slice::from_ref(&rounding) } else { &[] });
        return;
    }
    let b = if body.dice.chance(50) {
        let by = *body.dice.pick(&[1, 2, 3, 4, 7, 10, 16, 100]);
        let by = body.int(lane(&ty), by);
        all(body, by, &ty)
    } else {
        let (x, one) = (body.of_type(&ty), body.int(lane(&ty), 1));
        let one = all(body, one, &ty);
        body.one("core.or", &[x, one], &ty, &[])
    };
    body.one(name, &[a, b], &ty, &[("overflow", text("wrap")), rounding]);
}

fn shift(body: &mut Body) {
    let ty = some(body, is_int, int_type);
    let Some(int) = int_of(lane(&ty)) else { return };
    let (a, x) = (body.of_type(&ty), body.of_type(&ty));
    let mask = body.int(lane(&ty), i128::from(int.width) - 1);
    let mask = all(body, mask, &ty);
    let amount = body.one("core.and", &[x, mask], &ty, &[]);
    if body.dice.chance(50) {
        body.one("core.shr", &[a, amount], &ty, &[]);
    } else {
        body.one("core.shl", &[a, amount], &ty, &[("overflow", text("wrap"))]);
    }
}

fn bits(body: &mut Body) {
    let ty = some(body, is_bits, |dice| if dice.chance(40) { Type::Bool } else { int_type(dice) });
    let (a, b) = body.pair(&ty);
    let name = *body.dice.pick(&["core.and", "core.or", "core.xor"]);
    body.one(name, &[a, b], &ty, &[]);
}

fn neg(body: &mut Body) {
    let ty = some(body, is_number, number);
    let a = body.of_type(&ty);
    let wrap = [("overflow", text("wrap"))];
    body.one("core.neg", &[a], &ty, if is_int(lane(&ty)) { &wrap } else { &[] });
}

fn cmp(body: &mut Body) {
    let ty = some(body, |_| true, scalar_type);
    let (a, b) = body.pair(&ty);
    let bools = vector(Type::Bool, lanes(&ty).map_or(1, |(_, count)| count));
    let predicate = *body.dice.pick(&["eq", "ne", "lt", "le", "gt", "ge"]);
    body.one("core.cmp", &[a, b], &bools, &[("predicate", text(predicate))]);
}

fn select(body: &mut Body) {
    let ty = some(body, |_| true, scalar_type);
    let (a, b) = body.pair(&ty);
    let bools = vector(Type::Bool, lanes(&ty).map_or(1, |(_, count)| count));
    let condition = if body.dice.chance(80) { body.of_type(&bools) } else { body.condition() };
    body.one("core.select", &[condition, a, b], &ty, &[]);
}

/// Lanes of floats become integers where they are in -100..100 or 0..100; others become 1 before.
fn cast(body: &mut Body) {
    let from = some(body, |_| true, scalar_type);
    let Some((lane, count)) = lanes(&from) else { return };
    let to = scalar_type(body.dice);
    let mut a = body.of_type(&from);
    if is_float(lane)
        && let Some(int) = int_of(&to)
    {
        let bools = vector(Type::Bool, count);
        let low = body.float(lane, if int.signed { -100.0 } else { 0.0 });
        let (high, one) = (body.float(lane, 100.0), body.float(lane, 1.0));
        let [low, high, one] = [low, high, one].map(|value| all(body, value, &from));
        let above = body.one("core.cmp", &[a, low], &bools, &[("predicate", text("ge"))]);
        let below = body.one("core.cmp", &[a, high], &bools, &[("predicate", text("le"))]);
        let inside = body.one("core.and", &[above, below], &bools, &[]);
        a = body.one("core.select", &[inside, a, one], &from, &[]);
    }
    body.one("core.cast", &[a], &vector(to, count), &[]);
}

fn math(body: &mut Body) {
    const UNARY: &[&str] = &["sqrt", "floor", "ceil", "trunc", "abs", "exp", "log2", "sin"];
    let ty = some(body, is_float, float_type);
    let a = body.of_type(&ty);
    let name = format!("math.{}", body.dice.pick(UNARY));
    body.one(&name, &[a], &ty, &[]);
}

fn splat(body: &mut Body) {
    let ty = vector_type(body.dice);
    let value = body.of_type(lane(&ty));
    all(body, value, &ty);
}

/// A pointer to some scalars that follow each other, and how many lanes are read or written there.
fn place(body: &mut Body, writable: bool) -> Option<(ValueId, Type)> {
    let found = body.find(|body, id| {
        let scalar = matches!(body.ty(id), Type::Ptr(ptr) if is_bits(&ptr.pointee) || is_float(&ptr.pointee));
        scalar && body.reach(id).is_some_and(|reach| reach.elements > 0 && (reach.writable || !writable))
    });
    let at = match found {
        Some(at) => at,
        None => slot_of(body),
    };
    let (Type::Ptr(ptr), Some(reach)) = (body.ty(at).clone(), body.reach(at)) else { return None };
    let count = if body.dice.chance(50) { reach.elements } else { body.dice.within(1, reach.elements as usize) as u64 };
    Some((at, vector(ptr.pointee.clone(), count)))
}

fn load(body: &mut Body) {
    let Some((at, ty)) = place(body, false) else { return };
    body.one("simd.load", &[at], &ty, &[]);
}

fn store(body: &mut Body) {
    let Some((at, ty)) = place(body, true) else { return };
    let value = body.of_type(&ty);
    body.none("simd.store", &[value, at], &[]);
}

/// The same memory through a pointer to the vector.
fn memory(body: &mut Body) {
    let Some((at, ty)) = place(body, true) else { return };
    let Type::Ptr(ptr) = body.ty(at).clone() else { return };
    let through = body.one("core.cast", &[at], &pointer(ty, &ptr.space, false), &[]);
    body.set_reach(through, 1, true);
}

/// Stack memory for lanes.
fn slot(body: &mut Body) {
    slot_of(body);
}

fn slot_of(body: &mut Body) -> ValueId {
    let (ty, count) = (scalar_type(body.dice), body.dice.within(1, 20));
    let attrs = [("count", Attr::Int(count as i128))];
    let at = body.one("core.alloca", &[], &pointer(ty, "stack", false), &attrs);
    body.set_reach(at, count as u64, true);
    at
}

fn extract(body: &mut Body) {
    let ty = some(body, |_| true, scalar_type);
    let Some((lane, count)) = lanes(&ty) else { return };
    let (a, at) = (body.of_type(&ty), index(body, count));
    body.one("simd.extract", &[a, at], lane, &[]);
}

fn insert(body: &mut Body) {
    let ty = some(body, |_| true, scalar_type);
    let Some((lane, count)) = lanes(&ty) else { return };
    let (a, value, at) = (body.of_type(&ty), body.of_type(lane), index(body, count));
    body.one("simd.insert", &[a, value, at], &ty, &[]);
}

/// Lanes in any order and number, or in one that is an operation of its own: as they are, reversed, interleaved.
fn shuffle(body: &mut Body) {
    let ty = some(body, |_| true, scalar_type);
    let Some((lane, count)) = lanes(&ty) else { return };
    let (a, b) = body.pair(&ty);
    let count = i128::from(count);
    let mask: Vec<i128> = match body.dice.below(5) {
        0 => (0..count).collect(),
        1 => (0..count).rev().collect(),
        2 => (0..count).flat_map(|at| [at, count + at]).collect(),
        3 => {
            let at = body.dice.below(2 * count as usize) as i128;
            (0..count).map(|_| at).collect()
        }
        _ => (0..body.dice.lanes()).map(|_| body.dice.below(2 * count as usize) as i128).collect(),
    };
    let result = vector(lane.clone(), mask.len() as u64);
    let mask = Attr::List(mask.into_iter().map(Attr::Int).collect());
    body.one("simd.shuffle", &[a, b], &result, &[("mask", mask)]);
}

fn reduce(body: &mut Body) {
    let ty = some(body, is_number, number);
    let a = body.of_type(&ty);
    let name = *body.dice.pick(&["simd.reduce_add", "simd.reduce_min", "simd.reduce_max"]);
    body.one(name, &[a], lane(&ty), &[]);
}
