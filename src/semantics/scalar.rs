//! Scalar types and values as 64 normalized bits.
//!
//! **Invariant: the bits of a value are normalized to its type**: a signed integer is sign-extended to 64 bits, an
//! unsigned one zero-extended, a bool is 0 or 1, a float narrower than 64 bits sits in the low bits with zeros above.
//! Equal values of one type therefore have equal bits (floats: equal encodings).

use super::{cast, float};
use crate::ppyir::ast::{Attr, Type};
use std::fmt;

/// An integer type: `i8`..`u64`, and `index`, which is a signed 64-bit integer here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntType {
    /// 8, 16, 32 or 64.
    pub width: u8,
    pub signed: bool,
}

/// A floating-point type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatType {
    F16,
    Bf16,
    F32,
    F64,
}

/// What a single slot can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    Bool,
    Int(IntType),
    Index,
    Float(FloatType),
    /// A pointer or a handle, as its address.
    Pointer,
}

impl IntType {
    pub const I64: IntType = IntType { width: 64, signed: true };
    pub const U64: IntType = IntType { width: 64, signed: false };

    /// Wraps an exact value into the type, as two's complement does, and gives the normalized bits.
    pub fn wrap(self, value: i128) -> u64 {
        let spare = 64u32.saturating_sub(u32::from(self.width)).min(63);
        let bits = (value as u64) << spare;
        if self.signed { ((bits as i64) >> spare) as u64 } else { bits >> spare }
    }

    /// The exact value of normalized bits.
    pub fn value(self, bits: u64) -> i128 {
        if self.signed { i128::from(bits as i64) } else { i128::from(bits) }
    }

    pub fn min(self) -> i128 {
        if self.signed { -(1i128 << (self.width - 1)) } else { 0 }
    }

    pub fn max(self) -> i128 {
        (1i128 << (self.width - u8::from(self.signed))) - 1
    }

    /// The normalized bits of `value`, or `None` when it does not fit.
    pub fn fit(self, value: i128) -> Option<u64> {
        let bits = self.wrap(value);
        (self.value(bits) == value).then_some(bits)
    }
}

impl FloatType {
    pub fn size(self) -> u8 {
        match self {
            FloatType::F16 | FloatType::Bf16 => 2,
            FloatType::F32 => 4,
            FloatType::F64 => 8,
        }
    }
}

impl ScalarType {
    /// The scalar that a type is in a slot; `None` for aggregates, `void` and types of other dialects.
    pub fn of(ty: &Type) -> Option<ScalarType> {
        Some(match ty {
            Type::Bool => ScalarType::Bool,
            Type::Int { width: width @ (8 | 16 | 32 | 64), signed } => {
                ScalarType::Int(IntType { width: *width, signed: *signed })
            }
            Type::Index => ScalarType::Index,
            Type::F16 => ScalarType::Float(FloatType::F16),
            Type::Bf16 => ScalarType::Float(FloatType::Bf16),
            Type::F32 => ScalarType::Float(FloatType::F32),
            Type::F64 => ScalarType::Float(FloatType::F64),
            Type::Ptr(_) => ScalarType::Pointer,
            // A future is a 64-bit handle.
            Type::Future(_) => ScalarType::Int(IntType::I64),
            _ => return None,
        })
    }

    /// Bytes in memory, which is also the natural alignment.
    pub fn size(self) -> u8 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Int(int) => int.width / 8,
            ScalarType::Float(float) => float.size(),
            ScalarType::Index | ScalarType::Pointer => 8,
        }
    }

    /// The integer type that computes on this one: `index` is `i64`, a pointer an unsigned address.
    pub fn as_int(self) -> Option<IntType> {
        match self {
            ScalarType::Int(int) => Some(int),
            ScalarType::Index => Some(IntType::I64),
            ScalarType::Pointer => Some(IntType::U64),
            ScalarType::Bool | ScalarType::Float(_) => None,
        }
    }

    /// Normalized bits from bytes read little-endian into `raw`. Any nonzero byte is a true bool.
    pub fn from_memory(self, raw: u64) -> u64 {
        match self {
            ScalarType::Bool => u64::from(raw != 0),
            ScalarType::Int(int) => int.wrap(i128::from(raw)),
            ScalarType::Index | ScalarType::Pointer | ScalarType::Float(_) => raw,
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScalarType::Bool => f.write_str("bool"),
            ScalarType::Int(int) => write!(f, "{}{}", if int.signed { 'i' } else { 'u' }, int.width),
            ScalarType::Index => f.write_str("index"),
            ScalarType::Float(FloatType::F16) => f.write_str("f16"),
            ScalarType::Float(FloatType::Bf16) => f.write_str("bf16"),
            ScalarType::Float(FloatType::F32) => f.write_str("f32"),
            ScalarType::Float(FloatType::F64) => f.write_str("f64"),
            ScalarType::Pointer => f.write_str("ptr"),
        }
    }
}

/// A typed scalar. `bits` are normalized to `ty`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar {
    pub ty: ScalarType,
    pub bits: u64,
}

impl Scalar {
    pub fn bool(value: bool) -> Scalar {
        Scalar { ty: ScalarType::Bool, bits: u64::from(value) }
    }

    /// An integer of the type, or `None` when the value does not fit or the type is no integer.
    pub fn int(ty: ScalarType, value: i128) -> Option<Scalar> {
        Some(Scalar { ty, bits: ty.as_int()?.fit(value)? })
    }

    pub fn i64(value: i64) -> Scalar {
        Scalar { ty: ScalarType::Int(IntType::I64), bits: value as u64 }
    }

    pub fn f64(value: f64) -> Scalar {
        Scalar { ty: ScalarType::Float(FloatType::F64), bits: value.to_bits() }
    }

    /// `value` rounded once, to nearest even, to the float type.
    pub fn float(ty: FloatType, value: f64) -> Scalar {
        Scalar { ty: ScalarType::Float(ty), bits: float::encode(ty, value) }
    }

    /// A constant attribute as a scalar of a type; `None` when it does not fit. A bool is `true` or `false`, a pointer
    /// constant is null, spelled 0, and a float may be spelled as an integer, which is rounded once.
    pub fn from_attr(ty: ScalarType, value: &Attr) -> Option<Scalar> {
        match (ty, value) {
            (ScalarType::Bool, Attr::Bool(value)) => Some(Scalar::bool(*value)),
            (ScalarType::Pointer, Attr::Int(0)) => Some(Scalar { ty, bits: 0 }),
            (ScalarType::Int(_) | ScalarType::Index, Attr::Int(value)) => Scalar::int(ty, *value),
            (ScalarType::Float(float), Attr::Float(value)) => Some(Scalar::float(float, *value)),
            (ScalarType::Float(float), Attr::Int(value)) => {
                Some(Scalar { ty, bits: cast::int_to_float(float, *value) })
            }
            _ => None,
        }
    }

    /// The exact value of an integer, an index, a pointer's address or a bool.
    pub fn as_int(self) -> Option<i128> {
        match self.ty {
            ScalarType::Bool => Some(i128::from(self.bits)),
            ty => Some(ty.as_int()?.value(self.bits)),
        }
    }

    /// The exact value of a float.
    pub fn as_f64(self) -> Option<f64> {
        match self.ty {
            ScalarType::Float(ty) => Some(float::decode(ty, self.bits)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_normalizes() {
        let i8_ = IntType { width: 8, signed: true };
        let u8_ = IntType { width: 8, signed: false };
        assert_eq!(i8_.wrap(200) as i64, -56);
        assert_eq!(u8_.wrap(-1), 255);
        assert_eq!(i8_.fit(128), None);
        assert_eq!(u8_.fit(-1), None);
        assert_eq!((i8_.min(), i8_.max(), u8_.max()), (-128, 127, 255));
        assert_eq!(IntType::U64.fit(i128::from(u64::MAX)), Some(u64::MAX));
        assert_eq!(IntType::I64.fit(i128::from(u64::MAX)), None);
    }
}
