//! `if-convert`: in loops, both sides of a small branch are computed and the results selected.
//!
//! LLVM does this for arithmetic that cannot fail, and so turns an unpredictable branch into a conditional move.
//! Arithmetic that fails into the fallback stops it. Here the wrapped value and whether it fitted are computed on both
//! ways, and one guard fails where the way that is taken did not fit: the function fails exactly where it did
//! (docs/fallback.md, "Speculation"). Only branches with such arithmetic are converted, so the rest stays LLVM's
//! decision.

use super::{
    at::{At, nameless},
    generated::IfConvertOptions,
};
use crate::{
    dialects::core::{
        enums::{GuardKind, Overflow, Predicate},
        ops::{
            AddOp, AndOp, BrOp, CallIntrinsicOp, CastOp, CmpOp, CondBrOp, ConstOp, DivOp, GuardOp, ModOp, MulOp, OrOp,
            SelectOp, SubOp, XorOp,
        },
    },
    mlir::{
        attribute::{enum_attribute, integer_attribute},
        conversion::erase_unreachable_blocks,
        hooks::PassFailure,
        op::{ScalarType, operations, scalar_type, single_predecessor},
        prelude::*,
        transform::erase,
    },
};
use melior::ir::r#type::IntegerType;
use rustc_hash::{FxHashMap, FxHashSet};

/// Operations on both sides together.
const MOST: usize = 5;

pub fn run(function: Op, _: &IfConvertOptions) -> Result<(), PassFailure> {
    let blocks = function.blocks(0);
    let looping = in_loops(&blocks);
    let mut changed = false;
    // Inner branches first: they stand further down.
    for block in blocks.iter().rev().filter(|b| looping.contains(&key(**b))) {
        changed |= convert(*block);
    }
    if changed {
        erase_unreachable_blocks(function);
    }
    Ok(())
}

fn key(block: BlockRef) -> usize {
    block.to_raw().ptr as usize
}

/// One way of a branch: its operations, and what it passes to the block where the ways meet.
struct Side<'c, 'a> {
    ops: Vec<Op<'c, 'a>>,
    passed: OperandList<'c, 'a>,
    join: BlockRef<'c, 'a>,
}

/// The way through `target`: a block of its own of cheap operations that jumps on. `None` where it is not.
fn through<'c: 'a, 'a>(from: BlockRef<'c, 'a>, target: BlockRef<'c, 'a>) -> Option<Side<'c, 'a>> {
    let own = single_predecessor(target).is_some_and(|p| key(p) == key(from)) && target.argument_count() == 0;
    if !own {
        return None;
    }
    let mut ops: Vec<Op> = operations(target).take(MOST + 4).collect();
    let branch = BrOp::cast(ops.pop()?)?;
    let join = branch.0.successor_block(0);
    let cheap = ops.iter().all(|op| cost(*op).is_some());
    (cheap && key(join) != key(target)).then(|| Side { ops, passed: branch.dest_operands(), join })
}

fn is_word(value: Value) -> bool {
    scalar_type(value.r#type()) == Some(ScalarType::Int { width: 64, signed: true })
}

/// The intrinsic that computes an operation of 64 bits that may fail, if it is one.
fn checked(op: Op) -> Option<&'static str> {
    let (mode, name) = if let Some(add) = AddOp::cast(op) {
        (add.overflow(), "ppy.checked_add")
    } else if let Some(sub) = SubOp::cast(op) {
        (sub.overflow(), "ppy.checked_sub")
    } else {
        (MulOp::cast(op)?.overflow(), "ppy.checked_mul")
    };
    (is_word(op.result_value()) && matches!(mode, Some(Overflow::Python | Overflow::Checked))).then_some(name)
}

/// What an operation costs on the way that is not taken; `None` where it may not be computed there.
fn cost(op: Op) -> Option<usize> {
    if ConstOp::cast(op).is_some() {
        return Some(0);
    }
    if checked(op).is_some() {
        return Some(1);
    }
    let wraps = |mode: Option<Overflow>| matches!(mode, Some(Overflow::Wrap | Overflow::Proven));
    let arithmetic = AddOp::cast(op).map(|o| o.overflow()).or(SubOp::cast(op).map(|o| o.overflow()));
    if let Some(mode) = arithmetic.or(MulOp::cast(op).map(|o| o.overflow())) {
        return (is_word(op.result_value()) && wraps(mode)).then_some(1);
    }
    // By a power of two that is a shift or a mask, and never fails.
    if DivOp::cast(op).is_some() || ModOp::cast(op).is_some() {
        let shift = op.value(1).constant_int().is_some_and(|d| d >= 2 && d.count_ones() == 1);
        return (is_word(op.result_value()) && shift).then_some(1);
    }
    let plain = AndOp::cast(op).is_some() || OrOp::cast(op).is_some() || XorOp::cast(op).is_some();
    (plain || op.is("ppy_core.cmp") || SelectOp::cast(op).is_some()).then_some(1)
}

/// Converts the branch that ends `block`; answers whether it did.
fn convert<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> bool {
    let Some(branch) = operations(block).last().and_then(CondBrOp::cast) else { return false };
    let (Some(condition), op) = (branch.condition(), branch.0) else { return false };
    let (to_true, to_false) = (op.successor_block(0), op.successor_block(1));
    let straight = |join: BlockRef<'c, 'a>, passed| Side { ops: Vec::new(), passed, join };
    let sides = match (through(block, to_true), through(block, to_false)) {
        (Some(yes), Some(no)) if key(yes.join) == key(no.join) => (yes, no),
        (Some(yes), _) if key(yes.join) == key(to_false) => {
            let no = straight(to_false, branch.false_operands());
            (yes, no)
        }
        (_, Some(no)) if key(no.join) == key(to_true) => (straight(to_true, branch.true_operands()), no),
        _ => return false,
    };
    let all = || sides.0.ops.iter().chain(&sides.1.ops);
    let total: usize = all().filter_map(|op| cost(*op)).sum();
    let fails = all().any(|op| checked(*op).is_some());
    if !fails || total > MOST || key(sides.0.join) == key(block) {
        return false;
    }
    let at = At::before(op, block);
    let mut renamed: FxHashMap<usize, Value<'c, 'a>> = FxHashMap::default();
    let failed_true = sides.0.ops.iter().fold(None, |flag, op| at.speculate(*op, flag, &mut renamed));
    let failed_false = sides.1.ops.iter().fold(None, |flag, op| at.speculate(*op, flag, &mut renamed));
    // It fails where the way that is taken does.
    let on_true = failed_true.map(|flag| at.and(condition, flag));
    let on_false = failed_false.map(|flag| at.and(at.not(condition), flag));
    let failed = match (on_true, on_false) {
        (Some(a), Some(b)) => Some(at.insert(OrOp::build(at.context, a, b, at.bool_type(), at.location))),
        (a, b) => a.or(b),
    };
    if let Some(failed) = failed {
        let ok = at.not(failed);
        let message = Some("integer overflow");
        at.insert_op(GuardOp::build(at.context, ok, &[], GuardKind::Overflow, message, None, None, at.location));
    }
    let resolve = |value: Value<'c, 'a>| renamed.get(&value.value_key()).copied().unwrap_or(value);
    let merged: Vec<Value> = (sides.0.passed.iter().zip(&sides.1.passed))
        .map(|(yes, no)| (resolve(*yes), resolve(*no)))
        .map(|(yes, no)| if yes == no { yes } else { at.select(condition, yes, no) })
        .collect();
    at.insert_op(BrOp::build(at.context, &merged, &sides.0.join, op.loc()));
    erase(op);
    true
}

impl<'c: 'a, 'a> At<'c, 'a> {
    /// A product by 3, 5 or 9 and whether it does not fit. The product itself is an address computation of one cycle,
    /// where a multiplication that sets flags takes three; so the flag comes from the range of the other factor.
    fn scaled(
        &self,
        operands: [Value<'c, 'a>; 2],
        factor: i64,
        location: Location<'c>,
    ) -> (Value<'c, 'a>, Value<'c, 'a>) {
        let (context, word) = (self.context, operands[0].r#type());
        let wrap = Some(Overflow::Wrap);
        let product = self.insert(MulOp::build(context, operands[0], operands[1], wrap, word, location));
        // Division of constants truncates, so both bounds are the last values that fit.
        let (low, high) = (i64::MIN / factor, i64::MAX / factor);
        let constant =
            |value: i64, type_| self.insert(ConstOp::build(context, integer_attribute(type_, value), type_, location));
        let unsigned = IntegerType::unsigned(context, 64).into();
        let shifted = self.insert(SubOp::build(context, operands[0], constant(low, word), wrap, word, location));
        let shifted = self.insert(CastOp::build(context, shifted, unsigned, location));
        let span = constant(high.wrapping_sub(low), unsigned);
        let over = CmpOp::build(context, shifted, span, Predicate::Gt, self.bool_type(), location);
        (product, self.insert(over))
    }
    /// Moves an operation here, or computes it with its flag; answers the flags so far.
    fn speculate(
        &self,
        op: Op<'c, 'a>,
        flag: Option<Value<'c, 'a>>,
        renamed: &mut FxHashMap<usize, Value<'c, 'a>>,
    ) -> Option<Value<'c, 'a>> {
        let Some(intrinsic) = checked(op) else {
            op.move_before(self.anchor);
            for index in 0..op.operand_len() {
                if let Some(new) = renamed.get(&op.value(index).value_key()) {
                    op.set_operand_at(index, *new);
                }
            }
            // Off its own way it may wrap.
            if op.int_attribute("overflow") == Some(Overflow::Proven as i64) {
                op.set("overflow", enum_attribute(self.context, Overflow::Wrap as i64));
            }
            return flag;
        };
        let resolve = |value: Value<'c, 'a>| renamed.get(&value.value_key()).copied().unwrap_or(value);
        let operands = [resolve(op.value(0)), resolve(op.value(1))];
        let factor =
            operands[1].constant_int().filter(|factor| MulOp::cast(op).is_some() && matches!(factor, 3 | 5 | 9));
        let (value, failed) = match factor {
            Some(factor) => self.scaled(operands, factor, nameless(op)),
            None => {
                let types = [op.result_type(), self.bool_type()];
                let new = CallIntrinsicOp::build(self.context, &operands, intrinsic, &types, nameless(op));
                let new = self.insert_op(new);
                (new.result_at(0), new.result_at(1))
            }
        };
        renamed.insert(op.result_value().value_key(), value);
        Some(match flag {
            Some(flag) => self.insert(OrOp::build(self.context, flag, failed, self.bool_type(), self.location)),
            None => failed,
        })
    }
}

/// The blocks that can reach themselves: strongly connected components of several blocks, or of one that branches to
/// itself (Tarjan's algorithm, without recursion).
fn in_loops(blocks: &[BlockRef]) -> FxHashSet<usize> {
    let numbers: FxHashMap<usize, usize> = blocks.iter().enumerate().map(|(i, b)| (key(*b), i)).collect();
    let successors: Vec<Vec<usize>> = blocks
        .iter()
        .map(|block| {
            let Some(last) = operations(*block).last() else { return Vec::new() };
            (0..last.successor_count()).filter_map(|i| numbers.get(&key(last.successor_block(i))).copied()).collect()
        })
        .collect();
    let mut found = FxHashSet::default();
    let n = blocks.len();
    let (mut order, mut low, mut on_stack) = (vec![usize::MAX; n], vec![0; n], vec![false; n]);
    let (mut stack, mut next) = (Vec::new(), 0);
    for start in 0..n {
        if order[start] != usize::MAX {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((node, child)) = work.pop() {
            if child == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&successor) = successors[node].get(child) {
                work.push((node, child + 1));
                if order[successor] == usize::MAX {
                    work.push((successor, 0));
                } else if on_stack[successor] {
                    low[node] = low[node].min(order[successor]);
                }
                continue;
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let first = stack.iter().rposition(|m| *m == node).unwrap_or(0);
                let members = stack.split_off(first);
                let many = members.len() > 1 || successors[node].contains(&node);
                for member in members {
                    on_stack[member] = false;
                    if many {
                        found.insert(key(blocks[member]));
                    }
                }
            }
        }
    }
    found
}
