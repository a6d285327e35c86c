//! `ppy-run`: runs a function of a ppy module by the JIT or the reference interpreter.

use ppy_mlir::driver::{crash, run};

/// Also takes the place of malloc for the MLIR libraries.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(crash::run(|| run::main(std::env::args_os().collect())));
}
