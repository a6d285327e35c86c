// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// Aggregates do not compare.
ppy_core.func @f(%t: tuple<i64>) {
  // expected-error@below {{'ppy_core.cmp' op compares values of type tuple<i64>: numbers, bools, pointers and vectors}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cmp of (tuple<i64>, tuple<i64>) to (i1)}}
  %0 = cmp eq, %t, %t : tuple<i64>
  ret
}

// -----

// Nor do buffers.
ppy_core.func @f(%b: !ppy_core.buffer<i64>) {
  // expected-error@below {{'ppy_core.cmp' op compares values of type !ppy_core.buffer<i64>: numbers, bools, pointers}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cmp of (!ppy_core.buffer<i64>, !ppy_core.buffer<i64>)}}
  %0 = cmp eq, %b, %b : !ppy_core.buffer<i64>
  ret
}

// -----

// Operands of a comparison have one type.
ppy_core.func @f(%a: i64, %b: i32) {
  // expected-error@below {{'ppy_core.cmp' op requires all operands to have the same type, but it is of (i64, i32) to}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cmp of (i64, i32) to (i1)}}
  %0 = "ppy_core.cmp"(%a, %b) <{predicate = 0 : i32}> : (i64, i32) -> i1
  ret
}

// -----

// A comparison gives a bool.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.cmp' op result #0 must be a bool or a vector of bools (compare with core.cmp to}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cmp of (i64, i64) to (i64)}}
  %0 = "ppy_core.cmp"(%a, %a) <{predicate = 0 : i32}> : (i64, i64) -> i64
  ret
}

// -----

// Vectors compare to as many bools.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.cmp' op breaks the rule that the result is a bool, or for vectors a vector of as}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cmp of (vector<4xi64>, vector<4xi64>) to (i1)}}
  %0 = "ppy_core.cmp"(%v, %v) <{predicate = 0 : i32}> : (vector<4xi64>, vector<4xi64>) -> i1
  ret
}

// -----

// A choice is by a bool.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.select' op operand #0 must be a bool or a vector of bools (compare with core.cmp}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.select of (i64, i64, i64) to (i64)}}
  %0 = select %a, %a, %a : i64, i64
  ret
}

// -----

// Both values of a choice have one type.
ppy_core.func @f(%c: i1, %a: i64, %b: i32) {
  // expected-error@below {{'ppy_core.select' op breaks the rule that both values and the result have one type, but it}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.select of (i1, i64, i32) to (i64)}}
  %0 = "ppy_core.select"(%c, %a, %b) : (i1, i64, i32) -> i64
  ret
}

// -----

// Many bools choose among as many lanes.
ppy_core.func @f(%c: vector<2xi1>, %v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.select' op chooses between values of type vector<4xi64> by a vector<2xi1>: a vec}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.select of (vector<2xi1>, vector<4xi64>, vector<4xi64>)}}
  %0 = select %c, %v, %v : vector<2xi1>, vector<4xi64>
  ret
}

// -----

// Not between scalars.
ppy_core.func @f(%c: vector<2xi1>, %a: i64) {
  // expected-error@below {{'ppy_core.select' op chooses between values of type i64 by a vector<2xi1>: a vector of boo}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.select of (vector<2xi1>, i64, i64) to (i64)}}
  %0 = select %c, %a, %a : vector<2xi1>, i64
  ret
}

// -----

// A cast is not of aggregates.
ppy_core.func @f(%t: tuple<i64>) {
  // expected-error@below {{'ppy_core.cast' op casts tuple<i64> to i64: a cast is between scalars, vectors of them, or}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (tuple<i64>) to (i64)}}
  %0 = cast %t : tuple<i64> to i64
  ret
}

// -----

// Nor to them.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.cast' op casts i64 to tuple<i64>: a cast is between scalars, vectors of them, or}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (i64) to (tuple<i64>)}}
  %0 = cast %a : i64 to tuple<i64>
  ret
}

// -----

// Nor to nothing.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.cast' op result #0 must be a value (void is the type of none, and an array is me}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (i64) to (!ppy_core.void)}}
  %0 = cast %a : i64 to !ppy_core.void
  ret
}

// -----

// A cast keeps the lanes.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.cast' op casts vector<4xi64> to vector<2xf64>: a cast keeps the number of lanes;}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (vector<4xi64>) to (vector<2xf64>)}}
  %0 = cast %v : vector<4xi64> to vector<2xf64>
  ret
}

// -----

// Also where there are none.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.cast' op casts i64 to vector<2xi64>: a cast keeps the number of lanes; cast to a}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (i64) to (vector<2xi64>)}}
  %0 = cast %a : i64 to vector<2xi64>
  ret
}

// -----

// A cast keeps the address space.
ppy_core.func @f(%p: !ppy_core.ptr<i64, stack>) {
  // expected-error@below {{'ppy_core.cast' op casts !ppy_core.ptr<i64, stack> to !ppy_core.ptr<i64>, from the address}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (!ppy_core.ptr<i64, stack>) to (!ppy_core.ptr<}}
  %0 = cast %p : !ppy_core.ptr<i64, stack> to !ppy_core.ptr<i64>
  ret
}

// -----

// And const.
ppy_core.func @f(%p: !ppy_core.ptr<i64, generic, const>) {
  // expected-error@below {{'ppy_core.cast' op casts !ppy_core.ptr<i64, generic, const> to !ppy_core.ptr<i8>, dropping}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (!ppy_core.ptr<i64, generic, const>) to (!ppy_}}
  %0 = cast %p : !ppy_core.ptr<i64, generic, const> to !ppy_core.ptr<i8>
  ret
}

// -----

// An address is an i64.
ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_core.cast' op casts !ppy_core.ptr<i64> to i32: a pointer casts from and to an i64, it}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (!ppy_core.ptr<i64>) to (i32)}}
  %0 = cast %p : !ppy_core.ptr<i64> to i32
  ret
}

// -----

// Both ways.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.cast' op casts f64 to !ppy_core.ptr<i64>: a pointer casts from and to an i64, it}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (f64) to (!ppy_core.ptr<i64>)}}
  %0 = cast %x : f64 to !ppy_core.ptr<i64>
  ret
}

// -----

// A buffer is no pointer.
ppy_core.func @f(%b: !ppy_core.buffer<i64>) {
  // expected-error@below {{'ppy_core.cast' op casts !ppy_core.buffer<i64> to !ppy_core.ptr<i64>: a pointer casts to a}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cast of (!ppy_core.buffer<i64>) to (!ppy_core.ptr<i64>}}
  %0 = cast %b : !ppy_core.buffer<i64> to !ppy_core.ptr<i64>
  ret
}
