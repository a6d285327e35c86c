//===- verify.cpp - verification that reports every error -----------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir::verify` stops at the first error of an operation's regions. This one visits every operation, and names the one
// each error belongs to. An error is structural when it comes from how operations stand in blocks: a reader that had to
// leave some out knows to ignore those.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"
#include "ppy.h"

using namespace mlir;

extern "C" {
/// `op` is the operation the error sits on; the message lives during the call only.
typedef void (*PpyErrorFn)(void *data, MlirOperation op, MlirLocation location, MlirStringRef message, bool structural);
}

namespace {
class Collector {
public:
  Collector(MLIRContext *context, PpyErrorFn fn, void *data)
      : fn(fn), data(data), handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          std::string message = diagnostic.str();
          // Some of MLIR's errors do not say what they are about.
          if (current && message.front() != '\'' && diagnostic.getLocation() == current->getLoc())
            message = nameOf(current) + message;
          report(diagnostic.getLocation(), message);
          return success();
        }) {}

  void all(Operation *root) {
    visit(root);
    dominance(root);
    current = root;
    // What only the stock verifier checks.
    if (errors == 0 && succeeded(verify(root)))
      report(root->getLoc(), "the module is invalid and nothing says why; this is a bug in ppy-mlir");
  }
  unsigned errors = 0;

private:
  void report(Location location, StringRef message, bool structural = false) {
    ++errors;
    fn(data, wrap(current), wrap(location), wrap(message), structural);
  }
  /// `'ppy_core.add' op `, which errors begin with.
  static std::string nameOf(Operation *op) { return ("'" + op->getName().getStringRef() + "' op ").str(); }
  /// An error in how `op` stands in its block.
  void misplaced(Operation *op, StringRef message) {
    misplacedOps.insert(op);
    brokenRegions.insert(op->getParentRegion());
    Operation *before = std::exchange(current, op);
    report(op->getLoc(), nameOf(op) + message.str(), /*structural=*/true);
    current = before;
  }

  void visit(Operation *op) {
    current = op;
    unsigned before = errors;
    for (Region &region : op->getRegions())
      structure(op, region);
    auto info = op->getRegisteredInfo();
    if (!info) {
      if (!op->getContext()->allowsUnregisteredDialects())
        report(op->getLoc(), nameOf(op) + "is no operation of a dialect that is here");
      return visitNested(op);
    }
    for (NamedAttribute attribute : op->getDiscardableAttrDictionary())
      if (Dialect *dialect = attribute.getNameDialect())
        (void)dialect->verifyOperationAttribute(op, attribute);
    if (!misplacedOps.contains(op) && branchesFit(op) && succeeded(info->verifyInvariants(op)))
      if (auto user = dyn_cast<SymbolUserOpInterface>(op))
        (void)user.verifySymbolUses(symbols);
    bool table = op->hasTrait<OpTrait::SymbolTable>();
    if (table)
      uniqueSymbols(op);
    visitNested(op);
    // A symbol table's own check stops at the first user; the visit has asked each.
    if (errors == before && !table)
      (void)info->verifyRegionInvariants(op);
  }
  void visitNested(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &nested : block)
          visit(&nested);
    current = op;
  }

  /// What a branch passes is what the block takes: MLIR's own errors do not give the types.
  bool branchesFit(Operation *op) {
    auto branch = dyn_cast<BranchOpInterface>(op);
    if (!branch)
      return true;
    unsigned before = errors;
    // Sizes that lie would be read out of bounds.
    if (op->hasTrait<OpTrait::AttrSizedOperandSegments>() &&
        failed(OpTrait::impl::verifyOperandSizeAttr(op, "operandSegmentSizes")))
      return false;
    for (unsigned i = 0, n = op->getNumSuccessors(); i != n; ++i) {
      SuccessorOperands passed = branch.getSuccessorOperands(i);
      Block *block = op->getSuccessor(i);
      std::string target = "successor #" + std::to_string(i);
      if (passed.size() != block->getNumArguments()) {
        op->emitOpError() << "passes " << passed.size() << " values to " << target << ", which takes "
                          << block->getNumArguments() << ": pass one for each argument of the block";
        continue;
      }
      for (unsigned a = passed.getProducedOperandCount(), end = passed.size(); a != end; ++a)
        if (passed[a].getType() != block->getArgument(a).getType())
          op->emitOpError() << "passes " << passed[a].getType() << " for argument #" << a << " of " << target
                            << ", which is " << block->getArgument(a).getType()
                            << ": convert it with core.cast, or change the argument's type";
    }
    return errors == before;
  }

  void uniqueSymbols(Operation *table) {
    llvm::SmallDenseMap<StringAttr, Operation *> seen;
    for (Region &region : table->getRegions())
      for (Operation &op : region.getOps()) {
        auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
        if (!name || seen.try_emplace(name, &op).second)
          continue;
        current = &op;
        report(op.getLoc(), nameOf(&op) + "defines @" + name.str() + ", which a '" +
                                seen[name]->getName().getStringRef().str() +
                                "' before it defines: functions and globals share one symbol table; rename one");
      }
    current = table;
  }

  void structure(Operation *op, Region &region) {
    for (Block &block : region) {
      if (block.isEntryBlock())
        for (Block *from : block.getPredecessors())
          misplaced(&from->back(), "branches to the entry block, which is where a call comes in: branch to a new block "
                                   "that the entry block jumps to");
      if (op->hasTrait<OpTrait::NoTerminator>())
        continue;
      if (block.empty()) {
        brokenRegions.insert(&region);
        report(op->getLoc(),
               nameOf(op) + "has an empty block: a block ends in a terminator; add a core.br, "
                            "core.cond_br, core.ret or core.unreachable",
               /*structural=*/true);
        continue;
      }
      for (Operation &inner : block) {
        bool last = &inner == &block.back();
        if (last && !inner.mightHaveTrait<OpTrait::IsTerminator>())
          misplaced(&inner, "ends its block but is no terminator: add a core.br, core.cond_br, core.ret or "
                            "core.unreachable after it");
        else if (!last && inner.hasTrait<OpTrait::IsTerminator>())
          misplaced(&inner, "is a terminator in the middle of a block: move what follows into a block of its own, or "
                            "remove it");
      }
    }
  }

  void dominance(Operation *root) {
    DominanceInfo info(root);
    root->walk([&](Operation *op) {
      if (brokenRegions.contains(op->getParentRegion()))
        return;
      current = op;
      std::string name = nameOf(op);
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        if (!value) {
          report(op->getLoc(), name + "has a null operand");
          continue;
        }
        // A use in code that nothing reaches is dominated by everything.
        Block *block = op->getBlock();
        if ((block && !info.isReachableFromEntry(block)) || info.properlyDominates(value, op))
          continue;
        report(op->getLoc(), name + "reads operand #" + std::to_string(operand.getOperandNumber()) +
                                 " where it may not be defined: a value is defined on every path to its use; define it "
                                 "earlier, or pass it as a block argument");
      }
    });
  }

  PpyErrorFn fn;
  void *data;
  Operation *current = nullptr;
  SymbolTableCollection symbols;
  llvm::SmallPtrSet<Operation *, 4> misplacedOps;
  llvm::SmallPtrSet<Region *, 4> brokenRegions;
  ScopedDiagnosticHandler handler;
};
} // namespace

extern "C" {
/// Verifies without reporting.
bool ppyVerifyQuietly(MlirOperation op) {
  ScopedDiagnosticHandler handler(unwrap(op)->getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(unwrap(op), /*verifyRecursively=*/true));
}
/// Reports every error under an `op` that is invalid.
void ppyVerifyAll(MlirOperation op, PpyErrorFn fn, void *data) {
  // Rust's hooks emit their errors on this thread, so one handler sees them all.
  Collector(unwrap(op)->getContext(), fn, data).all(unwrap(op));
}
}
