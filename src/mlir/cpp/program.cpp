//===- program.cpp - transformations of whole programs --------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's inliner with a policy of ours (src/passes/inline_calls.rs), and pipelines over linked modules.
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/Passes.h"
#include "ppy.h"

using namespace mlir;

extern "C" {
/// Whether a call is worth inlining; both functions are `ppy_core.func`.
typedef bool (*PpyWorthInlining)(void *data, MlirOperation call, MlirOperation caller, MlirOperation callee);

/// The text of the pipeline `whole-program`.
void ppy_whole_program(intptr_t keepCount, const MlirStringRef *keep, int64_t budget, PpyStringFn write, void *data);
}

namespace {
/// The inliner is given a pass for the pipelines that it may run; here it runs none, the passes after it clean up.
struct InlineHost final : PassWrapper<InlineHost, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineHost)

  InlineHost(PpyWorthInlining worth, void *data) : worth(worth), data(data) {}

  void runOnOperation() override {
    auto none = [](Pass &, OpPassManager &, Operation *) { return success(); };
    auto profitable = [&](const Inliner::ResolvedCall &call) {
      Operation *caller = call.sourceNode->isExternal() ? nullptr : call.sourceNode->getCallableRegion()->getParentOp();
      Operation *callee = call.targetNode->isExternal() ? nullptr : call.targetNode->getCallableRegion()->getParentOp();
      CallOpInterface op = call.call;
      return caller && callee && worth(data, wrap(op.getOperation()), wrap(caller), wrap(callee));
    };
    InlinerConfig config;
    config.setMaxInliningIterations(1);
    Inliner inliner(getOperation(), getAnalysis<CallGraph>(), *this, getAnalysisManager(), none, config, profitable);
    if (failed(inliner.doInlining()))
      signalPassFailure();
  }

  PpyWorthInlining worth;
  void *data;
};

struct WholeProgramOptions : PassPipelineOptions<WholeProgramOptions> {
  ListOption<std::string> keep{*this, "keep", llvm::cl::desc("Functions to keep public, as of --internalize")};
  Option<int64_t> budget{*this, "budget", llvm::cl::desc("Operations of a callee worth inlining, as of --inline-calls"),
                         llvm::cl::init(40)};
};

/// Adds the passes of a pipeline in text.
LogicalResult addPasses(OpPassManager &manager, function_ref<LogicalResult(const Twine &)> onError,
                        function_ref<void(PpyStringFn, void *)> text) {
  std::string passes, problem;
  text([](void *data, MlirStringRef text) { *static_cast<std::string *>(data) = unwrap(text).str(); }, &passes);
  llvm::raw_string_ostream os(problem);
  return succeeded(parsePassPipeline(passes, manager, os)) ? success() : onError(problem);
}
} // namespace

extern "C" {

/// Inlines the calls in a module that are worth it, bottom-up. Nothing is dropped: the inliner takes a private function
/// that nothing refers to for dead, but a tool may be about to run it, so for its time there are none.
bool ppyInlineCalls(MlirOperation module, PpyWorthInlining worth, void *data) {
  SmallVector<SymbolOpInterface> hidden;
  for (Region &region : unwrap(module)->getRegions())
    for (SymbolOpInterface symbol : region.getOps<SymbolOpInterface>())
      if (symbol.isPrivate() && !symbol.isDeclaration())
        hidden.push_back(symbol);
  for (SymbolOpInterface symbol : hidden)
    symbol.setPublic();
  PassManager manager(unwrap(module)->getName());
  manager.enableVerifier(false);
  manager.addPass(std::make_unique<InlineHost>(worth, data));
  bool done = succeeded(manager.run(unwrap(module)));
  for (SymbolOpInterface symbol : hidden)
    symbol.setPrivate();
  return done;
}

void ppyRegisterProgramPipelines() {
  registerPassPipeline(
      "whole-program", "A linked program as one unit: internalize, inline, clean up, drop what nothing reaches",
      [](OpPassManager &manager, StringRef text, function_ref<LogicalResult(const Twine &)> onError) {
        WholeProgramOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        SmallVector<MlirStringRef> keep;
        for (const std::string &name : options.keep)
          keep.push_back(wrap(StringRef(name)));
        return addPasses(manager, onError, [&](PpyStringFn write, void *data) {
          ppy_whole_program(keep.size(), keep.data(), options.budget, write, data);
        });
      },
      [](function_ref<void(const detail::PassOptions &)> show) { show(WholeProgramOptions()); });
  PassPipelineRegistration<>("global-dce", "Drop the private functions and globals that nothing reaches",
                             [](OpPassManager &manager) { manager.addPass(createSymbolDCEPass()); });
}

} // extern "C"
