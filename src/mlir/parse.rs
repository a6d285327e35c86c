//! Parsing MLIR text and bytecode.

use super::attribute::string_ref;
use melior::{Context, ir::Module};
use mlir_sys::*;

unsafe extern "C" {
    fn ppyParseModule(context: MlirContext, bytes: MlirStringRef, name: MlirStringRef) -> MlirModule;
}

/// The module in bytes of text or bytecode, not verified yet; `None` after an error was emitted.
pub fn module<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Option<Module<'c>> {
    let text = MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() };
    let raw = unsafe { ppyParseModule(context.to_raw(), text, string_ref(name)) };
    (!raw.ptr.is_null()).then(|| unsafe { Module::from_raw(raw) })
}
