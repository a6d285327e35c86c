// RUN: %ppy-opt %s -internalize | FileCheck %s
// RUN: %ppy-opt %s --pass-pipeline='builtin.module(internalize{keep=unbound},global-dce)' | FileCheck %s --check-prefix=KEEP

// CHECK-DAG: func @bound
// CHECK-DAG: func @exported
// CHECK-DAG: func private @unbound
// CHECK-DAG: func @in_a_table
// CHECK-DAG: func @by_address
// CHECK-DAG: func public @by_name
// CHECK-DAG: func private @declared

// KEEP-NOT: @bound
// KEEP: global @table
// KEEP-NOT: @dropped
// KEEP-DAG: func @exported
// KEEP-DAG: func @unbound
// KEEP-DAG: func @in_a_table
// KEEP-DAG: func @by_address
// KEEP-DAG: func public @by_name
ppy_core.func @bound() attributes {ppy.qualname = "m.bound"} {
  ppy_core.ret
}
ppy_core.global @table : !ppy_core.ptr<i8> {functions = [@in_a_table]}
ppy_core.global "private" @dropped : i64 = 1 : i64
ppy_core.func @exported() attributes {ppy.export = "c_name"} {
  %0 = ppy_core.call_intrinsic "ppy.function_address"() {callee = @by_address} : () -> i64
  ppy_core.call_extern "native_name"() {abi = "c"} : () -> ()
  ppy_core.ret
}
ppy_core.func @unbound() {
  ppy_core.call @declared() : () -> ()
  ppy_core.ret
}
ppy_core.func @in_a_table() {
  ppy_core.ret
}
ppy_core.func @by_address() {
  ppy_core.ret
}
ppy_core.func private @by_name() attributes {ppy.symbol = "native_name"} {
  ppy_core.ret
}
ppy_core.func private @declared()
