//===- helpers.h - what the atomic dialect's declarations call ------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_ATOMIC_HELPERS_H
#define PPY_ATOMIC_HELPERS_H

namespace ppy::atomic {

/// Reads and writes of all memory: no access is moved, merged or dropped across the operation.
inline void orderEverything(llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(mlir::MemoryEffects::Read::get());
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

/// A relaxed load only reads and a relaxed store only writes its own memory. Whatever has another order, or reads and
/// writes in one piece, has effects on all memory.
template <typename OpT> void effectsOf(OpT op, llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  mlir::Operation *operation = op.getOperation();
  auto order = operation->getAttrOfType<OrderAttr>("order");
  bool relaxed = order && order.getValue() == Order::Relaxed;
  llvm::StringRef name = operation->getName().stripDialect();
  if (relaxed && name == "load")
    effects.emplace_back(mlir::MemoryEffects::Read::get(), &operation->getOpOperand(0));
  else if (relaxed && name == "store")
    effects.emplace_back(mlir::MemoryEffects::Write::get(), &operation->getOpOperand(1));
  else
    orderEverything(effects);
}

} // namespace ppy::atomic

#endif // PPY_ATOMIC_HELPERS_H
