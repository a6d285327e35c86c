// RUN: %ppy-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @lane_of_splat
// CHECK-NEXT: ret %arg0
ppy_core.func @lane_of_splat(%x: f64, %i: i64) -> f64 {
  %v = ppy_simd.splat %x : vector<4xf64>
  %0 = ppy_simd.extract %v[%i] : vector<4xf64>, i64
  ppy_core.ret %0 : f64
}

// Through insertions into other lanes.
// CHECK-LABEL: @lane_of_insert
// CHECK: ppy_simd.extract %arg0[%arg3]
// CHECK-NEXT: ret %arg1, %arg2, %{{.*}} :
ppy_core.func @lane_of_insert(%v: vector<4xi32>, %x: i32, %y: i32, %i: i64) -> (i32, i32, i32) {
  %one = ppy_core.const 1 : i64
  %two = ppy_core.const 2 : i64
  %a = ppy_simd.insert %v, %x[%one] : vector<4xi32>, i64
  %b = ppy_simd.insert %a, %y[%two] : vector<4xi32>, i64
  %0 = ppy_simd.extract %b[%one] : vector<4xi32>, i64
  %c = ppy_simd.insert %b, %y[%i] : vector<4xi32>, i64
  %1 = ppy_simd.extract %c[%i] : vector<4xi32>, i64
  %2 = ppy_simd.extract %v[%i] : vector<4xi32>, i64
  ppy_core.ret %0, %1, %2 : i32, i32, i32
}

// An insertion at an index that is not known may be into the lane.
// CHECK-LABEL: @lane_unknown
// CHECK: ppy_simd.insert
// CHECK: ppy_simd.extract
ppy_core.func @lane_unknown(%v: vector<4xi32>, %x: i32, %i: i64) -> i32 {
  %one = ppy_core.const 1 : i64
  %a = ppy_simd.insert %v, %x[%i] : vector<4xi32>, i64
  %0 = ppy_simd.extract %a[%one] : vector<4xi32>, i64
  ppy_core.ret %0 : i32
}

// CHECK-LABEL: @put_back
// CHECK-NEXT: ret %arg0
ppy_core.func @put_back(%v: vector<4xi32>, %i: i64) -> vector<4xi32> {
  %x = ppy_simd.extract %v[%i] : vector<4xi32>, i64
  %0 = ppy_simd.insert %v, %x[%i] : vector<4xi32>, i64
  ppy_core.ret %0 : vector<4xi32>
}

// CHECK-LABEL: @same_order
// CHECK: %[[S:.*]] = ppy_simd.shuffle %arg0, %arg1 [0, 1]
// CHECK: ret %arg0, %arg1, %[[S]]
ppy_core.func @same_order(%a: vector<4xi32>, %b: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<2xi32>) {
  %0 = ppy_simd.shuffle %a, %b [0, 1, 2, 3] : vector<4xi32> -> vector<4xi32>
  %1 = ppy_simd.shuffle %a, %b [4, 5, 6, 7] : vector<4xi32> -> vector<4xi32>
  %2 = ppy_simd.shuffle %a, %b [0, 1] : vector<4xi32> -> vector<2xi32>
  ppy_core.ret %0, %1, %2 : vector<4xi32>, vector<4xi32>, vector<2xi32>
}

// CHECK-LABEL: @lane_of_shuffle
// CHECK-DAG: %[[ONE:.*]] = const 1 : i64
// CHECK-DAG: %[[TWO:.*]] = const 2 : i64
// CHECK-DAG: ppy_simd.extract %arg0[%[[TWO]]]
// CHECK-DAG: ppy_simd.extract %arg1[%[[ONE]]]
ppy_core.func @lane_of_shuffle(%a: vector<4xi32>, %b: vector<4xi32>) -> (i32, i32) {
  %zero = ppy_core.const 0 : i64
  %one = ppy_core.const 1 : i64
  %s = ppy_simd.shuffle %a, %b [2, 5] : vector<4xi32> -> vector<2xi32>
  %0 = ppy_simd.extract %s[%zero] : vector<2xi32>, i64
  %1 = ppy_simd.extract %s[%one] : vector<2xi32>, i64
  ppy_core.ret %0, %1 : i32, i32
}

// CHECK-LABEL: @shuffle_of_splats
// CHECK: %[[A:.*]] = ppy_simd.splat %arg0 : vector<2xf32>
// CHECK: %[[S:.*]] = ppy_simd.shuffle
// CHECK: ret %[[A]], %[[S]]
ppy_core.func @shuffle_of_splats(%x: f32, %y: f32) -> (vector<2xf32>, vector<2xf32>) {
  %a = ppy_simd.splat %x : vector<4xf32>
  %b = ppy_simd.splat %y : vector<4xf32>
  %0 = ppy_simd.shuffle %a, %b [3, 0] : vector<4xf32> -> vector<2xf32>
  %1 = ppy_simd.shuffle %a, %b [3, 4] : vector<4xf32> -> vector<2xf32>
  ppy_core.ret %0, %1 : vector<2xf32>, vector<2xf32>
}

// The sum of equal lanes is rounded lane by lane.
// CHECK-LABEL: @equal_lanes
// CHECK: %[[S:.*]] = ppy_simd.reduce_add
// CHECK: ret %arg0, %arg0, %[[S]]
ppy_core.func @equal_lanes(%x: f64) -> (f64, f64, f64) {
  %v = ppy_simd.splat %x : vector<4xf64>
  %0 = ppy_simd.reduce_min %v : vector<4xf64>
  %1 = ppy_simd.reduce_max %v : vector<4xf64>
  %2 = ppy_simd.reduce_add %v : vector<4xf64>
  ppy_core.ret %0, %1, %2 : f64, f64, f64
}
