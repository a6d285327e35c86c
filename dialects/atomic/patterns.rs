//! Canonicalization of the atomic dialect. What other threads may see stays: a rule keeps every access and every order,
//! or makes an order stronger.

use super::enums::Order;
use super::ops::*;
use crate::dialects::core::constant::{int_of, int_type};
use crate::dialects::core::rewrite::{constant_int, insert, register, replace_with, when};
use crate::mlir::prelude::*;

pub fn fetch_sub(patterns: &mut Patterns) {
    register(patterns, &[subtract_constant]);
}
pub fn fence(patterns: &mut Patterns) {
    register(patterns, &[adjacent_fences]);
}

// Subtracting a constant is adding its negation, modulo 2^width.
fn subtract_constant<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (value, order) = (op.value(1), FetchSubOp(op).order()?);
    let ty = int_type(value.r#type())?;
    let negated = ty.value(ty.wrap(-int_of(value)?));
    let negated = insert(rewriter, constant_int(op, value.r#type(), negated)?);
    replace_with(
        rewriter,
        op,
        FetchAddOp::build(op.context_ref(), op.value(0), negated, order, op.result_type(), op.loc()),
    )
}

/// What both orders together order.
fn join(a: Order, b: Order) -> Order {
    match (a, b) {
        (a, b) if a == b => a,
        (Order::SeqCst, _) | (_, Order::SeqCst) => Order::SeqCst,
        (Order::Relaxed, order) | (order, Order::Relaxed) => order,
        _ => Order::AcqRel,
    }
}

// A fence right after another one is one fence that orders what both do.
fn adjacent_fences<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let next = op.next_in_block().and_then(FenceOp::cast)?;
    when(op.discardables().is_empty() && next.0.discardables().is_empty())?;
    let order = join(FenceOp(op).order()?, next.order()?);
    rewriter.erase(next.0);
    replace_with(rewriter, op, FenceOp::build(op.context_ref(), order, op.loc()))
}
