//===- helpers.h - what the core dialect's declarations call --------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CORE_HELPERS_H
#define PPY_CORE_HELPERS_H

namespace ppy::core {

/// The pointee of a pointer type; any other type is answered as it is, for its own constraint to refuse.
inline mlir::Type pointee(mlir::Type type) {
  auto ptr = llvm::dyn_cast<PtrType>(type);
  return ptr ? ptr.getPointee() : type;
}
/// The element of a buffer type, likewise.
inline mlir::Type element(mlir::Type type) {
  auto buffer = llvm::dyn_cast<BufferType>(type);
  return buffer ? buffer.getElement() : type;
}

/// Whether a type is a value's: not nothing, memory or a function, nor an aggregate of one.
inline bool isValue(mlir::Type type) {
  if (llvm::isa<VoidType, ArrayType, mlir::FunctionType>(type))
    return false;
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
    return llvm::all_of(tuple.getTypes(), isValue);
  if (auto record = llvm::dyn_cast<StructType>(type))
    return llvm::all_of(record.getTypes(), isValue);
  return true;
}

/// Checks what an operation passes to the function it names, and answers the function's type: null where that function
/// is broken itself. `what` is the operation in words, "calls".
mlir::FailureOr<mlir::FunctionType> verifyPassed(mlir::Operation *op, mlir::FlatSymbolRefAttr callee,
                                                 llvm::StringRef what, mlir::TypeRange passed,
                                                 mlir::SymbolTableCollection &symbols);

/// Whether the operation's failure is its meaning (`checked`): then it is an effect.
template <typename OpT>
void overflowEffects(OpT op, llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
  if (op.getOverflow() == Overflow::Checked)
    effects.emplace_back(mlir::MemoryEffects::Write::get(), FallbackResource::get());
}
/// Whether an integer division has a divisor that is known not to be 0.
inline bool hasNonZeroDivisor(mlir::Operation *op) {
  mlir::IntegerAttr divisor;
  return mlir::matchPattern(op->getOperand(1), mlir::m_Constant(&divisor)) && !divisor.getValue().isZero();
}
/// Floats never fail; `wrap` never fails but in a division by 0. Every other mode may fail, or has no meaning off its
/// path.
template <typename OpT> mlir::Speculation::Speculatability overflowSpeculatability(OpT op) {
  using mlir::Speculation::NotSpeculatable;
  using mlir::Speculation::Speculatable;
  if (isFloatLike(op->getResult(0).getType()))
    return Speculatable;
  if (op.getOverflow() != Overflow::Wrap)
    return NotSpeculatable;
  llvm::StringRef name = op->getName().stripDialect();
  if (name == "div" || name == "mod")
    return hasNonZeroDivisor(op) ? Speculatable : NotSpeculatable;
  if (name == "shl") {
    mlir::IntegerAttr amount;
    bool known = mlir::matchPattern(op->getOperand(1), mlir::m_Constant(&amount)) &&
                 amount.getValue().ult(mlir::ConstantIntRanges::getStorageBitwidth(op->getResult(0).getType()));
    return known ? Speculatable : NotSpeculatable;
  }
  return Speculatable;
}

} // namespace ppy::core

#endif // PPY_CORE_HELPERS_H
