//! What a module does on random arguments, by the interpreter, and when two modules do the same.

use crate::dice::Dice;
use crate::generate::entries;
use crate::rows::{argument, comparable};
use ppy_mlir::interp::{ErrorKind, FALLBACK, Interpreter, Limits, Outcome};
use ppy_mlir::ppyir::ast::{Attr, Item, Module, Operation};
use ppy_mlir::semantics::value::{Data, Value};

/// For a program as it was made.
pub const AS_MADE: Limits = Limits { fuel: 200_000, memory: 1 << 22, depth: 300, deadline: None };

/// Passes may add operations: guards, counters.
pub const AFTER_PASSES: Limits = Limits { fuel: 2_000_000, ..AS_MADE };

/// One call.
#[derive(Clone, Debug)]
pub struct Row {
    pub function: String,
    pub arguments: Vec<Value>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// Bits of the results and of the memory passed in.
    Status { status: i32, results: Vec<u64>, memory: Vec<Vec<u64>>, may_improve: bool },
    /// The program is at fault, or the limits were too low: the row says nothing.
    Skipped,
}

/// Calls of every function that a caller can name.
pub fn rows(module: &Module, dice: &mut Dice) -> Vec<Row> {
    let mut rows = Vec::new();
    for function in entries(module) {
        for index in 0..4 {
            let arguments = function.params.iter().map(|param| argument(&param.ty, dice, index < 2)).collect();
            rows.push(Row { function: function.symbol.to_string(), arguments });
        }
    }
    rows
}

/// Runs a row. `Err` is a fault of the interpreter or of the module.
pub fn run(module: &Module, row: &Row, limits: Limits) -> Result<Ending, String> {
    let ended = Interpreter::new(module, limits).and_then(|mut machine| machine.call(&row.function, &row.arguments));
    match ended {
        Ok(outcome) => {
            let mut ended = ending(outcome.status, &outcome.results, &outcome.memory);
            if let Ending::Status { may_improve: improves, .. } = &mut ended {
                *improves = may_improve(module, &outcome);
            }
            Ok(ended)
        }
        Err(error) if matches!(error.kind, ErrorKind::Undefined | ErrorKind::Limit) => Ok(Ending::Skipped),
        Err(error) => Err(format!("{row:?}: {error}")),
    }
}

/// What a call answered, in comparable form.
pub fn ending(status: i32, results: &[Value], memory: &[Data]) -> Ending {
    Ending::Status {
        status,
        results: results.iter().flat_map(bits).collect(),
        memory: memory.iter().map(data).collect(),
        may_improve: false,
    }
}

fn bits(value: &Value) -> Vec<u64> {
    value.scalars().into_iter().map(comparable).collect()
}

fn data(data: &Data) -> Vec<u64> {
    data.leaves().unwrap_or_default().into_iter().map(comparable).collect()
}

/// Whether the call fell back at a `python` operation: a pass that finds its value unused may drop it, and the call
/// then goes on to what Python would answer (docs/fallback.md).
fn may_improve(module: &Module, outcome: &Outcome) -> bool {
    if outcome.status != FALLBACK {
        return false;
    }
    let Some(site) = outcome.failure.as_ref().and_then(|failure| failure.site.as_ref()) else { return false };
    let is_site = |op: &&Operation| op.name == site.op && op.span.0 == site.span.0;
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.symbol == site.function => function.body.as_ref(),
        _ => None,
    });
    let mut blocks = functions.flat_map(|body| &body.blocks).filter(|block| block.name == site.block);
    // In a module that no text was read for, operations of one name in one block look alike.
    blocks.any(|block| {
        let mut sites = block.ops.iter().filter(is_site);
        sites.any(|op| op.attrs.get("overflow") == Some(&Attr::Str("python".into())))
    })
}

/// What is wrong with `after` where `before` was right.
pub fn difference(row: &Row, before: &Ending, after: &Ending) -> Option<String> {
    let Ending::Status { may_improve, .. } = before else { return None };
    if *after == Ending::Skipped {
        return Some(format!("{row:?}\n  before: {before:?}\n  after: undefined, or out of fuel"));
    }
    if *may_improve {
        return None;
    }
    let same = match (before, after) {
        (
            Ending::Status { status: a, results: b, memory: c, .. },
            Ending::Status { status: x, results: y, memory: z, .. },
        ) => a == x && b == y && c == z,
        _ => false,
    };
    (!same).then(|| format!("{row:?}\n  before: {before:?}\n  after:  {after:?}"))
}
