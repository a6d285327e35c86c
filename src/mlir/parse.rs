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
use std::{
    ffi::c_void,
    io::{Read, Seek, Write},
    ptr,
};

unsafe extern "C" {
    fn ppyParseModule(context: MlirContext, bytes: MlirStringRef, name: MlirStringRef) -> MlirModule;
    fn ppyRewriteBytecode(
        context: MlirContext,
        bytes: MlirStringRef,
        name: MlirStringRef,
        write: unsafe extern "C" fn(*mut c_void, MlirStringRef),
        data: *mut c_void,
    ) -> bool;
}

/// What bytecode begins with.
pub const BYTECODE: &[u8] = b"ML\xEFR";

/// What a child process says before what it found: bytecode, or messages with a zero byte between them.
const WRITTEN: u8 = b'+';
const REFUSED: u8 = b'-';

/// Bytecode as MLIR's writer writes what its reader made of these bytes; `None` after an error was emitted.
///
/// The reader trusts its input: damaged bytes make it write where it should not, often without a crash. So it reads
/// them in a process of its own, and what this process reads comes from the writer.
pub fn rewrite_bytecode(context: &Context, bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let Ok(mut file) = process::memory_file() else {
        // Where no process can be had, the reader is trusted.
        return Some(bytes.to_vec());
    };
    let attempt = || {
        process::silence();
        let mut found = vec![WRITTEN];
        let (read, messages) = diagnostic::capture(context, |context| rewrite(context, bytes, name, &mut found));
        if !read {
            found = [&[REFUSED], messages.join("\0").as_bytes()].concat();
        }
        // It gave up without a word, or there is no memory for what it found.
        if (!read && messages.is_empty()) || file.write_all(&found).is_err() {
            std::process::abort();
        }
    };
    let Ok(end) = process::isolate(None, attempt) else { return Some(bytes.to_vec()) };
    let mut found = Vec::new();
    let all = end == End::Finished && file.rewind().and_then(|()| file.read_to_end(&mut found)).is_ok();
    match found.split_first() {
        Some((&WRITTEN, written)) if all => return Some(written.to_vec()),
        Some((&REFUSED, messages)) if all => {
            for message in String::from_utf8_lossy(messages).split('\0') {
                diagnostic::emit_error(Location::new(context, name, 0, 0), message);
            }
        }
        _ => {
            let place = Location::new(context, name, 1, 1);
            diagnostic::emit_error(place, "the bytecode is damaged: MLIR's reader fails on it; write the file again");
        }
    }
    None
}

/// Reads bytecode and appends what MLIR writes for it to `out`; false after an error was emitted.
fn rewrite(context: &Context, bytes: &[u8], name: &str, out: &mut Vec<u8>) -> bool {
    unsafe extern "C" fn append(out: *mut c_void, bytes: MlirStringRef) {
        let bytes = unsafe { std::slice::from_raw_parts(bytes.data.cast::<u8>(), bytes.length) };
        unsafe { &mut *out.cast::<Vec<u8>>() }.extend_from_slice(bytes);
    }
    unsafe { ppyRewriteBytecode(context.to_raw(), text(bytes), string_ref(name), append, ptr::from_mut(out).cast()) }
}

/// The module in bytes of text or bytecode, not verified yet; `None` after an error was emitted.
pub fn module<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Option<Module<'c>> {
    match bytes.starts_with(BYTECODE) {
        true => read(context, &rewrite_bytecode(context, bytes, name)?, name),
        false => read(context, bytes, name),
    }
}

fn text(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef { data: bytes.as_ptr().cast(), length: bytes.len() }
}

fn read<'c>(context: &'c Context, bytes: &[u8], name: &str) -> Option<Module<'c>> {
    let raw = unsafe { ppyParseModule(context.to_raw(), text(bytes), string_ref(name)) };
    (!raw.ptr.is_null()).then(|| unsafe { Module::from_raw(raw) })
}
