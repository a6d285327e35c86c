//===- Regex.td - the ppy_regex dialect -----------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_REGEX_TD
#define PPY_REGEX_TD

include "Core.td"

def Regex_Dialect : Ppy_Dialect<"regex", 1> {
  let summary = "Python's regular expressions over bytes";
  let description = [{
    `PATTERN.search(buf, pos, endpos)` and its anchored forms, for a pattern of `re` over bytes. The pattern is read as
    CPython 3.13 reads it and means what it means there; `--lower-regex` makes a function of core operations of it.
  }];
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

/// Reads memory. It may fail into the fallback, as `python` arithmetic does, for an answer that nobody reads when the
/// results are unused; so that is no effect, and it is not speculated.
class Regex_MatchOp<string opMnemonic, string what> : Ppy_Op<Regex_Dialect, opMnemonic> {
  let summary = what;
  let arguments = (ins Arg<Core_AnyBuffer, "", [MemRead]>:$buffer, I64:$pos, I64:$endpos, StrAttr:$pattern,
                       OptionalAttr<I64Attr>:$flags);
  let results = (outs Ppy_Bool:$found, Variadic<I64>:$spans);
  let assemblyFormat = [{
    $buffer `,` $pos `,` $endpos $pattern (`flags` $flags^)? attr-dict `:` qualified(type($buffer)) `->` type($spans)
  }];
  let rustVerify = "matches";
  let description = "Whether there was a match, then the start and the end of every group, the whole match first; -1 "
    # "for a group that took no part. `pos` and `endpos` are clamped to the buffer, as Python does. Each character of "
    # "the pattern is one byte. The flags are those of `re.compile`. Backreferences, lookaround, atomic groups, "
    # "possessive repeats and locale are refused.\n\nTime is linear in the text for patterns whose automaton has up to "
    # "65,536 states and 31 groups, with the further limits in docs/regex.md. Larger ones are matched by backtracking, "
    # "which can take exponential time and falls back where its stack of 4096 entries is full; the interpreter matches "
    # "all so.\n\n```mlir\n%0:3 = ppy_regex." # opMnemonic
    # " %b, %pos, %endpos \"[a-z]+\" flags 2 : !ppy_core.buffer<ui8> -> i64, i64\n```";
}

def Regex_SearchOp : Regex_MatchOp<"search", "the first match in a buffer">;
def Regex_MatchAtOp : Regex_MatchOp<"match", "the match that begins at a position">;
def Regex_FullmatchOp : Regex_MatchOp<"fullmatch", "the match from a position to the end">;

#endif // PPY_REGEX_TD
