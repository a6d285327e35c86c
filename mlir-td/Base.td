//===- Base.td - what every ppy dialect declares with ---------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dialect is one `Ppy_Dialect` record and its ops are `Ppy_Op` records. `build.rs` reads these records and generates
// the C++ translation unit, the Rust op views and builders, the hook tables and the registry from them, so the fields
// below are the one place where a fact about an op is written.
//
//===----------------------------------------------------------------------===//

#ifndef PPY_BASE_TD
#define PPY_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A ppy dialect. `ppyir` is its name in `.ppyir` text; its MLIR namespace is `ppy_<ppyir>`.
class Ppy_Dialect<string ppyirName, int ppyirVersion> : Dialect {
  string ppyir = ppyirName;
  /// The version a `.ppyir` header and MLIR bytecode carry.
  int version = ppyirVersion;
  /// A function of dialects/<d>/verify.rs, `pub fn f(function: Op) -> Verdict`: what a whole function may be, as its
  /// attributes of this dialect. Every function is held to it.
  string rustVerifyFunction = "";
  /// The pointer address spaces the dialect gives meaning to.
  list<string> addressSpaces = [];
  let name = "ppy_" # ppyirName;
  let cppNamespace = "::ppy::" # ppyirName;
  let usePropertiesForAttributes = 1;
}

/// An operation. The `rust*` fields name functions of the dialect's Rust folder; empty means the op has no such hook.
///   rustVerify = "f":       dialects/<d>/verify.rs   `pub fn f(op: Op) -> Verdict`
///   rustFold = "f":         dialects/<d>/fold.rs     `pub fn f(op: Op, operands: &[Option<Attribute>]) -> Fold`
///   rustCanonicalize = "f": dialects/<d>/patterns.rs `pub fn f(patterns: &mut Patterns)`
/// A function named here and missing there is a compile error.
class Ppy_Op<Ppy_Dialect owner, string opMnemonic, list<Trait> opTraits = []>
    : Op<owner, opMnemonic, opTraits> {
  string rustVerify = "";
  string rustFold = "";
  string rustCanonicalize = "";

  /// `.ppyir` spelling. `core.cmp.lt` is the variant `lt` of the attribute `predicate`.
  string variantAttribute = "";
  list<string> variants = [];
  /// `core.const 0`: the attribute `value` is written after the name, without braces.
  string inlineAttribute = "";

  let hasVerifier = !ne(rustVerify, "");
  let hasFolder = !ne(rustFold, "");
  let hasCanonicalizer = !ne(rustCanonicalize, "");

  /// C++ the op needs beside its hooks.
  code extraDeclaration = "";
  code extraDefinition = "";
  let extraClassDeclaration = [{
  static ::mlir::OperationName::HasTraitFn getHasTraitFn() {
    return [](::mlir::TypeID id) { return ::ppy::Traits<Op>::has(id); };
  }
}] # extraDeclaration;
  defvar stem = owner.name;
  let extraClassDefinition = !if(!ne(rustVerify, ""), [{
extern "C" MlirLogicalResult }] # stem # "_verify_" # opMnemonic # [{(MlirOperation);
::llvm::LogicalResult $cppClass::verify() { return unwrap(}] # stem # "_verify_" # opMnemonic # [{(wrap(getOperation()))); }
}], "") # !if(!ne(rustFold, ""), [{
extern "C" PpyFold }] # stem # "_fold_" # opMnemonic # [{(MlirOperation, intptr_t, const MlirAttribute *);
::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
  return ::ppy::rustFold(&}] # stem # "_fold_" # opMnemonic # [{, getOperation(), adaptor.getOperands());
}
}], "") # !if(!ne(rustCanonicalize, ""), [{
extern "C" void }] # stem # "_canonicalize_" # opMnemonic # [{(MlirRewritePatternSet, MlirContext);
void $cppClass::getCanonicalizationPatterns(::mlir::RewritePatternSet &set, ::mlir::MLIRContext *context) {
  }] # stem # "_canonicalize_" # opMnemonic # [{(wrap(&set), wrap(context));
}
}], "") # extraDefinition;
}

/// An enum attribute spelled as a string in `.ppyir` and as a keyword in `.mlir`.
class Ppy_Enum<Ppy_Dialect owner, string enumName, string enumSummary, list<I32EnumAttrCase> enumCases>
    : I32EnumAttr<enumName, enumSummary, enumCases> {
  let cppNamespace = owner.cppNamespace;
}

//===----------------------------------------------------------------------===//
// Type constraints shared by the dialects. A summary ends with the remedy: ODS prints it in its error.
//===----------------------------------------------------------------------===//

def Ppy_Number : Type<CPred<"::ppy::isNumber($_self)">,
    "a number (integer of 8 to 64 bits, float or index; core.cast turns a bool into one)">;
def Ppy_NumberLike : Type<CPred<"::ppy::isNumberLike($_self)">,
    "a number or a vector of numbers (core.cast turns a bool into a number)">;
def Ppy_FloatLike : Type<CPred<"::ppy::isFloatLike($_self)">,
    "a float or a vector of floats (core.cast turns an integer into a float)">;
def Ppy_IntegerLike : Type<CPred<"::ppy::isIntegerLike($_self)">,
    "an integer, an index or a vector of integers (bits of a float have no arithmetic; core.cast converts)">;
def Ppy_BitsLike : Type<CPred<"::ppy::isBitsLike($_self)">,
    "an integer, an index, a bool or a vector of them (bits of a float have no operations; core.cast converts)">;
def Ppy_Bool : Type<CPred<"$_self.isSignlessInteger(1)">, "a bool (compare with core.cmp to get one)">,
    BuildableType<"$_builder.getI1Type()">;
def Ppy_BoolLike : Type<CPred<"::ppy::isBoolLike($_self)">,
    "a bool or a vector of bools (compare with core.cmp to get one)">;
def Ppy_I64 : Type<CPred<"$_self.isSignlessInteger(64)">, "an i64 (core.cast makes one of another number)">,
    BuildableType<"$_builder.getI64Type()">;
def Ppy_Index : Type<CPred<"::ppy::isIntegerScalar($_self)">,
    "an integer or index (core.cast turns other numbers into one)">;

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// Failing into the fallback is a write to this resource, so that no upstream pass drops, merges or reorders it. See
/// docs/fallback.md.
def Ppy_FallbackResource : Resource<"::ppy::FallbackResource">;

#endif // PPY_BASE_TD
