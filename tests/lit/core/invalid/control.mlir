// RUN: %ppy-opt %s --split-input-file --verify-diagnostics

// A return has as many values as the function declares.
ppy_core.func @f(%a: i64) -> i64 {
  // expected-error@below {{'ppy_core.ret' op returns nothing, but @f gives i64: return what the signature says, or ch}}
  // expected-note@below {{in function @f, block ^bb0}}
  ret
}

// -----

// Of its types.
ppy_core.func @f(%a: i64, %c: i1) -> (i64, i64) {
  // expected-error@below {{'ppy_core.ret' op returns i64, i1, but @f gives i64, i64: return what the signature says,}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ret of (i64, i1)}}
  ret %a, %c : i64, i1
}

// -----

// A stack pointer does not leave its function.
ppy_core.func @f() -> !ppy_core.ptr<i64, stack> {
  %0 = alloca : !ppy_core.ptr<i64, stack>
  // expected-error@below {{'ppy_core.ret' op returns the stack pointer !ppy_core.ptr<i64, stack>: stack memory ends w}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ret of (!ppy_core.ptr<i64, stack>)}}
  ret %0 : !ppy_core.ptr<i64, stack>
}

// -----

// Nor does one in an aggregate.
ppy_core.func @f(%t: tuple<i64, tuple<!ppy_core.ptr<i64, stack>>>) -> tuple<i64, tuple<!ppy_core.ptr<i64, stack>>> {
  // expected-error@below {{'ppy_core.ret' op returns the stack pointer !ppy_core.ptr<i64, stack>: stack memory ends w}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ret of (tuple<i64, tuple<!ppy_core.ptr<i64, stack>>>)}}
  ret %t : tuple<i64, tuple<!ppy_core.ptr<i64, stack>>>
}

// -----

// A borrowed parameter is not returned.
ppy_core.func @f(%p: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}) -> !ppy_core.ptr<i64> {
  // expected-error@below {{'ppy_core.ret' op returns parameter #0, which is borrowed: it belongs to the caller and ma}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ret of (!ppy_core.ptr<i64>)}}
  ret %p : !ppy_core.ptr<i64>
}

// -----

// Nor a mut one, chosen or in an aggregate.
ppy_core.func @f(%c: i1, %p: !ppy_core.ptr<i64> {ppy_core.ownership = "mut"}, %q: !ppy_core.ptr<i64>) -> tuple<!ppy_core.ptr<i64>> {
  %0 = select %c, %q, %p : i1, !ppy_core.ptr<i64>
  %1 = tuple_make %0 : tuple<!ppy_core.ptr<i64>>
  // expected-error@below {{'ppy_core.ret' op returns parameter #1, which is mut: it belongs to the caller and may be}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.ret of (tuple<!ppy_core.ptr<i64>>)}}
  ret %1 : tuple<!ppy_core.ptr<i64>>
}

// -----

// Nor what counts from it, on any way.
ppy_core.func @f(%c: i1, %p: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}, %q: !ppy_core.ptr<i64>, %i: i64) -> !ppy_core.ptr<i64> {
  %0 = ptr_offset %p, %i : !ppy_core.ptr<i64>, i64
  %1 = cast %0 : !ppy_core.ptr<i64> to !ppy_core.ptr<i8>
  %2 = tuple_make %1, %i : tuple<!ppy_core.ptr<i8>, i64>
  %3 = tuple_extract %2[0] : tuple<!ppy_core.ptr<i8>, i64> -> !ppy_core.ptr<i8>
  %4 = cast %3 : !ppy_core.ptr<i8> to !ppy_core.ptr<i64>
  cond_br %c, ^end(%4 : !ppy_core.ptr<i64>), ^end(%q : !ppy_core.ptr<i64>)
^end(%r: !ppy_core.ptr<i64>):
  // expected-error@below {{'ppy_core.ret' op returns parameter #1, which is borrowed: it belongs to the caller and ma}}
  // expected-note@below {{in function @f, block ^bb1: ppy_core.ret of (!ppy_core.ptr<i64>)}}
  ret %r : !ppy_core.ptr<i64>
}

// -----

// A number beside it in an aggregate is no part of it.
ppy_core.func @f(%p: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}, %i: i64) -> i64 {
  %0 = tuple_make %p, %i : tuple<!ppy_core.ptr<i64>, i64>
  %1 = tuple_extract %0[1] : tuple<!ppy_core.ptr<i64>, i64> -> i64
  ret %1 : i64
}

// -----

// A condition is a bool.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.cond_br' op operand #0 must be a bool (compare with core.cmp to get one), but go}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cond_br of (i64)}}
  "ppy_core.cond_br"(%a)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> ()
^a:
  ret
}

// -----

// A branch passes what the block takes.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.br' op passes 0 values to successor #0, which takes 1: pass one for each argumen}}
  // expected-note@below {{in function @f, block ^bb0}}
  br ^x
^x(%b: i64):
  ret
}

// -----

// Of its types.
ppy_core.func @f(%a: i64, %c: i1) {
  // expected-error@below {{'ppy_core.cond_br' op passes 'i1' for argument #1 of successor #0, which is 'i32': convert}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cond_br of (i1, i64, i1)}}
  cond_br %c, ^x(%a, %c : i64, i1), ^y
^x(%b: i64, %d: i32):
  ret
^y:
  ret
}

// -----

// The sizes of its operand groups are true.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_core.cond_br' op operand count (1) does not match with the total size (6) specified i}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.cond_br of (i1)}}
  "ppy_core.cond_br"(%c)[^x, ^x] <{operandSegmentSizes = array<i32: 1, 5, 0>}> : (i1) -> ()
^x:
  ret
}

// -----

// Nothing branches to the entry.
ppy_core.func @f() {
^entry:
  // expected-error@below {{'ppy_core.br' op branches to the entry block, which is where a call comes in: branch to a}}
  // expected-note@below {{in function @f, block ^bb0}}
  br ^entry
}

// -----

// A block ends in a terminator.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.neg' op ends its block but is no terminator: add a core.br, core.cond_br, core.r}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.neg of (i64) to (i64)}}
  %0 = neg %a overflow<wrap> : i64
}

// -----

// Which is its last operation.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.unreachable' op is a terminator in the middle of a block: move what follows into}}
  // expected-note@below {{in function @f, block ^bb0}}
  unreachable
  %0 = neg %a overflow<wrap> : i64
  ret
}

// -----

// A block is not empty.
// expected-error@below {{'ppy_core.func' op has an empty block: a block ends in a terminator; add a core.br, core.con}}
ppy_core.func @f() {
  unreachable
^x:
}

// -----

// A definition reaches its use.
ppy_core.func @f(%c: i1, %a: i64) -> i64 {
  cond_br %c, ^x, ^y
^x:
  %0 = neg %a overflow<wrap> : i64
  br ^y
^y:
  // expected-error@below {{'ppy_core.ret' op reads operand #0 where it may not be defined: a value is defined on ever}}
  // expected-note@below {{in function @f, block ^bb2: ppy_core.ret of (i64)}}
  ret %0 : i64
}

// -----

// A guard is on a bool.
ppy_core.func @f(%a: i64) {
  // expected-error@below {{'ppy_core.guard' op operand #0 must be a bool (compare with core.cmp to get one), but got}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.guard of (i64)}}
  "ppy_core.guard"(%a) <{kind = 1 : i32}> : (i64) -> ()
  ret
}

// -----

// A sanitizer has one of four kinds.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_core.guard' op has the label "sanitize:sanity": a sanitizer's label is sanitize: and}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.guard of (i1)}}
  guard %c, bounds {label = "sanitize:sanity"}
  ret
}

// -----

// A label says something.
ppy_core.func @f(%c: i1) {
  // expected-error@below {{'ppy_core.guard' op has an empty label: name what failed, or drop the label}}
  // expected-note@below {{in function @f, block ^bb0: ppy_core.guard of (i1)}}
  guard %c, bounds {label = ""}
  ret
}

// -----

// A return stands in a function.
// expected-error@below {{'ppy_core.ret' op stands outside a function: move it into one}}
"ppy_core.ret"() : () -> ()
