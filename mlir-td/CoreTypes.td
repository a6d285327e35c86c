//===- CoreTypes.td - types of the ppy_core dialect -----------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CORE_TYPES_TD
#define PPY_CORE_TYPES_TD


/// `rustVerify` names a function of dialects/<d>/types.rs, `pub fn f(type: Type) -> Verdict`, called when one is made.
class Core_Type<string typeName, string typeMnemonic, list<Trait> typeTraits = []>
    : TypeDef<Core_Dialect, typeName, typeTraits> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
}

def Core_VoidType : Core_Type<"Void", "void"> {
  let summary = "no value";
  let description = [{
    What a function that returns nothing is said to return; no value has it, a pointer may point to it.

    ```mlir
    !ppy_core.void
    ```
  }];
  let genVerifyDecl = 0;
}

def Core_PtrType : Core_Type<"Ptr", "ptr", [VectorElementTypeInterface]> {
  let summary = "a pointer to T in an address space";
  let description = [{
    `!ppy_core.ptr<T>` addresses host memory; `!ppy_core.ptr<T, stack>` is what `ppy_core.alloca` yields and may not
    leave the function; `!ppy_core.ptr<T, generic, const>` is read only. Other dialects add spaces of their own.

    ```mlir
    !ppy_core.ptr<i64>
    !ppy_core.ptr<i1, stack>
    !ppy_core.ptr<ui8, generic, const>
    ```
  }];
  let parameters = (ins "::mlir::Type":$pointee, StringRefParameter<"the address space">:$space, "bool":$constant);
  let hasCustomAssemblyFormat = 1;
}

def Core_BufferType : Core_Type<"Buffer", "buffer"> {
  let summary = "contiguous elements with a readable length";
  let description = [{
    A pointer and a length, bound to a Python buffer or list at the boundary.

    ```mlir
    !ppy_core.buffer<f64>
    ```
  }];
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Core_StructType : Core_Type<"Struct", "struct"> {
  let summary = "a named record";
  let description = [{
    Fields by name, in memory order.

    ```mlir
    !ppy_core.struct<"Point", x: i64, y: f64>
    ```
  }];
  let parameters = (ins StringRefParameter<"the class it came from">:$name,
                        ArrayRefParameter<"::mlir::StringAttr">:$fields, ArrayRefParameter<"::mlir::Type">:$types);
  let hasCustomAssemblyFormat = 1;
}

def Core_ArrayType : Core_Type<"Array", "array"> {
  let summary = "elements of a fixed shape in memory, row-major";
  let description = [{
    What a pointer addresses; `ppy_core.ptr_index` finds an element.

    ```mlir
    !ppy_core.array<i32, 2, 3>
    ```
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int64_t">:$shape);
  let assemblyFormat = "`<` $element `,` $shape `>`";
}

def Core_FutureType : Core_Type<"Future", "future"> {
  let summary = "a value that a coroutine will deliver";
  let description = [{
    An `i64` handle of the runtime at the machine level.

    ```mlir
    !ppy_core.future<f64>
    ```
  }];
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Core_Value : Type<CPred<"::ppy::core::isValue($_self)">,
    "a value (void is the type of none, and an array is memory that a pointer addresses)">;
def Core_AnyPtr : Type<CPred<"::llvm::isa<::ppy::core::PtrType>($_self)">,
    "a pointer (core.buffer_data gives a buffer's)", "::ppy::core::PtrType">;
def Core_AnyBuffer : Type<CPred<"::llvm::isa<::ppy::core::BufferType>($_self)">,
    "a buffer (the intrinsic ppy.buffer_from_parts makes one of a pointer and a length)", "::ppy::core::BufferType">;

def Core_NullAttr : AttrDef<Core_Dialect, "Null", [TypedAttrInterface]> {
  let summary = "the null pointer of a pointer type";
  let description = "The value of `ppy_core.const` for pointers: `.ppyir` spells it `core.const 0 : ptr<T>`.";
  let mnemonic = "null";
  let parameters = (ins AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "";
}

#endif // PPY_CORE_TYPES_TD
