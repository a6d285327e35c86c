// RUN: %ppy-opt %s --pass-pipeline='builtin.module(ppy_core.func(if-convert))' | FileCheck %s

// CHECK-LABEL: @diamond
// CHECK: ^bb1(
// CHECK: mul {{.*}} overflow<wrap>
// CHECK: add {{.*}} overflow<wrap>
// CHECK: cmp gt
// CHECK: guard %{{.*}}, overflow
// CHECK: select
// CHECK-NEXT: br
ppy_core.func @diamond(%x: i64) -> i64 {
  %one = ppy_core.const 1 : i64
  %two = ppy_core.const 2 : i64
  %three = ppy_core.const 3 : i64
  ppy_core.br ^loop(%x : i64)
^loop(%n: i64):
  %odd = ppy_core.cmp gt, %n, %one : i64
  ppy_core.cond_br %odd, ^yes, ^no
^yes:
  %a = ppy_core.mul %n, %three overflow<python> : i64
  %b = ppy_core.add %a, %one overflow<python> : i64
  ppy_core.br ^join(%b : i64)
^no:
  %c = ppy_core.div %n, %two overflow<python> rounding<floor> : i64
  ppy_core.br ^join(%c : i64)
^join(%m: i64):
  ppy_core.br ^loop(%m : i64)
}

// Not in a loop, and with an effect on one side: as they are.
// CHECK-LABEL: @once
// CHECK: cond_br
ppy_core.func @once(%c: i1, %x: i64) -> i64 {
  ppy_core.cond_br %c, ^yes, ^join(%x : i64)
^yes:
  %y = ppy_core.add %x, %x overflow<python> : i64
  ppy_core.br ^join(%y : i64)
^join(%r: i64):
  ppy_core.ret %r : i64
}
// CHECK-LABEL: @effect
// CHECK: cond_br
ppy_core.func @effect(%c: i1, %x: i64, %p: !ppy_core.ptr<i64>) {
  ppy_core.br ^loop(%x : i64)
^loop(%n: i64):
  ppy_core.cond_br %c, ^yes, ^join(%n : i64)
^yes:
  %y = ppy_core.add %n, %n overflow<python> : i64
  ppy_core.store %y, %p : !ppy_core.ptr<i64>
  ppy_core.br ^join(%y : i64)
^join(%r: i64):
  ppy_core.br ^loop(%r : i64)
}
