//===- transforms.cpp - upstream transformations that have no C API -------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Transforms/RegionUtils.h"
#include "ppy.h"

using namespace mlir;

extern "C" {

/// The only predecessor; null where there are none, several, or one with two edges.
MlirBlock ppyBlockSinglePredecessor(MlirBlock block) { return wrap(unwrap(block)->getSinglePredecessor()); }

/// Whether the entry reaches a block: false only where that is certain after looking at `limit` blocks before it.
bool ppyBlockMayBeReached(MlirBlock block, intptr_t limit) {
  SmallVector<Block *> pending{unwrap(block)};
  SmallPtrSet<Block *, 16> seen{unwrap(block)};
  while (!pending.empty()) {
    Block *next = pending.pop_back_val();
    if (next->isEntryBlock() || static_cast<intptr_t>(seen.size()) > limit)
      return true;
    for (Block *predecessor : next->getPredecessors())
      if (seen.insert(predecessor).second)
        pending.push_back(predecessor);
  }
  return false;
}

/// The operation before this one in its block; null for the first.
MlirOperation ppyOperationPrevious(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }

/// Erases operations and block arguments of the regions of `op` that nothing observable needs; whether there were any.
bool ppyRegionDCE(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  return succeeded(runRegionDCE(rewriter, unwrap(op)->getRegions()));
}

/// Calls `add` with the number of every operand through which the operation itself reads or writes memory.
void ppyAccessedOperands(MlirOperation raw, void (*add)(void *, intptr_t), void *data) {
  Operation *op = unwrap(raw);
  auto memory = dyn_cast<MemoryEffectOpInterface>(op);
  if (!memory)
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  memory.getEffects(effects);
  llvm::SmallDenseSet<unsigned> seen;
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (auto *operand = effect.getEffectValue<OpOperand *>();
        operand && isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
        seen.insert(operand->getOperandNumber()).second)
      add(data, operand->getOperandNumber());
}

} // extern "C"
