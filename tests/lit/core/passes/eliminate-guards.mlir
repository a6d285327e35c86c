// RUN: %ppy-opt %s --pass-pipeline='builtin.module(infer-effects,ppy_core.func(eliminate-guards),canonicalize)' | FileCheck %s
// RUN: %ppy-translate --ppy-to-llvmir -O3 --target=x86_64-linux-gnu --cpu=x86-64-v3 %s | FileCheck %s --check-prefix=IR
// What is known of indices, lengths and floats: docs/fallback.md.

// One comparison without a sign ahead of the multiplication, which cannot overflow then: 1023 / 16 is 63.
// CHECK-LABEL: func @product(
// CHECK: %[[X:.*]] = cast %arg0 : i64 to ui64
// CHECK: %[[FITS:.*]] = cmp le, %[[X]], %c63 : ui64
// CHECK-NEXT: guard %[[FITS]], bounds
// CHECK: mul %arg0, %c16 overflow<proven> : i64
// CHECK: add %{{.*}}, %{{.*}} overflow<proven> : i64
// CHECK: %[[BELOW:.*]] = cmp lt
// CHECK-NEXT: guard %[[BELOW]], bounds
// IR-LABEL: @product(
// IR-NOT: with.overflow
// IR: icmp ult i64 %{{.*}}, 64
ppy_core.func @product(%x: i64, %y: i64, %w: i64) -> i64 {
  %z = ppy_core.const 0 : i64
  %m = ppy_core.const 1024 : i64
  %k = ppy_core.const 16 : i64
  %c15 = ppy_core.const 15 : i64
  %p = ppy_core.mul %x, %k overflow<python> : i64
  %b = ppy_core.and %y, %c15 : i64
  %s = ppy_core.add %p, %b overflow<python> : i64
  %low = ppy_core.cmp ge, %s, %z : i64
  %high = ppy_core.cmp lt, %s, %m : i64
  %inside = ppy_core.and %low, %high : i1
  ppy_core.guard %inside, bounds
  ppy_core.ret %s : i64
}

// An index below a length and another do not overflow in their sum; both came from 1 upwards.
// CHECK-LABEL: func @strides(
// CHECK-NOT: guard
// CHECK: add %{{.*}}, %{{.*}} overflow<proven> : i64
// CHECK: add %{{.*}}, %{{.*}} overflow<proven> : i64
// IR-LABEL: @strides(
// IR-SAME: i64 range(i64 0, 1152921504606846977)
ppy_core.func @strides(%b: !ppy_core.buffer<ui8>) -> i64 {
  %zero = ppy_core.const 0 : ui8
  %z = ppy_core.const 0 : i64
  %one = ppy_core.const 1 : i64
  %l = ppy_core.buffer_len %b : !ppy_core.buffer<ui8>
  %n = ppy_core.cast %l : index to i64
  ppy_core.br ^outer(%one : i64)
^outer(%i: i64):
  %c = ppy_core.cmp lt, %i, %n : i64
  ppy_core.cond_br %c, ^inner(%i : i64), ^exit
^inner(%j: i64):
  %d = ppy_core.cmp lt, %j, %n : i64
  ppy_core.cond_br %d, ^body, ^latch
^body:
  %low = ppy_core.cmp ge, %j, %z : i64
  ppy_core.guard %low, bounds
  ppy_core.buffer_store %zero, %b[%j] : !ppy_core.buffer<ui8>, i64
  %k = ppy_core.add %j, %i overflow<python> : i64
  ppy_core.br ^inner(%k : i64)
^latch:
  %next = ppy_core.add %i, %one overflow<proven> : i64
  ppy_core.br ^outer(%next : i64)
^exit:
  ppy_core.ret %n : i64
}

// CHECK-LABEL: func @not_zero(
// CHECK-NOT: guard
ppy_core.func @not_zero(%x: f64) -> f64 {
  %zero = ppy_core.const 0.0 : f64
  %c = ppy_core.const 0.05 : f64
  %p = ppy_core.mul %x, %x : f64
  %s = ppy_core.add %p, %c : f64
  %other = ppy_core.cmp ne, %s, %zero : f64
  ppy_core.guard %other, zero_division
  %q = ppy_core.div %c, %s : f64
  ppy_core.ret %q : f64
}

// Fast-math may compute it in another way.
// CHECK-LABEL: func @fast(
// CHECK: guard
ppy_core.func @fast(%x: f64) -> f64 attributes {fastmath = true} {
  %zero = ppy_core.const 0.0 : f64
  %c = ppy_core.const 0.05 : f64
  %p = ppy_core.mul %x, %x : f64
  %s = ppy_core.add %p, %c : f64
  %other = ppy_core.cmp ne, %s, %zero : f64
  ppy_core.guard %other, zero_division
  %q = ppy_core.div %c, %s : f64
  ppy_core.ret %q : f64
}

// At -O3 a counted loop with a guard is unrolled.
// IR-LABEL: @sum(
// IR-COUNT-8: with.overflow
ppy_core.func @sum(%b: !ppy_core.buffer<i64>) -> i64 {
  %z = ppy_core.const 0 : i64
  %one = ppy_core.const 1 : i64
  %l = ppy_core.buffer_len %b : !ppy_core.buffer<i64>
  %n = ppy_core.cast %l : index to i64
  ppy_core.br ^head(%z, %z : i64, i64)
^head(%i: i64, %s: i64):
  %c = ppy_core.cmp lt, %i, %n : i64
  ppy_core.cond_br %c, ^body, ^exit
^body:
  %v = ppy_core.buffer_load %b[%i] : !ppy_core.buffer<i64>, i64
  %w = ppy_core.mul %v, %v overflow<python> : i64
  %t = ppy_core.add %s, %w overflow<python> : i64
  %next = ppy_core.add %i, %one overflow<proven> : i64
  ppy_core.br ^head(%next, %t : i64, i64)
^exit:
  ppy_core.ret %s : i64
}
