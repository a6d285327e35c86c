// RUN: %ppy-opt %s -ppy-sccp | FileCheck %s
// RUN: %ppy-opt %s -ppy-sccp -ppy-sccp | FileCheck %s

// What is a constant on the ways that are taken; the constants that are there keep their places.
// CHECK-LABEL: ppy_core.func @counts(
// CHECK-NEXT: %[[R:.*]] = const 5 : i64
// CHECK-NEXT: const true
// CHECK-NEXT: const 2 : i64
// CHECK-NEXT: const 3 : i64
// CHECK: ret %[[R]] : i64
ppy_core.func @counts() -> i64 {
  %two = ppy_core.const 2 : i64
  %three = ppy_core.const 3 : i64
  %less = ppy_core.cmp lt, %two, %three : i64
  ppy_core.cond_br %less, ^yes(%two : i64), ^no
^no:
  ppy_core.br ^yes(%three : i64)
^yes(%x: i64):
  %sum = ppy_core.add %x, %three overflow<python> : i64
  ppy_core.ret %sum : i64
}

// What fails stays, and so does what is not known.
// CHECK-LABEL: ppy_core.func @fails(
// CHECK: %[[SUM:.*]] = add %{{.*}} overflow<checked> : i64
// CHECK: ret %[[SUM]]
ppy_core.func @fails() -> i64 {
  %most = ppy_core.const 9223372036854775807 : i64
  %one = ppy_core.const 1 : i64
  %sum = ppy_core.add %most, %one overflow<checked> : i64
  ppy_core.ret %sum : i64
}
