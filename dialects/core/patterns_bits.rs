//! Bitwise operations. They have no overflow mode and never fail, so every rule holds everywhere.

use super::constant::{self, bool_of, scalar_type};
use super::enums::Predicate as P;
use super::ops::*;
use super::rewrite::{constant_bits, insert, register, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::ScalarType;

pub fn and(patterns: &mut Patterns) {
    register(patterns, &[constants]);
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
