// RUN: %roundtrip --ppyir %s
// Constants and arithmetic, in every overflow mode and rounding.

module {
  ppy_core.func @constants() {
    %c42 = const 42 : i64
    %cst = const -0.000000e+00 : f64
    %true = const true
    %c255 = const 255 : ui8
    %c7 = const 7 : index
    %null = const #ppy_core.null : !ppy_core.ptr<i8>
    %cst_0 = const 0x7F800000 : f32
    ret
  }
  ppy_core.func @modes(%arg0: i64, %arg1: i64) -> i64 {
    %0 = add %arg0, %arg1 overflow<python> : i64
    %1 = add %0, %arg1 overflow<checked> : i64
    %2 = add %1, %arg1 overflow<wrap> : i64
    %3 = add %2, %arg1 overflow<proven> : i64
    %4 = add %3, %arg1 overflow<native> : i64
    %5 = sub %4, %arg1 overflow<python> : i64
    %6 = mul %5, %arg1 overflow<python> : i64
    %7 = neg %6 overflow<python> : i64
    ret %7 : i64
  }
  ppy_core.func @division(%arg0: i64, %arg1: i64) -> i64 {
    %0 = div %arg0, %arg1 overflow<python> rounding<floor> : i64
    %1 = div %0, %arg1 overflow<wrap> rounding<trunc> : i64
    %2 = mod %1, %arg1 overflow<python> rounding<floor> : i64
    %3 = mod %2, %arg1 overflow<native> rounding<trunc> : i64
    ret %3 : i64
  }
  ppy_core.func @floats(%arg0: f64, %arg1: f64) -> f64 {
    %0 = add %arg0, %arg1 : f64
    %1 = sub %0, %arg1 : f64
    %2 = mul %1, %arg1 : f64
    %3 = div %2, %arg1 : f64
    %4 = mod %3, %arg1 rounding<floor> : f64
    %5 = neg %4 : f64
    ret %5 : f64
  }
  ppy_core.func @vectors(%arg0: vector<4xf32>, %arg1: vector<4xi32>) -> vector<4xf32> {
    %0 = add %arg0, %arg0 : vector<4xf32>
    %1 = mul %arg1, %arg1 overflow<wrap> : vector<4xi32>
    ret %0 : vector<4xf32>
  }
}

