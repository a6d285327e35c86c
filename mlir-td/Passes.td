//===- Passes.td - the passes of ppy-mlir ---------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of each pass is Rust: `rust` names the module of src/passes whose `run(operation, &Options)` it is; the
// options' struct is generated from the declaration.
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PASSES_TD
#define PPY_PASSES_TD

include "mlir/Pass/PassBase.td"

class Ppy_Pass<string argument, string operation, string rustModule> : Pass<argument, operation> {
  string rust = rustModule;
  let dependentDialects = ["::ppy::core::CoreDialect", "::ppy::math::MathDialect"];
}

#endif // PPY_PASSES_TD

def ConvertPpyToLLVM : Ppy_Pass<"convert-ppy-to-llvm", "::mlir::ModuleOp", "convert_to_llvm"> {
  let summary = "Lower every ppy operation to the LLVM dialect, with the native ABI";
  let description = [{
    One conversion through the upstream arith, cf, math and vector patterns. Every function takes machine atoms and one
    pointer per result atom and returns an `i32` status; guards branch to one cold fallback block per function. What is
    left contains no ppy operation.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::vector::VectorDialect",
                           "::ppy::core::CoreDialect"];
}
