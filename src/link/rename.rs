//! What changes in an item that moves into the program: new names for private symbols and every reference to them,
//! the numbers of a profile's counters, and what `infer-effects` wrote on calls, which goes: a declaration that it
//! believed may be answered by a definition that does more.
//!
//! A reference is a symbol anywhere in an attribute, or a string where `.ppyir` names a symbol by one.

use crate::{
    passes::infer_effects::CALL_EFFECTS,
    ppyir::ast::{Attr, Attrs, Item, Operation, Region},
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Old names of one module to new ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Renames {
    pub symbols: FxHashMap<SmolStr, SmolStr>,
    /// Names of native code (`ppy.symbol`), which `core.call_extern` calls by.
    pub native: FxHashMap<SmolStr, SmolStr>,
}

/// Attributes whose strings name symbols of the module, with the operation they are on; functions have none.
const BY_STRING: &[(Option<&str>, &str)] =
    &[(Some("core.call_intrinsic"), "symbol"), (None, "ppy.async.resume"), (None, "ppy.generator.resume")];

/// The operations that count for a profile.
pub(super) const COUNTING: &[&str] = &["prof.hit", "prof.hit_if"];

/// Renames an item and what it refers to; `counters` is added to the numbers of a profile's counters.
pub(super) fn item(item: &mut Item, renames: &Renames, counters: i128) {
    match item {
        Item::Global(global) => {
            replace(&renames.symbols, &mut global.symbol);
            global.value.iter_mut().for_each(|value| attr(value, renames));
        }
        Item::Function(function) => {
            replace(&renames.symbols, &mut function.symbol);
            function.params.iter_mut().for_each(|param| attrs(&mut param.attrs, renames));
            if let Some(list) = &mut function.attrs {
                attrs(list, renames);
                by_string(list, None, renames);
                if let Some(Attr::Str(name)) = get_mut(list, "ppy.symbol") {
                    replace(&renames.native, name);
                }
            }
            if let Some(body) = &mut function.body {
                region(body, renames, counters);
            }
        }
    }
}

/// Renames in every attribute of a list.
pub(super) fn attrs(list: &mut Attrs, renames: &Renames) {
    list.0.iter_mut().for_each(|(_, value)| attr(value, renames));
}

fn attr(value: &mut Attr, renames: &Renames) {
    match value {
        Attr::Symbol(name) => replace(&renames.symbols, name),
        Attr::List(items) => items.iter_mut().for_each(|item| attr(item, renames)),
        Attr::Dict(list) => attrs(list, renames),
        _ => {}
    }
}

/// The reader caps how deep regions nest.
fn region(body: &mut Region, renames: &Renames, counters: i128) {
    for op in body.blocks.iter_mut().flat_map(|block| &mut block.ops) {
        operation(op, renames, counters);
        op.regions.iter_mut().for_each(|inner| region(inner, renames, counters));
    }
}

fn operation(op: &mut Operation, renames: &Renames, counters: i128) {
    if op.name == "core.call" {
        op.attrs.remove(CALL_EFFECTS);
    }
    attrs(&mut op.attrs, renames);
    by_string(&mut op.attrs, Some(&op.name), renames);
    if op.name == "core.call_extern"
        && let Some(Attr::Str(name)) = get_mut(&mut op.attrs, "callee")
    {
        replace(&renames.native, name);
    }
    if COUNTING.contains(&op.name.as_str())
        && let Some(Attr::Int(number)) = get_mut(&mut op.attrs, "counter")
    {
        *number = number.saturating_add(counters);
    }
}

fn by_string(list: &mut Attrs, op: Option<&str>, renames: &Renames) {
    for (_, key) in BY_STRING.iter().filter(|(on, _)| *on == op) {
        if let Some(Attr::Str(name)) = get_mut(list, key) {
            replace(&renames.symbols, name);
        }
    }
}

fn get_mut<'l>(list: &'l mut Attrs, key: &str) -> Option<&'l mut Attr> {
    list.0.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn replace(names: &FxHashMap<SmolStr, SmolStr>, name: &mut SmolStr) {
    if let Some(new) = names.get(name) {
        *name = new.clone();
    }
}

/// The names that an operation or function refers to, with its attribute's key.
pub(super) fn refers_by_string(op: Option<&str>, key: &str) -> bool {
    BY_STRING.contains(&(op, key))
}
