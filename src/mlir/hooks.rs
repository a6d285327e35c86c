//! What generated code forwards C++'s calls to. A panic becomes an error diagnostic and a failed hook, and is
//! remembered: stock passes ignore a failing pattern, so the tools ask [`panicked`] for their exit status.

use super::{
    attribute::str_of,
    diagnostic::{REPORTED, Verdict, emit_error, emit_op_error},
    op::{Op, OpExt},
    pattern::Patterns,
};
use crate::say::say;
use melior::ir::{Attribute, AttributeLike, Location, OperationRef, Value, ValueLike};
use mlir_sys::*;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering},
};

pub const SUCCESS: MlirLogicalResult = MlirLogicalResult { value: 1 };
pub const FAILURE: MlirLogicalResult = MlirLogicalResult { value: 0 };

static PANICKED: AtomicBool = AtomicBool::new(false);

/// Whether a callback has panicked in this process: a bug of ours, exit status 70.
pub fn panicked() -> bool {
    PANICKED.load(Ordering::Relaxed)
}

/// The text of a panic's payload.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// Runs a callback of C++.
pub fn guard<R>(location: Option<Location<'_>>, what: &str, on_panic: R, f: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
        PANICKED.store(true, Ordering::Relaxed);
        let message = format!("internal error in {what}: {}; this is a bug in ppy-mlir", panic_message(&*payload));
        match location {
            Some(location) => emit_error(location, &message),
            None => say(format_args!("error: {message}")),
        }
        on_panic
    })
}

/// A fold's answer.
pub enum Fold<'c, 'a> {
    /// Nothing to fold.
    None,
    /// The result is this constant.
    Constant(Attribute<'c>),
    /// The result is this value.
    Value(Value<'c, 'a>),
}

#[repr(C)]
pub struct RawFold {
    attribute: MlirAttribute,
    value: MlirValue,
}

const NO_FOLD: RawFold =
    RawFold { attribute: MlirAttribute { ptr: std::ptr::null() }, value: MlirValue { ptr: std::ptr::null() } };

pub(crate) fn verify(op: MlirOperation, f: fn(Op<'_, '_>) -> Verdict) -> MlirLogicalResult {
    let op = unsafe { OperationRef::from_raw(op) };
    guard(Some(op.loc()), "a verifier", FAILURE, || match f(op) {
        Ok(()) => SUCCESS,
        Err(message) => {
            if message != REPORTED {
                emit_op_error(op, &message);
            }
            FAILURE
        }
    })
}

pub(crate) fn fold(
    op: MlirOperation,
    n: isize,
    attributes: *const MlirAttribute,
    f: for<'c, 'a> fn(Op<'c, 'a>, &[Option<Attribute<'c>>]) -> Fold<'c, 'a>,
) -> RawFold {
    let op = unsafe { OperationRef::from_raw(op) };
    guard(Some(op.loc()), "a fold", NO_FOLD, || {
        let operands: smallvec::SmallVec<[Option<Attribute>; 4]> =
            (0..n).map(|i| unsafe { Attribute::from_option_raw(*attributes.offset(i)) }).collect();
        match f(op, &operands) {
            Fold::None => NO_FOLD,
            Fold::Constant(attribute) => RawFold { attribute: attribute.to_raw(), ..NO_FOLD },
            Fold::Value(value) => RawFold { value: value.to_raw(), ..NO_FOLD },
        }
    })
}

pub(crate) fn canonicalize(set: MlirRewritePatternSet, context: MlirContext, root: &'static str, f: fn(&mut Patterns)) {
    guard(None, "the registration of patterns", (), || f(&mut Patterns::borrowed(set, context, root)));
}

/// Why a pass failed.
pub enum PassFailure {
    /// Diagnostics have been emitted.
    Reported,
    /// To be emitted at the operation the pass ran on.
    Message(String),
}

impl From<String> for PassFailure {
    fn from(message: String) -> Self {
        PassFailure::Message(message)
    }
}

/// Whether a pass changed its operation. Where it did not, every analysis of it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    No,
    Yes,
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Self {
        if changed { Changed::Yes } else { Changed::No }
    }
}

/// A pass that does not say may have changed anything.
impl From<()> for Changed {
    fn from((): ()) -> Self {
        Changed::Yes
    }
}

/// How a pass ended, for its C++ part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum PassEnd {
    Failed = 0,
    Changed = 1,
    Unchanged = 2,
}

pub(crate) fn pass<R: Into<Changed>>(
    op: MlirOperation,
    argument: &str,
    f: impl FnOnce(Op<'_, '_>) -> Result<R, PassFailure>,
) -> PassEnd {
    let op = unsafe { OperationRef::from_raw(op) };
    guard(Some(op.loc()), &format!("pass '{argument}'"), PassEnd::Failed, || match f(op).map(Into::into) {
        Ok(Changed::Yes) => PassEnd::Changed,
        Ok(Changed::No) => PassEnd::Unchanged,
        Err(PassFailure::Reported) => PassEnd::Failed,
        Err(PassFailure::Message(message)) => {
            emit_error(op.loc(), &message);
            PassEnd::Failed
        }
    })
}

/// The name of an operation handle, for messages.
pub fn name_of(op: MlirOperation) -> String {
    unsafe { str_of(mlirIdentifierStr(mlirOperationGetName(op))) }.to_owned()
}
