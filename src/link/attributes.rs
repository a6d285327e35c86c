//! What the program's header says: the dialects, and the modules' attributes made one.

use super::{
    Input,
    error::LinkError,
    rename::{self, Renames},
};
use crate::ppyir::ast::{Attr, Attrs};
use serde_json::{Map, Value as Json};
use smol_str::SmolStr;

/// How an attribute that several modules have becomes one.
#[derive(Clone, Copy)]
enum Merge {
    /// The members of all lists.
    Union,
    /// True where one is.
    Any,
    /// The legends of a profile: each module counts on where the one before it ended.
    Profile,
    /// They say the same, or contradict each other.
    Same,
}

const RULES: &[(&str, Merge)] =
    &[("ppy.libraries", Merge::Union), ("ppy.exceptions", Merge::Any), (PROFILE, Merge::Profile)];

const PROFILE: &str = "ppy.profile.map";

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
pub(super) fn merge(inputs: &[Input<'_>], renames: &[Renames], errors: &mut Vec<LinkError>) -> Attributes {
    let mut merged = Attrs::default();
    let mut counters = vec![0; inputs.len()];
    // Who had an attribute first.
    let mut owners: Vec<(SmolStr, usize)> = Vec::new();
    let mut next = 0;
    for (index, input) in inputs.iter().enumerate() {
        counters[index] = next;
        let Some(attrs) = &input.module.attrs else { continue };
        let mut attrs = attrs.clone();
        rename::attrs(&mut attrs, &renames[index]);
        for (key, value) in attrs.0 {
            let rule = RULES.iter().find(|(name, _)| key == *name).map_or(Merge::Same, |(_, rule)| *rule);
            let value = match rule {
                Merge::Profile => match legend(&value, next, &renames[index]) {
                    Some((value, count)) => {
                        next += count;
                        value
                    }
                    None => {
                        let message = format!("{PROFILE} is no legend of counters: instrument the module again");
                        errors.push(LinkError::at(input.whole(), message));
                        continue;
                    }
                },
                _ => value,
            };
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
        (Merge::Profile, Attr::Str(known), Attr::Str(more)) => match (parse(known), parse(more)) {
            (Some(mut all), Some(mut more)) => {
                let end = more.get("counters").cloned();
                if let (Some(Json::Object(all)), Some(Json::Object(functions))) =
                    (all.get_mut("functions"), more.get_mut("functions"))
                {
                    all.append(functions);
                }
                all.extend(end.map(|end| ("counters".to_owned(), end)));
                *known = Json::Object(all).to_string().into();
                true
            }
            _ => false,
        },
        (_, known, value) => known == value,
    }
}

fn parse(text: &str) -> Option<Map<String, Json>> {
    match serde_json::from_str(text) {
        Ok(Json::Object(map)) => Some(map),
        _ => None,
    }
}

/// A legend whose counters begin at `base`, and how many there are.
fn legend(value: &Attr, base: i128, renames: &Renames) -> Option<(Attr, i128)> {
    let Attr::Str(text) = value else { return None };
    let mut map = parse(text)?;
    let number = |json: &Json| json.as_number().and_then(|n| n.as_str().parse::<i128>().ok());
    let count = number(map.get("counters")?).filter(|count| (0..1 << 48).contains(count))?;
    let moved = |json: &Json| number(json).map(|n| Json::from((n + base) as i64));
    map.insert("counters".into(), Json::from((base + count) as i64));
    let Json::Object(functions) = map.get_mut("functions")? else { return None };
    let old = std::mem::take(functions);
    for (symbol, mut function) in old {
        for part in ["blocks", "edges"] {
            if let Some(Json::Object(places)) = function.get_mut(part) {
                places.values_mut().for_each(|place| *place = moved(place).unwrap_or(Json::Null));
            }
        }
        let symbol = renames.symbols.get(symbol.as_str()).map_or(symbol.clone(), |new| new.to_string());
        functions.insert(symbol, function);
    }
    Some((Attr::Str(Json::Object(map).to_string().into()), count))
}
