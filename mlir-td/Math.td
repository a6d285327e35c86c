//===- Math.td - the ppy_math dialect -------------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_MATH_TD
#define PPY_MATH_TD

include "Base.td"

def Math_Dialect : Ppy_Dialect<"math", 1> {
  let summary = "Elementary functions, named once for every backend";
  let description = [{
    Pure functions over a float or a vector of floats. A backend lowers each to its own form: the LLVM intrinsic, libm,
    or a device library.
  }];
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

class Math_Op<string opMnemonic, list<Trait> opTraits = []>
    : Ppy_Op<Math_Dialect, opMnemonic, !listconcat([Pure, SameOperandsAndResultType], opTraits)> {
  let results = (outs Ppy_FloatLike:$result);
}
class Math_UnaryOp<string opMnemonic> : Math_Op<opMnemonic> {
  let arguments = (ins Ppy_FloatLike:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let rustFold = "unary";
  let description = "```mlir\n%0 = ppy_math." # opMnemonic # " %x : f64\n```";
}

def Math_SqrtOp : Math_UnaryOp<"sqrt"> {
  let summary = "the square root, correctly rounded";
  let rustCanonicalize = "sqrt";
}
def Math_SinOp : Math_UnaryOp<"sin"> { let summary = "the sine of an angle in radians"; }
def Math_CosOp : Math_UnaryOp<"cos"> { let summary = "the cosine of an angle in radians"; }
def Math_TanOp : Math_UnaryOp<"tan"> { let summary = "the tangent of an angle in radians"; }
def Math_ExpOp : Math_UnaryOp<"exp"> { let summary = "e to the power of the operand"; }
def Math_Exp2Op : Math_UnaryOp<"exp2"> { let summary = "2 to the power of the operand"; }
def Math_LogOp : Math_UnaryOp<"log"> { let summary = "the natural logarithm"; }
def Math_Log2Op : Math_UnaryOp<"log2"> { let summary = "the logarithm to base 2"; }
def Math_Log10Op : Math_UnaryOp<"log10"> { let summary = "the logarithm to base 10"; }
def Math_FloorOp : Math_UnaryOp<"floor"> {
  let summary = "the largest integral value not above the operand";
  let rustCanonicalize = "rounding";
}
def Math_CeilOp : Math_UnaryOp<"ceil"> {
  let summary = "the smallest integral value not below the operand";
  let rustCanonicalize = "rounding";
}
def Math_TruncOp : Math_UnaryOp<"trunc"> {
  let summary = "the integral value towards zero";
  let rustCanonicalize = "rounding";
}
def Math_AbsOp : Math_UnaryOp<"abs"> {
  let summary = "the absolute value";
  let rustCanonicalize = "abs";
}
def Math_PowOp : Math_Op<"pow"> {
  let summary = "the first operand to the power of the second";
  let description = [{
    ```mlir
    %0 = ppy_math.pow %x, %y : f64
    ```
  }];
  let arguments = (ins Ppy_FloatLike:$lhs, Ppy_FloatLike:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let rustFold = "pow";
  let rustCanonicalize = "pow";
}

#endif // PPY_MATH_TD
