//! `eliminate-guards`: guards and branches whose condition is known go, arithmetic that cannot overflow is `proven`,
//! floor division of what is not negative is the machine's.
//!
//! One walk of the dominator tree, with the facts that the guards and branches on the way say.

use super::{
    at::At,
    dominators::Dominators,
    facts::{Facts, Interval, Mark, View},
    generated::{EliminateGuardsAnalyses, EliminateGuardsOptions},
};
use crate::dialects::core::{
    constant::int_type,
    enums::{Overflow as Mode, Predicate, Rounding as Towards},
    fold::{mode, rounding},
    ops::*,
    rewrite::constant_bool,
};
use crate::mlir::{
    hooks::PassFailure,
    op::operations,
    prelude::*,
    transform::{Seen, clone, erase, seen},
};
use crate::semantics::int::{Overflow, Rounding};
use melior::ir::r#type::IntegerType;

pub fn run(function: Op, _: &EliminateGuardsOptions, analyses: &EliminateGuardsAnalyses) -> Result<(), PassFailure> {
    let dominators = Dominators::new(function, &analyses.dominance_info);
    let mut facts = Facts::new(function, &dominators);
    let mut stack: Vec<(usize, usize, Option<Mark>)> =
        if dominators.blocks.is_empty() { vec![] } else { vec![(0, 0, None)] };
    while let Some((block, next, mark)) = stack.last_mut() {
        if mark.is_none() {
            *mark = Some(facts.mark());
            visit(*block, &dominators, &mut facts);
        }
        match dominators.children[*block].get(*next) {
            Some(child) => {
                *next += 1;
                let child = *child;
                stack.push((child, 0, None));
            }
            None => {
                if let Some(mark) = mark.take() {
                    facts.forget(mark);
                }
                stack.pop();
            }
        }
    }
    Ok(())
}

fn visit<'c: 'a, 'a>(number: usize, dominators: &Dominators<'c, 'a>, facts: &mut Facts<'c, 'a>) {
    let block = dominators.blocks[number];
    // The only edge from outside of the loop that the block heads, if it does, holds in the whole loop.
    let around = |from: &usize| *from == number || dominators.strictly_dominates(number, *from);
    let mut edges = dominators.predecessors[number].iter().filter(|from| !around(from));
    let entry = edges.next().filter(|_| edges.next().is_none());
    let above = entry.and_then(|above| dominators.blocks[*above].terminator());
    if let Some(branch) = above.filter(|op| op.is(CondBrOp::NAME)) {
        facts.assume(branch.value(0), branch.successor_block(0) == block);
    }
    let all: Vec<Op> = operations(block).collect();
    for op in all {
        match op.op_name() {
            GuardOp::NAME => guard(op, facts),
            CondBrOp::NAME | SelectOp::NAME => settle(op, facts),
            AddOp::NAME | SubOp::NAME | MulOp::NAME | NegOp::NAME => prove(op, facts),
            DivOp::NAME | ModOp::NAME => {
                prove(op, facts);
                truncate(op, facts);
            }
            _ => {}
        }
    }
}

/// A guard that holds goes; of one on several conditions, those that hold.
fn guard<'c: 'a, 'a>(op: Op<'c, 'a>, facts: &mut Facts<'c, 'a>) {
    const MAX_PARTS: usize = 8;
    for _ in 0..MAX_PARTS {
        if facts.decide(op.value(0)) == Some(true) {
            return erase(op);
        }
        let Some(both) = op.value(0).defined_by(AndOp::NAME) else { break };
        match (facts.decide(both.value(0)), facts.decide(both.value(1))) {
            (Some(true), _) => op.set_operand_at(0, both.value(1)),
            (_, Some(true)) => op.set_operand_at(0, both.value(0)),
            _ => break,
        }
    }
    narrow(op, facts);
    if op.value(0).constant().is_none() {
        facts.assume(op.value(0), true);
    }
}

/// Of a guarded index `x * k + b` into something short, one comparison of `x` without its sign decides that nothing
/// overflows and that it is not below 0: before the multiplication, which is `proven` then, and so is the addition.
fn narrow<'c: 'a, 'a>(guard: Op<'c, 'a>, facts: &Facts<'c, 'a>) -> Option<()> {
    let whole = guard.value(0);
    let parts = match whole.defined_by(AndOp::NAME) {
        Some(both) => vec![both.value(0), both.value(1)],
        None => vec![whole],
    };
    let not_below = |part: Value<'c, 'a>| {
        let cmp = CmpOp::cast(part.defining_op()?)?;
        (cmp.predicate() == Some(Predicate::Ge) && cmp.rhs().constant_int() == Some(0)).then(|| cmp.lhs())
    };
    let below = |part: Value<'c, 'a>, index: Value<'c, 'a>| {
        let cmp = CmpOp::cast(part.defining_op()?)?;
        let limit = (cmp.predicate() == Some(Predicate::Lt) && cmp.lhs() == index).then(|| cmp.rhs())?;
        facts.interval(limit, View::Machine).high
    };
    let (signed, index) = parts.iter().enumerate().find_map(|(at, part)| Some((at, not_below(*part)?)))?;
    let rest = parts.iter().copied().enumerate().find(|(at, _)| *at != signed).map(|(_, part)| part);
    let limit = below(rest?, index)?;

    let ty = int_type(index.r#type()).filter(|ty| ty.signed && ty.width == 64)?;
    let fails = |op: Op<'c, 'a>| matches!(mode(op), Overflow::Python | Overflow::Checked);
    let sum = index.defined_by(AddOp::NAME).filter(|op| fails(*op));
    let product = match sum {
        Some(sum) => sum.value(0),
        None => index,
    };
    let product = product.defined_by(MulOp::NAME).filter(|op| fails(*op))?;
    let factor = product.value(1).constant_int().map(i128::from).filter(|factor| *factor > 1)?;
    let added = sum.map_or(Interval::exactly(0), |sum| facts.interval(sum.value(1), View::Machine));
    // Every index below the limit has an `x` of at most this, and up to it nothing overflows; what is added does not
    // make up for a negative `x`.
    let most = (limit.max(1) - 1) / factor;
    let added_at_most = added.high.filter(|high| added.is_natural() && *high < factor)?;
    if most * factor + added_at_most > ty.max()
        || GuardOp::cast(guard)?.label().is_some()
        || !same_failure(product, guard)
    {
        return None;
    }

    let at = At::before(product, product.block()?);
    let unsigned = IntegerType::unsigned(at.context, 64).into();
    let x = at.insert(CastOp::build(at.context, product.value(0), unsigned, at.location));
    let most = at.integer(unsigned, i64::try_from(most).ok()?);
    let holds = at.insert(CmpOp::build(at.context, x, most, Predicate::Le, at.bool_type(), at.location));
    at.insert_op(clone(guard)).set_operand_at(0, holds);
    for op in [Some(product), sum].into_iter().flatten() {
        op.set("overflow", enum_attribute(at.context, Mode::Proven as i64));
    }
    guard.set_operand_at(0, rest?);
    Some(())
}

/// Whether a failure of a guard may happen before an operation above it in its block: nothing else is seen of what is
/// between, and what fails there fails alike.
fn same_failure(above: Op, guard: Op) -> bool {
    const MOST: usize = 32;
    let mut next = guard.previous();
    for _ in 0..MOST {
        let Some(op) = next else { return false };
        if op == above {
            return true;
        }
        let labelled = GuardOp::cast(op).is_some_and(|guard| guard.label().is_some());
        if labelled || !matches!(seen(op), Seen::Pure | Seen::Nothing | Seen::Fails) {
            return false;
        }
        next = op.previous();
    }
    false
}

/// A branch or selection by a known condition gets the constant, for `simplify-cfg` and `canonicalize` to see.
fn settle<'c: 'a, 'a>(op: Op<'c, 'a>, facts: &Facts<'c, 'a>) {
    let condition = op.value(0);
    if condition.constant().is_some() || condition.r#type() != condition_type(op) {
        return;
    }
    if let (Some(known), Some(block)) = (facts.decide(condition), op.block()) {
        let constant = block.insert_operation_before(op, constant_bool(op, known));
        op.set_operand_at(0, constant.result_value());
    }
}

fn condition_type<'c>(op: Op<'c, '_>) -> Type<'c> {
    melior::ir::r#type::IntegerType::new(op.context_ref(), 1).into()
}

/// Arithmetic that fails only where it cannot get becomes `proven`.
fn prove<'c: 'a, 'a>(op: Op<'c, 'a>, facts: &Facts<'c, 'a>) {
    let Some(ty) = int_type(op.result_type()) else { return };
    if !matches!(mode(op), Overflow::Python | Overflow::Checked) {
        return;
    }
    // Where a `python` operation behind an operand failed, a failure here adds nothing; `checked` fails by itself.
    let view = if mode(op) == Overflow::Checked { View::True } else { View::Machine };
    let operand = |index: usize| -> Interval { facts.interval(op.value(index), view) };
    let proven = match op.op_name() {
        AddOp::NAME => operand(0).add(operand(1)).fits(ty),
        SubOp::NAME => operand(0).add(operand(1).neg()).fits(ty),
        MulOp::NAME => operand(0).mul(operand(1)).fits(ty),
        NegOp::NAME => operand(0).neg().fits(ty),
        _ => {
            let divisor = operand(1);
            divisor.excludes(0) && (!ty.signed || divisor.excludes(-1) || operand(0).excludes(ty.min()))
        }
    };
    if proven {
        op.set("overflow", enum_attribute(op.context_ref(), Mode::Proven as i64));
    }
}

/// A floor division of what is not negative rounds towards 0 as the machine's does. By a constant power of two it is a
/// shift or a mask already.
fn truncate<'c: 'a, 'a>(op: Op<'c, 'a>, facts: &Facts<'c, 'a>) {
    let signed = int_type(op.result_type()).is_some_and(|ty| ty.signed);
    let shift = op.value(1).constant_int().is_some_and(|divisor| divisor.count_ones() == 1);
    if !signed || shift || rounding(op) != Some(Rounding::Floor) {
        return;
    }
    if (0..2).all(|index| facts.interval(op.value(index), View::Machine).is_natural()) {
        op.set("rounding", enum_attribute(op.context_ref(), Towards::Trunc as i64));
    }
}
