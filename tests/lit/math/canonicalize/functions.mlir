// RUN: %ppy-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: @floor_floor
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64
// CHECK-NEXT: %[[F:.*]] = ppy_math.floor %[[X]]
// CHECK-NEXT: ret %[[F]]
ppy_core.func @floor_floor(%x: f64) -> f64 {
  %0 = ppy_math.floor %x : f64
  %1 = ppy_math.floor %0 : f64
  ppy_core.ret %1 : f64
}

// CHECK-LABEL: @constants
// CHECK-NEXT: %[[A:.*]] = const 3.000000e+00 : f64
// CHECK-NEXT: ret %[[A]]
ppy_core.func @constants() -> f64 {
  %0 = ppy_core.const 9.0 : f64
  %1 = ppy_math.sqrt %0 : f64
  ppy_core.ret %1 : f64
}

// Vectors too, where the rule needs no constant.
// CHECK-LABEL: @vector
// CHECK-SAME: %[[V:[a-z0-9]+]]: vector<2xf32>
// CHECK-NEXT: %[[A:.*]] = ppy_math.abs %[[V]]
// CHECK-NEXT: ret %[[A]]
ppy_core.func @vector(%v: vector<2xf32>) -> vector<2xf32> {
  %0 = ppy_core.neg %v : vector<2xf32>
  %1 = ppy_math.abs %0 : vector<2xf32>
  %2 = ppy_math.abs %1 : vector<2xf32>
  ppy_core.ret %2 : vector<2xf32>
}
