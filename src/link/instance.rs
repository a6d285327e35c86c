//! Instances of generic functions: two that several modules made are one when they say the same.
//!
//! Names of values and blocks, locations, and what passes found out from the rest of a module say nothing. A reference
//! to a private item is to what that item says, so that the string constants of two modules are alike under any names.

use super::{
    Input, is_private,
    rename::{COUNTING, refers_by_string},
    symbol,
    symbols::Id,
    text,
};
use crate::{
    dialects::prof::notes::WEIGHTS,
    passes::infer_effects::CALL_EFFECTS,
    ppyir::{
        ast::{Attr, Attrs, Function, Global, Item, Module, Operation, Region, ValueId},
        print_module,
    },
    registry::Syntax,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// What a function is an instance of: `prog.larger for ["int"]`.
pub(super) fn of(function: &Function) -> Option<String> {
    let generic = text(function, "ppy.generic")?;
    let arguments = super::attribute(function, "ppy.type_arguments");
    Some(arguments.map_or(generic.to_string(), |types| format!("{generic} for {types}")))
}

/// Compares items of different modules.
pub(super) struct Comparison<'i, 't> {
    inputs: &'i [Input<'t>],
    /// The private items of each module, filled when one is asked for.
    privates: Vec<Option<FxHashMap<&'i SmolStr, usize>>>,
}

impl<'i, 't> Comparison<'i, 't> {
    pub fn new(inputs: &'i [Input<'t>]) -> Self {
        Comparison { inputs, privates: vec![None; inputs.len()] }
    }

    /// How two items differ: the first lines of text that do; `None` when they say the same.
    pub fn differ(&mut self, a: Id, b: Id) -> Option<String> {
        // Items that are being compared, or have been, are taken to be alike: a difference ends it all.
        let mut seen = FxHashSet::default();
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            if seen.insert((a, b)) && !self.alike(a, b, &mut pending) {
                return Some(self.difference(a, b));
            }
        }
        None
    }

    fn item(&self, (module, item): Id) -> &'i Item {
        &self.inputs[module].module.items[item]
    }

    fn private(&mut self, module: usize, name: &SmolStr) -> Option<Id> {
        let input = &self.inputs[module];
        let items = self.privates[module].get_or_insert_with(|| {
            let items = input.module.items.iter().enumerate();
            items.filter(|(_, item)| is_private(item)).map(|(at, item)| (symbol(item), at)).collect()
        });
        items.get(name).map(|at| (module, *at))
    }

    fn alike(&mut self, a: Id, b: Id, pending: &mut Vec<(Id, Id)>) -> bool {
        let modules = (a.0, b.0);
        match (self.item(a), self.item(b)) {
            (Item::Global(a), Item::Global(b)) => {
                a.mutable == b.mutable
                    && a.ty == b.ty
                    && match (&a.value, &b.value) {
                        (Some(a), Some(b)) => self.attr(a, b, modules, pending),
                        (a, b) => a.is_none() && b.is_none(),
                    }
            }
            (Item::Function(a), Item::Function(b)) => self.functions(a, b, modules, pending),
            _ => false,
        }
    }

    fn functions(&mut self, a: &Function, b: &Function, at: (usize, usize), pending: &mut Vec<(Id, Id)>) -> bool {
        let empty = Attrs::default();
        let attrs = (a.attrs.as_ref().unwrap_or(&empty), b.attrs.as_ref().unwrap_or(&empty));
        if a.results != b.results || a.params.len() != b.params.len() || !self.attrs(attrs, None, at, pending) {
            return false;
        }
        let params = a.params.iter().zip(&b.params);
        let mut params = params.map(|(a, b)| a.ty == b.ty && self.attrs((&a.attrs, &b.attrs), None, at, pending));
        if !params.all(|alike| alike) {
            return false;
        }
        let mut values = Values { types: (a, b), to: FxHashMap::default(), used: FxHashSet::default() };
        match (&a.body, &b.body) {
            (Some(a), Some(b)) => self.regions(a, b, &mut values, at, pending),
            (a, b) => a.is_none() && b.is_none(),
        }
    }

    fn regions(
        &mut self,
        a: &Region,
        b: &Region,
        values: &mut Values<'_>,
        at: (usize, usize),
        pending: &mut Vec<(Id, Id)>,
    ) -> bool {
        a.blocks.len() == b.blocks.len()
            && a.blocks.iter().zip(&b.blocks).all(|(a, b)| {
                values.pair_all(&a.args, &b.args)
                    && a.ops.len() == b.ops.len()
                    && a.ops.iter().zip(&b.ops).all(|(a, b)| self.operations(a, b, values, at, pending))
            })
    }

    fn operations(
        &mut self,
        a: &Operation,
        b: &Operation,
        values: &mut Values<'_>,
        at: (usize, usize),
        pending: &mut Vec<(Id, Id)>,
    ) -> bool {
        let successors = |values: &mut Values<'_>| {
            a.successors.len() == b.successors.len()
                && a.successors
                    .iter()
                    .zip(&b.successors)
                    .all(|(a, b)| a.block == b.block && values.pair_all(&a.args, &b.args))
        };
        a.name == b.name
            && values.pair_all(&a.operands, &b.operands)
            && values.pair_all(&a.results, &b.results)
            && successors(values)
            && self.attrs((&a.attrs, &b.attrs), Some(&a.name), at, pending)
            && a.regions.len() == b.regions.len()
            && a.regions.iter().zip(&b.regions).all(|(a, b)| self.regions(a, b, values, at, pending))
    }

    fn attrs(
        &mut self,
        (a, b): (&Attrs, &Attrs),
        op: Option<&str>,
        at: (usize, usize),
        pending: &mut Vec<(Id, Id)>,
    ) -> bool {
        said(a, op).count() == said(b, op).count()
            && said(a, op).zip(said(b, op)).all(|((key, a), (other, b))| {
                key == other
                    && match (a, b) {
                        (Attr::Str(a), Attr::Str(b)) if refers_by_string(op, key) => self.names(a, b, at, pending),
                        _ => self.attr(a, b, at, pending),
                    }
            })
    }

    fn attr(&mut self, a: &Attr, b: &Attr, at: (usize, usize), pending: &mut Vec<(Id, Id)>) -> bool {
        match (a, b) {
            (Attr::Symbol(a), Attr::Symbol(b)) => self.names(a, b, at, pending),
            (Attr::List(a), Attr::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.attr(a, b, at, pending))
            }
            (Attr::Dict(a), Attr::Dict(b)) => self.attrs((a, b), None, at, pending),
            (a, b) => a == b,
        }
    }

    /// Two references: to one public name, or to private items that are still to be compared.
    fn names(&mut self, a: &SmolStr, b: &SmolStr, at: (usize, usize), pending: &mut Vec<(Id, Id)>) -> bool {
        match (self.private(at.0, a), self.private(at.1, b)) {
            (Some(a), Some(b)) => {
                pending.push((a, b));
                true
            }
            (None, None) => a == b,
            _ => false,
        }
    }

    /// The first lines that differ, with what stands in each.
    fn difference(&self, a: Id, b: Id) -> String {
        let (first, second) = (plain_text(self.item(a)), plain_text(self.item(b)));
        let what = symbol(self.item(b));
        let mut lines = first.lines().map(Some).chain(std::iter::repeat(None));
        let mut others = second.lines().map(Some).chain(std::iter::repeat(None));
        for _ in 0..first.lines().count().max(second.lines().count()) {
            let (one, other) = (lines.next().flatten(), others.next().flatten());
            if one != other {
                let shown = |line: Option<&str>| line.map_or("nothing more".to_owned(), |l| format!("`{}`", l.trim()));
                return format!("@{what} has {} for {}", shown(other), shown(one));
            }
        }
        format!("@{what} refers to private items of its module that differ")
    }
}

/// The attributes, but for what passes wrote of what they knew of the rest of a module: effects, the numbers of
/// counters, and the counts of a profile.
fn said<'l>(list: &'l Attrs, op: Option<&str>) -> impl Iterator<Item = &'l (SmolStr, Attr)> {
    let counts = op.is_some_and(|op| COUNTING.contains(&op));
    list.0.iter().filter(move |(key, _)| !(is_found(key) || counts && key == "counter"))
}

/// Whether an attribute's value depends on the rest of a module, or on a profile.
fn is_found(key: &str) -> bool {
    matches!(key, "effects" | CALL_EFFECTS | WEIGHTS) || key.starts_with("ppy.profile.")
}

/// A value of one function for each value of the other.
struct Values<'f> {
    types: (&'f Function, &'f Function),
    to: FxHashMap<ValueId, ValueId>,
    used: FxHashSet<ValueId>,
}

impl Values<'_> {
    fn pair_all(&mut self, a: &[ValueId], b: &[ValueId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.pair(*a, *b))
    }

    fn pair(&mut self, a: ValueId, b: ValueId) -> bool {
        match self.to.get(&a) {
            Some(known) => *known == b,
            None => {
                self.to.insert(a, b);
                let ty = |function: &Function, id: ValueId| function.values.get(id.0 as usize).map(|v| v.ty.clone());
                self.used.insert(b) && ty(self.types.0, a) == ty(self.types.1, b)
            }
        }
    }
}

/// An item's text without what says nothing.
fn plain_text(item: &Item) -> String {
    let item = match item {
        Item::Global(global) => Item::Global(Global { loc: None, ..global.clone() }),
        Item::Function(function) => {
            let mut function = Function { loc: None, ..function.clone() };
            function.values.iter_mut().for_each(|value| value.name = SmolStr::default());
            function.attrs.iter_mut().for_each(|attrs| attrs.0.retain(|(key, _)| !is_found(key)));
            function.body.iter_mut().for_each(plain_region);
            Item::Function(function)
        }
    };
    let text = print_module(&Module { items: vec![item], name: "m".into(), ..Module::default() }, &Syntax);
    text.unwrap_or_default()
}

fn plain_region(region: &mut Region) {
    for block in &mut region.blocks {
        block.name = SmolStr::default();
        for op in &mut block.ops {
            op.loc = None;
            op.attrs.0.retain(|(key, _)| !is_found(key));
            if COUNTING.contains(&op.name.as_str()) {
                op.attrs.remove("counter");
            }
            op.regions.iter_mut().for_each(plain_region);
        }
    }
}
