//===- CoreEnums.td - enums of the ppy_core dialect -----------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_CORE_ENUMS_TD
#define PPY_CORE_ENUMS_TD


def Core_Overflow : Ppy_Enum<Core_Dialect, "Overflow", "what an integer operation does where the value does not fit", [
    I32EnumAttrCase<"Python", 0, "python">,
    I32EnumAttrCase<"Checked", 1, "checked">,
    I32EnumAttrCase<"Wrap", 2, "wrap">,
    I32EnumAttrCase<"Proven", 3, "proven">,
    I32EnumAttrCase<"Native", 4, "native">]>;

def Core_Rounding : Ppy_Enum<Core_Dialect, "Rounding", "the direction a division rounds to", [
    I32EnumAttrCase<"Floor", 0, "floor">,
    I32EnumAttrCase<"Trunc", 1, "trunc">]>;

def Core_Predicate : Ppy_Enum<Core_Dialect, "Predicate", "a comparison", [
    I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]>;

def Core_GuardKind : Ppy_Enum<Core_Dialect, "GuardKind", "what a guard protects", [
    I32EnumAttrCase<"Overflow", 0, "overflow">,
    I32EnumAttrCase<"Bounds", 1, "bounds">,
    I32EnumAttrCase<"ZeroDivision", 2, "zero_division">,
    I32EnumAttrCase<"Range", 3, "range">,
    I32EnumAttrCase<"Contract", 4, "contract">,
    I32EnumAttrCase<"Assert", 5, "assert">]>;

#endif // PPY_CORE_ENUMS_TD
