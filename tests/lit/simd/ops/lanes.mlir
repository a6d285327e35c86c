// RUN: %roundtrip --ppyir %s
// Every operation, on every kind of lane.

module {
  ppy_core.func @lanes(%arg0: !ppy_core.ptr<f64>, %arg1: f64, %arg2: i64) -> f64 {
    %0 = ppy_simd.splat %arg1 : vector<4xf64>
    %1 = ppy_simd.load %arg0 : !ppy_core.ptr<f64> -> vector<4xf64>
    %2 = ppy_simd.extract %1[%arg2] : vector<4xf64>, i64
    %3 = ppy_simd.insert %1, %2[%arg2] : vector<4xf64>, i64
    %4 = ppy_simd.shuffle %0, %3 [0, 5, 2, 7] : vector<4xf64> -> vector<4xf64>
    ppy_simd.store %4, %arg0 : vector<4xf64>, !ppy_core.ptr<f64>
    %5 = ppy_simd.reduce_add %4 : vector<4xf64>
    %6 = ppy_simd.reduce_min %4 : vector<4xf64>
    %7 = ppy_simd.reduce_max %4 : vector<4xf64>
    %8 = add %5, %6 : f64
    %9 = add %8, %7 : f64
    ret %9 : f64
  }
  ppy_core.func @others(%arg0: !ppy_core.ptr<ui8, stack>, %arg1: !ppy_core.ptr<i1, generic, const>, %arg2: ui8, %arg3: index) -> ui8 {
    %0 = ppy_simd.load %arg0 : !ppy_core.ptr<ui8, stack> -> vector<16xui8>
    %1 = ppy_simd.load %arg1 : !ppy_core.ptr<i1, generic, const> -> vector<2xi1>
    %2 = ppy_simd.extract %1[%arg3] : vector<2xi1>, index
    %3 = ppy_simd.splat %2 : vector<1xi1>
    %4 = ppy_simd.insert %0, %arg2[%arg2] : vector<16xui8>, ui8
    %5 = ppy_simd.reduce_max %4 : vector<16xui8>
    ret %5 : ui8
  }
}
