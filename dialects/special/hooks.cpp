//===- hooks.cpp - what the special dialect needs in C++ ---------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

namespace ppy::special {

/// The constants are the core dialect's.
Operation *SpecialDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto typed = dyn_cast<FloatAttr>(value);
  return typed && typed.getType() == type ? core::ConstOp::create(builder, loc, type, typed).getOperation() : nullptr;
}

void registerInterfaces(SpecialDialect *) {}

} // namespace ppy::special
