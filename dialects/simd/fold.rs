//! Folds of the simd dialect: lanes that are known.

use super::ops::{ExtractOp, InsertOp, SplatOp};
use super::verify::mask;
use crate::dialects::core::constant::int_of;
use crate::mlir::op::vector_lanes;
use crate::mlir::prelude::*;

/// The result is `value`, unless that is the operation itself, as in a cycle of unreachable code.
fn same<'c, 'a>(op: Op<'c, 'a>, value: Value<'c, 'a>) -> Fold<'c, 'a> {
    if value == op.result_value() { Fold::None } else { Fold::Value(value) }
}

/// The lane that was put there, by an insertion at the same index or by a splat. A lane that the vector does not have
/// has no meaning, so a splat has the value at any index.
pub fn extract<'c, 'a>(op: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    let (vector, index) = (op.value(0), op.value(1));
    if let Some(splat) = vector.defined_by(SplatOp::NAME) {
        return same(op, splat.value(0));
    }
    match vector.defined_by(InsertOp::NAME) {
        Some(insert) if is_same(insert.value(2), index) => same(op, insert.value(1)),
        _ => Fold::None,
    }
}

/// Whether two indices are one number.
fn is_same(a: Value<'_, '_>, b: Value<'_, '_>) -> bool {
    a == b || int_of(a).is_some_and(|number| int_of(b) == Some(number))
}

/// A lane that is put back where it came from changes nothing.
pub fn insert<'c, 'a>(op: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    match op.value(1).defined_by(ExtractOp::NAME) {
        Some(extract) if extract.value(0) == op.value(0) && extract.value(1) == op.value(2) => same(op, op.value(0)),
        _ => Fold::None,
    }
}

/// A mask that keeps every lane of one vector in its place.
pub fn shuffle<'c, 'a>(op: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    let (Some(mask), Some(lanes)) = (mask(op), vector_lanes(op.value(0).r#type())) else { return Fold::None };
    let lanes = i128::from(lanes);
    let keeps = |from: i128| mask.len() as i128 == lanes && mask.iter().zip(from..).all(|(lane, at)| *lane == at);
    match (keeps(0), keeps(lanes)) {
        (true, _) => same(op, op.value(0)),
        (_, true) => same(op, op.value(1)),
        _ => Fold::None,
    }
}

/// The least or greatest of equal lanes.
pub fn extremum<'c, 'a>(op: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    op.value(0).defined_by(SplatOp::NAME).map_or(Fold::None, |splat| same(op, splat.value(0)))
}
