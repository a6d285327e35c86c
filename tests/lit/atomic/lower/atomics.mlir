// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s

// The instruction of exactly the order that is written; relaxed is LLVM's monotonic.
// CHECK-LABEL: llvm.func @orders(
// CHECK: llvm.load %{{.*}} atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: llvm.load %{{.*}} atomic acquire {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: llvm.load %{{.*}} atomic seq_cst {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic monotonic {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic release {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %{{.*}} atomic seq_cst {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} monotonic
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} acquire
// CHECK: llvm.atomicrmw sub %{{.*}}, %{{.*}} release
// CHECK: llvm.atomicrmw _and %{{.*}}, %{{.*}} acq_rel
// CHECK: llvm.atomicrmw _or %{{.*}}, %{{.*}} seq_cst
// CHECK: llvm.atomicrmw _xor %{{.*}}, %{{.*}} monotonic
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} acq_rel acquire
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} release monotonic
// CHECK: llvm.fence acquire
// CHECK: llvm.fence release
// CHECK: llvm.fence acq_rel
// CHECK: llvm.fence seq_cst
// CHECK-NOT: ppy_atomic
ppy_core.func @orders(%p: !ppy_core.ptr<i64>, %v: i64) {
  %0 = ppy_atomic.load relaxed %p : !ppy_core.ptr<i64>
  %1 = ppy_atomic.load acquire %p : !ppy_core.ptr<i64>
  %2 = ppy_atomic.load seq_cst %p : !ppy_core.ptr<i64>
  ppy_atomic.store relaxed %v, %p : !ppy_core.ptr<i64>
  ppy_atomic.store release %v, %p : !ppy_core.ptr<i64>
  ppy_atomic.store seq_cst %v, %p : !ppy_core.ptr<i64>
  %3 = ppy_atomic.exchange relaxed %p, %v : !ppy_core.ptr<i64>
  %4 = ppy_atomic.fetch_add acquire %p, %v : !ppy_core.ptr<i64>
  %5 = ppy_atomic.fetch_sub release %p, %v : !ppy_core.ptr<i64>
  %6 = ppy_atomic.fetch_and acq_rel %p, %v : !ppy_core.ptr<i64>
  %7 = ppy_atomic.fetch_or seq_cst %p, %v : !ppy_core.ptr<i64>
  %8 = ppy_atomic.fetch_xor relaxed %p, %v : !ppy_core.ptr<i64>
  %9:2 = ppy_atomic.compare_exchange acq_rel acquire %p, %v, %v : !ppy_core.ptr<i64>
  %10:2 = ppy_atomic.compare_exchange release relaxed %p, %v, %v : !ppy_core.ptr<i64>
  ppy_atomic.fence acquire
  ppy_atomic.fence release
  ppy_atomic.fence acq_rel
  ppy_atomic.fence seq_cst
  ppy_core.ret
}

// Floats by their bits, bytes as bytes.
// CHECK-LABEL: llvm.func @types(
// CHECK: %[[B:.*]] = llvm.load %{{.*}} atomic acquire {alignment = 8 : i64} : !llvm.ptr -> i64
// CHECK: llvm.bitcast %[[B]] : i64 to f64
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} seq_cst seq_cst {alignment = 8 : i64} : !llvm.ptr, i64
// CHECK: llvm.load %{{.*}} atomic monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} seq_cst {alignment = 1 : i64} : !llvm.ptr, i8
ppy_core.func @types(%p: !ppy_core.ptr<f64>, %h: !ppy_core.ptr<f16>, %b: !ppy_core.ptr<ui8>, %v: ui8) -> ui8 {
  %0 = ppy_atomic.load acquire %p : !ppy_core.ptr<f64>
  %1:2 = ppy_atomic.compare_exchange seq_cst seq_cst %p, %0, %0 : !ppy_core.ptr<f64>
  %2 = ppy_atomic.load relaxed %h : !ppy_core.ptr<f16>
  %3 = ppy_atomic.fetch_add seq_cst %b, %v : !ppy_core.ptr<ui8>
  ppy_core.ret %3 : ui8
}
