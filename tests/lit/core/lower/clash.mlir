// RUN: not %ppy-opt %s --convert-ppy-to-llvm 2>&1 | FileCheck %s
// Two functions with one name for the linker.

// CHECK: 'ppy_core.func' op and @f have one name for the linker, "s": change ppy.symbol of one
ppy_core.func @f() attributes {ppy.symbol = "s"} {
  ppy_core.ret
}
ppy_core.func @g() attributes {ppy.symbol = "s"} {
  ppy_core.ret
}
