//! Floats in the LLVM dialect: what `crate::semantics::float` says.
//!
//! **Nothing here leaves a rounding to a library.** LLVM rounds to `bf16`, and from `f64` to `f16`, with functions that
//! not every compiler's library has; so `f64` goes through `f32` rounded to odd, and `bf16` is made from the bits of
//! `f32`.

use super::enums::Rounding;
use crate::mlir::{
    attribute::splat,
    llvm_ops::{Arith, FCmp, FloatArith, ICmp, Llvm},
    op::{ScalarType, vector_lanes},
};
use melior::ir::{Attribute, Type, Value, ValueLike};

/// The LLVM type of a float scalar, with the lanes of `like`.
fn float_like<'c>(llvm: &Llvm<'_, 'c, '_>, like: Type<'c>, scalar: ScalarType) -> Type<'c> {
    let element = match scalar {
        ScalarType::F16 => Type::float16(llvm.context()),
        ScalarType::Bf16 => Type::bfloat16(llvm.context()),
        ScalarType::F32 => Type::float32(llvm.context()),
        _ => Type::float64(llvm.context()),
    };
    lanes_like(like, element)
}

/// The type with the lanes of `like`, where that has lanes.
pub fn lanes_like<'c>(like: Type<'c>, element: Type<'c>) -> Type<'c> {
    vector_lanes(like).map_or(element, |lanes| Type::vector(&[lanes], element))
}

fn bits_of(scalar: ScalarType) -> u32 {
    match scalar {
        ScalarType::F64 => 64,
        ScalarType::F32 => 32,
        _ => 16,
    }
}

/// A float in a wider format, exactly.
fn widen<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, value: Value<'c, 'a>, to: ScalarType) -> Value<'c, 'a> {
    llvm.op("llvm.fpext", &[value], float_like(llvm, value.r#type(), to))
}

/// A float in another format, rounded once.
pub fn convert<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    from: ScalarType,
    to: ScalarType,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    if from == to {
        return value;
    }
    if bits_of(from) < bits_of(to) {
        return widen(llvm, value, to);
    }
    let machine = float_like(llvm, value.r#type(), to);
    if to == ScalarType::F32 {
        return llvm.op("llvm.fptrunc", &[value], machine);
    }
    let single = match from {
        ScalarType::F64 => odd_f32(llvm, value),
        ScalarType::F32 => value,
        _ => widen(llvm, value, ScalarType::F32),
    };
    match to {
        ScalarType::Bf16 => f32_to_bf16(llvm, single, machine),
        _ => llvm.op("llvm.fptrunc", &[single], machine),
    }
}

/// An f64 as the f32 that has the last bit set where bits were lost: rounding it again rounds the exact value.
fn odd_f32<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let type_ = value.r#type();
    let (single, bits) = (float_like(llvm, type_, ScalarType::F32), lanes_like(type_, llvm.int(32)));
    let number = |n: i64| llvm.integer(bits, n);
    let magnitude = llvm.op("llvm.intr.fabs", &[value], type_);
    let near = llvm.op("llvm.fptrunc", &[magnitude], single);
    let back = llvm.op("llvm.fpext", &[near], type_);
    let near_bits = llvm.op("llvm.bitcast", &[near], bits);
    let below = llvm.fcmp(FCmp::Olt, back, magnitude);
    let inexact = llvm.arith(Arith::Or, below, llvm.fcmp(FCmp::Ogt, back, magnitude));
    let even = llvm.icmp(ICmp::Eq, llvm.arith(Arith::And, near_bits, number(1)), number(0));
    let step = llvm.select(below, number(1), number(-1));
    let moved = llvm.arith(Arith::Add, near_bits, step);
    let odd = llvm.select(llvm.arith(Arith::And, inexact, even), moved, near_bits);
    let sign =
        llvm.op("llvm.fptrunc", &[llvm.op("llvm.intr.copysign", &[number_of(llvm, type_, 0.0), value], type_)], single);
    llvm.op("llvm.intr.copysign", &[llvm.op("llvm.bitcast", &[odd], single), sign], single)
}

/// The upper half of an f32 rounded to nearest even; a NaN stays one.
fn f32_to_bf16<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, value: Value<'c, 'a>, machine: Type<'c>) -> Value<'c, 'a> {
    let bits = lanes_like(machine, llvm.int(32));
    let number = |n: i64| llvm.integer(bits, n);
    let raw = llvm.op("llvm.bitcast", &[value], bits);
    let lowest = llvm.arith(Arith::And, llvm.arith(Arith::LShr, raw, number(16)), number(1));
    let rounded = llvm.arith(Arith::Add, llvm.arith(Arith::Add, raw, number(0x7fff)), lowest);
    let ordered = llvm.fcmp(FCmp::Oeq, value, value);
    let quiet = llvm.arith(Arith::Or, raw, number(0x40_0000));
    let upper = llvm.arith(Arith::LShr, llvm.select(ordered, rounded, quiet), number(16));
    let half = llvm.op("llvm.trunc", &[upper], lanes_like(machine, llvm.int(16)));
    llvm.op("llvm.bitcast", &[half], machine)
}

/// Runs `f` where the machine computes in the format itself, for `bf16` in f32: of operands of 8 bits that rounds as
/// one step for the basic operations.
pub fn computed<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    scalar: ScalarType,
    operands: &[Value<'c, 'a>],
    f: impl FnOnce(&[Value<'c, 'a>]) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    if scalar != ScalarType::Bf16 {
        return f(operands);
    }
    let wide: Vec<Value> = operands.iter().map(|value| widen(llvm, *value, ScalarType::F32)).collect();
    convert(llvm, ScalarType::F32, scalar, f(&wide))
}

/// The sum, difference, product, quotient or C's remainder.
pub fn arith<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    scalar: ScalarType,
    op: FloatArith,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
    fast: bool,
) -> Value<'c, 'a> {
    computed(llvm, scalar, &[a, b], |operands| match operands {
        [a, b] => llvm.float_arith(op, *a, *b, fast),
        _ => a,
    })
}

/// Runs `f` on operands in f64, in which it is exact up to its last rounding.
fn in_f64<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    scalar: ScalarType,
    operands: [Value<'c, 'a>; 2],
    f: impl FnOnce(Value<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    let [a, b] = operands;
    if scalar == ScalarType::F64 {
        return f(a, b);
    }
    let result = f(widen(llvm, a, ScalarType::F64), widen(llvm, b, ScalarType::F64));
    convert(llvm, ScalarType::F64, scalar, result)
}

fn number_of<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, type_: Type<'c>, value: f64) -> Value<'c, 'a> {
    let f64_ = Type::float64(llvm.context());
    let attribute = melior::ir::attribute::FloatAttribute::new(llvm.context(), f64_, value).into();
    let attribute: Attribute = match vector_lanes(type_) {
        Some(_) => splat(type_, attribute),
        None => attribute,
    };
    llvm.constant(type_, attribute)
}

/// Whether exactly one of the two is negative.
fn signs_differ<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, rest: Value<'c, 'a>, divisor: Value<'c, 'a>) -> Value<'c, 'a> {
    let zero = number_of(llvm, rest.r#type(), 0.0);
    let (x, y) = (llvm.fcmp(FCmp::Olt, rest, zero), llvm.fcmp(FCmp::Olt, divisor, zero));
    llvm.arith(Arith::Xor, x, y)
}

pub fn remainder<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    scalar: ScalarType,
    rounding: Rounding,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Value<'c, 'a> {
    in_f64(llvm, scalar, [a, b], |a, b| {
        let rest = llvm.float_arith(FloatArith::Rem, a, b, false);
        if rounding == Rounding::Trunc {
            return rest;
        }
        let zero = number_of(llvm, rest.r#type(), 0.0);
        let moved = llvm.float_arith(FloatArith::Add, rest, b, false);
        let other = llvm.select(signs_differ(llvm, rest, b), moved, rest);
        let signed_zero = llvm.op("llvm.intr.copysign", &[zero, b], rest.r#type());
        llvm.select(llvm.fcmp(FCmp::Oeq, rest, zero), signed_zero, other)
    })
}

/// `crate::semantics::float::whole_div` step by step.
pub fn whole_division<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    scalar: ScalarType,
    rounding: Rounding,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Value<'c, 'a> {
    in_f64(llvm, scalar, [a, b], |a, b| {
        let type_ = a.r#type();
        let number = |value: f64| number_of(llvm, type_, value);
        let arith = |op, x, y| llvm.float_arith(op, x, y, false);
        let plain = arith(FloatArith::Div, a, b);
        let rest = arith(FloatArith::Rem, a, b);
        let mut quotient = arith(FloatArith::Div, arith(FloatArith::Sub, a, rest), b);
        if rounding == Rounding::Floor {
            let some = llvm.fcmp(FCmp::Une, rest, number(0.0));
            let down = llvm.arith(Arith::And, some, signs_differ(llvm, rest, b));
            let lower = arith(FloatArith::Sub, quotient, number(1.0));
            quotient = llvm.select(down, lower, quotient);
        }
        let floor = llvm.op("llvm.intr.floor", &[quotient], type_);
        let missing = arith(FloatArith::Sub, quotient, floor);
        let up = arith(FloatArith::Add, floor, number(1.0));
        let nearest = llvm.select(llvm.fcmp(FCmp::Ogt, missing, number(0.5)), up, floor);
        let signed_zero = llvm.op("llvm.intr.copysign", &[number(0.0), plain], type_);
        let whole = llvm.select(llvm.fcmp(FCmp::Oeq, quotient, number(0.0)), signed_zero, nearest);
        llvm.select(llvm.fcmp(FCmp::Oeq, b, number(0.0)), plain, whole)
    })
}
