//! `core.cast` between scalar types.

use super::{FloatType, IntType, ScalarType, float};

/// Converts normalized bits from one scalar type to another; `None` where no such cast exists: between a pointer and
/// a float or a bool.
///
/// - integer to integer, and to or from a pointer's address: wraps to the target's width;
/// - bool to number: 0 or 1; number to bool: whether it differs from zero (a NaN does);
/// - integer to float, float to float: rounded once, to nearest even;
/// - float to integer: see [`float_to_int`].
pub fn cast(from: ScalarType, to: ScalarType, bits: u64) -> Option<u64> {
    Some(match (from, to) {
        (ScalarType::Pointer, ScalarType::Bool | ScalarType::Float(_)) => return None,
        (ScalarType::Bool | ScalarType::Float(_), ScalarType::Pointer) => return None,
        (ScalarType::Float(ty), ScalarType::Bool) => u64::from(float::decode(ty, bits) != 0.0),
        (_, ScalarType::Bool) => u64::from(bits != 0),
        (ScalarType::Float(from), ScalarType::Float(to)) if from == to => bits,
        (ScalarType::Float(from), ScalarType::Float(to)) => float::encode(to, float::decode(from, bits)),
        (ScalarType::Float(from), to) => float_to_int(to.as_int()?, float::decode(from, bits)),
        (from, ScalarType::Float(to)) => int_to_float(to, int_value(from, bits)?),
        (from, to) => to.as_int()?.wrap(int_value(from, bits)?),
    })
}

fn int_value(ty: ScalarType, bits: u64) -> Option<i128> {
    match ty {
        ScalarType::Bool => Some(i128::from(bits)),
        ty => Some(ty.as_int()?.value(bits)),
    }
}

/// Drops the fraction and wraps to the integer type, for values within -2^63 .. 2^63 (.. 2^64 for `u64`).
///
/// Beyond that the hardware disagrees with itself, so the value first saturates to the ends of that range, and a NaN
/// is 0. The frontend guards the range before it casts.
pub fn float_to_int(ty: IntType, value: f64) -> u64 {
    // `as` saturates and maps NaN to 0.
    let whole = if ty == IntType::U64 && value > 0.0 { i128::from(value as u64) } else { i128::from(value as i64) };
    ty.wrap(whole)
}

/// The nearest float to an integer of at most 64 bits, ties to even.
pub fn int_to_float(ty: FloatType, value: i128) -> u64 {
    match ty {
        FloatType::F64 => (value as f64).to_bits(),
        FloatType::F32 => u64::from((value as f32).to_bits()),
        FloatType::F16 | FloatType::Bf16 => float::encode(ty, odd_f64(value)),
    }
}

/// `value` in 53 bits, with the last one set when bits were lost: rounding that once more gives what rounding the
/// exact value gives.
fn odd_f64(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let excess = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = magnitude >> excess;
    let lost = u128::from(kept << excess != magnitude);
    let rounded = (kept | lost) as f64 * 2f64.powi(excess as i32);
    if value < 0 { -rounded } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: ScalarType = ScalarType::Int(IntType { width: 8, signed: true });
    const U8: ScalarType = ScalarType::Int(IntType { width: 8, signed: false });
    const I64: ScalarType = ScalarType::Int(IntType::I64);
    const U64: ScalarType = ScalarType::Int(IntType::U64);
    const F64: ScalarType = ScalarType::Float(FloatType::F64);

    fn from_f64(to: ScalarType, value: f64) -> i64 {
        cast(F64, to, value.to_bits()).unwrap_or(u64::MAX) as i64
    }

    #[test]
    fn floats_to_integers() {
        assert_eq!(from_f64(I8, 300.0), 44);
        assert_eq!(from_f64(U8, -1.5), 255);
        assert_eq!(from_f64(U64, -1.5), -1);
        assert_eq!(from_f64(U64, 1.7e19) as u64, 17_000_000_000_000_000_000);
        assert_eq!(from_f64(I64, f64::NAN), 0);
        assert_eq!(from_f64(I64, 1e300), i64::MAX);
        assert_eq!(from_f64(I64, f64::NEG_INFINITY), i64::MIN);
        assert_eq!(from_f64(U64, f64::INFINITY) as u64, u64::MAX);
        assert_eq!(from_f64(ScalarType::Bool, f64::NAN), 1);
        assert_eq!(from_f64(ScalarType::Bool, -0.0), 0);
    }

    #[test]
    fn integers_to_small_floats_round_once() {
        // 2^60 + 2^52 is halfway between two bf16 values; one more is past it, which f64 cannot hold.
        let half = (1i128 << 60) + (1 << 52);
        assert_eq!(float::decode(FloatType::Bf16, int_to_float(FloatType::Bf16, half)), 2f64.powi(60));
        assert_eq!(
            float::decode(FloatType::Bf16, int_to_float(FloatType::Bf16, half + 1)),
            2f64.powi(60) + 2f64.powi(53)
        );
        assert_eq!(int_to_float(FloatType::F16, 65520), 0x7c00);
        assert_eq!(int_to_float(FloatType::F32, 16_777_217), u64::from(16_777_216f32.to_bits()));
    }

    #[test]
    fn no_cast_between_pointers_and_floats_or_bools() {
        assert_eq!(cast(ScalarType::Pointer, F64, 0), None);
        assert_eq!(cast(ScalarType::Bool, ScalarType::Pointer, 0), None);
        assert_eq!(cast(ScalarType::Pointer, I64, 5), Some(5));
        assert_eq!(cast(I8, U64, (-1i64) as u64), Some(u64::MAX));
    }
}
