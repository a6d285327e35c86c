// RUN: %ppy-opt %s --lower-parallel='threads=4' | FileCheck %s

// A target without threads gets one chunk.
// CHECK-NOT: spawn
// CHECK: call @chunk(
module attributes {llvm.target_triple = "wasm32-unknown-unknown"} {
  ppy_core.func private @chunk(%begin: i64, %end: i64) {
    ppy_core.ret
  }
  ppy_core.func @each(%n: i64) {
    ppy_parallel.for @chunk() from %n to %n
    ppy_core.ret
  }
}
