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
// CHECK: cond_br %{{.*}}, ^[[FEW:.*]], ^[[SPLIT:.*]]
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
