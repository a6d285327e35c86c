// RUN: %roundtrip --ppyir %s
// Blocks, branches, guards.

module {
  ppy_core.func @count(%arg0: i64) -> i64 {
    %c0 = const 0 : i64
    %c1 = const 1 : i64
    br ^bb1(%c0 : i64)
  ^bb1(%0: i64):  // 2 preds: ^bb0, ^bb2
    %1 = cmp lt, %0, %arg0 : i64
    cond_br %1, ^bb2, ^bb3(%0 : i64)
  ^bb2:  // pred: ^bb1
    %2 = add %0, %c1 overflow<python> : i64
    br ^bb1(%2 : i64)
  ^bb3(%3: i64):  // pred: ^bb1
    ret %3 : i64
  }
  ppy_core.func @guards(%arg0: i1, %arg1: i64) {
    guard %arg0, overflow
    guard %arg0, bounds {message = "index out of range"}
    guard %arg0, zero_division {label = "raised", message = "division by zero"}
    guard %arg0(%arg1 : i64), range {message = "too large", raises = "ValueError: {0} is too large"}
    guard %arg0, contract
    guard %arg0, assert {label = "sanitize:bounds"}
    ret
  }
  ppy_core.func @never() {
    unreachable
  }
}

