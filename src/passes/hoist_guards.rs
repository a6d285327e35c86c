//! `hoist-guards`: what a loop computes or checks alike in every turn, it computes and checks once, ahead of the loop.
//!
//! A guard moves up only where it moves a failure and nothing else: docs/fallback.md, "A guard that fails earlier".
//! From the loop's header one follows the way that every entry takes first, through jumps and past the branch that
//! leaves the loop, up to the first operation that is observed. A guard on that way whose condition is the same in
//! every turn fails in the first turn or never, so it may fail ahead of the loop. Behind the branch that leaves, it is
//! reached only where the first turn does not leave: then the hoisted guard also holds where it does.

use super::{
    at::{At, nameless},
    dominators::Dominators,
    generated::{HoistGuardsAnalyses, HoistGuardsOptions, HoistGuardsStatistics},
};
use crate::{
    dialects::core::ops::{BrOp, CondBrOp, GuardOp, OrOp},
    mlir::{
        analysis::NaturalLoop,
        hooks::{Changed, PassFailure},
        op::operations,
        prelude::*,
        transform::{Seen, clone, seen},
    },
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Blocks followed from the header.
const MOST_BLOCKS: usize = 8;
/// Operations copied ahead of a loop to know whether its first turn leaves it.
const MOST_COPIED: usize = 8;

pub fn run(
    function: Op,
    _: &HoistGuardsOptions,
    analyses: &HoistGuardsAnalyses,
    statistics: &mut HoistGuardsStatistics,
) -> Result<Changed, PassFailure> {
    let dominators = Dominators::new(function, &analyses.dominance_info);
    let loops = analyses.loop_info.loops().into_iter().filter_map(|natural| Loop::of(natural, &dominators));
    // Inner loops first: what they hoist may go further.
    let mut loops: Vec<Loop> = loops.collect();
    loops.sort_by_key(|found| found.members.len());
    for found in loops {
        statistics.operations += found.hoist_operations(&dominators);
        statistics.guards += found.hoist_guards(&dominators);
    }
    Ok(Changed::from(statistics.guards + statistics.operations > 0))
}

/// A natural loop with one way in, which ends in a jump.
struct Loop<'c, 'a> {
    header: usize,
    /// Numbers of blocks.
    members: FxHashSet<usize>,
    entry: BlockRef<'c, 'a>,
    /// The jump of `entry` into the header.
    jump: BrOp<'c, 'a>,
}

impl<'c: 'a, 'a> Loop<'c, 'a> {
    fn of(natural: NaturalLoop<'c, 'a>, dominators: &Dominators<'c, 'a>) -> Option<Self> {
        let entry = natural.entry?;
        let jump = operations(entry).last().and_then(BrOp::cast)?;
        let members = natural.blocks.into_iter().filter_map(|block| dominators.number(block)).collect();
        Some(Loop { header: dominators.number(natural.header)?, members, entry, jump })
    }

    /// Whether the value is there before the loop.
    fn is_outside(&self, value: Value<'c, 'a>, dominators: &Dominators<'c, 'a>) -> bool {
        let block = match value.defining_op() {
            Some(op) => op.block(),
            None => value.argument_block(),
        };
        block.and_then(|block| dominators.number(block)).is_some_and(|number| !self.members.contains(&number))
    }

    /// Moves what has no effect and cannot fail ahead of the loop, where its operands are there.
    fn hoist_operations(&self, dominators: &Dominators<'c, 'a>) -> u64 {
        let mut hoisted = 0;
        // In reverse post-order operands come before their uses.
        for number in (0..dominators.blocks.len()).filter(|number| self.members.contains(number)) {
            for op in operations(dominators.blocks[number]).collect::<Vec<_>>() {
                let movable = seen(op) == Seen::Pure && op.region_len() == 0;
                if movable && op.all_operands().into_iter().all(|value| self.is_outside(value, dominators)) {
                    op.move_before(self.jump.0);
                    hoisted += 1;
                }
            }
        }
        hoisted
    }

    /// Moves guards ahead of the loop.
    fn hoist_guards(&self, dominators: &Dominators<'c, 'a>) -> u64 {
        let mut hoisted = 0;
        let mut way = FirstTurn {
            at: At::before(self.jump.0, self.entry),
            around: (self, dominators),
            values: FxHashMap::default(),
            leaves: Vec::new(),
        };
        let mut block = dominators.blocks[self.header];
        way.pass(self.jump.dest_operands(), block);
        // What may have failed before on the way: a guard with a label passes none of it, and nothing passes one.
        let (mut failed, mut labelled) = (false, false);
        let mut visited = FxHashSet::default();
        // The second time somewhere is another turn of a loop inside.
        while visited.len() < MOST_BLOCKS && visited.insert(block.to_raw().ptr) {
            for op in operations(block).collect::<Vec<_>>() {
                if let Some(guard) = GuardOp::cast(op) {
                    let has_label = guard.label().is_some();
                    let same = op.all_operands().into_iter().all(|value| self.is_outside(value, dominators));
                    if same && !labelled && !(has_label && failed) {
                        way.guard(guard);
                        hoisted += 1;
                        continue;
                    }
                    (failed, labelled) = (true, labelled || has_label);
                    continue;
                }
                match seen(op) {
                    Seen::Pure | Seen::Nothing => {}
                    Seen::Fails => failed = true,
                    Seen::Effect => return hoisted,
                    Seen::Terminator => break,
                }
            }
            let Some(next) = self.next(block, &mut way, dominators) else { return hoisted };
            block = next;
        }
        hoisted
    }

    /// The block that every entry goes to next, unless it leaves the loop.
    fn next(
        &self,
        block: BlockRef<'c, 'a>,
        way: &mut FirstTurn<'c, 'a, '_>,
        dominators: &Dominators<'c, 'a>,
    ) -> Option<BlockRef<'c, 'a>> {
        let last = operations(block).last()?;
        let stays = |block: BlockRef<'c, 'a>| {
            dominators.number(block).is_some_and(|number| number != self.header && self.members.contains(&number))
        };
        if let Some(jump) = BrOp::cast(last) {
            let next = last.successor_block(0);
            return stays(next).then(|| {
                way.pass(jump.dest_operands(), next);
                next
            });
        }
        let branch = CondBrOp::cast(last)?;
        let sides = [last.successor_block(0), last.successor_block(1)];
        let inside = |side: BlockRef<'c, 'a>| dominators.number(side).is_some_and(|n| self.members.contains(&n));
        let (next, passed, goes_on) = match (inside(sides[0]), inside(sides[1])) {
            (true, false) => (sides[0], branch.true_operands(), true),
            (false, true) => (sides[1], branch.false_operands(), false),
            _ => return None,
        };
        let condition = branch.condition()?;
        (stays(next) && way.goes_on(condition, goes_on)).then(|| {
            way.pass(passed, next);
            next
        })
    }
}

/// What is known ahead of a loop about its first turn.
struct FirstTurn<'c, 'a, 'l> {
    at: At<'c, 'a>,
    around: (&'l Loop<'c, 'a>, &'l Dominators<'c, 'a>),
    /// The values of the first turn that are there ahead of the loop, for those inside it.
    values: FxHashMap<usize, Value<'c, 'a>>,
    /// The conditions of the branches so far that leave the loop, and what they are where the first turn stays.
    leaves: Vec<(Value<'c, 'a>, bool)>,
}

impl<'c: 'a, 'a> FirstTurn<'c, 'a, '_> {
    /// A jump passes values to a block's arguments.
    fn pass(&mut self, passed: OperandList<'c, 'a>, block: BlockRef<'c, 'a>) {
        for (index, value) in passed.into_iter().enumerate() {
            if let (Ok(argument), Some(value)) = (block.argument(index), self.known(value)) {
                let argument: Value = argument.into();
                self.values.insert(argument.value_key(), value);
            }
        }
    }

    /// The value of the first turn, where it is there ahead of the loop.
    fn known(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let (found, dominators) = self.around;
        let known = self.values.get(&value.value_key()).copied();
        known.or_else(|| found.is_outside(value, dominators).then_some(value))
    }

    /// The first turn gets further where the condition is `expected`; false where that is not known ahead of the loop.
    fn goes_on(&mut self, condition: Value<'c, 'a>, expected: bool) -> bool {
        self.leaves.push((condition, expected));
        self.can_copy(condition, &mut 0)
    }

    /// Whether the value of the first turn can be computed ahead of the loop.
    fn can_copy(&self, value: Value<'c, 'a>, copied: &mut usize) -> bool {
        if self.known(value).is_some() {
            return true;
        }
        let Some(op) = value.defining_op() else { return false };
        // It also bounds the depth.
        *copied += 1;
        let may = *copied <= MOST_COPIED && seen(op) == Seen::Pure && op.region_len() == 0 && op.result_len() == 1;
        may && op.all_operands().into_iter().all(|operand| self.can_copy(operand, copied))
    }

    /// The value of the first turn, computed ahead of the loop.
    fn copy(&mut self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if let Some(known) = self.known(value) {
            return known;
        }
        let Some(op) = value.defining_op() else { return value };
        let operands: Vec<Value> = op.all_operands().into_iter().map(|operand| self.copy(operand)).collect();
        let new = self.at.insert_op(clone(op));
        new.set_location(nameless(op));
        for (index, operand) in operands.into_iter().enumerate() {
            new.set_operand_at(index, operand);
        }
        self.values.insert(value.value_key(), new.result_value());
        new.result_value()
    }

    /// Whether the first turn leaves the loop before where it was followed to; computed ahead of the loop.
    fn left(&mut self) -> Option<Value<'c, 'a>> {
        let mut left = None;
        for (condition, stays) in self.leaves.clone() {
            let condition = self.copy(condition);
            let leaves = if stays { self.at.not(condition) } else { condition };
            left = Some(match left {
                Some(before) => self.or(before, leaves),
                None => leaves,
            });
        }
        left
    }

    fn or(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.at.insert(OrOp::build(self.at.context, lhs, rhs, self.at.bool_type(), self.at.location))
    }

    /// Moves a guard ahead of the loop.
    fn guard(&mut self, guard: GuardOp<'c, 'a>) {
        if let Some(left) = self.left() {
            let holds = self.or(left, guard.condition());
            guard.0.set_operand_at(0, holds);
        }
        guard.0.move_before(self.at.anchor);
    }
}
