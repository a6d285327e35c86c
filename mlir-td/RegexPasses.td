//===- RegexPasses.td - the passes of the ppy_regex dialect ---------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their bodies are in dialects/regex.
//
//===----------------------------------------------------------------------===//

include "PassBase.td"

def LowerRegex : Ppy_Pass<"lower-regex", "::mlir::ModuleOp", "lower_regex"> {
  let summary = "Compile each distinct pattern into a function of core operations";
  let description = [{
    An operation becomes a call of the private function of its pattern. Where the pattern's automaton fits the limits in
    docs/regex.md, 65,536 states among them, the function is that automaton: it looks at each byte once and never fails.
    Up to 150 states are a block of code each, more are rows of a constant table. Elsewhere it backtracks as CPython
    does, on a stack of 4096 entries of its own, and may take exponential time; a match that needs more entries fails a
    guard labelled `regex.stack.ok`, which hands the call to Python.
  }];
  let options = [
    Option<"engine", "engine", "std::string", "\"auto\"",
           "auto, table for tables even of small automata, or backtrack for the backtracking matcher everywhere">,
  ];
}
def LowerRegexStep : Ppy_Step<Generation, 30, "lower-regex">;
