// RUN: %ppy-opt %s --convert-ppy-to-llvm --split-input-file | FileCheck %s

// A module gets what it uses.
// CHECK-LABEL: module
// CHECK-NOT: ppy.barrier
// CHECK: llvm.func internal @ppy.mutex_lock(
// CHECK: llvm.cmpxchg {{.*}} acquire monotonic
// CHECK: llvm.func @locked
// CHECK: llvm.call @ppy.mutex_lock
// CHECK: llvm.call @ppy.mutex_unlock
// CHECK-NOT: ppy_concurrency
ppy_core.func @locked(%p: !ppy_core.ptr<i64>) {
  ppy_concurrency.mutex_lock %p : !ppy_core.ptr<i64>
  ppy_concurrency.mutex_unlock %p : !ppy_core.ptr<i64>
  ppy_core.ret
}

// -----

// The functions come once, and a thread has an entry that reads its record. A spawned function has its native symbol.
// CHECK-LABEL: module
// CHECK: llvm.func internal @ppy.thread.native_work(
// CHECK: llvm.call @native_work(
// CHECK-NOT: @ppy.thread.native_work(
// CHECK: llvm.func @twice
// CHECK: llvm.mlir.addressof @ppy.thread.native_work
// CHECK: llvm.call @ppy.thread_start
// CHECK: llvm.mlir.addressof @ppy.thread.native_work
// CHECK: llvm.call @ppy.thread_join
ppy_core.func @work(%b: i1, %p: !ppy_core.ptr<i64>) attributes {ppy.symbol = "native_work"} {
  ppy_core.ret
}
ppy_core.func @twice(%b: i1, %p: !ppy_core.ptr<i64>) {
  %0 = ppy_concurrency.spawn @work(%b, %p) : (i1, !ppy_core.ptr<i64>)
  %1 = ppy_concurrency.spawn @work(%b, %p) : (i1, !ppy_core.ptr<i64>)
  %2 = ppy_concurrency.join %0
  ppy_core.ret
}

// -----

// Where the processor has a hint for loops that wait, it is given.
// CHECK-LABEL: module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu"}
// CHECK: llvm.aarch64.hint
module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu"} {
  ppy_core.func @locked(%p: !ppy_core.ptr<i64>) {
    ppy_concurrency.mutex_lock %p : !ppy_core.ptr<i64>
    ppy_core.ret
  }
}

// -----

// CHECK-LABEL: module attributes {llvm.target_triple = "riscv64-unknown-linux-gnu"}
// CHECK-NOT: llvm.call_intrinsic
module attributes {llvm.target_triple = "riscv64-unknown-linux-gnu"} {
  ppy_core.func @locked(%p: !ppy_core.ptr<i64>) {
    ppy_concurrency.mutex_lock %p : !ppy_core.ptr<i64>
    ppy_core.ret
  }
}
