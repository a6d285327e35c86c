// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A body is a function of the module.
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.for' op runs @g, which is no function of the module: define it, or dec}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.for of (i64, i64)}}
  ppy_parallel.for @g() from %n to %n
  ret
}

// -----

// It takes the captures and the bounds of a part.
ppy_core.func @g(%a: i64) {
  ret
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.for' op passes 2 arguments to @g, which takes 1}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.for of (i64, i64)}}
  ppy_parallel.for @g() from %n to %n
  ret
}

// -----

ppy_core.func @g(%x: f32, %a: i64, %b: i64) {
  ret
}
ppy_core.func @f(%n: i64, %x: f64) {
  // expected-error@below {{'ppy_parallel.for' op passes argument #0 of type 'f64' to @g, which takes 'f32'; con}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.for of (f64, i64, i64)}}
  ppy_parallel.for @g(%x) from %n to %n : (f64)
  ret
}

// -----

// And returns nothing.
ppy_core.func @g(%a: i64, %b: i64) -> i64 {
  ret %a : i64
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.for' op runs @g, which gives 'i64': a body returns nothing; let it sto}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.for of (i64, i64)}}
  ppy_parallel.for @g() from %n to %n
  ret
}

// -----

// A range is of i64.
ppy_core.func @g(%a: i32, %b: i32) {
  ret
}
ppy_core.func @f(%n: i32) {
  // expected-error@below {{'ppy_parallel.for' op operand #0 must be an i64 (core.cast makes one of another numb}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.for of (i32, i32)}}
  "ppy_parallel.for"(%n, %n) <{callee = @g}> : (i32, i32) -> ()
  ret
}

// -----

// The body of a reduction takes an accumulator, and returns it.
ppy_core.func @g(%a: i64, %b: i64) -> i64 {
  ret %a : i64
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.reduce' op passes 3 arguments to @g, which takes 2}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.reduce of (i64, i64, i64) to (i64)}}
  %0 = ppy_parallel.reduce @g() from %n to %n, add, %n : () -> i64
  ret
}

// -----

ppy_core.func @g(%a: i64, %b: i64, %c: i64) {
  ret
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.reduce' op runs @g, which gives nothing: a body returns the accumulato}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.reduce of (i64, i64, i64) to (i64)}}
  %0 = ppy_parallel.reduce @g() from %n to %n, add, %n : () -> i64
  ret
}

// -----

ppy_core.func @g(%a: i64, %b: i64, %c: i64) -> f64 {
  %0 = const 0.0 : f64
  ret %0 : f64
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.reduce' op runs @g, which gives 'f64': a body returns the accumulator }}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.reduce of (i64, i64, i64) to (i64)}}
  %0 = ppy_parallel.reduce @g() from %n to %n, add, %n : () -> i64
  ret
}

// -----

// What it starts from is what it gives.
ppy_core.func @g(%a: i64, %b: i64, %c: i64) -> i64 {
  ret %c : i64
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_parallel.reduce' op breaks the rule that it starts from what it gives (core.cas}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.reduce of (i64, i64, i64) to (f64)}}
  %0 = "ppy_parallel.reduce"(%n, %n, %n) <{callee = @g, op = 0 : i32}> : (i64, i64, i64) -> f64
  ret
}

// -----

// A number.
ppy_core.func @g(%a: i64, %b: i64, %c: i1) -> i1 {
  ret %c : i1
}
ppy_core.func @f(%n: i64, %c: i1) {
  // expected-error@below {{'ppy_parallel.reduce' op operand #2 must be a number (integer of 8 to 64 bits, float}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.reduce of (i64, i64, i1) to (i1)}}
  %0 = "ppy_parallel.reduce"(%n, %n, %c) <{callee = @g, op = 0 : i32}> : (i64, i64, i1) -> i1
  ret
}

// -----

// A map stores what its body gives.
ppy_core.func @g(%a: i64) -> f64 {
  %0 = const 0.0 : f64
  ret %0 : f64
}
ppy_core.func @f(%n: i64, %out: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_parallel.map' op runs @g, which gives 'f64': its one result is what out points }}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.map of (i64, i64, !ppy_core.ptr<i64>)}}
  ppy_parallel.map @g() from %n to %n into %out : !ppy_core.ptr<i64>
  ret
}

// -----

// Its body takes one number.
ppy_core.func @g(%a: i64, %b: i64) -> i64 {
  ret %a : i64
}
ppy_core.func @f(%n: i64, %out: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_parallel.map' op passes 1 arguments to @g, which takes 2}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.map of (i64, i64, !ppy_core.ptr<i64>)}}
  ppy_parallel.map @g() from %n to %n into %out : !ppy_core.ptr<i64>
  ret
}

// -----

// Through a pointer that it may write through.
ppy_core.func @g(%a: i64) -> i64 {
  ret %a : i64
}
ppy_core.func @f(%n: i64, %out: !ppy_core.ptr<i64, generic, const>) {
  // expected-error@below {{'ppy_parallel.map' op stores through '!ppy_core.ptr<i64, generic, const>', a const p}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.map of (i64, i64, !ppy_core.ptr<i64, generic, con}}
  ppy_parallel.map @g() from %n to %n into %out : !ppy_core.ptr<i64, generic, const>
  ret
}

// -----

ppy_core.func @g(%a: i64) -> i64 {
  ret %a : i64
}
ppy_core.func @f(%n: i64, %out: !ppy_core.buffer<i64>) {
  // expected-error@below {{'ppy_parallel.map' op operand #2 must be a pointer (core.buffer_data gives a buffer'}}
  // expected-note@below {{in function @f, block ^bb0: ppy_parallel.map of (i64, i64, !ppy_core.buffer<i64>)}}
  "ppy_parallel.map"(%n, %n, %out) <{callee = @g}> : (i64, i64, !ppy_core.buffer<i64>) -> ()
  ret
}
