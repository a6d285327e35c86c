//! Modules in MLIR: read, run passes, write, with the diagnostics as text.

use melior::Context;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use ppy_mlir::driver::input::accept_mlir;
use ppy_mlir::mlir::{diagnostic, hooks, parse, verify};
use ppy_mlir::ppyir::{self, ast};
use ppy_mlir::registry::PASSES;
use std::sync::Once;

/// A context for many cases, without threads.
pub fn context() -> Context {
    static PASSES: Once = Once::new();
    PASSES.call_once(melior::utility::register_all_passes);
    let context = ppy_mlir::context();
    context.enable_multi_threading(false);
    context
}

/// Runs `f`; `Err` has the diagnostics when it answers `None`. A panic caught at the boundary to C++ is an error too.
pub fn reported<'c, T>(context: &'c Context, f: impl FnOnce(&'c Context) -> Option<T>) -> Result<T, String> {
    let (answer, messages) = diagnostic::capture(context, f);
    let messages = messages.join("\n");
    assert!(!hooks::panicked(), "a callback panicked: {messages}");
    answer.ok_or(messages)
}

/// Runs one pass over the module; it must verify afterwards.
pub fn run_pass<'c>(context: &'c Context, module: &mut Module<'c>, pass: &str) -> Result<(), String> {
    let own = PASSES.iter().find(|own| own.argument == pass).map_or("", |own| own.anchor);
    let pipeline = match own {
        "" | "builtin.module" => format!("builtin.module({pass})"),
        anchor => format!("builtin.module({anchor}({pass}))"),
    };
    reported(context, |context| {
        let manager = PassManager::new(context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).ok()?;
        manager.enable_verifier(false);
        manager.run(module).ok()
    })
    .map_err(|messages| format!("{pass} fails: {messages}"))?;
    check(context, module).map_err(|messages| format!("the module does not verify after {pass}: {messages}"))
}

/// Verifies with every error.
pub fn check<'c>(context: &'c Context, module: &Module<'c>) -> Result<(), String> {
    reported(context, |_| verify::verify(module.as_operation()).then_some(()))
}

pub fn export(module: &Module) -> Result<ast::Module, String> {
    ppyir::export(module.as_operation()).map_err(|error| error.message)
}

pub fn import<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, String> {
    let mut modules = ppyir::read(context, text.as_bytes(), "fuzz.ppyir").map_err(|errors| errors.to_string())?;
    if modules.len() == 1 { Ok(modules.remove(0)) } else { Err(format!("{} documents", modules.len())) }
}

pub fn parse<'c>(context: &'c Context, source: &[u8]) -> Result<Module<'c>, String> {
    reported(context, |context| {
        let fits = source.starts_with(b"ML\xefR") || accept_mlir(context, source, "fuzz.mlir");
        fits.then(|| parse::module(context, source, "fuzz.mlir")).flatten()
    })
}

/// MLIR text with locations: they hold the names.
pub fn text(module: &Module, generic: bool) -> Result<String, String> {
    let flags = OperationPrintingFlags::new().enable_debug_info(true, false);
    let flags = if generic { flags.print_generic_operation_form() } else { flags };
    module.as_operation().to_string_with_flags(flags).map_err(|error| error.to_string())
}

pub fn bytecode(module: &Module) -> Vec<u8> {
    module.as_operation().write_bytecode()
}
