// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s
// A check is a branch that is hardly ever taken, to one block per function and status.

// CHECK-NOT: ppy_core

// CHECK-LABEL: llvm.func @checks(
// CHECK-SAME: %[[A:.*]]: i64, %{{.*}}: i64, %[[OK:.*]]: i8, %[[OUT:.*]]: !llvm.ptr {llvm.noalias, llvm.nocapture, llvm.nonnull, llvm.writeonly}) -> i32
// CHECK: %[[BOOL:.*]] = llvm.icmp "ne" %[[OK]]
// CHECK: %[[PAIR:.*]] = "llvm.intr.sadd.with.overflow"
// CHECK: %[[SUM:.*]] = llvm.extractvalue %[[PAIR]][0]
// CHECK: %[[OVER:.*]] = llvm.extractvalue %[[PAIR]][1]
// CHECK: llvm.cond_br %[[OVER]] weights([1, 2147483647]), ^[[FALLBACK:bb[0-9]+]], ^[[GOES:bb[0-9]+]]
// CHECK: ^[[GOES]]:
// CHECK: llvm.cond_br %[[BOOL]] weights([2147483647, 1]), ^[[GUARDED:bb[0-9]+]], ^[[FALLBACK]]
// CHECK: ^[[GUARDED]]:
// CHECK: llvm.cond_br %[[BOOL]] weights([2147483647, 1]), ^[[DONE:bb[0-9]+]], ^[[RAISED:bb[0-9]+]]
// CHECK: ^[[DONE]]:
// CHECK: llvm.store %[[SUM]], %[[OUT]] {alignment = 8 : i64}
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.return %[[ZERO]]
// CHECK-DAG: llvm.mlir.constant(1 : i32)
// CHECK-DAG: llvm.mlir.constant(-1 : i32)
// CHECK-NOT: llvm.mlir.constant(1 : i32)
// CHECK: }
ppy_core.func @checks(%a: i64, %b: i64, %ok: i1) -> i64 {
  %0 = ppy_core.add %a, %b overflow<python> : i64
  ppy_core.guard %ok, bounds
  ppy_core.guard %ok, contract {label = "raised"}
  ppy_core.ret %0 : i64
}

// The sanitizer's guards answer what went wrong.
// CHECK-LABEL: llvm.func @sanitized(
// CHECK-DAG: llvm.mlir.constant(2 : i32)
// CHECK-DAG: llvm.mlir.constant(5 : i32)
ppy_core.func @sanitized(%ok: i1) {
  ppy_core.guard %ok, contract {label = "sanitize:bounds"}
  ppy_core.guard %ok, contract {label = "sanitize:alignment"}
  ppy_core.ret
}

// What cannot fail costs nothing: no branch at all.
// CHECK-LABEL: llvm.func @silent(
// CHECK-NOT: llvm.cond_br
// CHECK-NOT: llvm.br
// CHECK: llvm.return
// CHECK-NOT: llvm.return
// CHECK: }
ppy_core.func @silent(%a: i64, %b: i64) -> i64 {
  %0 = ppy_core.add %a, %b overflow<wrap> : i64
  %1 = ppy_core.mul %0, %b overflow<proven> : i64
  ppy_core.ret %1 : i64
}
