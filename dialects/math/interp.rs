//! What the math operations do when the interpreter runs them: `crate::semantics::math`, lane by lane.

use crate::interp::Rule;
use crate::interp::compile::{Compiled, Decode};
use crate::interp::error::Refusal;
use crate::semantics::math::{self, Unary};
use crate::semantics::{FloatType, ScalarType};

/// The rules of the math dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("math.sqrt", |d| unary(d, Unary::Sqrt)),
    ("math.sin", |d| unary(d, Unary::Sin)),
    ("math.cos", |d| unary(d, Unary::Cos)),
    ("math.tan", |d| unary(d, Unary::Tan)),
    ("math.exp", |d| unary(d, Unary::Exp)),
    ("math.exp2", |d| unary(d, Unary::Exp2)),
    ("math.log", |d| unary(d, Unary::Log)),
    ("math.log2", |d| unary(d, Unary::Log2)),
    ("math.log10", |d| unary(d, Unary::Log10)),
    ("math.floor", |d| unary(d, Unary::Floor)),
    ("math.ceil", |d| unary(d, Unary::Ceil)),
    ("math.trunc", |d| unary(d, Unary::Trunc)),
    ("math.abs", |d| unary(d, Unary::Abs)),
    ("math.pow", pow),
];

/// `math.abs`, which is also the intrinsic `math.fabs`.
pub fn abs(d: &Decode) -> Result<Compiled, Refusal> {
    unary(d, Unary::Abs)
}

/// The float type of all operands and the result.
fn float(d: &Decode, operands: usize) -> Result<FloatType, Refusal> {
    d.arity(operands, 1)?;
    let result = d.result(0)?;
    for index in 0..operands {
        let operand = d.operand(index)?;
        if operand.ty != result.ty {
            return Err(Refusal(format!("works on one type, not {} and {}", operand.ty, result.ty)));
        }
    }
    match result.lane()? {
        ScalarType::Float(ty) => Ok(ty),
        lane => Err(Refusal(format!("needs floats, not {lane}"))),
    }
}

fn unary(d: &Decode, function: Unary) -> Result<Compiled, Refusal> {
    let ty = float(d, 1)?;
    let (from, to) = (d.operand(0)?, d.result(0)?);
    let (lanes, from, to) = (to.leaves.len(), from.slot, to.slot);
    Ok(Compiled::step(move |cx| {
        for lane in 0..lanes {
            let bits = math::unary(function, ty, cx.get(from + lane));
            cx.set(to + lane, bits);
        }
        Ok(())
    }))
}

fn pow(d: &Decode) -> Result<Compiled, Refusal> {
    let ty = float(d, 2)?;
    let (x, y, to) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    let (lanes, x, y, to) = (to.leaves.len(), x.slot, y.slot, to.slot);
    Ok(Compiled::step(move |cx| {
        for lane in 0..lanes {
            let bits = math::pow(ty, cx.get(x + lane), cx.get(y + lane));
            cx.set(to + lane, bits);
        }
        Ok(())
    }))
}
