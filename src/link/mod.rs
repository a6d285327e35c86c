//! The linker: one module of a program's modules.
//!
//! It works on trees, not on MLIR modules. Linking asks for names and signatures only, and a tree has them without a
//! context: files are read side by side, each operation becomes MLIR once, after linking, and the interpreter takes the
//! result as it is. An attribute of a tree is one of eight kinds, so that [`rename`] finds every reference.
//!
//! Rules: a definition answers the declarations of its name; a generic instance that several modules made is kept once;
//! a private name that is taken gets its module's name before it; the dialects are those of all modules, the libraries
//! too. **Time is linear in the program, and the result depends on the modules and their order only.** Every error is
//! reported, with both of its places. Source: spec `ir.txt`, section Linking and the program.

mod attributes;
mod error;
mod instance;
mod rename;
mod symbols;

pub use error::{LinkError, LinkErrors};

use crate::ppyir::{
    LineIndex,
    ast::{Attr, Attrs, Function, Item, Module, Span},
    is_name,
};
use smol_str::SmolStr;

/// A module to link, and where it came from.
#[derive(Clone, Debug)]
pub struct Input<'t> {
    pub module: Module,
    /// The file's name, for errors.
    pub file: &'t str,
    /// What the module was read from, to find lines in; `None` where it is no `.ppyir` text.
    pub text: Option<&'t str>,
}

/// A linked program.
#[derive(Clone, Debug)]
pub struct Linked {
    pub module: Module,
    /// Functions that a module expects of another one, `ppy.external`, and that none defines.
    pub unresolved: Vec<LinkError>,
}

impl Linked {
    /// The module; an error where something is unresolved.
    pub fn complete(self) -> Result<Module, LinkErrors> {
        if self.unresolved.is_empty() { Ok(self.module) } else { Err(LinkErrors(self.unresolved)) }
    }
}

/// Links modules into one of that name, in their order. Their items move into it.
pub fn link(inputs: Vec<Input<'_>>, name: &str) -> Result<Linked, LinkErrors> {
    let mut errors = Vec::new();
    if inputs.is_empty() {
        errors.push(LinkError::new("there is no module to link: name at least one"));
    }
    if !is_name(name) {
        let message = format!("{name:?} is no name for the linked module: names hold letters, digits, `_` and `.`");
        errors.push(LinkError::new(message));
    }
    let plan = symbols::plan(&inputs, &mut errors);
    let attributes = attributes::merge(&inputs, &plan, &mut errors);
    if !errors.is_empty() {
        // Everything in one run.
        errors.extend(plan.unresolved);
        return Err(LinkErrors(errors));
    }
    let dialects = attributes::dialects(&inputs);
    let (mut items, mut functions, mut declarations) = (Vec::new(), Vec::new(), Vec::new());
    for (index, input) in inputs.into_iter().enumerate() {
        for (at, mut item) in input.module.items.into_iter().enumerate() {
            if plan.dropped.contains(&(index, at)) {
                continue;
            }
            rename::item(&mut item, &plan.renames[index], attributes.counters[index]);
            match Kind::of(&item) {
                Kind::Global => items.push(item),
                Kind::Function => functions.push(item),
                Kind::Declaration => declarations.push(item),
            }
        }
    }
    // The order of the frontend's own modules.
    items.append(&mut functions);
    items.append(&mut declarations);
    let module = Module { name: name.into(), dialects, attrs: attributes.merged, items };
    Ok(Linked { module, unresolved: plan.unresolved })
}

/// What an item is to the linker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Global,
    Function,
    Declaration,
}

impl Kind {
    fn of(item: &Item) -> Kind {
        match item {
            Item::Global(_) => Kind::Global,
            Item::Function(function) if function.body.is_some() => Kind::Function,
            Item::Function(_) => Kind::Declaration,
        }
    }
}

fn symbol(item: &Item) -> &SmolStr {
    match item {
        Item::Global(global) => &global.symbol,
        Item::Function(function) => &function.symbol,
    }
}

fn is_private(item: &Item) -> bool {
    match item {
        Item::Global(global) => global.private,
        // A declaration is an outer name, however it is written.
        Item::Function(function) => function.private && function.body.is_some(),
    }
}

fn span(item: &Item) -> Span {
    match item {
        Item::Global(global) => global.span,
        Item::Function(function) => function.span,
    }
}

/// The attribute of a function.
fn attribute<'f>(function: &'f Function, key: &str) -> Option<&'f Attr> {
    function.attrs.as_ref().and_then(|attrs: &Attrs| attrs.get(key))
}

fn text<'f>(function: &'f Function, key: &str) -> Option<&'f SmolStr> {
    match attribute(function, key)? {
        Attr::Str(text) => Some(text),
        _ => None,
    }
}

impl Input<'_> {
    /// `file:line`, or the file and the module where there are no lines.
    fn place(&self, item: &Item) -> String {
        match (self.text, span(item).offset()) {
            (Some(text), Some(offset)) => format!("{}:{}", self.file, LineIndex::new(text).position(offset).0),
            _ => self.whole(),
        }
    }

    /// The file and the module.
    fn whole(&self) -> String {
        format!("{} (module @{})", self.file, self.module.name)
    }
}
