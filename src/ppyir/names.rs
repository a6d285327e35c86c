//! Names of values and blocks as printed: a name is kept unless an earlier one took it, the rest are numbered.

use super::ast::{Function, Region, ValueDef, ValueId};
use super::lexer::is_word_char;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

/// The printed name of every value of `function`, by id. Parameters come first, then the text from top to bottom.
pub(super) fn value_names(function: &Function) -> Vec<SmolStr> {
    names(function, |value| spelled(&value.name, false))
}

/// Whether the values whose names are only numbers would print the same without these names.
pub(super) fn counts_up(function: &Function) -> bool {
    let words = |value: &ValueDef| if value.is_numbered() { SmolStr::default() } else { spelled(&value.name, false) };
    names(function, words).iter().eq(function.values.iter().map(|value| &value.name))
}

/// Names the values by hints; where one is empty or taken, by number.
fn names(function: &Function, hint: impl Fn(&ValueDef) -> SmolStr) -> Vec<SmolStr> {
    let count = function.values.len();
    let mut names = Names {
        function,
        hint,
        names: vec![SmolStr::default(); count],
        words: FxHashSet::default(),
        numbers: vec![false; count],
        next: 0,
    };
    function.params.iter().filter_map(|param| param.value).for_each(|value| names.name(value));
    if let Some(body) = &function.body {
        names.region(body, 0);
    }
    names.names
}

struct Names<'f, H> {
    function: &'f Function,
    hint: H,
    names: Vec<SmolStr>,
    /// The names that were taken, but for small numbers.
    words: FxHashSet<SmolStr>,
    /// Which of the numbers below the count of values were taken. More are not needed: no value takes two.
    numbers: Vec<bool>,
    next: usize,
}

impl<H: Fn(&ValueDef) -> SmolStr> Names<'_, H> {
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
        let hint = (self.hint)(def);
        self.names[index] = if !hint.is_empty() && self.take(&hint) { hint } else { self.number() };
    }

    /// Takes a name; false where it was taken.
    fn take(&mut self, name: &SmolStr) -> bool {
        match as_number(name).and_then(|number| self.numbers.get_mut(number)) {
            Some(taken) => !std::mem::replace(taken, true),
            None => self.words.insert(name.clone()),
        }
    }

    /// The next number that no name took.
    fn number(&mut self) -> SmolStr {
        loop {
            let number = self.next;
            self.next += 1;
            if !self.numbers.get_mut(number).is_some_and(|taken| std::mem::replace(taken, true)) {
                return decimal(number);
            }
        }
    }
}

/// The number that is printed as this name.
fn as_number(name: &str) -> Option<usize> {
    let digits = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    digits.then(|| name.parse().ok()).flatten()
}

/// A number's name; without the machinery of formatting, which is slower than all else that naming does.
fn decimal(number: usize) -> SmolStr {
    let mut digits = [b'0'; 20];
    let (mut at, mut rest) = (digits.len(), number);
    while at == digits.len() || rest > 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    SmolStr::new(std::str::from_utf8(&digits[at..]).unwrap_or_default())
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
    if name.chars().all(fine) {
        return name.clone();
    }
    name.chars().map(|c| if fine(c) { c } else { '_' }).collect()
}
