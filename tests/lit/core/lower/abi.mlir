// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s
// RUN: %ppy-opt %s --convert-ppy-to-llvm | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR
// The native ABI: docs/abi.md.

// Tuples, structs and buffers are their scalars; a bool is a byte; the symbol is `ppy.symbol`.
// CHECK-LABEL: llvm.func @ppy_flat(
// CHECK-SAME: %{{.*}}: i64, %{{.*}}: i8, %{{.*}}: f64, %{{.*}}: !llvm.ptr, %{{.*}}: i64 {llvm.range = {{[^}]*}}}, %{{.*}}: !llvm.ptr {{{.*}}}, %{{.*}}: !llvm.ptr {{{.*}}}) -> i32
// IR-LABEL: define i32 @ppy_flat(i64 %0, i8 %1, double %2, ptr %3, i64 range(i64 0, 144115188075855873) %4, ptr noalias nonnull writeonly captures(none) %5, ptr noalias nonnull writeonly captures(none) %6)
ppy_core.func @flat(%t: tuple<i64, tuple<i1, f64>>, %b: !ppy_core.buffer<f64>) -> tuple<f64, i1> attributes {ppy.symbol = "ppy_flat"} {
  %0 = ppy_core.tuple_extract %t[1] : tuple<i64, tuple<i1, f64>> -> tuple<i1, f64>
  %1 = ppy_core.tuple_extract %0[0] : tuple<i1, f64> -> i1
  %2 = ppy_core.tuple_extract %0[1] : tuple<i1, f64> -> f64
  %3 = ppy_core.tuple_make %2, %1 : tuple<f64, i1>
  ppy_core.ret %3 : tuple<f64, i1>
}

// No result is one slot, with 0 in it.
// CHECK-LABEL: llvm.func internal @nothing(
// CHECK-SAME: %[[OUT:.*]]: !llvm.ptr
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: llvm.store %[[ZERO]], %[[OUT]]
ppy_core.func private @nothing() {
  ppy_core.ret
}

// A failing call takes the caller's fallback, whatever its status.
// CHECK-LABEL: llvm.func @caller(
// CHECK: %[[STATUS:.*]] = llvm.call @ppy_flat(
// CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br %[[OK]] weights([2147483647, 1])
ppy_core.func @caller(%t: tuple<i64, tuple<i1, f64>>, %b: !ppy_core.buffer<f64>) -> f64 {
  %0 = ppy_core.call @flat(%t, %b) : (tuple<i64, tuple<i1, f64>>, !ppy_core.buffer<f64>) -> tuple<f64, i1>
  %1 = ppy_core.tuple_extract %0[0] : tuple<f64, i1> -> f64
  ppy_core.call @nothing() : () -> ()
  ppy_core.ret %1 : f64
}

// A captured status is a value; the slots read as zero where nothing was written.
// CHECK-LABEL: llvm.func @captured(
// CHECK: llvm.store %{{.*}}, %[[SLOT:[0-9]+]]
// CHECK: %[[STATUS:.*]] = llvm.call @half(%{{.*}}, %[[SLOT]])
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.load %[[SLOT]]
// CHECK: llvm.sext %[[STATUS]] : i32 to i64
ppy_core.func @half(%a: i64) -> i64 {
  ppy_core.ret %a : i64
}
ppy_core.func @captured(%a: i64) -> (i64, i64) {
  %0:2 = ppy_core.call @half(%a) {capture_status = true} : (i64) -> (i64, i64)
  ppy_core.ret %0#0, %0#1 : i64, i64
}

// By address.
// CHECK-LABEL: llvm.func @through(
// CHECK: llvm.mlir.addressof @half
// CHECK: llvm.ptrtoint
// CHECK: %[[F:.*]] = llvm.inttoptr
// CHECK: llvm.call %[[F]](
ppy_core.func @through(%a: i64) -> i64 {
  %f = ppy_core.call_intrinsic "ppy.function_address"() {callee = @half} : () -> i64
  %0 = ppy_core.call_indirect %f(%a) : i64, (i64) -> i64
  ppy_core.ret %0 : i64
}

// C functions have C signatures; one name with two of them is called through its address.
// CHECK-LABEL: llvm.func @foreign(
// CHECK: llvm.call @labs(%{{.*}}) : (i64) -> i64
// CHECK: llvm.call @is_odd(%{{.*}}, %{{.*}}) : (i32, !llvm.ptr) -> i8
// CHECK: %[[LABS:.*]] = llvm.mlir.addressof @labs
// CHECK: llvm.call %[[LABS]](%{{.*}}) : !llvm.ptr, (i32) -> i64
ppy_core.func @foreign(%a: i64, %n: i32, %p: !ppy_core.ptr<i8>) -> i1 {
  %0 = ppy_core.call_extern "labs"(%a) {abi = "c"} : (i64) -> i64
  %1 = ppy_core.call_extern "is_odd"(%n, %p) {abi = "c"} : (i32, !ppy_core.ptr<i8>) -> i1
  %2 = ppy_core.call_extern "labs"(%n) {abi = "c"} : (i32) -> i64
  ppy_core.ret %1 : i1
}

// An exported function has a C function beside it, which traps where there is no answer.
// CHECK-LABEL: llvm.func @exported(
// CHECK-LABEL: llvm.func @c_name(%{{.*}}: i64) -> i64
// CHECK: llvm.call @exported(
// CHECK: llvm.intr.trap
ppy_core.func @exported(%a: i64) -> i64 attributes {ppy.export = "c_name"} {
  ppy_core.ret %a : i64
}

// The copy of a list is nobody else's, and a function without write effects writes through no parameter.
// CHECK-LABEL: llvm.func @reads(
// CHECK-SAME: !llvm.ptr {llvm.noalias, llvm.readonly}, %{{.*}}: i64 {llvm.range = {{.*}}}, %{{.*}}: !llvm.ptr {llvm.nocapture, llvm.readonly}
ppy_core.func @reads(%xs: !ppy_core.buffer<i64> {ppy_core.ownership = "owned", ppy.kind = "list"}, %ys: !ppy_core.buffer<i64> {ppy_core.ownership = "borrowed", ppy.kind = "view"}) -> index attributes {effects = ["may_raise", "read_memory"]} {
  %0 = ppy_core.buffer_len %xs : !ppy_core.buffer<i64>
  ppy_core.ret %0 : index
}

// Also where a parameter says nothing.
// CHECK-LABEL: llvm.func @reads_plainly(
// CHECK-SAME: !llvm.ptr {llvm.readonly}
ppy_core.func @reads_plainly(%p: !ppy_core.ptr<i64>) -> i64 attributes {effects = ["read_memory"]} {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.ret %0 : i64
}

// What is lent is not kept, unless it goes where nobody knows.
// CHECK-LABEL: llvm.func @lends(
// CHECK-SAME: !llvm.ptr {llvm.nocapture}, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.noalias
ppy_core.func @lends(%p: !ppy_core.ptr<i64> {ppy_core.ownership = "mut"}, %q: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}, %r: !ppy_core.ptr<i64> {ppy_core.ownership = "borrowed"}) -> i64 {
  %0 = ppy_core.load %p : !ppy_core.ptr<i64>
  ppy_core.store %0, %p : !ppy_core.ptr<i64>
  %1 = ppy_core.ptr_offset %q, %0 : !ppy_core.ptr<i64>, i64
  ppy_core.call_extern "keep"(%1) : (!ppy_core.ptr<i64>) -> ()
  %2 = ppy_core.cast %r : !ppy_core.ptr<i64> to i64
  ppy_core.ret %2 : i64
}

// CHECK: llvm.mlir.global external constant @text("caf\C3\A9")
// CHECK: llvm.mlir.global internal @hits(7 : i64)
ppy_core.global @text : !ppy_core.buffer<ui8> = "caf\C3\A9"
ppy_core.global "private" mutable @hits : i64 = 7 : i64
