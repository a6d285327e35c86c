//! `ppy-opt`: mlir-opt with the ppy dialects and passes, which also reads and writes `.ppyir`.

/// Also takes the place of malloc for the MLIR libraries.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    std::process::exit(ppy_mlir::mlir::opt::main(std::env::args_os()));
}
