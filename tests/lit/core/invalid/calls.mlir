// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A callee is there.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call' op calls @nobody, which is no function of the module: define it, or declar}}
  // expected-note@below {{in function @f, block ^bb0}}
  call @nobody() : () -> ()
  ret
}

// -----

// And is a function.
ppy_core.global @g : i64
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call' op calls @g, which is no function of the module: define it, or declare it}}
  // expected-note@below {{in function @f, block ^bb0}}
  call @g() : () -> ()
  ret
}

// -----

// It is given what it takes.
ppy_core.func private @g(i64) -> f64
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call' op passes 0 arguments to @g, which takes 1}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call of () to (f64)}}
  %0 = call @g() : () -> f64
  ret
}

// -----

// Of its types.
ppy_core.func private @g(i64) -> f64
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_core.call' op passes argument #0 of type 'i1' to @g, which takes 'i64'; convert it wi}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call of (i1) to (f64)}}
  %0 = call @g(%c) : (i1) -> f64
  ret
}

// -----

// It gives what it declares.
ppy_core.func private @g(i64) -> f64
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.call' op has 0 results, but @g gives 1: name as many results}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call of (i64)}}
  call @g(%a) : (i64) -> ()
  ret
}

// -----

// Of its types.
ppy_core.func private @g(i64) -> f64
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.call' op has result #0 of type 'i64', but @g gives 'f64'; convert it afterwards}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call of (i64) to (i64)}}
  %0 = call @g(%a) : (i64) -> i64
  ret
}

// -----

// A captured status is one more result.
ppy_core.func private @g(i64) -> f64
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.call' op has 1 results, but @g gives 1 and capture_status adds the status: name}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call of (i64) to (f64)}}
  %0 = call @g(%a) {capture_status = true} : (i64) -> f64
  ret
}

// -----

// A result is a value.
ppy_core.func private @g(i64)
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.call' op result #0 must be a value (void is the type of none, and an array is me}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call of (i64) to (!ppy_core.void)}}
  %0 = call @g(%a) : (i64) -> !ppy_core.void
  ret
}

// -----

// A C function has a C name.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_extern' op calls "no name", which is no C name: use letters, digits and _,}}
  // expected-note@below {{in function @f, block ^bb0}}
  call_extern "no name"() {abi = "c"} : () -> ()
  ret
}

// -----

// C's way of calling is the only one.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_extern' op has abi "fast": there is only "c"}}
  // expected-note@below {{in function @f, block ^bb0}}
  call_extern "f"() {abi = "fast"} : () -> ()
  ret
}

// -----

// C takes scalars and pointers.
ppy_core.func @f(%b: !ppy_core.buffer<i64>) {
  // expected-error@below {{'ppy_core.call_extern' op passes argument #0 of type !ppy_core.buffer<i64> to C function f}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_extern of (!ppy_core.buffer<i64>)}}
  call_extern "f"(%b) {abi = "c"} : (!ppy_core.buffer<i64>) -> ()
  ret
}

// -----

// And gives one.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_extern' op gives tuple<i64> from C function f: C gives a scalar or a pointe}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_extern of () to (tuple<i64>)}}
  %0 = call_extern "f"() {abi = "c"} : () -> tuple<i64>
  ret
}

// -----

// At most.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_extern' op has 2 results from C function f: C gives one at most; pass point}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_extern of () to (i64, i64)}}
  %0:2 = call_extern "f"() {abi = "c"} : () -> (i64, i64)
  ret
}

// -----

// An address is an i64.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.call_indirect' op operand #0 must be an i64 (the intrinsic ppy.function_address}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_indirect of (f64)}}
  "ppy_core.call_indirect"(%x) : (f64) -> ()
  ret
}

// -----

// An intrinsic is a known one.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic "ppy.chekced_add", which does not exist (did}}
  // expected-note@below {{in function @f, block ^bb0}}
  call_intrinsic "ppy.chekced_add"() : () -> ()
  ret
}

// -----

// Checked arithmetic is on integers.
ppy_core.func @f(%x: f64) {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.checked_add with f64, f64, for f64, i1: i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of (f64, f64) to (f64, i1)}}
  %0:2 = call_intrinsic "ppy.checked_add"(%x, %x) : (f64, f64) -> (f64, i1)
  ret
}

// -----

// It says whether the value fits.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.checked_mul with i64, i64, for i64: it ta}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of (i64, i64) to (i64)}}
  %0 = call_intrinsic "ppy.checked_mul"(%a, %a) : (i64, i64) -> i64
  ret
}

// -----

// A string is bytes.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.string_data with nothing, for !ppy_core.p}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (!ppy_core.ptr<i64>)}}
  %0 = call_intrinsic "ppy.string_data"() {symbol = "text"} : () -> !ppy_core.ptr<i64>
  ret
}

// -----

// Of a global.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.string_data without its attribute symbol:}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (!ppy_core.ptr<ui8>)}}
  %0 = call_intrinsic "ppy.string_data"() : () -> !ppy_core.ptr<ui8>
  ret
}

// -----

// That is there.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.string_data of @text, which is no global}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (!ppy_core.ptr<ui8>)}}
  %0 = call_intrinsic "ppy.string_data"() {symbol = "text"} : () -> !ppy_core.ptr<ui8>
  ret
}

// -----

// And holds bytes.
ppy_core.global @text : i64
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.string_data of @text, which is no global}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (!ppy_core.ptr<ui8>)}}
  %0 = call_intrinsic "ppy.string_data"() {symbol = "text"} : () -> !ppy_core.ptr<ui8>
  ret
}

// -----

// A buffer is of what its pointer addresses.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %n: i64) {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.buffer_from_parts with !ppy_core.ptr<i64>}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of (!ppy_core.ptr<i64>, i64) to (!ppy_c}}
  %0 = call_intrinsic "ppy.buffer_from_parts"(%p, %n) : (!ppy_core.ptr<i64>, i64) -> !ppy_core.buffer<f64>
  ret
}

// -----

// And is writable.
ppy_core.func @f(%p: !ppy_core.ptr<i64, generic, const>, %n: i64) {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.buffer_from_parts with !ppy_core.ptr<i64,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of (!ppy_core.ptr<i64, generic, const>,}}
  %0 = call_intrinsic "ppy.buffer_from_parts"(%p, %n) : (!ppy_core.ptr<i64, generic, const>, i64) -> !ppy_core.buffer<i64>
  ret
}

// -----

// A function's address is an i64.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.function_address with nothing, for i32: i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (i32)}}
  %0 = call_intrinsic "ppy.function_address"() {callee = @f} : () -> i32
  ret
}

// -----

// Of a function by its symbol.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.function_address with callee = "f": give}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (i64)}}
  %0 = call_intrinsic "ppy.function_address"() {callee = "f"} : () -> i64
  ret
}

// -----

// That is there.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op takes the address of @nobody, which is no function of the mod}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of () to (i64)}}
  %0 = call_intrinsic "ppy.function_address"() {callee = @nobody} : () -> i64
  ret
}

// -----

// A generator yields one value.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic ppy.gen_yield with nothing, for nothing: it t}}
  // expected-note@below {{in function @f, block ^bb0}}
  call_intrinsic "ppy.gen_yield"() : () -> ()
  ret
}

// -----

// An absolute value is of a float.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.call_intrinsic' op calls intrinsic math.fabs with i64, for i64: it takes a float}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.call_intrinsic of (i64) to (i64)}}
  %0 = call_intrinsic "math.fabs"(%a) : (i64) -> i64
  ret
}
