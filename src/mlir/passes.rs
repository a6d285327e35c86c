//! Pass managers: running pipelines in text, what they did, and passes made of Rust closures.

use super::{
    attribute::{str_of, string_ref, strings_of},
    diagnostic,
    hooks::{self, PassEnd, PassFailure, guard},
    op::{Op, OpExt},
};
use crate::passes::{
    default_pipeline, pipeline,
    report::{PassRow, Report},
};
use crate::say::say;
use mlir_sys::*;
use std::ffi::c_void;

type StringFn = unsafe extern "C" fn(*mut c_void, MlirStringRef);
type Body = Box<dyn Fn(Op<'_, '_>) -> Result<(), PassFailure> + Send + Sync>;

/// `PpyPassRow` of `cpp/passes.h`.
#[repr(C)]
pub(super) struct RawRow {
    pass: MlirStringRef,
    anchor: MlirStringRef,
    runs: u64,
    changed: u64,
    nanoseconds: u64,
    failed: bool,
    statistic_count: isize,
    statistic_names: *const MlirStringRef,
    statistic_values: *const u64,
}

#[repr(C)]
pub(super) struct RawReport {
    pub data: *mut c_void,
    pub row: unsafe extern "C" fn(*mut c_void, *const RawRow),
}

unsafe extern "C" {
    fn ppyRegisterDefaultPipeline();
    fn ppyRegisterDynamicPass(argument: MlirStringRef, description: MlirStringRef, closure: *mut c_void);
    fn ppyPassIsRegistered(name: MlirStringRef) -> bool;
    fn ppyCheckPipeline(text: MlirStringRef, problem: StringFn, data: *mut c_void) -> bool;
    fn ppyRunPipeline(
        op: MlirOperation,
        text: MlirStringRef,
        verify: bool,
        report: *const RawReport,
        problem: StringFn,
        data: *mut c_void,
    ) -> bool;
}

/// Adds a row to the [`Report`] that `data` is.
pub(super) unsafe extern "C" fn add_row(data: *mut c_void, row: *const RawRow) {
    guard(None, "the report of passes", (), || {
        let (report, row) = unsafe { (&mut *data.cast::<Report>(), &*row) };
        let names = unsafe { strings_of(row.statistic_count, row.statistic_names) };
        let values = (0..row.statistic_count).map(|i| unsafe { *row.statistic_values.offset(i) });
        report.add(PassRow {
            pass: unsafe { str_of(row.pass) }.to_owned(),
            anchor: unsafe { str_of(row.anchor) }.to_owned(),
            runs: row.runs,
            changed: row.changed,
            nanoseconds: row.nanoseconds,
            failed: row.failed,
            statistics: names.into_iter().zip(values).collect(),
        });
    })
}

/// Registers the default pipeline; once per process.
pub(crate) fn register_default_pipeline() {
    unsafe { ppyRegisterDefaultPipeline() }
}

#[unsafe(no_mangle)]
extern "C" fn ppy_default_pipeline(
    level: i64,
    until: MlirStringRef,
    with_count: isize,
    with: *const MlirStringRef,
    added_count: isize,
    added: *const MlirStringRef,
    write: StringFn,
    data: *mut c_void,
) -> bool {
    guard(None, "the default pipeline", false, || {
        let (with, added) = unsafe { (strings_of(with_count, with), strings_of(added_count, added)) };
        let text = default_pipeline::from_options(level, unsafe { str_of(until) }, with, &added);
        let (text, good) = match text {
            Ok(text) => (text, true),
            Err(problem) => (problem, false),
        };
        unsafe { write(data, string_ref(&text)) };
        good
    })
}

/// Registers a pass on any operation with MLIR, for pipelines in text, as long as the process lives. A name that is
/// taken is refused.
pub fn register_pass<F>(argument: &str, description: &str, run: F) -> Result<(), String>
where
    F: Fn(Op<'_, '_>) -> Result<(), PassFailure> + Send + Sync + 'static,
{
    let named = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if argument.is_empty() || !argument.chars().all(named) {
        return Err(format!("'{argument}' is no name of a pass: lower-case words with '-' between them"));
    }
    pipeline::register();
    if unsafe { ppyPassIsRegistered(string_ref(argument)) } {
        return Err(format!("there is a pass '{argument}' already"));
    }
    let body: Box<Body> = Box::new(Box::new(run));
    unsafe {
        ppyRegisterDynamicPass(string_ref(argument), string_ref(description), Box::into_raw(body).cast());
    }
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn ppy_dynamic_pass(closure: *mut c_void, op: MlirOperation, argument: MlirStringRef) -> PassEnd {
    // Passes live as long as the registry, which is the process.
    let (body, argument) = unsafe { (&*closure.cast::<Body>(), str_of(argument)) };
    hooks::pass(op, argument, body)
}

/// How to run a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    AfterEachPass,
    Never,
}

unsafe extern "C" fn keep(data: *mut c_void, text: MlirStringRef) {
    unsafe { *data.cast::<String>() = str_of(text).to_owned() };
}

/// Whether MLIR reads a pipeline in text: its syntax, its passes, their options. An error is MLIR's, in one line.
pub(crate) fn check_pipeline(text: &str) -> Result<(), String> {
    let mut problem = String::new();
    match unsafe { ppyCheckPipeline(string_ref(text), keep, (&raw mut problem).cast()) } {
        true => Ok(()),
        false => {
            // Which parser found it, and where in a text that the user did not write, helps nobody.
            let line = problem.lines().next().unwrap_or_default();
            let line = line.strip_prefix("<Pass-Options-Parser>: ").unwrap_or(line);
            Err(line.split_once("error: ").map_or(line, |(_, what)| what).to_owned())
        }
    }
}

/// Runs a pipeline in text over an operation, into the report if there is one. What went wrong comes back as text, one
/// error per line, and names the pass that left the operation invalid.
pub(crate) fn run_pipeline(
    op: Op<'_, '_>,
    text: &str,
    verify: Verify,
    report: Option<&mut Report>,
) -> Result<(), String> {
    let mut problem = String::new();
    let raw = report.map(|report| RawReport { data: std::ptr::from_mut(report).cast(), row: add_row });
    let (ran, reports) = diagnostic::capture_reports(op.context_ref(), |_| unsafe {
        let raw = raw.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let verify = verify == Verify::AfterEachPass;
        ppyRunPipeline(op.raw(), string_ref(text), verify, raw, keep, (&raw mut problem).cast())
    });
    match (ran, problem.is_empty(), reports.is_empty()) {
        (true, ..) => {
            // Warnings and remarks, as MLIR's tools have them.
            reports.iter().for_each(|report| say(&report.text));
            Ok(())
        }
        (_, false, _) => Err(problem),
        (_, _, false) => Err(diagnostic::errors_of(&reports)),
        (_, _, true) => Err(format!("the pipeline {text} failed")),
    }
}
