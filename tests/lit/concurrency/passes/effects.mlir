// RUN: %ppy-opt %s --pass-pipeline='builtin.module(ppy_core.func(canonicalize,cse,mem2reg,canonicalize,cse))' | FileCheck %s

// What a lock protects is read again under it.
// CHECK-LABEL: @protected
// CHECK: mutex_lock
// CHECK: load
// CHECK: mutex_unlock
// CHECK: mutex_lock
// CHECK: load
ppy_core.func @protected(%m: !ppy_core.ptr<i64>, %p: !ppy_core.ptr<i64>) -> (i64, i64) {
  ppy_concurrency.mutex_lock %m : !ppy_core.ptr<i64>
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_concurrency.mutex_unlock %m : !ppy_core.ptr<i64>
  ppy_concurrency.mutex_lock %m : !ppy_core.ptr<i64>
  %1 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_concurrency.mutex_unlock %m : !ppy_core.ptr<i64>
  ppy_core.ret %0, %1 : i64, i64
}

// A slot that a thread writes stays memory, and what it wrote is seen after the join; an unused status is no reason to
// drop a join.
// CHECK-LABEL: @written
// CHECK: alloca
// CHECK: store
// CHECK: spawn
// CHECK: join
// CHECK: load
ppy_core.func @work(%p: !ppy_core.ptr<i64, stack>) {
  ppy_core.ret
}
ppy_core.func @written(%v: i64) -> i64 {
  %0 = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  ppy_core.store %v, %0 : !ppy_core.ptr<i64, stack>
  %h = ppy_concurrency.spawn @work(%0) : (!ppy_core.ptr<i64, stack>)
  %s = ppy_concurrency.join %h
  %1 = ppy_core.load %0 : !ppy_core.ptr<i64, stack>
  ppy_core.ret %1 : i64
}

// A thread's identity does not change.
// CHECK-LABEL: @identity
// CHECK-NEXT: %[[ID:.*]] = ppy_concurrency.thread_id
// CHECK-NEXT: ret %[[ID]], %[[ID]]
ppy_core.func @identity() -> (i64, i64) {
  %0 = ppy_concurrency.thread_id
  %1 = ppy_concurrency.thread_id
  ppy_core.ret %0, %1 : i64, i64
}
