//===- helpers.h - what the atomic dialect's declarations call ------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_ATOMIC_HELPERS_H
#define PPY_ATOMIC_HELPERS_H

namespace ppy::atomic {

/// A relaxed load only reads and a relaxed store only writes its own memory. Whatever has another order, or reads and
/// writes in one piece, has effects on all memory too: no access is moved, merged or dropped across it.
template <typename OpT> void effectsOf(OpT op, llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  mlir::Operation *operation = op.getOperation();
  auto order = operation->getAttrOfType<OrderAttr>("order");
  bool relaxed = order && order.getValue() == Order::Relaxed;
  llvm::StringRef name = operation->getName().stripDialect();
  bool stores = name == "store";
  if (operation->getNumOperands() > 0) {
    mlir::OpOperand *pointer = &operation->getOpOperand(stores ? 1 : 0);
    if (!stores)
      effects.emplace_back(mlir::MemoryEffects::Read::get(), pointer);
    if (name != "load")
      effects.emplace_back(mlir::MemoryEffects::Write::get(), pointer);
  }
  if (relaxed && (stores || name == "load"))
    return;
  effects.emplace_back(mlir::MemoryEffects::Read::get());
  effects.emplace_back(mlir::MemoryEffects::Write::get());
}

} // namespace ppy::atomic

#endif // PPY_ATOMIC_HELPERS_H
