//! What is known of values where a walk of the dominator tree stands: bools that guards and branches settled, and the
//! order of integers that follows from them.
//!
//! Intervals come in two views. [`View::True`] holds of the integers of Python: an end of the type is no bound, because
//! `python` arithmetic may go when nothing reads it (docs/fallback.md). [`View::Machine`] holds of the machine's values
//! where the operation that has them as operands runs.

use super::{dominators::Dominators, floats, lengths::known_to_fit};
use crate::dialects::core::{
    constant::{bool_of, int_of, int_type, is_float_like, scalar_type},
    flow::incoming,
    fold::{bounded, exact_cast, mode, predicate, rounding},
    memory::longest_buffer,
    ops::*,
    patterns_bits::not_of,
};
use crate::mlir::{op::Op, prelude::*};
use crate::semantics::{
    IntType, ScalarType,
    compare::Predicate,
    int::{Overflow, Rounding},
};
use melior::ir::block::BlockArgument;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Steps that one question may take.
const BUDGET: u32 = 96;
/// Bounds of one value that are looked at, the newest first.
const MAX_BOUNDS: usize = 6;
/// How many bounds in a row lead to an interval.
const MAX_FOLLOWED: usize = 3;
/// How deep a condition is taken apart.
const MAX_DEPTH: u32 = 6;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum View {
    True,
    Machine,
}

/// The integers between two ends; `None` is no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Interval {
    const ALL: Interval = Interval { low: None, high: None };
    const NATURAL: Interval = Interval { low: Some(0), high: None };

    pub fn exactly(value: i128) -> Self {
        Self { low: Some(value), high: Some(value) }
    }
    fn of(ty: IntType) -> Self {
        Self { low: Some(ty.min()), high: Some(ty.max()) }
    }
    /// Whether every member fits the type.
    pub fn fits(self, ty: IntType) -> bool {
        self.low.is_some_and(|low| low >= ty.min()) && self.high.is_some_and(|high| high <= ty.max())
    }
    pub fn excludes(self, value: i128) -> bool {
        self.low.is_some_and(|low| low > value) || self.high.is_some_and(|high| high < value)
    }
    /// Whether no member is below 0.
    pub fn is_natural(self) -> bool {
        self.low.is_some_and(|low| low >= 0)
    }
    /// Without a number that is known not to be a member, where that is an end.
    fn without(self, other: Self) -> Self {
        let Some(number) = other.low.filter(|_| other.low == other.high) else { return self };
        Self {
            low: self.low.map(|low| if low == number { low + 1 } else { low }),
            high: self.high.map(|high| if high == number { high - 1 } else { high }),
        }
    }
    fn meet(self, other: Self) -> Self {
        let both = |a: Option<i128>, b: Option<i128>, pick: fn(i128, i128) -> i128| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (a, b) => a.or(b),
        };
        Self { low: both(self.low, other.low, i128::max), high: both(self.high, other.high, i128::min) }
    }
    fn join(self, other: Self) -> Self {
        Self {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }
    pub fn add(self, other: Self) -> Self {
        let sum = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Self { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }
    pub fn neg(self) -> Self {
        Self { low: self.high.map(|high| -high), high: self.low.map(|low| -low) }
    }
    pub fn mul(self, other: Self) -> Self {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) else {
            // Of what is never negative one knows that much.
            return if self.is_natural() && other.is_natural() { Self::NATURAL } else { Self::ALL };
        };
        let corners = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else { return Self::ALL };
        Self { low: corners.iter().copied().min(), high: corners.iter().copied().max() }
    }
    /// Both ends through a function that keeps the order.
    fn map(self, f: impl Fn(i128) -> i128) -> Self {
        Self { low: self.low.map(&f), high: self.high.map(&f) }
    }
}

/// `value` stands in this relation to `other`.
#[derive(Clone, Copy)]
struct Bound<'c, 'a> {
    relation: Predicate,
    other: Value<'c, 'a>,
}

enum Undo {
    Bool(usize),
    Bound(usize),
}

/// A place to go back to.
pub struct Mark(usize);

/// The facts in force.
pub struct Facts<'c, 'a> {
    dominators: &'a Dominators<'c, 'a>,
    /// Whether lengths of buffers are numbers that memory can have.
    lengths_fit: bool,
    bools: FxHashMap<usize, bool>,
    bounds: FxHashMap<usize, Vec<Bound<'c, 'a>>>,
    log: Vec<Undo>,
    budget: Cell<u32>,
    /// Block arguments, with the number of their block, that are taken for not negative while that is shown of what
    /// loops pass for them.
    supposed: RefCell<Vec<(usize, usize)>>,
    /// Values whose bounds are being followed: `a < b` bounds `b` by `a` too, and to come back to `a` teaches nothing.
    followed: RefCell<Vec<usize>>,
}

impl<'c: 'a, 'a> Facts<'c, 'a> {
    pub fn new(function: Op, dominators: &'a Dominators<'c, 'a>) -> Self {
        let (bools, bounds, log, supposed, followed) = Default::default();
        let lengths_fit = known_to_fit(function);
        Self { dominators, lengths_fit, bools, bounds, log, budget: Cell::new(0), supposed, followed }
    }

    pub fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Forgets what was assumed since the mark.
    pub fn forget(&mut self, mark: Mark) {
        for undo in self.log.drain(mark.0..).rev() {
            match undo {
                Undo::Bool(key) => drop(self.bools.remove(&key)),
                Undo::Bound(key) => drop(self.bounds.get_mut(&key).and_then(Vec::pop)),
            }
        }
    }

    /// Takes a bool for settled from here on, with what follows from it.
    pub fn assume(&mut self, condition: Value<'c, 'a>, truth: bool) {
        self.assume_within(condition, truth, MAX_DEPTH);
    }

    fn assume_within(&mut self, condition: Value<'c, 'a>, truth: bool, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let key = condition.value_key();
        if bool_of(condition).is_some() || self.bools.contains_key(&key) {
            return;
        }
        self.bools.insert(key, truth);
        self.log.push(Undo::Bool(key));
        if let Some(negated) = not_of(condition) {
            return self.assume_within(negated, !truth, depth);
        }
        let Some(op) = condition.defining_op() else { return };
        match op.op_name() {
            AndOp::NAME if truth => (0..2).for_each(|index| self.assume_within(op.value(index), true, depth)),
            OrOp::NAME if !truth => (0..2).for_each(|index| self.assume_within(op.value(index), false, depth)),
            CmpOp::NAME => {
                let (a, b) = (strip(op.value(0)), strip(op.value(1)));
                if let (Some(_), Some(relation)) = (int_type(op.value(0).r#type()), CmpOp::cast(op).and_then(predicate))
                {
                    let relation = if truth { relation } else { inverse(relation) };
                    self.bound(a, relation, b);
                    self.bound(b, swapped(relation), a);
                }
            }
            _ => {}
        }
    }

    fn bound(&mut self, value: Value<'c, 'a>, relation: Predicate, other: Value<'c, 'a>) {
        if value.constant().is_none() {
            self.bounds.entry(value.value_key()).or_default().push(Bound { relation, other });
            self.log.push(Undo::Bound(value.value_key()));
        }
    }

    fn bounds_of(&self, value: Value<'c, 'a>) -> impl Iterator<Item = Bound<'c, 'a>> {
        self.bounds.get(&value.value_key()).into_iter().flat_map(|list| list.iter().rev().take(MAX_BOUNDS)).copied()
    }

    /// Whether the bool is known here.
    pub fn decide(&self, condition: Value<'c, 'a>) -> Option<bool> {
        self.budget.set(BUDGET);
        self.decide_within(condition, MAX_DEPTH)
    }

    fn decide_within(&self, condition: Value<'c, 'a>, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        if let Some(known) = bool_of(condition).or_else(|| self.bools.get(&condition.value_key()).copied()) {
            return Some(known);
        }
        if let Some(negated) = not_of(condition) {
            return self.decide_within(negated, depth).map(|known| !known);
        }
        let op = condition.defining_op()?;
        match op.op_name() {
            AndOp::NAME | OrOp::NAME => {
                let decisive = op.is(OrOp::NAME);
                match (self.decide_within(op.value(0), depth), self.decide_within(op.value(1), depth)) {
                    (Some(known), _) | (_, Some(known)) if known == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
            CmpOp::NAME => {
                let cmp = CmpOp::cast(op)?;
                if is_float_like(cmp.lhs().r#type()) {
                    return floats::decide(cmp);
                }
                int_type(op.value(0).r#type())?;
                self.compare(CmpOp::cast(op).and_then(predicate)?, strip(op.value(0)), strip(op.value(1)))
            }
            _ => None,
        }
    }

    /// Whether the relation between two integers is known.
    fn compare(&self, relation: Predicate, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Option<bool> {
        if let Some(known) = by_intervals(relation, self.step(a, View::True), self.step(b, View::True)) {
            return Some(known);
        }
        if self.related(a, relation, b) {
            return Some(true);
        }
        self.related(a, inverse(relation), b).then_some(false)
    }

    /// Whether the relation follows from a bound, or from one bound and another.
    fn related(&self, a: Value<'c, 'a>, relation: Predicate, b: Value<'c, 'a>) -> bool {
        self.bounds_of(a).any(|first| {
            first.other == b && implies(first.relation, relation)
                || self
                    .bounds_of(first.other)
                    .filter(|second| second.other == b)
                    .filter_map(|second| chained(first.relation, second.relation))
                    .any(|known| implies(known, relation))
        })
    }

    /// The interval of an integer here.
    pub fn interval(&self, value: Value<'c, 'a>, view: View) -> Interval {
        self.budget.set(BUDGET);
        self.step(value, view)
    }

    fn step(&self, value: Value<'c, 'a>, view: View) -> Interval {
        let value = strip(value);
        if let Some(constant) = int_of(value) {
            return Interval::exactly(constant);
        }
        let Some(ty) = int_type(value.r#type()) else { return Interval::ALL };
        let natural = if view == View::Machine || bounded(value) { Interval::of(ty) } else { Interval::ALL };
        let Some(left) = self.budget.get().checked_sub(1) else { return natural };
        self.budget.set(left);
        let mut interval = natural.meet(match value.defining_op() {
            Some(op) => self.defined(op, ty, view),
            None => self.argument(value, view),
        });
        // What is known here of a value of the loop is known of this time around only.
        if self.supposed.borrow().first().is_some_and(|(_, header)| !self.is_outside(value, *header)) {
            return interval;
        }
        if self.followed.borrow().len() == MAX_FOLLOWED || self.followed.borrow().contains(&value.value_key()) {
            return interval;
        }
        self.followed.borrow_mut().push(value.value_key());
        let mut excluded = Vec::new();
        for bound in self.bounds_of(value) {
            let other = self.step(bound.other, view);
            let one = Interval::exactly(1);
            interval = interval.meet(match bound.relation {
                Predicate::Eq => other,
                Predicate::Lt => Interval { low: None, high: other.add(one.neg()).high },
                Predicate::Le => Interval { low: None, high: other.high },
                Predicate::Gt => Interval { low: other.add(one).low, high: None },
                Predicate::Ge => Interval { low: other.low, high: None },
                Predicate::Ne => {
                    excluded.push(other);
                    Interval::ALL
                }
            });
        }
        self.followed.borrow_mut().pop();
        excluded.into_iter().fold(interval, Interval::without)
    }

    /// The interval that an operation gives its result. The exact result is the value in the modes that fail where it
    /// does not fit; `wrap` gives it where it fits.
    fn defined(&self, op: Op<'c, 'a>, ty: IntType, view: View) -> Interval {
        let operand = |index: usize| self.step(op.value(index), view);
        let exact = match op.op_name() {
            AddOp::NAME => operand(0).add(operand(1)),
            SubOp::NAME => operand(0).add(operand(1).neg()),
            MulOp::NAME => operand(0).mul(operand(1)),
            NegOp::NAME => operand(0).neg(),
            DivOp::NAME | ModOp::NAME if rounding(op).is_some() => {
                let (dividend, divisor, floor) = (operand(0), operand(1), rounding(op) == Some(Rounding::Floor));
                // Where the result is there the divisor was not 0; but what decides a condition may leave it unread.
                let least = if view == View::Machine { 0 } else { 1 };
                let positive = divisor.low.is_some_and(|low| low >= least);
                let rest = Interval { low: Some(0), high: divisor.high.map(|high| high - 1) };
                match (op.is(ModOp::NAME), dividend.is_natural()) {
                    (false, true) if positive && divisor.low != divisor.high => {
                        Interval { low: Some(0), high: dividend.high }
                    }
                    (true, true) if positive => rest.meet(Interval { low: None, high: dividend.high }),
                    (true, false) if positive && floor => rest,
                    (false, _) if floor => match int_of(op.value(1)) {
                        Some(divisor) if divisor > 0 => dividend.map(|end| end.div_euclid(divisor)),
                        _ => Interval::ALL,
                    },
                    _ => Interval::ALL,
                }
            }
            AndOp::NAME => {
                let (a, b) = (operand(0), operand(1));
                let part =
                    |i: Interval| if i.is_natural() { Interval { low: Some(0), high: i.high } } else { Interval::ALL };
                return part(a).meet(part(b));
            }
            ShrOp::NAME => match int_of(op.value(1)) {
                Some(amount) if (0..i128::from(ty.width)).contains(&amount) => operand(0).map(|end| end >> amount),
                _ => Interval::ALL,
            },
            SelectOp::NAME => return operand(1).join(operand(2)),
            BufferLenOp::NAME if self.lengths_fit => {
                return Interval { low: Some(0), high: self.longest(op.value(0)) };
            }
            BufferLenOp::NAME => return Interval::of(ty),
            CastOp::NAME => match scalar_type(op.value(0).r#type()) {
                Some(ScalarType::Bool) => return Interval { low: Some(0), high: Some(1) },
                Some(ScalarType::Int(_) | ScalarType::Index) => {
                    let from = operand(0);
                    return if from.fits(ty) { from } else { Interval::of(ty) };
                }
                _ => Interval::ALL,
            },
            _ => Interval::ALL,
        };
        match mode(op) {
            Overflow::Wrap if op.is(ShrOp::NAME) || exact.fits(ty) => exact,
            Overflow::Wrap => Interval::of(ty),
            Overflow::Native => Interval::ALL,
            Overflow::Python | Overflow::Checked | Overflow::Proven => exact,
        }
    }

    /// The most elements that a buffer of the caller's can have (docs/fallback.md, "Lengths").
    fn longest(&self, buffer: Value<'c, 'a>) -> Option<i128> {
        let parameter = buffer.argument_block().and_then(|block| self.dominators.number(block)) == Some(0);
        parameter.then(|| longest_buffer(buffer.r#type()))?.map(i128::from)
    }

    /// A block argument that only grows, or only shrinks, on every way around a loop has the bound it starts with. One
    /// that starts at 0 or above stays there if, as long as it does, every other way to it passes something that is.
    fn argument(&self, value: Value<'c, 'a>, view: View) -> Interval {
        let Ok(argument) = BlockArgument::try_from(value) else { return Interval::ALL };
        if self.supposed.borrow().iter().any(|(key, _)| *key == value.value_key()) {
            return Interval::NATURAL;
        }
        let Some(header) = self.dominators.number(argument.owner()).filter(|number| *number != 0) else {
            return Interval::ALL;
        };
        let (mut start, mut grows, mut shrinks): (Option<Interval>, bool, bool) = (None, true, true);
        let mut others = Vec::new();
        for predecessor in &self.dominators.predecessors[header] {
            let from = self.dominators.blocks[*predecessor];
            for incoming in incoming(from, argument.owner(), argument.argument_number()) {
                if incoming == value {
                    continue;
                }
                if let Some(step) = step_of(incoming, value) {
                    grows &= step >= 0;
                    shrinks &= step <= 0;
                } else if self.is_outside(incoming, header) {
                    let interval = self.step(incoming, view);
                    start = Some(start.map_or(interval, |start| start.join(interval)));
                } else {
                    others.push(incoming);
                }
            }
        }
        if others.is_empty() {
            let Some(start) = start else { return Interval::ALL };
            return Interval { low: start.low.filter(|_| grows), high: start.high.filter(|_| shrinks) };
        }
        if !grows || start.is_some_and(|start| !start.is_natural()) {
            return Interval::ALL;
        }
        self.supposed.borrow_mut().push((value.value_key(), header));
        let stays = others.into_iter().all(|other| self.step(other, view).is_natural());
        self.supposed.borrow_mut().pop();
        if stays { Interval::NATURAL } else { Interval::ALL }
    }

    /// Whether the value is defined in a block that strictly dominates the loop's header.
    fn is_outside(&self, value: Value<'c, 'a>, header: usize) -> bool {
        let block = match value.defining_op() {
            Some(op) => op.block(),
            None => value.argument_block(),
        };
        block
            .and_then(|block| self.dominators.number(block))
            .is_some_and(|n| self.dominators.strictly_dominates(n, header))
    }
}

/// The constant that `next` is more than `value`, where it is the true sum.
fn step_of<'c: 'a, 'a>(next: Value<'c, 'a>, value: Value<'c, 'a>) -> Option<i128> {
    let op = next.defining_op()?;
    let sign = match op.op_name() {
        AddOp::NAME => 1,
        SubOp::NAME => -1,
        _ => return None,
    };
    let exact = matches!(mode(op), Overflow::Python | Overflow::Checked | Overflow::Proven);
    (exact && op.value(0) == value).then(|| int_of(op.value(1)))?.map(|step| sign * step)
}

/// The value before casts between integers that lose nothing: the same number.
fn strip<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    const MAX_CASTS: usize = 8;
    let mut value = value;
    for _ in 0..MAX_CASTS {
        let Some(cast) = value.defined_by(CastOp::NAME) else { break };
        let (from, to) = (cast.value(0).r#type(), value.r#type());
        let exact = scalar_type(from).zip(scalar_type(to)).is_some_and(|(from, to)| exact_cast(from, to));
        if !exact || int_type(from).is_none() || int_type(to).is_none() {
            break;
        }
        value = cast.value(0);
    }
    value
}

/// The relation that holds where this one does not, between integers.
fn inverse(relation: Predicate) -> Predicate {
    match relation {
        Predicate::Eq => Predicate::Ne,
        Predicate::Ne => Predicate::Eq,
        Predicate::Lt => Predicate::Ge,
        Predicate::Ge => Predicate::Lt,
        Predicate::Gt => Predicate::Le,
        Predicate::Le => Predicate::Gt,
    }
}

fn swapped(relation: Predicate) -> Predicate {
    match relation {
        Predicate::Lt => Predicate::Gt,
        Predicate::Gt => Predicate::Lt,
        Predicate::Le => Predicate::Ge,
        Predicate::Ge => Predicate::Le,
        same => same,
    }
}

/// Whether one relation between two integers is a case of the other.
fn implies(known: Predicate, asked: Predicate) -> bool {
    use Predicate::*;
    known == asked || matches!((known, asked), (Lt, Le | Ne) | (Gt, Ge | Ne) | (Eq, Le | Ge))
}

/// The relation of a to c, from those of a to b and of b to c.
fn chained(first: Predicate, second: Predicate) -> Option<Predicate> {
    use Predicate::*;
    match (first, second) {
        (Eq, other) | (other, Eq) => Some(other),
        (Lt, Lt | Le) | (Le, Lt) => Some(Lt),
        (Le, Le) => Some(Le),
        (Gt, Gt | Ge) | (Ge, Gt) => Some(Gt),
        (Ge, Ge) => Some(Ge),
        _ => None,
    }
}

fn by_intervals(relation: Predicate, a: Interval, b: Interval) -> Option<bool> {
    let below = a.high.zip(b.low).is_some_and(|(high, low)| high < low);
    let not_above = a.high.zip(b.low).is_some_and(|(high, low)| high <= low);
    let above = a.low.zip(b.high).is_some_and(|(low, high)| low > high);
    let not_below = a.low.zip(b.high).is_some_and(|(low, high)| low >= high);
    let decided = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match relation {
        Predicate::Lt => decided(below, not_below),
        Predicate::Le => decided(not_above, above),
        Predicate::Gt => decided(above, not_above),
        Predicate::Ge => decided(not_below, below),
        Predicate::Eq => decided(a == b && a.low.is_some() && a.low == a.high, below || above),
        Predicate::Ne => decided(below || above, a == b && a.low.is_some() && a.low == a.high),
    }
}
