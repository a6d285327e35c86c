// RUN: %roundtrip --ppyir %s
// All three, with flags and without.

module {
  ppy_core.func @f(%arg0: !ppy_core.buffer<ui8>, %arg1: i64, %arg2: i64) -> i1 {
    %found, %spans:2 = ppy_regex.search %arg0, %arg1, %arg2 "a+" : !ppy_core.buffer<ui8> -> i64, i64
    %found_0, %spans_1:4 = ppy_regex.match %arg0, %arg1, %arg2 "(a)" flags 2 : !ppy_core.buffer<ui8> -> i64, i64, i64, i64
    %found_2, %spans_3:2 = ppy_regex.fullmatch %arg0, %arg1, %arg2 "b" flags 0 : !ppy_core.buffer<ui8> -> i64, i64
    ret %found_2 : i1
  }
}

