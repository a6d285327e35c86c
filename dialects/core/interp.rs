//! What the core operations do when the interpreter runs them: the table, scalars and their lanes, and control.
//! Memory and aggregates are in `interp_memory.rs`, calls in `interp_calls.rs`, arithmetic in `crate::semantics`.
//!
//! Choices that the specification leaves
//! open: stack memory is zero each time its `core.alloca` runs; the results of a failed captured call are zero; a
//! buffer access outside the buffer's length, a misaligned or dead access, and reaching `core.unreachable` are
//! undefined, and reported.

use super::{interp_calls as calls, interp_memory as memory};
use crate::interp::compile::{Compiled, Decode, End, Operand};
use crate::interp::error::{Cause, Failed, Refusal, Stop};
use crate::interp::{FALLBACK, RAISED, Rule, SANITIZERS};
use crate::ppyir::ast::Type;
use crate::semantics::compare::{self, Predicate};
use crate::semantics::float::{self, FloatOp};
use crate::semantics::int::{self, IntOp, Overflow, Rounding};
use crate::semantics::{Fault, IntType, Scalar, ScalarType, cast as casts};

/// The rules of the core dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("core.const", constant),
    ("core.add", |d| arithmetic(d, FloatOp::Add, IntOp::Add)),
    ("core.sub", |d| arithmetic(d, FloatOp::Sub, IntOp::Sub)),
    ("core.mul", |d| arithmetic(d, FloatOp::Mul, IntOp::Mul)),
    ("core.div", div),
    ("core.mod", modulo),
    ("core.neg", neg),
    ("core.and", |d| bitwise(d, IntOp::And)),
    ("core.or", |d| bitwise(d, IntOp::Or)),
    ("core.xor", |d| bitwise(d, IntOp::Xor)),
    ("core.shl", |d| shift(d, int::shl)),
    ("core.shr", |d| shift(d, int::shr)),
    ("core.cmp", cmp),
    ("core.select", select),
    ("core.cast", cast),
    ("core.br", br),
    ("core.cond_br", cond_br),
    ("core.ret", ret),
    ("core.unreachable", unreachable),
    ("core.alloca", memory::alloca),
    ("core.load", memory::load),
    ("core.store", memory::store),
    ("core.ptr_offset", memory::ptr_offset),
    ("core.ptr_index", memory::ptr_index),
    ("core.buffer_data", memory::buffer_data),
    ("core.buffer_len", memory::buffer_len),
    ("core.buffer_load", memory::buffer_load),
    ("core.buffer_store", memory::buffer_store),
    ("core.tuple_make", memory::make),
    ("core.tuple_extract", memory::tuple_extract),
    ("core.struct_make", memory::make),
    ("core.struct_extract", memory::struct_extract),
    ("core.call", calls::call),
    ("core.call_indirect", calls::call_indirect),
    ("core.call_extern", calls::call_extern),
    ("core.call_intrinsic", calls::call_intrinsic),
    ("core.guard", guard),
];

pub(super) type Ruled = Result<Compiled, Refusal>;

// ---------------------------------------------------------------- scalars and lanes

fn constant(d: &Decode) -> Ruled {
    d.arity(0, 1)?;
    let result = d.result(0)?;
    let ty = ScalarType::of(result.ty).ok_or("is of a type that has no constants")?;
    let value = d.attr("value").ok_or("needs attribute `value`")?;
    let bits = Scalar::from_attr(ty, value).ok_or_else(|| Refusal(format!("{value} does not fit {ty}")))?.bits;
    let slot = result.slot;
    Ok(Compiled::step(move |cx| {
        cx.set(slot, bits);
        Ok(())
    }))
}

/// The operands and result of an operation whose results are lanes of `f` over lanes of two operands.
fn lanes2(d: &Decode, f: impl Fn(u64, u64) -> Result<u64, Stop> + 'static) -> Ruled {
    let (a, b, r) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    let lanes = r.leaves.len();
    same_lanes(&[&a, &b, &r])?;
    let (a, b, r) = (a.slot, b.slot, r.slot);
    if lanes == 1 {
        return Ok(Compiled::step(move |cx| {
            let bits = f(cx.get(a), cx.get(b))?;
            cx.set(r, bits);
            Ok(())
        }));
    }
    Ok(Compiled::step(move |cx| {
        for lane in 0..lanes {
            let bits = f(cx.get(a + lane), cx.get(b + lane))?;
            cx.set(r + lane, bits);
        }
        Ok(())
    }))
}

/// The same for one operand.
fn lanes1(d: &Decode, f: impl Fn(u64) -> Result<u64, Stop> + 'static) -> Ruled {
    let (a, r) = (d.operand(0)?, d.result(0)?);
    let lanes = r.leaves.len();
    same_lanes(&[&a, &r])?;
    let (a, r) = (a.slot, r.slot);
    Ok(Compiled::step(move |cx| {
        for lane in 0..lanes {
            let bits = f(cx.get(a + lane))?;
            cx.set(r + lane, bits);
        }
        Ok(())
    }))
}

fn same_lanes(values: &[&Operand]) -> Result<(), Refusal> {
    match values.iter().all(|value| value.leaves.len() == values[0].leaves.len()) {
        true => Ok(()),
        false => Err("has operands and results of different lane counts".into()),
    }
}

/// The lane type that both operands and the result share.
fn shared_lane(d: &Decode) -> Result<ScalarType, Refusal> {
    d.arity(2, 1)?;
    let (a, b, r) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if a.ty != b.ty || a.ty != r.ty {
        return Err(Refusal(format!("works on one type, not {}, {} and {}", a.ty, b.ty, r.ty)));
    }
    a.lane()
}

fn overflow(d: &Decode) -> Result<Option<Overflow>, Refusal> {
    match d.text("overflow")? {
        None => Ok(None),
        Some(text) => match Overflow::parse(text) {
            Some(mode) => Ok(Some(mode)),
            None => {
                Err(Refusal(format!("overflow mode \"{text}\" is not one of python, checked, wrap, proven, native")))
            }
        },
    }
}

fn rounding(d: &Decode) -> Result<Option<Rounding>, Refusal> {
    match d.text("rounding")? {
        None => Ok(None),
        Some(text) => match Rounding::parse(text) {
            Some(rounding) => Ok(Some(rounding)),
            None => Err(Refusal(format!("rounding \"{text}\" is not floor or trunc"))),
        },
    }
}

fn arithmetic(d: &Decode, float_op: FloatOp, int_op: IntOp) -> Ruled {
    match shared_lane(d)? {
        ScalarType::Float(ty) => lanes2(d, move |a, b| Ok(float::binary(float_op, ty, a, b))),
        lane => {
            let ty = integer(lane)?;
            let mode = overflow(d)?.ok_or("needs an overflow mode for integers")?;
            lanes2(d, move |a, b| {
                int::binary(int_op, ty, mode, a, b).map_err(|fault| explain(fault, ty, mode, &[a, b]))
            })
        }
    }
}

pub(super) fn integer(lane: ScalarType) -> Result<IntType, Refusal> {
    match lane {
        ScalarType::Int(_) | ScalarType::Index => lane.as_int().ok_or_else(|| "needs integers".into()),
        lane => Err(Refusal(format!("needs numbers, not {lane}"))),
    }
}

/// A fault with the operands in it, where it is a report.
#[cold]
fn explain(fault: Fault, ty: IntType, mode: Overflow, operands: &[u64]) -> Stop {
    match fault {
        Fault::Fallback(_) => fault.into(),
        Fault::Undefined(reason) => {
            let values: Vec<String> = operands.iter().map(|bits| ty.value(*bits).to_string()).collect();
            let mode = format!("{mode:?}").to_lowercase();
            let ty = ScalarType::Int(ty);
            Stop::undefined(format!("{reason}, on {} of {ty} under {mode}", values.join(" and ")))
        }
    }
}

fn div(d: &Decode) -> Ruled {
    let rounding = rounding(d)?;
    match shared_lane(d)? {
        ScalarType::Float(_) => {
            let op = rounding.map_or(FloatOp::Div, FloatOp::WholeDiv);
            arithmetic(d, op, IntOp::Div(Rounding::Trunc))
        }
        _ => {
            let rounding = rounding.ok_or("needs a rounding for integers")?;
            arithmetic(d, FloatOp::Div, IntOp::Div(rounding))
        }
    }
}

/// A float remainder without a rounding is Python's.
fn modulo(d: &Decode) -> Ruled {
    let rounding = rounding(d)?;
    let rounding = match shared_lane(d)? {
        ScalarType::Float(_) => rounding.unwrap_or(Rounding::Floor),
        _ => rounding.ok_or("needs a rounding for integers")?,
    };
    arithmetic(d, FloatOp::Mod(rounding), IntOp::Mod(rounding))
}

fn neg(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (a, r) = (d.operand(0)?, d.result(0)?);
    if a.ty != r.ty {
        return Err(Refusal(format!("gives the type of its operand {}, not {}", a.ty, r.ty)));
    }
    match a.lane()? {
        ScalarType::Float(ty) => lanes1(d, move |a| Ok(float::neg(ty, a))),
        lane => {
            let ty = integer(lane)?;
            let mode = overflow(d)?.ok_or("needs an overflow mode for integers")?;
            lanes1(d, move |a| int::neg(ty, mode, a).map_err(|fault| explain(fault, ty, mode, &[a])))
        }
    }
}

fn bitwise(d: &Decode, op: IntOp) -> Ruled {
    match shared_lane(d)? {
        ScalarType::Bool | ScalarType::Int(_) | ScalarType::Index => {}
        lane => return Err(Refusal(format!("needs integers or bools, not {lane}"))),
    }
    // Normalized bits stay normalized.
    match op {
        IntOp::And => lanes2(d, |a, b| Ok(a & b)),
        IntOp::Or => lanes2(d, |a, b| Ok(a | b)),
        _ => lanes2(d, |a, b| Ok(a ^ b)),
    }
}

/// A shift; the amount may be of another integer type. Without a mode it wraps.
fn shift(d: &Decode, f: fn(IntType, Overflow, u64, i128) -> Result<u64, Fault>) -> Ruled {
    d.arity(2, 1)?;
    let (a, b, r) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if a.ty != r.ty {
        return Err(Refusal(format!("gives the type of its first operand {}, not {}", a.ty, r.ty)));
    }
    let (ty, amount) = (integer(a.lane()?)?, integer(b.lane()?)?);
    let mode = overflow(d)?.unwrap_or(Overflow::Wrap);
    lanes2(d, move |a, b| {
        f(ty, mode, a, amount.value(b)).map_err(|fault| explain(fault, ty, mode, &[a, ty.wrap(amount.value(b))]))
    })
}

fn cmp(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (a, b, r) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if a.ty != b.ty || r.lane()? != ScalarType::Bool {
        return Err(Refusal(format!("compares one type to bool, not {} and {} to {}", a.ty, b.ty, r.ty)));
    }
    let text = d.required("predicate")?;
    let predicate = Predicate::parse(text).ok_or_else(|| Refusal(format!("predicate \"{text}\" is unknown")))?;
    let lane = a.lane()?;
    lanes2(d, move |a, b| Ok(u64::from(compare::compare(predicate, lane, a, b))))
}

fn select(d: &Decode) -> Ruled {
    d.arity(3, 1)?;
    let (c, a, b, r) = (d.operand(0)?, d.operand(1)?, d.operand(2)?, d.result(0)?);
    if a.ty != b.ty || a.ty != r.ty || c.lane()? != ScalarType::Bool {
        return Err(Refusal(format!("chooses by a bool between two of one type, not {}: {}, {}", c.ty, a.ty, b.ty)));
    }
    let count = r.leaves.len();
    let vector = matches!(c.ty, Type::Vector(..));
    if vector && c.leaves.len() != count {
        return Err(Refusal(format!("chooses between {} by {}: different lane counts", a.ty, c.ty)));
    }
    let (c, a, b, r) = (c.slot, a.slot, b.slot, r.slot);
    Ok(Compiled::step(move |cx| {
        if vector {
            for lane in 0..count {
                let from = if cx.get(c + lane) != 0 { a } else { b };
                cx.copy(from + lane, r + lane, 1);
            }
        } else {
            let from = if cx.get(c) != 0 { a } else { b };
            cx.copy(from, r, count);
        }
        Ok(())
    }))
}

fn cast(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (a, r) = (d.operand(0)?, d.result(0)?);
    let (from, to) = (a.lane()?, r.lane()?);
    if casts::cast(from, to, 0).is_none() {
        return Err(Refusal(format!("no cast from {} to {}", a.ty, r.ty)));
    }
    lanes1(d, move |bits| Ok(casts::cast(from, to, bits).unwrap_or(0)))
}

// ---------------------------------------------------------------- control

fn br(d: &Decode) -> Ruled {
    Ok(Compiled::End(End::Jump(d.edge(0)?)))
}

fn cond_br(d: &Decode) -> Ruled {
    d.arity(1, 0)?;
    let condition = bool_operand(d, 0)?;
    Ok(Compiled::End(End::Branch { condition, yes: d.edge(0)?, no: d.edge(1)? }))
}

/// The slot of a bool operand.
pub fn bool_operand(d: &Decode, index: usize) -> Result<usize, Refusal> {
    let operand = d.operand(index)?;
    match operand.ty {
        Type::Bool => Ok(operand.slot),
        ty => Err(Refusal(format!("needs a bool condition, not {ty}"))),
    }
}

fn ret(d: &Decode) -> Ruled {
    let (given, declared) = (d.op.operands.len(), &d.function.results);
    for (index, ty) in declared.iter().enumerate() {
        if given != declared.len() || d.operand(index)?.ty != ty {
            return Err("returns other types than the function declares".into());
        }
    }
    match given == declared.len() {
        true => Ok(Compiled::End(End::Return(d.operand_slots(0)?))),
        false => Err(Refusal(format!("returns {given} values, the function declares {}", declared.len()))),
    }
}

fn unreachable(_: &Decode) -> Ruled {
    Ok(Compiled::End(End::Unreachable))
}

/// A guard takes its condition, and integers that its message shows.
fn guard(d: &Decode) -> Ruled {
    let condition = bool_operand(d, 0)?;
    d.required("kind")?;
    let status = match d.text("label")? {
        Some("raised") => RAISED,
        Some(label) => {
            let kind = label.strip_prefix("sanitize:");
            SANITIZERS.iter().find(|(name, _)| Some(*name) == kind).map_or(FALLBACK, |(_, status)| *status)
        }
        None => FALLBACK,
    };
    Ok(Compiled::step(move |cx| match cx.get(condition) {
        0 => Err(Stop::Status(Failed { status, cause: Cause::Guard })),
        _ => Ok(()),
    }))
}
