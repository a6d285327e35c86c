//! What the program's header says: the dialects, and the modules' attributes made one.

use super::{
    Input,
    error::LinkError,
    rename::{self, Renames},
    symbols::Plan,
};
use crate::{
    passes::lengths::LENGTHS_FIT,
    ppyir::ast::{Attr, Attrs},
    profile::legend::{ATTRIBUTE as PROFILE, Legend, MAX_COUNTERS},
};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

/// How an attribute that several modules have becomes one.
#[derive(Clone, Copy)]
enum Merge {
    /// The members of all lists.
    Union,
    /// True where one is.
    Any,
    /// They say the same, or contradict each other.
    Same,
}

const RULES: &[(&str, Merge)] = &[("ppy.libraries", Merge::Union), ("ppy.exceptions", Merge::Any)];

pub(super) struct Attributes {
    pub merged: Option<Attrs>,
    /// By module: what to add to the numbers of its profile's counters.
    pub counters: Vec<i128>,
}

/// Every dialect at the newest version, alphabetical where the modules' are.
pub(super) fn dialects(inputs: &[Input<'_>]) -> Vec<(SmolStr, u32)> {
    let mut all: Vec<(SmolStr, u32)> = Vec::new();
    for (name, version) in inputs.iter().flat_map(|input| &input.module.dialects) {
        match all.iter_mut().find(|(known, _)| known == name) {
            Some((_, newest)) => *newest = (*newest).max(*version),
            None => {
                let at = all.iter().position(|(other, _)| other > name).unwrap_or(all.len());
                all.insert(at, (name.clone(), *version));
            }
        }
    }
    all
}

/// The attributes of all modules, private names renamed.
pub(super) fn merge(inputs: &[Input<'_>], plan: &Plan, errors: &mut Vec<LinkError>) -> Attributes {
    let mut merged = Attrs::default();
    let mut counters = vec![0; inputs.len()];
    // Who had an attribute first.
    let mut owners: Vec<(SmolStr, usize)> = Vec::new();
    let mut legend = Legend::default();
    for (index, input) in inputs.iter().enumerate() {
        counters[index] = legend.counters.into();
        let Some(attrs) = &input.module.attrs else { continue };
        let mut attrs = attrs.clone();
        rename::attrs(&mut attrs, &plan.renames[index]);
        for (key, value) in attrs.0 {
            if key == PROFILE {
                let dropped = plan.dropped.iter().filter(|(module, _)| *module == index);
                let dropped: FxHashSet<&str> =
                    dropped.map(|(_, at)| super::symbol(&input.module.items[*at]).as_str()).collect();
                if let Err(problem) = count_on(&mut legend, &value, &plan.renames[index], &dropped) {
                    let message = format!("{PROFILE} is no legend of counters, {problem}: instrument the module again");
                    errors.push(LinkError::at(input.whole(), message));
                }
                continue;
            }
            if key == LENGTHS_FIT {
                // Of all modules together, and found again by the next pass that asks.
                continue;
            }
            let rule = RULES.iter().find(|(name, _)| key == *name).map_or(Merge::Same, |(_, rule)| *rule);
            let Some(known) = merged.0.iter_mut().find(|(name, _)| *name == key).map(|(_, value)| value) else {
                owners.push((key.clone(), index));
                merged.insert(key, value);
                continue;
            };
            if !join(rule, known, &value) {
                let first = owners.iter().find(|(name, _)| *name == key).map_or(index, |(_, owner)| *owner);
                let message = format!("the module has {key} = {value}: build all modules of a program alike");
                let note = format!("this one has {key} = {known}");
                errors.push(LinkError::at(input.whole(), message).note(inputs[first].whole(), note));
            }
        }
    }
    if legend != Legend::default() {
        merged.insert(PROFILE.into(), Attr::Str(legend.text().into()));
    }
    Attributes { merged: (!merged.is_empty()).then_some(merged), counters }
}

/// Adds what another module says; false where it contradicts.
fn join(rule: Merge, known: &mut Attr, value: &Attr) -> bool {
    match (rule, known, value) {
        (Merge::Union, Attr::List(known), Attr::List(more)) => {
            for item in more {
                if !known.contains(item) {
                    known.push(item.clone());
                }
            }
            true
        }
        (Merge::Any, Attr::Bool(known), Attr::Bool(value)) => {
            *known |= *value;
            true
        }
        (_, known, value) => known == value,
    }
}

/// Adds a module's legend to the program's: the module counts on where the one before it ended.
/// For a function that was dropped another module's copy stands.
fn count_on(legend: &mut Legend, value: &Attr, renames: &Renames, dropped: &FxHashSet<&str>) -> Result<(), String> {
    let Attr::Str(text) = value else { return Err("but no text".into()) };
    let more = Legend::parse(text)?;
    let base = legend.counters;
    legend.counters += more.counters;
    if legend.counters > MAX_COUNTERS {
        return Err(format!("with the others', it has more than {MAX_COUNTERS} counters"));
    }
    for (symbol, mut function) in more.functions.into_iter().filter(|(symbol, _)| !dropped.contains(symbol.as_str())) {
        function.blocks.values_mut().chain(function.edges.values_mut()).for_each(|counter| *counter += base);
        let symbol = renames.symbols.get(symbol.as_str()).map_or(symbol.clone(), |new| new.to_string());
        legend.functions.insert(symbol, function);
    }
    Ok(())
}
