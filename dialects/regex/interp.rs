//! What the regex operations do when the interpreter runs them: [`backtrack`](super::backtrack).

use super::backtrack::{self, Found};
use super::program::{Mode, Program};
use super::syntax;
use crate::interp::Rule;
use crate::interp::compile::{Compiled, Decode};
use crate::interp::error::{Cause, Failed, Refusal, Stop};
use crate::interp::{FALLBACK, compile::Operand};
use crate::ppyir::ast::{Attr, Type};
use std::sync::Arc;

/// Steps of one match, which some patterns take exponentially many of.
const FUEL: u64 = 200_000_000;

const BYTE: Type = Type::Int { width: 8, signed: false };
const WORD: Type = Type::Int { width: 64, signed: true };

/// The rules of the regex dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("regex.search", |d| matcher(d, Mode::Search)),
    ("regex.match", |d| matcher(d, Mode::Match)),
    ("regex.fullmatch", |d| matcher(d, Mode::Fullmatch)),
];

fn is(operand: &Operand, ty: &Type) -> Result<usize, Refusal> {
    match operand.ty == ty {
        true => Ok(operand.slot),
        false => Err(Refusal(format!("takes {ty}, not {}", operand.ty))),
    }
}

fn matcher(d: &Decode, mode: Mode) -> Result<Compiled, Refusal> {
    let flags = match d.attr("flags") {
        None => 0,
        Some(Attr::Int(flags)) => i64::try_from(*flags).map_err(|_| Refusal(format!("has the flags {flags}")))?,
        Some(other) => return Err(Refusal(format!("has the flags {other}, which are no integer"))),
    };
    let pattern = syntax::parse(d.required("pattern")?, flags).map_err(|error| Refusal(error.to_string()))?;
    let program = Program::new(&pattern, mode);
    d.arity(3, 1 + 2 * program.groups)?;
    let buffer = is(&d.operand(0)?, &Type::Buffer(Arc::new(BYTE)))?;
    let (pos, endpos) = (is(&d.operand(1)?, &WORD)?, is(&d.operand(2)?, &WORD)?);
    let found = is(&d.result(0)?, &Type::Bool)?;
    let spans = (1..=2 * program.groups).map(|i| is(&d.result(i)?, &WORD)).collect::<Result<Vec<_>, _>>()?;
    Ok(Compiled::step(move |cx| {
        let length = cx.get(buffer + 1);
        let text = match length {
            0 => &[],
            length => cx.memory.bytes(cx.get(buffer), length, 1)?,
        };
        let (pos, endpos) = (cx.get(pos) as i64, cx.get(endpos) as i64);
        let ends = match backtrack::run(&program, mode, text, pos, endpos, FUEL) {
            Found::Spans(ends) => Some(ends),
            Found::Nothing => None,
            // The guard of the stack.
            Found::Overflow => return Err(Stop::Status(Failed { status: FALLBACK, cause: Cause::Guard })),
            Found::Endless => return Err(Stop::limit(format!("a match takes over {FUEL} steps"))),
        };
        cx.set(found, u64::from(ends.is_some()));
        for (i, slot) in spans.iter().enumerate() {
            cx.set(*slot, ends.as_ref().and_then(|ends| ends.get(i)).copied().unwrap_or(-1) as u64);
        }
        Ok(())
    }))
}
