// RUN: not %ppy-opt %s -infer-effects 2>&1 | FileCheck %s
// LLVM is not told either.
// RUN: not %ppy-opt %s -convert-ppy-to-llvm 2>&1 | FileCheck %s

// CHECK: 'ppy_core.store' op writes through parameter #0 of @says_nothing, but @says_nothing states the effects none: add write_memory
ppy_core.func @says_nothing(%p: !ppy_core.ptr<i64>, %x: i64) attributes {effects = []} {
  ppy_core.store %x, %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
// CHECK: 'ppy_core.call' op calls @prints, which has the effects io, may_raise, but @says_less states the effects may_raise: add io
ppy_core.func @says_less() attributes {effects = ["may_raise"]} {
  ppy_core.call @prints() : () -> ()
  ppy_core.ret
}
ppy_core.func private @prints() attributes {effects = ["io", "may_raise"]}

// A callee writes through what it is given, also where that is a global; not the caller's stack.
// CHECK: 'ppy_core.call' op calls @writes, which writes through parameter #1 of @hands_on, but @hands_on states the effects may_raise
ppy_core.func @hands_on(%x: i64, %p: !ppy_core.ptr<i64>) attributes {effects = ["may_raise"]} {
  ppy_core.call @writes(%p, %x) : (!ppy_core.ptr<i64>, i64) -> ()
  ppy_core.ret
}
ppy_core.func @keeps(%x: i64) attributes {effects = []} {
  %0 = ppy_core.alloca : !ppy_core.ptr<i64, stack>
  ppy_core.call @writes_stack(%0, %x) : (!ppy_core.ptr<i64, stack>, i64) -> ()
  ppy_core.ret
}
ppy_core.func @writes(%p: !ppy_core.ptr<i64>, %x: i64) {
  ppy_core.store %x, %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
ppy_core.func @writes_stack(%p: !ppy_core.ptr<i64, stack>, %x: i64) {
  ppy_core.store %x, %p : !ppy_core.ptr<i64, stack>
  ppy_core.ret
}
// CHECK: 'ppy_core.store' op writes through parameter #0 of @follows, but @follows states the effects read_memory
ppy_core.func @follows(%p: !ppy_core.ptr<!ppy_core.ptr<i64>>, %x: i64) attributes {effects = ["read_memory"]} {
  %0 = ppy_core.load %p : !ppy_core.ptr<!ppy_core.ptr<i64>>
  ppy_core.store %x, %0 : !ppy_core.ptr<i64>
  ppy_core.ret
}
// What threads see of each other is stated.
// CHECK: 'ppy_atomic.fetch_add' op writes through parameter #0 of @counts, but @counts states the effects none
// CHECK: 'ppy_atomic.fetch_add' op has the effect atomic, but @counts states the effects none: add atomic
ppy_core.func @counts(%p: !ppy_core.ptr<i64>, %x: i64) attributes {effects = []} {
  %0 = ppy_atomic.fetch_add seq_cst %p, %x : !ppy_core.ptr<i64>
  ppy_core.ret
}
// CHECK: 'ppy_concurrency.mutex_lock' op has the effect sync, but @locks states the effects write_memory: add sync
ppy_core.func @locks(%p: !ppy_core.ptr<i64>) attributes {effects = ["write_memory"]} {
  ppy_concurrency.mutex_lock %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
