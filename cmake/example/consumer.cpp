//===- consumer.cpp - a C++ program that uses the ppy dialects ------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the dialects and passes, parses a module, runs a pipeline over it and prints the result.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "ppy-mlir-c.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: consumer FILE PIPELINE\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  if (mlirLogicalResultIsFailure(ppyRegisterAllDialects(wrap(&registry))) ||
      mlirLogicalResultIsFailure(ppyRegisterAllPasses()))
    return 1;
  mlir::registerTransformsPasses();

  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  auto passes = mlir::PassManager::on<mlir::ModuleOp>(&context);
  if (failed(mlir::parsePassPipeline(argv[2], passes)) || failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
