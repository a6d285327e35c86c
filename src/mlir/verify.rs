//! Verification that reports every error of a module, each with the operation it sits on.

use super::{
    attribute::str_of,
    diagnostic::{Severity, emit},
    op::{Op, OpExt},
};
use melior::ir::{BlockLike, Location, OperationRef, Type, ValueLike, operation::OperationLike};
use mlir_sys::*;
use std::ffi::c_void;

type ErrorFn = unsafe extern "C" fn(*mut c_void, MlirOperation, MlirLocation, MlirStringRef, bool);

unsafe extern "C" {
    fn ppyVerifyQuietly(op: MlirOperation) -> bool;
    fn ppyVerifyAll(op: MlirOperation, f: ErrorFn, data: *mut c_void);
}

/// One error of a verification.
#[derive(Clone, Debug)]
pub struct VerifyError<'c, 'a> {
    pub op: Op<'c, 'a>,
    pub location: Location<'c>,
    /// `'ppy_core.add' op needs an overflow mode: ...`
    pub message: String,
    /// The error is in how operations stand in blocks, not in one operation.
    pub structural: bool,
}

/// What to do about the errors that MLIR words itself: the error contains the first, the remedy is the second.
const REMEDIES: &[(&str, &str)] = &[
    ("requires the same type for all operands and results", "convert with core.cast, or change the result's type"),
    ("requires all operands to have the same type", "convert one with core.cast"),
    ("failed to verify that all of {true_value", "convert one with core.cast, or change the result's type"),
    ("expects parent op", "move it into a function"),
];

/// Every error under `op`; none when it is valid. The valid case costs one stock verification.
pub fn errors<'c: 'a, 'a>(op: Op<'c, 'a>) -> Vec<VerifyError<'c, 'a>> {
    if unsafe { ppyVerifyQuietly(op.to_raw()) } {
        return Vec::new();
    }
    unsafe extern "C" fn collect(
        data: *mut c_void,
        op: MlirOperation,
        location: MlirLocation,
        message: MlirStringRef,
        structural: bool,
    ) {
        let list = unsafe { &mut *data.cast::<Vec<VerifyError>>() };
        let (op, location) = unsafe { (OperationRef::from_raw(op), Location::from_raw(location)) };
        let mut message = unsafe { str_of(message) }.to_owned();
        if let Some((_, remedy)) = REMEDIES.iter().find(|(words, _)| message.contains(words)) {
            message = format!("{message}: {remedy}");
        }
        list.push(VerifyError { op, location, message, structural });
    }
    let mut list: Vec<VerifyError> = Vec::new();
    unsafe { ppyVerifyAll(op.to_raw(), collect, (&raw mut list).cast()) };
    list
}

/// Verifies `op` and emits a diagnostic for every error, naming function and block.
pub fn verify(op: Op<'_, '_>) -> bool {
    let errors = errors(op);
    for error in &errors {
        let place = place(error.op);
        let notes = if place.is_empty() { vec![] } else { vec![(None, place.as_str())] };
        emit(error.location, Severity::Error, &error.message, &notes);
    }
    errors.is_empty()
}

/// `in function @f, block ^bb2: ppy_core.add of (i64, i32) to (i64)`; empty outside functions.
pub fn place(op: Op<'_, '_>) -> String {
    let place = block_of(op);
    if place.is_empty() {
        return place;
    }
    let list = |types: Vec<Type>| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
    let operands = op.all_operands();
    let operands = list(operands.iter().filter(|v| !v.to_raw().ptr.is_null()).map(|v| v.r#type()).collect());
    let results = list((0..op.result_len()).map(|i| op.result_at(i).r#type()).collect());
    match (operands.as_str(), results.as_str()) {
        ("", "") => place,
        (operands, "") => format!("{place}: {} of ({operands})", op.op_name()),
        (operands, results) => format!("{place}: {} of ({operands}) to ({results})", op.op_name()),
    }
}

/// `in function @f, block ^bb2`; the block's label where it has one.
fn block_of(op: Op<'_, '_>) -> String {
    let Some(function) = op.ancestor("ppy_core.func") else { return String::new() };
    let symbol = function.str_attribute("sym_name").unwrap_or("?");
    let Some(block) = op.block() else { return format!("in function @{symbol}") };
    let index = function.blocks(0).iter().position(|b| b.to_raw().ptr == block.to_raw().ptr);
    match (crate::ppyir::location::block_label(block), index) {
        (Some(label), _) => format!("in function @{symbol}, block ^{label}"),
        (None, Some(index)) => format!("in function @{symbol}, block ^bb{index}"),
        (None, None) => format!("in function @{symbol}"),
    }
}
