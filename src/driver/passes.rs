//! The options of the default pipeline that the tools share, and the libraries of passes they load.

use super::{Failure, output};
use crate::say::say;
use crate::{
    mlir::plugin,
    passes::{
        default_pipeline::{DefaultPipeline, MAX_LEVEL, StagePass, Until},
        report::{Report, SharedReport},
    },
    plugin::built_for_other_llvm,
    profile::Profile,
};
use clap::Args;
use std::{
    path::{Path, PathBuf},
    sync::PoisonError,
};

/// What runs before code generation, besides the level.
#[derive(Clone, Debug, Default, Args)]
pub struct PassOptions {
    /// The level of the default pipeline, where it is not that of -O: 0 to 3
    #[arg(long, value_name = "LEVEL", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_LEVEL)))]
    pub passes_level: Option<u32>,
    /// Add a pass at a stage of the default pipeline: after-optimization:my-pass. Again for more
    #[arg(long, value_name = "STAGE:PASS", value_parser = StagePass::parse)]
    pub stage_pass: Vec<StagePass>,
    /// Run an optional pass of the default pipeline, or give one options: NAME or NAME{option=value}. Again for more
    #[arg(long, value_name = "PASS")]
    pub with: Vec<String>,
    /// Optimize with a profile that ppy-run --profile recorded
    #[arg(long, value_name = "FILE")]
    pub use_profile: Option<PathBuf>,
    /// Stop the default pipeline after a phase or stage; none runs no pass
    #[arg(long, value_name = "PHASE", value_parser = Until::parse, default_value = "")]
    pub until: Until,
    /// Load a library that registers passes. Again for more
    #[arg(long, value_name = "FILE")]
    pub load_pass_plugin: Vec<String>,
    /// Say what the passes did: as JSON in a file, or - for a table on the standard error
    #[arg(long, value_name = "FILE")]
    pub ppy_report: Option<String>,
}

impl PassOptions {
    /// Whether any option is given.
    pub fn given(&self) -> bool {
        !self.with.is_empty()
            || !self.load_pass_plugin.is_empty()
            || !self.stage_pass.is_empty()
            || self.passes_level.is_some()
            || self.use_profile.is_some()
            || self.until != Until::End
            || self.ppy_report.is_some()
    }

    /// Loads the libraries and answers the pipeline, for the level of code generation.
    pub fn pipeline(&self, level: u32) -> Result<DefaultPipeline, Failure> {
        for path in &self.load_pass_plugin {
            load(path).map_err(Failure::User)?;
        }
        let (mut with, added) = (self.with.clone(), self.stage_pass.clone());
        if let Some(path) = &self.use_profile {
            // What is wrong with the file is said before any work is done.
            Profile::load(path)?;
            with.push(annotation(path)?);
        }
        let level = self.passes_level.unwrap_or(level);
        let pipeline = DefaultPipeline { level, until: self.until, with, added };
        pipeline.text().and_then(|_| pipeline.check_reached()).map_err(Failure::User)?;
        Ok(pipeline)
    }

    /// The report to write, if one is asked for.
    pub fn report(&self) -> Option<SharedReport> {
        self.ppy_report.as_ref().map(|_| SharedReport::default())
    }

    /// Writes the report, also of a pipeline that failed.
    pub fn write(&self, report: Option<&SharedReport>) -> Result<(), Failure> {
        match (&self.ppy_report, report) {
            (Some(to), Some(report)) => write_report(to, &report.lock().unwrap_or_else(PoisonError::into_inner)),
            _ => Ok(()),
        }
    }
}

/// The pass that reads a profile.
fn annotation(path: &Path) -> Result<String, Failure> {
    let name = path.display().to_string();
    match name.contains(['{', '}']) || path.to_str().is_none() {
        true => Err(Failure::User(format!("the profile {name} cannot be named in a pipeline: rename it"))),
        // In braces it keeps its commas and spaces.
        false => Ok(format!("annotate-profile{{file={{{name}}}}}")),
    }
}

/// Writes a report as JSON to a file, or as a table to the standard error.
pub fn write_report(to: &str, report: &Report) -> Result<(), Failure> {
    if to == "-" {
        say(report.table().trim_end());
        return Ok(());
    }
    output::write(Some(Path::new(to)), report.json().as_bytes(), output::Kind::Text)
}

/// Refuses a library of passes that this process cannot run, before loading it: past that point it would crash.
pub fn check(path: &str) -> Result<(), String> {
    let names = plugin::names_in(path).map_err(|problem| format!("cannot load the passes of '{path}': {problem}"))?;
    if let Some(needed) = built_for_other_llvm(&names) {
        let running = super::version::running_llvm();
        return Err(format!(
            "cannot load the passes of '{path}': it needs {needed}, but this program runs LLVM {running}; build it for \
             that LLVM"
        ));
    }
    match names.iter().any(|name| name == "mlirGetPassPluginInfo") {
        true => Ok(()),
        false => Err(format!("cannot load the passes of '{path}': it does not define mlirGetPassPluginInfo")),
    }
}

/// Loads a library of passes.
pub fn load(path: &str) -> Result<(), String> {
    check(path)?;
    plugin::load(path).map_err(|problem| format!("cannot load the passes of '{path}': {}", problem.trim_end()))
}
