//! Casts and pointer arithmetic. Casts have no overflow mode: an integer that does not fit wraps.

use super::constant::{int_of, scalar_type};
use super::fold::exact_cast;
use super::ops::*;
use super::rewrite::{Rule, constant_int, insert, register, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::ScalarType;

pub fn cast(patterns: &mut Patterns) {
    register(patterns, CAST);
}
pub fn ptr_offset(patterns: &mut Patterns) {
    register(patterns, PTR_OFFSET);
}

const CAST: &[Rule] = &[cast_cast];
const PTR_OFFSET: &[Rule] = &[offset_offset];

// cast(cast(x)) is one cast where the first loses nothing, where the second drops at least the bits the first dropped,
// and between pointers. A marked cast (of a runtime object that is read) stays.
fn cast_cast<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let first = op.value(0).defined_by(CastOp::NAME)?;
    when(op.discardables().is_empty() && first.discardables().is_empty())?;
    let x = first.value(0);
    let (from, middle, to) =
        (scalar_type(x.r#type())?, scalar_type(op.value(0).r#type())?, scalar_type(op.result_type())?);
    let direct = match (from, middle, to) {
        (ScalarType::Pointer, ScalarType::Pointer, ScalarType::Pointer) => true,
        (ScalarType::Pointer, ..) | (_, ScalarType::Pointer, _) | (.., ScalarType::Pointer) => false,
        _ if exact_cast(from, middle) => true,
        // Of integers only the low bits matter.
        _ => match (from.as_int(), middle.as_int(), to.as_int()) {
            (Some(_), Some(middle), Some(to)) => to.width <= middle.width,
            _ => false,
        },
    };
    when(direct && x != op.result_value())?;
    replace_with(rewriter, op, CastOp::build(op.context_ref(), x, op.result_type(), op.loc()))
}

// (p + a) + b is p + (a + b) for constants whose sum fits: addresses wrap.
fn offset_offset<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (outer, first) = (int_of(op.value(1))?, op.value(0).defined_by(PtrOffsetOp::NAME)?);
    when(first.value(0) != op.result_value())?;
    let total = outer + int_of(first.value(1))?;
    let offset = insert(rewriter, constant_int(op, op.value(1).r#type(), total)?);
    let new = PtrOffsetOp::build(op.context_ref(), first.value(0), offset, op.result_type(), op.loc());
    replace_with(rewriter, op, new)
}
