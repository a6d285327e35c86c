// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A counter is not negative.
ppy_core.func @f() {
  // expected-error@below {{'ppy_prof.hit' op counts in counter -1; counters are numbered from 0 to 16777215}}
  // expected-note@below {{in function @f, block ^bb0}}
  ppy_prof.hit -1
  ret
}

// -----

// Nor beyond what a module may have.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_prof.hit_if' op counts in counter 16777216; counters are numbered from 0 to 16777215}}
  // expected-note@below {{in function @f, block ^bb0}}
  ppy_prof.hit_if %c, 16777216
  ret
}
