//! Emitting diagnostics, and what a check answers.

use super::{
    attribute::string_ref,
    op::{Op, OpExt},
};
use crate::ppyir::location;
use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    ir::Location,
};
use mlir_sys::*;
use std::{cell::RefCell, rc::Rc};

/// A check's answer: the error names the rule, the actual value and the remedy, and not the operation (the caller
/// does).
pub type Verdict = Result<(), String>;

/// The error of a check that has emitted its errors itself, several or at other places.
pub const REPORTED: &str = "";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Severity {
    Error = 0,
    Warning = 1,
    Remark = 2,
}

unsafe extern "C" {
    fn ppyEmitDiagnostic(
        location: MlirLocation,
        severity: i32,
        message: MlirStringRef,
        n: isize,
        note_locations: *const MlirLocation,
        notes: *const MlirStringRef,
    );
}

/// Emits a diagnostic with notes; a note without a location sits at the diagnostic's.
pub fn emit(location: Location<'_>, severity: Severity, message: &str, notes: &[(Option<Location<'_>>, &str)]) {
    let locations: Vec<MlirLocation> =
        notes.iter().map(|(l, _)| l.map_or(MlirLocation { ptr: std::ptr::null() }, |l| l.to_raw())).collect();
    let texts: Vec<MlirStringRef> = notes.iter().map(|(_, t)| string_ref(t)).collect();
    unsafe {
        ppyEmitDiagnostic(
            location.to_raw(),
            severity as i32,
            string_ref(message),
            notes.len() as isize,
            locations.as_ptr(),
            texts.as_ptr(),
        )
    }
}

pub fn emit_error(location: Location<'_>, message: &str) {
    emit(location, Severity::Error, message, &[]);
}

/// An error on an operation, in MLIR's form: `'ppy_core.add' op <message>`.
pub fn emit_op_error(op: Op<'_, '_>, message: &str) {
    emit_error(op.loc(), &format!("'{}' op {message}", op.op_name()));
}

/// Runs `f` with the context's diagnostics kept from their handlers; answers the messages beside its result.
pub fn capture<'c, R>(context: &'c Context, f: impl FnOnce(&'c Context) -> R) -> (R, Vec<String>) {
    let messages = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&messages);
    let id = context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(diagnostic.to_string());
        true
    });
    let result = f(context);
    context.detach_diagnostic_handler(id);
    (result, messages.take())
}

/// A diagnostic as text: `file:line:column: error: message`, its notes on lines of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub text: String,
    pub error: bool,
}

/// Like [`capture`], with places and notes.
pub fn capture_reports<'c, R>(context: &'c Context, f: impl FnOnce(&'c Context) -> R) -> (R, Vec<Report>) {
    let reports = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&reports);
    let id = context.attach_diagnostic_handler(move |diagnostic| {
        let error = matches!(diagnostic.severity(), DiagnosticSeverity::Error);
        let mut text = line_of(&diagnostic);
        for index in 0..diagnostic.note_count() {
            // The whole operation, generic and long, is no help.
            let note =
                diagnostic.note(index).ok().filter(|note| !note.to_string().starts_with("see current operation"));
            if let Some(note) = note {
                text = format!("{text}\n{}", line_of(&note));
            }
        }
        sink.borrow_mut().push(Report { text, error });
        true
    });
    let result = f(context);
    context.detach_diagnostic_handler(id);
    (result, reports.take())
}

/// The errors among them, one after another; all of them when there is none.
pub fn errors_of(reports: &[Report]) -> String {
    let any = reports.iter().any(|report| report.error);
    let chosen: Vec<&str> =
        reports.iter().filter(|report| report.error || !any).map(|report| report.text.as_str()).collect();
    chosen.join("\n")
}

fn line_of(diagnostic: &Diagnostic<'_>) -> String {
    let severity = match diagnostic.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Note => "note",
        DiagnosticSeverity::Remark => "remark",
    };
    match location::frontend(diagnostic.location()).or_else(|| location::written(diagnostic.location())) {
        Some(at) => format!("{}:{}:{}: {severity}: {diagnostic}", at.file, at.line, at.column),
        None => format!("{severity}: {diagnostic}"),
    }
}
