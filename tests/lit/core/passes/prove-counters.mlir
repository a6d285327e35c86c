// RUN: %ppy-opt %s --pass-pipeline='builtin.module(ppy_core.func(prove-counters))' | FileCheck %s

// A counter from a constant, through a select and a second loop variable.
// CHECK-LABEL: @counts
ppy_core.func @counts(%n: i64, %c: i1) -> i64 {
  %zero = ppy_core.const 0 : i64
  %one = ppy_core.const 1 : i64
  ppy_core.br ^head(%zero, %zero : i64, i64)
^head(%i: i64, %k: i64):
  %more = ppy_core.cmp lt, %i, %n : i64
  ppy_core.cond_br %more, ^body, ^exit
^body:
  // CHECK: add %{{.*}}, %{{.*}} overflow<proven>
  %k1 = ppy_core.add %k, %one overflow<python> : i64
  %k2 = ppy_core.select %c, %k1, %k : i1, i64
  // CHECK: add %{{.*}}, %{{.*}} overflow<proven>
  %i1 = ppy_core.add %i, %one overflow<checked> : i64
  ppy_core.br ^head(%i1, %k2 : i64, i64)
^exit:
  ppy_core.ret %k : i64
}

// What starts from a parameter, or moves by something unknown or large, may overflow.
// CHECK-LABEL: @sums
ppy_core.func @sums(%n: i64, %start: i64) -> (i64, i64, i64) {
  %zero = ppy_core.const 0 : i64
  %one = ppy_core.const 1 : i64
  %large = ppy_core.const 17 : i64
  ppy_core.br ^head(%start, %zero, %zero : i64, i64, i64)
^head(%i: i64, %s: i64, %t: i64):
  %more = ppy_core.cmp lt, %i, %n : i64
  ppy_core.cond_br %more, ^body, ^exit
^body:
  // CHECK-COUNT-3: overflow<python>
  %i1 = ppy_core.add %i, %one overflow<python> : i64
  %s1 = ppy_core.add %s, %i overflow<python> : i64
  %t1 = ppy_core.add %t, %large overflow<python> : i64
  ppy_core.br ^head(%i1, %s1, %t1 : i64, i64, i64)
^exit:
  ppy_core.ret %i, %s, %t : i64, i64, i64
}

// A wrapping step may leave the range at once, and narrow integers are full in no time.
// CHECK-LABEL: @wraps
ppy_core.func @wraps(%n: i64, %m: i8) -> (i64, i8) {
  %zero = ppy_core.const 0 : i64
  %one = ppy_core.const 1 : i64
  %zero8 = ppy_core.const 0 : i8
  %one8 = ppy_core.const 1 : i8
  ppy_core.br ^head(%zero, %zero8 : i64, i8)
^head(%i: i64, %k: i8):
  %more = ppy_core.cmp lt, %i, %n : i64
  ppy_core.cond_br %more, ^body, ^exit
^body:
  // CHECK: overflow<wrap>
  // CHECK: overflow<python>
  // CHECK: overflow<python>
  %i1 = ppy_core.add %i, %one overflow<wrap> : i64
  %i2 = ppy_core.add %i1, %one overflow<python> : i64
  %k1 = ppy_core.add %k, %one8 overflow<python> : i8
  ppy_core.br ^head(%i2, %k1 : i64, i8)
^exit:
  ppy_core.ret %i, %k : i64, i8
}
