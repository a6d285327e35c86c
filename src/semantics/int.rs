//! Integer arithmetic by type, overflow mode and rounding.
//!
//! The exact result is computed first; what happens when it does not fit is the mode's business ([`settle`]).

use super::{Fault, IntType, Reason};

/// A two-operand integer operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div(Rounding),
    Mod(Rounding),
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// The `overflow` attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    Python,
    Checked,
    Wrap,
    Proven,
    Native,
}

/// The `rounding` attribute of a division and its remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Floor,
    Trunc,
}

impl Overflow {
    /// The mode of an attribute value.
    pub fn parse(text: &str) -> Option<Overflow> {
        Some(match text {
            "python" => Overflow::Python,
            "checked" => Overflow::Checked,
            "wrap" => Overflow::Wrap,
            "proven" => Overflow::Proven,
            "native" => Overflow::Native,
            _ => return None,
        })
    }

    /// How this mode answers operands on which the operation has no value at all.
    fn fault(self, reason: Reason) -> Fault {
        match self {
            Overflow::Python | Overflow::Checked => Fault::Fallback(reason),
            Overflow::Wrap | Overflow::Proven | Overflow::Native => Fault::Undefined(reason),
        }
    }
}

impl Rounding {
    /// The rounding of an attribute value.
    pub fn parse(text: &str) -> Option<Rounding> {
        match text {
            "floor" => Some(Rounding::Floor),
            "trunc" => Some(Rounding::Trunc),
            _ => None,
        }
    }
}

/// The bits of the exact result under an overflow mode.
///
/// A result that does not fit: `python` and `checked` fail into the fallback, `wrap` wraps, `proven` is undefined
/// because the proof was wrong. `native` is the target language's arithmetic: unsigned wraps, signed is undefined.
pub fn settle(ty: IntType, overflow: Overflow, exact: i128) -> Result<u64, Fault> {
    let bits = ty.wrap(exact);
    if ty.value(bits) == exact {
        return Ok(bits);
    }
    match overflow {
        Overflow::Wrap => Ok(bits),
        Overflow::Native if !ty.signed => Ok(bits),
        mode => Err(mode.fault(Reason::Overflow)),
    }
}

/// `op` on two operands of one type, given and answered as normalized bits. Shift amounts are of the same type here;
/// see [`shl`] and [`shr`] for others.
///
/// A division or remainder by zero fails into the fallback under `python` and `checked`, and is undefined otherwise.
/// The smallest signed value divided by -1 overflows. Its remainder is 0, but undefined under `proven` and `native`,
/// which are the machine's plain division.
pub fn binary(op: IntOp, ty: IntType, overflow: Overflow, a: u64, b: u64) -> Result<u64, Fault> {
    let (x, y) = (ty.value(a), ty.value(b));
    let exact = match op {
        IntOp::Add => x + y,
        IntOp::Sub => x - y,
        // u64 * u64 may leave i128; it then wraps to a negative number, which no unsigned type holds either.
        IntOp::Mul => x.wrapping_mul(y),
        IntOp::Div(_) | IntOp::Mod(_) if y == 0 => return Err(overflow.fault(Reason::ZeroDivision)),
        IntOp::Mod(_)
            if ty.signed && y == -1 && x == ty.min() && matches!(overflow, Overflow::Proven | Overflow::Native) =>
        {
            return Err(overflow.fault(Reason::Overflow));
        }
        IntOp::Div(rounding) => divide(rounding, x, y).0,
        IntOp::Mod(rounding) => divide(rounding, x, y).1,
        IntOp::And => return Ok(a & b),
        IntOp::Or => return Ok(a | b),
        IntOp::Xor => return Ok(a ^ b),
        IntOp::Shl => return shl(ty, overflow, a, y),
        IntOp::Shr => return shr(ty, overflow, a, y),
    };
    settle(ty, overflow, exact)
}

/// Quotient and remainder of two values of at most 64 bits; `y` is not zero.
fn divide(rounding: Rounding, x: i128, y: i128) -> (i128, i128) {
    // 128-bit division is a slow library call; nearly all operands fit 64 bits.
    let (q, r) = match (i64::try_from(x), i64::try_from(y)) {
        (Ok(x), Ok(y)) if y != -1 => (i128::from(x / y), i128::from(x % y)),
        _ => (x / y, x % y),
    };
    match rounding {
        Rounding::Floor if r != 0 && (r < 0) != (y < 0) => (q - 1, r + y),
        _ => (q, r),
    }
}

/// `-a`. Of an unsigned type only 0 has a negative.
pub fn neg(ty: IntType, overflow: Overflow, a: u64) -> Result<u64, Fault> {
    settle(ty, overflow, -ty.value(a))
}

/// `a * 2**amount`.
///
/// An amount outside `0..width`: `python` and `checked` fail into the fallback (also for `a == 0`), `wrap` shifts
/// every bit out and gives 0 (the amount read as unsigned), `proven` and `native` are undefined.
pub fn shl(ty: IntType, overflow: Overflow, a: u64, amount: i128) -> Result<u64, Fault> {
    if !(0..i128::from(ty.width)).contains(&amount) {
        return match overflow {
            Overflow::Wrap => Ok(0),
            mode => Err(mode.fault(Reason::ShiftAmount)),
        };
    }
    settle(ty, overflow, ty.value(a) << amount)
}

/// `floor(a / 2**amount)`: arithmetic for signed types, logical for unsigned ones.
///
/// A right shift cannot overflow, so only the amount matters. Outside `0..width`: `python` and `checked` fail into
/// the fallback, `proven` and `native` are undefined, and `wrap` (also what an operation without a mode means) shifts
/// every bit out: 0, or -1 for a negative value (the amount read as unsigned).
pub fn shr(ty: IntType, overflow: Overflow, a: u64, amount: i128) -> Result<u64, Fault> {
    let value = ty.value(a);
    if !(0..i128::from(ty.width)).contains(&amount) {
        return match overflow {
            Overflow::Wrap => Ok(ty.wrap(if value < 0 { -1 } else { 0 })),
            mode => Err(mode.fault(Reason::ShiftAmount)),
        };
    }
    Ok(ty.wrap(value >> amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: IntType = IntType { width: 8, signed: true };
    const U8: IntType = IntType { width: 8, signed: false };
    const OVERFLOW: Result<i128, Fault> = Err(Fault::Fallback(Reason::Overflow));

    fn run(op: IntOp, ty: IntType, mode: Overflow, a: i128, b: i128) -> Result<i128, Fault> {
        binary(op, ty, mode, ty.wrap(a), ty.wrap(b)).map(|bits| ty.value(bits))
    }

    #[test]
    fn overflow_modes() {
        use Overflow::*;
        assert_eq!(run(IntOp::Add, I8, Python, 127, 1), OVERFLOW);
        assert_eq!(run(IntOp::Add, I8, Wrap, 127, 1), Ok(-128));
        assert_eq!(run(IntOp::Sub, U8, Checked, 0, 1), OVERFLOW);
        assert_eq!(run(IntOp::Sub, U8, Wrap, 0, 1), Ok(255));
        assert_eq!(run(IntOp::Mul, U8, Native, 255, 255), Ok(1));
        assert_eq!(run(IntOp::Mul, I8, Native, 127, 127), Err(Fault::Undefined(Reason::Overflow)));
        assert_eq!(run(IntOp::Add, I8, Proven, 127, 1), Err(Fault::Undefined(Reason::Overflow)));
        let max = i128::from(u64::MAX);
        assert_eq!(run(IntOp::Mul, IntType::U64, Python, max, max), OVERFLOW);
        assert_eq!(run(IntOp::Mul, IntType::U64, Wrap, max, max), Ok(1));
        assert_eq!(run(IntOp::Mul, IntType::I64, Wrap, i64::MIN.into(), i64::MIN.into()), Ok(0));
    }

    #[test]
    fn every_i8_division_agrees_with_its_definition() {
        for a in -128i128..128 {
            for b in -128i128..128 {
                let floor = |op| run(op, I8, Overflow::Python, a, b);
                let (q, r) = (floor(IntOp::Div(Rounding::Floor)), floor(IntOp::Mod(Rounding::Floor)));
                if b == 0 {
                    assert_eq!(q, Err(Fault::Fallback(Reason::ZeroDivision)));
                    assert_eq!(r, q);
                    continue;
                }
                let quotient = (a as f64 / b as f64).floor() as i128;
                assert_eq!(q, if quotient == 128 { OVERFLOW } else { Ok(quotient) }, "{a} // {b}");
                assert_eq!(r, Ok(a - quotient * b), "{a} % {b}");
                let trunc = run(IntOp::Div(Rounding::Trunc), I8, Overflow::Wrap, a, b);
                assert_eq!(trunc, Ok(I8.value(I8.wrap(a / b))));
                assert_eq!(run(IntOp::Mod(Rounding::Trunc), I8, Overflow::Wrap, a, b), Ok(a % b));
            }
        }
    }

    #[test]
    fn the_smallest_value_by_minus_one() {
        let min = i128::from(i64::MIN);
        let by = |op, mode| run(op, IntType::I64, mode, min, -1);
        assert_eq!(by(IntOp::Mod(Rounding::Floor), Overflow::Python), Ok(0));
        assert_eq!(by(IntOp::Mod(Rounding::Trunc), Overflow::Wrap), Ok(0));
        assert_eq!(by(IntOp::Mod(Rounding::Trunc), Overflow::Proven), Err(Fault::Undefined(Reason::Overflow)));
        assert_eq!(by(IntOp::Div(Rounding::Floor), Overflow::Python), OVERFLOW);
        assert_eq!(by(IntOp::Div(Rounding::Trunc), Overflow::Wrap), Ok(min));
    }

    #[test]
    fn shifts() {
        use Overflow::*;
        assert_eq!(run(IntOp::Shl, I8, Python, 1, 6), Ok(64));
        assert_eq!(run(IntOp::Shl, I8, Python, 1, 7), OVERFLOW);
        assert_eq!(run(IntOp::Shl, I8, Python, -1, 7), Ok(-128));
        assert_eq!(run(IntOp::Shl, I8, Wrap, 1, 7), Ok(-128));
        assert_eq!(run(IntOp::Shl, U8, Wrap, 3, 7), Ok(128));
        assert_eq!(run(IntOp::Shl, I8, Python, 0, 8), Err(Fault::Fallback(Reason::ShiftAmount)));
        assert_eq!(run(IntOp::Shl, I8, Wrap, 1, 8), Ok(0));
        assert_eq!(run(IntOp::Shl, I8, Wrap, 1, -1), Ok(0));
        assert_eq!(run(IntOp::Shr, I8, Wrap, -128, 3), Ok(-16));
        assert_eq!(run(IntOp::Shr, U8, Wrap, 128, 3), Ok(16));
        assert_eq!(run(IntOp::Shr, I8, Wrap, -5, 100), Ok(-1));
        assert_eq!(run(IntOp::Shr, I8, Proven, 5, -1), Err(Fault::Undefined(Reason::ShiftAmount)));
    }

    #[test]
    fn negation() {
        assert_eq!(neg(I8, Overflow::Python, I8.wrap(-128)), Err(Fault::Fallback(Reason::Overflow)));
        assert_eq!(neg(I8, Overflow::Wrap, I8.wrap(-128)), Ok(I8.wrap(-128)));
        assert_eq!(neg(U8, Overflow::Checked, 5), Err(Fault::Fallback(Reason::Overflow)));
        assert_eq!(neg(U8, Overflow::Wrap, 5), Ok(251));
        assert_eq!(neg(U8, Overflow::Python, 0), Ok(0));
    }
}
