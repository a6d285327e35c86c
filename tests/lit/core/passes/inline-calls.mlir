// RUN: %ppy-opt %s --pass-pipeline='builtin.module(inline-calls,global-dce)' | FileCheck %s
// RUN: %ppy-opt %s --pass-pipeline='builtin.module(inline-calls{budget=0})' | FileCheck %s --check-prefix=NONE

// Small, or asked for, or hot; not what is cold or large.
// CHECK-LABEL: @calls
// CHECK-NOT: call @small
// CHECK-NOT: call @asked
// CHECK-NOT: call @hot
// CHECK: call @large
// CHECK: call @cold
// NONE-LABEL: @calls
// NONE: call @small
// NONE-NOT: call @asked
// NONE: call @hot
ppy_core.func @calls(%x: i64) -> i64 {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  %1 = ppy_core.call @asked(%0) : (i64) -> i64
  %2 = ppy_core.call @hot(%1) : (i64) -> i64
  %3 = ppy_core.call @large(%2) : (i64) -> i64
  %4 = ppy_core.call @cold(%3) : (i64) -> i64
  ppy_core.ret %4 : i64
}
// The only use of a private function goes with it.
// CHECK-LABEL: @only_use
// CHECK-NOT: call
// CHECK: ret
ppy_core.func @only_use(%x: i64) -> i64 {
  %0 = ppy_core.call @once(%x) : (i64) -> i64
  ppy_core.ret %0 : i64
}
// A block that a profile never saw run takes in nothing.
// CHECK-LABEL: @never
// CHECK: call @small
ppy_core.func @never(%x: i64) -> i64 {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  ppy_core.ret %0 : i64 {ppy.profile.count = 0 : i64}
}
// Instructions that the caller may not use, and another arithmetic, stay where they are.
// CHECK-LABEL: @plain
// CHECK: call @wide
// CHECK: call @fast
ppy_core.func @plain(%x: i64) -> i64 {
  %0 = ppy_core.call @wide(%x) : (i64) -> i64
  %1 = ppy_core.call @fast(%0) : (i64) -> i64
  ppy_core.ret %1 : i64
}
// CHECK-LABEL: @also_wide
// CHECK-NOT: call
// CHECK: ret
ppy_core.func @also_wide(%x: i64) -> i64 attributes {cpu.features = ["avx2", "fma"]} {
  %0 = ppy_core.call @wide(%x) : (i64) -> i64
  ppy_core.ret %0 : i64
}
// Coroutines, generators, kernels and resume functions are lowered in their own way.
// CHECK-LABEL: @special
// CHECK-COUNT-4: call
ppy_core.func @special(%x: i64) -> i64 {
  %0 = ppy_core.call @coroutine(%x) : (i64) -> i64
  %1 = ppy_core.call @generator(%0) : (i64) -> i64
  %2 = ppy_core.call @kernel(%1) : (i64) -> i64
  %3 = ppy_core.call @resume(%2) : (i64) -> i64
  ppy_core.ret %3 : i64
}
// CHECK-LABEL: @inside_resume
// CHECK: call @small
ppy_core.func @inside_resume(%x: i64) -> i64 attributes {ppy.abi = "resume"} {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  ppy_core.ret %0 : i64
}
// CHECK-LABEL: @itself
// CHECK: call @itself
ppy_core.func @itself(%x: i64) -> i64 attributes {ppy.inline = true} {
  %0 = ppy_core.call @itself(%x) : (i64) -> i64
  ppy_core.ret %0 : i64
}

// CHECK-LABEL: @small
// CHECK-NOT: @once
ppy_core.func @small(%x: i64) -> i64 {
  %0 = ppy_core.add %x, %x overflow<wrap> : i64
  %1 = ppy_core.add %0, %x overflow<wrap> : i64
  %2 = ppy_core.add %1, %x overflow<wrap> : i64
  %3 = ppy_core.add %2, %x overflow<wrap> : i64
  %4 = ppy_core.add %3, %x overflow<wrap> : i64
  ppy_core.ret %4 : i64
}
ppy_core.func private @once(%x: i64) -> i64 {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  %1 = ppy_core.call @small(%0) : (i64) -> i64
  %2 = ppy_core.call @small(%1) : (i64) -> i64
  %3 = ppy_core.call @small(%2) : (i64) -> i64
  %4 = ppy_core.call @small(%3) : (i64) -> i64
  %5 = ppy_core.call @small(%4) : (i64) -> i64
  %6 = ppy_core.call @small(%5) : (i64) -> i64
  %7 = ppy_core.call @small(%6) : (i64) -> i64
  %8 = ppy_core.call @small(%7) : (i64) -> i64
  ppy_core.ret %8 : i64
}
ppy_core.func @large(%x: i64) -> i64 {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  %1 = ppy_core.call @small(%0) : (i64) -> i64
  %2 = ppy_core.call @small(%1) : (i64) -> i64
  %3 = ppy_core.call @small(%2) : (i64) -> i64
  %4 = ppy_core.call @small(%3) : (i64) -> i64
  %5 = ppy_core.call @small(%4) : (i64) -> i64
  %6 = ppy_core.call @small(%5) : (i64) -> i64
  %7 = ppy_core.call @small(%6) : (i64) -> i64
  %8 = ppy_core.call @small(%7) : (i64) -> i64
  ppy_core.ret %8 : i64
}
ppy_core.func @asked(%x: i64) -> i64 attributes {ppy.inline = true} {
  %0 = ppy_core.call @large(%x) : (i64) -> i64
  ppy_core.ret %0 : i64
}
ppy_core.func @hot(%x: i64) -> i64 attributes {ppy.profile.hot = true} {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  %1 = ppy_core.call @small(%0) : (i64) -> i64
  %2 = ppy_core.call @small(%1) : (i64) -> i64
  %3 = ppy_core.call @small(%2) : (i64) -> i64
  %4 = ppy_core.call @small(%3) : (i64) -> i64
  %5 = ppy_core.call @small(%4) : (i64) -> i64
  %6 = ppy_core.call @small(%5) : (i64) -> i64
  %7 = ppy_core.call @small(%6) : (i64) -> i64
  %8 = ppy_core.call @small(%7) : (i64) -> i64
  ppy_core.ret %8 : i64
}
ppy_core.func @cold(%x: i64) -> i64 attributes {ppy.profile.cold = true} {
  %0 = ppy_core.call @small(%x) : (i64) -> i64
  ppy_core.ret %0 : i64
}
ppy_core.func @wide(%x: i64) -> i64 attributes {cpu.features = ["avx2"]} {
  ppy_core.ret %x : i64
}
ppy_core.func @fast(%x: i64) -> i64 attributes {fastmath = true} {
  ppy_core.ret %x : i64
}
ppy_core.func @coroutine(%x: i64) -> i64 attributes {ppy.async = true} {
  ppy_core.ret %x : i64
}
ppy_core.func @generator(%x: i64) -> i64 attributes {ppy.generator.lowered = true} {
  ppy_core.ret %x : i64
}
ppy_core.func @kernel(%x: i64) -> i64 attributes {gpu.kind = "kernel"} {
  ppy_core.ret %x : i64
}
ppy_core.func @resume(%x: i64) -> i64 attributes {ppy.abi = "resume"} {
  ppy_core.ret %x : i64
}
// What is lent would leave its function with the callee's body.
// CHECK-LABEL: ppy_core.func @keeps_calling(
// CHECK: call @same(
// CHECK-NEXT: load
ppy_core.func @keeps_calling(%p: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}) -> !ppy_core.ptr<i64> {
  %0 = ppy_core.call @same(%p) : (!ppy_core.ptr<i64>) -> !ppy_core.ptr<i64>
  %1 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  ppy_core.ret %0 : !ppy_core.ptr<i64>
}
ppy_core.func @same(%p: !ppy_core.ptr<i64>) -> !ppy_core.ptr<i64> {
  ppy_core.ret %p : !ppy_core.ptr<i64>
}
ppy_core.func @reads(%p: !ppy_core.ptr<i64>) -> i64 {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret %0 : i64
}
