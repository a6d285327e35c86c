//! Folds of the math dialect: functions of constants. A NaN is left to run time (its payload is the machine's).

use crate::dialects::core::constant::{read, write};
use crate::mlir::prelude::*;
use crate::semantics::{Scalar, ScalarType, math};

fn at(operands: &[Option<Attribute<'_>>], index: usize) -> Option<Scalar> {
    read((*operands.get(index)?)?)
}

fn bits<'c, 'a>(op: Op<'c, 'a>, bits: Option<u64>) -> Fold<'c, 'a> {
    bits.and_then(|bits| write(op.result_type(), bits)).map_or(Fold::None, Fold::Constant)
}

/// The function that the operation's name says.
fn function(op: Op<'_, '_>) -> Option<math::Unary> {
    math::Unary::parse(op.op_name().strip_prefix("ppy_math.")?)
}

pub fn unary<'c, 'a>(op: Op<'c, 'a>, operands: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    let Some(Scalar { ty: ScalarType::Float(ty), bits: x }) = at(operands, 0) else { return Fold::None };
    bits(op, function(op).map(|function| math::unary(function, ty, x)))
}

pub fn pow<'c, 'a>(op: Op<'c, 'a>, operands: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> {
    let (x, Some(Scalar { ty: ScalarType::Float(ty), bits: y })) = (at(operands, 0), at(operands, 1)) else {
        return Fold::None;
    };
    if let Some(x) = x {
        return bits(op, Some(math::pow(ty, x.bits, y)));
    }
    let exponent = crate::semantics::float::decode(ty, y);
    // pow(x, 1) is x; pow(x, 0) is 1 even of NaN, as C has it.
    if exponent == 1.0 && op.value(0) != op.result_value() {
        return Fold::Value(op.value(0));
    }
    if exponent == 0.0 {
        return bits(op, Some(crate::semantics::float::encode(ty, 1.0)));
    }
    Fold::None
}
