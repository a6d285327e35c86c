// RUN: %ppy-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: @subtract_constant
// CHECK-DAG: %[[M:.*]] = const -3 : i64
// CHECK-DAG: %[[MIN:.*]] = const -128 : i8
// CHECK-DAG: %[[U:.*]] = const 253 : ui8
// CHECK: ppy_atomic.fetch_add release %{{.*}}, %[[M]]
// CHECK: ppy_atomic.fetch_add relaxed %{{.*}}, %[[MIN]]
// CHECK: ppy_atomic.fetch_add seq_cst %{{.*}}, %[[U]]
// CHECK-NOT: fetch_sub
ppy_core.func @subtract_constant(%p: !ppy_core.ptr<i64>, %q: !ppy_core.ptr<i8>, %r: !ppy_core.ptr<ui8>) -> (i64, i8, ui8) {
  %three = ppy_core.const 3 : i64
  %least = ppy_core.const -128 : i8
  %u = ppy_core.const 3 : ui8
  %0 = ppy_atomic.fetch_sub release %p, %three : !ppy_core.ptr<i64>
  %1 = ppy_atomic.fetch_sub relaxed %q, %least : !ppy_core.ptr<i8>
  %2 = ppy_atomic.fetch_sub seq_cst %r, %u : !ppy_core.ptr<ui8>
  ppy_core.ret %0, %1, %2 : i64, i8, ui8
}

// CHECK-LABEL: @fences
// CHECK-NEXT: ppy_atomic.fence acq_rel
// CHECK-NEXT: load
// CHECK-NEXT: ppy_atomic.fence seq_cst
// CHECK-NEXT: ret
ppy_core.func @fences(%p: !ppy_core.ptr<i64>) -> i64 {
  ppy_atomic.fence acquire
  ppy_atomic.fence release
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_atomic.fence release
  ppy_atomic.fence seq_cst
  ppy_atomic.fence acquire
  ppy_core.ret %0 : i64
}

// Nobody reads a relaxed load: it orders nothing and goes.
// CHECK-LABEL: @unused
// CHECK-NEXT: ppy_atomic.load acquire
// CHECK-NEXT: ppy_atomic.exchange relaxed
// CHECK-NEXT: ret
ppy_core.func @unused(%p: !ppy_core.ptr<i64>, %v: i64) {
  %0 = ppy_atomic.load relaxed %p : !ppy_core.ptr<i64>
  %1 = ppy_atomic.load acquire %p : !ppy_core.ptr<i64>
  %2 = ppy_atomic.exchange relaxed %p, %v : !ppy_core.ptr<i64>
  ppy_core.ret
}
