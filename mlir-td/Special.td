//===- Special.td - the ppy_special dialect -------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_SPECIAL_TD
#define PPY_SPECIAL_TD

include "Base.td"

def Special_Dialect : Ppy_Dialect<"special", 1> {
  let summary = "The error function, the gamma function, Bessel functions and their like";
  let description = [{
    Pure functions of a float. Each is the C library's, in `f64`; `f32`, `f16` and `bf16` are computed in `f64` and
    rounded once. Outside their domain they give a NaN, at a pole an infinity, as C has it.

    How far from the exact value a result may be, in units in the last place (ulp) of the result, with the GNU C
    library; `tests/special` measures it:

    | function | at most |
    |---|---|
    | `erf`, `erfc` | 4 ulp |
    | `gamma` | 6 ulp |
    | `gammaln` | 5 ulp, or 2^-50 in absolute terms near its zeros |
    | `ndtr` | 4 + 2 x^2 ulp: the argument of `erfc` is rounded |
    | `logit` | 4 ulp, or 2^-52 in absolute terms near 1/2 |
    | `bessel_*` of order 0 and 1 | 9 ulp, or 2^-50 in absolute terms near their zeros |
    | `bessel_jn`, `bessel_yn` | 64 ulp, or 2^-46 in absolute terms near their zeros |
  }];
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

def Special_Float : Type<CPred<"::ppy::isFloatScalar($_self)">,
    "a float and no vector (simd.extract gives a lane, core.cast turns an integer into a float)">;

class Special_UnaryOp<string opMnemonic>
    : Ppy_Op<Special_Dialect, opMnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Special_Float:$operand);
  let results = (outs Special_Float:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let rustFold = "unary";
  let description = "```mlir\n%0 = ppy_special." # opMnemonic # " %x : f64\n```";
}

def Special_ErfOp : Special_UnaryOp<"erf"> { let summary = "the error function"; }
def Special_ErfcOp : Special_UnaryOp<"erfc"> {
  let summary = "one minus the error function, exact where that is small";
}
def Special_GammaOp : Special_UnaryOp<"gamma"> { let summary = "the gamma function"; }
def Special_GammalnOp : Special_UnaryOp<"gammaln"> {
  let summary = "the logarithm of the absolute value of the gamma function";
}
def Special_NdtrOp : Special_UnaryOp<"ndtr"> {
  let summary = "the standard normal distribution: erfc(-x / sqrt(2)) / 2";
}
def Special_LogitOp : Special_UnaryOp<"logit"> { let summary = "the logit: log(x / (1 - x))"; }
def Special_BesselJ0Op : Special_UnaryOp<"bessel_j0"> { let summary = "the Bessel function of the first kind, order 0"; }
def Special_BesselJ1Op : Special_UnaryOp<"bessel_j1"> { let summary = "the Bessel function of the first kind, order 1"; }
def Special_BesselY0Op : Special_UnaryOp<"bessel_y0"> {
  let summary = "the Bessel function of the second kind, order 0";
}
def Special_BesselY1Op : Special_UnaryOp<"bessel_y1"> {
  let summary = "the Bessel function of the second kind, order 1";
}

class Special_OrderOp<string opMnemonic>
    : Ppy_Op<Special_Dialect, opMnemonic, [Pure, AllTypesMatch<["operand", "result"]>]> {
  let arguments = (ins Ppy_Index:$order, Special_Float:$operand);
  let results = (outs Special_Float:$result);
  let assemblyFormat = "$order `,` $operand attr-dict `:` type($order) `,` type($result)";
  let rustFold = "of_order";
  let description = "An order outside 32 bits is taken for the nearest one inside.\n\n"
                    # "```mlir\n%0 = ppy_special." # opMnemonic # " %n, %x : i32, f64\n```";
}
def Special_BesselJnOp : Special_OrderOp<"bessel_jn"> {
  let summary = "the Bessel function of the first kind, of an integer order";
}
def Special_BesselYnOp : Special_OrderOp<"bessel_yn"> {
  let summary = "the Bessel function of the second kind, of an integer order";
}

#endif // PPY_SPECIAL_TD
