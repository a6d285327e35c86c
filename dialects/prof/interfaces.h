//===- interfaces.h - what the prof dialect's declarations refer to -------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PROF_INTERFACES_H
#define PPY_PROF_INTERFACES_H

namespace ppy::prof {

/// What a hit writes to.
struct Counters : public mlir::SideEffects::Resource::Base<Counters> {
  llvm::StringRef getName() final { return "<Counters>"; }
};

} // namespace ppy::prof

#endif // PPY_PROF_INTERFACES_H
