//===- hooks.cpp - what the math dialect needs in C++ ---------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

namespace ppy::math {

/// The constants are the core dialect's.
Operation *MathDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto typed = dyn_cast<FloatAttr>(value);
  return typed && typed.getType() == type ? core::ConstOp::create(builder, loc, type, typed).getOperation() : nullptr;
}

void registerInterfaces(MathDialect *) {}

} // namespace ppy::math
