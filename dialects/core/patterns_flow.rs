//! Branches and guards. A guard goes only where its condition is known to hold; none is moved, merged or duplicated.

use super::constant::{bool_of, scalar_type};
use super::ops::*;
use super::patterns_bits::not_of;
use super::rewrite::{Rule, nameless, register, when};
use crate::mlir::{
    op::{may_be_reached, single_predecessor},
    prelude::*,
};
use crate::ppyir::location::name_of;

pub fn br(patterns: &mut Patterns) {
    register(patterns, BR);
}
pub fn cond_br(patterns: &mut Patterns) {
    register(patterns, COND_BR);
}
pub fn guard(patterns: &mut Patterns) {
    register(patterns, GUARD);
}

/// What `simplify-cfg` does too.
pub const BR: &[Rule] = &[merge_chain, skip_empty_block];
pub const COND_BR: &[Rule] = &[known_branch, one_target, branch_on_not, skip_empty_blocks];
const GUARD: &[Rule] = &[known_guard];

/// How many blocks up the chain of single predecessors a condition is looked for.
const MAX_CHAIN: usize = 16;
/// How many uses of a condition are looked at.
const MAX_USES: usize = 16;
/// How many conjunctions deep.
const MAX_DEPTH: u32 = 3;
/// How many empty blocks are skipped at once.
const MAX_SKIPPED: usize = 32;

type Args<'c, 'a> = crate::mlir::op::OperandList<'c, 'a>;

// ---------------------------------------------------------------- known conditions

/// The blocks that control passed on its way to `op`, from its own up the chain of single predecessors.
struct Path<'c, 'a> {
    op: Op<'c, 'a>,
    blocks: Vec<BlockRef<'c, 'a>>,
}

impl<'c, 'a> Path<'c, 'a> {
    fn to(op: Op<'c, 'a>) -> Option<Self> {
        let mut blocks = vec![block_of(op)?];
        while let Some(above) = blocks.last().and_then(|block| single_predecessor(*block)) {
            if blocks.len() == MAX_CHAIN || blocks.contains(&above) {
                break;
            }
            blocks.push(above);
        }
        Some(Self { op, blocks })
    }

    /// What a reader of a condition that was passed on the way says about it: a guard, that it holds; a branch, which
    /// way it went.
    fn says(&self, reader: Op<'c, 'a>, operand: usize) -> Option<bool> {
        if operand != 0 {
            return None;
        }
        let block = block_of(reader)?;
        let distance = self.blocks.iter().position(|passed| *passed == block)?;
        match reader.op_name() {
            GuardOp::NAME => (distance > 0 || reader != self.op && reader.is_before(self.op)).then_some(true),
            CondBrOp::NAME if distance > 0 => {
                let next = self.blocks[distance - 1];
                let (yes, no) = (reader.successor_block(0), reader.successor_block(1));
                (yes != no).then(|| yes == next)
            }
            _ => None,
        }
    }

    /// Whether the bool is known where `op` stands.
    fn knows(&self, value: Value<'c, 'a>, depth: u32) -> Option<bool> {
        if let Some(constant) = bool_of(value) {
            return Some(constant);
        }
        let depth = depth.checked_sub(1)?;
        for (reader, operand) in value.first_uses(MAX_USES) {
            let said = match reader.op_name() {
                // A conjunction that holds, or a disjunction that does not, says the same of its parts.
                AndOp::NAME => self.knows_whole(reader.result_value(), depth).filter(|known| *known),
                OrOp::NAME => self.knows_whole(reader.result_value(), depth).filter(|known| !*known),
                _ => self.says(reader, operand),
            };
            if said.is_some() {
                return said;
            }
        }
        self.knows_parts(value, depth)
    }

    /// The same, from what reads the value only.
    fn knows_whole(&self, value: Value<'c, 'a>, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        value.first_uses(MAX_USES).find_map(|(reader, operand)| match reader.op_name() {
            AndOp::NAME => self.knows_whole(reader.result_value(), depth).filter(|known| *known),
            _ => self.says(reader, operand),
        })
    }

    /// The same, from what the value is made of.
    fn knows_parts(&self, value: Value<'c, 'a>, depth: u32) -> Option<bool> {
        if let Some(negated) = not_of(value) {
            return self.knows(negated, depth).map(|known| !known);
        }
        let op = value.defining_op()?;
        let decisive = match op.op_name() {
            AndOp::NAME => false,
            OrOp::NAME => true,
            _ => return None,
        };
        match (self.knows(op.value(0), depth), self.knows(op.value(1), depth)) {
            (Some(known), _) | (_, Some(known)) if known == decisive => Some(decisive),
            (Some(_), Some(_)) => Some(!decisive),
            _ => None,
        }
    }
}

/// Whether the condition is known at `op` from constants, guards and branches that control passed.
fn known<'c, 'a>(op: Op<'c, 'a>, condition: Value<'c, 'a>) -> Option<bool> {
    if let Some(constant) = bool_of(condition) {
        return Some(constant);
    }
    Path::to(op)?.knows(condition, MAX_DEPTH)
}

fn block_of<'c, 'a>(op: Op<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    op.block()
}

// A guard whose condition is known to hold goes: it never fails. One that always fails stays.
fn known_guard<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(known(op, op.value(0))?)?;
    rewriter.erase(op);
    Some(())
}

// ---------------------------------------------------------------- branches

/// The target and arguments of a branch's edge.
fn edge<'c, 'a>(op: Op<'c, 'a>, index: usize) -> (BlockRef<'c, 'a>, Args<'c, 'a>) {
    let arguments = if op.is(CondBrOp::NAME) { op.segment(index + 1) } else { op.all_operands() };
    (op.successor_block(index), arguments)
}

/// Replaces a branch by a new one that keeps the notes of a profile, but for the weights of its two ways.
fn replace_branch<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>, new: Operation<'c>) -> Option<()> {
    let notes = op.discardables();
    let both = op.is(CondBrOp::NAME) && new.name().as_string_ref().as_str() == Ok(CondBrOp::NAME);
    let new = rewriter.insert_before(op, new);
    for (name, value) in notes {
        if both || name != "ppy.weights" {
            new.set(name, value);
        }
    }
    rewriter.erase(op);
    Some(())
}

// A branch whose condition is known, from a constant or on its way, is a jump.
fn known_branch<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (target, arguments) = edge(op, if known(op, op.value(0))? { 0 } else { 1 });
    replace_branch(op, rewriter, BrOp::build(op.context_ref(), &arguments, &target, op.loc()))
}

// A branch to one block both ways is a jump; arguments that differ are selected, where they are scalars.
fn one_target<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    const MAX_SELECTS: usize = 4;
    let ((target, yes), (other, no)) = (edge(op, 0), edge(op, 1));
    when(target == other)?;
    let differing = yes.iter().zip(&no).filter(|(a, b)| a != b);
    when(differing.clone().all(|(a, _)| scalar_type(a.r#type()).is_some()) && differing.count() <= MAX_SELECTS)?;
    let context = op.context_ref();
    let arguments: Args = yes
        .iter()
        .zip(&no)
        .map(|(a, b)| match a == b {
            true => *a,
            false => {
                let select = SelectOp::build(context, op.value(0), *a, *b, a.r#type(), nameless(op));
                rewriter.insert_before(op, select).result_value()
            }
        })
        .collect();
    replace_branch(op, rewriter, BrOp::build(context, &arguments, &target, op.loc()))
}

// A branch on not c is the branch on c with its ways exchanged. One with weights of a profile stays.
fn branch_on_not<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let condition = not_of(op.value(0))?;
    when(op.discardable("ppy.weights").is_none())?;
    let ((yes, yes_arguments), (no, no_arguments)) = (edge(op, 0), edge(op, 1));
    let new = CondBrOp::build(op.context_ref(), condition, &no_arguments, &yes_arguments, &no, &yes, op.loc());
    replace_branch(op, rewriter, new)
}

// A jump to a block that nothing else reaches continues in the block.
fn merge_chain<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (target, arguments) = edge(op, 0);
    let block = block_of(op)?;
    when(target != block && single_predecessor(target)? == block)?;
    // In a cycle that nothing reaches, operations would come to read themselves, which patterns have no end on.
    when(may_be_reached(block))?;
    // The block keeps its label, which its terminator's location carries.
    let (label, last) = (name_of(op.loc()), target.terminator()?);
    rewriter.modify(last, |last| {
        last.set_location(match label {
            Some(label) => Location::name(last.context_ref(), label, nameless(last)),
            None => nameless(last),
        });
    });
    rewriter.erase(op);
    rewriter.merge_block(target, block, &arguments);
    Some(())
}

/// Where a jump to an empty block ends up: past every block that only jumps on and whose arguments nothing else reads.
fn forwarded<'c, 'a>(target: BlockRef<'c, 'a>, arguments: Args<'c, 'a>) -> Option<(BlockRef<'c, 'a>, Args<'c, 'a>)> {
    let mut seen = vec![target];
    let (mut target, mut arguments) = (target, arguments);
    while let Some((next, passed)) = skip(target, &arguments) {
        // A cycle of empty blocks is a loop that does nothing for ever; it has no end to go to.
        when(!seen.contains(&next) && seen.len() < MAX_SKIPPED)?;
        seen.push(next);
        (target, arguments) = (next, passed);
    }
    (seen.len() > 1).then_some((target, arguments))
}

/// The next target, where `block` only jumps on.
fn skip<'c, 'a>(block: BlockRef<'c, 'a>, arguments: &Args<'c, 'a>) -> Option<(BlockRef<'c, 'a>, Args<'c, 'a>)> {
    let jump = block.first_operation().filter(|op| op.is(BrOp::NAME) && op.discardables().is_empty())?;
    when(jump.successor_block(0) != block)?;
    let read_elsewhere = |index| {
        let argument: Value = block.argument(index).map(Into::into).ok()?;
        Some(argument.first_uses(jump.operand_len() + 1).any(|(reader, _)| reader != jump))
    };
    when((0..block.argument_count()).all(|index| read_elsewhere(index) == Some(false)))?;
    let passed = jump.all_operands().into_iter().map(|operand| match operand.block_argument() {
        Some((owner, index)) if owner == block => arguments[index],
        _ => operand,
    });
    Some((jump.successor_block(0), passed.collect()))
}

// A jump to a block that only jumps on goes there at once.
fn skip_empty_block<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (target, arguments) = edge(op, 0);
    let (target, arguments) = forwarded(target, arguments)?;
    replace_branch(op, rewriter, BrOp::build(op.context_ref(), &arguments, &target, op.loc()))
}

// So does either way of a branch.
fn skip_empty_blocks<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (yes, no) = (edge(op, 0), edge(op, 1));
    let (new_yes, new_no) = (forwarded(yes.0, yes.1.clone()), forwarded(no.0, no.1.clone()));
    when(new_yes.is_some() || new_no.is_some())?;
    let ((yes, yes_arguments), (no, no_arguments)) = (new_yes.unwrap_or(yes), new_no.unwrap_or(no));
    let condition = op.value(0);
    let new = CondBrOp::build(op.context_ref(), condition, &yes_arguments, &no_arguments, &yes, &no, op.loc());
    replace_branch(op, rewriter, new)
}
