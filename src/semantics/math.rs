//! The elementary functions of the math dialect.
//!
//! `f64` and `f32` call the C library's function of that precision (through the standard library), which is also what
//! LLVM's intrinsics of these names call; `f16` and `bf16` compute in `f32` and round the result, as LLVM's promotion
//! does. `sqrt`, `floor`, `ceil`, `trunc` and `abs` are exact or correctly rounded everywhere. Domain and range errors
//! give NaN or infinity: the frontend guards them.

use super::{FloatType, float};

/// A function of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Floor,
    Ceil,
    Trunc,
    Abs,
}

/// Every one-operand function by its name in the dialect.
pub const UNARY: &[(&str, Unary)] = &[
    ("sqrt", Unary::Sqrt),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("exp", Unary::Exp),
    ("exp2", Unary::Exp2),
    ("log", Unary::Log),
    ("log2", Unary::Log2),
    ("log10", Unary::Log10),
    ("floor", Unary::Floor),
    ("ceil", Unary::Ceil),
    ("trunc", Unary::Trunc),
    ("abs", Unary::Abs),
];

impl Unary {
    /// The function of a dialect name without its `math.` prefix.
    pub fn parse(name: &str) -> Option<Unary> {
        UNARY.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }
}

/// A one-operand function on an encoding.
pub fn unary(function: Unary, ty: FloatType, bits: u64) -> u64 {
    match (function, ty) {
        // Bit operations, so that a NaN keeps its payload.
        (Unary::Abs, ty) => bits & !(1 << (u32::from(ty.size()) * 8 - 1)),
        (function, FloatType::F64) => unary_f64(function, f64::from_bits(bits)).to_bits(),
        (function, FloatType::F32) => u64::from(unary_f32(function, f32::from_bits(bits as u32)).to_bits()),
        (function, ty) => float::encode(ty, unary_f32(function, float::decode(ty, bits) as f32).into()),
    }
}

/// `x ** y` as C's `pow`.
pub fn pow(ty: FloatType, x: u64, y: u64) -> u64 {
    match ty {
        FloatType::F64 => f64::from_bits(x).powf(f64::from_bits(y)).to_bits(),
        FloatType::F32 => u64::from(f32::from_bits(x as u32).powf(f32::from_bits(y as u32)).to_bits()),
        ty => float::encode(ty, (float::decode(ty, x) as f32).powf(float::decode(ty, y) as f32).into()),
    }
}

macro_rules! functions {
    ($name:ident, $float:ident) => {
        fn $name(function: Unary, x: $float) -> $float {
            match function {
                Unary::Sqrt => x.sqrt(),
                Unary::Sin => x.sin(),
                Unary::Cos => x.cos(),
                Unary::Tan => x.tan(),
                Unary::Exp => x.exp(),
                Unary::Exp2 => x.exp2(),
                Unary::Log => x.ln(),
                Unary::Log2 => x.log2(),
                Unary::Log10 => x.log10(),
                Unary::Floor => x.floor(),
                Unary::Ceil => x.ceil(),
                Unary::Trunc => x.trunc(),
                Unary::Abs => x.abs(),
            }
        }
    };
}

functions!(unary_f64, f64);
functions!(unary_f32, f32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_by_precision() {
        let f64_ = |name: &str, x: f64| {
            let function = Unary::parse(name).unwrap_or(Unary::Abs);
            f64::from_bits(unary(function, FloatType::F64, x.to_bits()))
        };
        assert_eq!(f64_("sqrt", 2.0), std::f64::consts::SQRT_2);
        assert_eq!(f64_("floor", -2.5), -3.0);
        assert_eq!(f64_("trunc", -0.5).to_bits(), (-0f64).to_bits());
        assert_eq!(f64_("exp", 710.0), f64::INFINITY);
        assert!(f64_("log", -1.0).is_nan());
        assert_eq!(f64_("abs", -0.0).to_bits(), 0);
        let f16 = |x: f64| float::encode(FloatType::F16, x);
        assert_eq!(unary(Unary::Sqrt, FloatType::F16, f16(2.0)), f16(std::f64::consts::SQRT_2));
        assert_eq!(unary(Unary::Abs, FloatType::F16, f16(-1.5)), f16(1.5));
        assert_eq!(pow(FloatType::F64, 2f64.to_bits(), 0.5f64.to_bits()), std::f64::consts::SQRT_2.to_bits());
        assert_eq!(pow(FloatType::F64, 0, (-1f64).to_bits()), f64::INFINITY.to_bits());
    }
}
