//===- interfaces.h - what the cpu dialect's declarations refer to ---------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CPU_INTERFACES_H
#define PPY_CPU_INTERFACES_H

#include "core/dialect.h"

namespace ppy::cpu {

/// What a hint writes to, so that it is not dropped.
struct Hints : public mlir::SideEffects::Resource::Base<Hints> {
  llvm::StringRef getName() final { return "<Hints>"; }
};

} // namespace ppy::cpu

#endif // PPY_CPU_INTERFACES_H
