//===- analysis.cpp - analyses of MLIR, for passes written in Rust --------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handles of src/mlir/analysis.rs. A pass gets them from the analysis manager (build/generate_cpp.rs).
//
//===----------------------------------------------------------------------===//

#include "analysis.h"
#include "ppy.h"

using namespace mlir;

extern "C" {

/// The block that dominates this one immediately; null for the entry and for what it does not reach.
MlirBlock ppyImmediateDominator(const void *analysis, MlirBlock raw) {
  Block *block = unwrap(raw);
  if (block->getParent()->hasOneBlock())
    return wrap(static_cast<Block *>(nullptr));
  auto &dominance = *static_cast<const DominanceInfo *>(analysis);
  DominanceInfoNode *node = dominance.getDomTree(block->getParent()).getNode(block);
  DominanceInfoNode *above = node ? node->getIDom() : nullptr;
  return wrap(above ? above->getBlock() : nullptr);
}

/// Calls `add` with each natural loop, outer before inner: its header, the only block outside that goes to the header
/// or null, and its blocks.
void ppyLoops(const void *analysis,
              void (*add)(void *, MlirBlock header, MlirBlock entry, intptr_t count, const MlirBlock *blocks),
              void *data) {
  const CFGLoopInfo *info = static_cast<const ppy::LoopInfo *>(analysis)->loops.get();
  if (!info)
    return;
  for (CFGLoop *loop : info->getLoopsInPreorder()) {
    SmallVector<MlirBlock> blocks;
    for (Block *block : loop->blocks())
      blocks.push_back(wrap(block));
    add(data, wrap(loop->getHeader()), wrap(loop->getLoopPredecessor()), blocks.size(), blocks.data());
  }
}

/// Whether a block is in a natural loop.
bool ppyIsInLoop(const void *analysis, MlirBlock block) {
  const CFGLoopInfo *info = static_cast<const ppy::LoopInfo *>(analysis)->loops.get();
  return info && info->getLoopFor(unwrap(block));
}

} // extern "C"
