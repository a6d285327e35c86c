// RUN: %roundtrip --ppyir %s
// Comparison, selection, conversion.

module {
  ppy_core.func @predicates(%arg0: i64, %arg1: i64) -> i1 {
    %0 = cmp eq, %arg0, %arg1 : i64
    %1 = cmp ne, %arg0, %arg1 : i64
    %2 = cmp lt, %arg0, %arg1 : i64
    %3 = cmp le, %arg0, %arg1 : i64
    %4 = cmp gt, %arg0, %arg1 : i64
    %5 = cmp ge, %arg0, %arg1 : i64
    ret %5 : i1
  }
  ppy_core.func @lanes(%arg0: vector<4xf64>, %arg1: vector<4xf64>) -> vector<4xf64> {
    %0 = cmp lt, %arg0, %arg1 : vector<4xf64>
    %1 = select %0, %arg0, %arg1 : vector<4xi1>, vector<4xf64>
    ret %1 : vector<4xf64>
  }
  ppy_core.func @pointers(%arg0: !ppy_core.ptr<i64>, %arg1: !ppy_core.ptr<i64>) -> !ppy_core.ptr<i64> {
    %0 = cmp eq, %arg0, %arg1 : !ppy_core.ptr<i64>
    %1 = select %0, %arg0, %arg1 : i1, !ppy_core.ptr<i64>
    ret %1 : !ppy_core.ptr<i64>
  }
  ppy_core.func @casts(%arg0: i64, %arg1: !ppy_core.ptr<f64>) -> f64 {
    %0 = cast %arg0 : i64 to f64
    %1 = cast %0 : f64 to f16
    %2 = cast %1 : f16 to bf16
    %3 = cast %2 : bf16 to i1
    %4 = cast %arg0 : i64 to ui8
    %5 = cast %arg0 : i64 to index
    %6 = cast %arg1 : !ppy_core.ptr<f64> to !ppy_core.ptr<i8>
    %7 = cast %arg1 : !ppy_core.ptr<f64> to i64
    ret %0 : f64
  }
}

