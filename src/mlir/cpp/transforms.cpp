//===- transforms.cpp - upstream transformations that have no C API -------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace {
/// Counts what each pattern rewrote.
struct Counter final : RewriterBase::Listener {
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    if (succeeded(status)) {
      ++total;
      ++rewrites[&pattern];
    }
  }
  int64_t total = 0;
  llvm::MapVector<const Pattern *, int64_t> rewrites;
};
} // namespace

/// Upstream's greedy driver on the operations of some names only, as often and with the same simplification of regions
/// as where it visits all.
static LogicalResult rewriteRoots(Operation *op, const FrozenRewritePatternSet &patterns, GreedyRewriteConfig config,
                                  ArrayRef<OperationName> roots, bool &changed) {
  IRRewriter rewriter(op->getContext(), config.getListener());
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  for (int64_t round = 0; round < config.getMaxIterations(); ++round) {
    SmallVector<Operation *> found;
    op->walk([&](Operation *inner) {
      if (inner != op && llvm::is_contained(roots, inner->getName()))
        found.push_back(inner);
    });
    bool again = false;
    if (failed(applyOpPatternsGreedily(found, patterns, config, &again)))
      return failure();
    if (config.getRegionSimplificationLevel() != GreedySimplifyRegionLevel::Disabled)
      again |= succeeded(simplifyRegions(rewriter, op->getRegions(), /*mergeBlocks=*/false));
    if (!again)
      return success();
    changed = true;
  }
  return failure();
}

ppy::Rewritten ppy::rewriteGreedily(Operation *op, const FrozenRewritePatternSet &patterns, GreedyRewriteConfig config,
                                    ArrayRef<OperationName> roots) {
  // Far above what patterns that settle need: each rewrite is of an operation that is there, or that another one made.
  int64_t size = 0;
  op->walk([&](Operation *) { ++size; });
  const int64_t cap = 1000 + 100 * size;
  Counter counter;
  config.setMaxNumRewrites(cap).setListener(&counter);
  bool changed = false;
  LogicalResult settled = roots.empty() ? applyPatternsGreedily(op, patterns, config, &changed)
                                        : rewriteRoots(op, patterns, config, roots, changed);
  if (succeeded(settled))
    return changed ? Rewritten::Changed : Rewritten::Nothing;
  if (counter.total < cap)
    // Not to converge within the bound on iterations is no error: what was rewritten is right.
    return Rewritten::NotAll;
  auto most = std::max_element(counter.rewrites.begin(), counter.rewrites.end(),
                               [](const auto &a, const auto &b) { return a.second < b.second; });
  InFlightDiagnostic error = emitError(op->getLoc())
                             << "the patterns never settle: '" << most->first->getDebugName() << "'";
  if (std::optional<OperationName> root = most->first->getRootKind())
    error << " of '" << *root << "'";
  error << " was applied " << most->second << " times among " << counter.total << " rewrites of " << size
        << " operations; it undoes what another pattern or it itself does";
  return Rewritten::Failed;
}

FrozenRewritePatternSet ppy::canonicalizations(MLIRContext *context, Blocks blocks) {
  RewritePatternSet set(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(set);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(set, context);
  if (blocks == Blocks::Kept)
    llvm::erase_if(set.getNativePatterns(), [](const std::unique_ptr<RewritePattern> &pattern) {
      std::optional<OperationName> root = pattern->getRootKind();
      return root && root->hasInterface<BranchOpInterface>();
    });
  return FrozenRewritePatternSet(std::move(set));
}

static bool hasUnreachedBlock(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return llvm::any_of(region, [](Block &block) { return block.hasNoPredecessors() && !block.isEntryBlock(); });
  });
}

ppy::Rewritten ppy::canonicalize(Operation *op, const FrozenRewritePatternSet &canonicalizations, Blocks blocks) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal().setRegionSimplificationLevel(
      blocks == Blocks::Kept ? GreedySimplifyRegionLevel::Disabled : GreedySimplifyRegionLevel::Normal);
  // Where it visits all operations, upstream's driver takes away blocks that nothing branches to; not where it is given
  // their names.
  llvm::SetVector<OperationName> names;
  if (blocks == Blocks::Kept && hasUnreachedBlock(op))
    op->walk([&](Operation *inner) { names.insert(inner->getName()); });
  return rewriteGreedily(op, canonicalizations, config, names.getArrayRef());
}

extern "C" {

/// Replaces values that upstream's analysis finds to be constants, and unlike its pass leaves the constants that are
/// there where they are. The answer: 0 after an error, else 1, or 2 where something changed.
uint8_t ppyPropagateConstants(MlirOperation root) {
  Operation *op = unwrap(root);
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  if (failed(solver.initializeAndRun(op)))
    return 0;
  OperationFolder folder(op->getContext());
  auto replace = [&](Value value, Block *block) {
    auto *found = solver.lookupState<dataflow::Lattice<dataflow::ConstantValue>>(value);
    if (value.use_empty() || !found || found->getValue().isUninitialized() || !found->getValue().getConstantValue())
      return false;
    const dataflow::ConstantValue &known = found->getValue();
    Value constant =
        folder.getOrCreateConstant(block, known.getConstantDialect(), known.getConstantValue(), value.getType());
    if (constant)
      value.replaceAllUsesWith(constant);
    return bool(constant);
  };
  SmallVector<Operation *> computed;
  op->walk([&](Operation *inner) {
    if (inner != op && inner->getNumResults() != 0 && !inner->hasTrait<OpTrait::ConstantLike>())
      computed.push_back(inner);
  });
  bool changed = false;
  for (Operation *inner : computed) {
    unsigned replaced =
        llvm::count_if(inner->getResults(), [&](Value value) { return replace(value, inner->getBlock()); });
    changed |= replaced != 0;
    if (replaced != 0 && isOpTriviallyDead(inner))
      inner->erase();
  }
  op->walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      changed |= replace(argument, block);
  });
  return changed ? 2 : 1;
}

/// Canonicalizes each of the operations; false after an error.
bool ppyCanonicalize(intptr_t count, const MlirOperation *ops) {
  if (count == 0)
    return true;
  FrozenRewritePatternSet patterns = ppy::canonicalizations(unwrap(ops[0])->getContext());
  return llvm::all_of(ArrayRef(ops, count), [&](MlirOperation op) {
    return ppy::canonicalize(unwrap(op), patterns) != ppy::Rewritten::Failed;
  });
}

/// Applies patterns under `op` until none applies, to the operations named `roots`, or to all if there are none. The
/// answer is a `Rewritten`.
uint8_t ppyRewriteGreedily(MlirOperation op, MlirFrozenRewritePatternSet patterns, intptr_t count,
                           const MlirStringRef *roots, bool fold, bool regions) {
  SmallVector<OperationName> names;
  for (MlirStringRef root : ArrayRef(roots, count))
    names.emplace_back(unwrap(root), unwrap(op)->getContext());
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal().enableFolding(fold).setRegionSimplificationLevel(
      regions ? GreedySimplifyRegionLevel::Normal : GreedySimplifyRegionLevel::Disabled);
  return static_cast<uint8_t>(ppy::rewriteGreedily(unwrap(op), *unwrap(patterns), config, names));
}

/// What is seen of an operation; `Seen` of src/mlir/transform.rs.
uint8_t ppyOperationSeen(MlirOperation raw) {
  enum Seen : uint8_t { Pure, Nothing, Fails, Effect, Terminator };
  Operation *op = unwrap(raw);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return Terminator;
  if (isPure(op))
    return Pure;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  if (!effects)
    return Effect;
  // A callee's `python` arithmetic may fail whatever effects the call has.
  bool fails = isa<CallOpInterface>(op) || (!isSpeculatable(op) && effects->empty());
  Seen seen = fails ? Fails : Nothing;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      continue;
    if (!isa<ppy::FallbackResource>(effect.getResource()))
      return Effect;
    seen = Fails;
  }
  return seen;
}

/// Names a pattern, for messages; the name lives as long as the process.
void ppyPatternSetName(MlirRewritePattern pattern, MlirStringRef name) {
  const_cast<RewritePattern *>(unwrap(pattern))->setDebugName(unwrap(name));
}

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

/// The name of a registered operation, which TableGen wrote; null for others, whose name may be any bytes.
MlirStringRef ppyRegisteredName(MlirOperation op) {
  OperationName name = unwrap(op)->getName();
  return wrap(name.isRegistered() ? name.getStringRef() : StringRef());
}
/// An inherent attribute; null where the operation has none of that name.
MlirAttribute ppyInherentAttribute(MlirOperation op, MlirStringRef name) {
  return wrap(unwrap(op)->getInherentAttr(unwrap(name)).value_or(Attribute()));
}
/// Whether the attribute is an integer of at most 64 bits; then its type, and its bits sign-extended unless unsigned.
bool ppyIntegerOf(MlirAttribute attribute, MlirType *type, int64_t *bits) {
  auto integer = dyn_cast<IntegerAttr>(unwrap(attribute));
  if (!integer || integer.getValue().getBitWidth() > 64)
    return false;
  const APInt &value = integer.getValue();
  *type = wrap(integer.getType());
  *bits = integer.getType().isUnsignedInteger() ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue();
  return true;
}

/// The operation before this one in its block; null for the first.
MlirOperation ppyOperationPrevious(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }

/// Calls `found` with the operations under `op` that have one of the names, in order.
void ppyOperationsNamed(MlirOperation op, intptr_t count, const MlirStringRef *names,
                        void (*found)(void *, MlirOperation), void *data) {
  SmallVector<OperationName> wanted;
  for (MlirStringRef name : ArrayRef(names, count))
    wanted.emplace_back(unwrap(name), unwrap(op)->getContext());
  unwrap(op)->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (llvm::is_contained(wanted, inner->getName()))
      found(data, wrap(inner));
  });
}

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
