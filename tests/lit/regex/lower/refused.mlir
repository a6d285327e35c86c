// RUN: not %ppy-opt %s --convert-ppy-to-llvm 2>&1 | FileCheck %s

// CHECK: 'ppy_regex.search' op cannot be lowered: its pattern becomes a function before: run --lower-regex
ppy_core.func @f(%b: !ppy_core.buffer<ui8>, %p: i64, %e: i64) -> i1 {
  %0:3 = ppy_regex.search %b, %p, %e "a" : !ppy_core.buffer<ui8> -> i64, i64
  ppy_core.ret %0#0 : i1
}
