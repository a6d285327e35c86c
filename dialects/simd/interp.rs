//! What the simd operations do when the interpreter runs them.

use crate::dialects::core::interp_memory::{index_type, load_leaves, pointee, store_leaves};
use crate::interp::Rule;
use crate::interp::compile::{Compiled, Decode, Operand};
use crate::interp::error::{Refusal, Stop};
use crate::ppyir::ast::{Attr, Type};
use crate::semantics::compare::{self, Predicate};
use crate::semantics::float::{self, FloatOp};
use crate::semantics::int::{self, IntOp, Overflow};
use crate::semantics::{IntType, ScalarType};

/// The rules of the simd dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("simd.splat", splat),
    ("simd.load", load),
    ("simd.store", store),
    ("simd.extract", extract),
    ("simd.insert", insert),
    ("simd.shuffle", shuffle),
    ("simd.reduce_add", reduce_add),
    ("simd.reduce_min", |d| extremum(d, Predicate::Lt)),
    ("simd.reduce_max", |d| extremum(d, Predicate::Gt)),
];

type Ruled = Result<Compiled, Refusal>;

/// The type of a vector's lanes.
fn lane<'m>(vector: &Operand<'m>) -> Result<&'m Type, Refusal> {
    match vector.ty {
        Type::Vector(element, _) => Ok(element),
        ty => Err(Refusal(format!("needs a vector, not {ty}"))),
    }
}

/// The type of a vector's lanes, which the other value has.
fn lane_like<'m>(vector: &Operand<'m>, other: &Type) -> Result<&'m Type, Refusal> {
    match lane(vector)? {
        element if element == other => Ok(element),
        element => Err(Refusal(format!("works on lanes of {element}, not {other}"))),
    }
}

fn splat(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (value, result) = (d.operand(0)?, d.result(0)?);
    lane_like(&result, value.ty)?;
    let (lanes, from, to) = (result.leaves.len(), value.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        (0..lanes).for_each(|lane| cx.copy(from, to + lane, 1));
        Ok(())
    }))
}

fn load(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (pointer, result) = (d.operand(0)?, d.result(0)?);
    lane_like(&result, pointee(&pointer)?)?;
    let (from, to, leaves) = (pointer.slot, result.slot, result.leaves.clone());
    Ok(Compiled::step(move |cx| load_leaves(cx, cx.get(from), &leaves, to)))
}

fn store(d: &Decode) -> Ruled {
    d.arity(2, 0)?;
    let (value, pointer) = (d.operand(0)?, d.operand(1)?);
    lane_like(&value, pointee(&pointer)?)?;
    let (from, to, leaves) = (value.slot, pointer.slot, value.leaves.clone());
    Ok(Compiled::step(move |cx| store_leaves(cx, cx.get(to), &leaves, from)))
}

/// The slot of a lane, by an index that the vector has.
fn slot_at(first: usize, lanes: usize, ty: IntType, index: u64) -> Result<usize, Stop> {
    match usize::try_from(ty.value(index)) {
        Ok(index) if index < lanes => Ok(first + index),
        _ => Err(Stop::undefined(format!("lane {} of a vector of {lanes}", ty.value(index)))),
    }
}

fn extract(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (vector, index, result) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    lane_like(&vector, result.ty)?;
    let ty = index_type(&index)?;
    let (lanes, from, index, to) = (vector.leaves.len(), vector.slot, index.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        let from = slot_at(from, lanes, ty, cx.get(index))?;
        cx.copy(from, to, 1);
        Ok(())
    }))
}

fn insert(d: &Decode) -> Ruled {
    d.arity(3, 1)?;
    let (vector, value, index, result) = (d.operand(0)?, d.operand(1)?, d.operand(2)?, d.result(0)?);
    lane_like(&vector, value.ty)?;
    if vector.ty != result.ty {
        return Err(Refusal(format!("gives {}, not {}", vector.ty, result.ty)));
    }
    let ty = index_type(&index)?;
    let (lanes, from, value, index, to) = (vector.leaves.len(), vector.slot, value.slot, index.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        let at = slot_at(to, lanes, ty, cx.get(index))?;
        cx.copy(from, to, lanes);
        cx.copy(value, at, 1);
        Ok(())
    }))
}

fn shuffle(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (a, b, result) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if a.ty != b.ty {
        return Err(Refusal(format!("takes two vectors of one type, not {} and {}", a.ty, b.ty)));
    }
    if lane(&a)? != lane(&result)? {
        return Err(Refusal(format!("gives lanes of {}, not {}", a.ty, result.ty)));
    }
    let Some(Attr::List(mask)) = d.attr("mask") else { return Err("needs a list of lanes `mask`".into()) };
    let lanes = a.leaves.len();
    let slot = |lane: &Attr| match lane {
        Attr::Int(lane) => usize::try_from(*lane).ok().filter(|lane| *lane < 2 * lanes),
        _ => None,
    };
    let from: Option<Vec<usize>> = mask
        .iter()
        .map(|lane| slot(lane).map(|lane| if lane < lanes { a.slot + lane } else { b.slot + lane - lanes }))
        .collect();
    let from = from.filter(|from| from.len() == result.leaves.len());
    let from = from.ok_or_else(|| Refusal(format!("has a mask that gives no {}", result.ty)))?;
    let to = result.slot;
    Ok(Compiled::step(move |cx| {
        from.iter().enumerate().for_each(|(lane, from)| cx.copy(*from, to + lane, 1));
        Ok(())
    }))
}

/// From the first lane on, `f` of what is there so far and the next lane.
fn reduce(d: &Decode, f: impl Fn(u64, u64) -> u64 + 'static) -> Ruled {
    let (vector, result) = (d.operand(0)?, d.result(0)?);
    lane_like(&vector, result.ty)?;
    let (first, lanes, to) = (vector.slot, vector.leaves.len(), result.slot);
    Ok(Compiled::step(move |cx| {
        let value = (1..lanes).fold(cx.get(first), |so_far, lane| f(so_far, cx.get(first + lane)));
        cx.set(to, value);
        Ok(())
    }))
}

fn reduce_add(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    match d.operand(0)?.lane()? {
        ScalarType::Float(ty) => reduce(d, move |a, b| float::binary(FloatOp::Add, ty, a, b)),
        lane => {
            let ty = lane.as_int().ok_or("adds up numbers")?;
            // Nothing fails that wraps.
            reduce(d, move |a, b| int::binary(IntOp::Add, ty, Overflow::Wrap, a, b).unwrap_or(a))
        }
    }
}

fn extremum(d: &Decode, better: Predicate) -> Ruled {
    d.arity(1, 1)?;
    let lane = d.operand(0)?.lane()?;
    if lane == ScalarType::Bool {
        return Err("compares numbers".into());
    }
    reduce(d, move |so_far, next| if compare::compare(better, lane, next, so_far) { next } else { so_far })
}
