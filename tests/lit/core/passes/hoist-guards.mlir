// RUN: %ppy-opt %s --pass-pipeline='builtin.module(ppy_core.func(hoist-guards))' | FileCheck %s

// Reached by every entry: it goes ahead of the loop as it is, with the comparison that it needs.
// CHECK-LABEL: @always
// CHECK: %[[OK:.*]] = cmp ne, %arg1
// CHECK-NEXT: guard %[[OK]], zero_division
// CHECK-NEXT: br ^bb1
// CHECK-NOT: guard
ppy_core.func @always(%n: i64, %d: i64) -> i64 {
  %zero = const 0 : i64
  %one = const 1 : i64
  br ^loop(%zero : i64)
^loop(%i: i64):
  %ok = cmp ne, %d, %zero : i64
  guard %ok, zero_division
  %next = add %i, %one overflow<python> : i64
  %more = cmp lt, %next, %n : i64
  cond_br %more, ^loop(%next : i64), ^exit
^exit:
  ret %i : i64
}

// Behind the branch that leaves: it also holds where the first turn leaves.
// CHECK-LABEL: @behind_the_exit
// CHECK: %[[OK:.*]] = cmp ne, %arg1
// CHECK: %[[STAYS:.*]] = cmp lt, %{{.*}}, %arg0
// CHECK: %[[LEAVES:.*]] = xor %[[STAYS]]
// CHECK: %[[HOLDS:.*]] = or %[[LEAVES]], %[[OK]]
// CHECK-NEXT: guard %[[HOLDS]], zero_division
// CHECK-NEXT: br
// CHECK-NOT: guard
ppy_core.func @behind_the_exit(%n: i64, %d: i64) -> i64 {
  %zero = const 0 : i64
  %one = const 1 : i64
  br ^head(%zero : i64)
^head(%i: i64):
  %more = cmp lt, %i, %n : i64
  cond_br %more, ^body, ^exit
^body:
  %ok = cmp ne, %d, %zero : i64
  guard %ok, zero_division
  %next = add %i, %one overflow<python> : i64
  br ^head(%next : i64)
^exit:
  ret %i : i64
}

// A write comes first: the failure would not see it any more.
// CHECK-LABEL: @after_a_write
// CHECK: br ^bb1
// CHECK: store
// CHECK-NEXT: guard
ppy_core.func @after_a_write(%n: i64, %d: i1, %p: !ppy_core.ptr<i64>) -> i64 {
  %zero = const 0 : i64
  %one = const 1 : i64
  br ^loop(%zero : i64)
^loop(%i: i64):
  store %i, %p : !ppy_core.ptr<i64>
  guard %d, zero_division
  %next = add %i, %one overflow<python> : i64
  %more = cmp lt, %next, %n : i64
  cond_br %more, ^loop(%next : i64), ^exit
^exit:
  ret %i : i64
}

// On one of two ways inside the loop: not every entry comes here.
// CHECK-LABEL: @on_one_way
// CHECK: cond_br
// CHECK: guard
ppy_core.func @on_one_way(%n: i64, %c: i1, %d: i1) -> i64 {
  %zero = const 0 : i64
  %one = const 1 : i64
  br ^loop(%zero : i64)
^loop(%i: i64):
  cond_br %c, ^left, ^right
^left:
  guard %d, zero_division
  br ^latch
^right:
  br ^latch
^latch:
  %next = add %i, %one overflow<python> : i64
  %more = cmp lt, %next, %n : i64
  cond_br %more, ^loop(%next : i64), ^exit
^exit:
  ret %i : i64
}

// Another status would come first: a guard with a label overtakes no failure.
// CHECK-LABEL: @labelled
// CHECK: br ^bb1
// CHECK: add
// CHECK-NEXT: guard {{.*}}label = "raised"
ppy_core.func @labelled(%n: i64, %d: i1) -> i64 {
  %zero = const 0 : i64
  %one = const 1 : i64
  br ^loop(%zero : i64)
^loop(%i: i64):
  %next = add %i, %one overflow<python> : i64
  guard %d, zero_division {label = "raised"}
  %more = cmp lt, %next, %n : i64
  cond_br %more, ^loop(%next : i64), ^exit
^exit:
  ret %i : i64
}
