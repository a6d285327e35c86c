// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s

// Without lower-parallel a range is one part: a call, or a loop of calls whose failure is the caller's.
// CHECK: llvm.func internal @ppy.map.one(
// CHECK: llvm.call @one(
// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.call @chunk(
// CHECK: llvm.call @sum(
// CHECK: llvm.call @ppy.map.one(
// CHECK-NOT: ppy_parallel
ppy_core.func private @chunk(%begin: i64, %end: i64) {
  ppy_core.ret
}
ppy_core.func private @sum(%begin: i64, %end: i64, %acc: i64) -> i64 {
  ppy_core.ret %acc : i64
}
ppy_core.func private @one(%x: i1, %i: i64) -> i1 {
  ppy_core.ret %x : i1
}
ppy_core.func @main(%x: i1, %n: i64, %out: !ppy_core.ptr<i1>) -> i64 {
  ppy_parallel.for @chunk() from %n to %n
  %0 = ppy_parallel.reduce @sum() from %n to %n, add, %n : () -> i64
  ppy_parallel.map @one(%x) from %n to %n into %out : !ppy_core.ptr<i1>, (i1)
  ppy_core.ret %0 : i64
}
