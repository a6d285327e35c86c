//! What the special functions do when the interpreter runs them: `functions.rs`.

use super::functions::{self, OF_ORDER, UNARY, named};
use crate::dialects::core::interp_memory::index_type;
use crate::interp::Rule;
use crate::interp::compile::{Compiled, Decode, Operand};
use crate::interp::error::Refusal;
use crate::semantics::{FloatType, ScalarType};

/// The rules of the special dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("special.erf", unary),
    ("special.erfc", unary),
    ("special.gamma", unary),
    ("special.gammaln", unary),
    ("special.ndtr", unary),
    ("special.logit", unary),
    ("special.bessel_j0", unary),
    ("special.bessel_j1", unary),
    ("special.bessel_y0", unary),
    ("special.bessel_y1", unary),
    ("special.bessel_jn", of_order),
    ("special.bessel_yn", of_order),
];

type Ruled = Result<Compiled, Refusal>;

/// The float type that the operand and the result share.
fn float(operand: &Operand, result: &Operand) -> Result<FloatType, Refusal> {
    match ScalarType::of(operand.ty) {
        Some(ScalarType::Float(ty)) if operand.ty == result.ty => Ok(ty),
        _ => Err(Refusal(format!("works on one float type, not {} and {}", operand.ty, result.ty))),
    }
}

/// The operation's name without its dialect.
fn name<'m>(d: &Decode<'m, '_>) -> &'m str {
    d.op.name.split_once('.').map_or("", |(_, name)| name)
}

fn unary(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (from, to) = (d.operand(0)?, d.result(0)?);
    let ty = float(&from, &to)?;
    let function = named(UNARY, name(d)).ok_or("is no function of one float")?;
    let (from, to) = (from.slot, to.slot);
    Ok(Compiled::step(move |cx| {
        let bits = functions::unary(function, ty, cx.get(from));
        cx.set(to, bits);
        Ok(())
    }))
}

fn of_order(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (order, from, to) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    let (integer, ty) = (index_type(&order)?, float(&from, &to)?);
    let function = named(OF_ORDER, name(d)).ok_or("is no function of an order")?;
    let (order, from, to) = (order.slot, from.slot, to.slot);
    Ok(Compiled::step(move |cx| {
        let bits = functions::of_order(function, ty, integer.value(cx.get(order)), cx.get(from));
        cx.set(to, bits);
        Ok(())
    }))
}
