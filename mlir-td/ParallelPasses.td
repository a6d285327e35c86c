//===- ParallelPasses.td - the passes of the ppy_parallel dialect ---------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "PassBase.td"

def LowerParallel : Ppy_Pass<"lower-parallel", "::mlir::ModuleOp", "lower_parallel"> {
  let summary = "Split parallel ranges into chunks";
  let description = [{
    A parallel operation becomes a call. Under `threads` it calls a function that splits the range: what is shorter than
    `minimum` is one chunk; else all chunks but the first are spawned, the first runs in the calling thread, all are
    joined, and a guard fails where one of them did. `serial`, one thread, and a target without threads make it one
    chunk. `openmp` keeps the operations, for a backend that spells them as OpenMP. The functions that were written to
    are canonicalized.

    A float reduction that may not be reassociated is one chunk. The partial results of an integer reduction are folded
    as its body computes: where that falls back on overflow, so do the partial results and the fold, even where the
    whole range in its order would not. A sum or product that is `checked`, that
    the sanitizer of overflow guards, or that the body does not compute itself is one chunk: where it fails depends on
    the order.
  }];
  let options = [
    Option<"backend", "backend", "std::string", "\"threads\"", "What runs the chunks: threads, serial or openmp">,
    Option<"threads", "threads", "int64_t", "0", "How many chunks run at once; 0 is as many as this machine has processors">,
    Option<"minimum", "minimum", "int64_t", "4096", "The shortest range that is split">];
}

def LowerParallelStep : Ppy_Step<Lowering, 90, "lower-parallel">;
