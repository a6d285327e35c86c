//! Floats as Python's `repr` writes them, which is how `.ppyir` spells them.

use std::fmt::{self, Write};

/// Writes the shortest decimal that reads back as `x`: positional for exponents from -4 to 15, otherwise scientific
/// with a signed exponent of at least two digits.
pub(super) fn write_float(out: &mut impl Write, x: f64) -> fmt::Result {
    if x.is_nan() {
        return out.write_str("nan");
    }
    if x.is_infinite() {
        return out.write_str(if x < 0.0 { "-inf" } else { "inf" });
    }
    let magnitude = x.abs();
    if magnitude == 0.0 || (1e-4..1e16).contains(&magnitude) {
        return write!(out, "{x:?}");
    }
    // Rust's shortest digits are Python's; only the exponent's spelling differs.
    let mut buffer = Fixed::default();
    write!(buffer, "{x:e}")?;
    let (digits, exponent) = buffer.as_str().split_once('e').unwrap_or((buffer.as_str(), "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    write!(out, "{digits}e{sign}{exponent:0>2}")
}

/// A small stack buffer: 17 digits, point, signs and exponent fit.
#[derive(Default)]
struct Fixed {
    bytes: [u8; 32],
    len: usize,
}

impl Fixed {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or("")
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
