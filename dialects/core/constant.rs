//! Constants of the dialects as the scalars of [`crate::semantics`], and back.
//!
//! A scalar is an integer, index, bool, float or pointer; vectors and aggregates have no constants here.

use super::type_views::PtrType;
use crate::mlir::{
    attribute::{float_value, integer_attribute, is_null_attribute, null_attribute, typed_integer},
    op::{ScalarType as Machine, scalar_type as machine_type},
    prelude::*,
};
use crate::semantics::{FloatType, IntType, Scalar, ScalarType, float};

/// The scalar a type is; `None` for vectors and aggregates.
pub fn scalar_type(type_: Type<'_>) -> Option<ScalarType> {
    Some(match machine_type(type_) {
        Some(Machine::Bool) => ScalarType::Bool,
        Some(Machine::Int { .. }) if type_.is_index() => ScalarType::Index,
        Some(Machine::Int { width, signed }) => ScalarType::Int(IntType { width: width as u8, signed }),
        Some(Machine::F16) => ScalarType::Float(FloatType::F16),
        Some(Machine::Bf16) => ScalarType::Float(FloatType::Bf16),
        Some(Machine::F32) => ScalarType::Float(FloatType::F32),
        Some(Machine::F64) => ScalarType::Float(FloatType::F64),
        None if PtrType::cast(type_).is_some() => ScalarType::Pointer,
        None => return None,
    })
}

/// The scalar integer type (index included) of a type.
pub fn int_type(type_: Type<'_>) -> Option<IntType> {
    match scalar_type(type_)? {
        ScalarType::Int(int) => Some(int),
        ScalarType::Index => Some(IntType::I64),
        _ => None,
    }
}

/// Whether the type is a float or a vector of floats.
pub fn is_float_like(type_: Type<'_>) -> bool {
    matches!(scalar_type(crate::mlir::op::element_or_self(type_)), Some(ScalarType::Float(_)))
}

/// A constant attribute as a scalar.
pub fn read(attribute: Attribute<'_>) -> Option<Scalar> {
    if let Some((type_, bits)) = typed_integer(attribute) {
        let ty = scalar_type(type_)?;
        let bits = bits as u64;
        return Some(Scalar { ty, bits: if ty == ScalarType::Bool { bits & 1 } else { bits } });
    }
    if is_null_attribute(attribute) {
        return Some(Scalar { ty: ScalarType::Pointer, bits: 0 });
    }
    match scalar_type(attribute.r#type())? {
        ty @ ScalarType::Float(float) => Some(Scalar { ty, bits: float::encode(float, float_value(attribute)?) }),
        _ => None,
    }
}

/// A scalar as a constant attribute of the type it came from.
///
/// A NaN has none: its sign and payload are the machine's to choose. Neither has an address other than null.
pub fn write<'c>(type_: Type<'c>, bits: u64) -> Option<Attribute<'c>> {
    match scalar_type(type_)? {
        ScalarType::Float(ty) => {
            let value = float::decode(ty, bits);
            let context = context_of(type_.context());
            (!value.is_nan()).then(|| FloatAttribute::new(context, type_, value).into())
        }
        ScalarType::Pointer => (bits == 0).then(|| null_attribute(type_)),
        _ => Some(integer_attribute(type_, bits as i64)),
    }
}

/// The constant that a value is.
pub fn of(value: Value<'_, '_>) -> Option<Scalar> {
    read(value.constant()?)
}

/// The exact value of the integer constant that a value is; a bool is none.
pub fn int_of(value: Value<'_, '_>) -> Option<i128> {
    let scalar = of(value)?;
    match scalar.ty {
        ScalarType::Int(_) | ScalarType::Index => scalar.as_int(),
        _ => None,
    }
}

/// The bool constant that a value is.
pub fn bool_of(value: Value<'_, '_>) -> Option<bool> {
    let scalar = of(value)?;
    (scalar.ty == ScalarType::Bool).then_some(scalar.bits != 0)
}
