//! The driver loop of `ppy-opt`: upstream's options, pass manager and diagnostics (`cpp/opt.cpp`), `.ppyir` from Rust.

use super::{
    attribute::{str_of, string_ref},
    hooks::{self, guard},
    op::{Op, context_of},
    parse,
    passes::{RawReport, add_row},
    verify,
};
use crate::say::say;
use crate::{
    driver::{self, version},
    passes::report::Report,
    ppyir::{self, Check},
    registry,
};
use melior::{Context, ContextRef, ir::OperationRef};
use mlir_sys::*;
use std::{
    ffi::{CString, c_char, c_void},
    sync::OnceLock,
};

type StringFn = unsafe extern "C" fn(*mut c_void, MlirStringRef);

#[repr(C)]
struct OptHooks {
    register_dialects: extern "C" fn(MlirDialectRegistry),
    register_passes: extern "C" fn(),
    openable: extern "C" fn(MlirStringRef) -> bool,
    is_ppyir: extern "C" fn(MlirStringRef, MlirStringRef) -> bool,
    read_ppyir: extern "C" fn(
        MlirContext,
        MlirStringRef,
        MlirStringRef,
        bool,
        unsafe extern "C" fn(*mut c_void, MlirOperation),
        *mut c_void,
    ) -> bool,
    accept: extern "C" fn(MlirContext, MlirStringRef, MlirStringRef, StringFn, *mut c_void) -> bool,
    verify: extern "C" fn(MlirOperation) -> bool,
    write_ppyir: extern "C" fn(MlirOperation, StringFn, *mut c_void) -> bool,
    version: extern "C" fn() -> MlirStringRef,
    overview: extern "C" fn() -> MlirStringRef,
    report: RawReport,
    write_report: unsafe extern "C" fn(*mut c_void, MlirStringRef) -> bool,
}

unsafe extern "C" {
    fn ppyOptMain(argc: i32, argv: *mut *mut c_char, hooks: *const OptHooks) -> i32;
}

extern "C" fn register_dialects(registry: MlirDialectRegistry) {
    crate::generated::hooks::register_dialects(registry);
}

extern "C" fn register_passes() {
    crate::register_passes();
}

unsafe fn bytes_of<'a>(text: MlirStringRef) -> &'a [u8] {
    if text.length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(text.data.cast(), text.length) } }
}

extern "C" fn openable(name: MlirStringRef) -> bool {
    guard(None, "the check of the input", false, || {
        let path = unsafe { str_of(name) };
        let checked = driver::input::openable(path.as_ref());
        checked
            .inspect_err(|why| say(format_args!("ppy-opt: error: cannot read {}: {why}", driver::named(path))))
            .is_ok()
    })
}

extern "C" fn is_ppyir(bytes: MlirStringRef, name: MlirStringRef) -> bool {
    guard(None, "the detection of the input format", false, || {
        ppyir::is_ppyir(unsafe { bytes_of(bytes) }, unsafe { str_of(name) })
    })
}

extern "C" fn read_ppyir(
    context: MlirContext,
    bytes: MlirStringRef,
    name: MlirStringRef,
    verify: bool,
    add: unsafe extern "C" fn(*mut c_void, MlirOperation),
    data: *mut c_void,
) -> bool {
    guard(None, "the .ppyir reader", false, || {
        let context: &Context = context_of(unsafe { ContextRef::from_raw(context) });
        let (bytes, name) = unsafe { (bytes_of(bytes), str_of(name)) };
        let check = if verify { Check::Verify } else { Check::Trust };
        match ppyir::read_checked(context, bytes, name, check) {
            Ok(modules) => {
                for module in modules {
                    // The receiver owns it from here.
                    let raw = std::mem::ManuallyDrop::new(module).to_raw();
                    unsafe { add(data, mlirModuleGetOperation(raw)) };
                }
                true
            }
            Err(errors) => {
                errors.emit(context);
                false
            }
        }
    })
}

extern "C" fn accept(
    context: MlirContext,
    bytes: MlirStringRef,
    name: MlirStringRef,
    replace: StringFn,
    data: *mut c_void,
) -> bool {
    guard(None, "the check of the input", false, || {
        let context: &Context = context_of(unsafe { ContextRef::from_raw(context) });
        let (bytes, name) = unsafe { (bytes_of(bytes), str_of(name)) };
        match bytes.starts_with(parse::BYTECODE) {
            true => match parse::rewrite_bytecode(context, bytes, name) {
                Some(written) => {
                    let written = MlirStringRef { data: written.as_ptr().cast(), length: written.len() };
                    unsafe { replace(data, written) };
                    true
                }
                None => false,
            },
            false => crate::driver::input::accept_mlir(context, bytes, name),
        }
    })
}

extern "C" fn verify_op(op: MlirOperation) -> bool {
    guard(None, "the verifier", false, || verify::verify(unsafe { OperationRef::from_raw(op) }))
}

extern "C" fn write_ppyir(op: MlirOperation, write: StringFn, data: *mut c_void) -> bool {
    guard(None, "the .ppyir writer", false, || {
        let op: Op = unsafe { OperationRef::from_raw(op) };
        match ppyir::write(op) {
            Ok(text) => {
                unsafe { write(data, string_ref(&text)) };
                true
            }
            Err(error) => {
                error.emit();
                false
            }
        }
    })
}

/// What `--help` begins with: it lists upstream's passes and options with ours, so ours are named here.
extern "C" fn overview_text() -> MlirStringRef {
    static TEXT: OnceLock<String> = OnceLock::new();
    string_ref(TEXT.get_or_init(|| {
        let mut passes: Vec<&str> = registry::PASSES.iter().map(|pass| pass.argument).collect();
        passes.sort_unstable();
        format!(
            "ppy-opt: runs passes over ppy IR (.ppyir), MLIR text and bytecode\n\n\
             Passes of ppy: {} (docs/reference/passes.md)\n\
             The default pipeline: --ppy-pipeline. Options of ppy: --emit, --ppy-report. The rest is as in mlir-opt.\n",
            passes.join(", ")
        )
    }))
}

extern "C" fn version_text() -> MlirStringRef {
    static TEXT: OnceLock<String> = OnceLock::new();
    string_ref(TEXT.get_or_init(|| version::table("ppy-opt")))
}

/// Writes the [`Report`] that `data` is.
unsafe extern "C" fn write_report(data: *mut c_void, to: MlirStringRef) -> bool {
    guard(None, "the report of passes", false, || {
        let (report, to) = unsafe { (&*data.cast::<Report>(), str_of(to)) };
        driver::passes::write_report(to, report).inspect_err(|failure| say(failure)).is_ok()
    })
}

/// The libraries of passes on a command line, which upstream loads while it parses it.
fn pass_plugins(arguments: &[CString]) -> impl Iterator<Item = &str> {
    let texts: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str().ok()).collect();
    let next = texts.iter().copied().skip(1).chain([""]).collect::<Vec<_>>();
    texts.into_iter().zip(next).filter_map(|(text, next)| {
        let option = text.strip_prefix("--").or_else(|| text.strip_prefix('-'))?.strip_prefix("load-pass-plugin")?;
        if option.is_empty() { Some(next) } else { option.strip_prefix('=') }
    })
}

/// Runs `ppy-opt` with the process's arguments; the exit status: 0, 1 for the user's errors, 70 for ours.
pub fn main(arguments: impl Iterator<Item = std::ffi::OsString>) -> i32 {
    use std::os::unix::ffi::OsStringExt;
    let arguments: Vec<CString> = arguments.filter_map(|a| CString::new(a.into_vec()).ok()).collect();
    for path in pass_plugins(&arguments) {
        if let Err(problem) = driver::passes::check(path) {
            say(format_args!("error: {problem}"));
            return 1;
        }
    }
    let mut report = Report::default();
    let mut pointers: Vec<*mut c_char> = arguments.iter().map(|a| a.as_ptr().cast_mut()).collect();
    let count = pointers.len() as i32;
    pointers.push(std::ptr::null_mut());
    let table = OptHooks {
        register_dialects,
        register_passes,
        openable,
        is_ppyir,
        read_ppyir,
        accept,
        verify: verify_op,
        write_ppyir,
        version: version_text,
        overview: overview_text,
        report: RawReport { data: (&raw mut report).cast(), row: add_row },
        write_report,
    };
    let status = unsafe { ppyOptMain(count, pointers.as_mut_ptr(), &table) };
    if hooks::panicked() { 70 } else { status }
}
