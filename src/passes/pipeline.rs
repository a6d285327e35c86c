//! Pipelines by text, as `--pass-pipeline` takes them.

use super::report::Report;
use crate::mlir::passes::{Verify, run_pipeline};
use melior::{ir::Module, utility};
use std::sync::Once;

/// Runs a pipeline over a module: `builtin.module(ppy_core.func(canonicalize,mem2reg))`, upstream's passes and ours.
/// What went wrong comes back as text, one error per line, and names the pass that left the module invalid.
pub fn run(module: &mut Module<'_>, pipeline: &str) -> Result<(), String> {
    register();
    run_pipeline(module.as_operation(), pipeline, Verify::AfterEachPass, None)
}

/// The same, and what the passes did.
pub fn run_reported(module: &mut Module<'_>, pipeline: &str, report: &mut Report) -> Result<(), String> {
    register();
    run_pipeline(module.as_operation(), pipeline, Verify::AfterEachPass, Some(report))
}

/// Registers upstream's passes and ours, once per process.
pub fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        utility::register_all_passes();
        crate::register_passes();
    });
}
