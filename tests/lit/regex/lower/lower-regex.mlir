// RUN: %ppy-opt %s --lower-regex | FileCheck %s
// RUN: %ppy-opt %s --lower-regex=engine=table | FileCheck %s --check-prefix=TABLE
// RUN: %ppy-opt %s --lower-regex=engine=backtrack | FileCheck %s --check-prefix=BACK
// RUN: not %ppy-opt %s --lower-regex=engine=perl 2>&1 | FileCheck %s --check-prefix=ENGINE

// ENGINE: --lower-regex has no engine 'perl': it is auto, table or backtrack

// One function for each distinct pattern, flags and operation.
// CHECK-LABEL: @f
// CHECK: call @ppy.regex.1(
// CHECK-NEXT: call @ppy.regex.1(
// CHECK-NEXT: call @ppy.regex.2(
// CHECK-NEXT: call @ppy.regex.3(
// CHECK-NOT: ppy_regex
// CHECK: ppy_core.func private @ppy.regex.1(
// CHECK-SAME: ppy.regex = "(a|bc)+d", ppy.synthesized = "regex.search"
// CHECK: ppy_core.func private @ppy.regex.2(
// CHECK-SAME: ppy.synthesized = "regex.match"
// CHECK: ppy_core.func private @ppy.regex.3(

// Slots for two registers, the position, nothing, a spare, and four ends.
// TABLE: alloca count<9>
// TABLE-NOT: guard

// BACK: alloca count<12288>
// BACK: guard {{.*}}"regex.stack.ok"
ppy_core.func @f(%b: !ppy_core.buffer<ui8>, %p: i64, %e: i64) -> i1 {
  %0:5 = ppy_regex.search %b, %p, %e "(a|bc)+d" : !ppy_core.buffer<ui8> -> i64, i64, i64, i64
  %1:5 = ppy_regex.search %b, %p, %e "(a|bc)+d" : !ppy_core.buffer<ui8> -> i64, i64, i64, i64
  %2:5 = ppy_regex.match %b, %p, %e "(a|bc)+d" : !ppy_core.buffer<ui8> -> i64, i64, i64, i64
  %3:5 = ppy_regex.search %b, %p, %e "(a|bc)+d" flags 2 : !ppy_core.buffer<ui8> -> i64, i64, i64, i64
  ppy_core.ret %3#0 : i1
}

// Names that are taken stay.
ppy_core.func @ppy.regex.0() {
  ppy_core.ret
}
