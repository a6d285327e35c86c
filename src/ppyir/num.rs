//! Floats as Python's `repr` writes them, which is how `.ppyir` spells them.

use std::fmt::{self, Write};

/// Writes the shortest decimal that reads back as `x`, the even one of two equally near: positional for exponents from
/// -4 to 15, otherwise scientific with a signed exponent of at least two digits.
pub(super) fn write_float(out: &mut impl Write, x: f64) -> fmt::Result {
    if x.is_nan() {
        return out.write_str("nan");
    }
    if x.is_sign_negative() {
        out.write_char('-')?;
    }
    let x = x.abs();
    if x.is_infinite() {
        return out.write_str("inf");
    }
    let mut buffer = Fixed::default();
    write!(buffer, "{x:e}")?;
    let (digits, exponent) = buffer.digits();
    if digits.len() >= 16 {
        make_even(digits, exponent, x);
    }
    let digits = std::str::from_utf8(digits).unwrap_or("0");
    let (first, rest) = digits.split_at(1);
    match exponent {
        0..16 => {
            let whole = exponent as usize + 1;
            match digits.split_at_checked(whole) {
                Some((whole, "")) => write!(out, "{whole}.0"),
                Some((whole, fraction)) => write!(out, "{whole}.{fraction}"),
                None => write!(out, "{digits:0<whole$}.0"),
            }
        }
        -4..0 => write!(out, "0.{:0<zeros$}{digits}", "", zeros = (-exponent - 1) as usize),
        _ => {
            let point = if rest.is_empty() { "" } else { "." };
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(out, "{first}{point}{rest}e{sign}{:02}", exponent.unsigned_abs())
        }
    }
}

/// Rust rounds up when `x` lies exactly between two shortest decimals, Python to the even digit. Only decimals of 16 or
/// more digits are close enough together for that.
fn make_even(digits: &mut [u8], exponent: i32, x: f64) {
    let number = digits.iter().fold(0u64, |number, digit| number * 10 + u64::from(digit - b'0'));
    let scale = exponent - (digits.len() as i32 - 1);
    if number % 2 == 1
        && is_half_below(x, number, scale)
        // Below a power of two the floats are closer together, and the lower decimal may be another one's.
        && format!("{}e{scale}", number - 1).parse() == Ok(x)
        && let Some(last) = digits.last_mut()
    {
        *last -= 1;
    }
}

/// Whether `2 * x == (2 * number - 1) * 10^scale`, exactly.
fn is_half_below(x: f64, number: u64, scale: i32) -> bool {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let mantissa = if biased == 0 { fraction } else { fraction | 1 << 52 };
    // 10^scale = 5^scale * 2^scale, on the side where its power is positive.
    let (left_tens, right_tens) = ((-scale).max(0), scale.max(0));
    let odd_and_power = |value: u64, tens: i32, power: i32| {
        let product = 5u128.checked_pow(tens.unsigned_abs())?.checked_mul(u128::from(value))?;
        let zeros = product.trailing_zeros() as i32;
        Some((product >> zeros, power + tens + zeros))
    };
    let left = odd_and_power(mantissa, left_tens, biased.max(1) - 1075 + 1);
    left.is_some() && left == odd_and_power(2 * number - 1, right_tens, 0)
}

/// A small stack buffer: 17 digits, point and exponent fit.
#[derive(Default)]
struct Fixed {
    bytes: [u8; 32],
    len: usize,
}

impl Fixed {
    /// Of `d.ddde-12`: the digits without the point, and the exponent.
    fn digits(&mut self) -> (&mut [u8], i32) {
        let text = &mut self.bytes[..self.len];
        let split = text.iter().position(|byte| *byte == b'e').unwrap_or(text.len());
        let exponent = std::str::from_utf8(&text[split..]).ok().and_then(|text| text.strip_prefix('e')?.parse().ok());
        // The first digit takes the place of the point.
        let digits = match text.get(1) {
            Some(b'.') => {
                text.swap(0, 1);
                &mut text[1..split]
            }
            _ => &mut text[..split],
        };
        (digits, exponent.unwrap_or(0))
    }
}

impl Write for Fixed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}
