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

/// MLIR's words and ours.
const WORDS: &[(&str, &str)] = &[
    ("must be variadic of ", "must be "),
    ("failed to verify that ", "breaks the rule that "),
    ("all of {true_value, false_value, result} have same type", "both values and the result have one type"),
    ("must be 64-bit signless integer", "must be an i64 (the intrinsic ppy.function_address gives one)"),
    ("must be index", "must be an index (core.cast converts it afterwards)"),
    ("must be tuple,", "must be a tuple (core.tuple_make makes one),"),
    ("expects parent op 'ppy_core.func'", "stands outside a function: move it into one"),
];

/// What to do about the errors that MLIR words itself without the types: the error contains the first, the second is
/// the remedy.
const REMEDIES: &[(&str, &str)] = &[
    ("requires the same type for all operands and results", "convert with core.cast, or change the result's type"),
    ("requires all operands to have the same type", "convert one with core.cast"),
    ("breaks the rule that ", "change the type, or convert the value"),
];

/// An error of MLIR with the actual types and the remedy.
fn reworded(op: Op<'_, '_>, message: &str) -> String {
    let mut message = message.to_owned();
    for (theirs, ours) in WORDS {
        if message.contains(theirs) {
            message = message.replace(theirs, ours);
        }
    }
    match REMEDIES.iter().find(|(words, _)| message.contains(words)) {
        Some((_, remedy)) => format!("{message}, but it is {}: {remedy}", signature(op)),
        None => message,
    }
}

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
        let (op, location): (Op, _) = unsafe { (OperationRef::from_raw(op), Location::from_raw(location)) };
        let message = reworded(op, unsafe { str_of(message) });
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
    match block_of(op) {
        place if place.is_empty() || op.operand_len() + op.result_len() == 0 => place,
        place => format!("{place}: {} {}", op.op_name(), signature(op)),
    }
}

/// `of (i64, i32) to (i64)`
fn signature(op: Op<'_, '_>) -> String {
    let list = |types: Vec<Type>| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
    let operands = op.all_operands();
    let operands = list(operands.iter().filter(|v| !v.to_raw().ptr.is_null()).map(|v| v.r#type()).collect());
    let results = list((0..op.result_len()).map(|i| op.result_at(i).r#type()).collect());
    match results.as_str() {
        "" => format!("of ({operands})"),
        results => format!("of ({operands}) to ({results})"),
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
