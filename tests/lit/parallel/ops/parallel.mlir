// RUN: %roundtrip --ppyir %s

module {
  ppy_core.func private @chunk(%arg0: i64, %arg1: !ppy_core.buffer<f64>, %arg2: i64, %arg3: i64) {
    ret
  }
  ppy_core.func private @bare(%arg0: i64, %arg1: i64) {
    ret
  }
  ppy_core.func private @sum(%arg0: i64, %arg1: i64, %arg2: f64) -> f64 {
    ret %arg2 : f64
  }
  ppy_core.func private @one(%arg0: i64, %arg1: i64) -> i64 {
    ret %arg1 : i64
  }
  ppy_core.func @main(%arg0: i64, %arg1: !ppy_core.buffer<f64>, %arg2: f64, %arg3: !ppy_core.ptr<i64>) -> f64 {
    %c0 = const 0 : i64
    ppy_parallel.for @chunk(%arg0, %arg1) from %c0 to %arg0 : (i64, !ppy_core.buffer<f64>)
    ppy_parallel.for @bare() from %c0 to %arg0
    %0 = ppy_parallel.reduce @sum() from %c0 to %arg0, add, %arg2 {reassociate = true} : () -> f64
    %1 = ppy_parallel.reduce @sum() from %c0 to %arg0, max, %0 : () -> f64
    ppy_parallel.map @one(%arg0) from %c0 to %arg0 into %arg3 : !ppy_core.ptr<i64>, (i64)
    ret %1 : f64
  }
}

