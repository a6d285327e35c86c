// RUN: %ppy-opt %s --pass-pipeline='builtin.module(ppy_core.func(canonicalize,cse,loop-invariant-code-motion,mem2reg,canonicalize,cse))' | FileCheck %s

// What an acquire load or a fence orders is read again after it; a relaxed one orders nothing.
// CHECK-LABEL: @read_again
// CHECK: load %{{.*}} :
// CHECK: ppy_atomic.load acquire
// CHECK: load %{{.*}} :
// CHECK: ppy_atomic.fence seq_cst
// CHECK: load %{{.*}} :
// CHECK: ppy_atomic.load relaxed
// CHECK-NOT: load %{{.*}} :
// CHECK: ret
ppy_core.func @read_again(%p: !ppy_core.ptr<i64>, %flag: !ppy_core.ptr<i64>) -> (i64, i64, i64, i64, i64, i64) {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  %f = ppy_atomic.load acquire %flag : !ppy_core.ptr<i64>
  %1 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_atomic.fence seq_cst
  %2 = ppy_core.load %p : !ppy_core.ptr<i64>
  %g = ppy_atomic.load relaxed %flag : !ppy_core.ptr<i64>
  %3 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret %0, %f, %1, %2, %g, %3 : i64, i64, i64, i64, i64, i64
}

// A store before a release is there when it happens.
// CHECK-LABEL: @published
// CHECK: store %{{.*}}, %[[P:.*]] :
// CHECK: ppy_atomic.store release
// CHECK: store %{{.*}}, %[[P]] :
ppy_core.func @published(%p: !ppy_core.ptr<i64>, %flag: !ppy_core.ptr<i64>, %v: i64) {
  ppy_core.store %v, %p : !ppy_core.ptr<i64>
  ppy_atomic.store release %v, %flag : !ppy_core.ptr<i64>
  ppy_core.store %v, %p : !ppy_core.ptr<i64>
  ppy_core.ret
}

// A loop that waits reads each time round.
// CHECK-LABEL: @spin
// CHECK: br ^[[HEAD:.*]]
// CHECK: ^[[HEAD]]:
// CHECK-NEXT: ppy_atomic.load relaxed
ppy_core.func @spin(%flag: !ppy_core.ptr<i64>) {
  %zero = ppy_core.const 0 : i64
  ppy_core.br ^head
^head:
  %0 = ppy_atomic.load relaxed %flag : !ppy_core.ptr<i64>
  %1 = ppy_core.cmp eq, %0, %zero : i64
  ppy_core.cond_br %1, ^head, ^done
^done:
  ppy_core.ret
}

// Stack memory that another thread may see stays memory.
// CHECK-LABEL: @slot
// CHECK: alloca
// CHECK: ppy_atomic.fetch_add
ppy_core.func @slot(%v: i64) -> i64 {
  %0 = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  ppy_core.store %v, %0 : !ppy_core.ptr<i64, stack>
  %1 = ppy_atomic.fetch_add relaxed %0, %v : !ppy_core.ptr<i64, stack>
  %2 = ppy_core.load %0 : !ppy_core.ptr<i64, stack>
  ppy_core.ret %2 : i64
}
