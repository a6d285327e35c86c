// RUN: %ppy-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @constants
// CHECK-DAG: const 2.400000e+01 : f64
// CHECK-DAG: const 5.000000e-01 : f32
// CHECK-DAG: const 0.000000e+00 : f64
// CHECK-NOT: ppy_special
ppy_core.func @constants() -> (f64, f32, f64) {
  %five = ppy_core.const 5.0 : f64
  %zero = ppy_core.const 0.0 : f32
  %none = ppy_core.const 0.0 : f64
  %three = ppy_core.const 3 : i64
  %0 = ppy_special.gamma %five : f64
  %1 = ppy_special.ndtr %zero : f32
  %2 = ppy_special.bessel_jn %three, %none : i64, f64
  ppy_core.ret %0, %1, %2 : f64, f32, f64
}

// A NaN's bits are the machine's, and a long recurrence is left to run time.
// CHECK-LABEL: @not_folded
// CHECK: ppy_special.logit
// CHECK: ppy_special.bessel_yn
ppy_core.func @not_folded() -> (f64, f64) {
  %two = ppy_core.const 2.0 : f64
  %order = ppy_core.const 100000 : i64
  %0 = ppy_special.logit %two : f64
  %1 = ppy_special.bessel_yn %order, %two : i64, f64
  ppy_core.ret %0, %1 : f64, f64
}
