// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A load publishes nothing.
ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_atomic.load' op has order release, but a load publishes nothing: its order is o}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.load of (!ppy_core.ptr<i64>) to (i64)}}
  %0 = ppy_atomic.load release %p : !ppy_core.ptr<i64>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_atomic.load' op has order acq_rel, but a load publishes nothing: its order is o}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.load of (!ppy_core.ptr<i64>) to (i64)}}
  %0 = ppy_atomic.load acq_rel %p : !ppy_core.ptr<i64>
  ret
}

// -----

// A store sees nothing.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i64) {
  // expected-error@below {{'ppy_atomic.store' op has order acquire, but a store sees nothing: its order is one }}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.store of (i64, !ppy_core.ptr<i64>)}}
  ppy_atomic.store acquire %v, %p : !ppy_core.ptr<i64>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i64) {
  // expected-error@below {{'ppy_atomic.store' op has order acq_rel, but a store sees nothing: its order is one }}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.store of (i64, !ppy_core.ptr<i64>)}}
  ppy_atomic.store acq_rel %v, %p : !ppy_core.ptr<i64>
  ret
}

// -----

// Where a compare-exchange fails it only loads.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i64) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op fails with order release, but then it only loads: i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<i64>, i64, i64) }}
  %0:2 = ppy_atomic.compare_exchange seq_cst release %p, %v, %v : !ppy_core.ptr<i64>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i64) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op fails with order acq_rel, but then it only loads: i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<i64>, i64, i64) }}
  %0:2 = ppy_atomic.compare_exchange seq_cst acq_rel %p, %v, %v : !ppy_core.ptr<i64>
  ret
}

// -----

// And orders no more than where it succeeds.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i64) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op fails with order acquire and succeeds with relaxed,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<i64>, i64, i64) }}
  %0:2 = ppy_atomic.compare_exchange relaxed acquire %p, %v, %v : !ppy_core.ptr<i64>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i64) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op fails with order seq_cst and succeeds with acq_rel,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<i64>, i64, i64) }}
  %0:2 = ppy_atomic.compare_exchange acq_rel seq_cst %p, %v, %v : !ppy_core.ptr<i64>
  ret
}

// -----

// A fence orders.
ppy_core.func @f() {
  // expected-error@below {{'ppy_atomic.fence' op has order relaxed, but such a fence orders nothing: its order }}
  // expected-note@below {{in function @f, block ^bb0}}
  ppy_atomic.fence relaxed
  ret
}

// -----

// Integers are computed on, not floats.
ppy_core.func @f(%p: !ppy_core.ptr<f64>, %v: f64) {
  // expected-error@below {{'ppy_atomic.fetch_add' op works on f64, which is no integer: point to one or an inde}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.fetch_add of (!ppy_core.ptr<f64>, f64) to (f64)}}
  %0 = ppy_atomic.fetch_add seq_cst %p, %v : !ppy_core.ptr<f64>
  ret
}

// -----

// Numbers are accessed, not bools, pointers, vectors or aggregates.
ppy_core.func @f(%p: !ppy_core.ptr<i1>) {
  // expected-error@below {{'ppy_atomic.load' op works on i1, which is no number: point to an integer, index or }}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.load of (!ppy_core.ptr<i1>) to (i1)}}
  %0 = ppy_atomic.load seq_cst %p : !ppy_core.ptr<i1>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<!ppy_core.ptr<i64>>, %v: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_atomic.store' op works on !ppy_core.ptr<i64>, which is no number: point to an i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.store of (!ppy_core.ptr<i64>, !ppy_core.ptr<!ppy_co}}
  ppy_atomic.store seq_cst %v, %p : !ppy_core.ptr<!ppy_core.ptr<i64>>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<vector<2xi64>>, %v: vector<2xi64>) {
  // expected-error@below {{'ppy_atomic.exchange' op works on vector<2xi64>, which is no number: point to an int}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.exchange of (!ppy_core.ptr<vector<2xi64>>, vector<2}}
  %0 = ppy_atomic.exchange seq_cst %p, %v : !ppy_core.ptr<vector<2xi64>>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<tuple<i64>>, %v: tuple<i64>) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op works on tuple<i64>, which is no number: point to a}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<tuple<i64>>, tup}}
  %0:2 = ppy_atomic.compare_exchange seq_cst seq_cst %p, %v, %v : !ppy_core.ptr<tuple<i64>>
  ret
}

// -----

// Nothing is written through a const pointer.
ppy_core.func @f(%p: !ppy_core.ptr<i64, generic, const>, %v: i64) {
  // expected-error@below {{'ppy_atomic.store' op writes through !ppy_core.ptr<i64, generic, const>, a const poi}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.store of (i64, !ppy_core.ptr<i64, generic, const>)}}
  ppy_atomic.store relaxed %v, %p : !ppy_core.ptr<i64, generic, const>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64, generic, const>, %v: i64) {
  // expected-error@below {{'ppy_atomic.fetch_or' op writes through !ppy_core.ptr<i64, generic, const>, a const }}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.fetch_or of (!ppy_core.ptr<i64, generic, const>, i6}}
  %0 = ppy_atomic.fetch_or relaxed %p, %v : !ppy_core.ptr<i64, generic, const>
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64, generic, const>, %v: i64) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op writes through !ppy_core.ptr<i64, generic, const>, }}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<i64, generic, co}}
  %0:2 = ppy_atomic.compare_exchange relaxed relaxed %p, %v, %v : !ppy_core.ptr<i64, generic, const>
  ret
}

// -----

// The values are what the pointer addresses.
ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i32) {
  // expected-error@below {{'ppy_atomic.store' op breaks the rule that the value has the pointee's type (core.ca}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.store of (i32, !ppy_core.ptr<i64>)}}
  "ppy_atomic.store"(%v, %p) <{order = 0 : i32}> : (i32, !ppy_core.ptr<i64>) -> ()
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_atomic.load' op breaks the rule that the result has the pointee's type (core.ca}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.load of (!ppy_core.ptr<i64>) to (i32)}}
  %0 = "ppy_atomic.load"(%p) <{order = 0 : i32}> : (!ppy_core.ptr<i64>) -> i32
  ret
}

// -----

ppy_core.func @f(%p: !ppy_core.ptr<i64>, %v: i32, %w: i64) {
  // expected-error@below {{'ppy_atomic.compare_exchange' op breaks the rule that the expected has the pointee's}}
  // expected-note@below {{in function @f, block ^bb0: ppy_atomic.compare_exchange of (!ppy_core.ptr<i64>, i32, i64) }}
  %0:2 = "ppy_atomic.compare_exchange"(%p, %v, %w) <{success = 0 : i32, failure = 0 : i32}> : (!ppy_core.ptr<i64>, i32, i64) -> (i64, i1)
  ret
}
