// RUN: %ppy-opt %s --pass-pipeline='builtin.module(inline-calls{budget=3})' | FileCheck %s
// RUN: sed 's/ppy.profile.count = /kept = /' %s | %ppy-opt --pass-pipeline='builtin.module(inline-calls{budget=3})' | FileCheck %s --check-prefix=UNCOUNTED

// A call is as hot as its block: of two calls of one function, which is too large for others, the hot one is inlined.
// The body has the share of its counts that the call has, and its branches keep their weights.
// CHECK-LABEL: @both
// CHECK: cond_br %{{.*}}, ^{{.*}}, ^{{.*}} {ppy.profile.count = 1000 : i64, ppy.weights = [990, 10]}
// CHECK-NOT: call
// CHECK: cond_br %{{.*}}, ^{{.*}}, ^{{.*}} {ppy.profile.count = 990 : i64, ppy.weights = [750, 250]}
// CHECK-DAG: br {{.*}} {ppy.profile.count = 742 : i64}
// CHECK-DAG: br {{.*}} {ppy.profile.count = 247 : i64}
// CHECK: ret {{.*}} {ppy.profile.count = 990 : i64}
// CHECK: call @middling
// CHECK: ret {{.*}} {ppy.profile.count = 10 : i64}
// UNCOUNTED-LABEL: @both
// UNCOUNTED-NOT: call @middling
// UNCOUNTED: @warm
ppy_core.func @both(%x: i64, %c: i1) -> i64 attributes {ppy.profile.calls = 1000 : i64} {
  ppy_core.cond_br %c, ^hot, ^cold {ppy.profile.count = 1000 : i64, ppy.weights = [990, 10]}
^hot:
  %0 = ppy_core.call @middling(%x, %c) : (i64, i1) -> i64
  ppy_core.ret %0 : i64 {ppy.profile.count = 990 : i64}
^cold:
  %1 = ppy_core.call @middling(%x, %c) : (i64, i1) -> i64
  ppy_core.ret %1 : i64 {ppy.profile.count = 10 : i64}
}
// A hot function is no reason to inline a call that is neither hot nor cold.
// CHECK-LABEL: @warm
// CHECK: call @middling
ppy_core.func @warm(%x: i64, %c: i1) -> i64 attributes {ppy.profile.calls = 5 : i64} {
  %0 = ppy_core.call @middling(%x, %c) : (i64, i1) -> i64
  ppy_core.ret %0 : i64 {ppy.profile.count = 5 : i64}
}
// Without counts of the caller, those of the body say nothing of this call, and the callee's hotness counts.
// CHECK-LABEL: @changed
// CHECK-NOT: call
// CHECK-NOT: ppy.profile.count
// CHECK: ppy.weights = [750, 250]
// CHECK-NOT: ppy.profile.count
// CHECK: ret
ppy_core.func @changed(%x: i64, %c: i1) -> i64 {
  %0 = ppy_core.call @middling(%x, %c) : (i64, i1) -> i64
  ppy_core.ret %0 : i64
}
// Small as it is, and its only use: the hot way past a cold call stays short.
// CHECK-LABEL: @rare
// CHECK: call @only
ppy_core.func @rare(%x: i64, %c: i1) -> i64 attributes {ppy.profile.calls = 1000 : i64} {
  ppy_core.cond_br %c, ^cold, ^hot {ppy.profile.count = 1000 : i64, ppy.weights = [19, 981]}
^cold:
  %0 = ppy_core.call @only(%x) : (i64) -> i64
  ppy_core.ret %0 : i64 {ppy.profile.count = 19 : i64}
^hot:
  ppy_core.ret %x : i64 {ppy.profile.count = 981 : i64}
}
// A call in a body that is inlined has its share of the counts too.
// CHECK-LABEL: @nested
// CHECK: br {{.*}} {ppy.profile.count = 4 : i64}
// CHECK: call @middling
// CHECK-NEXT: br {{.*}} {ppy.profile.count = 0 : i64}
// CHECK: ret {{.*}} {ppy.profile.count = 5 : i64}
ppy_core.func @nested(%x: i64, %c: i1) -> i64 attributes {ppy.profile.calls = 5 : i64} {
  %0 = ppy_core.call @calling(%x, %c) : (i64, i1) -> i64
  ppy_core.ret %0 : i64 {ppy.profile.count = 5 : i64}
}
ppy_core.func @calling(%x: i64, %c: i1) -> i64 attributes {ppy.inline = true, ppy.profile.calls = 100 : i64} {
  ppy_core.cond_br %c, ^often, ^seldom {ppy.profile.count = 100 : i64, ppy.weights = [90, 10]}
^often:
  ppy_core.ret %x : i64 {ppy.profile.count = 90 : i64}
^seldom:
  %0 = ppy_core.call @middling(%x, %c) : (i64, i1) -> i64
  ppy_core.ret %0 : i64 {ppy.profile.count = 10 : i64}
}

ppy_core.func @middling(%x: i64, %c: i1) -> i64 attributes {ppy.profile.calls = 2004 : i64, ppy.profile.hot = true} {
  %0 = ppy_core.xor %x, %x : i64
  %1 = ppy_core.xor %0, %x : i64
  %2 = ppy_core.xor %1, %x : i64
  %3 = ppy_core.xor %2, %x : i64
  %4 = ppy_core.xor %3, %x : i64
  ppy_core.cond_br %c, ^yes, ^no {ppy.profile.count = 2004 : i64, ppy.weights = [750, 250]}
^yes:
  ppy_core.ret %4 : i64 {ppy.profile.count = 1503 : i64}
^no:
  ppy_core.ret %x : i64 {ppy.profile.count = 501 : i64}
}
ppy_core.func private @only(%x: i64) -> i64 attributes {ppy.profile.calls = 19 : i64, ppy.profile.hot = true} {
  %0 = ppy_core.xor %x, %x : i64
  %1 = ppy_core.xor %0, %x : i64
  %2 = ppy_core.xor %1, %x : i64
  %3 = ppy_core.xor %2, %x : i64
  ppy_core.ret %3 : i64 {ppy.profile.count = 19 : i64}
}
