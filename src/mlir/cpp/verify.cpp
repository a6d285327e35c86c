//===- verify.cpp - verification that reports every error -----------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir::verify` stops at the first error of an operation's regions. This one visits every operation, and names the one
// each error belongs to.
//
//===----------------------------------------------------------------------===//

#include "ppy.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

extern "C" {
/// `op` is the operation the error sits on; the message lives during the call only.
typedef void (*PpyErrorFn)(void *data, MlirOperation op, MlirLocation location, MlirStringRef message);
}

namespace {
class Collector {
public:
  Collector(MLIRContext *context, PpyErrorFn fn, void *data)
      : fn(fn), data(data), handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          report(diagnostic.getLocation(), diagnostic.str());
          return success();
        }) {}

  void report(Location location, StringRef message) {
    ++errors;
    this->fn(data, wrap(current), wrap(location), wrap(message));
  }
  void visit(Operation *op) {
    current = op;
    unsigned before = errors;
    structure(op);
    structureErrors += errors - before;
    // The invariants of an op whose structure is broken would be read out of bounds.
    if (errors == before) {
      for (auto attribute : op->getDiscardableAttrDictionary())
        if (auto *dialect = attribute.getNameDialect())
          (void)dialect->verifyOperationAttribute(op, attribute);
      if (auto info = op->getRegisteredInfo()) {
        (void)info->verifyInvariants(op);
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (Operation &nested : block)
              visit(&nested);
        current = op;
        if (errors == before)
          (void)info->verifyRegionInvariants(op);
      } else {
        report(op->getLoc(), "'" + op->getName().getStringRef().str() + "' op is not an operation of a loaded dialect");
      }
    }
    current = op;
  }
  void dominance(Operation *root) {
    DominanceInfo info(root);
    root->walk([&](Operation *op) {
      current = op;
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        if (!value) {
          report(op->getLoc(), "'" + op->getName().getStringRef().str() + "' op has a null operand");
          continue;
        }
        // A use in code that nothing reaches is dominated by everything.
        Block *block = op->getBlock();
        if ((block && !info.isReachableFromEntry(block)) || info.properlyDominates(value, op))
          continue;
        std::string text = "'" + op->getName().getStringRef().str() + "' op reads operand #" +
                           std::to_string(operand.getOperandNumber()) +
                           " where its definition does not reach: a value must be defined on every path to its use; "
                           "pass it as a block argument or define it earlier";
        report(op->getLoc(), text);
      }
    });
  }
  unsigned errors = 0;
  unsigned structureErrors = 0;

private:
  void structure(Operation *op) {
    std::string name = op->getName().getStringRef().str();
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      for (Block &block : region) {
        if (&block == &region.front() && !block.hasNoPredecessors() && !isa<ModuleOp>(op)) {
          report(op->getLoc(), "'" + name + "' op branches to its entry block: the entry has no predecessors; branch to "
                               "a new block that the entry jumps to");
        }
        if (block.empty()) {
          if (op->getName().hasTrait<OpTrait::NoTerminator>() || op->hasTrait<OpTrait::NoTerminator>())
            continue;
          report(op->getLoc(), "'" + name + "' op has an empty block: every block ends in one terminator; add a "
                               "core.br, core.cond_br, core.ret or core.unreachable");
          continue;
        }
        if (op->hasTrait<OpTrait::NoTerminator>())
          continue;
        for (Operation &inner : block) {
          bool last = &inner == &block.back();
          bool terminates = inner.hasTrait<OpTrait::IsTerminator>();
          if (last && !terminates && inner.isRegistered()) {
            Operation *keep = current;
            current = &inner;
            report(inner.getLoc(), "'" + inner.getName().getStringRef().str() +
                                       "' op ends its block but is no terminator; add a core.br, core.cond_br, core.ret "
                                       "or core.unreachable after it");
            current = keep;
          } else if (!last && terminates) {
            Operation *keep = current;
            current = &inner;
            report(inner.getLoc(), "'" + inner.getName().getStringRef().str() +
                                       "' op is a terminator in the middle of a block; move what follows into a block "
                                       "of its own");
            current = keep;
          }
        }
      }
    }
  }

  PpyErrorFn fn;
  void *data;
  Operation *current = nullptr;
  ScopedDiagnosticHandler handler;
};
} // namespace

extern "C" {
/// Verifies without reporting.
bool ppyVerifyQuietly(MlirOperation op) {
  ScopedDiagnosticHandler handler(unwrap(op)->getContext(), [](Diagnostic &) { return success(); });
  return succeeded(verify(unwrap(op), /*verifyRecursively=*/true));
}
/// Reports every error under `op`; answers how many.
uint32_t ppyVerifyAll(MlirOperation op, PpyErrorFn fn, void *data) {
  Operation *root = unwrap(op);
  // Rust's hooks emit their errors on this thread, so one handler sees them all.
  Collector collector(root->getContext(), fn, data);
  collector.visit(root);
  if (collector.structureErrors == 0)
    collector.dominance(root);
  return collector.errors;
}
}
