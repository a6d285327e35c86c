//! Comparisons and selections. Neither fails; a rule that looks through arithmetic states the modes it may.

use super::constant::{self, bool_of, int_of, int_type, scalar_type};
use super::enums::Predicate as P;
use super::fold::{bounded, exact_cast, mode, predicate};
use super::ops::*;
use super::patterns_bits::{not, not_of};
use super::rewrite::{Rule, constant_bool, constant_int, insert, register, replace, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::compare::compare;
use crate::semantics::int::Overflow;
use crate::semantics::{IntType, ScalarType, cast as casts};

pub fn cmp(patterns: &mut Patterns) {
    register(patterns, CMP);
}
pub fn select(patterns: &mut Patterns) {
    register(patterns, SELECT);
}

const CMP: &[Rule] = &[constant_left, cmp_bool, cmp_of_two_values, cmp_offset, cmp_difference, cmp_cast];
const SELECT: &[Rule] = &[select_bool, select_not, select_select];

fn swapped(predicate: P) -> P {
    match predicate {
        P::Lt => P::Gt,
        P::Gt => P::Lt,
        P::Le => P::Ge,
        P::Ge => P::Le,
        same => same,
    }
}

fn rebuilt<'c>(cmp: CmpOp<'c, '_>, predicate: P, lhs: Value<'c, '_>, rhs: Value<'c, '_>) -> Operation<'c> {
    let op = cmp.0;
    CmpOp::build(op.context_ref(), lhs, rhs, predicate, op.result_type(), op.loc())
}

// 3 < x is x > 3.
fn constant_left<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    when(cmp.lhs().constant().is_some() && cmp.rhs().constant().is_none())?;
    replace_with(rewriter, op, rebuilt(cmp, swapped(cmp.predicate()?), cmp.rhs(), cmp.lhs()))
}

// b == false and b != true are not b; the bools compared the other way are folds.
fn cmp_bool<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    let constant = bool_of(cmp.rhs())?;
    when(matches!((cmp.predicate()?, constant), (P::Eq, false) | (P::Ne, true)))?;
    let one = insert(rewriter, constant_bool(op, true));
    replace_with(rewriter, op, not(op, cmp.lhs(), one))
}

// A comparison with a constant of a value that is one of two constants, chosen by a bool, is the bool, its negation, or
// a constant: c ? 1 : 0, and the cast of a bool.
fn cmp_of_two_values<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    let (predicate, against) = (predicate(cmp)?, constant::of(cmp.rhs())?);
    let source = cmp.lhs().defining_op()?;
    let (condition, yes, no) = match source.op_name() {
        SelectOp::NAME => (source.value(0), constant::of(source.value(1))?.bits, constant::of(source.value(2))?.bits),
        CastOp::NAME if scalar_type(source.value(0).r#type())? == ScalarType::Bool => {
            let of = |bit| casts::cast(ScalarType::Bool, against.ty, bit);
            (source.value(0), of(1)?, of(0)?)
        }
        _ => return None,
    };
    let holds = |bits| compare(predicate, against.ty, bits, against.bits);
    match (holds(yes), holds(no)) {
        (true, false) => replace(rewriter, op, condition),
        (false, true) => {
            let one = insert(rewriter, constant_bool(op, true));
            replace_with(rewriter, op, not(op, condition, one))
        }
        (known, _) => replace_with(rewriter, op, constant_bool(op, known)),
    }
}

/// Whether the result of the arithmetic is the true value: python and proven, native on signed types.
fn is_true_value(op: Op<'_, '_>, ty: IntType) -> bool {
    match mode(op) {
        Overflow::Python | Overflow::Proven => true,
        Overflow::Native => ty.signed,
        Overflow::Wrap | Overflow::Checked => false,
    }
}

// x + a < b is x < b - a where the sum is the true value (python, proven, signed native); under wrap only eq and ne.
fn cmp_offset<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    let (bound, sum) = (int_of(cmp.rhs())?, cmp.lhs().defining_op()?);
    let ty = int_type(cmp.lhs().r#type())?;
    let offset = match sum.op_name() {
        AddOp::NAME => int_of(sum.value(1))?,
        SubOp::NAME => -int_of(sum.value(1))?,
        _ => return None,
    };
    let predicate = cmp.predicate()?;
    let moved = if is_true_value(sum, ty) {
        bound - offset
    } else {
        when(mode(sum) == Overflow::Wrap && matches!(predicate, P::Eq | P::Ne))?;
        ty.value(ty.wrap(bound - offset))
    };
    let type_ = cmp.lhs().r#type();
    match constant_int(op, type_, moved) {
        Some(constant) => {
            let constant = insert(rewriter, constant);
            replace_with(rewriter, op, rebuilt(cmp, predicate, sum.value(0), constant))
        }
        None => {
            when(bounded(sum.value(0)))?;
            replace_with(rewriter, op, constant_bool(op, beyond(predicate, moved > ty.max())))
        }
    }
}

/// What the comparison of any value of a type with a number above (or below) all of them is.
fn beyond(predicate: P, above: bool) -> bool {
    match predicate {
        P::Eq => false,
        P::Ne => true,
        P::Lt | P::Le => above,
        P::Gt | P::Ge => !above,
    }
}

// x - y < 0 is x < y where the difference is the true value (python, proven, signed native); under wrap only eq and ne.
fn cmp_difference<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    when(int_of(cmp.rhs())? == 0)?;
    let sub = cmp.lhs().defined_by(SubOp::NAME)?;
    let (ty, predicate) = (int_type(cmp.lhs().r#type())?, cmp.predicate()?);
    let wraps = mode(sub) == Overflow::Wrap && matches!(predicate, P::Eq | P::Ne);
    when(wraps || is_true_value(sub, ty))?;
    replace_with(rewriter, op, rebuilt(cmp, predicate, sub.value(0), sub.value(1)))
}

/// The operand of a cast between integers that loses nothing.
fn widened<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, ScalarType)> {
    let cast = value.defined_by(CastOp::NAME)?;
    let from = scalar_type(cast.value(0).r#type())?;
    let to = scalar_type(value.r#type())?;
    let ints = int_type(cast.value(0).r#type()).is_some() && int_type(value.r#type()).is_some();
    (ints && exact_cast(from, to)).then(|| (cast.value(0), from))
}

// Integers compare as they do after a cast that loses nothing.
fn cmp_cast<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(op)?;
    let (x, from) = widened(cmp.lhs())?;
    let predicate = cmp.predicate()?;
    if let Some(bound) = int_of(cmp.rhs()) {
        return match constant_int(op, x.r#type(), bound) {
            Some(constant) => {
                let constant = insert(rewriter, constant);
                replace_with(rewriter, op, rebuilt(cmp, predicate, x, constant))
            }
            None => {
                when(bounded(x))?;
                replace_with(rewriter, op, constant_bool(op, beyond(predicate, bound > from.as_int()?.max())))
            }
        };
    }
    let (y, _) = widened(cmp.rhs())?;
    when(x.r#type() == y.r#type())?;
    replace_with(rewriter, op, rebuilt(cmp, predicate, x, y))
}

// c ? false : true is not c; c ? x : false is c and x; c ? true : x is c or x. Both arms are computed already.
fn select_bool<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (condition, yes, no) = (op.value(0), op.value(1), op.value(2));
    when(scalar_type(op.result_type())? == ScalarType::Bool)?;
    let (context, type_) = (op.context_ref(), op.result_type());
    let new = match (bool_of(yes), bool_of(no)) {
        (Some(false), Some(true)) => {
            let one = insert(rewriter, constant_bool(op, true));
            not(op, condition, one)
        }
        (None, Some(false)) => AndOp::build(context, condition, yes, type_, op.loc()),
        (Some(true), None) => OrOp::build(context, condition, no, type_, op.loc()),
        _ => return None,
    };
    replace_with(rewriter, op, new)
}

// (not c) ? x : y is c ? y : x.
fn select_not<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let condition = not_of(op.value(0))?;
    let (yes, no, type_) = (op.value(1), op.value(2), op.result_type());
    replace_with(rewriter, op, SelectOp::build(op.context_ref(), condition, no, yes, type_, op.loc()))
}

// c ? (c ? x : _) : y is c ? x : y, and so for the other arm.
fn select_select<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let condition = op.value(0);
    let arm = |value: Value<'c, 'a>, index: usize| {
        value.defined_by(SelectOp::NAME).filter(|s| s.value(0) == condition && *s != op).map(|s| s.value(index))
    };
    let (yes, no) = (arm(op.value(1), 1), arm(op.value(2), 2));
    when(yes.is_some() || no.is_some())?;
    let (yes, no) = (yes.unwrap_or(op.value(1)), no.unwrap_or(op.value(2)));
    when(yes != op.result_value() && no != op.result_value())?;
    replace_with(rewriter, op, SelectOp::build(op.context_ref(), condition, yes, no, op.result_type(), op.loc()))
}
