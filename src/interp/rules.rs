//! The table of rules: which function gives an operation its executable meaning.

use super::compile::{Compiled, Decode};
use super::error::Refusal;
use crate::registry::INTERPRETER_RULES;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Turns a decoded operation into something that runs. A rule checks what it relies on and refuses the rest, so that
/// an unverified module gives an error, never a wrong slot.
pub type Rule = fn(&Decode<'_, '_>) -> Result<Compiled, Refusal>;

/// The rule of an operation by its full name.
pub fn lookup(name: &str) -> Option<Rule> {
    static TABLE: OnceLock<HashMap<&'static str, Rule>> = OnceLock::new();
    let table = TABLE.get_or_init(|| INTERPRETER_RULES.iter().flat_map(|rules| rules.iter().copied()).collect());
    table.get(name).copied()
}
