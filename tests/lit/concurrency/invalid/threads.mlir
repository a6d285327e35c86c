// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// What is spawned is a function of the module.
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_concurrency.spawn' op spawns @g, which is no function of the module: define it,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.spawn of (i64) to (i64)}}
  %0 = ppy_concurrency.spawn @g(%n) : (i64)
  ret
}

// -----

// It gets as many arguments as it takes.
ppy_core.func @g(%n: i64, %m: i64) {
  ret
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_concurrency.spawn' op passes 1 arguments to @g, which takes 2}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.spawn of (i64) to (i64)}}
  %0 = ppy_concurrency.spawn @g(%n) : (i64)
  ret
}

// -----

// Of the types that it takes: stack memory is another space.
ppy_core.func @g(%p: !ppy_core.ptr<i64>) {
  ret
}
ppy_core.func @f() {
  %p = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  // expected-error@below {{'ppy_concurrency.spawn' op passes argument #0 of type '!ppy_core.ptr<i64, stack>' to}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.spawn of (!ppy_core.ptr<i64, stack>) to (i64)}}
  %0 = ppy_concurrency.spawn @g(%p) : (!ppy_core.ptr<i64, stack>)
  ret
}

// -----

// A thread returns nothing.
ppy_core.func @g(%n: i64) -> i64 {
  ret %n : i64
}
ppy_core.func @f(%n: i64) {
  // expected-error@below {{'ppy_concurrency.spawn' op spawns @g, which gives 1 result: a thread's function retu}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.spawn of (i64) to (i64)}}
  %0 = ppy_concurrency.spawn @g(%n) : (i64)
  ret
}

// -----

// A handle is an i64, and so is a status.
ppy_core.func @f(%h: i32) {
  // expected-error@below {{'ppy_concurrency.join' op operand #0 must be an i64 (core.cast makes one of another }}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.join of (i32) to (i64)}}
  %0 = "ppy_concurrency.join"(%h) : (i32) -> i64
  ret
}

// -----

ppy_core.func @f(%h: i64) {
  // expected-error@below {{'ppy_concurrency.join' op result #0 must be an i64 (core.cast makes one of another n}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.join of (i64) to (i32)}}
  %0 = "ppy_concurrency.join"(%h) : (i64) -> i32
  ret
}

// -----

// A mutex is an i64 slot.
ppy_core.func @f(%p: !ppy_core.ptr<i32>) {
  // expected-error@below {{'ppy_concurrency.mutex_lock' op works on !ppy_core.ptr<i32>, which is no i64: its sl}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.mutex_lock of (!ppy_core.ptr<i32>)}}
  ppy_concurrency.mutex_lock %p : !ppy_core.ptr<i32>
  ret
}

// -----

// That can be written.
ppy_core.func @f(%p: !ppy_core.ptr<i64, generic, const>) {
  // expected-error@below {{'ppy_concurrency.mutex_unlock' op works on !ppy_core.ptr<i64, generic, const>, which}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.mutex_unlock of (!ppy_core.ptr<i64, generic, c}}
  ppy_concurrency.mutex_unlock %p : !ppy_core.ptr<i64, generic, const>
  ret
}

// -----

// So is a condition, and the mutex that it waits with.
ppy_core.func @f(%p: !ppy_core.ptr<f64>, %m: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_concurrency.condition_wait' op works on !ppy_core.ptr<f64>, which is no i64: it}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.condition_wait of (!ppy_core.ptr<f64>, !ppy_co}}
  ppy_concurrency.condition_wait %p, %m : !ppy_core.ptr<f64>, !ppy_core.ptr<i64>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>, %m: !ppy_core.ptr<ui64>) {
  // expected-error@below {{'ppy_concurrency.condition_wait' op works on !ppy_core.ptr<ui64>, which is no i64: i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.condition_wait of (!ppy_core.ptr<i64>, !ppy_co}}
  ppy_concurrency.condition_wait %p, %m : !ppy_core.ptr<i64>, !ppy_core.ptr<ui64>
  ret
}

// -----

// Parties are counted in i64.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %n: i32) {
  // expected-error@below {{'ppy_concurrency.barrier' op operand #1 must be an i64 (core.cast makes one of anoth}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.barrier of (!ppy_core.ptr<i64>, i32)}}
  "ppy_concurrency.barrier"(%p, %n) : (!ppy_core.ptr<i64>, i32) -> ()
  ret
}

// -----

// A slot is addressed by a pointer.
ppy_core.func @f(%p: i64) {
  // expected-error@below {{'ppy_concurrency.condition_notify' op operand #0 must be a pointer (core.buffer_data}}
  // expected-note@below {{in function @f, block ^bb0: ppy_concurrency.condition_notify of (i64)}}
  "ppy_concurrency.condition_notify"(%p) : (i64) -> ()
  ret
}
