//! Which counter of an instrumented module counts what: the module's attribute `ppy.profile.map`, a JSON text.
//!
//! ```json
//! {"counters":2,"functions":{"prog_f":{"blocks":{"entry":0},"cfg":"0123456789abcdef","edges":{"entry":1},
//!  "entry":"entry","qualname":"prog.f"}}}
//! ```
//!
//! A counter of `edges` counts how often the branch that ends the block was taken.

use super::{FunctionProfile, Profile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The attribute that holds a module's legend.
pub const ATTRIBUTE: &str = "ppy.profile.map";

/// Counters that a module may have: 128 MiB of them.
pub const MAX_COUNTERS: u64 = 1 << 24;

/// The legend of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Legend {
    pub counters: u64,
    /// By symbol.
    pub functions: BTreeMap<String, FunctionLegend>,
}

/// The counters of a function. Keys are sorted, as ppy writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionLegend {
    /// By the block's label.
    pub blocks: BTreeMap<String, u64>,
    /// The digest of the graph.
    pub cfg: String,
    /// By the label of the block that the branch ends.
    pub edges: BTreeMap<String, u64>,
    /// The label of the entry block, which runs once a call.
    pub entry: String,
    pub qualname: String,
}

impl Legend {
    /// The legend that a text spells; the error says why it is none.
    pub fn parse(text: &str) -> Result<Legend, String> {
        let legend: Legend = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if legend.counters > MAX_COUNTERS {
            return Err(format!("it has {} counters, and a module has at most {MAX_COUNTERS}", legend.counters));
        }
        let counted = legend.functions.values().flat_map(|f| f.blocks.values().chain(f.edges.values()));
        match counted.max() {
            Some(last) if *last >= legend.counters => {
                Err(format!("it names counter {last}, and has {} of them", legend.counters))
            }
            _ => Ok(legend),
        }
    }

    /// The text of the attribute.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What the counters say. A counter that is missing has counted nothing.
    pub fn profile(&self, counters: &[u64]) -> Profile {
        let count = |counter: &u64| usize::try_from(*counter).ok().and_then(|n| counters.get(n)).copied().unwrap_or(0);
        let mut functions = BTreeMap::new();
        for (symbol, legend) in &self.functions {
            let blocks: BTreeMap<String, u64> = legend.blocks.iter().map(|(b, n)| (b.clone(), count(n))).collect();
            let branches = legend.edges.iter().map(|(block, counter)| {
                let taken = count(counter);
                // A guard of the block may have failed before the branch, so this is an upper bound then.
                (block.clone(), (taken, blocks.get(block).copied().unwrap_or(0).saturating_sub(taken)))
            });
            let function = FunctionProfile {
                symbol: symbol.clone(),
                cfg: legend.cfg.clone(),
                calls: blocks.get(&legend.entry).copied().unwrap_or(0),
                branches: branches.collect(),
                blocks,
                ..Default::default()
            };
            // Of several functions of one Python name, the derivatives of one say, the others go by their symbols.
            let known = legend.qualname.is_empty() || functions.contains_key(&legend.qualname);
            functions.insert(if known { symbol } else { &legend.qualname }.clone(), function);
        }
        Profile { runs: 1, functions, ..Default::default() }
    }
}

/// The symbols of a module's counters and legend in compiled code. A C program can name them: dots become `_`.
pub fn symbols(module: &str) -> (String, String) {
    let module = module.replace('.', "_");
    (format!("__ppy_prof_counters_{module}"), format!("__ppy_prof_map_{module}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"counters":3,"functions":{"prog_f":{"blocks":{"entry":0,"then1":1},"cfg":"0123456789abcdef","edges":{"entry":2},"entry":"entry","qualname":"prog.f"}}}"#;

    #[test]
    fn functions_of_one_name_have_entries_of_their_own() {
        let legend = Legend::parse(TEXT).unwrap();
        let mut twice = legend.clone();
        twice.functions.insert("prog_g".into(), legend.functions["prog_f"].clone());
        let profile = twice.profile(&[3, 2, 2]);
        let symbols = ["prog.f", "prog_g"].map(|name| profile.functions[name].symbol.as_str());
        assert_eq!(symbols, ["prog_f", "prog_g"]);
        assert_eq!(profile.of("prog.f", "prog_g").map(|f| f.symbol.as_str()), Some("prog_g"));
        assert_eq!(profile.of("prog.f", "renamed").map(|f| f.symbol.as_str()), Some("prog_f"));
    }

    #[test]
    fn counters_become_counts() {
        let legend = Legend::parse(TEXT).unwrap();
        assert_eq!(legend.text(), TEXT);
        let profile = legend.profile(&[7, 4, 4]);
        let f = &profile.functions["prog.f"];
        assert_eq!((f.calls, f.blocks["then1"], f.branches["entry"]), (7, 4, (4, 3)));
        assert_eq!(legend.profile(&[]).functions["prog.f"].calls, 0);
    }

    #[test]
    fn broken_legends_are_refused() {
        for (broken, why) in [
            ("", "EOF"),
            ("{}", "missing field"),
            (&TEXT.replace(":3,", ":2,"), "names counter 2"),
            (&TEXT.replace(":3,", ":99999999999,"), "at most"),
        ] {
            let error = Legend::parse(broken).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
