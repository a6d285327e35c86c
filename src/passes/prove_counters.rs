//! `prove-counters`: arithmetic that only counts cannot overflow in the time a run can last.
//!
//! A group is what a counter's value flows through: block arguments, additions and subtractions of a constant of at
//! most 16, and selects between such values. Where all that enters the group from outside are constants of at most
//! 2^61, its values stay below `2^61 + 16 * n` after n steps, and no run takes 2^58 steps (at eight a nanosecond more
//! than a year). docs/fallback.md, "Counting".

use super::generated::{ProveCountersOptions, ProveCountersStatistics};
use crate::{
    dialects::core::{
        enums::Overflow,
        ops::{AddOp, BrOp, CondBrOp, SelectOp, SubOp},
    },
    mlir::{
        attribute::enum_attribute,
        hooks::{Changed, PassFailure},
        op::{ScalarType, operations, scalar_type},
        prelude::*,
    },
};
use rustc_hash::FxHashMap;

/// The largest step of a counter.
const STEP: i64 = 16;
/// The largest constant a counter starts from.
const START: i64 = 1 << 61;

pub fn run(
    function: Op,
    _: &ProveCountersOptions,
    statistics: &mut ProveCountersStatistics,
) -> Result<Changed, PassFailure> {
    let mut groups = Groups::default();
    let blocks = function.blocks(0);
    // What a caller passes is any number.
    for argument in blocks.first().into_iter().flat_map(|entry| arguments(*entry)) {
        groups.spoil(argument);
    }
    let mut counting = Vec::new();
    for op in blocks.iter().flat_map(|block| operations(*block)) {
        if let Some(branch) = BrOp::cast(op) {
            groups.pass(branch.dest_operands(), arguments(op.successor_block(0)));
        } else if let Some(branch) = CondBrOp::cast(op) {
            groups.pass(branch.true_operands(), arguments(op.successor_block(0)));
            groups.pass(branch.false_operands(), arguments(op.successor_block(1)));
        } else if let Some(select) = SelectOp::cast(op).filter(|s| is_word(s.result())) {
            groups.flow(select.true_value(), select.result());
            groups.flow(select.false_value(), select.result());
        } else if let Some((value, mode)) = step(op) {
            groups.flow(value, op.result_value());
            if matches!(mode, Overflow::Python | Overflow::Checked) {
                counting.push(op);
            }
        }
    }
    for op in counting {
        if groups.is_bounded(op.result_value()) {
            op.set("overflow", enum_attribute(op.context_ref(), Overflow::Proven as i64));
            statistics.proven += 1;
        }
    }
    Ok(Changed::from(statistics.proven > 0))
}

/// The value that an operation moves by a small constant without wrapping, and its mode.
fn step<'c: 'a, 'a>(op: Op<'c, 'a>) -> Option<(Value<'c, 'a>, Overflow)> {
    let (lhs, rhs, mode) = match (AddOp::cast(op), SubOp::cast(op)) {
        (Some(add), _) => (add.lhs(), add.rhs(), add.overflow()?),
        (_, Some(sub)) => (sub.lhs(), sub.rhs(), sub.overflow()?),
        _ => return None,
    };
    let never_wraps = matches!(mode, Overflow::Python | Overflow::Checked | Overflow::Proven);
    (is_word(op.result_value()) && never_wraps && is_constant_within(rhs, STEP)).then_some((lhs, mode))
}

/// Whether a value is a signed integer of 64 bits.
fn is_word(value: Value) -> bool {
    scalar_type(value.r#type()) == Some(ScalarType::Int { width: 64, signed: true })
}

fn is_constant_within(value: Value, bound: i64) -> bool {
    value.constant_int().is_some_and(|constant| constant.unsigned_abs() <= bound.unsigned_abs())
}

fn arguments<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).map(Into::into).collect()
}

/// Values that flow into each other, as a union-find forest over their indices.
#[derive(Default)]
struct Groups {
    indices: FxHashMap<usize, usize>,
    parents: Vec<usize>,
    /// By root: something unbounded enters.
    spoilt: Vec<bool>,
}

impl Groups {
    fn index(&mut self, value: Value) -> usize {
        let next = self.parents.len();
        let index = *self.indices.entry(value.value_key()).or_insert(next);
        if index == next {
            self.parents.push(next);
            self.spoilt.push(false);
        }
        index
    }
    fn root(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }
    fn spoil(&mut self, value: Value) {
        let index = self.index(value);
        let root = self.root(index);
        self.spoilt[root] = true;
    }
    /// A branch passes values to a block's arguments.
    fn pass<'c: 'a, 'a>(&mut self, values: OperandList<'c, 'a>, arguments: Vec<Value<'c, 'a>>) {
        for (value, argument) in values.into_iter().zip(arguments).filter(|(_, argument)| is_word(*argument)) {
            self.flow(value, argument);
        }
    }
    /// `from` becomes `to`, or `to` but for a small step.
    fn flow<'c: 'a, 'a>(&mut self, from: Value<'c, 'a>, to: Value<'c, 'a>) {
        let to = self.index(to);
        let to = self.root(to);
        if is_constant_within(from, START) {
            return;
        }
        let member = from.is_block_argument()
            || from.defining_op().is_some_and(|op| step(op).is_some() || SelectOp::cast(op).is_some());
        if !member {
            self.spoilt[to] = true;
            return;
        }
        let from = self.index(from);
        let from = self.root(from);
        self.spoilt[to] |= self.spoilt[from];
        self.parents[from] = to;
    }
    fn is_bounded(&mut self, value: Value) -> bool {
        let index = self.index(value);
        let root = self.root(index);
        !self.spoilt[root]
    }
}
