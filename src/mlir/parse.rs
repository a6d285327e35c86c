//! Parsing MLIR text and bytecode.

use super::{
    attribute::string_ref,
    diagnostic,
    process::{self, End},
};
use melior::{
    Context,
    ir::{Location, Module},
};
use mlir_sys::*;

unsafe extern "C" {
    fn ppyParseModule(context: MlirContext, bytes: MlirStringRef, name: MlirStringRef) -> MlirModule;
}

/// What bytecode begins with.
pub const BYTECODE: &[u8] = b"ML\xEFR";

/// Whether MLIR's reader comes back from these bytes of bytecode, which it trusts: a process of its own tries. An error
/// has been emitted where not.
pub fn accept_bytecode(context: &Context, bytes: &[u8], name: &str) -> bool {
    let attempt = || {
        process::silence();
        let (read, messages) = diagnostic::capture(context, |context| read(context, bytes, name).is_some());
        if !read && messages.is_empty() {
            // It gave up without a word.
            std::process::abort();
        }
    };
    // Where no process can be had, the reader is trusted.
    let survived = process::isolate(None, attempt).map_or(true, |end| end == End::Finished);
    if !survived {
        let place = Location::new(context, name, 1, 1);
        diagnostic::emit_error(place, "the bytecode is damaged: MLIR's reader fails on it; write the file again");
    }
    survived
}

/// The module in bytes of text or bytecode, not verified yet; `None` after an error was emitted.
pub fn module<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Option<Module<'c>> {
    if bytes.starts_with(BYTECODE) && !accept_bytecode(context, bytes, name) {
        return None;
    }
    read(context, bytes, name)
}

fn read<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Option<Module<'c>> {
    let text = MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() };
    let raw = unsafe { ppyParseModule(context.to_raw(), text, string_ref(name)) };
    (!raw.ptr.is_null()).then(|| unsafe { Module::from_raw(raw) })
}
