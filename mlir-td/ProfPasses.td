//===- ProfPasses.td - the passes of the ppy_prof dialect -----------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "PassBase.td"

def InstrumentProfile : Ppy_Pass<"instrument-profile", "::mlir::ModuleOp", "instrument_profile"> {
  let summary = "Count how often each block runs and each branch is taken";
  let description = [{
    A `ppy_prof.hit` starts every block of every host function, and a `ppy_prof.hit_if` precedes every
    `ppy_core.cond_br`. The module's attribute `ppy.profile.map` gets the legend: the counters of each function's blocks
    and branches, with the digest of its graph. A module that has a legend is left as it is.

    A profile belongs to the graph that the pass sees, and `annotate-profile` has to see the same one: both stand right
    after canonicalization in the default pipeline.
  }];
}

def InstrumentProfileStep : Ppy_OptionalStep<Instrumentation, 10, "instrument-profile">;

def AnnotateProfile : Ppy_Pass<"annotate-profile", "::mlir::ModuleOp", "annotate_profile"> {
  let summary = "Note on functions and branches what a recorded profile says of them";
  let description = [{
    | where | attribute | what |
    |---|---|---|
    | function | `ppy.profile.calls` | how often it was called |
    | | `ppy.profile.hot` | it has a twentieth of the calls of the most called function, and 2 |
    | | `ppy.profile.cold` | it was never called |
    | terminator | `ppy.profile.count` | how often its block ran |
    | `cond_br` | `ppy.weights` | how often it was taken and not taken |
    | terminator of a back edge | `ppy.profile.trips` | iterations for each time the loop was entered |

    A function whose graph is not the one that was counted is left alone and named in a remark. A profile that knows no
    function of the module is another program's, and an error.
  }];
  let requires = ["::mlir::DominanceInfo"];
  let preserves = ["::mlir::DominanceInfo", "::mlir::PostDominanceInfo"];
  let options = [Option<"file", "file", "std::string", "", "The profile, a .ppyprof file">];
}

def AnnotateProfileStep : Ppy_OptionalStep<Instrumentation, 20, "annotate-profile">;
