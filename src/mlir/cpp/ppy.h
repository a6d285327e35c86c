//===- ppy.h - what every C++ file of ppy-mlir starts from ----------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also the precompiled header of the dialects' translation units. The predicates are the ones the constraints of
// mlir-td/Base.td call.
//
//===----------------------------------------------------------------------===//

#ifndef PPY_H
#define PPY_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Rewrite.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/MemorySlotInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

extern "C" {
/// A Rust fold's answer; both null means no fold.
struct PpyFold {
  MlirAttribute attribute;
  MlirValue value;
};
/// A Rust closure; `drop` releases it.
struct PpyClosure {
  void *data;
  void (*drop)(void *);
};
/// Receives a string that lives during the call only.
typedef void (*PpyStringFn)(void *data, MlirStringRef text);
}

namespace ppy {

//===----------------------------------------------------------------------===//
// Type predicates
//===----------------------------------------------------------------------===//

inline mlir::Type scalarOf(mlir::Type type) {
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    return vector.getElementType();
  return type;
}
/// An integer of ppy: signless or unsigned, 8 to 64 bits, or index. `i1` is ppy's bool and no number.
inline bool isIntegerScalar(mlir::Type type) {
  if (type.isIndex())
    return true;
  auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  return width == 8 || width == 16 || width == 32 || width == 64;
}
inline bool isFloatScalar(mlir::Type type) { return type.isF16() || type.isBF16() || type.isF32() || type.isF64(); }
inline bool isNumber(mlir::Type type) { return isIntegerScalar(type) || isFloatScalar(type); }
inline bool isNumberLike(mlir::Type type) { return isNumber(scalarOf(type)); }
inline bool isFloatLike(mlir::Type type) { return isFloatScalar(scalarOf(type)); }
inline bool isIntegerLike(mlir::Type type) { return isIntegerScalar(scalarOf(type)); }
inline bool isBoolLike(mlir::Type type) { return scalarOf(type).isSignlessInteger(1); }
inline bool isBitsLike(mlir::Type type) { return isIntegerLike(type) || isBoolLike(type); }
/// The type a comparison of `type` yields.
inline mlir::Type boolLike(mlir::Type type) {
  mlir::Type i1 = mlir::IntegerType::get(type.getContext(), 1);
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    return mlir::VectorType::get(vector.getShape(), i1);
  return i1;
}

//===----------------------------------------------------------------------===//
// Effects, hooks, versions
//===----------------------------------------------------------------------===//

/// What a failing guard writes to (docs/fallback.md).
struct FallbackResource : public mlir::SideEffects::Resource::Base<FallbackResource> {
  llvm::StringRef getName() final { return "<Fallback>"; }
};

/// The traits of an operation. What `mlir::Op` does compares with every one of them in turn, several times for every
/// operation that a pass looks at; most answers are no, and one bit says so.
template <typename> struct Traits;
template <typename Concrete, template <typename> class... All> struct Traits<mlir::Op<Concrete, All...>> {
  mlir::TypeID ids[sizeof...(All)] = {mlir::TypeID::get<All>()...};
  uint64_t bits = 0;

  Traits() {
    for (mlir::TypeID id : ids)
      bits |= bit(id);
  }
  static uint64_t bit(mlir::TypeID id) {
    constexpr uint64_t spread = 0x9E3779B97F4A7C15;
    return uint64_t(1) << (reinterpret_cast<uintptr_t>(id.getAsOpaquePointer()) * spread >> 58);
  }
  static bool has(mlir::TypeID id) {
    static const Traits traits;
    return (traits.bits & bit(id)) && llvm::is_contained(traits.ids, id);
  }
};

inline mlir::OpFoldResult rustFold(PpyFold (*fn)(MlirOperation, intptr_t, const MlirAttribute *), mlir::Operation *op,
                                   llvm::ArrayRef<mlir::Attribute> operands) {
  static_assert(sizeof(mlir::Attribute) == sizeof(MlirAttribute));
  PpyFold fold = fn(wrap(op), operands.size(), reinterpret_cast<const MlirAttribute *>(operands.data()));
  if (fold.attribute.ptr)
    return unwrap(fold.attribute);
  if (fold.value.ptr)
    return unwrap(fold.value);
  return {};
}

/// Operations may be inlined with the function they are in; what is special about functions and calls is core's.
struct Inlinable final : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const override { return true; }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const override { return true; }
};

/// The dialect version a bytecode file carries.
struct BytecodeVersion final : mlir::DialectVersion {
  explicit BytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};
/// Writes the dialect's version into bytecode and refuses a newer one with the remedy.
struct BytecodeVersionInterface final : mlir::BytecodeDialectInterface {
  BytecodeVersionInterface(mlir::Dialect *dialect, uint64_t version)
      : BytecodeDialectInterface(dialect), version(version) {}
  void writeVersion(mlir::DialectBytecodeWriter &writer) const override { writer.writeVarInt(version); }
  std::unique_ptr<mlir::DialectVersion> readVersion(mlir::DialectBytecodeReader &reader) const override {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > version) {
      reader.emitError() << "the bytecode uses dialect '" << getDialect()->getNamespace() << "' at version " << number
                         << "; this build reads up to version " << version << ": update ppy-mlir";
      return nullptr;
    }
    return std::make_unique<BytecodeVersion>(number);
  }
  uint64_t version;
};

} // namespace ppy

#endif // PPY_H
