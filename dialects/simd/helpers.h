//===- helpers.h - what the simd dialect's declarations call --------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_SIMD_HELPERS_H
#define PPY_SIMD_HELPERS_H

namespace ppy::simd {

inline bool isVector(mlir::Type type) {
  auto vector = llvm::dyn_cast<mlir::VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() && (ppy::isNumberLike(type) || ppy::isBoolLike(type));
}

} // namespace ppy::simd

#endif // PPY_SIMD_HELPERS_H
