// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s
// Overflow modes, and divisions without a division.

// CHECK-LABEL: llvm.func @modes(
// CHECK: llvm.add %{{.*}}, %{{.*}} : i64
// CHECK: llvm.sub %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: "llvm.intr.smul.with.overflow"
ppy_core.func @modes(%a: i64, %b: i64) -> i64 {
  %0 = ppy_core.add %a, %b overflow<wrap> : i64
  %1 = ppy_core.sub %0, %b overflow<proven> : i64
  %2 = ppy_core.mul %1, %b overflow<native> : i64
  %3 = ppy_core.mul %2, %b overflow<checked> : i64
  ppy_core.ret %3 : i64
}

// CHECK-LABEL: llvm.func @unsigned_modes(
// CHECK: llvm.sub %{{.*}}, %{{.*}} overflow<nuw> : i8
// CHECK: llvm.mul %{{.*}}, %{{.*}} : i8
// CHECK: "llvm.intr.uadd.with.overflow"
// CHECK: llvm.udiv
// CHECK: llvm.icmp "ult"
ppy_core.func @unsigned_modes(%a: ui8, %b: ui8) -> i1 {
  %1 = ppy_core.sub %a, %b overflow<proven> : ui8
  %2 = ppy_core.mul %1, %b overflow<native> : ui8
  %3 = ppy_core.add %2, %b overflow<python> : ui8
  %4 = ppy_core.div %3, %b overflow<python> rounding<floor> : ui8
  %5 = ppy_core.cmp lt, %4, %b : ui8
  ppy_core.ret %5 : i1
}

// CHECK-LABEL: llvm.func @by_eight(
// CHECK-NOT: div
// CHECK-NOT: rem
// CHECK: llvm.ashr
// CHECK: llvm.and
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
ppy_core.func @by_eight(%a: i64) -> (i64, i64) {
  %k = ppy_core.const 8 : i64
  %0 = ppy_core.div %a, %k overflow<python> rounding<floor> : i64
  %1 = ppy_core.mod %a, %k overflow<python> rounding<floor> : i64
  ppy_core.ret %0, %1 : i64, i64
}

// A divisor that is known has nothing to check.
// CHECK-LABEL: llvm.func @by_ten(
// CHECK: llvm.sdiv
// CHECK: llvm.srem
// CHECK: llvm.icmp "slt"
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
ppy_core.func @by_ten(%a: i64) -> i64 {
  %k = ppy_core.const 10 : i64
  %0 = ppy_core.div %a, %k overflow<python> rounding<floor> : i64
  ppy_core.ret %0 : i64
}

// CHECK-LABEL: llvm.func @by_any(
// CHECK: llvm.cond_br
// CHECK: llvm.cond_br
// CHECK: llvm.sdiv
ppy_core.func @by_any(%a: i64, %b: i64) -> i64 {
  %0 = ppy_core.div %a, %b overflow<python> rounding<floor> : i64
  ppy_core.ret %0 : i64
}

// CHECK-LABEL: llvm.func @shifts(
// CHECK: llvm.shl
// CHECK: llvm.ashr
// CHECK: llvm.cond_br
// CHECK: llvm.ashr
ppy_core.func @shifts(%a: i64) -> i64 {
  %k = ppy_core.const 3 : i64
  %0 = ppy_core.shl %a, %k overflow<python> : i64
  %1 = ppy_core.shr %0, %k : i64
  ppy_core.ret %1 : i64
}

// CHECK-LABEL: llvm.func @lanes(
// CHECK: llvm.mul %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<2xf64>
ppy_core.func @lanes(%a: vector<4xi32>, %x: vector<2xf64>) -> (vector<4xi32>, vector<2xf64>) {
  %k = ppy_core.const dense<[1, 2, 3, 4]> : vector<4xi32>
  %0 = ppy_core.mul %a, %k overflow<wrap> : vector<4xi32>
  %1 = ppy_core.add %x, %x : vector<2xf64>
  ppy_core.ret %0, %1 : vector<4xi32>, vector<2xf64>
}

// Fast-math where the function asks for it.
// CHECK-LABEL: llvm.func @fast(
// CHECK: llvm.fadd %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<fast>} : f64
ppy_core.func @fast(%x: f64) -> f64 attributes {fastmath = true} {
  %0 = ppy_core.add %x, %x : f64
  ppy_core.ret %0 : f64
}

// Upstream's operations convert in the same run.
// CHECK-LABEL: llvm.func @mixed(
// CHECK: llvm.add
// CHECK: llvm.br
// CHECK: llvm.intr.sqrt
// CHECK-NOT: builtin.unrealized_conversion_cast
ppy_core.func @mixed(%a: i64, %x: f64) -> (i64, f64) {
  %0 = arith.addi %a, %a : i64
  cf.br ^next(%0 : i64)
^next(%1: i64):
  %2 = math.sqrt %x : f64
  %3 = arith.index_cast %1 : i64 to index
  %4 = ppy_core.cast %3 : index to i64
  ppy_core.ret %4, %2 : i64, f64
}

// Modules in modules, each with its own names.
// CHECK: module {
// CHECK: llvm.func @s(
// CHECK: module {
// CHECK: llvm.func @s(
// CHECK: llvm.call @s(
module {
  ppy_core.func @f() attributes {ppy.symbol = "s"} {
    ppy_core.ret
  }
}
module {
  ppy_core.func @f(%a: i64) attributes {ppy.symbol = "s"} {
    ppy_core.ret
  }
  ppy_core.func @g(%a: i64) {
    ppy_core.call @f(%a) : (i64) -> ()
    ppy_core.ret
  }
}
