//! What is known of floats: a number that a value is not below, unless it is a NaN.
//!
//! Rounding keeps the order: where `a >= p` and `b >= q`, the rounded sum of `a` and `b` is not below that of `p` and
//! `q`. So the bound of a result is the operation itself on the bounds of its operands.

use crate::{
    dialects::{
        core::{
            constant::{self, int_type},
            fold::predicate,
            ops::*,
        },
        math::ops::{AbsOp, SqrtOp},
    },
    mlir::prelude::*,
    semantics::{
        FloatType, ScalarType,
        compare::Predicate,
        float::{FloatOp, binary, decode, encode},
        math::{Unary, unary},
    },
};

/// How deep an expression is looked into.
const MAX_DEPTH: u32 = 8;

/// Whether the comparison of a float with a constant is known, if the float is a NaN or not.
pub fn decide(cmp: CmpOp) -> Option<bool> {
    let ScalarType::Float(ty) = constant::scalar_type(cmp.lhs().r#type())? else { return None };
    let against = decode(ty, constant::of(cmp.rhs())?.bits);
    let least = decode(ty, least(cmp.lhs(), ty, MAX_DEPTH)?);
    let known = match predicate(cmp)? {
        Predicate::Ne => (least > against).then_some(true),
        Predicate::Eq | Predicate::Le => (least > against).then_some(false),
        Predicate::Lt => (least >= against).then_some(false),
        // Of a NaN they are false.
        Predicate::Gt | Predicate::Ge => None,
    };
    // Fast-math may compute it in another way.
    known.filter(|_| cmp.0.ancestor(FuncOp::NAME).is_some_and(|f| f.discardable("fastmath").is_none()))
}

/// The bits of a number that the value is not below, if it is no NaN.
fn least(value: Value, ty: FloatType, depth: u32) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    if let Some(known) = constant::of(value) {
        return (!decode(ty, known.bits).is_nan()).then_some(known.bits);
    }
    let op = value.defining_op()?;
    let zero = encode(ty, 0.0);
    let operand = |index: usize| least(op.value(index), ty, depth);
    let natural = |index: usize| operand(index).filter(|bits| decode(ty, *bits) >= 0.0);
    let found = match op.op_name() {
        MulOp::NAME if op.value(0) == op.value(1) => zero,
        MulOp::NAME => binary(FloatOp::Mul, ty, natural(0)?, natural(1)?),
        AddOp::NAME => binary(FloatOp::Add, ty, operand(0)?, operand(1)?),
        DivOp::NAME if op.attribute("rounding").is_err() => natural(0).and(natural(1)).map(|_| zero)?,
        SqrtOp::NAME => natural(0).map_or(zero, |least| unary(Unary::Sqrt, ty, least)),
        AbsOp::NAME => natural(0).unwrap_or(zero),
        SelectOp::NAME => {
            let (yes, no) = (operand(1)?, operand(2)?);
            if decode(ty, yes) <= decode(ty, no) { yes } else { no }
        }
        CastOp::NAME if int_type(op.value(0).r#type()).is_some_and(|from| !from.signed) => zero,
        _ => return None,
    };
    (!decode(ty, found).is_nan()).then_some(found)
}
