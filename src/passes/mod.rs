//! The passes declared in `mlir-td/Passes.td`, a module each.

pub mod convert_to_llvm;

/// Options, statistics and constructors, from the declarations.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}
