//===- analysis.h - analyses that passes require --------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_ANALYSIS_H
#define PPY_ANALYSIS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Pass/AnalysisManager.h"

namespace ppy {
/// That `ppy-canonicalize` has nothing left to do. It says all by being there: the pass makes it, and a pass that
/// changes the operation drops it unless it preserves it by name.
struct Canonical {
  explicit Canonical(mlir::Operation *) {}
};

/// Upstream's natural loops, as an analysis of a function.
class LoopInfo {
public:
  LoopInfo(mlir::Operation *op, mlir::AnalysisManager &manager) {
    mlir::Region &body = op->getRegion(0);
    // A single block has no dominator tree, and no loop: nothing branches to the entry.
    if (!body.empty() && !body.hasOneBlock())
      loops = std::make_unique<mlir::CFGLoopInfo>(manager.getAnalysis<mlir::DominanceInfo>().getDomTree(&body));
  }

  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &preserved) {
    return !preserved.isPreserved<LoopInfo>();
  }

  /// Null where there are none.
  std::unique_ptr<mlir::CFGLoopInfo> loops;
};
} // namespace ppy

#endif // PPY_ANALYSIS_H
