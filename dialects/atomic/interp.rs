//! What the atomic operations do when the interpreter runs them. It runs one operation at a time, so every order is
//! sequentially consistent: what it answers is one of the answers that the order allows.

use crate::interp::Rule;
use crate::interp::compile::{Compiled, Decode, Operand};
use crate::interp::error::Refusal;
use crate::ppyir::ast::Type;
use crate::semantics::ScalarType;
use crate::semantics::int::{self, IntOp, Overflow};

/// The rules of the atomic dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("atomic.load", load),
    ("atomic.store", store),
    ("atomic.exchange", exchange),
    ("atomic.compare_exchange", compare_exchange),
    ("atomic.fetch_add", |d| fetch(d, IntOp::Add)),
    ("atomic.fetch_sub", |d| fetch(d, IntOp::Sub)),
    ("atomic.fetch_and", |d| fetch(d, IntOp::And)),
    ("atomic.fetch_or", |d| fetch(d, IntOp::Or)),
    ("atomic.fetch_xor", |d| fetch(d, IntOp::Xor)),
    ("atomic.fence", fence),
];

type Ruled = Result<Compiled, Refusal>;

/// The number that a pointer addresses, which all of `values` are.
fn number(pointer: &Operand, values: &[&Operand]) -> Result<ScalarType, Refusal> {
    let Type::Ptr(ptr) = pointer.ty else {
        return Err(Refusal(format!("needs a pointer, not {}", pointer.ty)));
    };
    if let Some(other) = values.iter().find(|value| *value.ty != ptr.pointee) {
        return Err(Refusal(format!("works on {}, not {}", ptr.pointee, other.ty)));
    }
    match ScalarType::of(&ptr.pointee) {
        Some(ty @ (ScalarType::Int(_) | ScalarType::Index | ScalarType::Float(_))) => Ok(ty),
        _ => Err(Refusal(format!("works on numbers, not {}", ptr.pointee))),
    }
}

fn load(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (pointer, result) = (d.operand(0)?, d.result(0)?);
    let ty = number(&pointer, &[&result])?;
    let (from, to) = (pointer.slot, result.slot);
    Ok(Compiled::point(move |cx| {
        let bits = cx.memory.load(cx.get(from), ty)?;
        cx.set(to, bits);
        Ok(())
    }))
}

fn store(d: &Decode) -> Ruled {
    d.arity(2, 0)?;
    let (value, pointer) = (d.operand(0)?, d.operand(1)?);
    let ty = number(&pointer, &[&value])?;
    let (from, to) = (value.slot, pointer.slot);
    Ok(Compiled::point(move |cx| {
        let (address, bits) = (cx.get(to), cx.get(from));
        cx.memory.store(address, ty, bits)
    }))
}

/// Writes what `f` makes of the number that was there and the operand; the result is what was there.
fn modify(d: &Decode, f: impl Fn(u64, u64) -> u64 + 'static) -> Ruled {
    let (pointer, value, result) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    let ty = number(&pointer, &[&value, &result])?;
    let (at, value, to) = (pointer.slot, value.slot, result.slot);
    Ok(Compiled::point(move |cx| {
        let address = cx.get(at);
        let old = cx.memory.load(address, ty)?;
        cx.memory.store(address, ty, f(old, cx.get(value)))?;
        cx.set(to, old);
        Ok(())
    }))
}

fn exchange(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    modify(d, |_, new| new)
}

/// Arithmetic in memory wraps.
fn fetch(d: &Decode, op: IntOp) -> Ruled {
    d.arity(2, 1)?;
    let ty = d.operand(1)?.lane()?.as_int().ok_or("works on integers")?;
    // Nothing fails that wraps, and none of these divides.
    modify(d, move |old, value| int::binary(op, ty, Overflow::Wrap, old, value).unwrap_or(old))
}

fn compare_exchange(d: &Decode) -> Ruled {
    d.arity(3, 2)?;
    let (pointer, expected, desired) = (d.operand(0)?, d.operand(1)?, d.operand(2)?);
    let (found, swapped) = (d.result(0)?, d.result(1)?);
    let ty = number(&pointer, &[&expected, &desired, &found])?;
    if *swapped.ty != Type::Bool {
        return Err(Refusal(format!("says as a bool whether it swapped, not as {}", swapped.ty)));
    }
    let (at, expected, desired) = (pointer.slot, expected.slot, desired.slot);
    let (found, swapped) = (found.slot, swapped.slot);
    Ok(Compiled::point(move |cx| {
        let address = cx.get(at);
        let old = cx.memory.load(address, ty)?;
        // A failed one writes back what it found, so that it too needs memory that may be written.
        let swap = old == cx.get(expected);
        let new = if swap { cx.get(desired) } else { old };
        cx.memory.store(address, ty, new)?;
        cx.set(found, old);
        cx.set(swapped, u64::from(swap));
        Ok(())
    }))
}

fn fence(d: &Decode) -> Ruled {
    d.arity(0, 0)?;
    Ok(Compiled::point(|_| Ok(())))
}
