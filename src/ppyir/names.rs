//! Names of values and blocks as printed: a name is kept unless an earlier one took it, the rest are numbered.

use super::ast::{Function, Region, ValueId};
use super::lexer::is_word_char;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};
use std::borrow::Cow;

/// The printed name of every value of `function`, by id. Parameters come first, then the text from top to bottom.
pub(super) fn value_names(function: &Function) -> Vec<SmolStr> {
    let mut names = Names {
        function,
        names: vec![SmolStr::default(); function.values.len()],
        taken: FxHashSet::with_capacity_and_hasher(function.values.len(), rustc_hash::FxBuildHasher),
        next: 0,
    };
    function.params.iter().filter_map(|param| param.value).for_each(|value| names.name(value));
    if let Some(body) = &function.body {
        names.region(body, 0);
    }
    names.names
}

struct Names<'f> {
    function: &'f Function,
    names: Vec<SmolStr>,
    taken: FxHashSet<SmolStr>,
    next: usize,
}

impl Names<'_> {
    fn region(&mut self, region: &Region, depth: usize) {
        if depth > super::types::MAX_DEPTH {
            return;
        }
        for block in &region.blocks {
            block.args.iter().for_each(|value| self.name(*value));
            for op in &block.ops {
                op.results.iter().for_each(|value| self.name(*value));
                op.regions.iter().for_each(|region| self.region(region, depth + 1));
            }
        }
    }

    fn name(&mut self, value: ValueId) {
        let index = value.0 as usize;
        let (Some(def), Some(name)) = (self.function.values.get(index), self.names.get(index)) else { return };
        if !name.is_empty() {
            return;
        }
        let hint = spelled(&def.name, false);
        let name = if !hint.is_empty() && self.taken.insert(hint.clone()) { hint } else { self.number() };
        self.names[index] = name;
    }

    /// The next number that no name took.
    fn number(&mut self) -> SmolStr {
        loop {
            let name = format_smolstr!("{}", self.next);
            self.next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The printed labels of a region's blocks.
pub(super) fn labels(region: &Region) -> Vec<SmolStr> {
    let mut taken = FxHashSet::default();
    let mut next = 0usize;
    let label = |name: &SmolStr| {
        let hint = spelled(name, true);
        if !hint.is_empty() && taken.insert(hint.clone()) {
            return hint;
        }
        loop {
            let label = format_smolstr!("{}{next}", if hint.is_empty() { "block" } else { &hint });
            next += 1;
            if taken.insert(label.clone()) {
                return label;
            }
        }
    };
    region.blocks.iter().map(|block| &block.name).map(label).collect()
}

/// A name with every character that no name may hold replaced by `_`.
fn spelled(name: &SmolStr, dots: bool) -> SmolStr {
    let fine = |c: char| is_word_char(c) || (dots && c == '.');
    let spelled: Cow<'_, str> = match name.chars().all(fine) {
        true => return name.clone(),
        false => name.chars().map(|c| if fine(c) { c } else { '_' }).collect(),
    };
    SmolStr::new(spelled)
}
