//===- stage.cpp - a pass for a stage of the default pipeline -------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "ppy-mlir-c.h"

using namespace mlir;

namespace {
struct CountFunctions : PassWrapper<CountFunctions, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountFunctions)
  StringRef getArgument() const override { return "count-functions"; }
  StringRef getDescription() const override { return "Say how many functions the module has"; }
  void runOnOperation() override {
    getOperation().emitRemark() << llvm::range_size(*getOperation().getBody()) << " functions and globals";
  }
};

void addPasses() {
  PassRegistration<CountFunctions>();
  // Every default pipeline of the process that loads this library runs it there.
  ppyRegisterStagePass("after-optimization", "count-functions");
}
} // namespace

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "count-functions", "1", addPasses};
}
