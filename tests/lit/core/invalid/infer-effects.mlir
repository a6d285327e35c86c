// RUN: not %ppy-opt %s -infer-effects 2>&1 | FileCheck %s

// CHECK: 'ppy_core.store' op writes through a parameter, but @says_nothing states the effects none: add write_memory
ppy_core.func @says_nothing(%p: !ppy_core.ptr<i64>, %x: i64) attributes {effects = []} {
  ppy_core.store %x, %p : !ppy_core.ptr<i64>
  ppy_core.ret
}
// CHECK: 'ppy_core.call' op calls @prints, which has the effects io, may_raise, but @says_less states may_raise: add io
ppy_core.func @says_less() attributes {effects = ["may_raise"]} {
  ppy_core.call @prints() : () -> ()
  ppy_core.ret
}
ppy_core.func private @prints() attributes {effects = ["io", "may_raise"]}
