//! From ppy modules to LLVM IR, assembly, objects and running code.
//!
//! [`compile`] is the road all of them share: the pipeline (`pipeline.rs`), translation, LLVM's verifier, the target,
//! LLVM's optimizer. [`Jit`] runs functions; a call's arguments and results are laid out by `call.rs` as `abi.rs` says.

mod abi;
mod call;
mod jit;
pub mod pipeline;
mod reach;
#[cfg(test)]
mod tests;

pub use crate::mlir::llvm::{Level, LlvmModule, Machine, Output, Target};
pub use call::{Crash, Outcome};
pub use jit::{Function, Jit, JitError, symbol_of};
pub use reach::keep_reached;

use crate::{
    mlir::op::OpExt,
    passes::{default_pipeline::DefaultPipeline, report::SharedReport},
};
use melior::ir::{Module, attribute::StringAttribute};
use thiserror::Error;

/// How to generate code.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub target: Target,
    /// How much LLVM optimizes.
    pub level: Level,
    /// What runs before the conversion to LLVM.
    pub passes: DefaultPipeline,
    /// Where to say what the passes did.
    pub report: Option<SharedReport>,
}

impl Options {
    /// Everything at one level, for the oldest machine of this kind.
    pub fn at(level: Level) -> Options {
        Options { level, passes: DefaultPipeline::at(level.number()), ..Options::default() }
    }
}

/// Why there is no code.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EmitError {
    /// The target, processor or a feature does not exist, or cannot express the module.
    #[error("{0}")]
    Target(String),
    /// The module cannot be lowered; the messages say why, one per line.
    #[error("{0}")]
    Lowering(String),
    /// LLVM refuses what we made: a bug of ours.
    #[error("internal error: LLVM refuses the module that was generated: {0}")]
    Internal(String),
}

/// Lowers a module to LLVM IR for a machine, without LLVM's optimizer. The MLIR module is the lowered one afterwards.
pub fn lower(module: &mut Module<'_>, machine: &Machine, options: &Options) -> Result<LlvmModule, EmitError> {
    // Lowerings ask what they lower for.
    let triple = StringAttribute::new(module.as_operation().context_ref(), machine.triple());
    module.as_operation().set("llvm.target_triple", triple.into());
    pipeline::run(module, options).map_err(EmitError::Lowering)?;
    let operation = module.as_operation();
    let translated = LlvmModule::translate(operation).map_err(EmitError::Lowering)?;
    machine.apply(&translated);
    machine.add_features(&translated).map_err(EmitError::Target)?;
    translated.verify().map_err(EmitError::Internal)?;
    Ok(translated)
}

/// Lowers a module to LLVM IR and optimizes it.
pub fn compile(module: &mut Module<'_>, options: &Options) -> Result<(LlvmModule, Machine), EmitError> {
    let machine = Machine::new(&options.target, options.level).map_err(EmitError::Target)?;
    let lowered = lower(module, &machine, options)?;
    if options.target.cpu.is_some() || options.target.features.is_some() {
        for (key, value) in [("target-cpu", machine.cpu()), ("target-features", machine.features())] {
            if !value.is_empty() {
                lowered.add_function_attribute(key, value);
            }
        }
    }
    lowered.optimize(&machine, options.level).map_err(EmitError::Internal)?;
    Ok((lowered, machine))
}

/// Lowers, optimizes and generates code.
pub fn emit(module: &mut Module<'_>, options: &Options, output: Output) -> Result<Vec<u8>, EmitError> {
    let (lowered, machine) = compile(module, options)?;
    machine.emit(&lowered, output).map(|buffer| buffer.bytes().to_vec()).map_err(EmitError::Target)
}
