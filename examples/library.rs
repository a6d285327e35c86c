//! The library from end to end: `.ppyir` text, passes, LLVM IR, and a call of the compiled function.
//!
//! `cargo run --example library` runs it, `tests/readme.rs` too.

use ppy_mlir::{
    driver::args,
    emit::llvm::{self, Jit, Level},
    interp::{Interpreter, Limits},
    passes::pipeline,
    ppyir,
    registry::Syntax,
};
use std::error::Error;

const TEXT: &str = r#"ppyir 1
module @shapes
dialect core 1

func @area(%width: i64, %height: i64) -> i64 {
^entry:
    %slot = core.alloca : ptr<i64, stack>
    core.store %width, %slot
    %0 = core.load %slot : i64
    %1 = core.mul %0, %height {overflow = "python"} : i64
    core.ret %1
}
"#;

/// What `main` prints.
pub fn run() -> Result<String, Box<dyn Error>> {
    // The tree: plain data, which the interpreter and the linker take. An error has every place and remedy.
    let trees = ppyir::parse_documents(TEXT, "shapes.ppyir", &Syntax)?;
    let (tree, area) = args::function(&trees, "area")?;
    // Arguments as in `ppy-run`; `semantics::value::Value` is what they become.
    let arguments = args::arguments(area, "[6, 7]")?;
    let interpreted = Interpreter::new(tree, Limits::default())?.call(&area.symbol, &arguments)?;

    // The MLIR module of the same text, verified; one for each document.
    let context = ppy_mlir::context();
    let mut modules = ppyir::read(&context, TEXT.as_bytes(), "shapes.ppyir")?;
    let [module] = &mut modules[..] else { return Err("one document is one module".into()) };

    // Passes, ours and upstream's; the stack slot becomes a value.
    pipeline::run(module, "builtin.module(ppy_core.func(mem2reg,canonicalize))")?;
    let optimized = ppyir::write(module.as_operation()).map_err(|error| error.message)?;

    // Machine code in this process, from the default pipeline; the call itself runs in a child.
    let compiled = Jit::new(module, Level::O2)?.function(area)?.call(&arguments, None)?;

    // LLVM IR for another machine. Lowering consumes a module, so it is read again.
    let mut again = ppyir::read(&context, optimized.as_bytes(), "optimized.ppyir")?;
    let [module] = &mut again[..] else { return Err("one document is one module".into()) };
    let mut options = llvm::Options::at(Level::O2);
    options.target.triple = Some("aarch64-linux-gnu".into());
    let (code, _) = llvm::compile(module, &options)?;
    let code = code.text();
    let signature = code.lines().find(|line| line.starts_with("define")).ok_or("no function")?;

    Ok(format!(
        "{optimized}\n{signature}\ninterpreted: {}\ncompiled: {}\n",
        args::render(interpreted.status, &interpreted.results, &interpreted.memory),
        args::render(compiled.status, &compiled.results, &compiled.memory),
    ))
}

#[allow(dead_code, reason = "a test takes only the rest")]
fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run()?);
    Ok(())
}
