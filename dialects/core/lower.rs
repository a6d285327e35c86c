//! The core operations in the LLVM dialect: the table, arithmetic, comparison and control. Casts are in
//! `lower_cast.rs`, floats in `lower_float.rs`, memory and aggregates in `lower_memory.rs`, functions and calls in
//! `lower_calls.rs`, types in `lower_types.rs`.
//!
//! **The meaning is `crate::semantics`, bit for bit**; where that says "undefined" LLVM may do anything, and `nsw` and
//! `nuw` tell it so. Operands that fail into the fallback become a check (`Llvm::fail_if`), before the instruction that
//! has no result on them.

use super::{
    enums::{Overflow, Predicate, Rounding},
    lower_calls as calls, lower_cast, lower_float as floats, lower_memory as memory, lower_profile as profile,
};
use crate::{
    interp::{FALLBACK, RAISED, SANITIZERS},
    mlir::{
        attribute::{dense_of, integer_bits, is_null_attribute},
        conversion::{ConversionPatterns, ConversionRewriter, Refusal},
        llvm_ops::{Arith, FCmp, FloatArith, ICmp, Llvm, Wraps, known_integer},
        op::{Op, OpExt, ScalarType, element_or_self, scalar_type, vector_lanes},
    },
};
use melior::ir::{Type, Value, ValueLike, operation::OperationLike};

/// What a lowering answers.
pub type Lowered = Result<(), Refusal>;

/// The refusal of an operation whose function was refused, with its reason.
pub(super) const NO_FUNCTION: &str = "";

/// Adds the lowering of every core operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_core.const", constant);
    patterns.add("ppy_core.add", |op, v, r| arithmetic(op, v, r, Arith::Add, FloatArith::Add));
    patterns.add("ppy_core.sub", |op, v, r| arithmetic(op, v, r, Arith::Sub, FloatArith::Sub));
    patterns.add("ppy_core.mul", |op, v, r| arithmetic(op, v, r, Arith::Mul, FloatArith::Mul));
    patterns.add("ppy_core.neg", negation);
    patterns.add("ppy_core.div", |op, v, r| division(op, v, r, Wanted::Quotient));
    patterns.add("ppy_core.mod", |op, v, r| division(op, v, r, Wanted::Remainder));
    patterns.add("ppy_core.and", |op, v, r| bits(op, v, r, Arith::And));
    patterns.add("ppy_core.or", |op, v, r| bits(op, v, r, Arith::Or));
    patterns.add("ppy_core.xor", |op, v, r| bits(op, v, r, Arith::Xor));
    patterns.add("ppy_core.shl", shift_left);
    patterns.add("ppy_core.shr", shift_right);
    patterns.add("ppy_core.cmp", comparison);
    patterns.add("ppy_core.select", select);
    patterns.add("ppy_core.cast", lower_cast::cast);
    patterns.add("ppy_core.br", br);
    patterns.add("ppy_core.cond_br", cond_br);
    patterns.add("ppy_core.unreachable", unreachable);
    patterns.add("ppy_core.guard", guard);
    memory::add(patterns);
    calls::add(patterns);
}

/// The machine integer of an operand, with its sign.
#[derive(Clone, Copy)]
pub(super) struct Int<'c> {
    /// The LLVM type, a vector for lanes.
    pub type_: Type<'c>,
    pub width: u32,
    pub signed: bool,
}

impl Int<'_> {
    fn min(self) -> i64 {
        i64::MIN >> (64 - self.width)
    }
}

/// The scalar of a value or of its lanes.
pub fn lane(type_: Type<'_>) -> Result<ScalarType, Refusal> {
    scalar_type(element_or_self(type_)).ok_or_else(|| format!("{type_} is no scalar"))
}

pub(super) fn is_float(scalar: ScalarType) -> bool {
    matches!(scalar, ScalarType::F16 | ScalarType::Bf16 | ScalarType::F32 | ScalarType::F64)
}

fn mode(op: Op) -> Result<Overflow, Refusal> {
    op.int_attribute("overflow")
        .and_then(Overflow::from_number)
        .ok_or_else(|| "it has no overflow mode: add overflow<python> or another mode".to_owned())
}

/// The modes whose failure is the fallback's.
fn falls_back(mode: Overflow) -> bool {
    matches!(mode, Overflow::Python | Overflow::Checked)
}

/// What a mode promises about results that do not fit.
fn promise(mode: Overflow, signed: bool) -> Wraps {
    match (mode, signed) {
        (Overflow::Proven | Overflow::Native, true) => Wraps::NotSigned,
        (Overflow::Proven, false) => Wraps::NotUnsigned,
        _ => Wraps::Maybe,
    }
}

/// A vector has no lane that could fall back alone.
fn refuse_lanes(op: Op, mode: Overflow) -> Lowered {
    match vector_lanes(op.result_type()) {
        Some(_) => {
            Err(format!("lanes cannot fall back: {} arithmetic is for scalars, use wrap or proven", mode.as_str()))
        }
        None => Ok(()),
    }
}

fn int<'c>(scalar: ScalarType, converted: Value<'c, '_>) -> Result<Int<'c>, Refusal> {
    match scalar {
        ScalarType::Int { width, signed } => Ok(Int { type_: converted.r#type(), width, signed }),
        other => Err(format!("it needs integers, not {other:?}")),
    }
}

// ---------------------------------------------------------------- constants

/// The attribute of an LLVM constant: the same bits, without a sign in the type.
fn constant<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let value = op.inherent("value").ok_or("it has no value")?;
    let llvm = Llvm::before(rewriter, op);
    let type_ = op.result_type();
    let machine = rewriter.convert_type(type_).ok_or_else(|| format!("{type_} has no value at the machine"))?;
    let result = match scalar_type(type_) {
        Some(ScalarType::Bool | ScalarType::Int { .. }) => {
            let bits = integer_bits(value).ok_or_else(|| format!("{value} is no integer"))?;
            llvm.integer(machine, bits)
        }
        Some(_) => llvm.constant(machine, value),
        None if is_null_attribute(value) => llvm.zero(machine),
        None if vector_lanes(type_).is_some() => {
            // A machine's integers have no sign.
            let lanes = dense_of(machine, value).ok_or_else(|| format!("{value} has no lanes of the machine"))?;
            llvm.constant(machine, lanes)
        }
        None => return Err(format!("there are no constants of type {type_}")),
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

// ---------------------------------------------------------------- arithmetic

/// Whether the function asked for fast-math.
pub fn fast(op: Op) -> bool {
    op.ancestor("llvm.func").is_some_and(|func| func.discardable(FAST).is_some())
}

/// On an `llvm.func` during the conversion.
pub const FAST: &str = "ppy.fast";

fn arithmetic<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    int_op: Arith,
    float_op: FloatArith,
) -> Lowered {
    let [a, b] = *operands else { return Err("it has two operands".into()) };
    let scalar = lane(op.result_type())?;
    let llvm = Llvm::before(rewriter, op);
    let result = if is_float(scalar) {
        floats::arith(&llvm, scalar, float_op, a, b, fast(op))
    } else {
        let (int, mode) = (int(scalar, a)?, mode(op)?);
        if falls_back(mode) {
            refuse_lanes(op, mode)?;
            let (value, over) = llvm.with_overflow(int_op, int.signed, a, b);
            llvm.fail_if(over, true, FALLBACK);
            value
        } else {
            llvm.arith_with(int_op, a, b, promise(mode, int.signed))
        }
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

fn negation<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [a] = *operands else { return Err("it has one operand".into()) };
    let scalar = lane(op.result_type())?;
    let llvm = Llvm::before(rewriter, op);
    let result = if is_float(scalar) {
        llvm.op("llvm.fneg", &[a], a.r#type())
    } else {
        let (int, mode) = (int(scalar, a)?, mode(op)?);
        if falls_back(mode) {
            refuse_lanes(op, mode)?;
        }
        negate(&llvm, int, mode, a)
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

fn negate<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, int: Int<'c>, mode: Overflow, a: Value<'c, 'a>) -> Value<'c, 'a> {
    let zero = llvm.integer(int.type_, 0);
    if falls_back(mode) {
        let (value, over) = llvm.with_overflow(Arith::Sub, int.signed, zero, a);
        llvm.fail_if(over, true, FALLBACK);
        return value;
    }
    llvm.arith_with(Arith::Sub, zero, a, promise(mode, int.signed))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Quotient,
    Remainder,
}

fn division<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    wanted: Wanted,
) -> Lowered {
    let [a, b] = *operands else { return Err("it has two operands".into()) };
    let scalar = lane(op.result_type())?;
    let rounding = op.int_attribute("rounding").and_then(Rounding::from_number);
    let llvm = Llvm::before(rewriter, op);
    let result = if is_float(scalar) {
        match (wanted, rounding) {
            (Wanted::Quotient, None) => floats::arith(&llvm, scalar, FloatArith::Div, a, b, fast(op)),
            (Wanted::Quotient, Some(rounding)) => floats::whole_division(&llvm, scalar, rounding, a, b),
            (Wanted::Remainder, rounding) => {
                floats::remainder(&llvm, scalar, rounding.unwrap_or(Rounding::Floor), a, b)
            }
        }
    } else {
        let (int, mode) = (int(scalar, a)?, mode(op)?);
        if falls_back(mode) {
            refuse_lanes(op, mode)?;
        }
        let rounding = rounding.ok_or("it has no rounding: add rounding<floor> or rounding<trunc>")?;
        int_division(&llvm, int, mode, rounding, wanted, a, b)
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

fn int_division<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    int: Int<'c>,
    mode: Overflow,
    rounding: Rounding,
    wanted: Wanted,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let number = |value: i64| llvm.integer(int.type_, value);
    let known = known_integer(b);
    match known {
        // LLVM has no division by 0 at all; this one is never reached, or falls back.
        Some(0) => {
            if falls_back(mode) {
                llvm.fail_if(llvm.integer(llvm.int(1), 1), true, FALLBACK);
            }
            return number(0);
        }
        Some(1) => return if wanted == Wanted::Quotient { a } else { number(0) },
        Some(-1) if int.signed => {
            return if wanted == Wanted::Quotient { negate(llvm, int, mode, a) } else { number(0) };
        }
        Some(divisor) if int.signed && divisor > 0 && divisor & (divisor - 1) == 0 && rounding == Rounding::Floor => {
            return match wanted {
                Wanted::Quotient => llvm.arith(Arith::AShr, a, number(divisor.trailing_zeros().into())),
                Wanted::Remainder => llvm.arith(Arith::And, a, number(divisor - 1)),
            };
        }
        _ => {}
    }
    if known.is_none() && falls_back(mode) {
        llvm.fail_if(llvm.icmp(ICmp::Eq, b, number(0)), true, FALLBACK);
    }
    if !int.signed {
        return llvm.arith(if wanted == Wanted::Quotient { Arith::UDiv } else { Arith::URem }, a, b);
    }
    let b = if known.is_some() { b } else { safe_divisor(llvm, int, mode, wanted, a, b) };
    let quotient = (wanted == Wanted::Quotient).then(|| llvm.arith(Arith::SDiv, a, b));
    if rounding == Rounding::Trunc {
        return quotient.unwrap_or_else(|| llvm.arith(Arith::SRem, a, b));
    }
    // The truncated division is one too high where it has a rest of the other sign.
    let rest = llvm.arith(Arith::SRem, a, b);
    let down = match known {
        Some(divisor) => llvm.icmp(if divisor > 0 { ICmp::Slt } else { ICmp::Sgt }, rest, number(0)),
        None => {
            let other_sign = llvm.icmp(ICmp::Slt, llvm.arith(Arith::Xor, rest, b), number(0));
            let some = llvm.icmp(ICmp::Ne, rest, number(0));
            llvm.arith(Arith::And, some, other_sign)
        }
    };
    match quotient {
        Some(quotient) => {
            let one = llvm.op("llvm.zext", &[down], int.type_);
            llvm.arith(Arith::Sub, quotient, one)
        }
        None => llvm.select(down, llvm.arith(Arith::Add, rest, b), rest),
    }
}

/// A divisor on which LLVM's division is defined: `proven` and `native` promise it. The smallest value by -1 overflows
/// the quotient: a check where that falls back, else a division by 1, which has that value's wrapped quotient and rest.
/// The rest by -1 is 0.
fn safe_divisor<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    int: Int<'c>,
    mode: Overflow,
    wanted: Wanted,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let number = |value: i64| llvm.integer(int.type_, value);
    let minus_one = || llvm.icmp(ICmp::Eq, b, number(-1));
    if matches!(mode, Overflow::Proven | Overflow::Native) {
        return b;
    }
    if wanted == Wanted::Remainder {
        return llvm.select(minus_one(), number(1), b);
    }
    let smallest = llvm.icmp(ICmp::Eq, a, number(int.min()));
    let over = llvm.arith(Arith::And, smallest, minus_one());
    if falls_back(mode) {
        llvm.fail_if(over, true, FALLBACK);
        return b;
    }
    llvm.select(over, number(1), b)
}

// ---------------------------------------------------------------- bits

fn bits<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    which: Arith,
) -> Lowered {
    let [a, b] = *operands else { return Err("it has two operands".into()) };
    let result = Llvm::before(rewriter, op).arith(which, a, b);
    rewriter.replace(op, &[result]);
    Ok(())
}

/// Whether an amount is known to be in `0..width`.
fn known_amount(int: Int, amount: Value) -> bool {
    known_integer(amount).is_some_and(|n| (0..i64::from(int.width)).contains(&n))
}

fn shift_left<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [a, n] = *operands else { return Err("it has two operands".into()) };
    let int = int(lane(op.result_type())?, a)?;
    let mode = op.int_attribute("overflow").and_then(Overflow::from_number).unwrap_or(Overflow::Wrap);
    if falls_back(mode) {
        refuse_lanes(op, mode)?;
    }
    let llvm = Llvm::before(rewriter, op);
    let known = known_amount(int, n);
    let inside = || llvm.icmp(ICmp::Ult, n, llvm.integer(int.type_, int.width.into()));
    let result = match mode {
        Overflow::Python | Overflow::Checked => {
            if !known {
                llvm.fail_if(inside(), false, FALLBACK);
            }
            let shifted = llvm.arith(Arith::Shl, a, n);
            let back = llvm.arith(if int.signed { Arith::AShr } else { Arith::LShr }, shifted, n);
            llvm.fail_if(llvm.icmp(ICmp::Eq, back, a), false, FALLBACK);
            shifted
        }
        Overflow::Wrap if !known => {
            let shifted = llvm.arith(Arith::Shl, a, n);
            llvm.select(inside(), shifted, llvm.integer(int.type_, 0))
        }
        mode => llvm.arith_with(Arith::Shl, a, n, promise(mode, int.signed)),
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

fn shift_right<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [a, n] = *operands else { return Err("it has two operands".into()) };
    let int = int(lane(op.result_type())?, a)?;
    let llvm = Llvm::before(rewriter, op);
    let number = |value: u32| llvm.integer(int.type_, value.into());
    let known = known_amount(int, n);
    let result = match (int.signed, known) {
        (true, true) => llvm.arith(Arith::AShr, a, n),
        (true, false) => {
            let most = llvm.op("llvm.intr.umin", &[n, number(int.width - 1)], int.type_);
            llvm.arith(Arith::AShr, a, most)
        }
        (false, true) => llvm.arith(Arith::LShr, a, n),
        (false, false) => {
            let inside = llvm.icmp(ICmp::Ult, n, number(int.width));
            llvm.select(inside, llvm.arith(Arith::LShr, a, n), number(0))
        }
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

// ---------------------------------------------------------------- comparison

fn comparison<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [a, b] = *operands else { return Err("it has two operands".into()) };
    let predicate = op.int_attribute("predicate").and_then(Predicate::from_number).ok_or("it has no predicate")?;
    let type_ = op.value(0).r#type();
    let signed = match scalar_type(element_or_self(type_)) {
        Some(scalar) if is_float(scalar) => {
            let predicate = match predicate {
                Predicate::Eq => FCmp::Oeq,
                Predicate::Ne => FCmp::Une,
                Predicate::Lt => FCmp::Olt,
                Predicate::Le => FCmp::Ole,
                Predicate::Gt => FCmp::Ogt,
                Predicate::Ge => FCmp::Oge,
            };
            let result = Llvm::before(rewriter, op).fcmp(predicate, a, b);
            rewriter.replace(op, &[result]);
            return Ok(());
        }
        Some(ScalarType::Int { signed, .. }) => signed,
        Some(_) => false,
        None if super::type_views::PtrType::cast(type_).is_some() => false,
        None => return Err(format!("{type_} has no order and no equality at the machine")),
    };
    let predicate = match (predicate, signed) {
        (Predicate::Eq, _) => ICmp::Eq,
        (Predicate::Ne, _) => ICmp::Ne,
        (Predicate::Lt, true) => ICmp::Slt,
        (Predicate::Le, true) => ICmp::Sle,
        (Predicate::Gt, true) => ICmp::Sgt,
        (Predicate::Ge, true) => ICmp::Sge,
        (Predicate::Lt, false) => ICmp::Ult,
        (Predicate::Le, false) => ICmp::Ule,
        (Predicate::Gt, false) => ICmp::Ugt,
        (Predicate::Ge, false) => ICmp::Uge,
    };
    let result = Llvm::before(rewriter, op).icmp(predicate, a, b);
    rewriter.replace(op, &[result]);
    Ok(())
}

fn select<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [condition, yes, no] = *operands else { return Err("it has three operands".into()) };
    let result = Llvm::before(rewriter, op).select(condition, yes, no);
    rewriter.replace(op, &[result]);
    Ok(())
}

// ---------------------------------------------------------------- control

fn br<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let block = op.successor(0).map_err(|_| "it has no target")?;
    Llvm::before(rewriter, op).br(block, operands);
    rewriter.erase(op);
    Ok(())
}

fn cond_br<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let (Ok(yes), Ok(no)) = (op.successor(0), op.successor(1)) else { return Err("it has two targets".into()) };
    let count = op.segment(1).len();
    let Some((condition, rest)) = operands.split_first() else { return Err("it has no condition".into()) };
    let Some((yes_values, no_values)) = rest.split_at_checked(count) else {
        return Err("an operand is missing".into());
    };
    let branch = Llvm::before(rewriter, op).cond_br(*condition, (yes, yes_values), (no, no_values));
    profile::branch(op, branch);
    rewriter.erase(op);
    Ok(())
}

fn unreachable<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    Llvm::before(rewriter, op).op_with("llvm.unreachable", &[], None, &[]);
    rewriter.erase(op);
    Ok(())
}

/// The status a guard's failure answers.
fn guard_status(op: Op) -> i32 {
    match op.str_attribute("label") {
        Some("raised") => RAISED,
        Some(label) => {
            let kind = label.strip_prefix("sanitize:");
            SANITIZERS.iter().find(|(name, _)| Some(*name) == kind).map_or(FALLBACK, |(_, status)| *status)
        }
        None => FALLBACK,
    }
}

fn guard<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let Some(condition) = operands.first() else { return Err("it has no condition".into()) };
    Llvm::before(rewriter, op).fail_if(*condition, false, guard_status(op));
    rewriter.erase(op);
    Ok(())
}
