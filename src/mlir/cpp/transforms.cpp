//===- transforms.cpp - upstream transformations that have no C API -------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ppy.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

extern "C" {

/// The only predecessor; null where there are none, several, or one with two edges.
MlirBlock ppyBlockSinglePredecessor(MlirBlock block) { return wrap(unwrap(block)->getSinglePredecessor()); }

/// The operation before this one in its block; null for the first.
MlirOperation ppyOperationPrevious(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }

/// Erases operations and block arguments of the regions of `op` that nothing observable needs; whether there were any.
bool ppyRegionDCE(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  return succeeded(runRegionDCE(rewriter, unwrap(op)->getRegions()));
}

} // extern "C"
