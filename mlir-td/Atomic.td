//===- Atomic.td - the ppy_atomic dialect ---------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_ATOMIC_TD
#define PPY_ATOMIC_TD

include "Core.td"

def Atomic_Dialect : Ppy_Dialect<"atomic", 1> {
  let summary = "Memory that threads share without a lock";
  let description = [{
    Loads, stores, read-modify-writes and fences that are indivisible, each with the memory order it carries: the
    vocabulary of C11 and LLVM. A backend lowers to the instruction of that order and never guesses. Arithmetic wraps.
    An address that is not aligned to the size of what it addresses has no meaning.
  }];
  let dependentDialects = ["::ppy::core::CoreDialect"];
}

def Atomic_Order : Ppy_Enum<Atomic_Dialect, "Order", "what an atomic operation orders for other threads", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">,
    I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">,
    I32EnumAttrCase<"AcqRel", 3, "acq_rel">,
    I32EnumAttrCase<"SeqCst", 4, "seq_cst">]>;

/// What the order says is an effect on all memory, so that nothing is moved, merged or dropped across it.
class Atomic_Op<string opMnemonic, list<Trait> opTraits = []>
    : Ppy_Op<Atomic_Dialect, opMnemonic, !listconcat([DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], opTraits)> {
  let extraDefinition = [{
void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
  ::ppy::atomic::effectsOf(*this, effects);
}
}];
}

class Atomic_ValueOf<string value>
    : TypesMatchWith<"the " # value # " has the pointee's type (core.cast converts it)", "ptr", value,
                     "::ppy::core::pointee($_self)">;

def Atomic_LoadOp : Atomic_Op<"load", [Atomic_ValueOf<"result">]> {
  let summary = "read a number in one piece";
  let description = [{
    The order is `relaxed`, `acquire` or `seq_cst`. An acquire load sees what a thread wrote before the release store
    whose value it reads.

    ```mlir
    %0 = ppy_atomic.load acquire %p : !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins Core_AnyPtr:$ptr, Atomic_Order:$order);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$order $ptr attr-dict `:` qualified(type($ptr))";
  let rustVerify = "load";
}

def Atomic_StoreOp : Atomic_Op<"store", [Atomic_ValueOf<"value">]> {
  let summary = "write a number in one piece";
  let description = [{
    The order is `relaxed`, `release` or `seq_cst`.

    ```mlir
    ppy_atomic.store release %v, %p : !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins AnyType:$value, Core_AnyPtr:$ptr, Atomic_Order:$order);
  let assemblyFormat = "$order $value `,` $ptr attr-dict `:` qualified(type($ptr))";
  let rustVerify = "store";
}

class Atomic_ReadModifyWriteOp<string opMnemonic>
    : Atomic_Op<opMnemonic, [Atomic_ValueOf<"value">, Atomic_ValueOf<"result">]> {
  let arguments = (ins Core_AnyPtr:$ptr, AnyType:$value, Atomic_Order:$order);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$order $ptr `,` $value attr-dict `:` qualified(type($ptr))";
}

def Atomic_ExchangeOp : Atomic_ReadModifyWriteOp<"exchange"> {
  let summary = "write a number, and the one that was there";
  let description = [{
    ```mlir
    %0 = ppy_atomic.exchange acq_rel %p, %v : !ppy_core.ptr<f64>
    ```
  }];
  let rustVerify = "exchange";
}

class Atomic_FetchOp<string opMnemonic> : Atomic_ReadModifyWriteOp<opMnemonic> {
  let rustVerify = "fetch";
  let description = "```mlir\n%0 = ppy_atomic." # opMnemonic # " seq_cst %p, %v : !ppy_core.ptr<i64>\n```";
}
def Atomic_FetchAddOp : Atomic_FetchOp<"fetch_add"> {
  let summary = "add to an integer in memory, which wraps, and what it was before";
}
def Atomic_FetchSubOp : Atomic_FetchOp<"fetch_sub"> {
  let summary = "subtract from an integer in memory, which wraps, and what it was before";
  let rustCanonicalize = "fetch_sub";
}
def Atomic_FetchAndOp : Atomic_FetchOp<"fetch_and"> {
  let summary = "keep the bits of an integer in memory that the operand has, and what it was before";
}
def Atomic_FetchOrOp : Atomic_FetchOp<"fetch_or"> {
  let summary = "set the bits of an integer in memory that the operand has, and what it was before";
}
def Atomic_FetchXorOp : Atomic_FetchOp<"fetch_xor"> {
  let summary = "flip the bits of an integer in memory that the operand has, and what it was before";
}

def Atomic_CompareExchangeOp : Atomic_Op<"compare_exchange",
    [Atomic_ValueOf<"expected">, Atomic_ValueOf<"desired">, Atomic_ValueOf<"found">]> {
  let summary = "write a number where the expected one is: the number found, and whether it was that";
  let description = [{
    It never fails spuriously. Numbers are compared by their bits: 0.0 is not -0.0, and a NaN equals itself. The failure
    order is one of a load, and orders no more than the success order.

    ```mlir
    %0:2 = ppy_atomic.compare_exchange acq_rel acquire %p, %expected, %desired : !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins Core_AnyPtr:$ptr, AnyType:$expected, AnyType:$desired, Atomic_Order:$success,
                       Atomic_Order:$failure);
  let results = (outs Core_Value:$found, Ppy_Bool:$swapped);
  let assemblyFormat = "$success $failure $ptr `,` $expected `,` $desired attr-dict `:` qualified(type($ptr))";
  let rustVerify = "compare_exchange";
}

def Atomic_FenceOp : Atomic_Op<"fence"> {
  let summary = "order all memory before it and after it";
  let description = [{
    The order is `acquire`, `release`, `acq_rel` or `seq_cst`: a relaxed fence orders nothing.

    ```mlir
    ppy_atomic.fence seq_cst
    ```
  }];
  let arguments = (ins Atomic_Order:$order);
  let assemblyFormat = "$order attr-dict";
  let rustVerify = "fence";
  let rustCanonicalize = "fence";
}

#endif // PPY_ATOMIC_TD
