// RUN: %ppy-opt %s -canonicalize | FileCheck %s
// RUN: %ppy-opt %s -simplify-cfg | FileCheck %s --check-prefix=CFG

// CHECK-LABEL: @diamond
// CHECK-NOT: ^bb
// CHECK: select
// CHECK-NEXT: ret
// CFG-LABEL: @diamond
// CFG-NOT: ^bb
// CFG: select
ppy_core.func @diamond(%c: i1, %x: i64, %y: i64) -> i64 {
  ppy_core.cond_br %c, ^yes, ^no
^yes:
  ppy_core.br ^join(%x : i64)
^no:
  ppy_core.br ^join(%y : i64)
^join(%r: i64):
  ppy_core.ret %r : i64
}

// Two blocks alike are not merged: their guards have labels of their own.
// CHECK-LABEL: @alike
// CHECK: guard {{.*}} {label = "raised"}
// CHECK: guard {{.*}} {label = "sanitize:bounds"}
ppy_core.func @alike(%c: i1, %d: i1) {
  ppy_core.cond_br %c, ^yes, ^no
^yes:
  ppy_core.guard %d, contract {label = "raised"}
  ppy_core.ret
^no:
  ppy_core.guard %d, contract {label = "sanitize:bounds"}
  ppy_core.ret
}

// The weights of a profile keep their ways.
// CHECK-LABEL: @weights
// CHECK: xor
// CHECK: cond_br {{.*}} {ppy.weights = [9, 1]}
ppy_core.func @weights(%c: i1, %x: i64) -> i64 {
  %true = ppy_core.const true
  %0 = ppy_core.xor %c, %true : i1
  ppy_core.cond_br %0, ^yes, ^no {ppy.weights = [9, 1]}
^yes:
  %1 = ppy_core.mul %x, %x overflow<checked> : i64
  ppy_core.ret %1 : i64
^no:
  ppy_core.ret %x : i64
}

// CHECK-LABEL: @unreachable_cycle
// CHECK-NEXT: ret
// CFG-LABEL: @unreachable_cycle
// CFG-NEXT: ret
ppy_core.func @unreachable_cycle(%x: i64) -> i64 {
  ppy_core.ret %x : i64
^a(%p: i64):
  %zero = ppy_core.const 0 : i64
  %0 = ppy_core.add %p, %zero overflow<python> : i64
  ppy_core.br ^a(%0 : i64)
}
