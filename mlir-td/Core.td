//===- Core.td - the ppy_core dialect -------------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CORE_TD
#define PPY_CORE_TD

include "Base.td"

def Core_Dialect : Ppy_Dialect<"core", 1> {
  let summary = "Typed Python's scalars, memory, control flow and calls";
  let description = [{
    The canonical IR of ppy programs: SSA values over an explicit control-flow graph, with Python's own meaning on each
    operation. Integer arithmetic names its overflow mode, division its rounding, and whatever the native code cannot
    compute as Python would is a `ppy_core.guard` that hands the call back to Python (the fallback).
  }];
  let addressSpaces = ["generic", "stack"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

include "CoreEnums.td"
include "CoreTypes.td"
include "CoreOps.td"

#endif // PPY_CORE_TD
