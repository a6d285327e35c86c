//! Printing a module as `.ppyir` text, deterministically: the same module is the same bytes.
//!
//! Invariant: what prints reads back as the same module. A tree that no text can spell (a symbol with a space, an id
//! that no value has) is a [`PrintError`]. A location prints where it differs from that of the operation before it in
//! the block; an operation without one makes the next location print again. Source: spec `ir.txt`, section Text.

use super::ast::{
    Attr, Attrs, Function, Global, Item, Loc, Module, Operation, Region, SCHEMA, Successor, Type, TypeArg, ValueId,
};
use super::attrs::write_string;
use super::lexer::is_word_char;
use super::names::{labels, value_names};
use super::syntax::{OpSyntax, SyntaxTable};
use super::types::{MAX_DEPTH, is_type_word};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::fmt::{self, Write};

/// Why a module has no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintError {
    /// The function, when the trouble is in one.
    pub function: Option<String>,
    pub message: String,
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "@{function}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for PrintError {}

/// The text of one module.
pub fn print_module(module: &Module, table: &dyn SyntaxTable) -> Result<String, PrintError> {
    let mut printer = Printer::new(table);
    for item in &module.items {
        printer.item(item)?;
    }
    printer.finish(module)
}

/// The text of several modules, one document after the other.
pub fn print_documents(modules: &[Module], table: &dyn SyntaxTable) -> Result<String, PrintError> {
    modules.iter().map(|module| print_module(module, table)).collect()
}

type Printed = Result<(), PrintError>;

/// Prints a document whose items come one by one, and its header last.
pub(super) struct Printer<'t> {
    out: String,
    table: &'t dyn SyntaxTable,
    after_global: bool,
    ops: FxHashMap<SmolStr, OpSyntax>,
    /// Names of the current function's values.
    values: Vec<SmolStr>,
}

#[cold]
fn fail(message: impl Into<String>) -> PrintError {
    PrintError { function: None, message: message.into() }
}

/// Writing into a `String` cannot fail.
fn infallible(_: fmt::Error) -> PrintError {
    fail("writing the text failed")
}

impl<'t> Printer<'t> {
    pub(super) fn new(table: &'t dyn SyntaxTable) -> Self {
        let (ops, values) = (FxHashMap::default(), Vec::new());
        Self { out: String::new(), table, after_global: false, ops, values }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn write(&mut self, args: fmt::Arguments<'_>) -> Printed {
        self.out.write_fmt(args).map_err(infallible)
    }

    pub(super) fn item(&mut self, item: &Item) -> Printed {
        match item {
            Item::Global(global) => {
                if !self.after_global {
                    self.put("\n");
                }
                self.after_global = true;
                self.global(global)
            }
            Item::Function(function) => {
                self.put("\n");
                self.after_global = false;
                let place = |error| PrintError { function: Some(function.symbol.to_string()), ..error };
                self.function(function).map_err(place)
            }
        }
    }

    /// The document: the header of `module`, then the items printed so far.
    pub(super) fn finish(mut self, module: &Module) -> Result<String, PrintError> {
        let items = std::mem::take(&mut self.out);
        self.write(format_args!("ppyir {SCHEMA}\nmodule @{}\n", name(&module.name, "module name")?))?;
        for (dialect, version) in &module.dialects {
            self.write(format_args!("dialect {} {version}\n", name(dialect, "dialect name")?))?;
        }
        if let Some(attrs) = &module.attrs {
            check_attrs(attrs, 0)?;
            self.write(format_args!("attrs {attrs}\n"))?;
        }
        let header = std::mem::replace(&mut self.out, items);
        self.out.insert_str(0, &header);
        Ok(self.out)
    }

    fn global(&mut self, global: &Global) -> Printed {
        self.put(if global.private { "private " } else { "" });
        self.put(if global.mutable { "mutable " } else { "" });
        check_type(&global.ty, 0)?;
        self.write(format_args!("global @{} : {}", name(&global.symbol, "global's name")?, global.ty))?;
        if let Some(value) = &global.value {
            check_attr(value, 0)?;
            self.write(format_args!(" = {value}"))?;
        }
        self.put("\n");
        Ok(())
    }

    fn function(&mut self, function: &Function) -> Printed {
        self.put(match (&function.body, function.private) {
            (_, true) => "private func @",
            (None, false) => "extern func @",
            (Some(_), false) => "func @",
        });
        self.put(name(&function.symbol, "function's name")?);
        self.values = value_names(function);
        self.put("(");
        for (index, param) in function.params.iter().enumerate() {
            self.comma(index);
            if let (Some(value), Some(_)) = (param.value, &function.body) {
                self.value(value)?;
                self.put(": ");
            }
            self.ty(&param.ty)?;
            if !param.attrs.is_empty() {
                check_attrs(&param.attrs, 0)?;
                self.write(format_args!(" {}", param.attrs))?;
            }
        }
        self.put(") -> ");
        match function.results.as_slice() {
            [ty] if *ty != Type::Void => self.ty(ty)?,
            results => {
                self.put("(");
                for (index, ty) in results.iter().enumerate() {
                    self.comma(index);
                    self.ty(ty)?;
                }
                self.put(")");
            }
        }
        if let Some(attrs) = &function.attrs {
            check_attrs(attrs, 0)?;
            self.write(format_args!(" attrs {attrs}"))?;
        }
        if let Some(loc) = &function.loc {
            self.loc(loc)?;
        }
        if let Some(body) = &function.body {
            if body.blocks.is_empty() {
                return Err(fail("a body without a block has no text"));
            }
            self.put(" {\n");
            self.region(function, body, 0)?;
            self.put("}");
        }
        self.put("\n");
        Ok(())
    }

    /// The blocks of a region, `depth` levels in; the entry block of a function leaves out its arguments.
    fn region(&mut self, function: &Function, region: &Region, depth: usize) -> Printed {
        if depth > MAX_DEPTH {
            return Err(fail(format!("regions nest deeper than {MAX_DEPTH} levels")));
        }
        let labels = labels(region);
        for (index, block) in region.blocks.iter().enumerate() {
            self.indent(depth);
            self.put("^");
            self.put(&labels[index]);
            if index == 0 && depth == 0 {
                if !block.args.iter().copied().eq(function.params.iter().filter_map(|param| param.value)) {
                    return Err(fail("the entry block's arguments are not the function's parameters"));
                }
            } else if !block.args.is_empty() {
                self.put("(");
                for (index, &value) in block.args.iter().enumerate() {
                    self.comma(index);
                    self.value(value)?;
                    self.put(": ");
                    match function.values.get(value.0 as usize) {
                        Some(def) => self.ty(&def.ty)?,
                        None => return Err(no_value(value)),
                    }
                }
                self.put(")");
            }
            self.put(":\n");
            let mut running: Option<&Loc> = None;
            for op in &block.ops {
                self.indent(depth + 1);
                self.operation(function, op, &labels, running, depth)?;
                running = op.loc.as_ref();
            }
        }
        Ok(())
    }

    fn operation(
        &mut self,
        function: &Function,
        op: &Operation,
        labels: &[SmolStr],
        running: Option<&Loc>,
        depth: usize,
    ) -> Printed {
        for (index, &value) in op.results.iter().enumerate() {
            self.comma(index);
            self.value(value)?;
        }
        if !op.results.is_empty() {
            self.put(" = ");
        }
        let syntax = self.syntax(&op.name)?;
        self.put(&op.name);
        let variant = syntax.variant_attribute.and_then(|key| match op.attrs.get(key) {
            Some(Attr::Str(variant)) if syntax.variants.contains(&variant.as_str()) => Some((key, variant)),
            _ => None,
        });
        if let Some((_, variant)) = variant {
            self.put(".");
            self.put(variant);
        }
        // A list in braces after the name would read as the operation's attributes.
        let inline = syntax.inline_attribute.and_then(|key| match op.attrs.get(key) {
            None | Some(Attr::Dict(_)) => None,
            Some(value) => Some((key, value)),
        });
        if let Some((_, value)) = inline {
            check_attr(value, 0)?;
            self.write(format_args!(" {value}"))?;
        }
        for (index, &value) in op.operands.iter().enumerate() {
            self.put(if index == 0 { " " } else { ", " });
            self.value(value)?;
        }
        for (index, successor) in op.successors.iter().enumerate() {
            self.put(if index == 0 && op.operands.is_empty() { " " } else { ", " });
            self.successor(successor, labels)?;
        }
        let (variant, inline) = (variant.map(|(key, _)| key), inline.map(|(key, _)| key));
        let mut shown = op.attrs.0.iter().filter(|(key, _)| variant != Some(key) && inline != Some(key)).peekable();
        if shown.peek().is_some() {
            self.put(" {");
            for (index, (key, value)) in shown.enumerate() {
                self.comma(index);
                self.put(name(key, "attribute's name")?);
                self.put(" = ");
                self.attr(value)?;
            }
            self.put("}");
        }
        for (index, &value) in op.results.iter().enumerate() {
            self.put(if index == 0 { " : " } else { ", " });
            match function.values.get(value.0 as usize) {
                Some(def) => self.ty(&def.ty)?,
                None => return Err(no_value(value)),
            }
        }
        if let Some(loc) = op.loc.as_ref().filter(|loc| running != Some(loc)) {
            self.loc(loc)?;
        }
        for region in &op.regions {
            self.put(" {\n");
            self.region(function, region, depth + 1)?;
            if region.blocks.is_empty() {
                self.put("\n");
            }
            self.indent(depth + 1);
            self.put("}");
        }
        self.put("\n");
        Ok(())
    }

    fn successor(&mut self, successor: &Successor, labels: &[SmolStr]) -> Printed {
        let Some(label) = labels.get(successor.block.0 as usize) else {
            return Err(fail(format!("a branch to block {}, which its region does not have", successor.block.0)));
        };
        self.put("^");
        self.put(label);
        if !successor.args.is_empty() {
            self.put("(");
            for (index, &value) in successor.args.iter().enumerate() {
                self.comma(index);
                self.value(value)?;
            }
            self.put(")");
        }
        Ok(())
    }

    fn syntax(&mut self, op: &SmolStr) -> Result<OpSyntax, PrintError> {
        if let Some(syntax) = self.ops.get(op) {
            return Ok(*syntax);
        }
        name(op, "operation's name")?;
        let syntax = self.table.op(op).unwrap_or_default();
        self.ops.insert(op.clone(), syntax);
        Ok(syntax)
    }

    #[inline]
    fn value(&mut self, value: ValueId) -> Printed {
        match self.values.get(value.0 as usize) {
            Some(name) if !name.is_empty() => {
                self.out.push('%');
                self.out.push_str(name);
                Ok(())
            }
            _ => Err(no_value(value)),
        }
    }

    #[inline]
    fn ty(&mut self, ty: &Type) -> Printed {
        match ty {
            Type::Bool => self.put("bool"),
            Type::Int { width: 64, signed: true } => self.put("i64"),
            Type::F64 => self.put("f64"),
            _ => {
                check_type(ty, 0)?;
                self.write(format_args!("{ty}"))?;
            }
        }
        Ok(())
    }

    #[inline]
    fn attr(&mut self, value: &Attr) -> Printed {
        match value {
            Attr::Str(text) => write_string(&mut self.out, text).map_err(infallible),
            _ => {
                check_attr(value, 1)?;
                self.write(format_args!("{value}"))
            }
        }
    }

    fn loc(&mut self, loc: &Loc) -> Printed {
        self.put(" loc(");
        write_string(&mut self.out, &loc.file).map_err(infallible)?;
        self.write(format_args!(":{}:{})", loc.line, loc.column))
    }

    #[inline]
    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.put(", ");
        }
    }

    fn indent(&mut self, levels: usize) {
        for _ in 0..levels {
            self.put("    ");
        }
    }
}

#[cold]
fn no_value(value: ValueId) -> PrintError {
    fail(format!("value {} is used, and nothing defines it", value.0))
}

/// Whether a text can be written as a name, of a module for example: letters, digits, `_` and `.`.
#[inline]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_word_char(c) || c == '.')
}

/// `text` when it can be written as a name.
#[inline]
fn name<'n>(text: &'n str, what: &str) -> Result<&'n str, PrintError> {
    if is_name(text) {
        Ok(text)
    } else {
        Err(fail(format!("the {what} {text:?} has no spelling: names hold letters, digits, `_` and `.`")))
    }
}

/// Refuses what the reader would refuse: words that are no names, and nesting deeper than it takes.
fn check_type(ty: &Type, depth: usize) -> Printed {
    if depth > MAX_DEPTH {
        return Err(fail(format!("types nest deeper than {MAX_DEPTH} levels")));
    }
    match ty {
        Type::Void | Type::Bool | Type::Int { .. } | Type::Index => Ok(()),
        Type::F16 | Type::F32 | Type::F64 | Type::Bf16 => Ok(()),
        Type::Ptr(pointer) => {
            name(&pointer.space, "address space")?;
            check_type(&pointer.pointee, depth + 1)
        }
        Type::Buffer(inner) | Type::Future(inner) | Type::Vector(inner, _) | Type::Array(inner, _) => {
            check_type(inner, depth + 1)
        }
        Type::Tuple(items) => items.iter().try_for_each(|item| check_type(item, depth + 1)),
        Type::Struct(structure) => {
            name(&structure.name, "struct's name")?;
            structure.fields.iter().try_for_each(|(field, ty)| {
                name(field, "field's name")?;
                check_type(ty, depth + 1)
            })
        }
        Type::Dialect(ty) => {
            name(&ty.dialect, "dialect's name")?;
            name(&ty.name, "type's name")?;
            ty.args.iter().try_for_each(|arg| match arg {
                TypeArg::Type(arg) => check_type(arg, depth + 1),
                TypeArg::Word(word) if !is_type_word(word) => {
                    Err(fail(format!("the type argument {word:?} has no spelling")))
                }
                TypeArg::Word(_) | TypeArg::Int(_) => Ok(()),
            })
        }
    }
}

fn check_attrs(attrs: &Attrs, depth: usize) -> Printed {
    attrs.0.iter().try_for_each(|(key, value)| {
        name(key, "attribute's name")?;
        check_attr(value, depth + 1)
    })
}

fn check_attr(attr: &Attr, depth: usize) -> Printed {
    if depth > MAX_DEPTH {
        return Err(fail(format!("attributes nest deeper than {MAX_DEPTH} levels")));
    }
    match attr {
        Attr::Symbol(symbol) => name(symbol, "symbol").map(drop),
        Attr::Type(ty) => check_type(ty, depth),
        Attr::List(items) => items.iter().try_for_each(|item| check_attr(item, depth + 1)),
        Attr::Dict(attrs) => check_attrs(attrs, depth),
        Attr::Bool(_) | Attr::Int(_) | Attr::Float(_) | Attr::Str(_) => Ok(()),
    }
}
