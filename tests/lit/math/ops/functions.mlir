// RUN: %roundtrip --ppyir %s
// Every function, on scalars and vectors.

module {
  ppy_core.func @scalars(%arg0: f64, %arg1: f64) -> f64 {
    %0 = ppy_math.sqrt %arg0 : f64
    %1 = ppy_math.sin %0 : f64
    %2 = ppy_math.cos %1 : f64
    %3 = ppy_math.tan %2 : f64
    %4 = ppy_math.exp %3 : f64
    %5 = ppy_math.exp2 %4 : f64
    %6 = ppy_math.log %5 : f64
    %7 = ppy_math.log2 %6 : f64
    %8 = ppy_math.log10 %7 : f64
    %9 = ppy_math.floor %8 : f64
    %10 = ppy_math.ceil %9 : f64
    %11 = ppy_math.trunc %10 : f64
    %12 = ppy_math.abs %11 : f64
    %13 = ppy_math.pow %12, %arg1 : f64
    ret %13 : f64
  }
  ppy_core.func @narrow(%arg0: f32, %arg1: f16) -> f32 {
    %0 = ppy_math.sqrt %arg0 : f32
    %1 = ppy_math.abs %arg1 : f16
    ret %0 : f32
  }
  ppy_core.func @lanes(%arg0: vector<4xf64>) -> vector<4xf64> {
    %0 = ppy_math.sin %arg0 : vector<4xf64>
    %1 = ppy_math.pow %0, %arg0 : vector<4xf64>
    ret %1 : vector<4xf64>
  }
}

