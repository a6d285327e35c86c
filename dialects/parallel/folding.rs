//! Whether the partial sums or products of an integer reduction may be folded, and in which mode.

use crate::dialects::core::{
    enums::{GuardKind, Overflow},
    ops::*,
};
use crate::mlir::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// How partial results become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// By an operation in which nothing overflows.
    Plain,
    /// By integer arithmetic in the mode of the body's.
    Mode(&'static str),
    /// Not at all: the result depends on where the range is split.
    Never,
}

/// How a body's results are folded, by the operations of these `names`.
///
/// Only what the accumulator goes through on its way to the result counts. Where `python` arithmetic falls back, the
/// fold does. `checked` arithmetic, and what the sanitizer of overflow made of another mode, means the failure at the
/// first partial result outside the type, which only the whole range in its order has; and nothing is known of a body
/// that computes elsewhere, or that looks at the accumulator.
pub fn folding(names: &[&str], body: Option<Op<'_, '_>>) -> Folding {
    body.and_then(|body| Way::of(body, names)?.folding(body)).unwrap_or(Folding::Never)
}

/// What an accumulator comes through.
#[derive(Default)]
struct Way<'c, 'a> {
    /// Its values, by their keys.
    values: FxHashSet<usize>,
    pending: Vec<Value<'c, 'a>>,
    /// The arithmetic, with the operand that is the accumulator.
    folds: FxHashMap<usize, usize>,
    modes: Vec<Overflow>,
    /// Arithmetic in another mode is `python` by its guards.
    guarded: bool,
}

impl<'c: 'a, 'a> Way<'c, 'a> {
    /// `None` where the accumulator is read by something else.
    fn of(body: Op<'c, 'a>, names: &[&str]) -> Option<Self> {
        let entry = body.blocks(0).first().copied()?;
        let accumulator = entry.argument(entry.argument_count().checked_sub(1)?).ok()?;
        let mut way = Way::default();
        way.becomes(accumulator.into());
        while let Some(value) = way.pending.pop() {
            for (reader, operand) in value.uses() {
                way.follow(reader, operand, names)?;
            }
        }
        Some(way)
    }

    fn becomes(&mut self, value: Value<'c, 'a>) {
        if self.values.insert(value.value_key()) {
            self.pending.push(value);
        }
    }

    fn follow(&mut self, reader: Op<'c, 'a>, operand: usize, names: &[&str]) -> Option<()> {
        match reader.op_name() {
            RetOp::NAME => {}
            BrOp::NAME => self.becomes(reader.successor_block(0).argument(operand).ok()?.into()),
            CondBrOp::NAME => {
                let (argument, first) = (operand.checked_sub(1)?, reader.segment(1).len());
                let (successor, argument) = if argument < first { (0, argument) } else { (1, argument - first) };
                self.becomes(reader.successor_block(successor).argument(argument).ok()?.into());
            }
            SelectOp::NAME if operand > 0 => self.becomes(reader.result_at(0)),
            StoreOp::NAME if operand == 0 => {
                // A slot that is only read and written.
                for (access, operand) in reader.value(1).defined_by(AllocaOp::NAME)?.result_at(0).uses() {
                    match access.op_name() {
                        LoadOp::NAME => self.becomes(access.result_at(0)),
                        StoreOp::NAME if operand == 1 => {}
                        _ => return None,
                    }
                }
            }
            _ if is_guarded(reader) => self.guarded = true,
            name if names.contains(&name) => {
                // What is subtracted, or added to itself, is no accumulator.
                let once = *self.folds.entry(reader.key()).or_insert(operand) == operand;
                (once && (operand == 0 || name != SubOp::NAME)).then_some(())?;
                self.modes.push(reader.int_attribute("overflow").and_then(Overflow::from_number)?);
                self.becomes(reader.result_at(0));
            }
            _ => return None,
        }
        Some(())
    }

    /// The mode of all arithmetic, where all that is returned is the accumulator.
    fn folding(self, body: Op<'c, 'a>) -> Option<Folding> {
        let ends =
            body.blocks(0).into_iter().filter_map(|block| block.terminator()).filter(|last| last.is(RetOp::NAME));
        ends.flat_map(|last| last.all_operands()).all(|value| self.values.contains(&value.value_key())).then_some(())?;
        let mode = |mode: &Overflow| match mode {
            Overflow::Checked => None,
            Overflow::Python => Some("python"),
            Overflow::Wrap | Overflow::Proven | Overflow::Native => Some("wrap"),
        };
        let first = mode(self.modes.first()?)?;
        self.modes.iter().all(|other| mode(other) == Some(first)).then_some(())?;
        Some(Folding::Mode(if self.guarded { "python" } else { first }))
    }
}

/// Whether an operation is there only for guards that say that `python` arithmetic does not overflow, as `if-convert`
/// writes them.
fn is_guarded(op: Op) -> bool {
    /// Operations from the accumulator to the guards.
    const MOST: usize = 16;
    let mut pending = vec![op];
    let (mut looked, mut guarded) = (0, false);
    while let Some(op) = pending.pop() {
        looked += 1;
        match op.op_name() {
            GuardOp::NAME => {
                if GuardOp(op).kind() != Some(GuardKind::Overflow) || op.str_attribute("label").is_some() {
                    return false;
                }
                guarded = true;
            }
            AddOp::NAME | SubOp::NAME | CastOp::NAME | CmpOp::NAME | AndOp::NAME | OrOp::NAME | XorOp::NAME
                if looked < MOST =>
            {
                pending.extend(op.result_at(0).uses().into_iter().map(|(reader, _)| reader));
            }
            _ => return false,
        }
    }
    guarded
}
