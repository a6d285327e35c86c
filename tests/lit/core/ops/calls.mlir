// RUN: %roundtrip --ppyir %s
// Calls of the program, of C, of intrinsics, through addresses.

module {
  ppy_core.func @gcd(%arg0: i64, %arg1: i64) -> i64 {
    %0 = call @gcd(%arg0, %arg1) : (i64, i64) -> i64
    %1:2 = call @gcd(%0, %arg1) {capture_status = true} : (i64, i64) -> (i64, i64)
    %2 = call_extern "labs"(%1#0) {abi = "c"} : (i64) -> i64
    %3:2 = call_intrinsic "ppy.checked_mul"(%2, %arg1) : (i64, i64) -> (i64, i1)
    ret %3#0 : i64
  }
  ppy_core.func @indirect(%arg0: i64, %arg1: i64) -> i64 {
    %0 = call_indirect %arg0(%arg1) : i64, (i64) -> i64
    ret %0 : i64
  }
}

