//! The special functions in the LLVM dialect: calls of the C library, as `functions.rs` has them.

use super::functions::{OF_ORDER, UNARY, Unary, named};
use crate::{
    dialects::core::{
        lower::{Lowered, lane},
        lower_calls::call_c,
        lower_float::convert,
    },
    mlir::{
        conversion::{ConversionPatterns, ConversionRewriter, Refusal},
        llvm_ops::{FloatArith, Llvm},
        op::{Op, OpExt, ScalarType},
    },
};
use melior::ir::{Type, Value, ValueLike, attribute::FloatAttribute};
use std::f64::consts::FRAC_1_SQRT_2;

/// Adds the lowering of every special function.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_special.erf", unary);
    patterns.add("ppy_special.erfc", unary);
    patterns.add("ppy_special.gamma", unary);
    patterns.add("ppy_special.gammaln", unary);
    patterns.add("ppy_special.ndtr", unary);
    patterns.add("ppy_special.logit", unary);
    patterns.add("ppy_special.bessel_j0", unary);
    patterns.add("ppy_special.bessel_j1", unary);
    patterns.add("ppy_special.bessel_y0", unary);
    patterns.add("ppy_special.bessel_y1", unary);
    patterns.add("ppy_special.bessel_jn", of_order);
    patterns.add("ppy_special.bessel_yn", of_order);
}

/// The operation's name without its dialect.
fn name<'c>(op: Op<'c, '_>) -> &'c str {
    op.op_name().strip_prefix("ppy_special.").unwrap_or_default()
}

/// A C function of doubles, and of an order before them where there are two arguments.
fn c_function<'c: 'a, 'a>(
    op: Op<'c, 'a>,
    rewriter: &ConversionRewriter<'c, 'a>,
    name: &str,
    arguments: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Refusal> {
    if rewriter.symbols().is_own(name) {
        return Err(format!("it calls C's {name}, and the module has a {name} of its own: give that a ppy.symbol"));
    }
    let types: Vec<Type> = arguments.iter().map(|argument| argument.r#type()).collect();
    let llvm = Llvm::before(rewriter, op);
    let type_ = llvm.function(Some(Type::float64(llvm.context())), &types);
    call_c(op, rewriter, name, type_, arguments)?.ok_or_else(|| format!("{name} gives no value"))
}

fn unary<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [x] = *operands else { return Err("it has one operand".into()) };
    let scalar = lane(op.result_type())?;
    let llvm = Llvm::before(rewriter, op);
    let x = convert(&llvm, scalar, ScalarType::F64, x);
    let double = Type::float64(llvm.context());
    let number = |value: f64| llvm.constant(double, FloatAttribute::new(llvm.context(), double, value).into());
    let arith = |op: FloatArith, a, b| llvm.float_arith(op, a, b, false);
    let value = match named(UNARY, name(op)).ok_or("it is no function of one float")? {
        Unary::C(function, _) => c_function(op, rewriter, function, &[x])?,
        Unary::Ndtr => {
            let turned = arith(FloatArith::Mul, llvm.op("llvm.fneg", &[x], double), number(FRAC_1_SQRT_2));
            let tail = c_function(op, rewriter, "erfc", &[turned])?;
            arith(FloatArith::Mul, number(0.5), tail)
        }
        Unary::Logit => {
            let odds = arith(FloatArith::Div, x, arith(FloatArith::Sub, number(1.0), x));
            llvm.op("llvm.intr.log", &[odds], double)
        }
    };
    let llvm = Llvm::before(rewriter, op);
    rewriter.replace(op, &[convert(&llvm, ScalarType::F64, scalar, value)]);
    Ok(())
}

/// An order as C's `int`, inside `-INT_MAX ..= INT_MAX`, because the C library negates it.
fn c_int<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, order: Value<'c, 'a>, width: u32, signed: bool) -> Value<'c, 'a> {
    let (most, int) = (i64::from(i32::MAX), llvm.int(32));
    let limit = |name: &str, value, bound| llvm.op(name, &[value, llvm.integer(order.r#type(), bound)], order.r#type());
    if width < 32 {
        return llvm.op(if signed { "llvm.sext" } else { "llvm.zext" }, &[order], int);
    }
    let inside = match signed {
        true => limit("llvm.intr.smax", limit("llvm.intr.smin", order, most), -most),
        false => limit("llvm.intr.umin", order, most),
    };
    if width > 32 { llvm.op("llvm.trunc", &[inside], int) } else { inside }
}

fn of_order<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [order, x] = *operands else { return Err("it has two operands".into()) };
    let ScalarType::Int { width, signed } = lane(op.value(0).r#type())? else {
        return Err("its order is an integer".into());
    };
    let scalar = lane(op.result_type())?;
    let (function, _) = named(OF_ORDER, name(op)).ok_or("it is no function of an order")?;
    let llvm = Llvm::before(rewriter, op);
    let arguments = [c_int(&llvm, order, width, signed), convert(&llvm, scalar, ScalarType::F64, x)];
    let value = c_function(op, rewriter, function, &arguments)?;
    let llvm = Llvm::before(rewriter, op);
    rewriter.replace(op, &[convert(&llvm, ScalarType::F64, scalar, value)]);
    Ok(())
}
