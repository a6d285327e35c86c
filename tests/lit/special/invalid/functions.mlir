// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A function is of a float.
ppy_core.func @f(%x: i64) {
  // expected-error@below {{'ppy_special.erf' op operand #0 must be a float and no vector (simd.extract gives a lane, co}}
  // expected-note@below {{in function @f, block ^bb0: ppy_special.erf of (i64) to (i64)}}
  %0 = ppy_special.erf %x : i64
  ret
}

// -----

// And of no vector.
ppy_core.func @f(%x: vector<2xf64>) {
  // expected-error@below {{'ppy_special.ndtr' op operand #0 must be a float and no vector (simd.extract gives a lane, c}}
  // expected-note@below {{in function @f, block ^bb0: ppy_special.ndtr of (vector<2xf64>) to (vector<2xf64>)}}
  %0 = ppy_special.ndtr %x : vector<2xf64>
  ret
}

// -----

// It gives a float of the same type.
ppy_core.func @f(%x: f32) {
  // expected-error@below {{'ppy_special.gamma' op requires the same type for all operands and results}}
  // expected-note@below {{in function @f, block ^bb0: ppy_special.gamma of (f32) to (f64)}}
  %0 = "ppy_special.gamma"(%x) : (f32) -> f64
  ret
}

// -----

// An order is an integer.
ppy_core.func @f(%n: f64, %x: f64) {
  // expected-error@below {{'ppy_special.bessel_jn' op operand #0 must be an integer or index (core.cast turns other num}}
  // expected-note@below {{in function @f, block ^bb0: ppy_special.bessel_jn of (f64, f64) to (f64)}}
  %0 = ppy_special.bessel_jn %n, %x : f64, f64
  ret
}

// -----

ppy_core.func @f(%n: i32, %x: f64) {
  // expected-error@below {{'ppy_special.bessel_yn' op breaks the rule that all of {operand, result} have same type}}
  // expected-note@below {{in function @f, block ^bb0: ppy_special.bessel_yn of (i32, f64) to (f32)}}
  %0 = "ppy_special.bessel_yn"(%n, %x) : (i32, f64) -> f32
  ret
}
