//! Arithmetic on integers and floats.
//!
//! "Ideal" modes are those whose result is the true value or else nothing: python, proven, and native on signed types.
//! There a rewrite may skip an intermediate value that would not have fitted, and may not make one. `wrap` computes
//! modulo a power of two, where every rewrite below holds as well. Only `checked` must fail where it failed.

use super::constant::{int_of, int_type, is_float_like};
use super::enums::Overflow as Mode;
use super::fold::{bounded, inner, mode, rounding};
use super::ops::*;
use super::rewrite::{Rule, constant_bits, constant_int, insert, register, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::int::Overflow;
use crate::semantics::{IntType, ScalarType, float};

pub fn add(patterns: &mut Patterns) {
    register(patterns, ADD);
}
pub fn sub(patterns: &mut Patterns) {
    register(patterns, SUB);
}
pub fn mul(patterns: &mut Patterns) {
    register(patterns, MUL);
}
pub fn div(patterns: &mut Patterns) {
    register(patterns, DIV);
}
/// Nothing beyond its folds: the lowering makes masks of remainders by powers of two.
pub fn mod_(_: &mut Patterns) {}
pub fn neg(patterns: &mut Patterns) {
    register(patterns, NEG);
}
pub fn shl(patterns: &mut Patterns) {
    register(patterns, SHL);
}
pub fn shr(patterns: &mut Patterns) {
    register(patterns, SHR);
}

const ADD: &[Rule] = &[offsets, add_negated];
const SUB: &[Rule] = &[offsets, sub_negated, sub_from_zero];
const MUL: &[Rule] = &[factors, mul_minus_one, mul_negated, mul_power_of_two];
const DIV: &[Rule] = &[div_minus_one, div_float_power_of_two];
const NEG: &[Rule] = &[neg_sub];
const SHL: &[Rule] = &[shl_shl];
const SHR: &[Rule] = &[shr_shr];

fn generated(mode: Overflow) -> Option<Mode> {
    Some(match mode {
        Overflow::Python => Mode::Python,
        Overflow::Checked => Mode::Checked,
        Overflow::Wrap => Mode::Wrap,
        Overflow::Proven => Mode::Proven,
        Overflow::Native => Mode::Native,
    })
}

/// Whether the operation is not checked: then failing early or where Python would not is nothing the program asked for.
fn unchecked(op: Op<'_, '_>) -> bool {
    mode(op) != Overflow::Checked
}

/// The variable and the constant that an addition or subtraction adds to it.
fn offset<'c, 'a>(op: Op<'c, 'a>) -> Option<(Value<'c, 'a>, i128)> {
    let constant = int_of(op.value(1))?;
    match op.op_name() {
        AddOp::NAME => Some((op.value(0), constant)),
        SubOp::NAME => Some((op.value(0), -constant)),
        _ => None,
    }
}

/// A new `x + offset`, spelled as a subtraction where the offset is negative and its negation fits.
fn with_offset<'c: 'a, 'a>(
    rewriter: &Rewriter<'c, 'a>,
    op: Op<'c, 'a>,
    x: Value<'c, 'a>,
    offset: i128,
) -> Option<Operation<'c>> {
    let (context, type_, mode) = (op.context_ref(), op.result_type(), generated(mode(op)));
    if offset < 0
        && let Some(constant) = constant_int(op, type_, -offset)
    {
        return Some(SubOp::build(context, x, insert(rewriter, constant), mode, type_, op.loc()));
    }
    let constant = insert(rewriter, constant_int(op, type_, offset)?);
    Some(AddOp::build(context, x, constant, mode, type_, op.loc()))
}

// (x + a) + b is x + (a + b): ideal modes and wrap, both in one mode; not checked, which fails on x + a too.
fn offsets<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(unchecked(op))?;
    let (middle, outer) = offset(op)?;
    let inner_op = middle.defining_op()?;
    when(matches!(inner_op.op_name(), AddOp::NAME | SubOp::NAME) && mode(inner_op) == mode(op))?;
    let (x, first) = offset(inner_op)?;
    when(x != op.result_value())?;
    let ty = int_type(op.result_type())?;
    let total = match mode(op) {
        // Modulo 2^width, as a signed number, so that a small negative offset reads as one.
        Overflow::Wrap => {
            let signed = IntType { signed: true, ..ty };
            signed.value(signed.wrap(first + outer))
        }
        _ => first + outer,
    };
    if total == 0 {
        rewriter.replace(op, &[x]);
        return Some(());
    }
    let new = with_offset(rewriter, op, x, total)?;
    replace_with(rewriter, op, new)
}

// x + -y is x - y: ideal modes and wrap in one mode; floats always.
fn add_negated<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (lhs, rhs) = (op.value(0), op.value(1));
    let (x, y) = match (negated(op, rhs), negated(op, lhs)) {
        (Some(y), _) => (lhs, y),
        (None, Some(y)) => (rhs, y),
        _ => return None,
    };
    replace_with(rewriter, op, SubOp::build(op.context_ref(), x, y, overflow(op), op.result_type(), op.loc()))
}

// x - -y is x + y: ideal modes and wrap in one mode; floats always.
fn sub_negated<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let y = negated(op, op.value(1))?;
    replace_with(rewriter, op, AddOp::build(op.context_ref(), op.value(0), y, overflow(op), op.result_type(), op.loc()))
}

/// The attribute `overflow` as it is: none for floats.
fn overflow(op: Op<'_, '_>) -> Option<Mode> {
    op.int_attribute("overflow").and_then(Mode::from_number)
}

/// What the value is the negation of, where the negation may be skipped.
fn negated<'c, 'a>(op: Op<'c, 'a>, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let neg = value.defined_by(NegOp::NAME)?;
    (is_float_like(op.result_type()) || unchecked(op) && mode(neg) == mode(op)).then(|| neg.value(0))
}

// 0 - x is -x for integers in every mode, failing alike; of floats 0.0 - 0.0 is not -0.0.
fn sub_from_zero<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(int_of(op.value(0))? == 0)?;
    replace_with(rewriter, op, NegOp::build(op.context_ref(), op.value(1), overflow(op), op.result_type(), op.loc()))
}

// (x * a) * b is x * (a * b): ideal modes where a * b fits and is not 0, and wrap; both in one mode.
fn factors<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(unchecked(op))?;
    let (outer, product) = (int_of(op.value(1))?, inner(op, op.value(0), MulOp::NAME)?);
    let (x, first) = (product.value(0), int_of(product.value(1))?);
    when(x != op.result_value())?;
    let ty = int_type(op.result_type())?;
    let total = match mode(op) {
        Overflow::Wrap => ty.value(ty.wrap(first.wrapping_mul(outer))),
        _ => first.checked_mul(outer)?,
    };
    let constant = insert(rewriter, constant_int(op, op.result_type(), total)?);
    replace_with(rewriter, op, MulOp::build(op.context_ref(), x, constant, overflow(op), op.result_type(), op.loc()))
}

// x * -1 is -x for integers in every mode, failing alike.
fn mul_minus_one<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(int_of(op.value(1))? == -1)?;
    replace_with(rewriter, op, NegOp::build(op.context_ref(), op.value(0), overflow(op), op.result_type(), op.loc()))
}

// -x * -y is x * y: ideal modes and wrap in one mode; floats always. -x * c is x * -c likewise, for integers.
fn mul_negated<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let x = negated(op, op.value(0))?;
    let y = match negated(op, op.value(1)) {
        Some(y) => y,
        None => insert(rewriter, constant_int(op, op.result_type(), -int_of(op.value(1))?)?),
    };
    replace_with(rewriter, op, MulOp::build(op.context_ref(), x, y, overflow(op), op.result_type(), op.loc()))
}

// x * 2^k is x << k under wrap. Under the other modes it is too, but their multiplication is as cheap and says more.
fn mul_power_of_two<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let ty = int_type(op.result_type())?;
    when(mode(op) == Overflow::Wrap)?;
    // The smallest value of a signed type is 2^(width-1) modulo 2^width.
    let factor = int_of(op.value(1))?.rem_euclid(1 << ty.width);
    when(factor > 1 && factor.count_ones() == 1)?;
    let amount = insert(rewriter, constant_int(op, op.result_type(), factor.trailing_zeros().into())?);
    replace_with(
        rewriter,
        op,
        ShlOp::build(op.context_ref(), op.value(0), amount, Some(Mode::Wrap), op.result_type(), op.loc()),
    )
}

// x / -1 is -x for integers in every mode and rounding, failing alike.
fn div_minus_one<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(int_of(op.value(1))? == -1)?;
    replace_with(rewriter, op, NegOp::build(op.context_ref(), op.value(0), overflow(op), op.result_type(), op.loc()))
}

// x / 2^k is x * 2^-k for the true division of floats, where 2^-k is a normal number: both are exact but for the same
// rounding.
fn div_float_power_of_two<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(rounding(op).is_none())?;
    let divisor = super::constant::of(op.value(1))?;
    let ScalarType::Float(ty) = divisor.ty else { return None };
    let value = divisor.as_f64()?;
    let reciprocal = 1.0 / value;
    let power = |value: f64| value.is_normal() && value.to_bits() << 12 == 0;
    let bits = float::encode(ty, reciprocal);
    // At least the smallest normal number of the narrowest exponent that the type may have.
    let least = match ty {
        crate::semantics::FloatType::F16 => 2f64.powi(-14),
        crate::semantics::FloatType::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    };
    when(power(value) && power(reciprocal) && reciprocal.abs() >= least && float::decode(ty, bits) == reciprocal)?;
    let factor = insert(rewriter, constant_bits(op, op.result_type(), bits)?);
    replace_with(rewriter, op, MulOp::build(op.context_ref(), op.value(0), factor, None, op.result_type(), op.loc()))
}

// -(x - y) is y - x: ideal modes and wrap in one mode; not floats, where x - x is 0.0 both ways.
fn neg_sub<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(unchecked(op))?;
    let sub = inner(op, op.value(0), SubOp::NAME)?;
    let (x, y) = (sub.value(0), sub.value(1));
    replace_with(rewriter, op, SubOp::build(op.context_ref(), y, x, overflow(op), op.result_type(), op.loc()))
}

/// The amounts of a shift and of the shift it shifts again, each inside the width.
fn two_amounts<'c, 'a>(op: Op<'c, 'a>, name: &str) -> Option<(Value<'c, 'a>, i128, i128)> {
    let (ty, outer) = (int_type(op.result_type())?, int_of(op.value(1))?);
    let first_shift = inner(op, op.value(0), name)?;
    let first = int_of(first_shift.value(1))?;
    let width = 0..i128::from(ty.width);
    (width.contains(&outer) && width.contains(&first)).then(|| (first_shift.value(0), first + outer, width.end))
}

// (x << a) << b is x << (a + b): ideal modes and wrap in one mode, where a + b is below the width; under wrap 0 beyond.
fn shl_shl<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(unchecked(op))?;
    let (x, total, width) = two_amounts(op, ShlOp::NAME)?;
    if total >= width {
        when(mode(op) == Overflow::Wrap)?;
        return replace_with(rewriter, op, constant_int(op, op.result_type(), 0)?);
    }
    let amount = insert(rewriter, constant_int(op, op.result_type(), total)?);
    replace_with(rewriter, op, ShlOp::build(op.context_ref(), x, amount, overflow(op), op.result_type(), op.loc()))
}

// (x >> a) >> b is x >> (a + b), with every bit shifted out beyond the width; it has no mode. What is 0 because the
// type has no more bits is so only of a value within its type.
fn shr_shr<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let (x, total, width) = two_amounts(op, ShrOp::NAME)?;
    if total >= width && !int_type(op.result_type())?.signed {
        when(bounded(x))?;
        return replace_with(rewriter, op, constant_int(op, op.result_type(), 0)?);
    }
    let amount = insert(rewriter, constant_int(op, op.result_type(), total.min(width - 1))?);
    replace_with(rewriter, op, ShrOp::build(op.context_ref(), x, amount, op.result_type(), op.loc()))
}
