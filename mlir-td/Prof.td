//===- Prof.td - the ppy_prof dialect -------------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PROF_TD
#define PPY_PROF_TD

include "Base.td"

def Prof_Dialect : Ppy_Dialect<"prof", 1> {
  let summary = "Counters of a profile";
  let description = [{
    What `instrument-profile` puts into a program so that a run says how often each block ran and each branch was taken.
    A module has one array of counters; its attribute `ppy.profile.map` says which counts what.
  }];
}

/// A hit writes to the counters, which no other operation reads or writes: it stays, and memory accesses pass it.
def Prof_Counters : Resource<"::ppy::prof::Counters">;

class Prof_Op<string opMnemonic> : Ppy_Op<Prof_Dialect, opMnemonic, [MemoryEffects<[MemWrite<Prof_Counters>]>]> {
  let rustVerify = "counter";
}

def Prof_HitOp : Prof_Op<"hit"> {
  let summary = "add one to a counter";
  let description = [{
    ```mlir
    ppy_prof.hit 3
    ```
  }];
  let arguments = (ins I64Attr:$counter);
  let assemblyFormat = "$counter attr-dict";
}

def Prof_HitIfOp : Prof_Op<"hit_if"> {
  let summary = "add one to a counter where a condition holds";
  let description = [{
    Before a branch on the same condition it counts how often the branch is taken, without a block on the edge.

    ```mlir
    ppy_prof.hit_if %c, 4
    ```
  }];
  let arguments = (ins Ppy_Bool:$condition, I64Attr:$counter);
  let assemblyFormat = "$condition `,` $counter attr-dict";
}

#endif // PPY_PROF_TD
