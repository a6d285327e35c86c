// RUN: %ppy-opt %s --convert-ppy-to-llvm --split-input-file --verify-diagnostics

// A target without pthreads.
module attributes {llvm.target_triple = "wasm32-unknown-unknown"} {
  ppy_core.func @f() -> i64 {
    // expected-error@below {{threads are pthreads, which the target wasm32-unknown-unknown does not have}}
    %0 = ppy_concurrency.thread_id
    ppy_core.ret %0 : i64
  }
}

// -----

module attributes {llvm.target_triple = "x86_64-pc-windows-msvc"} {
  ppy_core.func @f(%p: !ppy_core.ptr<i64>) {
    // expected-error@below {{threads are pthreads, which the target x86_64-pc-windows-msvc does not have}}
    ppy_concurrency.mutex_lock %p : !ppy_core.ptr<i64>
    ppy_core.ret
  }
}

// -----

// One of 32 bits.
module attributes {llvm.target_triple = "i686-unknown-linux-gnu"} {
  ppy_core.func @f(%h: i64) {
    // expected-error@below {{threads are lowered for 64-bit targets, and i686-unknown-linux-gnu is none}}
    %0 = ppy_concurrency.join %h
    ppy_core.ret
  }
}

// -----

// A C function of the program that is not what threads need.
ppy_core.func @f(%h: i64) {
  %0 = ppy_core.call_extern "free"(%h) {abi = "c"} : (i64) -> i64
  // expected-error@below {{it needs @free of type !llvm.func<void (ptr)>, and the module has another @free: rename that one}}
  %1 = ppy_concurrency.join %h
  ppy_core.ret
}
