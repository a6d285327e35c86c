//===- interfaces.h - what the simd dialect's declarations refer to ---------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_SIMD_INTERFACES_H
#define PPY_SIMD_INTERFACES_H

#include "core/dialect.h"

#endif // PPY_SIMD_INTERFACES_H
