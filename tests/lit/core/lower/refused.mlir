// RUN: not %ppy-opt %s --convert-ppy-to-llvm 2>&1 | FileCheck %s
// Everything that has no lowering is named, not only the first.

// CHECK-DAG: 'ppy_core.func' op cannot be lowered: its ABI "resume" needs the lowering of the dialect it belongs to
// CHECK-DAG: 'ppy_core.call_intrinsic' op cannot be lowered: there is no intrinsic "ppy.gen_yield" of 1 operands at the machine
// CHECK-DAG: 'ppy_core.func' op cannot be lowered: it is exported as "c" and gives 2 values; C returns one
ppy_core.func @resumed() attributes {ppy.abi = "resume"} {
  ppy_core.ret
}
ppy_core.func @yields(%a: i64) {
  ppy_core.call_intrinsic "ppy.gen_yield"(%a) : (i64) -> ()
  ppy_core.ret
}
ppy_core.func @exported(%a: i64) -> (i64, i64) attributes {ppy.export = "c"} {
  ppy_core.ret %a, %a : i64, i64
}
