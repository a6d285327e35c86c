//! Floating-point encodings and arithmetic. Every operation rounds once, to nearest even.
//!
//! `f16` and `bf16` compute in `f64` and round the result: with 53 bits a sum, difference, product or quotient of two
//! 11-bit (or 8-bit) significands, rounded twice, is what one rounding gives. The sign and the payload of a NaN result
//! are not specified by ppy; here they are what the host's arithmetic gives.

use super::{FloatType, int::Rounding};

/// A two-operand floating-point operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    /// IEEE division: by zero it gives an infinity or NaN, the frontend guards it.
    Div,
    /// Division rounded to a whole number: Python's `//` for floor, towards zero for trunc. By zero as `Div`.
    WholeDiv(Rounding),
    /// The remainder that belongs to `WholeDiv`: Python's `%` for floor, C's `fmod` for trunc. NaN by zero.
    Mod(Rounding),
}

/// The exact value of an encoding.
pub fn decode(ty: FloatType, bits: u64) -> f64 {
    match ty {
        FloatType::F64 => f64::from_bits(bits),
        FloatType::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatType::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
        FloatType::F16 => decode_f16(bits as u16),
    }
}

/// The encoding nearest to `value`, ties to even.
pub fn encode(ty: FloatType, value: f64) -> u64 {
    match ty {
        FloatType::F64 => value.to_bits(),
        FloatType::F32 => u64::from((value as f32).to_bits()),
        FloatType::Bf16 => encode_small(value, 8, 7),
        FloatType::F16 => encode_small(value, 5, 10),
    }
}

fn decode_f16(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match (exponent, bits & 1023) {
        (31, 0) => sign * f64::INFINITY,
        // The payload moves to the top of the wider significand, as hardware does it.
        (31, payload) => f64::from_bits(u64::from(bits >> 15) << 63 | 0x7ff8 << 48 | u64::from(payload) << 42),
        (0, _) => sign * fraction * 2f64.powi(-24),
        _ => sign * (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// Rounds to a format of 16 bits with the given exponent and fraction widths, straight from the 64-bit value.
fn encode_small(value: f64, exponent_bits: u32, fraction_bits: u32) -> u64 {
    let bits = value.to_bits();
    let sign = bits >> 63 << 15;
    let infinity = ((1u64 << exponent_bits) - 1) << fraction_bits;
    if value.is_nan() {
        let payload = bits >> (52 - fraction_bits) & ((1 << fraction_bits) - 1);
        return sign | infinity | 1 << (fraction_bits - 1) | payload;
    }
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023 + bias;
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    if exponent >= (1 << exponent_bits) - 1 {
        return sign | infinity;
    }
    // A subnormal result drops further bits and has no hidden one; past 54 dropped bits everything rounds to zero.
    let dropped = (52 - i64::from(fraction_bits) + (1 - exponent).max(0)).min(54) as u32;
    let kept = significand >> dropped;
    let (rest, half) = (significand & ((1 << dropped) - 1), 1u64 << (dropped - 1));
    let rounded = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
    // The hidden bit adds one to the exponent field, and so does a carry out of the fraction.
    sign | (((exponent.max(1) as u64 - 1) << fraction_bits) + rounded)
}

/// `op` on two encodings of one type.
pub fn binary(op: FloatOp, ty: FloatType, a: u64, b: u64) -> u64 {
    if ty == FloatType::F32 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        // The four basic operations in their own precision; the others are exact in f64 up to their last rounding.
        let native = match op {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div => x / y,
            FloatOp::WholeDiv(_) | FloatOp::Mod(_) => return encode(ty, binary_f64(op, x.into(), y.into())),
        };
        return u64::from(native.to_bits());
    }
    encode(ty, binary_f64(op, decode(ty, a), decode(ty, b)))
}

fn binary_f64(op: FloatOp, x: f64, y: f64) -> f64 {
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        FloatOp::Mod(Rounding::Trunc) => x % y,
        FloatOp::Mod(Rounding::Floor) => floor_mod(x, y),
        FloatOp::WholeDiv(rounding) => whole_div(rounding, x, y),
    }
}

/// The remainder with the divisor's sign; a zero remainder takes that sign too, as in Python.
fn floor_mod(x: f64, y: f64) -> f64 {
    match x % y {
        0.0 => 0f64.copysign(y),
        r if (r < 0.0) != (y < 0.0) => r + y,
        r => r,
    }
}

/// The quotient as a whole number. `x - x % y` is a multiple of `y` up to rounding, so the nearest whole number to
/// the quotient is the exact one; a zero quotient keeps the sign of `x / y`.
fn whole_div(rounding: Rounding, x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return x / y;
    }
    let rest = x % y;
    let down = rounding == Rounding::Floor && rest != 0.0 && (rest < 0.0) != (y < 0.0);
    let quotient = (x - rest) / y - f64::from(u8::from(down));
    if quotient == 0.0 { 0f64.copysign(x / y) } else { nearest_whole(quotient) }
}

/// Rounds to a whole number, up only when more than half is missing.
fn nearest_whole(value: f64) -> f64 {
    let floor = value.floor();
    if value - floor > 0.5 { floor + 1.0 } else { floor }
}

/// Flips the sign, also of zeros and NaNs.
pub fn neg(ty: FloatType, bits: u64) -> u64 {
    bits ^ 1 << (u32::from(ty.size()) * 8 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_survives_decoding_and_encoding() {
        for bits in 0..=u16::MAX {
            let value = decode(FloatType::F16, bits.into());
            if value.is_nan() {
                assert!(decode(FloatType::F16, encode(FloatType::F16, value)).is_nan());
            } else {
                assert_eq!(encode(FloatType::F16, value), u64::from(bits), "{bits:#x} is {value}");
            }
        }
    }

    #[test]
    fn every_bf16_survives_decoding_and_encoding() {
        for bits in 0..=u16::MAX {
            let value = decode(FloatType::Bf16, bits.into());
            if !value.is_nan() {
                assert_eq!(encode(FloatType::Bf16, value), u64::from(bits), "{bits:#x} is {value}");
            }
        }
    }

    #[test]
    fn rounding_is_to_nearest_even_in_one_step() {
        // Halfway between neighbours, a hair above it, and a hair that f32 would lose.
        for (ty, ulp) in [(FloatType::F16, 2f64.powi(-10)), (FloatType::Bf16, 2f64.powi(-7))] {
            let one = encode(ty, 1.0);
            assert_eq!(encode(ty, 1.0 + ulp / 2.0), one);
            assert_eq!(encode(ty, 1.0 + ulp * 1.5), one + 2);
            assert_eq!(encode(ty, 1.0 + ulp / 2.0 + 2f64.powi(-40)), one + 1);
        }
        assert_eq!(encode(FloatType::F16, 65519.999), 0x7bff);
        assert_eq!(encode(FloatType::F16, 65520.0), 0x7c00);
        assert_eq!(encode(FloatType::F16, -1e300), 0xfc00);
        assert_eq!(encode(FloatType::F16, 2f64.powi(-25)), 0);
        assert_eq!(encode(FloatType::F16, 2f64.powi(-25) * 1.0001), 1);
        assert_eq!(encode(FloatType::F16, 5e-324), 0);
        assert_eq!(encode(FloatType::Bf16, f64::MIN_POSITIVE), 0);
        assert_eq!(encode(FloatType::Bf16, 3.4e38), 0x7f80);
    }

    #[test]
    fn encoding_agrees_with_rust_f32_when_it_is_wide() {
        // encode_small with f32's widths is f32's own rounding, on values of every magnitude.
        let mut state = 1u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits(state ^ state >> 29);
            let small = value as f32;
            if small.is_nan() {
                continue;
            }
            let sign = u64::from(small.to_bits() >> 31);
            let ours = encode_small(value, 8, 23);
            assert_eq!(ours & 0x7fff_ffff & !(sign << 15), u64::from(small.to_bits() & 0x7fff_ffff) & !(sign << 15));
        }
    }

    #[test]
    fn python_floor_division_and_remainder() {
        let rows: [(f64, f64, f64, f64); 12] = [
            (7.5, 2.0, 3.0, 1.5),
            (-7.5, 2.0, -4.0, 0.5),
            (7.5, -2.0, -4.0, -0.5),
            (-7.5, -2.0, 3.0, -1.5),
            (-0.0, 3.0, -0.0, 0.0),
            (0.0, -3.0, -0.0, -0.0),
            (1.0, 0.1, 9.0, 0.09999999999999995),
            (1e300, 1e-10, f64::INFINITY, 5.476641984772742e-11),
            (5.0, f64::INFINITY, 0.0, 5.0),
            (-5.0, f64::INFINITY, -1.0, f64::INFINITY),
            (0.3, 0.1, 2.0, 0.09999999999999998),
            (4.0, -2.0, -2.0, -0.0),
        ];
        for (a, b, quotient, rest) in rows {
            let op = |op| binary(op, FloatType::F64, a.to_bits(), b.to_bits());
            assert_eq!(op(FloatOp::WholeDiv(Rounding::Floor)), quotient.to_bits(), "{a} // {b}");
            assert_eq!(op(FloatOp::Mod(Rounding::Floor)), rest.to_bits(), "{a} % {b}");
        }
        assert!(f64::from_bits(binary(FloatOp::Mod(Rounding::Floor), FloatType::F64, 1f64.to_bits(), 0)).is_nan());
    }

    #[test]
    fn small_floats_round_once() {
        let f16 = |op, a: f64, b: f64| {
            decode(FloatType::F16, binary(op, FloatType::F16, encode(FloatType::F16, a), encode(FloatType::F16, b)))
        };
        assert_eq!(f16(FloatOp::Add, 2048.0, 1.0), 2048.0);
        assert_eq!(f16(FloatOp::Add, 2048.0, 3.0), 2052.0);
        assert_eq!(f16(FloatOp::Mul, 256.0, 256.0), f64::INFINITY);
        assert_eq!(f16(FloatOp::Div, 1.0, 3.0), 0.333251953125);
        assert_eq!(decode(FloatType::Bf16, neg(FloatType::Bf16, encode(FloatType::Bf16, 1.25))), -1.25);
    }
}
