//! `ppy-opt`: mlir-opt with the ppy dialects and passes, which also reads and writes `.ppyir`.

use ppy_mlir::{driver::crash, mlir::opt};

/// Also takes the place of malloc for the MLIR libraries.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(crash::run_status(|| opt::main(std::env::args_os())));
}
