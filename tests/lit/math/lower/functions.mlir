// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @all(
// CHECK: llvm.intr.sqrt
// CHECK: llvm.intr.sin
// CHECK: llvm.intr.cos
// CHECK: llvm.intr.tan
// CHECK: llvm.intr.exp(
// CHECK: llvm.intr.exp2
// CHECK: llvm.intr.log(
// CHECK: llvm.intr.log2
// CHECK: llvm.intr.log10
// CHECK: llvm.intr.floor
// CHECK: llvm.intr.ceil
// CHECK: llvm.intr.trunc
// CHECK: llvm.intr.fabs
// CHECK: llvm.intr.pow
// CHECK-NOT: ppy_math
ppy_core.func @all(%x: f64) -> f64 {
  %0 = ppy_math.sqrt %x : f64
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
  %13 = ppy_math.pow %12, %x : f64
  ppy_core.ret %13 : f64
}

// bf16 computes in f32.
// CHECK-LABEL: llvm.func @small(
// CHECK: llvm.fpext %{{.*}} : bf16 to f32
// CHECK: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
// CHECK: llvm.bitcast %{{.*}} : i16 to bf16
ppy_core.func @small(%x: bf16) -> bf16 {
  %0 = ppy_math.sqrt %x : bf16
  ppy_core.ret %0 : bf16
}
