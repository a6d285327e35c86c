//! Which item answers which name: definitions, declarations, instances, and private names that are taken.

use super::{
    Input, Kind, attribute,
    error::LinkError,
    instance::{self, Comparison},
    is_private,
    rename::Renames,
    symbol, text,
};
use crate::ppyir::ast::{Attr, Function, Item, Module, Region};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

/// An item by its module's index and its own.
pub(super) type Id = (usize, usize);

/// What linking comes to.
#[derive(Default)]
pub(super) struct Plan {
    /// Declarations that were answered, and repeated instances.
    pub dropped: FxHashSet<Id>,
    /// By module.
    pub renames: Vec<Renames>,
    pub unresolved: Vec<LinkError>,
}

/// The items of one outer name.
#[derive(Default)]
struct Named {
    definition: Option<Id>,
    declarations: Vec<Id>,
}

struct Linker<'i, 't, 'e> {
    inputs: &'i [Input<'t>],
    errors: &'e mut Vec<LinkError>,
    plan: Plan,
    /// Names as a linker of native code sees them, and who has them.
    native: FxHashMap<SmolStr, Id>,
    comparison: Comparison<'i, 't>,
}

pub(super) fn plan(inputs: &[Input<'_>], errors: &mut Vec<LinkError>) -> Plan {
    let plan = Plan { renames: vec![Renames::default(); inputs.len()], ..Plan::default() };
    let comparison = Comparison::new(inputs);
    let mut linker = Linker { inputs, errors, plan, native: FxHashMap::default(), comparison };
    let names = linker.collect();
    linker.answer(&names);
    linker.exports();
    linker.privates(&names);
    linker.plan
}

/// The order in which names were met.
struct Names<'i> {
    order: Vec<&'i SmolStr>,
    by_name: FxHashMap<&'i SmolStr, Named>,
}

impl<'i> Linker<'i, '_, '_> {
    fn get(&self, (module, item): Id) -> &'i Item {
        &self.inputs[module].module.items[item]
    }

    fn place(&self, id: Id) -> String {
        self.inputs[id.0].place(self.get(id))
    }

    fn function(&self, id: Id) -> Option<&'i Function> {
        match self.get(id) {
            Item::Function(function) => Some(function),
            Item::Global(_) => None,
        }
    }

    /// The outer names, with one definition each.
    fn collect(&mut self) -> Names<'i> {
        let mut names = Names { order: Vec::new(), by_name: FxHashMap::default() };
        for (module, input) in self.inputs.iter().enumerate() {
            for (at, item) in input.module.items.iter().enumerate().filter(|(_, item)| !is_private(item)) {
                let name = symbol(item);
                let named = names.by_name.entry(name).or_insert_with(|| {
                    names.order.push(name);
                    Named::default()
                });
                let id = (module, at);
                match (Kind::of(item), named.definition) {
                    (Kind::Declaration, _) => named.declarations.push(id),
                    (_, None) => named.definition = Some(id),
                    (_, Some(first)) => self.second(first, id),
                }
            }
        }
        names
    }

    /// A second definition of a name: an instance that the first one is too, or an error.
    fn second(&mut self, first: Id, second: Id) {
        let name = symbol(self.get(second));
        let instance = |id: Id| self.function(id).filter(|f| f.body.is_some()).and_then(instance::of);
        match (instance(first), instance(second)) {
            (Some(a), Some(b)) if a == b => match self.comparison.differ(first, second) {
                None => _ = self.plan.dropped.insert(second),
                Some(difference) => {
                    let error = LinkError::at(
                        self.place(second),
                        format!("@{name}, the instance {a}, has another body than in another module: {difference}"),
                    );
                    let note = "the other body; build both modules from the same source of the generic function";
                    self.errors.push(error.note(self.place(first), note));
                }
            },
            _ => {
                let error = LinkError::at(
                    self.place(second),
                    format!(
                        "@{name} is defined twice: a program has one definition of a public name; rename one, make \
                         it private, or link its module once"
                    ),
                );
                self.errors.push(error.note(self.place(first), "it is defined here too"));
            }
        }
    }

    /// Lets definitions answer declarations; what has none stays declared, once.
    fn answer(&mut self, names: &Names<'i>) {
        for name in &names.order {
            let Named { definition, declarations } = &names.by_name[name];
            let Some(first) = definition.or(declarations.first().copied()) else { continue };
            for declaration in declarations.iter().filter(|id| **id != first) {
                self.agree(*declaration, first);
                self.plan.dropped.insert(*declaration);
            }
            let external = |id: &&Id| self.function(**id).is_some_and(is_external);
            if let (None, Some(id)) = (definition, declarations.iter().find(external)) {
                self.unresolved(*id);
            }
        }
    }

    fn unresolved(&mut self, id: Id) {
        let Some(function) = self.function(id) else { return };
        let name = &function.symbol;
        let module = text(function, "ppy.qualname").and_then(|full| full.rsplit_once('.')).map(|(module, _)| module);
        let whose = module.map_or("the module that defines it".to_owned(), |m| format!("the module @{m}"));
        let message = format!("@{name} is declared as a function of another module, and none defines it: link {whose}");
        let mut error = LinkError::at(self.place(id), message);
        let hidden = self.inputs.iter().find_map(|input| {
            let item = input.module.items.iter().find(|item| is_private(item) && symbol(item) == name)?;
            Some(input.place(item))
        });
        if let Some(place) = hidden {
            error = error.note(place, format!("this @{name} is private: it answers its own module only"));
        }
        self.plan.unresolved.push(error);
    }

    /// A declaration is as the definition, or as another declaration.
    fn agree(&mut self, declaration: Id, other: Id) {
        let Some(declared) = self.function(declaration) else { return };
        let name = &declared.symbol;
        // Finding a line reads the file, and nearly every pair agrees.
        let inputs = self.inputs;
        let place = |(module, item): Id| inputs[module].place(&inputs[module].module.items[item]);
        let (here, there) = (|| place(declaration), || place(other));
        let Some(found) = self.function(other) else {
            let error = LinkError::at(here(), format!("@{name} is declared as a function and is a global"));
            let error = error.note(there(), "the global; rename one");
            return self.errors.push(error);
        };
        let how = if found.body.is_some() { "defined" } else { "declared" };
        let contradiction = |said: String, is: String| {
            LinkError::at(here(), format!("@{name} is declared {said}: declare it as it is {how}"))
                .note(there(), format!("it is {how} {is}"))
        };
        if signature(declared) != signature(found) {
            let error = contradiction(format!("as {}", signature(declared)), format!("as {}", signature(found)));
            return self.errors.push(error);
        }
        for key in ["ppy.abi", "ppy.symbol"] {
            let (a, b) = (attribute(declared, key), attribute(found, key));
            if let (Some(a), Some(b)) = (a, b)
                && a != b
            {
                let error = contradiction(format!("with {key} = {a}"), format!("with {key} = {b}"));
                self.errors.push(error);
            }
        }
        // Its callers may have been compiled by what the declaration states.
        if let (Some(a), Some(b)) = (effects(declared), effects(found))
            && !b.iter().all(|effect| a.contains(effect))
        {
            let with = |list: &[&str]| {
                format!("with the effects {}", if list.is_empty() { "none".into() } else { list.join(", ") })
            };
            self.errors.push(contradiction(with(&a), with(&b)));
        }
    }

    /// Public names of native code are one function's each.
    fn exports(&mut self) {
        for (module, input) in self.inputs.iter().enumerate() {
            for (at, item) in input.module.items.iter().enumerate() {
                let id = (module, at);
                if is_private(item) || Kind::of(item) == Kind::Declaration || self.plan.dropped.contains(&id) {
                    continue;
                }
                let name = symbol(item);
                let names = [
                    (native(item).clone(), "ppy.symbol"),
                    (self.function(id).and_then(|f| text(f, "ppy.export")).cloned().unwrap_or_default(), "ppy.export"),
                ];
                for (linked, key) in names.into_iter().filter(|(linked, _)| !linked.is_empty()) {
                    let Some(other) = self.native.insert(linked.clone(), id).filter(|other| *other != id) else {
                        continue;
                    };
                    // Two definitions of one name have been reported.
                    if symbol(self.get(other)) != name {
                        let message = format!(
                            "@{name} and @{} have one name in native code, \"{linked}\": change {key} of one",
                            symbol(self.get(other))
                        );
                        let error = LinkError::at(self.place(id), message);
                        self.errors.push(error.note(self.place(other), "the other one"));
                    }
                }
            }
        }
    }

    /// Drops an item for another one that says the same: what refers to it refers to that.
    fn stand_for(&mut self, kept: Id, dropped: Id) {
        self.plan.dropped.insert(dropped);
        let (from, to) = (self.get(dropped), self.get(kept));
        let theirs = &self.plan.renames[kept.0];
        let name = theirs.symbols.get(symbol(to)).unwrap_or(symbol(to)).clone();
        let linked = theirs.native.get(native(to)).unwrap_or(native(to)).clone();
        let ours = &mut self.plan.renames[dropped.0];
        for (renames, old, new) in [(&mut ours.symbols, symbol(from), name), (&mut ours.native, native(from), linked)] {
            if *old != new {
                renames.insert(old.clone(), new);
            }
        }
    }

    /// Private items that are the same instance of a generic function are one. Those whose name, in the module or in
    /// native code, is taken get a new one.
    fn privates(&mut self, names: &Names<'i>) {
        let all = || self.inputs.iter().flat_map(|input| &input.module.items);
        // No new name is one that stands somewhere.
        let mut taken: FxHashSet<SmolStr> =
            all().flat_map(|item| [symbol(item).clone(), native(item).clone()]).collect();
        let mut used: FxHashSet<SmolStr> = names.order.iter().map(|name| (*name).clone()).collect();
        let mut linked: FxHashSet<SmolStr> = self.native.keys().cloned().collect();
        for input in self.inputs {
            called(&input.module, &mut linked);
        }
        // The first of each private instance.
        let mut instances: FxHashMap<String, Vec<Id>> = FxHashMap::default();
        for (module, input) in self.inputs.iter().enumerate() {
            let mut fresh = |name: &SmolStr| {
                let wanted = format_smolstr!("{}__{name}", input.module.name.replace('.', "_"));
                let numbered = (2..).map(|number| format_smolstr!("{wanted}_{number}"));
                let free = std::iter::once(wanted.clone()).chain(numbered).find(|name| !taken.contains(name));
                let free = free.unwrap_or(wanted.clone());
                taken.insert(free.clone());
                free
            };
            for (at, item) in input.module.items.iter().enumerate().filter(|(_, item)| is_private(item)) {
                let (name, own) = (symbol(item), native(item));
                let id = (module, at);
                if let Some(instance) = self.function(id).and_then(instance::of) {
                    let same = instances.entry(instance).or_default();
                    if let Some(first) = same.iter().copied().find(|first| self.comparison.differ(*first, id).is_none())
                    {
                        self.stand_for(first, id);
                        continue;
                    }
                    same.push(id);
                }
                let renames = &mut self.plan.renames[module];
                let mut new = name.clone();
                if used.contains(name) || own == name && linked.contains(own) {
                    new = fresh(name);
                    renames.symbols.insert(name.clone(), new.clone());
                }
                let now = match () {
                    () if own == name => new.clone(),
                    () if linked.contains(own) => fresh(own),
                    () => own.clone(),
                };
                if now != *own {
                    renames.native.insert(own.clone(), now.clone());
                }
                used.insert(new);
                linked.insert(now);
            }
        }
    }
}

/// Adds the names that a module calls in native code and does not have itself.
fn called(module: &Module, names: &mut FxHashSet<SmolStr>) {
    let own: FxHashSet<&SmolStr> = module.items.iter().filter(|item| is_private(item)).map(native).collect();
    let mut regions: Vec<&Region> = Vec::new();
    for item in &module.items {
        match item {
            Item::Function(Function { body: Some(body), .. }) => regions.push(body),
            Item::Function(_) => _ = names.insert(native(item).clone()),
            Item::Global(_) => {}
        }
    }
    while let Some(region) = regions.pop() {
        for op in region.blocks.iter().flat_map(|block| &block.ops) {
            regions.extend(&op.regions);
            if op.name == "core.call_extern"
                && let Some(Attr::Str(callee)) = op.attrs.get("callee")
                && !own.contains(callee)
                && !names.contains(callee)
            {
                names.insert(callee.clone());
            }
        }
    }
}

/// The name in native code.
fn native(item: &Item) -> &SmolStr {
    match item {
        Item::Function(function) => {
            text(function, "ppy.symbol").filter(|name| !name.is_empty()).unwrap_or(&function.symbol)
        }
        Item::Global(global) => &global.symbol,
    }
}

fn is_external(function: &Function) -> bool {
    matches!(attribute(function, "ppy.external"), Some(Attr::Bool(true)))
}

/// What a function states that it does; `None` where it states nothing.
fn effects(function: &Function) -> Option<Vec<&str>> {
    let Some(Attr::List(list)) = attribute(function, "effects") else { return None };
    let words = list.iter().filter_map(|effect| match effect {
        Attr::Str(word) if word != "pure" => Some(word.as_str()),
        _ => None,
    });
    Some(words.collect())
}

/// `(i64, f64) -> i64`
fn signature(function: &Function) -> String {
    let list = |types: Vec<String>| format!("({})", types.join(", "));
    let params = list(function.params.iter().map(|param| param.ty.to_string()).collect());
    let results = match &function.results[..] {
        [one] => one.to_string(),
        several => list(several.iter().map(|ty| ty.to_string()).collect()),
    };
    format!("{params} -> {results}")
}
