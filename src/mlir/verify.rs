//! Verification that reports every error of a module, each with the operation it sits on.

use super::{
    attribute::str_of,
    diagnostic::{Severity, emit},
    op::{Op, OpExt},
};
use melior::ir::{BlockLike, Location, OperationRef, operation::OperationLike};
use mlir_sys::*;
use std::ffi::c_void;

unsafe extern "C" {
    fn ppyVerifyQuietly(op: MlirOperation) -> bool;
    fn ppyVerifyAll(
        op: MlirOperation,
        f: unsafe extern "C" fn(*mut c_void, MlirOperation, MlirLocation, MlirStringRef),
        data: *mut c_void,
    ) -> u32;
}

/// One error of a verification.
#[derive(Clone, Debug)]
pub struct VerifyError<'c, 'a> {
    pub op: Op<'c, 'a>,
    pub location: Location<'c>,
    /// `'ppy_core.add' op needs an overflow mode: ...`
    pub message: String,
}

/// Every error under `op`; none when it is valid. The valid case costs one stock verification.
pub fn errors<'c: 'a, 'a>(op: Op<'c, 'a>) -> Vec<VerifyError<'c, 'a>> {
    if unsafe { ppyVerifyQuietly(op.to_raw()) } {
        return Vec::new();
    }
    unsafe extern "C" fn collect(data: *mut c_void, op: MlirOperation, location: MlirLocation, message: MlirStringRef) {
        let list = unsafe { &mut *data.cast::<Vec<VerifyError>>() };
        let (op, location) = unsafe { (OperationRef::from_raw(op), Location::from_raw(location)) };
        list.push(VerifyError { op, location, message: unsafe { str_of(message) }.to_owned() });
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

/// `in function @f, block ^bb2 (its 3rd)`; empty outside functions.
pub fn place(op: Op<'_, '_>) -> String {
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
