//! The passes before LLVM: the default pipeline, then the conversion.

use super::Options;
use crate::{
    mlir::passes::{Verify, run_pipeline},
    passes::pipeline,
};
use melior::ir::Module;
use std::sync::PoisonError;

/// Lowers a module to LLVM dialects. What went wrong comes back as text, one error per line.
pub fn run(module: &mut Module<'_>, options: &Options) -> Result<(), String> {
    pipeline::register();
    let before = options.passes.text()?;
    let comma = if before.is_empty() { "" } else { "," };
    // Upstream's pass makes scopes of the locations, and the translation then keeps them.
    let lines =
        if options.debug_info { ",ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}" } else { "" };
    let text = format!("builtin.module({before}{comma}convert-ppy-to-llvm{lines})");
    let mut report = options.report.as_ref().map(|report| report.lock().unwrap_or_else(PoisonError::into_inner));
    run_pipeline(module.as_operation(), &text, Verify::AfterEachPass, report.as_deref_mut())
}
