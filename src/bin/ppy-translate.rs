//! `ppy-translate`: ppy modules to LLVM IR, assembly and objects, and between `.ppyir` and `.mlir`.

use ppy_mlir::driver::{crash, translate};

fn main() {
    std::process::exit(crash::run(|| translate::main(std::env::args_os().collect())));
}
