//! What the cpu operations do when the interpreter runs them: nothing, but that a loop that waits lets others run.

use crate::interp::Rule;
use crate::interp::compile::{Compiled, Decode};
use crate::interp::error::Refusal;
use crate::ppyir::ast::Type;

/// The rules of the cpu dialect by operation.
pub const RULES: &[(&str, Rule)] = &[("cpu.prefetch", prefetch), ("cpu.pause", pause)];

fn prefetch(d: &Decode) -> Result<Compiled, Refusal> {
    d.arity(1, 0)?;
    match d.operand(0)?.ty {
        Type::Ptr(_) => Ok(Compiled::step(|_| Ok(()))),
        ty => Err(Refusal(format!("needs a pointer, not {ty}"))),
    }
}

fn pause(d: &Decode) -> Result<Compiled, Refusal> {
    d.arity(0, 0)?;
    Ok(Compiled::point(|_| Ok(())))
}
