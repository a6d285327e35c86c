//! Canonicalization of the math dialect. Floats are exact: a rule gives the same bits, or it is not here. None fails.

use super::ops::*;
use crate::dialects::core::constant;
use crate::dialects::core::enums::Predicate;
use crate::dialects::core::ops::{CastOp, CmpOp, NegOp};
use crate::dialects::core::rewrite::{register, replace, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::{ScalarType, float::decode};

/// For `floor`, `ceil` and `trunc`.
pub fn rounding(patterns: &mut Patterns) {
    register(patterns, &[rounded, rounded_integer]);
}
pub fn abs(patterns: &mut Patterns) {
    register(patterns, &[abs_abs, abs_neg]);
}
/// On comparisons: none is of the operation itself.
pub fn sqrt(patterns: &mut Patterns) {
    patterns.add_to(CmpOp::NAME, "a square root compared with infinity", |op, rewriter| {
        infinite_sqrt(op, rewriter).is_some()
    });
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

// sqrt(x) == inf is x == inf, of its absolute value too: that of a number is no infinity, and of -inf a NaN.
fn infinite_sqrt<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    when(matches!(cmp.predicate()?, Predicate::Eq | Predicate::Ne))?;
    let infinity = constant::of(cmp.rhs())?;
    let ScalarType::Float(ty) = infinity.ty else { return None };
    when(decode(ty, infinity.bits) == f64::INFINITY)?;
    let root = cmp.lhs().defined_by(AbsOp::NAME).map_or(cmp.lhs(), |abs| abs.value(0));
    let x = root.defined_by(SqrtOp::NAME)?.value(0);
    let new = CmpOp::build(op.context_ref(), x, cmp.rhs(), cmp.predicate()?, op.result_type(), op.loc());
    replace_with(rewriter, op, new)
}
