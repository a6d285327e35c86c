//! Folds of the core dialect: constants through [`crate::semantics`], and results that are an operand already.
//!
//! An operation whose operands are constants and that fails on them (its value does not fit, or it divides by zero) is
//! left as it is: at run time it goes to its fallback. Vectors are not folded to constants. docs/fallback.md has the
//! rules that every fold is held to.

use super::constant::{self, is_float_like, read, write};
use super::enums::{Overflow as Mode, Predicate as P};
use super::memory::{Object, object};
use super::ops::*;
use super::type_views::StructType;
use crate::mlir::prelude::*;
use crate::semantics::{
    FloatType, IntType, Scalar, ScalarType, cast as casts,
    compare::{self, Predicate},
    float::{self, FloatOp},
    int::{self, IntOp, Overflow, Rounding},
};

type Operands<'x, 'c> = &'x [Option<Attribute<'c>>];

/// The overflow mode of an integer operation; one without is a float's, or a shift that wraps.
pub fn mode(op: Op<'_, '_>) -> Overflow {
    match op.int_attribute("overflow").and_then(Mode::from_number) {
        Some(Mode::Python) => Overflow::Python,
        Some(Mode::Checked) => Overflow::Checked,
        Some(Mode::Proven) => Overflow::Proven,
        Some(Mode::Native) => Overflow::Native,
        Some(Mode::Wrap) | None => Overflow::Wrap,
    }
}

/// The rounding of a division; `None` for the division of floats that has none.
pub fn rounding(op: Op<'_, '_>) -> Option<Rounding> {
    match op.int_attribute("rounding") {
        Some(0) => Some(Rounding::Floor),
        Some(_) => Some(Rounding::Trunc),
        None => None,
    }
}

/// The predicate of a comparison.
pub fn predicate(op: CmpOp<'_, '_>) -> Option<Predicate> {
    Some(match op.predicate()? {
        P::Eq => Predicate::Eq,
        P::Ne => Predicate::Ne,
        P::Lt => Predicate::Lt,
        P::Le => Predicate::Le,
        P::Gt => Predicate::Gt,
        P::Ge => Predicate::Ge,
    })
}

fn at(operands: Operands, index: usize) -> Option<Scalar> {
    read((*operands.get(index)?)?)
}

/// The result is `value`, unless that is the operation itself, as in a cycle of unreachable code.
fn same<'c, 'a>(op: Op<'c, 'a>, value: Value<'c, 'a>) -> Fold<'c, 'a> {
    if value == op.result_value() { Fold::None } else { Fold::Value(value) }
}

fn bits<'c, 'a>(op: Op<'c, 'a>, bits: u64) -> Fold<'c, 'a> {
    write(op.result_type(), bits).map_or(Fold::None, Fold::Constant)
}

/// Both operands are constants: the operation's value, if it has one.
fn binary<'c, 'a>(
    op: Op<'c, 'a>,
    operands: Operands<'_, 'c>,
    on_floats: FloatOp,
    on_ints: IntOp,
) -> Option<Fold<'c, 'a>> {
    let (a, b) = (at(operands, 0)?, at(operands, 1)?);
    let value = match a.ty {
        ScalarType::Float(ty) => float::binary(on_floats, ty, a.bits, b.bits),
        ty => int::binary(on_ints, ty.as_int()?, mode(op), a.bits, b.bits).ok()?,
    };
    Some(bits(op, value))
}

/// The right operand, where it is an integer constant.
fn int_rhs(operands: Operands) -> Option<(IntType, i128)> {
    let scalar = at(operands, 1)?;
    match scalar.ty {
        ScalarType::Int(_) | ScalarType::Index => Some((scalar.ty.as_int()?, scalar.as_int()?)),
        _ => None,
    }
}

/// The right operand, where it is a float constant, decoded.
fn float_rhs(operands: Operands) -> Option<f64> {
    at(operands, 1)?.as_f64()
}

/// Whether the float constant is exactly this one, signs of zeros told apart.
fn is(constant: Option<f64>, value: f64) -> bool {
    constant.is_some_and(|c| c.to_bits() == value.to_bits())
}

fn is_int(operands: Operands, value: i128) -> bool {
    int_rhs(operands).is_some_and(|(_, c)| c == value)
}

/// Whether the operation may give the true value where a part of it did not fit: every mode but `checked`, whose
/// failure is the meaning, and `wrap`, whose value is another one.
fn ideal(op: Op<'_, '_>) -> bool {
    match mode(op) {
        Overflow::Python | Overflow::Proven => true,
        Overflow::Native => constant::int_type(op.result_type()).is_some_and(|ty| ty.signed),
        Overflow::Wrap | Overflow::Checked => false,
    }
}

/// An integer operation of that name, in the same mode as `op`, that defines `value`. Floats have none.
pub fn inner<'c, 'a>(op: Op<'c, 'a>, value: Value<'c, 'a>, name: &str) -> Option<Op<'c, 'a>> {
    value.defined_by(name).filter(|inner| !is_float_like(value.r#type()) && mode(*inner) == mode(op))
}

pub fn constant<'c, 'a>(op: Op<'c, 'a>, _: Operands<'_, 'c>) -> Fold<'c, 'a> {
    op.inherent("value").map_or(Fold::None, Fold::Constant)
}

pub fn add<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    if let Some(fold) = binary(op, operands, FloatOp::Add, IntOp::Add) {
        return fold;
    }
    let (lhs, rhs) = (op.value(0), op.value(1));
    // x + 0 is x in every mode; of floats only x + -0.0, for -0.0 + 0.0 is 0.0.
    if is_int(operands, 0) || is(float_rhs(operands), -0.0) {
        return same(op, lhs);
    }
    // (x - y) + y is x where the mode allows the true value or wraps: not checked.
    if mode(op) != Overflow::Checked {
        for (difference, other) in [(lhs, rhs), (rhs, lhs)] {
            if let Some(sub) = inner(op, difference, SubOp::NAME)
                && sub.value(1) == other
            {
                return same(op, sub.value(0));
            }
        }
    }
    Fold::None
}

pub fn sub<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    if let Some(fold) = binary(op, operands, FloatOp::Sub, IntOp::Sub) {
        return fold;
    }
    let (lhs, rhs) = (op.value(0), op.value(1));
    // x - 0 is x in every mode; of floats x - 0.0, and not x - -0.0.
    if is_int(operands, 0) || is(float_rhs(operands), 0.0) {
        return same(op, lhs);
    }
    // x - x is 0 for integers in every mode; a float may be infinite or NaN.
    if lhs == rhs && !is_float_like(op.result_type()) {
        return bits(op, 0);
    }
    // (x + y) - y is x where the mode allows the true value or wraps: not checked.
    if mode(op) != Overflow::Checked
        && let Some(sum) = inner(op, lhs, AddOp::NAME)
    {
        for (kept, gone) in [(0, 1), (1, 0)] {
            if sum.value(gone) == rhs {
                return same(op, sum.value(kept));
            }
        }
    }
    Fold::None
}

pub fn mul<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    if let Some(fold) = binary(op, operands, FloatOp::Mul, IntOp::Mul) {
        return fold;
    }
    // x * 1 is x in every mode, and for floats (a NaN is a NaN).
    if is_int(operands, 1) || is(float_rhs(operands), 1.0) {
        return same(op, op.value(0));
    }
    // x * 0 is 0 for integers in every mode; a float may be infinite, NaN or negative.
    if is_int(operands, 0) {
        return bits(op, 0);
    }
    Fold::None
}

pub fn div<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let rounding = rounding(op);
    let on_floats = rounding.map_or(FloatOp::Div, FloatOp::WholeDiv);
    if let Some(fold) = binary(op, operands, on_floats, IntOp::Div(rounding.unwrap_or(Rounding::Trunc))) {
        return fold;
    }
    // x / 1 is x in every mode and rounding; of floats, that of true division.
    if is_int(operands, 1) || rounding.is_none() && is(float_rhs(operands), 1.0) {
        return same(op, op.value(0));
    }
    // (x * c) / c is x where the product is the true one: python, proven, signed native.
    if let Some((_, c)) = int_rhs(operands)
        && c != 0
        && let Some(product) = inner(op, op.value(0), MulOp::NAME)
        && ideal(op)
        && constant::int_of(product.value(1)) == Some(c)
    {
        return same(op, product.value(0));
    }
    Fold::None
}

pub fn mod_<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let rounding = rounding(op).unwrap_or(Rounding::Floor);
    if let Some(fold) = binary(op, operands, FloatOp::Mod(rounding), IntOp::Mod(rounding)) {
        return fold;
    }
    // x % 1 and x % -1 are 0 in every mode and rounding.
    if is_int(operands, 1) || is_int(operands, -1) {
        return bits(op, 0);
    }
    // (x * c) % c is 0 where the product is the true one: python, proven, signed native.
    if let Some((_, c)) = int_rhs(operands)
        && c != 0
        && let Some(product) = inner(op, op.value(0), MulOp::NAME)
        && ideal(op)
        && constant::int_of(product.value(1)) == Some(c)
    {
        return bits(op, 0);
    }
    Fold::None
}

pub fn neg<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    if let Some(a) = at(operands, 0) {
        let value = match a.ty {
            ScalarType::Float(ty) => Some(float::neg(ty, a.bits)),
            ty => ty.as_int().and_then(|ty| int::neg(ty, mode(op), a.bits).ok()),
        };
        return value.map_or(Fold::None, |value| bits(op, value));
    }
    // neg(neg(x)) is x: floats flip a bit, integers in one mode that is not checked.
    if let Some(negated) = op.value(0).defined_by(NegOp::NAME)
        && (is_float_like(op.result_type()) || mode(op) == mode(negated) && mode(op) != Overflow::Checked)
    {
        return same(op, negated.value(0));
    }
    Fold::None
}

/// All bits set, of the integer or bool type.
fn ones(ty: ScalarType) -> Option<u64> {
    match ty {
        ScalarType::Bool => Some(1),
        ty => Some(ty.as_int()?.wrap(-1)),
    }
}

/// Whether one of the values is the other's complement: `xor` with all bits set.
fn complements(a: Value<'_, '_>, b: Value<'_, '_>) -> bool {
    let of = |value: Value<'_, '_>, other: Value<'_, '_>| {
        value.defined_by(XorOp::NAME).is_some_and(|xor| {
            xor.value(0) == other && constant::of(xor.value(1)).is_some_and(|c| ones(c.ty) == Some(c.bits))
        })
    };
    of(a, b) || of(b, a)
}

pub fn and<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let (lhs, rhs) = (op.value(0), op.value(1));
    match (at(operands, 0), at(operands, 1)) {
        (Some(a), Some(b)) => return bits(op, a.bits & b.bits),
        // x & 0 is 0, x & ~0 is x.
        (None, Some(b)) if b.bits == 0 => return bits(op, 0),
        (None, Some(b)) if ones(b.ty) == Some(b.bits) => return same(op, lhs),
        _ => {}
    }
    // x & ~x is 0; x & (x | y) is x; x & (x & y) is x & y.
    if complements(lhs, rhs) {
        return bits(op, 0);
    }
    absorbed(op, OrOp::NAME, AndOp::NAME)
}

pub fn or<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let (lhs, rhs) = (op.value(0), op.value(1));
    match (at(operands, 0), at(operands, 1)) {
        (Some(a), Some(b)) => return bits(op, a.bits | b.bits),
        // x | 0 is x, x | ~0 is ~0.
        (None, Some(b)) if b.bits == 0 => return same(op, lhs),
        (None, Some(b)) if ones(b.ty) == Some(b.bits) => return bits(op, b.bits),
        _ => {}
    }
    // x | ~x is ~0; x | (x & y) is x; x | (x | y) is x | y.
    if complements(lhs, rhs)
        && let Some(all) = constant::scalar_type(op.result_type()).and_then(ones)
    {
        return bits(op, all);
    }
    absorbed(op, AndOp::NAME, OrOp::NAME)
}

/// `x op (x dual y)` is `x`, and `x op (x op y)` is the inner result.
fn absorbed<'c, 'a>(op: Op<'c, 'a>, dual: &str, own: &str) -> Fold<'c, 'a> {
    for (x, other) in [(op.value(0), op.value(1)), (op.value(1), op.value(0))] {
        let Some(inner) = other.defining_op() else { continue };
        let name = inner.op_name();
        if name != dual && name != own || inner.value(0) != x && inner.value(1) != x {
            continue;
        }
        return same(op, if name == dual { x } else { other });
    }
    Fold::None
}

pub fn xor<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    match (at(operands, 0), at(operands, 1)) {
        (Some(a), Some(b)) => return bits(op, a.bits ^ b.bits),
        // x ^ 0 is x.
        (None, Some(b)) if b.bits == 0 => return same(op, op.value(0)),
        _ => {}
    }
    // x ^ x is 0.
    if op.value(0) == op.value(1) { bits(op, 0) } else { Fold::None }
}

/// Whether a shift's amount is a constant inside `0 .. width`.
fn amount(operands: Operands) -> Option<i128> {
    let (ty, amount) = int_rhs(operands)?;
    (0..i128::from(ty.width)).contains(&amount).then_some(amount)
}

pub fn shl<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let Some(amount) = amount(operands) else { return Fold::None };
    if let Some(a) = at(operands, 0) {
        let value = a.ty.as_int().and_then(|ty| int::shl(ty, mode(op), a.bits, amount).ok());
        return value.map_or(Fold::None, |value| bits(op, value));
    }
    // x << 0 is x in every mode.
    if amount == 0 { same(op, op.value(0)) } else { Fold::None }
}

pub fn shr<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let Some(amount) = amount(operands) else { return Fold::None };
    if let Some(a) = at(operands, 0) {
        let value = a.ty.as_int().and_then(|ty| int::shr(ty, Overflow::Wrap, a.bits, amount).ok());
        return value.map_or(Fold::None, |value| bits(op, value));
    }
    // x >> 0 is x.
    if amount == 0 { same(op, op.value(0)) } else { Fold::None }
}

pub fn cmp<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let Some(predicate) = CmpOp::cast(op).and_then(predicate) else { return Fold::None };
    let (a, b) = (at(operands, 0), at(operands, 1));
    if let (Some(a), Some(b)) = (a, b) {
        return bits(op, compare::compare(predicate, a.ty, a.bits, b.bits).into());
    }
    let type_ = op.value(0).r#type();
    let scalar = constant::scalar_type(type_);
    if op.value(0) == op.value(1) {
        // x < x and x > x are false of anything; the others are known unless x may be a NaN.
        let strict = matches!(predicate, Predicate::Lt | Predicate::Gt);
        if strict || scalar.is_some_and(|ty| !matches!(ty, ScalarType::Float(_))) {
            return bits(op, predicate.holds(Some(std::cmp::Ordering::Equal)).into());
        }
    }
    let Some(b) = b else { return Fold::None };
    // A bool compared with a constant that leaves it as it is.
    if b.ty == ScalarType::Bool && matches!((predicate, b.bits), (Predicate::Eq, 1) | (Predicate::Ne, 0)) {
        return same(op, op.value(0));
    }
    // x compared with an end of its type's range.
    if let (Some(ty), Some(value)) = (constant::int_type(type_), b.as_int())
        && bounded(op.value(0))
    {
        let known = match predicate {
            Predicate::Lt if value == ty.min() => false,
            Predicate::Ge if value == ty.min() => true,
            Predicate::Gt if value == ty.max() => false,
            Predicate::Le if value == ty.max() => true,
            _ => return Fold::None,
        };
        return bits(op, known.into());
    }
    Fold::None
}

/// Whether the value lies within its type in Python too, so that a rule may conclude from the type's range.
///
/// The result of `python` arithmetic does not: where it would not fit the function falls back, but once nothing reads
/// it the operation goes, and a conclusion from its range would stand without it. What passes values on (block
/// arguments, calls, stack memory, most operations) may pass such a one on.
pub fn bounded(value: Value<'_, '_>) -> bool {
    const MAX_CASTS: usize = 8;
    let mut value = value;
    for _ in 0..MAX_CASTS {
        match value.defined_by(CastOp::NAME) {
            Some(cast) => value = cast.value(0),
            None => break,
        }
    }
    if matches!(constant::scalar_type(value.r#type()), Some(ScalarType::Bool | ScalarType::Float(_))) {
        return true;
    }
    let Some(op) = value.defining_op() else { return false };
    match op.op_name() {
        ConstOp::NAME | BufferLenOp::NAME | BufferLoadOp::NAME => true,
        LoadOp::NAME => object(op.value(0)) == Object::Foreign,
        AddOp::NAME | SubOp::NAME | MulOp::NAME | NegOp::NAME | ShlOp::NAME => {
            matches!(mode(op), Overflow::Wrap | Overflow::Checked)
        }
        _ => false,
    }
}

pub fn select<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let (condition, yes, no) = (op.value(0), op.value(1), op.value(2));
    if yes == no {
        return same(op, yes);
    }
    if let Some(known) = at(operands, 0) {
        return same(op, if known.bits != 0 { yes } else { no });
    }
    // c ? true : false is c.
    if let (Some(a), Some(b)) = (at(operands, 1), at(operands, 2)) {
        if a.ty == ScalarType::Bool && (a.bits, b.bits) == (1, 0) {
            return same(op, condition);
        }
        if a == b {
            return same(op, yes);
        }
    }
    // x == y ? x : y is y, x != y ? x : y is x for integers; equal floats may be zeros of two signs, and equal pointers
    // may belong to two objects.
    if let Some(cmp) = condition.defining_op().and_then(CmpOp::cast)
        && constant::int_type(yes.r#type()).is_some()
        && ((cmp.lhs(), cmp.rhs()) == (yes, no) || (cmp.lhs(), cmp.rhs()) == (no, yes))
    {
        match predicate(cmp) {
            Some(Predicate::Eq) => return same(op, no),
            Some(Predicate::Ne) => return same(op, yes),
            _ => {}
        }
    }
    Fold::None
}

/// Whether every value of `from` is one of `to`, so that a cast loses nothing. Pointers are not looked at.
pub fn exact_cast(from: ScalarType, to: ScalarType) -> bool {
    let digits = |ty: FloatType| match ty {
        FloatType::F16 => 11,
        FloatType::Bf16 => 8,
        FloatType::F32 => 24,
        FloatType::F64 => 53,
    };
    match (from, to) {
        (ScalarType::Pointer, _) | (_, ScalarType::Pointer) => false,
        (from, to) if from == to => true,
        (ScalarType::Bool, _) => true,
        (_, ScalarType::Bool) => false,
        (ScalarType::Float(from), ScalarType::Float(to)) => match to {
            FloatType::F64 => true,
            FloatType::F32 => from != FloatType::F64,
            FloatType::F16 | FloatType::Bf16 => false,
        },
        (ScalarType::Float(_), _) => false,
        (from, ScalarType::Float(to)) => {
            from.as_int().is_some_and(|int| i32::from(int.width) - i32::from(int.signed) <= digits(to))
        }
        (from, to) => match (from.as_int(), to.as_int()) {
            (Some(from), Some(to)) => from.min() >= to.min() && from.max() <= to.max(),
            _ => false,
        },
    }
}

pub fn cast<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let (input, to) = (op.value(0), op.result_type());
    if let (Some(a), Some(to)) = (at(operands, 0), constant::scalar_type(to)) {
        // A float that no target agrees on is left.
        let agreed = match (a.as_f64(), to.as_int()) {
            (Some(value), Some(ty)) => (ty.min() as f64..(ty.max() + 1) as f64).contains(&value.trunc()),
            _ => true,
        };
        return match casts::cast(a.ty, to, a.bits) {
            Some(value) if agreed => bits(op, value),
            _ => Fold::None,
        };
    }
    // A marked cast says what the pointer reads.
    if !op.discardables().is_empty() {
        return Fold::None;
    }
    if input.r#type() == to {
        return same(op, input);
    }
    // There and back is the value itself, where the way there loses nothing.
    if let Some(first) = input.defined_by(CastOp::NAME)
        && first.value(0).r#type() == to
        && first.discardables().is_empty()
    {
        let middle = constant::scalar_type(input.r#type());
        let exact = match (constant::scalar_type(to), middle) {
            (Some(ScalarType::Pointer), Some(ScalarType::Pointer)) => true,
            (Some(from), Some(middle)) => exact_cast(from, middle),
            _ => false,
        };
        if exact {
            return same(op, first.value(0));
        }
    }
    Fold::None
}

pub fn ptr_offset<'c, 'a>(op: Op<'c, 'a>, operands: Operands<'_, 'c>) -> Fold<'c, 'a> {
    if is_int(operands, 0) { same(op, op.value(0)) } else { Fold::None }
}

/// The call of the intrinsic that defines the value.
pub fn intrinsic<'c, 'a>(value: Value<'c, 'a>, name: &str) -> Option<Op<'c, 'a>> {
    value.defined_by(CallIntrinsicOp::NAME).filter(|op| op.str_attribute("intrinsic") == Some(name))
}

pub fn buffer_data<'c, 'a>(op: Op<'c, 'a>, _: Operands<'_, 'c>) -> Fold<'c, 'a> {
    part_of_buffer(op, 0)
}

pub fn buffer_len<'c, 'a>(op: Op<'c, 'a>, _: Operands<'_, 'c>) -> Fold<'c, 'a> {
    part_of_buffer(op, 1)
}

/// What a buffer was made of, where the type is the same.
fn part_of_buffer<'c, 'a>(op: Op<'c, 'a>, part: usize) -> Fold<'c, 'a> {
    match intrinsic(op.value(0), "ppy.buffer_from_parts") {
        Some(made) if made.operand_len() == 2 && made.value(part).r#type() == op.result_type() => {
            same(op, made.value(part))
        }
        _ => Fold::None,
    }
}

pub fn tuple_extract<'c, 'a>(op: Op<'c, 'a>, _: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let index = TupleExtractOp::cast(op).and_then(|op| op.0.int_attribute("index")).map(|index| index as usize);
    match (op.value(0).defined_by(TupleMakeOp::NAME), index) {
        (Some(made), Some(index)) if index < made.operand_len() => same(op, made.value(index)),
        _ => Fold::None,
    }
}

pub fn struct_extract<'c, 'a>(op: Op<'c, 'a>, _: Operands<'_, 'c>) -> Fold<'c, 'a> {
    let Some(made) = op.value(0).defined_by(StructMakeOp::NAME) else { return Fold::None };
    let field = op.str_attribute("field");
    let index = StructType::cast(made.result_type())
        .and_then(|record| record.fields().into_iter().position(|name| Some(name) == field));
    match index {
        Some(index) if index < made.operand_len() => same(op, made.value(index)),
        _ => Fold::None,
    }
}
