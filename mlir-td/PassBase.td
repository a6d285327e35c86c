//===- PassBase.td - what every ppy pass declares with --------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass is a `Ppy_Pass` record, in Passes.td or in <Dialect>Passes.td, and where it stands in the default pipeline is
// a `Ppy_Step` record. The build finds the files; nothing lists them.
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PASS_BASE_TD
#define PPY_PASS_BASE_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// A pass whose body is Rust: `rust` names the module, of src/passes or of the dialect's folder, whose
/// `run(operation, &Options)` it is; the options' struct is generated from the declaration. Every ppy dialect is loaded
/// for it; `dependentDialects` are the others that it makes operations of. On `::ppy::core::FuncOp` functions run in
/// parallel; "" is any operation.
///
/// Analyses are named by their C++ classes: `::mlir::DominanceInfo`, `::ppy::LoopInfo`.
class Ppy_Pass<string argument, string operation, string rustModule> : Pass<argument, operation> {
  string rust = rustModule;
  /// The analyses that the body gets, as handles of the same names in src/mlir/analysis.rs: `run(operation, &Options,
  /// &Analyses)`. The pass manager computes those that it has not, or that do not hold any more.
  list<string> requires = [];
  /// The analyses that hold after the pass as before, whatever it changed. All others it invalidates, unless the body
  /// answers `Changed::No`: they are computed again where a later pass requires them.
  list<string> preserves = [];
  /// The analysis that says by being there that the pass has nothing to do, `::ppy::Canonical`.
  string settled = "";
  /// The operation's name.
  string anchor = !cond(!eq(operation, "::mlir::ModuleOp"): "builtin.module",
                        !eq(operation, "::ppy::core::FuncOp"): "ppy_core.func",
                        true: "");
}

//===----------------------------------------------------------------------===//
// The default pipeline
//===----------------------------------------------------------------------===//

/// A part of the default pipeline. A stage is one that others add passes to by its name.
class Ppy_Phase<int pos, string phaseName, string what, bit isStage = 0> {
  int position = pos;
  string name = phaseName;
  string summary = what;
  bit stage = isStage;
}
class Ppy_Stage<int pos, string stageName, string what> : Ppy_Phase<pos, stageName, what, 1>;

def AfterIrGeneration : Ppy_Stage<10, "after-ir-generation", "the module as the frontend made it">;
def Generation : Ppy_Phase<20, "generation", "what goes before anything else looks: coroutines, generators, regexes">;
def Canonicalization : Ppy_Phase<30, "canonicalization", "one form for what means the same">;
def AfterCanonicalization : Ppy_Stage<40, "after-canonicalization", "the graph that profiles are keyed on">;
def Instrumentation : Ppy_Phase<50, "instrumentation", "profiles and sanitizers, when they are asked for">;
def BeforeOptimization : Ppy_Stage<60, "before-optimization", "what the optimizations will see">;
def Optimization : Ppy_Phase<70, "optimization", "the shared optimizations">;
def AfterOptimization : Ppy_Stage<80, "after-optimization", "the optimized module">;
def Fusion : Ppy_Phase<90, "fusion", "chains of whole-value operations become one">;
def Lowering : Ppy_Phase<110, "lowering", "dialects become core operations">;
def BeforeBackend : Ppy_Stage<130, "before-backend", "the canonical IR that every backend gets">;
def Backend : Ppy_Stage<140, "backend", "the backend's own passes">;

/// A pass in the default pipeline: in this phase, in the order of `pos`, from a level on. `onEach` is the operation to
/// run a pass for any operation on, `ppy_core.func` for functions in parallel.
class Ppy_Step<Ppy_Phase where, int pos, string text, int fromLevel = 0, string onEach = ""> {
  Ppy_Phase phase = where;
  int position = pos;
  /// As in a pipeline: "canonicalize" or "inline{budget=40}".
  string pass = text;
  int level = fromLevel;
  string anchor = onEach;
  bit optional = 0;
}
/// A pass that runs only where it is asked for (`with=` of the pipeline).
class Ppy_OptionalStep<Ppy_Phase where, int pos, string text> : Ppy_Step<where, pos, text> {
  let optional = 1;
}

#endif // PPY_PASS_BASE_TD
