//===- Simd.td - the ppy_simd dialect -------------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_SIMD_TD
#define PPY_SIMD_TD

include "Core.td"

def Simd_Dialect : Ppy_Dialect<"simd", 1> {
  let summary = "Lanes of vectors";
  let description = [{
    A `vector<T, N>` is N numbers or bools that are operated on at once. Arithmetic, comparisons, selections and casts
    of vectors are the core dialect's, integers under `wrap` or `proven`; here is what makes vectors and takes them
    apart. A lane is addressed by a pointer to the element, and aligned as one.
  }];
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

class Simd_Op<string opMnemonic, list<Trait> opTraits = []> : Ppy_Op<Simd_Dialect, opMnemonic, opTraits>;

def Simd_Vector : Type<CPred<"::ppy::simd::isVector($_self)">,
    "a vector of numbers or bools (simd.splat makes one of a scalar)">;
def Simd_NumberVector : Type<CPred<"::ppy::simd::isVector($_self) && ::ppy::isNumberLike($_self)">,
    "a vector of numbers (core.select makes one of a vector of bools)">;

class Simd_LaneOf<string vector, string lane>
    : TypesMatchWith<"the " # lane # " has the type of a lane (core.cast converts it)", vector, lane,
                     "::ppy::scalarOf($_self)">;

def Simd_SplatOp : Simd_Op<"splat", [Pure, Simd_LaneOf<"result", "value">]> {
  let summary = "one scalar in every lane";
  let description = [{
    ```mlir
    %0 = ppy_simd.splat %x : vector<4xf64>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Simd_Vector:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def Simd_LoadOp : Simd_Op<"load"> {
  let summary = "read lanes that follow each other in memory";
  let description = [{
    The pointer is to the first lane, and aligned as a lane.

    ```mlir
    %0 = ppy_simd.load %p : !ppy_core.ptr<f32> -> vector<8xf32>
    ```
  }];
  let arguments = (ins Arg<Core_AnyPtr, "", [MemRead]>:$ptr);
  let results = (outs Simd_Vector:$result);
  let assemblyFormat = "$ptr attr-dict `:` qualified(type($ptr)) `->` type($result)";
  let rustVerify = "load";
}

def Simd_StoreOp : Simd_Op<"store"> {
  let summary = "write lanes so that they follow each other in memory";
  let description = [{
    ```mlir
    ppy_simd.store %v, %p : vector<8xf32>, !ppy_core.ptr<f32>
    ```
  }];
  let arguments = (ins Simd_Vector:$value, Arg<Core_AnyPtr, "", [MemWrite]>:$ptr);
  let assemblyFormat = "$value `,` $ptr attr-dict `:` type($value) `,` qualified(type($ptr))";
  let rustVerify = "store";
}

def Simd_ExtractOp : Simd_Op<"extract", [Pure, Simd_LaneOf<"vector", "result">]> {
  let summary = "one lane";
  let description = [{
    A lane that the vector does not have has no meaning.

    ```mlir
    %0 = ppy_simd.extract %v[%i] : vector<4xf64>, i64
    ```
  }];
  let arguments = (ins Simd_Vector:$vector, Ppy_Index:$index);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$vector `[` $index `]` attr-dict `:` type($vector) `,` type($index)";
  let rustFold = "extract";
  let rustCanonicalize = "extract";
}

def Simd_InsertOp : Simd_Op<"insert", [Pure, AllTypesMatch<["vector", "result"]>, Simd_LaneOf<"vector", "value">]> {
  let summary = "the vector with another value in one lane";
  let description = [{
    A lane that the vector does not have has no meaning.

    ```mlir
    %0 = ppy_simd.insert %v, %x[%i] : vector<4xf64>, i64
    ```
  }];
  let arguments = (ins Simd_Vector:$vector, AnyType:$value, Ppy_Index:$index);
  let results = (outs Simd_Vector:$result);
  let assemblyFormat = "$vector `,` $value `[` $index `]` attr-dict `:` type($vector) `,` type($index)";
  let rustFold = "insert";
}

def Simd_ShuffleOp : Simd_Op<"shuffle", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "lanes of two vectors in the order of a mask";
  let description = [{
    The mask counts the lanes of the first vector and then those of the second; the result has as many lanes as it.

    ```mlir
    %0 = ppy_simd.shuffle %a, %b [3, 2, 4, 0] : vector<4xi64> -> vector<4xi64>
    ```
  }];
  let arguments = (ins Simd_Vector:$lhs, Simd_Vector:$rhs, ArrayAttr:$mask);
  let results = (outs Simd_Vector:$result);
  let assemblyFormat = "$lhs `,` $rhs $mask attr-dict `:` type($lhs) `->` type($result)";
  let rustVerify = "shuffle";
  let rustFold = "shuffle";
  let rustCanonicalize = "shuffle";
}

class Simd_ReductionOp<string opMnemonic> : Simd_Op<opMnemonic, [Pure, Simd_LaneOf<"vector", "result">]> {
  let arguments = (ins Simd_NumberVector:$vector);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$vector attr-dict `:` type($vector)";
}
def Simd_ReduceAddOp : Simd_ReductionOp<"reduce_add"> {
  let summary = "the sum of the lanes, from the first to the last";
  let description = [{
    Integers wrap; floats are rounded after each addition, so that the order is seen.

    ```mlir
    %0 = ppy_simd.reduce_add %v : vector<4xf64>
    ```
  }];
}
def Simd_ReduceMinOp : Simd_ReductionOp<"reduce_min"> {
  let summary = "the least lane";
  let description = [{
    From the first lane on, a lane that is less than the one so far takes its place: so a NaN in the first lane is the
    result, one in another lane is passed over, and of two zeros the first is taken.

    ```mlir
    %0 = ppy_simd.reduce_min %v : vector<4xf64>
    ```
  }];
  let rustFold = "extremum";
}
def Simd_ReduceMaxOp : Simd_ReductionOp<"reduce_max"> {
  let summary = "the greatest lane";
  let description = [{
    From the first lane on, a lane that is greater than the one so far takes its place, as in `reduce_min`.

    ```mlir
    %0 = ppy_simd.reduce_max %v : vector<4xui8>
    ```
  }];
  let rustFold = "extremum";
}

#endif // PPY_SIMD_TD
