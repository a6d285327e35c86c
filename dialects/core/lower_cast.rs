//! `ppy_core.cast` in the LLVM dialect: what `crate::semantics::cast` says.

use super::{
    lower::{Lowered, lane},
    lower_float as floats,
    type_views::PtrType,
};
use crate::mlir::{
    conversion::{ConversionRewriter, Refusal},
    llvm_ops::{Arith, FCmp, ICmp, Llvm},
    op::{Op, OpExt, ScalarType, vector_lanes},
};
use melior::ir::{Type, Value, ValueLike};

pub fn cast<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [value] = *operands else { return Err("it has one operand".into()) };
    let (from, to) = (op.value(0).r#type(), op.result_type());
    let machine = rewriter.convert_type(to).ok_or_else(|| format!("{to} has no value at the machine"))?;
    let (from_pointer, to_pointer) = (PtrType::cast(from).is_some(), PtrType::cast(to).is_some());
    let refuse = |scalar: ScalarType| Err(format!("no address converts to or from {scalar:?}"));
    let llvm = Llvm::before(rewriter, op);
    let result = match (from_pointer, to_pointer) {
        (true, true) => value,
        (true, false) => match lane(to)? {
            ScalarType::Int { .. } => llvm.op("llvm.ptrtoint", &[value], machine),
            other => return refuse(other),
        },
        (false, true) => match lane(from)? {
            scalar @ ScalarType::Int { .. } => {
                let address = scalar_cast(&llvm, scalar, ADDRESS, value, llvm.int(64))?;
                llvm.op("llvm.inttoptr", &[address], machine)
            }
            other => return refuse(other),
        },
        (false, false) => scalar_cast(&llvm, lane(from)?, lane(to)?, value, machine)?,
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

const ADDRESS: ScalarType = ScalarType::Int { width: 64, signed: false };

fn scalar_cast<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    from: ScalarType,
    to: ScalarType,
    value: Value<'c, 'a>,
    machine: Type<'c>,
) -> Result<Value<'c, 'a>, Refusal> {
    use ScalarType::{Bool, Int};
    Ok(match (from, to) {
        (from, to) if from == to => value,
        (Bool, Int { .. }) => llvm.op("llvm.zext", &[value], machine),
        (Int { .. }, Bool) => llvm.icmp(ICmp::Ne, value, llvm.integer(value.r#type(), 0)),
        (Int { width, signed }, Int { width: target, .. }) => resize(llvm, value, width, signed, target, machine),
        (Bool, to) => int_to_float(llvm, value, 1, false, to, machine),
        (_, Bool) => llvm.fcmp(FCmp::Une, value, llvm.zero(value.r#type())),
        (Int { width, signed }, to) => int_to_float(llvm, value, width, signed, to, machine),
        (from, Int { width, signed }) => float_to_int(llvm, from, value, width, signed, machine),
        (from, to) => floats::convert(llvm, from, to, value),
    })
}

fn resize<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    width: u32,
    signed: bool,
    target: u32,
    machine: Type<'c>,
) -> Value<'c, 'a> {
    match width.cmp(&target) {
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => llvm.op("llvm.trunc", &[value], machine),
        std::cmp::Ordering::Less => llvm.op(if signed { "llvm.sext" } else { "llvm.zext" }, &[value], machine),
    }
}

fn int_to_float<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    value: Value<'c, 'a>,
    width: u32,
    signed: bool,
    to: ScalarType,
    machine: Type<'c>,
) -> Value<'c, 'a> {
    let name = if signed { "llvm.sitofp" } else { "llvm.uitofp" };
    if matches!(to, ScalarType::F32 | ScalarType::F64) {
        return llvm.op(name, &[value], machine);
    }
    // LLVM goes to a small float through f32, rounding twice. f64 holds up to 53 bits.
    let wide = floats::lanes_like(machine, Type::float64(llvm.context()));
    let exact = if width > 53 { odd(llvm, value, signed) } else { value };
    floats::convert(llvm, ScalarType::F64, to, llvm.op(name, &[exact], wide))
}

/// A 64-bit integer in 53 bits: below 2^53 itself, else with the last kept bit set when bits were lost, so that
/// rounding it again gives what rounding the exact value gives.
fn odd<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, value: Value<'c, 'a>, signed: bool) -> Value<'c, 'a> {
    let type_ = value.r#type();
    let number = |n: i64| llvm.integer(type_, n);
    let lost = llvm.icmp(ICmp::Ne, llvm.arith(Arith::And, value, number(0x7ff)), number(0));
    let sticky = llvm.arith(Arith::Shl, llvm.op("llvm.zext", &[lost], type_), number(11));
    let kept = llvm.arith(Arith::Or, llvm.arith(Arith::And, value, number(!0x7ff)), sticky);
    let small = if signed {
        let moved = llvm.arith(Arith::Add, value, number(1 << 53));
        llvm.icmp(ICmp::Ult, moved, number(1 << 54))
    } else {
        llvm.icmp(ICmp::Ult, value, number(1 << 53))
    };
    llvm.select(small, value, kept)
}

/// Saturates to the ends of `i64` (or of `u64`, towards that type), then wraps; a NaN is 0.
fn float_to_int<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    from: ScalarType,
    value: Value<'c, 'a>,
    width: u32,
    signed: bool,
    machine: Type<'c>,
) -> Value<'c, 'a> {
    let (value, name) = match from {
        ScalarType::F64 => (value, "f64"),
        ScalarType::F32 => (value, "f32"),
        _ => {
            let wide = floats::lanes_like(value.r#type(), Type::float32(llvm.context()));
            (llvm.op("llvm.fpext", &[value], wide), "f32")
        }
    };
    let wide = floats::lanes_like(machine, llvm.int(64));
    let saturate = |kind: &str| {
        let lanes = vector_lanes(machine).map_or(String::new(), |lanes| format!("v{lanes}"));
        llvm.intrinsic(&format!("llvm.{kind}.sat.{lanes}i64.{lanes}{name}"), &[value], wide)
    };
    let whole = saturate("fptosi");
    if width == 64 && !signed {
        let positive = llvm.fcmp(FCmp::Ogt, value, llvm.zero(value.r#type()));
        return llvm.select(positive, saturate("fptoui"), whole);
    }
    resize(llvm, whole, 64, true, width, machine)
}
