//! What the scaffolds write. `{{name}}` and the like are filled in; capitals mean CamelCase.

pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
}

pub const OP_TD: &str = r#"def {{Dialect}}_{{Name}}Op
    : Ppy_Op<{{Dialect}}_Dialect, "{{name}}", [Pure, SameOperandsAndResultType]> {
  let summary = "";
  let description = [{
    ```mlir
    %0 = ppy_{{dialect}}.{{name}} %x : f64
    ```
  }];
  let arguments = (ins Ppy_FloatLike:$operand);
  let results = (outs Ppy_FloatLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

"#;

pub const OP_RULE_ROW: &str = "    (\"{{dialect}}.{{name}}\", {{name}}),\n";

pub const OP_RULE: &str = r#"
/// `{{dialect}}.{{name}}`.
fn {{name}}(
    d: &crate::interp::compile::Decode,
) -> Result<crate::interp::compile::Compiled, crate::interp::error::Refusal> {
    d.arity(1, 1)?;
    Err(crate::interp::error::Refusal("has no meaning yet".into()))
}
"#;

pub const OP_LOWERING_ROW: &str = "\n    patterns.add(\"ppy_{{dialect}}.{{name}}\", {{name}});";

pub const OP_LOWERING: &str = r#"
/// `ppy_{{dialect}}.{{name}}`.
fn {{name}}<'c, 'a>(
    _: crate::mlir::op::Op<'c, 'a>,
    _: &[melior::ir::Value<'c, 'a>],
    _: &crate::mlir::conversion::ConversionRewriter<'c, 'a>,
) -> crate::dialects::core::lower::Lowered {
    Err("it has no lowering yet".into())
}
"#;

pub const OP_LIT: &str = r#"// RUN: %roundtrip --ppyir %s

module {
  ppy_core.func @{{name}}(%arg0: f64) -> f64 {
    %0 = ppy_{{dialect}}.{{name}} %arg0 : f64
    ret %0 : f64
  }
}
"#;

pub const OP_LIT_PPYIR: &str = r#"// RUN: %roundtrip %s

ppyir 1
module @{{name}}
{{dialects}}
func @{{name}}(%x: f64) -> f64 {
^entry:
    %0 = {{dialect}}.{{name}} %x : f64
    core.ret %0
}
"#;

pub const OP_EXEC: &str = r#"ppyir 1
module @{{name}}
{{dialects}}
func @{{dialect}}_{{name}}(%x: f64) -> f64 {
^entry:
    %0 = {{dialect}}.{{name}} %x : f64
    core.ret %0
}
"#;

pub const OP_EXPECT: &str = r#"{"rows": [
 {"func": "{{dialect}}_{{name}}", "args": [1.0], "status": 0, "results": [1.0]}
]}
"#;

pub const DIALECT_TD: &str = r#"//===- {{Dialect}}.td - the ppy_{{dialect}} dialect ---------------------------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PPY_{{Dialect}}_TD
#define PPY_{{Dialect}}_TD

include "Base.td"

def {{Dialect}}_Dialect : Ppy_Dialect<"{{dialect}}", 1> {
  let summary = "";
  let description = [{
  }];
  // With types of its own: let useDefaultTypePrinterParser = 1;
}

#endif // PPY_{{Dialect}}_TD
"#;

pub const DIALECT_RUST: &[(&str, &str)] = &[
    ("verify.rs", "//! Verification rules of the {{dialect}} dialect.\n"),
    ("fold.rs", "//! Folds of the {{dialect}} dialect.\n"),
    ("patterns.rs", "//! Canonicalization patterns of the {{dialect}} dialect.\n"),
    (
        "interp.rs",
        "//! What the {{dialect}} operations do when the interpreter runs them.\n\n/// The rules of the {{dialect}} dialect by operation.\n\
         pub const RULES: &[(&str, crate::interp::Rule)] = &[\n];\n",
    ),
    (
        "lower.rs",
        "//! The {{dialect}} operations in the LLVM dialect.\n\n/// Adds the lowering of every {{dialect}} operation.\n\
         pub fn to_llvm(patterns: &mut crate::mlir::conversion::ConversionPatterns) {\n    let _ = &patterns;\n}\n",
    ),
];

pub const DIALECT_PASSES_TD: &str = r#"//===- {{Dialect}}Passes.td - the passes of the ppy_{{dialect}} dialect ---------------===//
//
// Part of ppy-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their bodies are in dialects/{{dialect}}.
//
//===----------------------------------------------------------------------===//

include "PassBase.td"
"#;

pub const PASS_TD: &str = r#"
def {{Name}} : Ppy_Pass<"{{name}}", "::ppy::core::FuncOp", "{{module}}"> {
  let summary = "";
  let description = [{
  }];
}
"#;

pub const PASS: &str = r#"//! `--{{name}}`.

use crate::{
    mlir::{hooks::PassFailure, prelude::*},
    passes::generated::{{Name}}Options,
};

pub fn run(_: Op, _: &{{Name}}Options) -> Result<(), PassFailure> {
    Ok(())
}
"#;

pub const PASS_LIT: &str = r#"// RUN: %ppy-opt %s --pass-pipeline='builtin.module(ppy_core.func({{name}}))' | FileCheck %s

// CHECK-LABEL: @f
ppy_core.func @f() {
  ppy_core.ret
}
"#;
