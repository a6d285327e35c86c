//! Profiles: what a program did while its counters ran, and the `.ppyprof` file that keeps it.
//!
//! The file is ppy's: JSON of the kind `ppy.profile`, version 1, with functions by their qualified Python names. A
//! function's counts hold for one graph, named by its [`digest`]; counts of the same graph add up, those of another
//! replace what was there. **Reading is all or nothing**, and says what is wrong with a file that is no profile.
//!
//! | module | what |
//! |---|---|
//! | `digest` | what a graph is called |
//! | `legend` | which counter of a module counts what |
//! | `coverage` | which blocks most of the time goes to |
//! | `file` | `.ppyprof` |

pub mod coverage;
pub mod digest;
mod file;
pub mod legend;

pub use file::{ProfileError, VERSION};
pub use legend::Legend;

use std::collections::BTreeMap;

/// What functions did, over one or more runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The file that ran first.
    pub program: String,
    /// What recorded it.
    pub compiler: String,
    pub runs: u64,
    /// By qualified Python name, or symbol where there is none.
    pub functions: BTreeMap<String, FunctionProfile>,
}

/// What one function did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionProfile {
    pub symbol: String,
    /// The digest of the graph that was counted.
    pub cfg: String,
    pub calls: u64,
    /// How often each block ran, by label.
    pub blocks: BTreeMap<String, u64>,
    /// How often the branch of a block was taken and not taken.
    pub branches: BTreeMap<String, (u64, u64)>,
    /// How often each argument was of each Python type: ppy records it where it calls native code.
    pub arguments: BTreeMap<String, BTreeMap<String, u64>>,
    /// The generic function that it is an instance of; empty for none.
    pub generic: String,
}

/// How much a function is called, beside the others of its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warmth {
    Hot,
    Warm,
    /// Never called.
    Cold,
}

impl Warmth {
    pub fn as_str(self) -> &'static str {
        match self {
            Warmth::Hot => "hot",
            Warmth::Warm => "warm",
            Warmth::Cold => "cold",
        }
    }
}

impl Profile {
    /// A function called this often is hot: a twentieth of the calls of the most called one, and at least 2.
    pub fn hot_threshold(&self) -> u64 {
        (self.functions.values().map(|f| f.calls).max().unwrap_or(0) / 20).max(2)
    }

    /// What is known of a function: by its qualified Python name, which it may share, and by its symbol.
    pub fn of(&self, name: &str, symbol: &str) -> Option<&FunctionProfile> {
        let named = self.functions.get(name);
        named.filter(|function| function.symbol == symbol).or_else(|| self.functions.get(symbol)).or(named)
    }

    /// How much a function with so many calls is called.
    pub fn warmth(&self, calls: u64) -> Warmth {
        match calls {
            0 => Warmth::Cold,
            calls if calls >= self.hot_threshold() => Warmth::Hot,
            _ => Warmth::Warm,
        }
    }

    /// Adds what another profile says.
    pub fn merge(&mut self, other: Profile) {
        self.runs = self.runs.saturating_add(other.runs);
        if self.program.is_empty() {
            self.program = other.program;
        }
        if self.compiler.is_empty() {
            self.compiler = other.compiler;
        }
        for (name, function) in other.functions {
            match self.functions.get_mut(&name) {
                Some(known) => known.merge(function),
                None => drop(self.functions.insert(name, function)),
            }
        }
    }
}

impl FunctionProfile {
    /// Adds another's counts, where they are of the same graph; else they take the place of these.
    pub fn merge(&mut self, other: FunctionProfile) {
        if self.cfg != other.cfg {
            *self = other;
            return;
        }
        self.calls = self.calls.saturating_add(other.calls);
        if self.generic.is_empty() {
            self.generic = other.generic;
        }
        add(&mut self.blocks, other.blocks);
        for (block, (taken, not)) in other.branches {
            let known = self.branches.entry(block).or_default();
            *known = (known.0.saturating_add(taken), known.1.saturating_add(not));
        }
        for (argument, types) in other.arguments {
            add(self.arguments.entry(argument).or_default(), types);
        }
    }
}

fn add(counts: &mut BTreeMap<String, u64>, more: BTreeMap<String, u64>) {
    for (name, count) in more {
        let known = counts.entry(name).or_default();
        *known = known.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(cfg: &str, calls: u64) -> FunctionProfile {
        FunctionProfile {
            symbol: "f".into(),
            cfg: cfg.into(),
            calls,
            blocks: [("entry".to_owned(), calls)].into(),
            branches: [("entry".to_owned(), (calls, 0))].into(),
            ..Default::default()
        }
    }

    fn profile(functions: &[(&str, FunctionProfile)]) -> Profile {
        let functions = functions.iter().map(|(name, f)| ((*name).to_owned(), f.clone())).collect();
        Profile { runs: 1, functions, ..Default::default() }
    }

    #[test]
    fn the_same_graph_adds_and_another_replaces() {
        let mut all = profile(&[("m.f", function("a", 2)), ("m.g", function("a", 5))]);
        all.merge(profile(&[("m.f", function("a", 3)), ("m.g", function("b", 1)), ("m.h", function("c", u64::MAX))]));
        all.merge(profile(&[("m.h", function("c", 1))]));
        assert_eq!(all.runs, 3);
        assert_eq!(all.functions["m.f"], function("a", 5));
        assert_eq!(all.functions["m.g"], function("b", 1));
        assert_eq!(all.functions["m.h"].calls, u64::MAX, "counts do not wrap");
    }

    #[test]
    fn warmth_is_by_calls() {
        let one = profile(&[("m.f", function("a", 1))]);
        assert_eq!([0, 1, 2].map(|n| one.warmth(n)), [Warmth::Cold, Warmth::Warm, Warmth::Hot]);
        let many = profile(&[("m.f", function("a", 1000))]);
        assert_eq!([0, 49, 50].map(|n| many.warmth(n)), [Warmth::Cold, Warmth::Warm, Warmth::Hot]);
    }
}
