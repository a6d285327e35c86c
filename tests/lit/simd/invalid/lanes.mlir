// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A splat is of lanes' type.
ppy_core.func @f(%x: f32) {
  // expected-error@below {{'ppy_simd.splat' op breaks the rule that the value has the type of a lane (core.cast conv}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.splat of (f32) to (vector<4xf64>)}}
  %0 = "ppy_simd.splat"(%x) : (f32) -> vector<4xf64>
  ret
}

// -----

// It is a vector of numbers or bools.
ppy_core.func @f(%x: !ppy_core.ptr<f32>) {
  // expected-error@below {{custom op 'ppy_simd.splat' 'result' must be a vector of numbers or bools (simd.splat makes one}}
  %0 = ppy_simd.splat %x : vector<4x!ppy_core.ptr<f32>>
  ret
}

// -----

// A pointer addresses a lane.
ppy_core.func @f(%p: !ppy_core.ptr<f64>) {
  // expected-error@below {{'ppy_simd.load' op reads vector<4xf32> through !ppy_core.ptr<f64>: a pointer to f32 address}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.load of (!ppy_core.ptr<f64>) to (vector<4xf32>)}}
  %0 = ppy_simd.load %p : !ppy_core.ptr<f64> -> vector<4xf32>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<vector<4xf32>>, %v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.store' op writes vector<4xf32> through !ppy_core.ptr<vector<4xf32>>: a pointer to}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.store of (vector<4xf32>, !ppy_core.ptr<vector<4xf32>>)}}
  ppy_simd.store %v, %p : vector<4xf32>, !ppy_core.ptr<vector<4xf32>>
  ret
}

// -----

// Nothing is written through const.
ppy_core.func @f(%p: !ppy_core.ptr<f32, generic, const>, %v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.store' op writes through !ppy_core.ptr<f32, generic, const>, a const pointer: use}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.store of (vector<4xf32>, !ppy_core.ptr<f32, generic, c}}
  ppy_simd.store %v, %p : vector<4xf32>, !ppy_core.ptr<f32, generic, const>
  ret
}

// -----

// A lane has the lanes' type.
ppy_core.func @f(%v: vector<4xf32>, %i: i64) {
  // expected-error@below {{'ppy_simd.extract' op breaks the rule that the result has the type of a lane (core.cast co}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.extract of (vector<4xf32>, i64) to (f64)}}
  %0 = "ppy_simd.extract"(%v, %i) : (vector<4xf32>, i64) -> f64
  ret
}

// -----

// Lanes are counted by integers.
ppy_core.func @f(%v: vector<4xf32>, %i: f32) {
  // expected-error@below {{'ppy_simd.extract' op operand #1 must be an integer or index (core.cast turns other numbers}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.extract of (vector<4xf32>, f32) to (f32)}}
  %0 = ppy_simd.extract %v[%i] : vector<4xf32>, f32
  ret
}

// -----

ppy_core.func @f(%v: vector<4xf32>, %x: f64, %i: i64) {
  // expected-error@below {{'ppy_simd.insert' op breaks the rule that the value has the type of a lane (core.cast conv}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.insert of (vector<4xf32>, f64, i64) to (vector<4xf32>)}}
  %0 = "ppy_simd.insert"(%v, %x, %i) : (vector<4xf32>, f64, i64) -> vector<4xf32>
  ret
}

// -----

// A shuffle is of two vectors of one type.
ppy_core.func @f(%v: vector<4xf32>, %w: vector<2xf32>) {
  // expected-error@below {{'ppy_simd.shuffle' op breaks the rule that all of {lhs, rhs} have same type}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.shuffle of (vector<4xf32>, vector<2xf32>) to (vector<2}}
  %0 = "ppy_simd.shuffle"(%v, %w) {mask = [0, 1]} : (vector<4xf32>, vector<2xf32>) -> vector<2xf32>
  ret
}

// -----

// Its mask names lanes that there are.
ppy_core.func @f(%v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.shuffle' op takes lane 8 of two vector<4xf32>: their lanes are 0 to 7}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.shuffle of (vector<4xf32>, vector<4xf32>) to (vector<2}}
  %0 = ppy_simd.shuffle %v, %v [0, 8] : vector<4xf32> -> vector<2xf32>
  ret
}

// -----

ppy_core.func @f(%v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.shuffle' op takes lane -1 of two vector<4xf32>: their lanes are 0 to 7}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.shuffle of (vector<4xf32>, vector<4xf32>) to (vector<2}}
  %0 = ppy_simd.shuffle %v, %v [0, -1] : vector<4xf32> -> vector<2xf32>
  ret
}

// -----

// Its mask is of integers.
ppy_core.func @f(%v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.shuffle' op has a mask of other things than integers: number the lanes, like [0, }}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.shuffle of (vector<4xf32>, vector<4xf32>) to (vector<1}}
  %0 = ppy_simd.shuffle %v, %v ["a"] : vector<4xf32> -> vector<1xf32>
  ret
}

// -----

// It gives a lane for each of its mask.
ppy_core.func @f(%v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.shuffle' op gives vector<4xf32> of 2 lanes of vector<4xf32>: its result has a lan}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.shuffle of (vector<4xf32>, vector<4xf32>) to (vector<4}}
  %0 = ppy_simd.shuffle %v, %v [0, 1] : vector<4xf32> -> vector<4xf32>
  ret
}

// -----

ppy_core.func @f(%v: vector<4xf32>) {
  // expected-error@below {{'ppy_simd.shuffle' op gives vector<2xf64> of 2 lanes of vector<4xf32>: its result has a lan}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.shuffle of (vector<4xf32>, vector<4xf32>) to (vector<2}}
  %0 = ppy_simd.shuffle %v, %v [0, 1] : vector<4xf32> -> vector<2xf64>
  ret
}

// -----

// A reduction is of numbers.
ppy_core.func @f(%v: vector<4xi1>) {
  // expected-error@below {{custom op 'ppy_simd.reduce_add' 'vector' must be a vector of numbers (core.select makes one of}}
  %0 = ppy_simd.reduce_add %v : vector<4xi1>
  ret
}

// -----

ppy_core.func @f(%v: vector<4xi32>) {
  // expected-error@below {{'ppy_simd.reduce_max' op breaks the rule that the result has the type of a lane (core.cast}}
  // expected-note@below {{in function @f, block ^bb0: ppy_simd.reduce_max of (vector<4xi32>) to (i64)}}
  %0 = "ppy_simd.reduce_max"(%v) : (vector<4xi32>) -> i64
  ret
}
