//! Pipelines by text, as `--pass-pipeline` takes them.

use crate::mlir::{diagnostic, op::OpExt};
use melior::{ir::Module, pass::PassManager, utility};

/// Runs a pipeline over a module: `builtin.module(ppy_core.func(canonicalize,mem2reg))`, upstream's passes and ours.
/// What went wrong comes back as text, one error per line.
pub fn run(module: &mut Module<'_>, pipeline: &str) -> Result<(), String> {
    utility::register_all_passes();
    crate::register_passes();
    let context = module.as_operation().context_ref();
    let manager = PassManager::new(context);
    utility::parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).map_err(|error| error.to_string())?;
    let (result, reports) = diagnostic::capture_reports(context, |_| manager.run(module));
    result.map_err(|_| match reports.is_empty() {
        true => format!("the pipeline {pipeline} failed"),
        false => diagnostic::errors_of(&reports),
    })
}
