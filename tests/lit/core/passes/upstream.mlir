// RUN: %ppy-opt %s -inline | FileCheck %s --check-prefix=INLINE
// RUN: %ppy-opt %s -cse | FileCheck %s --check-prefix=CSE
// RUN: %ppy-opt %s -sccp | FileCheck %s --check-prefix=SCCP
// RUN: %ppy-opt %s -dce | FileCheck %s --check-prefix=DCE

// An inlined guard fails as the call did: its label goes.
// INLINE-LABEL: @calls
// INLINE: guard %{{[^{]*}}, contract
// INLINE-NOT: label
// INLINE: call @kept
// INLINE: call @labelled{{.*}}capture_status
ppy_core.func @calls(%c: i1) -> i64 {
  ppy_core.call @labelled(%c) : (i1) -> ()
  ppy_core.call @kept(%c) : (i1) -> ()
  %0 = ppy_core.call @labelled(%c) {capture_status = true} : (i1) -> i64
  ppy_core.ret %0 : i64
}
ppy_core.func @labelled(%c: i1) {
  ppy_core.guard %c, contract {label = "raised"}
  ppy_core.ret
}
ppy_core.func @kept(%c: i1) attributes {ppy.noinline = true} {
  ppy_core.guard %c, contract {label = "raised"}
  ppy_core.ret
}

// Python's additions are one, checked ones two.
// CSE-LABEL: @twice
// CSE-COUNT-1: overflow<python>
// CSE-NOT: overflow<python>
// CSE-COUNT-2: overflow<checked>
ppy_core.func @twice(%x: i64) -> (i64, i64, i64, i64) {
  %0 = ppy_core.add %x, %x overflow<python> : i64
  %1 = ppy_core.add %x, %x overflow<python> : i64
  %2 = ppy_core.mul %x, %x overflow<checked> : i64
  %3 = ppy_core.mul %x, %x overflow<checked> : i64
  ppy_core.ret %0, %1, %2, %3 : i64, i64, i64, i64
}

// SCCP-LABEL: @through_blocks
// SCCP: %[[C:.*]] = const 12 : i64
// SCCP: ret %[[C]]
ppy_core.func @through_blocks(%c: i1) -> i64 {
  %0 = ppy_core.const 5 : i64
  %1 = ppy_core.const 7 : i64
  ppy_core.cond_br %c, ^a(%0 : i64), ^b(%0 : i64)
^a(%p: i64):
  ppy_core.br ^b(%p : i64)
^b(%q: i64):
  %2 = ppy_core.add %q, %1 overflow<python> : i64
  ppy_core.ret %2 : i64
}

// DCE-LABEL: @unused
// DCE-NOT: overflow<python>
// DCE: overflow<checked>
// DCE: guard
// DCE-NOT: call @reads
// DCE: call @raises
// DCE-NEXT: ret
ppy_core.func @unused(%x: i64, %c: i1) {
  %0 = ppy_core.add %x, %x overflow<python> : i64
  %1 = ppy_core.add %x, %x overflow<checked> : i64
  ppy_core.guard %c, contract
  %2 = ppy_core.call @reads(%x) : (i64) -> i64
  %3 = ppy_core.call @raises(%x) : (i64) -> i64
  %4 = ppy_core.call @reads(%3) : (i64) -> i64
  ppy_core.ret
}
ppy_core.func private @reads(i64) -> i64 attributes {effects = ["read_memory", "alloc"]}
ppy_core.func private @raises(i64) -> i64 attributes {effects = ["may_raise"]}
