// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s
// Stack memory is in the entry block, and zeroed where it is asked for.

// CHECK-LABEL: llvm.func @loop(
// CHECK: llvm.alloca %{{.*}} x i64
// CHECK: llvm.br
// CHECK: ^{{.*}}:
// CHECK-NOT: llvm.alloca
// CHECK: llvm.mlir.constant(0 : i64)
// CHECK: llvm.store
ppy_core.func @loop(%c: i1) -> i64 {
  ppy_core.br ^again
^again:
  %p = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  %0 = ppy_core.load %p : !ppy_core.ptr<i64, stack>
  ppy_core.cond_br %c, ^again, ^done
^done:
  ppy_core.ret %0 : i64
}

// As the frontend writes it: nothing to zero.
// CHECK-LABEL: llvm.func @slot(
// CHECK: llvm.alloca
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64}
// CHECK-NOT: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64}
// CHECK: llvm.load
ppy_core.func @slot(%a: i64) -> i1 {
  %p = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  ppy_core.store %a, %p : !ppy_core.ptr<i64, stack>
  %0 = ppy_core.load %p : !ppy_core.ptr<i64, stack>
  %1 = ppy_core.cast %0 : i64 to i1
  ppy_core.ret %1 : i1
}

// CHECK-LABEL: llvm.func @many(
// CHECK: llvm.alloca %{{.*}} x f64 {alignment = 8 : i64}
// CHECK: "llvm.intr.memset"
ppy_core.func @many() -> f64 {
  %p = ppy_core.alloca count<100> : !ppy_core.ptr<f64, stack>
  %0 = ppy_core.load %p : !ppy_core.ptr<f64, stack>
  ppy_core.ret %0 : f64
}

// An element of a buffer is inside it; a bool in memory is a byte.
// CHECK-LABEL: llvm.func @element(
// CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: llvm.icmp "ne"
ppy_core.func @element(%b: !ppy_core.buffer<i1>, %i: i64) -> i1 {
  %0 = ppy_core.buffer_load %b[%i] : !ppy_core.buffer<i1>, i64
  ppy_core.ret %0 : i1
}

// A struct is loaded by its scalars, at their offsets.
// CHECK-LABEL: llvm.func @record(
// CHECK: llvm.load %[[P:.*]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[Q:.*]] = llvm.getelementptr inbounds|nuw %[[P]][8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.load %[[Q]] {alignment = 8 : i64} : !llvm.ptr -> f64
ppy_core.func @record(%p: !ppy_core.ptr<!ppy_core.struct<"P", ok: i1, x: f64>>) -> f64 {
  %0 = ppy_core.load %p : !ppy_core.ptr<!ppy_core.struct<"P", ok: i1, x: f64>>
  %1 = ppy_core.struct_extract %0["x"] : !ppy_core.struct<"P", ok: i1, x: f64> -> f64
  ppy_core.ret %1 : f64
}
