//! `core.cmp` on scalars.

use super::{ScalarType, float};
use std::cmp::Ordering;

/// The `predicate` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Predicate {
    /// The predicate of an attribute value.
    pub fn parse(text: &str) -> Option<Predicate> {
        Some(match text {
            "eq" => Predicate::Eq,
            "ne" => Predicate::Ne,
            "lt" => Predicate::Lt,
            "le" => Predicate::Le,
            "gt" => Predicate::Gt,
            "ge" => Predicate::Ge,
            _ => return None,
        })
    }

    /// Whether the predicate holds; `None` is "unordered", where only `ne` does.
    pub fn holds(self, ordering: Option<Ordering>) -> bool {
        match self {
            Predicate::Eq => ordering == Some(Ordering::Equal),
            Predicate::Ne => ordering != Some(Ordering::Equal),
            Predicate::Lt => ordering == Some(Ordering::Less),
            Predicate::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
            Predicate::Gt => ordering == Some(Ordering::Greater),
            Predicate::Ge => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// Compares two scalars of one type. Integers compare by their type's signedness, pointers by unsigned address,
/// `false < true`, floats as IEEE has it: a NaN is unordered, and `-0.0 == 0.0`.
pub fn compare(predicate: Predicate, ty: ScalarType, a: u64, b: u64) -> bool {
    predicate.holds(match ty {
        ScalarType::Float(ty) => float::decode(ty, a).partial_cmp(&float::decode(ty, b)),
        ScalarType::Bool | ScalarType::Pointer => Some(a.cmp(&b)),
        ScalarType::Index => Some((a as i64).cmp(&(b as i64))),
        ScalarType::Int(int) if int.signed => Some((a as i64).cmp(&(b as i64))),
        ScalarType::Int(_) => Some(a.cmp(&b)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{FloatType, IntType};

    #[test]
    fn orders() {
        let f64_ = ScalarType::Float(FloatType::F64);
        let (nan, one) = (f64::NAN.to_bits(), 1f64.to_bits());
        for predicate in [Predicate::Eq, Predicate::Lt, Predicate::Le, Predicate::Gt, Predicate::Ge] {
            assert!(!compare(predicate, f64_, nan, one));
        }
        assert!(compare(Predicate::Ne, f64_, nan, nan));
        assert!(compare(Predicate::Eq, f64_, 0, (-0f64).to_bits()));
        assert!(compare(Predicate::Lt, ScalarType::Bool, 0, 1));
        assert!(compare(Predicate::Gt, ScalarType::Pointer, u64::MAX, 1));
        assert!(compare(Predicate::Lt, ScalarType::Int(IntType::I64), u64::MAX, 1));
        assert!(compare(Predicate::Gt, ScalarType::Int(IntType::U64), u64::MAX, 1));
    }
}
