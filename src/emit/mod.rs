//! What a module is turned into besides MLIR: LLVM IR, assembly, objects, and code that runs.

pub mod llvm;
