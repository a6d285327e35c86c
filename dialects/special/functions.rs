//! The special functions as total functions on encodings: the C library's in `f64`, rounded once to a smaller type.

use crate::mlir::libm;
use crate::semantics::{FloatType, float};
use std::f64::consts::FRAC_1_SQRT_2;

/// What a function of one float is made of.
#[derive(Clone, Copy)]
pub enum Unary {
    /// The C library's function of that name.
    C(&'static str, libm::Function),
    /// `erfc(-x / sqrt(2)) / 2`.
    Ndtr,
    /// `log(x / (1 - x))`.
    Logit,
}

/// The functions of one float by their name in the dialect.
pub const UNARY: &[(&str, Unary)] = &[
    ("erf", Unary::C("erf", libm::erf)),
    ("erfc", Unary::C("erfc", libm::erfc)),
    ("gamma", Unary::C("tgamma", libm::tgamma)),
    ("gammaln", Unary::C("lgamma", libm::lgamma)),
    ("ndtr", Unary::Ndtr),
    ("logit", Unary::Logit),
    ("bessel_j0", Unary::C("j0", libm::j0)),
    ("bessel_j1", Unary::C("j1", libm::j1)),
    ("bessel_y0", Unary::C("y0", libm::y0)),
    ("bessel_y1", Unary::C("y1", libm::y1)),
];

/// A function of an order and a float, and the C library's name of it.
pub type OfOrder = (&'static str, fn(i128, f64) -> f64);

/// The functions of an order and a float by their name in the dialect.
pub const OF_ORDER: &[(&str, OfOrder)] = &[("bessel_jn", ("jn", libm::jn)), ("bessel_yn", ("yn", libm::yn))];

/// The entry of a table.
pub fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, entry)| *entry)
}

/// A function of one float on an encoding.
pub fn unary(function: Unary, ty: FloatType, bits: u64) -> u64 {
    let x = float::decode(ty, bits);
    let value = match function {
        Unary::C(_, f) => f(x),
        Unary::Ndtr => 0.5 * libm::erfc(-x * FRAC_1_SQRT_2),
        Unary::Logit => (x / (1.0 - x)).ln(),
    };
    float::encode(ty, value)
}

/// A function of an order and a float on an encoding.
pub fn of_order((_, function): OfOrder, ty: FloatType, order: i128, bits: u64) -> u64 {
    float::encode(ty, function(order, float::decode(ty, bits)))
}
