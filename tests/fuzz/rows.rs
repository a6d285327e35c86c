//! Random types, and arguments of them: small values and the edges of the type.

use crate::dice::Dice;
use ppy_mlir::ppyir::ast::{PtrType, StructType, Type};
use ppy_mlir::semantics::value::{Data, Value};
use ppy_mlir::semantics::{FloatType, IntType, Scalar, ScalarType, float, layout};
use std::sync::Arc;

pub const I64: Type = Type::Int { width: 64, signed: true };
pub const U8: Type = Type::Int { width: 8, signed: false };

/// How many elements a caller passes behind a bare pointer.
pub const POINTED: u64 = 4;

pub fn int_type(dice: &mut Dice) -> Type {
    match dice.below(12) {
        0..=4 => I64,
        5 => Type::Index,
        _ => Type::Int { width: *dice.pick(&[8, 16, 32, 64]), signed: dice.chance(55) },
    }
}

pub fn float_type(dice: &mut Dice) -> Type {
    dice.pick(&[Type::F64, Type::F64, Type::F64, Type::F32, Type::F16, Type::Bf16]).clone()
}

pub fn scalar_type(dice: &mut Dice) -> Type {
    match dice.weighted(&[60, 15, 25]) {
        0 => int_type(dice),
        1 => Type::Bool,
        _ => float_type(dice),
    }
}

/// A tuple or struct of scalars, at times with another inside.
pub fn group_type(dice: &mut Dice, depth: usize) -> Type {
    let count = dice.within(1, 3);
    let parts: Vec<Type> = (0..count)
        .map(|_| if depth > 0 && dice.chance(15) { group_type(dice, depth - 1) } else { scalar_type(dice) })
        .collect();
    if dice.chance(50) {
        return Type::Tuple(parts.into());
    }
    let fields = ["x", "y", "z"].into_iter().map(Into::into).zip(parts).collect();
    // A name stands for one record, so it spells out its fields.
    let ty = StructType { name: "R".into(), fields };
    let text = Type::Struct(Arc::new(ty.clone())).to_string();
    let name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Type::Struct(Arc::new(StructType { name: name.into(), fields: ty.fields }))
}

pub fn pointer(pointee: Type, space: &str, constant: bool) -> Type {
    Type::Ptr(Arc::new(PtrType { pointee, space: space.into(), constant }))
}

/// A vector of numbers or bools.
pub fn vector_type(dice: &mut Dice) -> Type {
    Type::Vector(Arc::new(scalar_type(dice)), dice.lanes())
}

/// A type for a value that may travel through block arguments and results.
pub fn value_type(dice: &mut Dice) -> Type {
    match dice.weighted(&[80, 12, 8]) {
        0 => scalar_type(dice),
        1 => group_type(dice, 1),
        _ => vector_type(dice),
    }
}

/// A parameter's type.
pub fn param_type(dice: &mut Dice) -> Type {
    match dice.weighted(&[64, 12, 8, 10, 6]) {
        0 => scalar_type(dice),
        1 => Type::Buffer(Arc::new(scalar_type(dice))),
        2 => pointer(scalar_type(dice), "generic", dice.chance(30)),
        3 => group_type(dice, 1),
        _ => vector_type(dice),
    }
}

/// An integer of the type: small, at an edge, or anything.
pub fn edge_int(ty: IntType, dice: &mut Dice, small: bool) -> i128 {
    let value = match dice.weighted(if small { &[100, 0, 0, 0] } else { &[25, 45, 15, 15] }) {
        0 => dice.within(0, 20) as i128 - 5,
        1 => *dice.pick(&[ty.min(), ty.max(), ty.min() + 1, ty.max() - 1, 0, 1, -1, 2, ty.max() / 2 + 1]),
        2 => (1i128 << dice.below(usize::from(ty.width))) - i128::from(dice.chance(50)),
        _ => i128::from(dice.bits() as i64),
    };
    ty.value(ty.wrap(value))
}

/// A float: small and whole, special, or anything.
pub fn edge_float(dice: &mut Dice, small: bool) -> f64 {
    const SPECIAL: &[f64] = &[
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        -2.5e-310,
        65504.0,
        6e-8,
        3.4e38,
        1e-40,
        9007199254740993.0,
        9223372036854775808.0,
        2147483648.0,
        -129.0,
        1e16,
        0.1,
    ];
    match dice.weighted(if small { &[70, 0, 30, 0] } else { &[15, 55, 15, 15] }) {
        0 => dice.within(0, 20) as f64 - 5.0,
        1 => *dice.pick(SPECIAL),
        2 => (dice.bits() as i32) as f64 / 65536.0,
        _ => f64::from_bits(dice.bits()),
    }
}

pub fn edge_scalar(ty: ScalarType, dice: &mut Dice, small: bool) -> Scalar {
    let bits = match ty {
        ScalarType::Bool => dice.bits() & 1,
        ScalarType::Float(float) => {
            let value = edge_float(dice, small);
            // A NaN's payload is nobody's promise; one NaN is enough.
            float::encode(float, if value.is_nan() { f64::NAN } else { value })
        }
        ty => {
            let int = ty.as_int().unwrap_or(IntType::I64);
            int.wrap(edge_int(int, dice, small))
        }
    };
    Scalar { ty, bits }
}

/// An argument of a parameter's type.
pub fn argument(ty: &Type, dice: &mut Dice, small: bool) -> Value {
    if let Some(scalar) = ScalarType::of(ty).filter(|ty| *ty != ScalarType::Pointer) {
        return Value::Scalar(edge_scalar(scalar, dice, small));
    }
    match ty {
        Type::Vector(lane, count) => Value::Group((0..*count).map(|_| argument(lane, dice, small)).collect()),
        Type::Tuple(items) => Value::Group(items.iter().map(|ty| argument(ty, dice, small)).collect()),
        Type::Struct(ty) => Value::Group(ty.fields.iter().map(|(_, ty)| argument(ty, dice, small)).collect()),
        Type::Buffer(element) => {
            let len = if small { dice.within(2, 6) } else { dice.within(0, 6) };
            memory(element, len as u64, dice, small)
        }
        Type::Ptr(ptr) => memory(&ptr.pointee, POINTED, dice, small),
        _ => Value::Null,
    }
}

fn memory(element: &Type, len: u64, dice: &mut Dice, small: bool) -> Value {
    let leaves = layout::leaves(element).unwrap_or_default();
    let scalars: Vec<Scalar> = (0..len)
        .flat_map(|_| leaves.iter().map(|leaf| leaf.ty).collect::<Vec<_>>())
        .map(|ty| edge_scalar(ty, dice, small))
        .collect();
    match Data::pack(element.clone(), &scalars) {
        Some(data) => Value::Memory(data),
        None => Value::Null,
    }
}

/// The bits of a scalar, with every NaN the same: its sign and payload are not specified.
pub fn comparable(scalar: Scalar) -> u64 {
    match scalar.ty {
        ScalarType::Float(ty) if float::decode(ty, scalar.bits).is_nan() => float::encode(FloatType::F64, f64::NAN),
        _ => scalar.bits,
    }
}
