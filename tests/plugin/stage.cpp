//===- stage.cpp - a library that adds passes at stages -------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tests/plugin.rs builds and loads it. The environment says what it claims to be.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "ppy-mlir-c.h"
#include <cstdlib>

using namespace mlir;

namespace {
/// Leaves a mark on the module.
struct Mark : PassWrapper<Mark, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Mark)
  StringRef getArgument() const override { return "plugin-mark"; }
  StringRef getDescription() const override { return "Mark the module"; }
  void runOnOperation() override { getOperation()->setAttr("plugin.mark", UnitAttr::get(&getContext())); }
};

/// Breaks every function: its last block has no terminator afterwards.
struct Break : PassWrapper<Break, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Break)
  StringRef getArgument() const override { return "plugin-break"; }
  StringRef getDescription() const override { return "Break the module"; }
  void runOnOperation() override {
    for (Operation &op : *getOperation().getBody())
      if (op.getNumRegions() && !op.getRegion(0).empty())
        op.getRegion(0).back().back().erase();
  }
};

const char *variable(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

void registerAll() {
  PassRegistration<Mark>();
  PassRegistration<Break>();
  const char *pass = variable("STAGE_PLUGIN_PASS", "plugin-mark");
  const char *stage = variable("STAGE_PLUGIN_STAGE", "before-backend");
  const char *abi = std::getenv("STAGE_PLUGIN_ABI");
  const char *llvm = std::getenv("STAGE_PLUGIN_LLVM");
  if (abi || llvm)
    ppyRegisterStagePassFor(abi ? std::atoi(abi) : PPY_MLIR_ABI, variable("STAGE_PLUGIN_LLVM", LLVM_VERSION_STRING),
                            stage, pass);
  else
    ppyRegisterStagePass(stage, pass);
}
} // namespace

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "stage", "1", registerAll};
}
