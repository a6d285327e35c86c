//===- Passes.td - the passes of ppy-mlir ---------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes over any dialect; their bodies are in src/passes. A dialect's own passes are in mlir-td/<Dialect>Passes.td.
//
//===----------------------------------------------------------------------===//

include "PassBase.td"

def ConvertPpyToLLVM : Ppy_Pass<"convert-ppy-to-llvm", "::mlir::ModuleOp", "convert_to_llvm"> {
  let summary = "Lower every ppy operation to the LLVM dialect, with the native ABI";
  let description = [{
    One conversion through the upstream arith, cf, math and vector patterns. Every function takes machine atoms and one
    pointer per result atom and returns an `i32` status; guards branch to one cold fallback block per function. What is
    left contains no ppy operation.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::vector::VectorDialect"];
}

def ConstantFold : Ppy_Pass<"constant-fold", "", "constant_fold"> {
  let summary = "Fold operations to constants and to their own operands";
  let description = [{
    The folds of every dialect, and none of its patterns. An operation that fails on constant operands (a value that
    does not fit, a division by zero) is left as it is.
  }];
}

def PpySccp : Ppy_Pass<"ppy-sccp", "", "ppy_sccp"> {
  let summary = "Propagate constants along the branches that are taken";
  let description = [{
    Upstream's sparse conditional constant propagation, which `sccp` runs too. Here the constants that are there stay
    where they are, so that a second run changes nothing.
  }];
}

def SimplifyCfg : Ppy_Pass<"simplify-cfg", "", "simplify_cfg"> {
  let summary = "Simplify the control-flow graph";
  let description = [{
    Branches on conditions that are known become jumps, a branch both of whose ways lead to one block a jump with
    selected arguments, blocks that only jump on are skipped, a block with a single predecessor that jumps to it
    continues that one, and blocks that nothing reaches go. Blocks are not merged for being alike: which of their guards
    failed is seen.
  }];
  // The same patterns are among the canonicalizations.
  let settled = "::ppy::Canonical";
}

def Dce : Ppy_Pass<"dce", "::mlir::ModuleOp", "dce"> {
  let summary = "Erase what nothing observable needs: unused operations, block arguments and calls, unreachable blocks";
  let description = [{
    An unused operation goes when it has no effect; failing into the fallback for a value that nobody reads is none,
    while a guard and checked arithmetic stay (docs/fallback.md). An unused `ppy_core.call` goes when the `effects` its
    callee declares are reads and allocation only.
  }];
}

def ProveCounters : Ppy_Pass<"prove-counters", "::ppy::core::FuncOp", "prove_counters"> {
  let summary = "Mark arithmetic that only counts as proven";
  let description = [{
    A value that starts from constants and moves by at most 16 at a time would need longer than a run can last to leave
    64 bits, so its `python` and `checked` steps become `proven`. Run it after `mem2reg`. docs/fallback.md, "Counting".
  }];
  let preserves = ["::mlir::DominanceInfo", "::mlir::PostDominanceInfo", "::ppy::LoopInfo"];
  let statistics = [Statistic<"proven", "proven", "Operations marked as proven">];
}

def IfConvert : Ppy_Pass<"if-convert", "::ppy::core::FuncOp", "if_convert"> {
  let summary = "Compute both sides of small branches in loops and select";
  let description = [{
    For branches around a few cheap operations of which one multiplies by a small constant or adds one and may fail into
    the fallback, which LLVM would not speculate: both sides are computed, and one guard fails where the operand is
    outside of the range in which the side that is taken does not fail.
    docs/fallback.md, "Speculation".
  }];
  let requires = ["::mlir::DominanceInfo", "::ppy::LoopInfo"];
}

def EliminateGuards : Ppy_Pass<"eliminate-guards", "::ppy::core::FuncOp", "eliminate_guards"> {
  let summary = "Remove guards that always hold, and prove arithmetic that cannot overflow";
  let description = [{
    What the guards and branches on the way to an operation say, the order of integers that follows, lengths, loads of
    narrow types, and loop variables that only grow, only shrink or never get below 0, decide conditions: a guard that
    holds goes, one on several conditions keeps those that are not known, a branch or selection on a known condition
    gets the constant. `python` and `checked` arithmetic whose result fits becomes `proven`, and a floor division of
    what is not negative rounds towards 0. Best after `mem2reg` and `cse`.

    No conclusion about a condition rests on the range of a type alone (docs/fallback.md).
  }];
  let requires = ["::mlir::DominanceInfo"];
  let preserves = ["::mlir::DominanceInfo", "::mlir::PostDominanceInfo", "::ppy::LoopInfo"];
}

def Sanitize : Ppy_Pass<"sanitize", "::mlir::ModuleOp", "sanitize"> {
  let summary = "Guard indices, integer overflow, null and misaligned pointers";
  let description = [{
    | kind | what fails | status |
    |---|---|---|
    | `bounds` | an index of `buffer_load` and `buffer_store` outside the buffer | 2 |
    | `overflow` | an integer `add`, `sub` or `mul` under `wrap`, `proven` or `native` that does not fit | 3 |
    | `pointer` | an access through the null pointer; stack pointers are never null | 4 |
    | `alignment` | an access through a pointer that is not aligned for what it addresses | 5 |

    Run it before the optimizations. None of them drops a guard that may fail, so the program fails as it would have
    without them (docs/fallback.md). The resume functions of coroutines and device code have no status and stay as they
    are; lanes of vectors have no overflow flag. A function that states its effects states `may_raise` too where it, or
    what it calls, may fail now.
  }];
  let options = [ListOption<"kinds", "kinds", "std::string", "What to guard: bounds, overflow, pointer, alignment; "
                            "without any, all of them">];
}
def SanitizeStep : Ppy_OptionalStep<Instrumentation, 30, "sanitize">;

def HoistGuards : Ppy_Pass<"hoist-guards", "::ppy::core::FuncOp", "hoist_guards"> {
  let summary = "Compute and check ahead of a loop what is the same in each of its turns";
  let description = [{
    A guard whose condition is the same in every turn goes ahead of the loop where the first turn reaches it before
    anything observable happens, and so fails earlier and nowhere else; docs/fallback.md, "A guard that fails earlier".
    Operations that have no effect and cannot fail go where their operands are. Upstream's
    `loop-invariant-code-motion` does that for operations with a loop in them; loops here are blocks.
  }];
  let requires = ["::mlir::DominanceInfo", "::ppy::LoopInfo"];
  let preserves = ["::mlir::DominanceInfo", "::mlir::PostDominanceInfo", "::ppy::LoopInfo"];
  let statistics = [Statistic<"guards", "guards", "Guards moved ahead of a loop">,
                    Statistic<"operations", "operations", "Other operations moved ahead of a loop">];
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

def Internalize : Ppy_Pass<"internalize", "::mlir::ModuleOp", "internalize"> {
  let summary = "Make the functions private that nothing outside the program calls";
  let description = [{
    Public stay: what `keep` names, what has a C name (`ppy.export`), and what an address or native code by name
    reaches. Without `keep`, what Python may bind stays too: functions with a `ppy.qualname`; a module in which no
    function says either is left alone. For the whole, linked program only.
  }];
  let options = [ListOption<"keep", "keep", "std::string",
      "Functions to keep public, or to make so: names, native names (`ppy.symbol`) or Python's (`ppy.qualname`)">];
}

def InlineCalls : Ppy_Pass<"inline-calls", "::mlir::ModuleOp", "inline_calls"> {
  let summary = "Inline small functions, and those marked ppy.inline";
  let description = [{
    Upstream's inliner, callees first. Inlined are functions of at most `budget` operations, eight times that where the
    call is the only use of a private one. `ppy.inline` is inlined whatever its size. Never: `ppy.noinline`, a function
    that calls itself, coroutines, generators, kernels, resume functions, calls that capture the status. What nothing
    refers to any more is left to `global-dce`.

    What `annotate-profile` noted of a call changes its budget:

    | call | because | worth |
    |---|---|---|
    | hot | its block is among the most frequent, which have 99 % of the program's counts | `budget` times 8 |
    | cold | fewer than 2 % of its function's calls reached it, or the callee was never called | a few operations |
    | other | its block has a count | `budget` |
    | of a hot callee | its block has no count | `budget` times 4 |

    So of two calls of one function the hot one may be inlined and the cold one stay. The counts of a body that is
    inlined are scaled to the count of its call, or removed where that is unknown. The weights of its branches are in
    proportion, and stay; the callee keeps all its notes.

    A failed guard of an inlined body fails the caller with status 1, as a failed call does (docs/fallback.md).
  }];
  let options = [Option<"budget", "budget", "int64_t", "40", "Operations of a callee that is worth inlining">];
}

def InferEffects : Ppy_Pass<"infer-effects", "::mlir::ModuleOp", "infer_effects"> {
  let summary = "State the effects of functions that state none, and check the others";
  let description = [{
    Bottom-up over the calls: reads and writes of memory that is not the function's own stack, guards and checked
    arithmetic (`may_raise`), and what callees state or were found to do. A function that calls something unknown stays
    without a statement. Each call gets what is known of its callee as `ppy.effects`, for the passes that look at one
    function at a time: `cse` merges calls that only read or do not even that, loads are forwarded across them, and
    unused ones go.

    A statement that says too little is an error, here and in the lowering, for LLVM is told what it says: a write to
    what a parameter or a global leads to, by a callee too, without `write_memory` or `write_object`; an atomic
    operation without `atomic`, a lock without `sync`; and a call that hands on `io`, `network`, `random`, `time`,
    `thread`, `sync`, `atomic` or `gpu_launch`. What an extern does is what its caller says.

    The module is marked with `ppy.lengths_fit` where it makes no buffer of a length that may be any number.
  }];
}

// Before the proofs, which see the callers' facts then.
def InlineCallsStep : Ppy_Step<Optimization, 100, "inline-calls", 1>;
def InlinedCfgStep : Ppy_Step<Optimization, 110, "simplify-cfg", 1, "ppy_core.func">;
def InlinedStep : Ppy_Step<Optimization, 120, "ppy-canonicalize", 2, "ppy_core.func">;
def InlinedCseStep : Ppy_Step<Optimization, 130, "cse", 2, "ppy_core.func">;
