// RUN: %ppy-opt %s --lower-parallel='threads=3 minimum=10' | FileCheck %s
// RUN: %ppy-opt %s --lower-parallel='backend=serial' | FileCheck %s --check-prefix=SERIAL
// RUN: %ppy-opt %s --lower-parallel='threads=1' | FileCheck %s --check-prefix=SERIAL
// RUN: %ppy-opt %s --lower-parallel='backend=openmp' | FileCheck %s --check-prefix=OPENMP
// RUN: not %ppy-opt %s --lower-parallel='backend=cilk' 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not %ppy-opt %s --lower-parallel='threads=1000' 2>&1 | FileCheck %s --check-prefix=THREADS

// BACKEND: error: lower-parallel has no backend "cilk": it is threads, serial or openmp
// THREADS: error: lower-parallel cannot split for 1000 threads: it is 1 to 256, or 0 for this machine's processors

// SERIAL-NOT: spawn
// SERIAL-NOT: ppy_parallel
// OPENMP: ppy_parallel.for @chunk
// OPENMP: ppy_parallel.reduce @sum
// OPENMP: ppy_parallel.map @one
// OPENMP-NOT: spawn

// The module says what the linker needs.
// CHECK: module attributes {{{.*}}ppy.libraries = ["pthread"]

ppy_core.func private @chunk(%k: i64, %begin: i64, %end: i64) {
  ppy_core.ret
}
ppy_core.func private @sum(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %acc, %end overflow<python> : i64
  ppy_core.ret %0 : i64
}
ppy_core.func private @total(%begin: i64, %end: i64, %acc: f64) -> f64 {
  ppy_core.ret %acc : f64
}
ppy_core.func private @one(%k: f64, %i: i64) -> f64 {
  ppy_core.ret %k : f64
}

// CHECK-LABEL: @each
// CHECK-NEXT: call @chunk__split
// CHECK-NEXT: call @chunk__split
// CHECK-NEXT: ret
// SERIAL-LABEL: @each
// SERIAL-NEXT: call @chunk(
// SERIAL-NEXT: call @chunk(
// SERIAL-NEXT: ret
ppy_core.func @each(%k: i64, %n: i64) {
  ppy_parallel.for @chunk(%k) from %k to %n : (i64)
  ppy_parallel.for @chunk(%k) from %n to %k : (i64)
  ppy_core.ret
}

// CHECK-LABEL: @summed
// CHECK-NEXT: call @sum__split
// SERIAL-LABEL: @summed
// SERIAL-NEXT: call @sum(
ppy_core.func @summed(%k: i64, %n: i64) -> i64 {
  %0 = ppy_parallel.reduce @sum() from %k to %n, add, %k {reassociate = true} : () -> i64
  ppy_core.ret %0 : i64
}

// A float reduction that may not be reassociated is one chunk, whatever is asked for.
// CHECK-LABEL: @exact
// CHECK-NEXT: call @total(
ppy_core.func @exact(%n: i64, %x: f64) -> f64 {
  %0 = ppy_parallel.reduce @total() from %n to %n, add, %x {reassociate = false} : () -> f64
  ppy_core.ret %0 : f64
}

// CHECK-LABEL: @loose
// CHECK-NEXT: call @total__split
ppy_core.func @loose(%n: i64, %x: f64) -> f64 {
  %0 = ppy_parallel.reduce @total() from %n to %n, min, %x {reassociate = true} : () -> f64
  ppy_core.ret %0 : f64
}

// Checked sums, and what a sanitizer made of others, fail where a partial result of the whole range does not fit.
ppy_core.func private @checked(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %acc, %end overflow<checked> : i64
  ppy_core.ret %0 : i64
}
ppy_core.func private @guarded(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0:2 = ppy_core.call_intrinsic "ppy.checked_sub"(%acc, %end) : (i64, i64) -> (i64, i1)
  ppy_core.guard %0#1, overflow {label = "sanitize:overflow"}
  ppy_core.ret %0#0 : i64
}
// What a sum is made by is not in this one.
ppy_core.func private @elsewhere(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.call @sum(%begin, %end, %acc) : (i64, i64, i64) -> i64
  ppy_core.ret %0 : i64
}
// CHECK-LABEL: @ordered
// CHECK-NEXT: call @checked(
// CHECK-NEXT: call @guarded(
// CHECK-NEXT: call @elsewhere(
// CHECK-NEXT: call @checked__split(
ppy_core.func @ordered(%n: i64) {
  %0 = ppy_parallel.reduce @checked() from %n to %n, add, %n {reassociate = true} : () -> i64
  %1 = ppy_parallel.reduce @guarded() from %n to %n, add, %n {reassociate = true} : () -> i64
  %2 = ppy_parallel.reduce @elsewhere() from %n to %n, add, %n {reassociate = true} : () -> i64
  %3 = ppy_parallel.reduce @checked() from %n to %n, max, %n {reassociate = true} : () -> i64
  ppy_core.ret
}

// How the number of the range counts on, or other sums are made, says nothing of the accumulator.
ppy_core.func private @adds(%a: i64, %b: i64) -> i64 {
  %0 = ppy_core.add %a, %b overflow<python> : i64
  ppy_core.ret %0 : i64
}
ppy_core.func private @called(%v: i64, %begin: i64, %end: i64, %acc: i64) -> i64 {
  %one = ppy_core.const 1 : i64
  ppy_core.br ^head(%begin, %acc : i64, i64)
^head(%i: i64, %sum: i64):
  %more = ppy_core.cmp lt, %i, %end : i64
  ppy_core.cond_br %more, ^body, ^exit
^body:
  %next = ppy_core.call @adds(%sum, %v) : (i64, i64) -> i64
  %n = ppy_core.add %i, %one overflow<proven> : i64
  ppy_core.br ^head(%n, %next : i64, i64)
^exit:
  ppy_core.ret %sum : i64
}
ppy_core.func private @wraps(%v: i64, %begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %v, %begin overflow<python> : i64
  %1 = ppy_core.sub %acc, %0 overflow<wrap> : i64
  ppy_core.ret %1 : i64
}
ppy_core.func private @subtracted(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.sub %end, %acc overflow<wrap> : i64
  ppy_core.ret %0 : i64
}
ppy_core.func private @doubled(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %acc, %acc overflow<wrap> : i64
  ppy_core.ret %0 : i64
}
ppy_core.func private @mixed(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %acc, %end overflow<wrap> : i64
  %1 = ppy_core.add %0, %end overflow<python> : i64
  ppy_core.ret %1 : i64
}
ppy_core.func private @seen(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %acc, %end overflow<wrap> : i64
  %1 = ppy_core.cmp lt, %0, %end : i64
  %2 = ppy_core.select %1, %0, %acc : i1, i64
  ppy_core.ret %2 : i64
}
ppy_core.func private @dropped(%begin: i64, %end: i64, %acc: i64) -> i64 {
  %0 = ppy_core.add %acc, %end overflow<wrap> : i64
  ppy_core.ret %end : i64
}
// In a slot, or on one of two ways, it is the accumulator still.
ppy_core.func private @kept(%c: i1, %begin: i64, %end: i64, %acc: i64) -> i64 {
  %slot = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  ppy_core.store %acc, %slot : !ppy_core.ptr<i64, stack>
  %0 = ppy_core.load %slot : !ppy_core.ptr<i64, stack>
  %1 = ppy_core.add %end, %0 overflow<native> : i64
  %2 = ppy_core.select %c, %1, %0 : i1, i64
  ppy_core.cond_br %c, ^exit(%2 : i64), ^exit(%0 : i64)
^exit(%result: i64):
  ppy_core.ret %result : i64
}
// As if-convert writes a python sum on one of two ways.
ppy_core.func private @guarded_by_range(%c: i1, %begin: i64, %end: i64, %acc: i64) -> i64 {
  %most = ppy_core.const 9223372036854775806 : i64
  %one = ppy_core.const 1 : i64
  %0 = ppy_core.add %acc, %one overflow<wrap> : i64
  %1 = ppy_core.cmp le, %acc, %most : i64
  %2 = ppy_core.or %1, %c : i1
  ppy_core.guard %2, overflow
  %3 = ppy_core.select %c, %acc, %0 : i1, i64
  ppy_core.ret %3 : i64
}
// CHECK-LABEL: @ways
// CHECK-NEXT: call @called(
// CHECK-NEXT: call @wraps__split(
// CHECK-NEXT: call @subtracted(
// CHECK-NEXT: call @doubled(
// CHECK-NEXT: call @mixed(
// CHECK-NEXT: call @seen(
// CHECK-NEXT: call @dropped(
// CHECK-NEXT: call @kept__split(
// CHECK-NEXT: call @guarded_by_range__split(
ppy_core.func @ways(%n: i64, %c: i1) {
  %0 = ppy_parallel.reduce @called(%n) from %n to %n, add, %n : (i64) -> i64
  %1 = ppy_parallel.reduce @wraps(%n) from %n to %n, add, %n : (i64) -> i64
  %2 = ppy_parallel.reduce @subtracted() from %n to %n, add, %n : () -> i64
  %3 = ppy_parallel.reduce @doubled() from %n to %n, add, %n : () -> i64
  %4 = ppy_parallel.reduce @mixed() from %n to %n, add, %n : () -> i64
  %5 = ppy_parallel.reduce @seen() from %n to %n, add, %n : () -> i64
  %6 = ppy_parallel.reduce @dropped() from %n to %n, add, %n : () -> i64
  %7 = ppy_parallel.reduce @kept(%c) from %n to %n, add, %n : (i1) -> i64
  %8 = ppy_parallel.reduce @guarded_by_range(%c) from %n to %n, add, %n : (i1) -> i64
  ppy_core.ret
}

// CHECK-LABEL: @mapped
// CHECK-NEXT: call @one__split
// SERIAL-LABEL: @mapped
// SERIAL-NEXT: call @one__map
ppy_core.func @mapped(%x: f64, %n: i64, %out: !ppy_core.ptr<f64>) {
  ppy_parallel.map @one(%x) from %n to %n into %out : !ppy_core.ptr<f64>, (f64)
  ppy_core.ret
}

// Two of three chunks are spawned, one runs here, all are joined, and then a guard fails where one of them did.
// CHECK-LABEL: func private @chunk__split(
// CHECK: %[[EMPTY:.*]] = cmp le,
// CHECK: %[[LESS:.*]] = cmp lt,
// CHECK: %[[WHOLE:.*]] = or %[[EMPTY]], %[[LESS]] : i1
// CHECK: cond_br %[[WHOLE]], ^[[FEW:.*]], ^[[SPLIT:.*]]
// CHECK: ^[[FEW]]:
// CHECK-NEXT: call @chunk(
// CHECK-NEXT: ret
// CHECK: ^[[SPLIT]]:
// CHECK: spawn @chunk(
// CHECK: spawn @chunk(
// CHECK: call @chunk({{.*}}capture_status = true
// CHECK: join
// CHECK: join
// CHECK: guard

// Partial results are folded as the body adds.
// CHECK-LABEL: func private @sum__task(
// CHECK-LABEL: func private @sum__split(
// CHECK: guard
// CHECK: add %{{.*}} overflow<python>
// CHECK: add %{{.*}} overflow<python>
// CHECK: ret

// CHECK-LABEL: func private @total__split(
// CHECK: const 0x7FF0000000000000 : f64
// CHECK: cmp lt,
// CHECK: select

// CHECK-LABEL: func private @one__map(
// CHECK-LABEL: func private @one__split(
