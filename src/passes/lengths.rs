//! Whether the buffers of a module have lengths that memory can have (docs/fallback.md, "Lengths").
//!
//! A module's functions may hand on what it makes itself, so it takes a look at all of them. `infer-effects` does and
//! marks the module, for the passes over functions.

use super::functions::flag;
use crate::{
    dialects::core::{
        constant::int_of,
        memory::longest_buffer,
        ops::{BufferLenOp, CallIntrinsicOp, CastOp},
    },
    mlir::{op::operations_named, prelude::*},
};
use melior::ir::attribute::BoolAttribute;

/// On a module: every buffer of its functions has a length from 0 to what memory holds. What they are handed from
/// outside has (docs/abi.md).
pub const LENGTHS_FIT: &str = "ppy.lengths_fit";

/// Whether a module makes no buffer of a length that may be any number.
pub fn fit(module: Op) -> bool {
    operations_named(module, &[CallIntrinsicOp::NAME]).into_iter().all(makes_no_odd_buffer)
}

/// Marks a module, where it asks for lengths at all.
pub fn mark(module: Op) {
    let relevant = operations_named(module, &[CallIntrinsicOp::NAME, BufferLenOp::NAME]);
    let asks = relevant.iter().any(|op| op.is(BufferLenOp::NAME));
    if asks && relevant.into_iter().filter(|op| op.is(CallIntrinsicOp::NAME)).all(makes_no_odd_buffer) {
        module.set(LENGTHS_FIT, BoolAttribute::new(module.context_ref(), true).into());
    } else {
        module.remove_discardable(LENGTHS_FIT);
    }
}

/// Whether a call of an intrinsic makes no buffer, or one whose length is seen to fit.
fn makes_no_odd_buffer(call: Op) -> bool {
    if call.str_attribute("intrinsic") != Some("ppy.buffer_from_parts") {
        return true;
    }
    let (length, most) = (call.value(1), longest_buffer(call.result_type()));
    let copied = match length.defined_by(CastOp::NAME) {
        Some(cast) => cast.value(0),
        None => length,
    };
    match int_of(length) {
        Some(length) => most.is_some_and(|most| (0..=i128::from(most)).contains(&length)),
        None => copied.defined_by(BufferLenOp::NAME).is_some_and(|of| longest_buffer(of.value(0).r#type()) <= most),
    }
}

/// What `infer-effects` found of the module of a function.
pub fn known_to_fit(function: Op) -> bool {
    function.parent().is_some_and(|module| flag(module, LENGTHS_FIT))
}
