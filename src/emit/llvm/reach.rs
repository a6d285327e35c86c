//! What a function reaches, and a module with nothing else.

use super::symbol_of;
use crate::{
    mlir::{
        op::{Op, OpExt, operations},
        transform,
    },
    ppyir::ast::{Attr, Attrs, Function, Item, Module as Tree, Region},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Erases the functions of `module` that `symbol` does not reach. `tree` is the same module as a tree.
///
/// One function can then be compiled although others of its module need a dialect's lowering, or a runtime, first.
pub fn keep_reached(module: Op<'_, '_>, tree: &Tree, symbol: &str) {
    let kept = reached(tree, symbol);
    let functions: Vec<Op> =
        module.blocks(0).into_iter().flat_map(operations).filter(|op| op.is("ppy_core.func")).collect();
    for function in functions {
        if function.str_attribute("sym_name").is_some_and(|name| !kept.contains(name)) {
            transform::erase(function);
        }
    }
}

/// The names of the functions that a function reaches, itself and what globals name included.
fn reached<'t>(tree: &'t Tree, symbol: &'t str) -> FxHashSet<&'t str> {
    let mut functions: FxHashMap<&str, &Function> = FxHashMap::default();
    // A callee of `core.call_extern` is the linker's name.
    let mut linked: FxHashMap<&str, &str> = FxHashMap::default();
    let mut pending = vec![symbol];
    for item in &tree.items {
        match item {
            Item::Function(function) => {
                functions.insert(&function.symbol, function);
                linked.insert(symbol_of(function), &function.symbol);
            }
            Item::Global(global) => global.value.iter().for_each(|value| names(value, &mut pending)),
        }
    }
    let mut found = FxHashSet::default();
    while let Some(name) = pending.pop() {
        for name in [Some(name), linked.get(name).copied()].into_iter().flatten() {
            if let Some(function) = functions.get(name)
                && found.insert(name)
            {
                function.attrs.iter().for_each(|attrs| names_of(attrs, &mut pending));
                function.body.iter().for_each(|body| region(body, &mut pending));
            }
        }
    }
    found
}

/// Adds the names in a region. Nesting is capped by the reader.
fn region<'t>(body: &'t Region, found: &mut Vec<&'t str>) {
    for op in body.blocks.iter().flat_map(|block| &block.ops) {
        names_of(&op.attrs, found);
        op.regions.iter().for_each(|inner| region(inner, found));
    }
}

fn names_of<'t>(attrs: &'t Attrs, found: &mut Vec<&'t str>) {
    attrs.iter().for_each(|(_, attr)| names(attr, found));
}

fn names<'t>(attr: &'t Attr, found: &mut Vec<&'t str>) {
    match attr {
        Attr::Symbol(name) | Attr::Str(name) => found.push(name),
        Attr::List(items) => items.iter().for_each(|item| names(item, found)),
        Attr::Dict(attrs) => names_of(attrs, found),
        _ => {}
    }
}
