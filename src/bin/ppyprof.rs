//! `ppyprof`: merges and shows the profiles that `ppy-run --profile` records.

use ppy_mlir::driver::{crash, profile};

fn main() {
    std::process::exit(crash::run(|| profile::main(std::env::args_os().collect())));
}
