// RUN: %ppy-opt %s -split-input-file --pass-pipeline='builtin.module(infer-effects,ppy_core.func(eliminate-guards))' | FileCheck %s
// RUN: %ppy-opt %s -split-input-file --eliminate-guards | FileCheck %s --check-prefix=ALONE
// What is known of the lengths of buffers: docs/fallback.md.

// ALONE-NOT: proven
// Where the module makes buffers of any length, their lengths are any numbers.
// CHECK: module @makes_buffers
module @makes_buffers {
  // CHECK: add %{{.*}} overflow<checked>
  ppy_core.func @one_more(%b: !ppy_core.buffer<i64>) -> i64 {
    %one = ppy_core.const 1 : i64
    %l = ppy_core.buffer_len %b : !ppy_core.buffer<i64>
    %n = ppy_core.cast %l : index to i64
    %m = ppy_core.add %n, %one overflow<checked> : i64
    ppy_core.ret %m : i64
  }
  ppy_core.func @makes(%p: !ppy_core.ptr<i64>, %n: i64) -> i64 {
    %b = ppy_core.call_intrinsic "ppy.buffer_from_parts"(%p, %n) : (!ppy_core.ptr<i64>, i64) -> !ppy_core.buffer<i64>
    %r = ppy_core.call @one_more(%b) : (!ppy_core.buffer<i64>) -> i64
    ppy_core.ret %r : i64
  }
}
// -----

// CHECK: module @makes_none attributes {ppy.lengths_fit = true}
module @makes_none {
  // CHECK: add %{{.*}} overflow<proven>
  ppy_core.func @one_more(%b: !ppy_core.buffer<i64>) -> i64 {
    %one = ppy_core.const 1 : i64
    %l = ppy_core.buffer_len %b : !ppy_core.buffer<i64>
    %n = ppy_core.cast %l : index to i64
    %m = ppy_core.add %n, %one overflow<checked> : i64
    ppy_core.ret %m : i64
  }
}
