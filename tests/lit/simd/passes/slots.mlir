// RUN: %ppy-opt %s -mem2reg | FileCheck %s
// RUN: %ppy-opt %s -mem2reg --emit=ppyir | FileCheck %s --check-prefix=PPYIR
// RUN: %ppy-opt %s --convert-ppy-to-llvm | FileCheck %s --check-prefix=LLVM

// A vector's slot becomes a value, and what was never stored there is zero.
// CHECK-LABEL: @slots
// CHECK-NOT: alloca
// CHECK: %[[ZERO:.*]] = const dense<0> : vector<4xui16>
// CHECK-NEXT: ret %[[ZERO]], %arg0
// PPYIR-LABEL: func @slots
// PPYIR: %1 = core.const 0 : u16
// PPYIR-NEXT: %2 = simd.splat %1 : vector<u16, 4>
// PPYIR-NEXT: core.ret %2, %0
ppy_core.func @slots(%v: vector<4xui16>) -> (vector<4xui16>, vector<4xui16>) {
  %a = ppy_core.alloca : !ppy_core.ptr<vector<4xui16>, stack>
  %0 = ppy_core.load %a : !ppy_core.ptr<vector<4xui16>, stack>
  ppy_core.store %v, %a : !ppy_core.ptr<vector<4xui16>, stack>
  %1 = ppy_core.load %a : !ppy_core.ptr<vector<4xui16>, stack>
  ppy_core.ret %0, %1 : vector<4xui16>, vector<4xui16>
}

// In .ppyir the constant of a vector is what makes it.
// PPYIR-LABEL: func @dense
// PPYIR: %0 = core.const 7 : u8
// PPYIR-NEXT: %1 = simd.splat %0 : vector<u8, 3>
// PPYIR-NEXT: %2 = core.const 255 : u8
// PPYIR-NEXT: %3 = core.const 1 : i64
// PPYIR-NEXT: %4 = simd.insert %1, %2, %3 : vector<u8, 3>
// PPYIR: simd.insert
// PPYIR: core.ret %4, %9
// LLVM-LABEL: @dense
// LLVM: llvm.mlir.constant(dense<[7, -1, 7]> : vector<3xi8>) : vector<3xi8>
// LLVM: llvm.mlir.constant(dense<[true, false]> : vector<2xi1>) : vector<2xi1>
ppy_core.func @dense() -> (vector<3xui8>, vector<2xi1>) {
  %0 = ppy_core.const dense<[7, 255, 7]> : vector<3xui8>
  %1 = ppy_core.const dense<[true, false]> : vector<2xi1>
  ppy_core.ret %0, %1 : vector<3xui8>, vector<2xi1>
}
