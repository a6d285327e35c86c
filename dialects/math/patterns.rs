//! Canonicalization of the math dialect. Floats are exact: a rule gives the same bits, or it is not here. None fails.

use super::ops::*;
use crate::dialects::core::constant;
use crate::dialects::core::ops::{CastOp, NegOp};
use crate::dialects::core::rewrite::{register, replace, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::ScalarType;

/// For `floor`, `ceil` and `trunc`.
pub fn rounding(patterns: &mut Patterns) {
    register(patterns, &[rounded, rounded_integer]);
}
pub fn abs(patterns: &mut Patterns) {
    register(patterns, &[abs_abs, abs_neg]);
}
/// Nothing beyond its folds: pow(x, 2) may differ from x * x in the last bit, and pow(x, 0.5) from sqrt(x) at -0.0.
pub fn pow(_: &mut Patterns) {}

// Rounding what is whole already gives it back: floor(ceil(x)) is ceil(x).
fn rounded<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let inner = op.value(0).defining_op()?;
    when(matches!(inner.op_name(), FloorOp::NAME | CeilOp::NAME | TruncOp::NAME))?;
    replace(rewriter, op, op.value(0))
}

// Rounding an integer's float gives it back.
fn rounded_integer<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cast = op.value(0).defined_by(CastOp::NAME)?;
    let from = constant::scalar_type(cast.value(0).r#type())?;
    when(!matches!(from, ScalarType::Float(_) | ScalarType::Pointer))?;
    replace(rewriter, op, op.value(0))
}

// abs(abs(x)) is abs(x).
fn abs_abs<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    op.value(0).defined_by(AbsOp::NAME)?;
    replace(rewriter, op, op.value(0))
}

// abs(-x) is abs(x): both only touch the sign bit.
fn abs_neg<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let x = op.value(0).defined_by(NegOp::NAME)?.value(0);
    replace_with(rewriter, op, AbsOp::build(op.context_ref(), x, op.result_type(), op.loc()))
}
