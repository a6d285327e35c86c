//! What the prof operations do when the interpreter runs them.

use crate::dialects::core::interp::bool_operand;
use crate::interp::{
    Rule,
    compile::{Compiled, Decode},
    error::Refusal,
};
use crate::ppyir::ast::Attr;
use crate::profile::legend::MAX_COUNTERS;

/// The rules of the prof dialect by operation.
pub const RULES: &[(&str, Rule)] = &[("prof.hit", hit), ("prof.hit_if", hit_if)];

fn counter(d: &Decode) -> Result<usize, Refusal> {
    match d.attr("counter") {
        Some(Attr::Int(counter)) if (0..MAX_COUNTERS as i128).contains(counter) => Ok(*counter as usize),
        _ => Err(Refusal(format!("needs `counter`, from 0 to {}", MAX_COUNTERS - 1))),
    }
}

fn hit(d: &Decode) -> Result<Compiled, Refusal> {
    d.arity(0, 0)?;
    let counter = counter(d)?;
    Ok(Compiled::step(move |cx| cx.memory.count(counter, 1)))
}

fn hit_if(d: &Decode) -> Result<Compiled, Refusal> {
    d.arity(1, 0)?;
    let (counter, condition) = (counter(d)?, bool_operand(d, 0)?);
    Ok(Compiled::step(move |cx| {
        let holds = cx.get(condition);
        cx.memory.count(counter, holds)
    }))
}
