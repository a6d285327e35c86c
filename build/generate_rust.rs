//! The Rust that the records imply, into `OUT_DIR`:
//!
//! | file | what |
//! |---|---|
//! | `dialects.rs` | a module per dialect: its folder's files, and typed views (`ops`), types and enums |
//! | `hooks.rs` | the `extern "C"` functions that C++ calls, forwarding to the dialects' Rust |
//! | `registry.rs` | tables: dialects, operations, passes |
//! | `passes.rs` | options, statistics and entry points of the passes |

use crate::{
    generate_cpp::write_if_changed,
    records::{Attribute, AttributeKind, Dialect, Enum, Op, Parameter, Pass, Passes, TypeDef},
};
use std::{error::Error, fmt::Write, fs, path::Path};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

pub fn all(root: &Path, out: &Path, dialects: &[Dialect], passes: &Passes) -> Result<()> {
    write_if_changed(&out.join("dialects.rs"), &dialect_modules(root, dialects)?)?;
    write_if_changed(&out.join("hooks.rs"), &hooks(dialects)?)?;
    write_if_changed(&out.join("registry.rs"), &registry(dialects, passes)?)?;
    write_if_changed(&out.join("passes.rs"), &pass_glue(&passes.passes)?)
}

const KEYWORDS: [&str; 38] = [
    "as", "async", "await", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern", "false",
    "final", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "static", "struct", "trait", "true", "type", "unsafe", "use", "where", "while", "yield",
];

/// A Rust identifier for a name of a record; keywords get an underscore.
fn ident(name: &str) -> String {
    let plain = name.trim_end_matches('_');
    if KEYWORDS.contains(&plain) { format!("{plain}_") } else { plain.to_owned() }
}

fn dialect_modules(root: &Path, dialects: &[Dialect]) -> Result<String> {
    let mut text = String::new();
    for d in dialects {
        writeln!(text, "/// {} (`{}` in MLIR).\npub mod {} {{", d.summary, d.name, d.ppyir)?;
        let folder = root.join("dialects").join(&d.ppyir);
        let mut files: Vec<_> = fs::read_dir(&folder)?
            .filter_map(|e| Some(e.ok()?.path()))
            .filter(|p| p.extension().is_some_and(|e| e == "rs"))
            .collect();
        files.sort();
        for file in files {
            let stem = file.file_stem().and_then(|s| s.to_str()).ok_or("a file name that is not UTF-8")?;
            writeln!(text, "    #[path = {:?}]\n    pub mod {stem};", file)?;
        }
        writeln!(
            text,
            "    /// Typed views of the dialect's operations and their builders, from TableGen.\n    pub mod ops {{"
        )?;
        text.push_str("        #![allow(clippy::all, unused_imports, reason = \"as the declarations need\")]\n        use crate::mlir::prelude::*;\n");
        for op in &d.ops {
            op_view(&mut text, d, op)?;
        }
        writeln!(
            text,
            "    }}\n    /// The dialect's types, from TableGen.\n    pub mod type_views {{\n        #![allow(clippy::all, unused_imports, reason = \"as the declarations need\")]\n        use crate::mlir::prelude::*;"
        )?;
        for t in &d.types {
            type_view(&mut text, d, t)?;
        }
        writeln!(text, "    }}\n    /// The dialect's enums, from TableGen.\n    pub mod enums {{")?;
        for e in &d.enums {
            writeln!(
                text,
                "        /// {}.\n        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\n        #[repr(i64)]\n        pub enum {} {{",
                e.summary, e.name
            )?;
            for (name, number, spelling) in &e.cases {
                writeln!(text, "            /// `{spelling}`\n            {name} = {number},")?;
            }
            let arms = |f: &dyn Fn(&(String, i64, String)) -> String| e.cases.iter().map(f).collect::<String>();
            writeln!(
                text,
                "        }}\n        impl {0} {{\n            pub const ALL: &'static [Self] = &[{1}];\n            \
                 pub fn from_number(number: i64) -> Option<Self> {{ match number {{ {2} _ => None }} }}\n            \
                 pub fn as_str(self) -> &'static str {{ match self {{ {3} }} }}\n            \
                 pub fn parse(text: &str) -> Option<Self> {{ match text {{ {4} _ => None }} }}\n        }}",
                e.name,
                arms(&|(n, _, _)| format!("Self::{n}, ")),
                arms(&|(n, v, _)| format!("{v} => Some(Self::{n}), ")),
                arms(&|(n, _, s)| format!("Self::{n} => {s:?}, ")),
                arms(&|(n, _, s)| format!("{s:?} => Some(Self::{n}), ")),
            )?;
        }
        text.push_str("    }\n}\n");
    }
    Ok(text)
}

fn op_view(text: &mut String, d: &Dialect, op: &Op) -> Result<()> {
    let class = &op.class;
    let full = format!("{}.{}", d.name, op.mnemonic);
    writeln!(
        text,
        "        /// `{full}`: {}.\n        #[derive(Clone, Copy)]\n        pub struct {class}<'c, 'a>(pub Op<'c, 'a>);",
        op.summary
    )?;
    writeln!(
        text,
        "        impl<'c: 'a, 'a> {class}<'c, 'a> {{\n            pub const NAME: &'static str = {full:?};"
    )?;
    writeln!(
        text,
        "            /// `op` as this operation, if it is one.\n            pub fn cast(op: Op<'c, 'a>) -> Option<Self> {{ (op.op_name() == Self::NAME).then_some(Self(op)) }}"
    )?;
    let variadics = op.operands.iter().filter(|o| o.variadic).count();
    for (i, operand) in op.operands.iter().enumerate() {
        let name = ident(&operand.name);
        if op.segments {
            let body = if operand.variadic {
                format!("self.0.segment({i})")
            } else {
                format!("self.0.segment({i}).first().copied()")
            };
            let ty = if operand.variadic { "OperandList<'c, 'a>" } else { "Option<Value<'c, 'a>>" };
            writeln!(text, "            pub fn {name}(self) -> {ty} {{ {body} }}")?;
        } else if variadics == 0 || op.operands.iter().take(i).all(|o| !o.variadic) && !operand.variadic {
            writeln!(text, "            pub fn {name}(self) -> Value<'c, 'a> {{ self.0.value({i}) }}")?;
        } else if operand.variadic {
            let after = op.operands.len() - i - 1;
            writeln!(
                text,
                "            pub fn {name}(self) -> OperandList<'c, 'a> {{ self.0.operand_range({i}, {after}) }}"
            )?;
        } else {
            let from_end = op.operands.len() - i;
            writeln!(text, "            pub fn {name}(self) -> Value<'c, 'a> {{ self.0.value_from_end({from_end}) }}")?;
        }
    }
    if let [result] = &op.results[..]
        && !result.variadic
    {
        let name = if op.operands.iter().any(|o| o.name == "result") { "output" } else { "result" };
        writeln!(text, "            pub fn {name}(self) -> Value<'c, 'a> {{ self.0.result_value() }}")?;
    }
    for a in &op.attributes {
        let name = ident(&a.name);
        let get = match &a.kind {
            AttributeKind::Enum(e) => {
                let e = enum_path(e);
                format!(
                    "pub fn {name}(self) -> Option<{e}> {{ self.0.int_attribute({:?}).and_then({e}::from_number) }}",
                    a.name
                )
            }
            AttributeKind::I64 => {
                format!("pub fn {name}(self) -> Option<i64> {{ self.0.int_attribute({:?}) }}", a.name)
            }
            AttributeKind::Str => {
                format!("pub fn {name}(self) -> Option<&'c str> {{ self.0.str_attribute({:?}) }}", a.name)
            }
            AttributeKind::Symbol => {
                format!("pub fn {name}(self) -> Option<&'c str> {{ self.0.symbol_attribute({:?}) }}", a.name)
            }
            AttributeKind::Bool => {
                format!("pub fn {name}(self) -> Option<bool> {{ self.0.bool_attribute({:?}) }}", a.name)
            }
            AttributeKind::Unit => format!("pub fn {name}(self) -> bool {{ self.0.inherent({:?}).is_some() }}", a.name),
            AttributeKind::Type => {
                format!("pub fn {name}(self) -> Option<Type<'c>> {{ self.0.type_attribute({:?}) }}", a.name)
            }
            AttributeKind::Array | AttributeKind::Other => {
                format!("pub fn {name}(self) -> Option<Attribute<'c>> {{ self.0.inherent({:?}) }}", a.name)
            }
        };
        writeln!(text, "            {get}")?;
    }
    builder(text, op)?;
    text.push_str("        }\n");
    Ok(())
}

/// `build(context, operands.., attributes.., result types.., location)`, for ops without regions.
fn builder(text: &mut String, op: &Op) -> Result<()> {
    if op.regions > 0 {
        return Ok(());
    }
    let mut parameters = vec!["context: &'c Context".to_owned()];
    let mut body = String::new();
    for operand in &op.operands {
        let name = ident(&operand.name);
        if operand.variadic {
            parameters.push(format!("{name}: &[Value<'c, '_>]"));
            writeln!(body, "                builder = builder.add_operands({name});")?;
        } else {
            parameters.push(format!("{name}: Value<'c, '_>"));
            writeln!(body, "                builder = builder.add_operands(&[{name}]);")?;
        }
    }
    if op.segments {
        let sizes = op
            .operands
            .iter()
            .map(|o| if o.variadic { format!("{}.len() as i32", ident(&o.name)) } else { "1".into() });
        writeln!(
            body,
            "                attributes.push(segment_sizes(context, &[{}]));",
            sizes.collect::<Vec<_>>().join(", ")
        )?;
    }
    for a in &op.attributes {
        if matches!(a.name.as_str(), "arg_attrs" | "res_attrs") {
            continue;
        }
        let name = ident(&a.name);
        let (ty, make) = attribute_parameter(a);
        let (ty, value) = if a.optional && !matches!(a.kind, AttributeKind::Unit) {
            (
                format!("Option<{ty}>"),
                format!("if let Some({name}) = {name} {{ attributes.push(({:?}, {make})); }}", a.name),
            )
        } else if matches!(a.kind, AttributeKind::Unit) {
            (ty.clone(), format!("if {name} {{ attributes.push(({:?}, {make})); }}", a.name))
        } else {
            (ty.clone(), format!("attributes.push(({:?}, {make}));", a.name))
        };
        parameters.push(format!("{name}: {ty}"));
        writeln!(body, "                {value}")?;
    }
    for s in &op.successors {
        parameters.push(format!("{}: &Block<'c>", ident(s)));
    }
    if !op.successors.is_empty() {
        let list = op.successors.iter().map(|s| ident(s)).collect::<Vec<_>>().join(", ");
        writeln!(body, "                builder = builder.add_successors(&[{list}]);")?;
    }
    for (i, r) in op.results.iter().enumerate() {
        let name = if r.name.is_empty() { "results".to_owned() } else { format!("{}_type", ident(&r.name)) };
        if r.variadic {
            parameters.push(format!("{name}: &[Type<'c>]"));
            writeln!(body, "                builder = builder.add_results({name});")?;
        } else {
            let name = if i == 0 { name } else { format!("{name}_{i}") };
            parameters.push(format!("{name}: Type<'c>"));
            writeln!(body, "                builder = builder.add_results(&[{name}]);")?;
        }
    }
    parameters.push("location: Location<'c>".into());
    writeln!(
        text,
        "            /// A new operation, in no block yet.\n            pub fn build({}) -> Operation<'c> {{\n                \
         #[allow(unused_mut)]\n                let mut attributes: Vec<(&str, Attribute<'c>)> = Vec::new();\n                \
         #[allow(unused_mut)]\n                let mut builder = OperationBuilder::new(Self::NAME, location);\n{body}                \
         finish(context, builder, &attributes)\n            }}",
        parameters.join(", ")
    )?;
    Ok(())
}

/// An enum in Rust; an operation may carry another dialect's.
fn enum_path(e: &Enum) -> String {
    format!("crate::dialects::{}::enums::{}", e.dialect, e.name)
}

/// (Rust type, expression that makes the attribute)
fn attribute_parameter(a: &Attribute) -> (String, String) {
    let name = ident(&a.name);
    match &a.kind {
        AttributeKind::Enum(e) => (enum_path(e), format!("enum_attribute(context, {name} as i64)")),
        AttributeKind::I64 => ("i64".into(), format!("i64_attribute(context, {name})")),
        AttributeKind::Str => ("&str".into(), format!("StringAttribute::new(context, {name}).into()")),
        AttributeKind::Symbol => ("&str".into(), format!("FlatSymbolRefAttribute::new(context, {name}).into()")),
        AttributeKind::Bool => ("bool".into(), format!("bool_attribute(context, {name})")),
        AttributeKind::Unit => ("bool".into(), "Attribute::unit(context)".into()),
        AttributeKind::Type => ("Type<'c>".into(), format!("TypeAttribute::new({name}).into()")),
        AttributeKind::Array | AttributeKind::Other => ("Attribute<'c>".into(), name),
    }
}

fn type_view(text: &mut String, d: &Dialect, t: &TypeDef) -> Result<()> {
    let class = format!("{}Type", t.name);
    let stem = format!("{}_type_{}", d.name, t.mnemonic);
    let mut raw = format!("fn {stem}_is(type_: MlirType) -> bool;");
    let (mut declared, mut parameters, mut passed, mut getters) =
        (String::new(), String::new(), String::new(), String::new());
    let mut prelude = String::new();
    for (name, parameter) in &t.parameters {
        let id = ident(name);
        let (c, rust, pass) = match parameter {
            Parameter::Type => ("MlirType".to_owned(), "Type<'c>", format!("{id}.to_raw()")),
            Parameter::Bool => ("bool".into(), "bool", id.clone()),
            Parameter::Int => ("i64".into(), "i64", id.clone()),
            Parameter::Str => ("MlirStringRef".into(), "&str", format!("string_ref({id})")),
            Parameter::Types => ("isize, *const MlirType".into(), "&[Type<'c>]", String::new()),
            Parameter::Strs => ("isize, *const MlirStringRef".into(), "&[&str]", String::new()),
            Parameter::Ints => ("isize, *const i64".into(), "&[i64]", String::new()),
        };
        write!(parameters, ", {id}: {rust}")?;
        match parameter {
            Parameter::Types | Parameter::Strs | Parameter::Ints => {
                let (element, to_raw, returned, from_raw) = match parameter {
                    Parameter::Types => ("MlirType", ".map(|t| t.to_raw())", "Type<'c>", "Type::from_raw(raw)"),
                    Parameter::Strs => ("MlirStringRef", ".map(|s| string_ref(s))", "&'c str", "str_of(raw)"),
                    _ => ("i64", ".copied()", "i64", "raw"),
                };
                let list = element;
                write!(declared, ", {id}_count: isize, {id}: *const {list}")?;
                writeln!(prelude, "                let {id}: Vec<{list}> = {id}.iter(){to_raw}.collect();")?;
                write!(passed, ", {id}.len() as isize, {id}.as_ptr()")?;
                write!(
                    raw,
                    " fn {stem}_{name}_count(type_: MlirType) -> isize; fn {stem}_{name}_at(type_: MlirType, i: isize) -> {list};"
                )?;
                writeln!(
                    getters,
                    "            pub fn {id}(self) -> Vec<{returned}> {{\n                (0..unsafe {{ {stem}_{name}_count(self.0.to_raw()) }})\n                    \
                     .map(|i| unsafe {{ let raw = {stem}_{name}_at(self.0.to_raw(), i); {from_raw} }}).collect()\n            }}"
                )?;
            }
            _ => {
                write!(declared, ", {id}: {c}")?;
                write!(passed, ", {pass}")?;
                write!(raw, " fn {stem}_{name}(type_: MlirType) -> {c};")?;
                let (returned, convert) = match parameter {
                    Parameter::Type => ("Type<'c>", format!("Type::from_raw({stem}_{name}(self.0.to_raw()))")),
                    Parameter::Bool => ("bool", format!("{stem}_{name}(self.0.to_raw())")),
                    Parameter::Int => ("i64", format!("{stem}_{name}(self.0.to_raw())")),
                    _ => ("&'c str", format!("str_of({stem}_{name}(self.0.to_raw()))")),
                };
                writeln!(getters, "            pub fn {id}(self) -> {returned} {{ unsafe {{ {convert} }} }}")?;
            }
        }
    }
    writeln!(
        text,
        "        unsafe extern \"C\" {{ {raw} fn {stem}_get(context: MlirContext{declared}) -> MlirType; }}\n        \
         /// `!{0}.{1}`: {2}.\n        #[derive(Clone, Copy, Debug, PartialEq, Eq)]\n        pub struct {class}<'c>(Type<'c>);\n        \
         impl<'c> {class}<'c> {{\n            \
         /// `None`, after an error diagnostic, where the dialect has no such type.\n            \
         pub fn get(context: &'c Context{parameters}) -> Option<Self> {{\n{prelude}                \
         unsafe {{ Type::from_option_raw({stem}_get(context.to_raw(){passed})) }}.map(Self)\n            }}\n            \
         pub fn cast(type_: Type<'c>) -> Option<Self> {{ unsafe {{ {stem}_is(type_.to_raw()) }}.then_some(Self(type_)) }}\n            \
         pub fn as_type(self) -> Type<'c> {{ self.0 }}\n{getters}        }}\n        \
         impl<'c> From<{class}<'c>> for Type<'c> {{ fn from(view: {class}<'c>) -> Self {{ view.0 }} }}",
        d.name, t.mnemonic, t.summary
    )?;
    Ok(())
}

fn hooks(dialects: &[Dialect]) -> Result<String> {
    let mut text = String::from("use crate::mlir::hooks::{self, RawFold};\nuse mlir_sys::*;\n\n");
    let mut registers = Vec::new();
    for d in dialects {
        let (name, module) = (&d.name, &d.ppyir);
        writeln!(text, "unsafe extern \"C\" {{ fn {name}_register(registry: MlirDialectRegistry); }}")?;
        registers.push(format!("{name}_register(registry);"));
        for op in &d.ops {
            let m = &op.mnemonic;
            if !op.verify.is_empty() {
                writeln!(
                    text,
                    "#[unsafe(no_mangle)]\nextern \"C\" fn {name}_verify_{m}(op: MlirOperation) -> MlirLogicalResult {{ hooks::verify(op, crate::dialects::{module}::verify::{}) }}",
                    op.verify
                )?;
            }
            if !op.fold.is_empty() {
                writeln!(
                    text,
                    "#[unsafe(no_mangle)]\nextern \"C\" fn {name}_fold_{m}(op: MlirOperation, n: isize, attributes: *const MlirAttribute) -> RawFold {{ hooks::fold(op, n, attributes, crate::dialects::{module}::fold::{}) }}",
                    op.fold
                )?;
            }
            if !op.canonicalize.is_empty() {
                writeln!(
                    text,
                    "#[unsafe(no_mangle)]\nextern \"C\" fn {name}_canonicalize_{m}(set: MlirRewritePatternSet, context: MlirContext) {{ hooks::canonicalize(set, context, \"{name}.{m}\", crate::dialects::{module}::patterns::{}) }}",
                    op.canonicalize
                )?;
            }
        }
    }
    writeln!(
        text,
        "/// Adds every ppy dialect to a registry.\npub(crate) fn register_dialects(registry: MlirDialectRegistry) {{ unsafe {{ {} }} }}",
        registers.join(" ")
    )?;
    Ok(text)
}

fn registry(dialects: &[Dialect], passes: &Passes) -> Result<String> {
    let mut text = String::from("pub const DIALECTS: &[DialectInfo] = &[\n");
    for d in dialects {
        writeln!(
            text,
            "    DialectInfo {{ name: {:?}, ppyir: {:?}, version: {}, summary: {:?}, description: {:?}, address_spaces: &{:?}, types: &{:?}, ops: &[",
            d.name,
            d.ppyir,
            d.version,
            d.summary,
            d.description,
            d.address_spaces,
            d.types.iter().map(|t| (&t.mnemonic, &t.summary, &t.description)).collect::<Vec<_>>()
        )?;
        for op in &d.ops {
            let arity = |list: &[crate::records::Operand]| {
                if list.iter().any(|o| o.variadic) { "None".to_owned() } else { format!("Some({})", list.len()) }
            };
            let attributes = op.attributes.iter().map(|a| {
                let kind = match &a.kind {
                    AttributeKind::Enum(e) => {
                        let cases: Vec<&String> = e.cases.iter().map(|(_, _, spelling)| spelling).collect();
                        format!("AttributeKind::Enum(&{cases:?})")
                    }
                    AttributeKind::Str => "AttributeKind::Str".into(),
                    AttributeKind::I64 => "AttributeKind::I64".into(),
                    AttributeKind::Bool => "AttributeKind::Bool".into(),
                    AttributeKind::Unit => "AttributeKind::Unit".into(),
                    AttributeKind::Symbol => "AttributeKind::Symbol".into(),
                    AttributeKind::Type => "AttributeKind::Type".into(),
                    AttributeKind::Array => "AttributeKind::Array".into(),
                    AttributeKind::Other => "AttributeKind::Other".into(),
                };
                format!("AttributeInfo {{ name: {:?}, optional: {}, kind: {kind} }}", a.name, a.optional)
            });
            writeln!(
                text,
                "        OpInfo {{ name: \"{}.{}\", ppyir: \"{}.{}\", summary: {:?}, description: {:?}, operands: {}, results: {}, successors: {}, regions: {}, \
                 terminator: {}, pure: {}, commutative: {}, symbol: {}, variant_attribute: {:?}, variants: &{:?}, inline_attribute: {:?}, \
                 hooks: Hooks {{ verify: {}, fold: {}, canonicalize: {} }}, attributes: &[{}] }},",
                d.name,
                op.mnemonic,
                d.ppyir,
                op.mnemonic,
                op.summary,
                op.description,
                arity(&op.operands),
                arity(&op.results),
                op.successors.len(),
                op.regions,
                op.terminator,
                op.pure,
                op.commutative,
                op.symbol,
                op.variant_attribute,
                op.variants,
                op.inline_attribute,
                !op.verify.is_empty(),
                !op.fold.is_empty(),
                !op.canonicalize.is_empty(),
                attributes.collect::<Vec<_>>().join(", ")
            )?;
        }
        text.push_str("    ] },\n");
    }
    text.push_str("];\n\npub const PASSES: &[PassInfo] = &[\n");
    for p in &passes.passes {
        let options: Vec<_> = p.options.iter().map(|o| (&o.argument, &o.ty, &o.default, &o.description)).collect();
        writeln!(
            text,
            "    PassInfo {{ argument: {:?}, summary: {:?}, description: {:?}, anchor: {:?}, requires: &{:?}, preserves: &{:?}, options: &{options:?}, statistics: &{:?} }},",
            p.argument, p.summary, p.description, p.anchor, p.requires, p.preserves, p.statistics
        )?;
    }
    text.push_str("];\n\npub const PHASES: &[PhaseInfo] = &[\n");
    for (i, p) in passes.phases.iter().enumerate() {
        let steps = passes.steps.iter().filter(|s| s.phase == i).map(|s| {
            format!(
                "StepInfo {{ pass: {:?}, anchor: {:?}, level: {}, optional: {} }}",
                s.pass, s.anchor, s.level, s.optional
            )
        });
        writeln!(
            text,
            "    PhaseInfo {{ name: {:?}, stage: {}, summary: {:?}, steps: &[{}] }},",
            p.name,
            p.stage,
            p.summary,
            steps.collect::<Vec<_>>().join(", ")
        )?;
    }
    text.push_str("];\n");
    // Each dialect's rules, by module, for the tables that src/ builds.
    text.push_str("/// The interpreter's rules, a table per dialect.\npub const INTERPRETER_RULES: &[&[(&str, crate::interp::Rule)]] = &[");
    for d in dialects {
        write!(text, "crate::dialects::{}::interp::RULES, ", d.ppyir)?;
    }
    text.push_str("];\n/// The lowerings to LLVM, a function per dialect.\npub const LLVM_LOWERINGS: &[fn(&mut crate::mlir::conversion::ConversionPatterns)] = &[");
    for d in dialects {
        write!(text, "crate::dialects::{}::lower::to_llvm, ", d.ppyir)?;
    }
    text.push_str("];\n/// What every function is held to, a rule per dialect that has one.\npub const FUNCTION_RULES: &[fn(crate::mlir::op::Op) -> crate::mlir::diagnostic::Verdict] = &[");
    for d in dialects.iter().filter(|d| !d.verify_function.is_empty()) {
        write!(text, "crate::dialects::{}::verify::{}, ", d.ppyir, d.verify_function)?;
    }
    text.push_str("];\n");
    Ok(text)
}

fn pass_glue(passes: &[Pass]) -> Result<String> {
    let mut text = String::from("use crate::mlir::{analysis, hooks, prelude::*};\n\n");
    for p in passes {
        let (class, ident, module) = (&p.name, p.ident(), p.module());
        let (mut raw, mut fields, mut copies) = (String::new(), String::new(), String::new());
        for o in &p.options {
            let snake = snake(&o.cpp);
            let (raw_ty, ty, copy) = match (o.list, o.ty.as_str()) {
                (true, _) => (
                    format!("{snake}_count: isize, {snake}: *const MlirStringRef"),
                    "Vec<String>",
                    format!("unsafe {{ strings_of(raw.{snake}_count, raw.{snake}) }}"),
                ),
                (_, "std::string") => (
                    format!("{snake}: MlirStringRef"),
                    "String",
                    format!("unsafe {{ str_of(raw.{snake}) }}.to_owned()"),
                ),
                (_, "bool") => (format!("{snake}: bool"), "bool", format!("raw.{snake}")),
                _ => (format!("{snake}: i64"), "i64", format!("raw.{snake}")),
            };
            write!(raw, "{raw_ty}, ")?;
            writeln!(fields, "    /// {}\n    pub {snake}: {ty},", o.description)?;
            write!(copies, "{snake}: {copy}, ")?;
        }
        let statistics: Vec<String> = p.statistics.iter().map(|(n, _)| snake(n)).collect();
        writeln!(
            text,
            "/// Options of `--{}`.\n#[derive(Clone, Debug)]\npub struct {class}Options {{\n{fields}}}\n\
             #[repr(C)]\nstruct Raw{class}Options {{ {raw} }}",
            p.argument
        )?;
        let (mut before, mut arguments, mut after) = (String::new(), String::from("op, &options"), String::new());
        if !p.requires.is_empty() {
            let (mut fields, mut handles) = (String::new(), String::new());
            for (i, class) in p.requires.iter().enumerate() {
                let handle = class.rsplit("::").next().unwrap_or(class);
                let field = snake(handle);
                writeln!(fields, "    pub {field}: analysis::{handle}<'p>,")?;
                write!(handles, "{field}: unsafe {{ analysis::{handle}::from_raw(*analyses.add({i})) }}, ")?;
            }
            writeln!(text, "/// What `--{}` requires.\npub struct {class}Analyses<'p> {{\n{fields}}}", p.argument)?;
            write!(before, "let required = {class}Analyses {{ {handles} }}; ")?;
            arguments += ", &required";
        }
        if !statistics.is_empty() {
            let names = statistics.iter().map(|s| format!("    pub {s}: u64,\n")).collect::<String>();
            writeln!(
                text,
                "/// Statistics of `--{}`.\n#[derive(Clone, Debug, Default)]\npub struct {class}Statistics {{\n{names}}}",
                p.argument
            )?;
            write!(before, "let mut found = {class}Statistics::default(); ")?;
            arguments += ", &mut found";
            write!(
                after,
                "let counts = unsafe {{ std::slice::from_raw_parts_mut(statistics, {}) }}; ",
                statistics.len()
            )?;
            for (i, statistic) in statistics.iter().enumerate() {
                write!(after, "counts[{i}] = found.{statistic}; ")?;
            }
        }
        let run = format!("{module}::run({arguments})");
        let run = if after.is_empty() { run } else { format!("let result = {run}; {after}result") };
        writeln!(
            text,
            "#[unsafe(no_mangle)]\nextern \"C\" fn ppy_pass_{ident}(op: MlirOperation, raw: &Raw{class}Options, analyses: *const *const std::ffi::c_void, statistics: *mut u64) -> hooks::PassEnd {{\n    \
             let _ = (raw, analyses, statistics);\n    let options = {class}Options {{ {copies} }};\n    \
             hooks::pass(op, {:?}, |op| {{ {before}{run} }})\n}}",
            p.argument
        )?;
        writeln!(text, "unsafe extern \"C\" {{ fn ppy_create_pass_{ident}() -> MlirPass; }}")?;
        writeln!(
            text,
            "/// `--{}` with its default options, for a pass manager.\npub fn {ident}() -> melior::pass::Pass {{ unsafe {{ melior::pass::Pass::from_raw(ppy_create_pass_{ident}()) }} }}",
            p.argument
        )?;
    }
    text.push_str("unsafe extern \"C\" { fn ppy_register_passes(); }\n/// Registers every pass of ours by name; once per process.\npub(crate) fn register() { unsafe { ppy_register_passes() } }\n");
    Ok(text)
}

fn snake(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}
