//! `if-convert`: in loops, both sides of a small branch are computed and the results selected.
//!
//! LLVM does this for arithmetic that cannot fail, and so turns an unpredictable branch into a conditional move.
//! Arithmetic that fails into the fallback stops it. Here a constant multiple of a value and a constant away from one
//! are computed on both ways as if they could not fail, and one guard compares the value with the range in which they
//! do not where that way is taken: the function fails exactly where it did (docs/fallback.md, "Speculation"). Only
//! branches with such arithmetic are converted, so the rest stays LLVM's decision; a flag that had to be kept until
//! then would cost more than the branch.

use super::{
    at::At,
    dominators::Dominators,
    facts::{Facts, View},
    generated::{IfConvertAnalyses, IfConvertOptions},
};
use crate::{
    dialects::core::{
        enums::{GuardKind, Overflow, Predicate},
        ops::{
            AddOp, AndOp, BrOp, CastOp, CmpOp, CondBrOp, ConstOp, DivOp, GuardOp, ModOp, MulOp, OrOp, SelectOp, ShrOp,
            SubOp, XorOp,
        },
    },
    mlir::{
        analysis::DominanceInfo,
        attribute::enum_attribute,
        conversion::erase_unreachable_blocks,
        hooks::{Changed, PassFailure},
        op::{ScalarType, operations, scalar_type, single_predecessor},
        prelude::*,
        transform::erase,
    },
};
use melior::ir::r#type::IntegerType;
use rustc_hash::FxHashSet;

/// Operations on both sides together.
const MOST: usize = 5;

pub fn run(function: Op, _: &IfConvertOptions, analyses: &IfConvertAnalyses) -> Result<Changed, PassFailure> {
    let blocks = function.blocks(0);
    let mut changed = false;
    let natural = natural_factors(function, &blocks, &analyses.dominance_info);
    // Inner branches first: they stand further down.
    for block in blocks.iter().rev().filter(|block| analyses.loop_info.contains(**block)) {
        changed |= convert(*block, &natural);
    }
    if changed {
        erase_unreachable_blocks(function);
    }
    Ok(Changed::from(changed))
}

fn key(block: BlockRef) -> usize {
    block.to_raw().ptr as usize
}

/// The values that are never negative, of those whose scaled product may not fit.
fn natural_factors(function: Op, blocks: &[BlockRef], dominance: &DominanceInfo) -> FxHashSet<usize> {
    let scaled: Vec<Value> = (blocks.iter().flat_map(|block| operations(*block)))
        .filter(|op| fails(*op) && affine(*op).is_some())
        .map(|op| op.value(0))
        .collect();
    if scaled.is_empty() {
        return FxHashSet::default();
    }
    let dominators = Dominators::new(function, dominance);
    let facts = Facts::new(function, &dominators);
    let natural = |value: &Value| facts.interval(*value, View::Machine).is_natural();
    scaled.into_iter().filter(natural).map(|value| value.value_key()).collect()
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

/// Whether it is an operation of 64 bits that may fail.
fn fails(op: Op) -> bool {
    let arithmetic = op.is(AddOp::NAME) || op.is(SubOp::NAME) || op.is(MulOp::NAME);
    let mode = op.int_attribute("overflow").and_then(Overflow::from_number);
    arithmetic && is_word(op.result_value()) && matches!(mode, Some(Overflow::Python | Overflow::Checked))
}

/// The factor and the offset of an operation that multiplies by a constant or adds one. The products are address
/// computations of one cycle, where a multiplication that sets flags takes three.
fn affine(op: Op) -> Option<(i128, i128)> {
    let constant = || op.value(1).constant_int();
    match op.op_name() {
        AddOp::NAME => Some((1, constant()?.into())),
        SubOp::NAME => Some((1, -i128::from(constant()?))),
        MulOp::NAME => constant().filter(|factor| matches!(factor, 3 | 5 | 9)).map(|factor| (factor.into(), 0)),
        _ => None,
    }
}

/// What an operation costs on the way that is not taken; `None` where it may not be computed there.
fn cost(op: Op) -> Option<usize> {
    if ConstOp::cast(op).is_some() {
        return Some(0);
    }
    if fails(op) {
        return affine(op).map(|_| 1);
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
    if op.is(ShrOp::NAME) {
        let inside = op.value(1).constant_int().is_some_and(|amount| (0..64).contains(&amount));
        return (is_word(op.result_value()) && inside).then_some(1);
    }
    let plain = AndOp::cast(op).is_some() || OrOp::cast(op).is_some() || XorOp::cast(op).is_some();
    (plain || op.is("ppy_core.cmp") || SelectOp::cast(op).is_some()).then_some(1)
}

/// Converts the branch that ends `block`; answers whether it did.
fn convert<'c: 'a, 'a>(block: BlockRef<'c, 'a>, natural: &FxHashSet<usize>) -> bool {
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
    let may_fail = all().any(|op| fails(*op));
    if !may_fail || total > MOST || key(sides.0.join) == key(block) {
        return false;
    }
    let at = At::before(op, block);
    let speculated = |ops: &[Op<'c, 'a>]| {
        let mut ranges = Vec::new();
        ops.iter().for_each(|op| at.speculate(*op, &mut ranges));
        at.flag(&ranges, natural)
    };
    let (failed_true, failed_false) = (speculated(&sides.0.ops), speculated(&sides.1.ops));
    // It fails where the way that is taken does.
    let on_true = failed_true.map(|flag| at.and(condition, flag));
    let on_false = failed_false.map(|flag| at.and(at.not(condition), flag));
    let failed = match (on_true, on_false) {
        (Some(a), Some(b)) => Some(at.or(a, b)),
        (a, b) => a.or(b),
    };
    if let Some(failed) = failed {
        let ok = at.not(failed);
        let message = Some("integer overflow");
        at.insert_op(GuardOp::build(at.context, ok, &[], GuardKind::Overflow, message, None, None, at.location));
    }
    let merged: Vec<Value> = (sides.0.passed.iter().zip(&sides.1.passed))
        .map(|(yes, no)| if yes == no { *yes } else { at.select(condition, *yes, *no) })
        .collect();
    at.insert_op(BrOp::build(at.context, &merged, &sides.0.join, op.loc()));
    erase(op);
    true
}

impl<'c: 'a, 'a> At<'c, 'a> {
    fn or(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.insert(OrOp::build(self.context, lhs, rhs, self.bool_type(), self.location))
    }
    /// Whether a value is outside of its range; `None` where there are none.
    fn flag(&self, ranges: &[Range<'c, 'a>], natural: &FxHashSet<usize>) -> Option<Value<'c, 'a>> {
        let outside = |range: &Range<'c, 'a>| self.outside(range, natural.contains(&range.x.value_key()));
        ranges.iter().map(outside).reduce(|a, b| self.or(a, b))
    }
    fn outside(&self, range: &Range<'c, 'a>, natural: bool) -> Value<'c, 'a> {
        let (context, word) = (self.context, range.x.r#type());
        let constant = |value: i128, type_| self.integer(type_, value as i64);
        let above =
            |value, end| self.insert(CmpOp::build(context, value, end, Predicate::Gt, self.bool_type(), self.location));
        if natural {
            return above(range.x, constant(range.high, word));
        }
        let unsigned = IntegerType::unsigned(context, 64).into();
        let low = constant(range.low, word);
        let shifted = self.insert(SubOp::build(context, range.x, low, Some(Overflow::Wrap), word, self.location));
        let shifted = self.insert(CastOp::build(context, shifted, unsigned, self.location));
        above(shifted, constant(range.high - range.low, unsigned))
    }
    /// Moves an operation here as one that does not fail, and notes where it would.
    fn speculate(&self, op: Op<'c, 'a>, ranges: &mut Vec<Range<'c, 'a>>) {
        if let Some((factor, offset)) = affine(op).filter(|_| fails(op)) {
            match ranges.iter_mut().find(|range| factor == 1 && range.value == op.value(0)) {
                Some(range) => range.add(op, offset),
                None => {
                    let mut range = Range::new(op.value(0), factor);
                    range.add(op, offset);
                    ranges.push(range);
                }
            }
        }
        op.move_before(self.anchor);
        // Off its own way it may wrap.
        if op.attribute("overflow").is_ok() {
            op.set("overflow", enum_attribute(self.context, Overflow::Wrap as i64));
        }
    }
}

/// Where `x * factor + offset` and what it is computed from fit: where `x` is in `low..=high`.
struct Range<'c, 'a> {
    value: Value<'c, 'a>,
    x: Value<'c, 'a>,
    factor: i128,
    offset: i128,
    low: i128,
    high: i128,
}

impl<'c: 'a, 'a> Range<'c, 'a> {
    /// Everything fits so far.
    fn new(x: Value<'c, 'a>, factor: i128) -> Self {
        Self { value: x, x, factor, offset: 0, low: i64::MIN.into(), high: i64::MAX.into() }
    }
    /// What `op` makes by adding a constant has to fit too.
    fn add(&mut self, op: Op<'c, 'a>, offset: i128) {
        (self.value, self.offset) = (op.result_value(), self.offset + offset);
        // The least quotient above, the largest below.
        self.low = self.low.max(-(self.offset - i128::from(i64::MIN)).div_euclid(self.factor));
        self.high = self.high.min((i128::from(i64::MAX) - self.offset).div_euclid(self.factor));
    }
}
