//===- Pipeline.td - the steps of the default pipeline --------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes over any dialect; a dialect's own steps are beside its passes.
//
//===----------------------------------------------------------------------===//

include "PassBase.td"

// At every level, and blocks stay the frontend's: a profile keys on this graph, whatever is optimized afterwards.
def CanonicalizeStep : Ppy_Step<Canonicalization, 10, "ppy-canonicalize{keep-blocks=true}", 0, "ppy_core.func">;

// Slots become values first: everything after it sees what flows where.
def PromoteStep : Ppy_Step<Optimization, 10, "mem2reg", 1, "ppy_core.func">;
def PromotedStep : Ppy_Step<Optimization, 20, "ppy-canonicalize", 1, "ppy_core.func">;
def SimplifyCfgStep : Ppy_Step<Optimization, 30, "simplify-cfg", 1, "ppy_core.func">;
def SccpStep : Ppy_Step<Optimization, 40, "ppy-sccp", 1, "ppy_core.func">;
// What calls do is read by everything after it.
def InferEffectsStep : Ppy_Step<Optimization, 45, "infer-effects", 1>;
def CseStep : Ppy_Step<Optimization, 50, "cse", 1, "ppy_core.func">;
// The slot of the inliner and what cleans up after it: 100 to 199.
def ProveCountersStep : Ppy_Step<Optimization, 200, "prove-counters", 1>;
def EliminateGuardsStep : Ppy_Step<Optimization, 210, "eliminate-guards", 1>;
// After the proofs, which know what a guard inside a loop says better than one ahead of it.
def HoistGuardsStep : Ppy_Step<Optimization, 220, "hoist-guards", 1>;
def HoistedStep : Ppy_Step<Optimization, 230, "cse", 1, "ppy_core.func">;
// What the proofs made foldable.
def ProvenStep : Ppy_Step<Optimization, 240, "ppy-canonicalize", 1, "ppy_core.func">;
def SecondProofStep : Ppy_Step<Optimization, 250, "eliminate-guards", 3>;
// Last: nothing is concluded from arithmetic that it has made wrap.
def IfConvertStep : Ppy_Step<Optimization, 260, "if-convert", 2>;
def ConvertedStep : Ppy_Step<Optimization, 270, "ppy-canonicalize", 2, "ppy_core.func">;

def DceStep : Ppy_Step<Fusion, 10, "dce", 1>;
