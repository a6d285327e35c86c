//! Folds of the special dialect: functions of constants. A NaN is left to run time (its payload is the machine's).

use super::functions::{self, OF_ORDER, UNARY, named};
use crate::dialects::core::constant::{read, write};
use crate::mlir::prelude::*;
use crate::semantics::{Scalar, ScalarType};

fn at(operands: &[Option<Attribute<'_>>], index: usize) -> Option<Scalar> {
    read((*operands.get(index)?)?)
}

/// The operation's name without its dialect.
fn name<'c>(op: Op<'c, '_>) -> &'c str {
    op.op_name().strip_prefix("ppy_special.").unwrap_or_default()
}

fn constant<'c, 'a>(op: Op<'c, 'a>, bits: Option<u64>) -> Fold<'c, 'a> {
    bits.and_then(|bits| write(op.result_type(), bits)).map_or(Fold::None, Fold::Constant)
}

pub fn unary<'c, 'a>(op: Op<'c, 'a>, operands: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    let Some(Scalar { ty: ScalarType::Float(ty), bits }) = at(operands, 0) else { return Fold::None };
    constant(op, named(UNARY, name(op)).map(|function| functions::unary(function, ty, bits)))
}

/// A fold takes no longer than this many steps of the C library's recurrence.
const MAX_ORDER: i128 = 1 << 12;

pub fn of_order<'c, 'a>(op: Op<'c, 'a>, operands: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    let Some(order) = at(operands, 0).and_then(Scalar::as_int).filter(|n| n.abs() <= MAX_ORDER) else {
        return Fold::None;
    };
    let Some(Scalar { ty: ScalarType::Float(ty), bits }) = at(operands, 1) else { return Fold::None };
    constant(op, named(OF_ORDER, name(op)).map(|function| functions::of_order(function, ty, order, bits)))
}
