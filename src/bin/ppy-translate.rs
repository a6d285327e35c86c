//! `ppy-translate`: ppy modules to LLVM IR, assembly and objects, and between `.ppyir` and `.mlir`.

use ppy_mlir::driver::{crash, translate};

/// Also takes the place of malloc for the MLIR libraries.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(crash::run(|| translate::main(std::env::args_os().collect())));
}
