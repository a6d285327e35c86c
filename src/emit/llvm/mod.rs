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
    mlir::{
        llvm_ops::block_argument,
        op::{Op, OpExt, ValueExt, operations},
    },
    passes::{default_pipeline::DefaultPipeline, report::SharedReport},
    ppyir::location::{frontend, name_of},
};
use melior::ir::{BlockLike, Module, attribute::StringAttribute};
use thiserror::Error;

/// How to generate code.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub target: Target,
    /// How much LLVM optimizes.
    pub level: Level,
    /// What runs before the conversion to LLVM.
    pub passes: DefaultPipeline,
    /// Whether the code says which line of the source it is from: DWARF's line tables, of the locations.
    pub debug_info: bool,
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
    let operation = module.as_operation();
    if options.debug_info {
        // The compilation unit is named after the file that the module's location is in.
        let source = operation
            .blocks(0)
            .into_iter()
            .flat_map(operations)
            .find_map(|function| frontend(function.loc()).map(|_| function.loc()));
        if let Some(location) = source {
            operation.set_location(location);
        }
    }
    pipeline::run(module, options).map_err(EmitError::Lowering)?;
    let operation = module.as_operation();
    let translated = LlvmModule::translate(operation).map_err(EmitError::Lowering)?;
    name_parameters(operation, &translated);
    machine.apply(&translated);
    machine.add_features(&translated).map_err(EmitError::Target)?;
    translated.verify().map_err(EmitError::Internal)?;
    Ok(translated)
}

/// Gives the parameters of functions the names that their arguments have in the locations.
fn name_parameters(module: Op<'_, '_>, translated: &LlvmModule) {
    for function in module.blocks(0).into_iter().flat_map(operations).filter(|op| op.is("llvm.func")) {
        let (Some(symbol), Some(entry)) = (function.str_attribute("sym_name"), function.blocks(0).first().copied())
        else {
            continue;
        };
        for index in 0..entry.argument_count() {
            let location = block_argument(entry, index).and_then(|argument| argument.argument_location());
            if let Some(name) = location.and_then(name_of) {
                translated.name_parameter(symbol, index, name);
            }
        }
    }
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
