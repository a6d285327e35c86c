//===- passes.cpp - the default pipeline, its stages, and what a pipeline did
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the default pipeline consists of is Rust's (src/passes/default_pipeline.rs), as text; here it gets its place in
// MLIR's registry.
//
//===----------------------------------------------------------------------===//

#include "passes.h"
#include "analysis.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Threading.h"
#include <chrono>
#include <map>

using namespace mlir;

extern "C" {
/// Writes the text of a default pipeline, or of an error.
bool ppy_default_pipeline(int64_t level, MlirStringRef until, intptr_t withCount, const MlirStringRef *with,
                          intptr_t addedCount, const MlirStringRef *added, PpyStringFn write, void *data);
/// A pass whose body is a Rust closure, by its registration.
uint8_t ppy_dynamic_pass(void *closure, MlirOperation, MlirStringRef argument);
}

namespace {
//===----------------------------------------------------------------------===//
// Naming the pass that broke the module
//===----------------------------------------------------------------------===//

/// Whether an operation verifies, without a word. Other threads' diagnostics pass.
bool verifiesSilently(Operation *op) {
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(op->getContext(),
                                  [&](Diagnostic &) { return success(llvm::get_threadid() == thread); });
  return succeeded(verify(op));
}

constexpr StringLiteral stageArgument = "run-at-stage";
} // namespace

//===----------------------------------------------------------------------===//
// What ran
//===----------------------------------------------------------------------===//

namespace ppy {
class PassLog {
public:
  struct Row {
    std::string pass, anchor;
    uint64_t runs = 0, changed = 0, nanoseconds = 0;
    bool failed = false;
    std::map<std::string, uint64_t> statistics;
  };
  /// By the pass of the pipeline, in the order in which they ran first.
  llvm::MapVector<const Pass *, Row> rows;
};
} // namespace ppy

namespace {
using Clock = std::chrono::steady_clock;

/// Of the pass that runs on this thread; a pass and its callbacks share their thread.
thread_local SmallVector<std::pair<std::string, uint64_t>> counted;

/// The callbacks come under a lock of the instrumentor's.
class Watch final : public PassInstrumentation {
public:
  explicit Watch(std::shared_ptr<ppy::PassLog> log) : log(std::move(log)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    // An adaptor's time is its passes'.
    if (!log || pass->getArgument().empty())
      return;
    ppy::PassLog::Row &row = this->row(pass);
    if (row.anchor.empty())
      row.anchor = op->getName().getStringRef().str();
    counted.clear();
    running.insert_or_assign(pass, Run{Clock::now(), OperationFingerPrint(op)});
    running.find(pass)->second.start = Clock::now();
  }

  void runAfterPass(Pass *pass, Operation *op) override { finish(pass, op, /*failed=*/false); }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    finish(pass, op, /*failed=*/true);
    // Of what contains the pass only the stage has something to add, and says it itself.
    StringRef argument = pass->getArgument();
    if (argument.empty() || argument == stageArgument || verifiesSilently(op))
      return;
    emitError(op->getLoc()) << "pass '" << argument << "' left '" << op->getName()
                            << "' invalid; the errors above say how, --mlir-print-ir-after-failure prints it";
  }

private:
  struct Run {
    Clock::time_point start;
    OperationFingerPrint before;
  };

  ppy::PassLog::Row &row(Pass *pass) {
    auto [it, isNew] = log->rows.try_emplace(pass->getThreadingSiblingOrThis());
    if (isNew)
      it->second.pass = pass->getArgument().str();
    return it->second;
  }

  void finish(Pass *pass, Operation *op, bool failed) {
    auto run = running.find(pass);
    if (run == running.end())
      return;
    auto spent = Clock::now() - run->second.start;
    ppy::PassLog::Row &row = this->row(pass);
    row.runs += 1;
    row.nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
    row.failed |= failed;
    // A broken operation has no fingerprint that could be relied on.
    row.changed += failed || run->second.before != OperationFingerPrint(op);
    for (const auto &[name, count] : counted)
      row.statistics[name] += count;
    counted.clear();
    running.erase(run);
  }

  std::shared_ptr<ppy::PassLog> log;
  std::map<const Pass *, Run> running;
};
} // namespace

std::shared_ptr<ppy::PassLog> ppy::watch(PassManager &manager, bool log) {
  auto shared = log ? std::make_shared<PassLog>() : nullptr;
  manager.addInstrumentation(std::make_unique<Watch>(shared));
  return shared;
}

void ppy::countStatistic(StringRef name, uint64_t count) { counted.emplace_back(name.str(), count); }

void ppy::report(const PassLog &log, const PpyReport &report) {
  for (const auto &[pass, row] : log.rows) {
    SmallVector<MlirStringRef> names;
    SmallVector<uint64_t> values;
    for (const auto &[name, count] : row.statistics) {
      names.push_back(wrap(StringRef(name)));
      values.push_back(count);
    }
    PpyPassRow out{wrap(StringRef(row.pass)),
                   wrap(StringRef(row.anchor)),
                   row.runs,
                   row.changed,
                   row.nanoseconds,
                   row.failed,
                   static_cast<intptr_t>(names.size()),
                   names.data(),
                   values.data()};
    report.row(report.data, &out);
  }
}

namespace {
//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Runs what others added at a stage, verifies the module after it whatever the pass manager does, and says who broke
/// it.
class StagePass final : public PassWrapper<StagePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StagePass)

  StagePass() = default;
  StagePass(const StagePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return stageArgument; }
  StringRef getName() const override { return "Stage"; }
  StringRef getDescription() const override {
    return "Run what was added at a stage of the default pipeline, and verify the module after it";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager passes(ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
    if (succeeded(parsePassPipeline(added, passes, llvm::nulls())))
      passes.getDependentDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    std::string problem;
    llvm::raw_string_ostream os(problem);
    pipeline.emplace(ModuleOp::getOperationName(), OpPassManager::Nesting::Implicit);
    if (succeeded(parsePassPipeline(added, *pipeline, os)))
      return success();
    return emitError(UnknownLoc::get(context))
           << "stage '" << stage << "': '" << added << "' is no pass: " << StringRef(problem).trim();
  }

  void runOnOperation() override {
    bool ran = succeeded(runPipeline(*pipeline, getOperation()));
    if (ran && succeeded(verify(getOperation())))
      return;
    bool broken = ran || !verifiesSilently(getOperation());
    emitError(getOperation().getLoc()) << "stage '" << stage << "': '" << added << "', which was added there, "
                                       << (broken ? "left the module invalid" : "failed");
    signalPassFailure();
  }

private:
  std::optional<OpPassManager> pipeline;
  Option<std::string> stage{*this, "stage", llvm::cl::desc("The stage, for messages")};
  Option<std::string> added{*this, "passes", llvm::cl::desc("What was added there: passes with their options")};
};

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

/// Upstream's canonicalizer with its defaults, but where the patterns never settle it ends, and says which one; and
/// what nothing has changed since it ran is canonical still.
class CanonicalizePass final : public PassWrapper<CanonicalizePass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalizePass)

  CanonicalizePass() = default;
  CanonicalizePass(const CanonicalizePass &other) : PassWrapper(other), patterns(other.patterns) {
    copyOptionValuesFrom(&other);
  }

  StringRef getArgument() const override { return "ppy-canonicalize"; }
  StringRef getName() const override { return "PpyCanonicalize"; }
  StringRef getDescription() const override {
    return "Canonicalize with the patterns of every dialect; name the pattern that never settles";
  }

  LogicalResult initialize(MLIRContext *context) override {
    patterns = std::make_shared<FrozenRewritePatternSet>(ppy::canonicalizations(context, blocks()));
    return success();
  }

  void runOnOperation() override {
    if (getCachedAnalysis<ppy::Canonical>()) {
      markAllAnalysesPreserved();
      return;
    }
    switch (ppy::canonicalize(getOperation(), *patterns, blocks())) {
    case ppy::Rewritten::Failed:
      signalPassFailure();
      return;
    case ppy::Rewritten::NotAll:
      return;
    case ppy::Rewritten::Nothing:
      markAllAnalysesPreserved();
      break;
    case ppy::Rewritten::Changed:
      break;
    }
    // Its branches are not.
    if (keepBlocks)
      return;
    getAnalysis<ppy::Canonical>();
    markAnalysesPreserved<ppy::Canonical>();
  }

private:
  ppy::Blocks blocks() const { return keepBlocks ? ppy::Blocks::Kept : ppy::Blocks::Simplified; }

  Option<bool> keepBlocks{*this, "keep-blocks", llvm::cl::desc("Leave branches and blocks as they are"),
                          llvm::cl::init(false)};
  /// Shared by the clones of the threads.
  std::shared_ptr<const FrozenRewritePatternSet> patterns;
};

//===----------------------------------------------------------------------===//
// The default pipeline
//===----------------------------------------------------------------------===//

struct DefaultPipelineOptions : PassPipelineOptions<DefaultPipelineOptions> {
  Option<int64_t> level{*this, "level", llvm::cl::desc("How much to optimize, 0 to 3"), llvm::cl::init(2)};
  Option<std::string> until{*this, "until",
                            llvm::cl::desc("The phase or stage to stop after, none for no pass at all")};
  ListOption<std::string> with{*this, "with",
                               llvm::cl::desc("Optional passes to run at their places, and options for passes")};
  ListOption<std::string> added{*this, "stage-passes", llvm::cl::desc("Passes to add: stage:pass")};
};

LogicalResult addDefaultPipeline(OpPassManager &manager, StringRef text,
                                 function_ref<LogicalResult(const Twine &)> onError) {
  DefaultPipelineOptions options;
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (failed(options.parseFromString(text, os)))
    return onError(StringRef(problem).trim());
  if (manager.getOpName() && manager.getOpName() != ModuleOp::getOperationName())
    return onError("ppy-pipeline runs on builtin.module, not on " + *manager.getOpName());
  auto refs = [](auto &list) {
    SmallVector<MlirStringRef> out;
    for (const std::string &item : list)
      out.push_back(wrap(StringRef(item)));
    return out;
  };
  SmallVector<MlirStringRef> with = refs(options.with), added = refs(options.added);
  std::string passes;
  auto write = [](void *out, MlirStringRef text) { static_cast<std::string *>(out)->append(text.data, text.length); };
  if (!ppy_default_pipeline(options.level, wrap(StringRef(options.until)), with.size(), with.data(), added.size(),
                            added.data(), write, &passes))
    return onError(passes);
  if (!passes.empty() && failed(parsePassPipeline(passes, manager, os)))
    return onError(StringRef(problem).trim());
  return success();
}

//===----------------------------------------------------------------------===//
// Passes that are made at run time
//===----------------------------------------------------------------------===//

class DynamicPass final : public PassWrapper<DynamicPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DynamicPass)

  DynamicPass(std::string argument, std::string description, void *closure)
      : argument(std::move(argument)), description(std::move(description)), closure(closure) {}
  StringRef getArgument() const override { return argument; }
  StringRef getDescription() const override { return description; }
  StringRef getName() const override { return argument; }
  void runOnOperation() override {
    if (!ppy_dynamic_pass(closure, wrap(getOperation()), wrap(StringRef(argument))))
      signalPassFailure();
  }

private:
  std::string argument, description;
  void *closure;
};
} // namespace

extern "C" {

void ppyRegisterDefaultPipeline() {
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<StagePass>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<CanonicalizePass>(); });
  registerPassPipeline("ppy-pipeline", "The passes that every module goes through before a backend", addDefaultPipeline,
                       [](function_ref<void(const detail::PassOptions &)> show) { show(DefaultPipelineOptions()); });
}

/// Registers a pass on any operation; the closure lives as long as the process.
void ppyRegisterDynamicPass(MlirStringRef argument, MlirStringRef description, void *closure) {
  registerPassPipeline(
      unwrap(argument), unwrap(description),
      [argument = unwrap(argument).str(), description = unwrap(description).str(),
       closure](OpPassManager &manager, StringRef options, function_ref<LogicalResult(const Twine &)> onError) {
        if (!options.empty())
          return onError(argument + " has no options");
        manager.addPass(std::make_unique<DynamicPass>(argument, description, closure));
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

/// Whether a pass or pipeline of the name is registered.
bool ppyPassIsRegistered(MlirStringRef name) {
  return PassInfo::lookup(unwrap(name)) || PassPipelineInfo::lookup(unwrap(name));
}

/// Whether MLIR reads a pipeline in text; else what is wrong is written.
bool ppyCheckPipeline(MlirStringRef text, PpyStringFn problem, void *data) {
  std::string message;
  llvm::raw_string_ostream os(message);
  bool read = succeeded(parsePassPipeline(unwrap(text), os));
  if (!read)
    problem(data, wrap(StringRef(message).trim()));
  return read;
}

/// Runs a pipeline in text over an operation. An error in the text is written, others are diagnostics.
bool ppyRunPipeline(MlirOperation op, MlirStringRef text, bool verify, const PpyReport *report, PpyStringFn problem,
                    void *data) {
  PassManager manager(unwrap(op)->getName());
  manager.enableVerifier(verify);
  std::shared_ptr<ppy::PassLog> log = ppy::watch(manager, report);
  std::string message;
  llvm::raw_string_ostream os(message);
  FailureOr<OpPassManager> passes = parsePassPipeline(unwrap(text), os);
  if (failed(passes)) {
    problem(data, wrap(StringRef(message).trim()));
    return false;
  }
  static_cast<OpPassManager &>(manager) = std::move(*passes);
  bool ran = succeeded(manager.run(unwrap(op)));
  if (log)
    ppy::report(*log, *report);
  return ran;
}

} // extern "C"
