// RUN: %ppy-opt %s -infer-effects -canonicalize -dce | FileCheck %s

// CHECK-LABEL: func @adds{{.*}}effects = []
ppy_core.func @adds(%x: i64) -> i64 {
  %slot = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  ppy_core.store %x, %slot : !ppy_core.ptr<i64, stack>
  %0 = ppy_core.load %slot : !ppy_core.ptr<i64, stack>
  %1 = ppy_core.add %0, %x overflow<python> : i64
  ppy_core.ret %1 : i64
}
// CHECK-LABEL: func @reads{{.*}}effects = ["read_memory"]
ppy_core.func @reads(%p: !ppy_core.ptr<i64>) -> i64 {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret %0 : i64
}
// CHECK-LABEL: func @writes{{.*}}effects = ["may_raise", "write_memory"]
ppy_core.func @writes(%p: !ppy_core.ptr<i64>, %c: i1) {
  ppy_core.guard %c, contract
  %0 = ppy_core.const 1 : i64
  ppy_core.store %0, %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
// Recursion, and one through the other.
// CHECK-LABEL: func @one{{.*}}effects = ["read_memory"]
ppy_core.func @one(%p: !ppy_core.ptr<i64>) -> i64 {
  %0 = ppy_core.call @two(%p) : (!ppy_core.ptr<i64>) -> i64
  ppy_core.ret %0 : i64
}
// CHECK-LABEL: func @two{{.*}}effects = ["read_memory"]
ppy_core.func @two(%p: !ppy_core.ptr<i64>) -> i64 {
  %0 = ppy_core.call @one(%p) : (!ppy_core.ptr<i64>) -> i64
  %1 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  %2 = ppy_core.add %0, %1 overflow<wrap> : i64
  ppy_core.ret %2 : i64
}
// CHECK-LABEL: func @unknown
// CHECK-NOT: effects
// CHECK: call_extern
ppy_core.func @unknown(%x: i64) -> i64 {
  %0 = ppy_core.call_extern "puts"(%x) {abi = "c"} : (i64) -> i64
  ppy_core.ret %0 : i64
}
// What the status hides does not fail the caller.
// CHECK-LABEL: func @captures{{.*}}effects = ["write_memory"]
ppy_core.func @captures(%p: !ppy_core.ptr<i64>, %c: i1) -> i64 {
  %0 = ppy_core.call @writes(%p, %c) {capture_status = true} : (!ppy_core.ptr<i64>, i1) -> i64
  ppy_core.ret %0 : i64
}
// An unused call that only reads goes, and a load is the one before such a call.
// CHECK-LABEL: func @uses
// CHECK: load
// CHECK-NOT: call @reads
// CHECK: call @one{{.*}}ppy.effects = ["read_memory"]
// CHECK-NOT: load
// CHECK: call @writes
// CHECK: load
// CHECK: ret
ppy_core.func @uses(%p: !ppy_core.ptr<i64>, %c: i1) -> i64 {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  %1 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  %2 = ppy_core.call @one(%p) : (!ppy_core.ptr<i64>) -> i64
  %3 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.call @writes(%p, %c) : (!ppy_core.ptr<i64>, i1) -> ()
  %4 = ppy_core.load %p : !ppy_core.ptr<i64>
  %5 = ppy_core.add %0, %2 overflow<wrap> : i64
  %6 = ppy_core.add %5, %3 overflow<wrap> : i64
  %7 = ppy_core.add %6, %4 overflow<wrap> : i64
  ppy_core.ret %7 : i64
}
