// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// Integers name what happens where the value does not fit.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.add' op needs an overflow mode on i64: python (the fallback computes it), checke}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (i64, i64) to (i64)}}
  %0 = add %a, %a : i64
  ret
}

// -----

// So does a negation.
ppy_core.func @f(%a: ui8) {
  // expected-error@below {{'ppy_core.neg' op needs an overflow mode on ui8: python (the fallback computes it), checke}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.neg of (ui8) to (ui8)}}
  %0 = neg %a : ui8
  ret
}

// -----

// An index is an integer.
ppy_core.func @f(%a: index) {
  // expected-error@below {{'ppy_core.mul' op needs an overflow mode on index: python (the fallback computes it), chec}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.mul of (index, index) to (index)}}
  %0 = mul %a, %a : index
  ret
}

// -----

// Floats do not overflow into Python.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.sub' op has the overflow mode wrap on f64: floats round and never overflow into}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.sub of (f64, f64) to (f64)}}
  %0 = sub %x, %x overflow<wrap> : f64
  ret
}

// -----

// A lane cannot fall back.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.add' op has the overflow mode python on vector<4xi64>: a single lane cannot fall}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (vector<4xi64>, vector<4xi64>) to (vector<4xi64}}
  %0 = add %v, %v overflow<python> : vector<4xi64>
  ret
}

// -----

// Nor fail.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.mul' op has the overflow mode checked on vector<4xi64>: a single lane cannot fal}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.mul of (vector<4xi64>, vector<4xi64>) to (vector<4xi64}}
  %0 = mul %v, %v overflow<checked> : vector<4xi64>
  ret
}

// -----

// Nor be native.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.neg' op has the overflow mode native on vector<4xi64>: a single lane cannot fall}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.neg of (vector<4xi64>) to (vector<4xi64>)}}
  %0 = neg %v overflow<native> : vector<4xi64>
  ret
}

// -----

// Vectors name their mode too.
ppy_core.func @f(%v: vector<4xi64>) {
  // expected-error@below {{'ppy_core.add' op needs an overflow mode on vector<4xi64>: python (the fallback computes i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (vector<4xi64>, vector<4xi64>) to (vector<4xi64}}
  %0 = add %v, %v : vector<4xi64>
  ret
}

// -----

// A bool is no number.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_core.add' op operand #0 must be a number or a vector of numbers (core.cast turns a bo}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (i1, i1) to (i1)}}
  %0 = add %c, %c overflow<wrap> : i1
  ret
}

// -----

// Nor is a pointer.
ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_core.sub' op operand #0 must be a number or a vector of numbers (core.cast turns a bo}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.sub of (!ppy_core.ptr<i64>, !ppy_core.ptr<i64>) to (!p}}
  %0 = sub %p, %p overflow<wrap> : !ppy_core.ptr<i64>
  ret
}

// -----

// Nor is an integer of another width.
ppy_core.func @f(%a: i24) {
  // expected-error@below {{'ppy_core.add' op operand #0 must be a number or a vector of numbers (core.cast turns a bo}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (i24, i24) to (i24)}}
  %0 = add %a, %a overflow<wrap> : i24
  ret
}

// -----

// Operands and result have one type.
ppy_core.func @f(%a: i64, %b: i32) {
  // expected-error@below {{'ppy_core.add' op requires the same type for all operands and results, but it is of (i64,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (i64, i32) to (i64)}}
  %0 = "ppy_core.add"(%a, %b) <{overflow = 2 : i32}> : (i64, i32) -> i64
  ret
}

// -----

// An integer division names its rounding.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.div' op needs a rounding on i64: floor (as Python's // and %) or trunc (as C's)}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.div of (i64, i64) to (i64)}}
  %0 = div %a, %a overflow<python> : i64
  ret
}

// -----

// So does a remainder.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.mod' op needs a rounding on i64: floor (as Python's // and %) or trunc (as C's)}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.mod of (i64, i64) to (i64)}}
  %0 = mod %a, %a overflow<python> : i64
  ret
}

// -----

// And its mode.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.div' op needs an overflow mode on i64: python (the fallback computes it), checke}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.div of (i64, i64) to (i64)}}
  %0 = div %a, %a rounding<floor> : i64
  ret
}

// -----

// A division of floats has no mode.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.div' op has the overflow mode python on f64: floats round and never overflow int}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.div of (f64, f64) to (f64)}}
  %0 = div %x, %x overflow<python> : f64
  ret
}

// -----

// A shift of lanes cannot fall back.
ppy_core.func @f(%v: vector<2xi64>) {
  // expected-error@below {{'ppy_core.shl' op has the overflow mode python on vector<2xi64>: a single lane cannot fall}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.shl of (vector<2xi64>, vector<2xi64>) to (vector<2xi64}}
  %0 = shl %v, %v overflow<python> : vector<2xi64>
  ret
}

// -----

// Bools do not shift.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_core.shl' op operand #0 must be an integer, an index or a vector of integers (bits of}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.shl of (i1, i1) to (i1)}}
  %0 = shl %c, %c : i1
  ret
}

// -----

// Nor do floats.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.shr' op operand #0 must be an integer, an index or a vector of integers (bits of}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.shr of (f64, f64) to (f64)}}
  %0 = shr %x, %x : f64
  ret
}

// -----

// Bits are of integers and bools.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.and' op operand #0 must be an integer, an index, a bool or a vector of them (bit}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.and of (f64, f64) to (f64)}}
  %0 = and %x, %x : f64
  ret
}

// -----

// An error in every operation is reported.
ppy_core.func @f(%a: i64, %x: f64) {
  // expected-error@below {{'ppy_core.add' op needs an overflow mode on i64: python (the fallback computes it), checke}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.add of (i64, i64) to (i64)}}
  %0 = add %a, %a : i64
  // expected-error@below {{'ppy_core.neg' op needs an overflow mode on i64: python (the fallback computes it), checke}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.neg of (i64) to (i64)}}
  %1 = neg %a : i64
  // expected-error@below {{'ppy_core.mul' op has the overflow mode wrap on f64: floats round and never overflow into}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.mul of (f64, f64) to (f64)}}
  %2 = mul %x, %x overflow<wrap> : f64
  ret
}
