// RUN: %ppy-opt %s -canonicalize | FileCheck %s

// The modes side by side: only checked keeps both negations.
// CHECK-LABEL: @neg_neg
// CHECK-SAME: %[[X:[a-z0-9]+]]: i64
// CHECK-NEXT: %[[A:.*]] = neg %[[X]] overflow<checked>
// CHECK-NEXT: %[[B:.*]] = neg %[[A]] overflow<checked>
// CHECK-NEXT: ret %[[X]], %[[X]], %[[B]]
ppy_core.func @neg_neg(%x: i64) -> (i64, i64, i64) {
  %0 = ppy_core.neg %x overflow<python> : i64
  %1 = ppy_core.neg %0 overflow<python> : i64
  %2 = ppy_core.neg %x overflow<wrap> : i64
  %3 = ppy_core.neg %2 overflow<wrap> : i64
  %4 = ppy_core.neg %x overflow<checked> : i64
  %5 = ppy_core.neg %4 overflow<checked> : i64
  ppy_core.ret %1, %3, %5 : i64, i64, i64
}

// CHECK-LABEL: @zero_times
// CHECK-NEXT: %[[F:.*]] = const 0.0
// CHECK-NEXT: %[[Z:.*]] = const 0 : i64
// CHECK-NEXT: %[[M:.*]] = mul %{{.*}}, %[[F]] : f64
// CHECK-NEXT: ret %[[Z]], %[[M]]
ppy_core.func @zero_times(%x: i64, %y: f64) -> (i64, f64) {
  %0 = ppy_core.const 0 : i64
  %1 = ppy_core.const 0.0 : f64
  %2 = ppy_core.mul %x, %0 overflow<python> : i64
  %3 = ppy_core.mul %y, %1 : f64
  ppy_core.ret %2, %3 : i64, f64
}

// A constant that does not fit is left to fail.
// CHECK-LABEL: @left_for_the_guard
// CHECK: add %{{.*}}, %{{.*}} overflow<python> : i64
// CHECK: div %{{.*}}, %{{.*}} overflow<python> rounding<floor>
ppy_core.func @left_for_the_guard() -> (i64, i64) {
  %0 = ppy_core.const 9223372036854775807 : i64
  %1 = ppy_core.const 1 : i64
  %2 = ppy_core.const 0 : i64
  %3 = ppy_core.add %0, %1 overflow<python> : i64
  %4 = ppy_core.div %1, %2 overflow<python> rounding<floor> : i64
  ppy_core.ret %3, %4 : i64, i64
}

// Unsigned constants are read as such.
// CHECK-LABEL: @unsigned
// CHECK-NEXT: %[[C:.*]] = const 18446744073709551614 : ui64
// CHECK-NEXT: ret %[[C]]
ppy_core.func @unsigned() -> ui64 {
  %0 = ppy_core.const 18446744073709551613 : ui64
  %1 = ppy_core.const 1 : ui64
  %2 = ppy_core.add %0, %1 overflow<python> : ui64
  ppy_core.ret %2 : ui64
}

// CHECK-LABEL: @vectors
// CHECK-SAME: %[[V:[a-z0-9]+]]: vector<4xi64>
// CHECK-NEXT: %[[D:.*]] = sub %[[V]], %[[V]] overflow<wrap>
// CHECK-NEXT: ret %[[V]], %[[D]]
ppy_core.func @vectors(%v: vector<4xi64>) -> (vector<4xi64>, vector<4xi64>) {
  %0 = ppy_core.neg %v overflow<wrap> : vector<4xi64>
  %1 = ppy_core.neg %0 overflow<wrap> : vector<4xi64>
  %2 = ppy_core.sub %v, %v overflow<wrap> : vector<4xi64>
  ppy_core.ret %1, %2 : vector<4xi64>, vector<4xi64>
}
