// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// The locality is 0 to 3.
ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
  // expected-error@below {{'ppy_cpu.prefetch' op has locality 4: it is 0, to keep the line not at all, to 3, to keep it}}
  // expected-note@below {{in function @f, block ^bb0: ppy_cpu.prefetch of (!ppy_core.ptr<i64>)}}
  ppy_cpu.prefetch %p locality<4> : !ppy_core.ptr<i64>
  ret
}

// -----

// Features are names.
// expected-error@below {{'ppy_core.func' op @f has cpu.features with "+avx2": it is a list of names, like ["avx2", "fma}}
ppy_core.func @f() attributes {cpu.features = ["+avx2"]} {
  ret
}

// -----

// expected-error@below {{'ppy_core.func' op @f has cpu.features with 3 : i64: it is a list of names, like ["avx2", "fma"]}}
ppy_core.func @f() attributes {cpu.features = [3]} {
  ret
}

// -----

// They are a list.
// expected-error@below {{'ppy_core.func' op @f has cpu.features "avx2": it is a list of names, like ["avx2", "fma"]}}
ppy_core.func @f() attributes {cpu.features = "avx2"} {
  ret
}
