//! Bitwise operations. They have no overflow mode and never fail, so every rule holds everywhere.

use super::constant::{self, bool_of, scalar_type};
use super::enums::Predicate as P;
use super::fold::predicate;
use super::ops::*;
use super::rewrite::{constant_bits, constant_bool, insert, register, replace, replace_with, when};
use crate::dialects::math::ops::AbsOp;
use crate::mlir::prelude::*;
use crate::semantics::{ScalarType, compare::compare, math};

pub fn and(patterns: &mut Patterns) {
    register(patterns, &[constants, with_known_value]);
}
pub fn or(patterns: &mut Patterns) {
    register(patterns, &[constants]);
}
pub fn xor(patterns: &mut Patterns) {
    register(patterns, &[not_cmp, constants]);
}

// (x op a) op b is x op (a op b).
fn constants<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let name = op.op_name();
    let outer = constant::of(op.value(1))?;
    let inner = op.value(0).defined_by(name)?;
    let (x, first) = (inner.value(0), constant::of(inner.value(1))?);
    when(x != op.result_value())?;
    let (type_, context) = (op.result_type(), op.context_ref());
    let bits = match name {
        AndOp::NAME => first.bits & outer.bits,
        OrOp::NAME => first.bits | outer.bits,
        _ => first.bits ^ outer.bits,
    };
    let constant = insert(rewriter, constant_bits(op, type_, bits)?);
    let new = match name {
        AndOp::NAME => AndOp::build(context, x, constant, type_, op.loc()),
        OrOp::NAME => OrOp::build(context, x, constant, type_, op.loc()),
        _ => XorOp::build(context, x, constant, type_, op.loc()),
    };
    replace_with(rewriter, op, new)
}

// x == c and q, where q compares x or its absolute value with a constant, is x == c or false: q of c is known. A NaN
// makes both sides false.
fn with_known_value<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let compared = |index: usize| {
        let cmp = CmpOp::cast(op.value(index).defining_op()?)?;
        Some((cmp, constant::of(cmp.rhs())?))
    };
    let (left, right) = (compared(0)?, compared(1)?);
    [(left, right, op.value(0)), (right, left, op.value(1))].into_iter().find_map(|((equal, c), (asked, d), kept)| {
        when(equal.predicate()? == P::Eq)?;
        let bits = match c.ty {
            _ if asked.lhs() == equal.lhs() => c.bits,
            ScalarType::Float(ty) => {
                when(asked.lhs().defined_by(AbsOp::NAME)?.value(0) == equal.lhs())?;
                math::unary(math::Unary::Abs, ty, c.bits)
            }
            _ => return None,
        };
        if compare(predicate(asked)?, c.ty, bits, d.bits) {
            return replace(rewriter, op, kept);
        }
        replace_with(rewriter, op, constant_bool(op, false))
    })
}

/// The predicate that holds where this one does not; of floats only `eq` and `ne` have one, because of NaN.
pub fn inverse(predicate: P, floats: bool) -> Option<P> {
    match predicate {
        P::Eq => Some(P::Ne),
        P::Ne => Some(P::Eq),
        _ if floats => None,
        P::Lt => Some(P::Ge),
        P::Ge => Some(P::Lt),
        P::Gt => Some(P::Le),
        P::Le => Some(P::Gt),
    }
}

/// What a bool is the negation of.
pub fn not_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let xor = value.defined_by(XorOp::NAME)?;
    bool_of(xor.value(1))?.then(|| xor.value(0))
}

/// A new negation.
pub fn not<'c>(op: Op<'c, '_>, value: Value<'c, '_>, one: Value<'c, '_>) -> Operation<'c> {
    XorOp::build(op.context_ref(), value, one, value.r#type(), op.loc())
}

// not (x < y) is x >= y for integers, bools and pointers; for floats only eq and ne turn into each other.
fn not_cmp<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let cmp = CmpOp::cast(not_of(op.result_value())?.defining_op()?)?;
    let scalar = scalar_type(cmp.lhs().r#type())?;
    let predicate = inverse(cmp.predicate()?, matches!(scalar, ScalarType::Float(_)))?;
    let new = CmpOp::build(op.context_ref(), cmp.lhs(), cmp.rhs(), predicate, op.result_type(), op.loc());
    replace_with(rewriter, op, new)
}
