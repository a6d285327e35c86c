//===- passes.h - running pipelines ---------------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PASSES_H
#define PPY_PASSES_H

#include "mlir/IR/Dominance.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "ppy.h"

extern "C" {
/// What one pass of a pipeline did, over all operations it ran on.
struct PpyPassRow {
  MlirStringRef pass;
  /// The operation it ran on first.
  MlirStringRef anchor;
  uint64_t runs;
  /// Runs that changed their operation.
  uint64_t changed;
  uint64_t nanoseconds;
  bool failed;
  intptr_t statisticCount;
  const MlirStringRef *statisticNames;
  const uint64_t *statisticValues;
};
/// Receives the rows of a pipeline in its order.
struct PpyReport {
  void *data;
  void (*row)(void *data, const PpyPassRow *);
};
}

namespace ppy {
/// What a pipeline did, pass by pass.
class PassLog;

/// Makes a pass manager name the pass that leaves an operation invalid, and log what runs if that is asked for.
std::shared_ptr<PassLog> watch(mlir::PassManager &manager, bool log);
void report(const PassLog &log, const PpyReport &report);

/// How a run of the greedy driver ended; `GreedyPatterns::apply` of src/mlir/transform.rs reads it.
enum class Rewritten : uint8_t {
  Failed,
  /// Nothing is left to rewrite.
  Changed,
  Nothing,
  /// What there is left to rewrite was not reached within the bound on iterations.
  NotAll,
};
/// Applies patterns until none applies, to the operations of the names, or to all if there are none. A set that never
/// settles stops at a cap, with an error that names the pattern.
Rewritten rewriteGreedily(mlir::Operation *op, const mlir::FrozenRewritePatternSet &patterns,
                          mlir::GreedyRewriteConfig config, llvm::ArrayRef<mlir::OperationName> roots = {});

/// What a canonicalization may do to the blocks of a function.
enum class Blocks : uint8_t {
  /// Merge, skip and remove them.
  Simplified,
  /// Nothing: branches stay as they are.
  Kept,
};
/// The canonicalizations of every dialect that is loaded.
mlir::FrozenRewritePatternSet canonicalizations(mlir::MLIRContext *context, Blocks blocks = Blocks::Simplified);
/// Upstream's canonicalization with its defaults, but where the patterns never settle.
Rewritten canonicalize(mlir::Operation *op, const mlir::FrozenRewritePatternSet &canonicalizations,
                       Blocks blocks = Blocks::Simplified);

/// Adds to a statistic of the pass that runs on this thread. MLIR's own statistics are compiled out of release builds
/// of LLVM.
void countStatistic(llvm::StringRef name, uint64_t count);
} // namespace ppy

#endif // PPY_PASSES_H
