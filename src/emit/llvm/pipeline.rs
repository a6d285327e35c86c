//! The passes before LLVM: none but the conversion at `-O0`, the cheap and certain ones above.

use super::Level;
use crate::{
    mlir::{diagnostic, op::OpExt},
    passes,
};
use melior::{
    ir::Module,
    pass::{PassManager, transform},
};

/// Lowers a module to LLVM dialects. What went wrong comes back as text, one error per line.
///
/// Above `-O0` the frontend's stack slots become values and what folds is folded, function by function. The rest is
/// left to LLVM, which sees the guards as the branches they become.
pub fn run(module: &mut Module<'_>, level: Level) -> Result<(), String> {
    let context = module.as_operation().context_ref();
    let manager = PassManager::new(context);
    if level != Level::O0 {
        let functions = manager.nested_under("ppy_core.func");
        functions.add_pass(transform::create_canonicalizer());
        functions.add_pass(transform::create_mem_2_reg());
        functions.add_pass(transform::create_canonicalizer());
        functions.add_pass(transform::create_cse());
        functions.add_pass(passes::generated::prove_counters());
        functions.add_pass(passes::generated::eliminate_guards());
    }
    manager.add_pass(passes::generated::convert_ppy_to_llvm());
    let (result, messages) = diagnostic::capture_reports(context, |_| manager.run(module));
    result.map_err(|_| match messages.is_empty() {
        true => "the module cannot be lowered to LLVM".into(),
        false => diagnostic::errors_of(&messages),
    })
}
