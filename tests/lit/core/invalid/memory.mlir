// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// Stack memory has a stack pointer.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.alloca' op gives a !ppy_core.ptr<i64>, not a stack pointer: make its result a pt}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.alloca of () to (!ppy_core.ptr<i64>)}}
  %0 = alloca : !ppy_core.ptr<i64>
  ret
}

// -----

// Which can be written through.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.alloca' op gives !ppy_core.ptr<i64, stack, const>: memory that nobody can write;}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.alloca of () to (!ppy_core.ptr<i64, stack, const>)}}
  %0 = alloca : !ppy_core.ptr<i64, stack, const>
  ret
}

// -----

// It holds values.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.alloca' op makes room for !ppy_core.void, which no value has: point to the type}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.alloca of () to (!ppy_core.ptr<!ppy_core.void, stack>)}}
  %0 = alloca : !ppy_core.ptr<!ppy_core.void, stack>
  ret
}

// -----

// At least one.
ppy_core.func @f() {
  // expected-error@below {{'ppy_core.alloca' op makes room for 0 elements: a count is 1 or more (and 1 where none is}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.alloca of () to (!ppy_core.ptr<i64, stack>)}}
  %0 = alloca count<0> : !ppy_core.ptr<i64, stack>
  ret
}

// -----

// Nothing is stored through const.
ppy_core.func @f(%a: i64, %p: !ppy_core.ptr<i64, generic, const>) {
  // expected-error@below {{'ppy_core.store' op stores through !ppy_core.ptr<i64, generic, const>, a const pointer: st}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.store of (i64, !ppy_core.ptr<i64, generic, const>)}}
  store %a, %p : !ppy_core.ptr<i64, generic, const>
  ret
}

// -----

// A stack pointer is not stored where it outlives its function.
ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.ptr<i64, stack>>) {
  %0 = alloca : !ppy_core.ptr<i64, stack>
  // expected-error@below {{'ppy_core.store' op stores the stack pointer !ppy_core.ptr<i64, stack>: stack memory ends}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.store of (!ppy_core.ptr<i64, stack>, !ppy_core.ptr<!pp}}
  store %0, %p : !ppy_core.ptr<!ppy_core.ptr<i64, stack>>
  ret
}

// -----

// Nor is a borrowed parameter.
ppy_core.func @f(%p: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}, %q: !ppy_core.ptr<!ppy_core.ptr<i64>>) {
  // expected-error@below {{'ppy_core.store' op stores parameter #0, which is borrowed: it belongs to the caller and m}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.store of (!ppy_core.ptr<i64>, !ppy_core.ptr<!ppy_core.}}
  store %p, %q : !ppy_core.ptr<!ppy_core.ptr<i64>>
  ret
}

// -----

// Nor a mut one, in a buffer either.
ppy_core.func @f(%p: !ppy_core.ptr<i64> {ppy_core.ownership = "mut"}, %b: !ppy_core.buffer<!ppy_core.ptr<i64>>, %i: i64) {
  // expected-error@below {{'ppy_core.buffer_store' op stores parameter #0, which is mut: it belongs to the caller and}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.buffer_store of (!ppy_core.ptr<i64>, !ppy_core.buffer<}}
  buffer_store %p, %b[%i] : !ppy_core.buffer<!ppy_core.ptr<i64>>, i64
  ret
}

// -----

// A store writes the pointee.
ppy_core.func @f(%a: i32, %p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_core.store' op breaks the rule that the value has the pointee's type (core.cast conve}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.store of (i32, !ppy_core.ptr<i64>)}}
  "ppy_core.store"(%a, %p) : (i32, !ppy_core.ptr<i64>) -> ()
  ret
}

// -----

// A load reads it.
ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_core.load' op breaks the rule that the result has the pointee's type (core.cast conve}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.load of (!ppy_core.ptr<i64>) to (f64)}}
  %0 = "ppy_core.load"(%p) : (!ppy_core.ptr<i64>) -> f64
  ret
}

// -----

// There is nothing to read behind a pointer to void.
ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.void>) {
  // expected-error@below {{'ppy_core.load' op result #0 must be a value (void is the type of none, and an array is me}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.load of (!ppy_core.ptr<!ppy_core.void>) to (!ppy_core.}}
  %0 = load %p : !ppy_core.ptr<!ppy_core.void>
  ret
}

// -----

// An array is read element by element.
ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.array<i64, 2>>) {
  // expected-error@below {{'ppy_core.load' op result #0 must be a value (void is the type of none, and an array is me}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.load of (!ppy_core.ptr<!ppy_core.array<i64, 2>>) to (!}}
  %0 = load %p : !ppy_core.ptr<!ppy_core.array<i64, 2>>
  ret
}

// -----

// An offset keeps the type.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %i: i64) {
  // expected-error@below {{'ppy_core.ptr_offset' op breaks the rule that the result has the pointer's type, but it is}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ptr_offset of (!ppy_core.ptr<i64>, i64) to (!ppy_core.}}
  %0 = "ppy_core.ptr_offset"(%p, %i) : (!ppy_core.ptr<i64>, i64) -> !ppy_core.ptr<i32>
  ret
}

// -----

// An offset is an integer.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %x: f64) {
  // expected-error@below {{'ppy_core.ptr_offset' op operand #1 must be an integer or index (core.cast turns other num}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ptr_offset of (!ppy_core.ptr<i64>, f64) to (!ppy_core.}}
  %0 = "ppy_core.ptr_offset"(%p, %x) : (!ppy_core.ptr<i64>, f64) -> !ppy_core.ptr<i64>
  ret
}

// -----

// One index over arrays, and one per dimension.
ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, %i: i64) {
  // expected-error@below {{'ppy_core.ptr_index' op takes 3 indices into !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, no}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ptr_index of (!ppy_core.ptr<!ppy_core.array<i32, 2, 3>}}
  %0 = ptr_index %p[%i, %i] : !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, (i64, i64) -> !ppy_core.ptr<i32>
  ret
}

// -----

// It points to the element.
ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.array<i32, 2>>, %i: i64) {
  // expected-error@below {{'ppy_core.ptr_index' op gives !ppy_core.ptr<i64> out of !ppy_core.ptr<!ppy_core.array<i32,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ptr_index of (!ppy_core.ptr<!ppy_core.array<i32, 2>>,}}
  %0 = ptr_index %p[%i, %i] : !ppy_core.ptr<!ppy_core.array<i32, 2>>, (i64, i64) -> !ppy_core.ptr<i64>
  ret
}

// -----

// In the same memory.
ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.array<i32, 2>, generic, const>, %i: i64) {
  // expected-error@below {{'ppy_core.ptr_index' op gives !ppy_core.ptr<i32> out of !ppy_core.ptr<!ppy_core.array<i32,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ptr_index of (!ppy_core.ptr<!ppy_core.array<i32, 2>, g}}
  %0 = ptr_index %p[%i, %i] : !ppy_core.ptr<!ppy_core.array<i32, 2>, generic, const>, (i64, i64) -> !ppy_core.ptr<i32>
  ret
}

// -----

// A buffer's pointer is to its element.
ppy_core.func @f(%b: !ppy_core.buffer<f64>) {
  // expected-error@below {{'ppy_core.buffer_data' op gives !ppy_core.ptr<i64> of !ppy_core.buffer<f64>: the result po}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.buffer_data of (!ppy_core.buffer<f64>) to (!ppy_core.p}}
  %0 = "ppy_core.buffer_data"(%b) : (!ppy_core.buffer<f64>) -> !ppy_core.ptr<i64>
  ret
}

// -----

// In generic memory.
ppy_core.func @f(%b: !ppy_core.buffer<f64>) {
  // expected-error@below {{'ppy_core.buffer_data' op gives !ppy_core.ptr<f64, stack> of !ppy_core.buffer<f64>: a buff}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.buffer_data of (!ppy_core.buffer<f64>) to (!ppy_core.p}}
  %0 = "ppy_core.buffer_data"(%b) : (!ppy_core.buffer<f64>) -> !ppy_core.ptr<f64, stack>
  ret
}

// -----

// A length is an index.
ppy_core.func @f(%b: !ppy_core.buffer<f64>) {
  // expected-error@below {{'ppy_core.buffer_len' op result #0 must be an index (core.cast converts it afterwards), bu}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.buffer_len of (!ppy_core.buffer<f64>) to (i64)}}
  %0 = "ppy_core.buffer_len"(%b) : (!ppy_core.buffer<f64>) -> i64
  ret
}

// -----

// A buffer gives its element.
ppy_core.func @f(%b: !ppy_core.buffer<f64>, %i: i64) {
  // expected-error@below {{'ppy_core.buffer_load' op breaks the rule that the result has the buffer's element type (c}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.buffer_load of (!ppy_core.buffer<f64>, i64) to (i64)}}
  %0 = "ppy_core.buffer_load"(%b, %i) : (!ppy_core.buffer<f64>, i64) -> i64
  ret
}

// -----

// And takes it.
ppy_core.func @f(%b: !ppy_core.buffer<f64>, %i: i64) {
  // expected-error@below {{'ppy_core.buffer_store' op breaks the rule that the value has the buffer's element type (c}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.buffer_store of (i64, !ppy_core.buffer<f64>, i64)}}
  "ppy_core.buffer_store"(%i, %b, %i) : (i64, !ppy_core.buffer<f64>, i64) -> ()
  ret
}
