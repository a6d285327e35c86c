//===- Parallel.td - the ppy_parallel dialect -----------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_PARALLEL_TD
#define PPY_PARALLEL_TD

include "Core.td"

def Parallel_Dialect : Ppy_Dialect<"parallel", 1> {
  let summary = "A function over a range whose parts may run at the same time";
  let description = [{
    The operations say nothing of how the range is split; `lower-parallel` decides that once per build. The body gets
    the captures first. A body that fails takes the caller's fallback, when every part has ended. Without the pass a
    range is one part.
  }];
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

def Parallel_Reduction : Ppy_Enum<Parallel_Dialect, "Reduction", "how the results of parts become one", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Min", 2, "min">,
    I32EnumAttrCase<"Max", 3, "max">]>;

/// Without declared effects: the body may do anything.
class Parallel_Op<string opMnemonic, list<Trait> opTraits = []>
    : Ppy_Op<Parallel_Dialect, opMnemonic,
             !listconcat([DeclareOpInterfaceMethods<SymbolUserOpInterface>], opTraits)>;

def Parallel_ForOp : Parallel_Op<"for"> {
  let summary = "run a function over the parts of a range";
  let description = [{
    The body is called with the captures and the bounds of a part, loops over it, and returns nothing.

    ```mlir
    ppy_core.func private @body(!ppy_core.ptr<f64>, i64, i64)
    ppy_core.func @example(%p: !ppy_core.ptr<f64>, %n: i64) {
      %zero = ppy_core.const 0 : i64
      ppy_parallel.for @body(%p) from %zero to %n : (!ppy_core.ptr<f64>)
      ppy_core.ret
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$captures, Ppy_I64:$begin, Ppy_I64:$end);
  let assemblyFormat = [{
    $callee `(` $captures `)` `from` $begin `to` $end attr-dict (`:` `(` type($captures)^ `)`)?
  }];
}

def Parallel_ReduceOp : Parallel_Op<"reduce", [
    TypesMatchWith<"it starts from what it gives (core.cast converts it)", "result", "init", "$_self">]> {
  let summary = "fold a range to one number";
  let description = [{
    The body is called with the captures, the bounds of a part and an accumulator, and returns the accumulator with the
    part in it. Parts after the first start from what changes nothing, and their results are folded in order. A float
    reduction without `reassociate = true` is never split: another order is another number.

    ```mlir
    ppy_core.func private @body(!ppy_core.ptr<i64>, i64, i64, i64) -> i64
    ppy_core.func @example(%p: !ppy_core.ptr<i64>, %n: i64) -> i64 {
      %zero = ppy_core.const 0 : i64
      %0 = ppy_parallel.reduce @body(%p) from %zero to %n, add, %zero {reassociate = true} : (!ppy_core.ptr<i64>) -> i64
      ppy_core.ret %0 : i64
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$captures, Ppy_I64:$begin, Ppy_I64:$end,
                       Ppy_Number:$init, Parallel_Reduction:$op, OptionalAttr<BoolAttr>:$reassociate);
  let results = (outs Ppy_Number:$result);
  let assemblyFormat = [{
    $callee `(` $captures `)` `from` $begin `to` $end `,` $op `,` $init attr-dict `:`
    functional-type($captures, $result)
  }];
}

def Parallel_MapOp : Parallel_Op<"map"> {
  let summary = "store a function of every number of a range";
  let description = [{
    The body is called with the captures and a number, and its result is stored that many elements after `out`.

    ```mlir
    ppy_core.func private @body(f64, i64) -> f64
    ppy_core.func @example(%x: f64, %n: i64, %out: !ppy_core.ptr<f64>) {
      %zero = ppy_core.const 0 : i64
      ppy_parallel.map @body(%x) from %zero to %n into %out : !ppy_core.ptr<f64>, (f64)
      ppy_core.ret
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$captures, Ppy_I64:$begin, Ppy_I64:$end,
                       Core_AnyPtr:$out);
  let assemblyFormat = [{
    $callee `(` $captures `)` `from` $begin `to` $end `into` $out attr-dict `:` qualified(type($out))
    (`,` `(` type($captures)^ `)`)?
  }];
}

#endif // PPY_PARALLEL_TD
