//! `ppy-opt`: mlir-opt with the ppy dialects and passes, which also reads and writes `.ppyir`.

fn main() {
    std::process::exit(ppy_mlir::mlir::opt::main(std::env::args_os()));
}
