//===- CoreOps.td - operations of the ppy_core dialect --------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CORE_OPS_TD
#define PPY_CORE_OPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/MemorySlotInterfaces.td"

class Core_Op<string opMnemonic, list<Trait> opTraits = []> : Ppy_Op<Core_Dialect, opMnemonic, opTraits>;

defvar IntRange = DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>;
/// For operations whose operands need not be integers: those have no range, and without an answer the analysis would
/// take the result for one that never exists.
defvar IntRangeOfAny = DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRangesFromOptional"]>;

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

def Core_FuncOp : Core_Op<"func", [IsolatedFromAbove, AutomaticAllocationScope, AffineScope,
    FunctionOpInterface, OpAsmOpInterface]> {
  let summary = "a function, or the declaration of one";
  let description = [{
    Parameters are the entry block's arguments; a parameter's ownership, kind and class are argument attributes. Without
    a body it is a declaration (`extern func` in `.ppyir`). A function fails into its fallback when one of its guards
    does; the native ABI then answers a status other than 0.

    `effects` are what it may do besides computing its results; without them it may do anything. They are `pure`
    (nothing), `alloc`, `atomic`, `gpu_launch`, `io`, `may_raise`, `network`, `random`, `read_memory`, `read_object`,
    `sync`, `thread`, `time`, `write_memory` and `write_object`. A parameter's `ownership` is `borrowed`, `mut` or
    `owned`, its `noalias` true or false. [The text format](../../ppyir.md) says what they mean, and what else is read.

    ```mlir
    ppy_core.func @double(%x: i64) -> i64 {
      %0 = ppy_core.add %x, %x overflow<python> : i64
      ppy_core.ret %0 : i64
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<ArrayAttr>:$effects,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let rustVerify = "func";
  let extraDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    static ::llvm::StringRef getDefaultDialect() { return "ppy_core"; }
    bool isDeclaration() { return isExternal(); }
  }];
}

def Core_GlobalOp : Core_Op<"global", [Symbol]> {
  let summary = "a module-level constant or variable";
  let description = [{
    A constant unless `mutable`. A `buffer<u8>` global holds the bytes of its string.

    ```mlir
    ppy_core.global @scale : f64 = 2.0 : f64
    ppy_core.global "private" mutable @hits : i64 = 0 : i64
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility, UnitAttr:$is_mutable,
                       TypeAttr:$type, OptionalAttr<AnyAttr>:$value);
  let assemblyFormat = [{
    ($sym_visibility^)? (`mutable` $is_mutable^)? $sym_name `:` $type (`=` $value^)? attr-dict
  }];
  let rustVerify = "global";
}

//===----------------------------------------------------------------------===//
// Constants and arithmetic
//===----------------------------------------------------------------------===//

def Core_ConstOp : Core_Op<"const", [ConstantLike, Pure, AllTypesMatch<["value", "result"]>, IntRange,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a constant";
  let description = [{
    The value fits the type exactly. A pointer's only constant is null.

    ```mlir
    %0 = ppy_core.const 42 : i64
    %1 = ppy_core.const -0.0 : f64
    %2 = ppy_core.const #ppy_core.null : !ppy_core.ptr<i8>
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "attr-dict $value";
  let inlineAttribute = "value";
  let rustVerify = "constant";
  let rustFold = "constant";
}

/// Integer arithmetic that may not fit: the mode says what then. Failing into the fallback is an effect only where the
/// failure itself is the meaning (`checked`); a `python` failure asks Python for a value that nobody reads when the
/// result is unused. None but `wrap` may be speculated. docs/fallback.md has the reasons.
class Core_OverflowOp<string opMnemonic, list<Trait> opTraits = []> : Core_Op<opMnemonic, !listconcat(opTraits, [
    IntRange, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>])> {
  let extraDefinition = [{
void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
  ::ppy::core::overflowEffects(*this, effects);
}
::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
  return ::ppy::core::overflowSpeculatability(*this);
}
}];
}

class Core_BinaryOverflowOp<string opMnemonic, list<Trait> opTraits = []>
    : Core_OverflowOp<opMnemonic, !listconcat([SameOperandsAndResultType], opTraits)> {
  let arguments = (ins Ppy_NumberLike:$lhs, Ppy_NumberLike:$rhs, OptionalAttr<Core_Overflow>:$overflow);
  let results = (outs Ppy_NumberLike:$result);
  let assemblyFormat = "$lhs `,` $rhs (`overflow` `` `<` $overflow^ `>`)? attr-dict `:` type($result)";
  let rustVerify = "overflow_arithmetic";
}

def Core_AddOp : Core_BinaryOverflowOp<"add", [Commutative]> {
  let summary = "the sum";
  let description = [{
    Integers need `overflow` (lanes of vectors `wrap` or `proven`), floats have none.

    ```mlir
    %0 = ppy_core.add %a, %b overflow<python> : i64
    %1 = ppy_core.add %x, %y : f64
    ```
  }];
  let rustFold = "add";
  let rustCanonicalize = "add";
}
def Core_SubOp : Core_BinaryOverflowOp<"sub"> {
  let summary = "the difference";
  let description = [{
    Integers need `overflow` (lanes of vectors `wrap` or `proven`), floats have none.

    ```mlir
    %0 = ppy_core.sub %a, %b overflow<wrap> : i64
    ```
  }];
  let rustFold = "sub";
  let rustCanonicalize = "sub";
}
def Core_MulOp : Core_BinaryOverflowOp<"mul", [Commutative]> {
  let summary = "the product";
  let description = [{
    Integers need `overflow` (lanes of vectors `wrap` or `proven`), floats have none.

    ```mlir
    %0 = ppy_core.mul %a, %b overflow<checked> : i64
    ```
  }];
  let rustFold = "mul";
  let rustCanonicalize = "mul";
}

class Core_DivisionOp<string opMnemonic> : Core_OverflowOp<opMnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Ppy_NumberLike:$lhs, Ppy_NumberLike:$rhs, OptionalAttr<Core_Overflow>:$overflow,
                       OptionalAttr<Core_Rounding>:$rounding);
  let results = (outs Ppy_NumberLike:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`overflow` `` `<` $overflow^ `>`)? (`rounding` `` `<` $rounding^ `>`)? attr-dict `:` type($result)
  }];
  let rustVerify = "division";
}
def Core_DivOp : Core_DivisionOp<"div"> {
  let summary = "the quotient, rounded as `rounding` says for integers";
  let description = [{
    An integer division by zero has no meaning: a guard of kind `zero_division` stands before it. Floats divide as IEEE
    754 does.

    Integers need `overflow` (lanes of vectors `wrap` or `proven`) and `rounding`.

    ```mlir
    %0 = ppy_core.div %a, %b overflow<python> rounding<floor> : i64
    ```
  }];
  let rustFold = "div";
  let rustCanonicalize = "div";
}
def Core_ModOp : Core_DivisionOp<"mod"> {
  let summary = "the remainder of the division that `rounding` names";
  let description = [{
    With `floor` the remainder has the divisor's sign, as Python's `%`; with `trunc` the dividend's, as C's.

    Integers need `overflow` (lanes of vectors `wrap` or `proven`) and `rounding`.

    ```mlir
    %0 = ppy_core.mod %a, %b overflow<python> rounding<floor> : i64
    ```
  }];
  let rustFold = "mod_";
  let rustCanonicalize = "mod_";
}
def Core_NegOp : Core_OverflowOp<"neg", [SameOperandsAndResultType]> {
  let summary = "the negation";
  let description = [{
    Integers need `overflow` (lanes of vectors `wrap` or `proven`), floats have none.

    ```mlir
    %0 = ppy_core.neg %a overflow<python> : i64
    ```
  }];
  let arguments = (ins Ppy_NumberLike:$operand, OptionalAttr<Core_Overflow>:$overflow);
  let results = (outs Ppy_NumberLike:$result);
  let assemblyFormat = "$operand (`overflow` `` `<` $overflow^ `>`)? attr-dict `:` type($result)";
  let rustVerify = "overflow_arithmetic";
  let rustFold = "neg";
  let rustCanonicalize = "neg";
}

class Core_BitsOp<string opMnemonic, list<Trait> opTraits = []>
    : Core_Op<opMnemonic, !listconcat([Pure, SameOperandsAndResultType, IntRange], opTraits)> {
  let arguments = (ins Ppy_BitsLike:$lhs, Ppy_BitsLike:$rhs);
  let results = (outs Ppy_BitsLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Core_AndOp : Core_BitsOp<"and", [Commutative, Idempotent]> {
  let summary = "bitwise and";
  let description = [{
    ```mlir
    %0 = ppy_core.and %a, %b : i64
    ```
  }];
  let rustFold = "and";
  let rustCanonicalize = "and";
}
def Core_OrOp : Core_BitsOp<"or", [Commutative, Idempotent]> {
  let summary = "bitwise or";
  let description = [{
    ```mlir
    %0 = ppy_core.or %a, %b : i1
    ```
  }];
  let rustFold = "or";
  let rustCanonicalize = "or";
}
def Core_XorOp : Core_BitsOp<"xor", [Commutative]> {
  let summary = "bitwise exclusive or";
  let description = [{
    ```mlir
    %0 = ppy_core.xor %a, %b : ui8
    ```
  }];
  let rustFold = "xor";
  let rustCanonicalize = "xor";
}
def Core_ShlOp : Core_OverflowOp<"shl", [SameOperandsAndResultType]> {
  let summary = "shift left";
  let description = [{
    An amount outside `0 .. width-1` has no meaning without a guard, except that `python` and `checked` fail on it.

    Without `overflow` it wraps.

    ```mlir
    %0 = ppy_core.shl %a, %n overflow<python> : i64
    ```
  }];
  let arguments = (ins Ppy_IntegerLike:$lhs, Ppy_IntegerLike:$rhs, OptionalAttr<Core_Overflow>:$overflow);
  let results = (outs Ppy_IntegerLike:$result);
  let assemblyFormat = "$lhs `,` $rhs (`overflow` `` `<` $overflow^ `>`)? attr-dict `:` type($result)";
  let rustVerify = "shift";
  let rustFold = "shl";
  let rustCanonicalize = "shl";
}
def Core_ShrOp : Core_Op<"shr", [NoMemoryEffect, SameOperandsAndResultType, IntRange,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "shift right: arithmetic for signed integers, logical for unsigned ones";
  let description = [{
    An amount outside `0 .. width-1` has no meaning: a guard of kind `range` stands before it.

    ```mlir
    %0 = ppy_core.shr %a, %n : i64
    ```
  }];
  let arguments = (ins Ppy_IntegerLike:$lhs, Ppy_IntegerLike:$rhs);
  let results = (outs Ppy_IntegerLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let rustFold = "shr";
  let rustCanonicalize = "shr";
}

def Core_CmpOp : Core_Op<"cmp", [Pure, SameTypeOperands, IntRangeOfAny,
    TypesMatchWith<"the result is a bool, or for vectors a vector of as many bools", "lhs", "result",
                   "::ppy::boolLike($_self)">]> {
  let summary = "a comparison";
  let description = [{
    Signed, unsigned or floating as the type says; every comparison with a NaN but `ne` is false. Pointers compare by
    address.

    ```mlir
    %0 = ppy_core.cmp lt, %a, %b : i64
    ```
  }];
  let arguments = (ins Core_Predicate:$predicate, AnyType:$lhs, AnyType:$rhs);
  let results = (outs Ppy_BoolLike:$result);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let variantAttribute = "predicate";
  let variants = ["eq", "ne", "lt", "le", "gt", "ge"];
  let rustVerify = "cmp";
  let rustFold = "cmp";
  let rustCanonicalize = "cmp";
}
def Core_SelectOp : Core_Op<"select", [Pure, AllTypesMatch<["true_value", "false_value", "result"]>, IntRange]> {
  let summary = "one of two values";
  let description = [{
    ```mlir
    %0 = ppy_core.select %c, %a, %b : i1, i64
    ```
  }];
  let arguments = (ins Ppy_BoolLike:$condition, AnyType:$true_value, AnyType:$false_value);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$condition `,` $true_value `,` $false_value attr-dict `:` type($condition) `,` type($result)";
  let rustVerify = "select";
  let rustFold = "select";
  let rustCanonicalize = "select";
}
def Core_CastOp : Core_Op<"cast", [NoMemoryEffect, IntRangeOfAny, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "a conversion between scalars, or between pointers of one address space";
  let description = [{
    Integers truncate or extend by the source's sign; an integer becomes the nearest float; a float becomes the integer
    towards zero, and where that does not fit [the ABI](../../abi.md) says what it becomes (a guard of kind `range`
    stands before it); anything becomes `bool` by comparison with zero. Pointers and `i64` convert as addresses.

    ```mlir
    %0 = ppy_core.cast %a : i64 to f64
    ```
  }];
  let arguments = (ins AnyType:$input);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let rustVerify = "cast";
  let rustFold = "cast";
  let rustCanonicalize = "cast";
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def Core_BrOp : Core_Op<"br", [Pure, Terminator, DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "a jump";
  let description = [{
    ```mlir
    ppy_core.br ^loop(%i : i64)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$dest_operands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = "$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict";
  let rustCanonicalize = "br";
}
def Core_CondBrOp : Core_Op<"cond_br", [Pure, Terminator, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<BranchOpInterface, ["getSuccessorForOperands"]>]> {
  let summary = "a two-way branch";
  let description = [{
    ```mlir
    ppy_core.cond_br %c, ^then, ^else(%x : i64)
    ```
  }];
  let arguments = (ins Ppy_Bool:$condition, Variadic<AnyType>:$true_operands, Variadic<AnyType>:$false_operands);
  let successors = (successor AnySuccessor:$true_dest, AnySuccessor:$false_dest);
  let assemblyFormat = [{
    $condition `,` $true_dest (`(` $true_operands^ `:` type($true_operands) `)`)? `,`
    $false_dest (`(` $false_operands^ `:` type($false_operands) `)`)? attr-dict
  }];
  let rustCanonicalize = "cond_br";
}
/// Not ReturnLike: a call that captures the status has one result more than its callee returns, and upstream's
/// data-flow analyses would leave it without a value.
def Core_RetOp : Core_Op<"ret", [Pure, Terminator, HasParent<"::ppy::core::FuncOp">]> {
  let summary = "return from the function";
  let description = [{
    ```mlir
    ppy_core.ret %x, %y : i64, f64
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$args);
  let assemblyFormat = "($args^ `:` type($args))? attr-dict";
  let rustVerify = "ret";
}
def Core_UnreachableOp : Core_Op<"unreachable", [Terminator, NoMemoryEffect]> {
  let summary = "a place control never reaches";
  let description = [{
    ```mlir
    ppy_core.unreachable
    ```
  }];
  let assemblyFormat = "attr-dict";
}
def Core_GuardOp : Core_Op<"guard", [MemoryEffects<[MemWrite<Ppy_FallbackResource>]>]> {
  let summary = "a run-time check the function fails on";
  let description = [{
    Where the condition is false the call ends: with the fallback status, or with the status its `label` names
    (`raised`, `sanitize:bounds|overflow|pointer|alignment`). `message` says what went wrong, `raises` is Python's text
    of it for a standalone program, with `{0}` for the first of the further operands.

    ```mlir
    ppy_core.guard %ok, bounds {message = "index out of range"}
    ```
  }];
  let arguments = (ins Ppy_Bool:$condition, Variadic<AnyType>:$arguments, Core_GuardKind:$kind,
                       OptionalAttr<StrAttr>:$message, OptionalAttr<StrAttr>:$label, OptionalAttr<StrAttr>:$raises);
  let assemblyFormat = "$condition (`(` $arguments^ `:` type($arguments) `)`)? `,` $kind attr-dict";
  let rustVerify = "guard";
  let rustCanonicalize = "guard";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Core_AllocaOp : Core_Op<"alloca", [DeclareOpInterfaceMethods<PromotableAllocationOpInterface>]> {
  let summary = "zeroed stack memory, live until the function returns";
  let description = [{
    ```mlir
    %0 = ppy_core.alloca : !ppy_core.ptr<i64, stack>
    %1 = ppy_core.alloca count<8> : !ppy_core.ptr<f64, stack>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$count);
  let results = (outs Res<Core_AnyPtr, "", [MemAlloc<AutomaticAllocationScopeResource>]>:$result);
  let assemblyFormat = "(`count` `` `<` $count^ `>`)? attr-dict `:` type($result)";
  let rustVerify = "alloca";
}
def Core_LoadOp : Core_Op<"load", [DeclareOpInterfaceMethods<PromotableMemOpInterface>,
    TypesMatchWith<"the result has the pointee's type (core.cast converts it)", "ptr", "result",
                   "::ppy::core::pointee($_self)">]> {
  let summary = "read through a pointer";
  let description = [{
    ```mlir
    %0 = ppy_core.load %p : !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins Arg<Core_AnyPtr, "", [MemRead]>:$ptr);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$ptr attr-dict `:` qualified(type($ptr))";
  let rustCanonicalize = "load";
}
def Core_StoreOp : Core_Op<"store", [DeclareOpInterfaceMethods<PromotableMemOpInterface>,
    TypesMatchWith<"the value has the pointee's type (core.cast converts it)", "ptr", "value",
                   "::ppy::core::pointee($_self)">]> {
  let summary = "write through a pointer";
  let description = [{
    ```mlir
    ppy_core.store %v, %p : !ppy_core.ptr<i64>
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<Core_AnyPtr, "", [MemWrite]>:$ptr);
  let assemblyFormat = "$value `,` $ptr attr-dict `:` qualified(type($ptr))";
  let rustVerify = "store";
  let rustCanonicalize = "store";
}
def Core_PtrOffsetOp : Core_Op<"ptr_offset", [Pure,
    TypesMatchWith<"the result has the pointer's type", "ptr", "result", "$_self">]> {
  let summary = "the pointer `offset` elements further";
  let description = [{
    ```mlir
    %0 = ppy_core.ptr_offset %p, %i : !ppy_core.ptr<f64>, i64
    ```
  }];
  let arguments = (ins Core_AnyPtr:$ptr, Ppy_Index:$offset);
  let results = (outs Core_AnyPtr:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` qualified(type($ptr)) `,` type($offset)";
  let rustFold = "ptr_offset";
  let rustCanonicalize = "ptr_offset";
}
def Core_PtrIndexOp : Core_Op<"ptr_index", [Pure]> {
  let summary = "the element of arrays in memory at the indices";
  let description = [{
    The first index steps over whole arrays, as C's `p[r][i][j]` on a pointer to an array does; the others go into the
    array, outermost dimension first.

    ```mlir
    %0 = ppy_core.ptr_index %m[%r, %i, %j] : !ppy_core.ptr<!ppy_core.array<i32, 2, 3>>, (i64, i64, i64) -> !ppy_core.ptr<i32>
    ```
  }];
  let arguments = (ins Core_AnyPtr:$ptr, Variadic<Ppy_Index>:$indices);
  let results = (outs Core_AnyPtr:$result);
  let assemblyFormat = [{
    $ptr `[` $indices `]` attr-dict `:` qualified(type($ptr)) `,` `(` type($indices) `)` `->` qualified(type($result))
  }];
  let rustVerify = "ptr_index";
}
def Core_BufferDataOp : Core_Op<"buffer_data", [Pure]> {
  let summary = "the pointer to a buffer's first element";
  let description = [{
    ```mlir
    %0 = ppy_core.buffer_data %b : !ppy_core.buffer<f64> -> !ppy_core.ptr<f64>
    ```
  }];
  let arguments = (ins Core_AnyBuffer:$buffer);
  let results = (outs Core_AnyPtr:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` qualified(type($result))";
  let rustVerify = "buffer_data";
  let rustFold = "buffer_data";
}
def Core_BufferLenOp : Core_Op<"buffer_len", [Pure, IntRangeOfAny]> {
  let summary = "the number of elements of a buffer";
  let description = [{
    ```mlir
    %0 = ppy_core.buffer_len %b : !ppy_core.buffer<f64>
    ```
  }];
  let arguments = (ins Core_AnyBuffer:$buffer);
  let results = (outs Index:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
  let rustFold = "buffer_len";
}
def Core_BufferLoadOp : Core_Op<"buffer_load", [
    TypesMatchWith<"the result has the buffer's element type (core.cast converts it)", "buffer", "result",
                   "::ppy::core::element($_self)">]> {
  let summary = "read an element of a buffer";
  let description = [{
    Bounds are guarded before it: an index outside the buffer has no meaning.

    ```mlir
    %0 = ppy_core.buffer_load %b[%i] : !ppy_core.buffer<f64>, i64
    ```
  }];
  let arguments = (ins Arg<Core_AnyBuffer, "", [MemRead]>:$buffer, Ppy_Index:$index);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$buffer `[` $index `]` attr-dict `:` qualified(type($buffer)) `,` type($index)";
}
def Core_BufferStoreOp : Core_Op<"buffer_store", [
    TypesMatchWith<"the value has the buffer's element type (core.cast converts it)", "buffer", "value",
                   "::ppy::core::element($_self)">]> {
  let summary = "write an element of a buffer";
  let description = [{
    ```mlir
    ppy_core.buffer_store %v, %b[%i] : !ppy_core.buffer<f64>, i64
    ```
  }];
  let arguments = (ins AnyType:$value, Arg<Core_AnyBuffer, "", [MemWrite]>:$buffer, Ppy_Index:$index);
  let assemblyFormat = "$value `,` $buffer `[` $index `]` attr-dict `:` qualified(type($buffer)) `,` type($index)";
  let rustVerify = "buffer_store";
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

def Core_TupleMakeOp : Core_Op<"tuple_make", [Pure]> {
  let summary = "a tuple of the operands";
  let description = [{
    ```mlir
    %0 = ppy_core.tuple_make %a, %b : tuple<i64, f64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs AnyTuple:$result);
  let hasCustomAssemblyFormat = 1;
  let rustVerify = "tuple_make";
}
def Core_TupleExtractOp : Core_Op<"tuple_extract", [Pure]> {
  let summary = "an element of a tuple";
  let description = [{
    ```mlir
    %0 = ppy_core.tuple_extract %t[1] : tuple<i64, f64> -> f64
    ```
  }];
  let arguments = (ins AnyTuple:$tuple, I64Attr:$index);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$tuple `[` $index `]` attr-dict `:` type($tuple) `->` type($result)";
  let rustVerify = "tuple_extract";
  let rustFold = "tuple_extract";
}
def Core_StructMakeOp : Core_Op<"struct_make", [Pure]> {
  let summary = "a struct of the operands, field by field";
  let description = [{
    ```mlir
    %0 = ppy_core.struct_make %x, %y : !ppy_core.struct<"Point", x: f64, y: f64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$fields);
  let results = (outs Core_Value:$result);
  let hasCustomAssemblyFormat = 1;
  let rustVerify = "struct_make";
}
def Core_StructExtractOp : Core_Op<"struct_extract", [Pure]> {
  let summary = "a field of a struct";
  let description = [{
    ```mlir
    %0 = ppy_core.struct_extract %p["x"] : !ppy_core.struct<"Point", x: f64, y: f64> -> f64
    ```
  }];
  let arguments = (ins AnyType:$struct_, StrAttr:$field);
  let results = (outs Core_Value:$result);
  let assemblyFormat = "$struct_ `[` $field `]` attr-dict `:` qualified(type($struct_)) `->` type($result)";
  let rustVerify = "struct_extract";
  let rustFold = "struct_extract";
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Core_CallOp : Core_Op<"call", [DeclareOpInterfaceMethods<CallOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "call a function of the program";
  let description = [{
    A call that fails takes the caller's fallback, unless `capture_status`, which hands the status back as a trailing
    `i64`; the other results mean nothing when it is not 0.

    `ppy.effects` has the effects that the call has on its caller, as `infer-effects` found them; without it a call may
    do anything.

    ```mlir
    %0 = ppy_core.call @gcd(%a, %b) : (i64, i64) -> i64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$args, OptionalAttr<BoolAttr>:$capture_status,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<Core_Value>);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)";
}
def Core_CallExternOp : Core_Op<"call_extern"> {
  let summary = "call a C function by its symbol";
  let description = [{
    ```mlir
    %0 = ppy_core.call_extern "labs"(%a) {abi = "c"} : (i64) -> i64
    ```
  }];
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$args, OptionalAttr<StrAttr>:$abi);
  let results = (outs Variadic<Core_Value>);
  let assemblyFormat = "$callee `(` $args `)` attr-dict `:` functional-type($args, results)";
  let rustVerify = "call_extern";
}
def Core_CallIntrinsicOp : Core_Op<"call_intrinsic", [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an operation of the machine that has no op of its own";
  let description = [{
    `ppy.checked_add|sub|mul`: the wrapped value and whether it did not fit. `ppy.string_data {symbol}`: the address of
    a global's bytes. `ppy.buffer_from_parts`: a buffer of a pointer and a length. `ppy.function_address {callee}`: a
    function as an `i64`. `ppy.gen_yield`: a generator's yield, before its lowering. `math.fabs`: the absolute value.

    ```mlir
    %0:2 = ppy_core.call_intrinsic "ppy.checked_mul"(%a, %b) : (i64, i64) -> (i64, i1)
    ```
  }];
  let arguments = (ins StrAttr:$intrinsic, Variadic<AnyType>:$args);
  let results = (outs Variadic<Core_Value>);
  let assemblyFormat = "$intrinsic `(` $args `)` attr-dict `:` functional-type($args, results)";
  let rustVerify = "call_intrinsic";
  let rustCanonicalize = "call_intrinsic";
}
def Core_CallIndirectOp : Core_Op<"call_indirect"> {
  let summary = "call a function of the program by its address";
  let description = [{
    The address is an `i64` from the intrinsic `ppy.function_address`; the signature is taken from the operands and
    results. The status is checked as a call's.

    ```mlir
    %0 = ppy_core.call_indirect %f(%a) : i64, (i64) -> i64
    ```
  }];
  let arguments = (ins I64:$address, Variadic<AnyType>:$args);
  let results = (outs Variadic<Core_Value>);
  let assemblyFormat = "$address `(` $args `)` attr-dict `:` type($address) `,` functional-type($args, results)";
  let rustVerify = "call_indirect";
}

#endif // PPY_CORE_OPS_TD
