// RUN: %roundtrip --ppyir %s
// Bits and shifts.

module {
  ppy_core.func @words(%arg0: i64, %arg1: i64) -> i64 {
    %0 = and %arg0, %arg1 : i64
    %1 = or %0, %arg1 : i64
    %2 = xor %1, %arg1 : i64
    %3 = shl %2, %arg1 overflow<python> : i64
    %4 = shl %3, %arg1 overflow<wrap> : i64
    %5 = shr %4, %arg1 : i64
    ret %5 : i64
  }
  ppy_core.func @bools(%arg0: i1, %arg1: i1) -> i1 {
    %0 = and %arg0, %arg1 : i1
    %1 = or %0, %arg1 : i1
    %2 = xor %1, %arg1 : i1
    ret %2 : i1
  }
  ppy_core.func @unsigned(%arg0: ui8, %arg1: ui8) -> ui8 {
    %0 = shr %arg0, %arg1 : ui8
    ret %0 : ui8
  }
}

