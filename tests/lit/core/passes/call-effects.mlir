// RUN: %ppy-opt %s -infer-effects -cse | FileCheck %s --check-prefix=CSE
// RUN: %ppy-opt %s -infer-effects -canonicalize | FileCheck %s --check-prefix=DEAD
// RUN: %ppy-opt %s -infer-effects -loop-invariant-code-motion -hoist-guards | FileCheck %s --check-prefix=LICM
// RUN: %ppy-opt %s -infer-effects -sanitize | FileCheck %s --check-prefix=SANITIZE

// Marks of an earlier run do not stay, nor do those of what sanitize has guarded.
// SANITIZE-NOT: ppy.effects

ppy_core.func @adds(%x: i64) -> i64 {
  %0 = ppy_core.add %x, %x overflow<python> : i64
  ppy_core.ret %0 : i64
}
ppy_core.func @reads(%p: !ppy_core.ptr<i64>) -> i64 {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret %0 : i64
}
ppy_core.func @fails(%x: i64) -> i64 {
  %0 = ppy_core.add %x, %x overflow<checked> : i64
  ppy_core.ret %0 : i64
}
// It states less than it does, which is not checked of reads.
ppy_core.func @says_pure(%p: !ppy_core.ptr<i64>) -> i64 attributes {effects = ["pure"]} {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret %0 : i64
}
ppy_core.func private @makes(i64) -> !ppy_core.ptr<i64> attributes {effects = ["pure"]}
ppy_core.func private @outside(i64) -> i64
ppy_core.func private @counts(i64) -> i64 attributes {effects = ["pure"]}

// Equal calls are one where one dominates, and nothing writes what they read.
// CSE-LABEL: @merged
// CSE: call @adds{{.*}}ppy.effects = []
// CSE-NOT: call @adds
// CSE: call @reads{{.*}}ppy.effects = ["read_memory"]
// CSE-NOT: call @reads
// CSE: store
// CSE: call @reads
// CSE: call @says_pure
// CSE: store
// CSE: call @says_pure
// CSE: call @counts
// CSE-NOT: call @counts
// CSE: ret
ppy_core.func @merged(%x: i64, %p: !ppy_core.ptr<i64>, %c: i1) -> (i64, i64, i64, i64, i64, i64, i64, i64, i64) {
  %0 = ppy_core.call @adds(%x) : (i64) -> i64
  ppy_core.cond_br %c, ^a, ^b
^a:
  %1 = ppy_core.call @adds(%x) : (i64) -> i64
  ppy_core.br ^b
^b:
  %2 = ppy_core.call @adds(%x) : (i64) -> i64
  %3 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  %4 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  ppy_core.store %x, %p : !ppy_core.ptr<i64>
  %5 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  %6 = ppy_core.call @says_pure(%p) : (!ppy_core.ptr<i64>) -> i64
  ppy_core.store %3, %p : !ppy_core.ptr<i64>
  %7 = ppy_core.call @says_pure(%p) : (!ppy_core.ptr<i64>) -> i64
  %8 = ppy_core.call @counts(%x) : (i64) -> i64
  %9 = ppy_core.call @counts(%x) : (i64) -> i64
  ppy_core.ret %0, %2, %3, %4, %5, %6, %7, %8, %9 : i64, i64, i64, i64, i64, i64, i64, i64, i64
}
// Failures, objects that may be new, and what is not known stay two.
// CSE-LABEL: @kept
// CSE-COUNT-2: call @fails{{.*}}ppy.effects = ["may_raise"]
// CSE-COUNT-2: call @makes
// CSE-COUNT-2: call @outside
// DEAD-LABEL: @kept
// DEAD-COUNT-2: call @fails
// DEAD-COUNT-2: call @outside
// DEAD: call @adds
ppy_core.func @kept(%x: i64) -> (i64, !ppy_core.ptr<i64>, !ppy_core.ptr<i64>) {
  %0 = ppy_core.call @fails(%x) : (i64) -> i64
  %1 = ppy_core.call @fails(%x) : (i64) -> i64
  %2 = ppy_core.call @makes(%x) : (i64) -> !ppy_core.ptr<i64>
  %3 = ppy_core.call @makes(%x) : (i64) -> !ppy_core.ptr<i64>
  %4 = ppy_core.call @outside(%x) {ppy.effects = ["pure"]} : (i64) -> i64
  %5 = ppy_core.call @outside(%x) {ppy.effects = ["pure"]} : (i64) -> i64
  %6 = ppy_core.call @adds(%x) : (i64) -> i64
  ppy_core.ret %6, %2, %3 : i64, !ppy_core.ptr<i64>, !ppy_core.ptr<i64>
}
// DEAD-LABEL: @unused
// DEAD-NOT: call
// DEAD: ret
ppy_core.func @unused(%x: i64, %p: !ppy_core.ptr<i64>) {
  %0 = ppy_core.call @adds(%x) : (i64) -> i64
  %1 = ppy_core.call @reads(%p) : (!ppy_core.ptr<i64>) -> i64
  %2 = ppy_core.call @makes(%x) : (i64) -> !ppy_core.ptr<i64>
  ppy_core.ret
}
// A call that may fail is not speculated.
// LICM-LABEL: @looping
// LICM: cond_br
// LICM: call @adds
ppy_core.func @looping(%x: i64, %n: i64) -> i64 {
  %zero = ppy_core.const 0 : i64
  ppy_core.br ^head(%zero, %zero : i64, i64)
^head(%i: i64, %sum: i64):
  %more = ppy_core.cmp lt, %i, %n : i64
  ppy_core.cond_br %more, ^body, ^end
^body:
  %0 = ppy_core.call @adds(%x) : (i64) -> i64
  %1 = ppy_core.add %sum, %0 overflow<wrap> : i64
  %2 = ppy_core.add %i, %x overflow<python> : i64
  ppy_core.br ^head(%2, %1 : i64, i64)
^end:
  ppy_core.ret %sum : i64
}
