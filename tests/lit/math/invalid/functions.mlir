// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A function is of floats.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_math.sqrt' op operand #0 must be a float or a vector of floats (core.cast turns an in}}
  // expected-note@below {{in function @f, block ^bb0: ppy_math.sqrt of (i64) to (i64)}}
  %0 = "ppy_math.sqrt"(%a) : (i64) -> i64
  ret
}

// -----

// Not of bools.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_math.abs' op operand #0 must be a float or a vector of floats (core.cast turns an int}}
  // expected-note@below {{in function @f, block ^bb0: ppy_math.abs of (i1) to (i1)}}
  %0 = "ppy_math.abs"(%c) : (i1) -> i1
  ret
}

// -----

// Nor of vectors of integers.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_math.floor' op operand #0 must be a float or a vector of floats (core.cast turns an i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_math.floor of (vector<4xi64>) to (vector<4xi64>)}}
  %0 = "ppy_math.floor"(%v) : (vector<4xi64>) -> vector<4xi64>
  ret
}

// -----

// The result has the type of the operand.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_math.exp' op requires the same type for all operands and results, but it is of (f64)}}
  // expected-note@below {{in function @f, block ^bb0: ppy_math.exp of (f64) to (f32)}}
  %0 = "ppy_math.exp"(%x) : (f64) -> f32
  ret
}

// -----

// Both operands have one type.
ppy_core.func @f(%x: f64, %y: f32) {
  // expected-error@below {{'ppy_math.pow' op requires the same type for all operands and results, but it is of (f64,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_math.pow of (f64, f32) to (f64)}}
  %0 = "ppy_math.pow"(%x, %y) : (f64, f32) -> f64
  ret
}
