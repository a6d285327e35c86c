//! Canonicalization of the simd dialect: lanes are taken from where they come from.

use super::ops::{ExtractOp, InsertOp, ShuffleOp, SplatOp};
use super::verify::mask;
use crate::dialects::core::constant::int_of;
use crate::dialects::core::rewrite::{constant_int, insert, register, replace_with, when};
use crate::mlir::op::vector_lanes;
use crate::mlir::prelude::*;

pub fn extract(patterns: &mut Patterns) {
    register(patterns, &[extract_of_shuffle, extract_past_insert]);
}
pub fn shuffle(patterns: &mut Patterns) {
    register(patterns, &[shuffle_of_splats]);
}

// A lane of a shuffle is a lane of one of its vectors.
fn extract_of_shuffle<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let shuffle = op.value(0).defined_by(ShuffleOp::NAME)?;
    let index = usize::try_from(int_of(op.value(1))?).ok()?;
    let (lane, lanes) = (*mask(shuffle)?.get(index)?, i128::from(vector_lanes(shuffle.value(0).r#type())?));
    let (vector, lane) = if lane < lanes { (shuffle.value(0), lane) } else { (shuffle.value(1), lane - lanes) };
    let context = op.context_ref();
    let word = melior::ir::r#type::IntegerType::new(context, 64).into();
    let lane = insert(rewriter, constant_int(op, word, lane)?);
    replace_with(rewriter, op, ExtractOp::build(context, vector, lane, op.result_type(), op.loc()))
}

// A lane of a vector into which another lane was put is the vector's as it was.
fn extract_past_insert<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let inserted = op.value(0).defined_by(InsertOp::NAME)?;
    when(int_of(op.value(1))? != int_of(inserted.value(2))?)?;
    let context = op.context_ref();
    replace_with(rewriter, op, ExtractOp::build(context, inserted.value(0), op.value(1), op.result_type(), op.loc()))
}

// Lanes that all have one value are a splat of it.
fn shuffle_of_splats<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let lanes = i128::from(vector_lanes(op.value(0).r#type())?);
    let mask = mask(op)?;
    let splat = |index: usize| op.value(index).defined_by(SplatOp::NAME).map(|splat| splat.value(0));
    let (first, second) = (mask.iter().any(|lane| *lane < lanes), mask.iter().any(|lane| *lane >= lanes));
    let value = match (first, second) {
        (true, false) => splat(0)?,
        (false, true) => splat(1)?,
        _ => splat(0).filter(|value| Some(*value) == splat(1))?,
    };
    when(first || second)?;
    replace_with(rewriter, op, SplatOp::build(op.context_ref(), value, op.result_type(), op.loc()))
}
