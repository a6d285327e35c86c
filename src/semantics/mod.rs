//! What the scalar operations of ppy compute: pure, total Rust functions over bit patterns.
//!
//! The interpreter and the MLIR folders both call these, so there is one meaning. **Invariant: no function here
//! panics, and every input has exactly one outcome** — a value, or a [`Fault`] that says why there is none. Where the
//! specification leaves a case open the choice is stated on the function that makes it.
//!
//! Source: spec `ir.txt`, sections Core operations, Overflow modes, The math dialect.

pub mod cast;
pub mod compare;
pub mod float;
pub mod int;
pub mod layout;
pub mod math;
pub mod scalar;
pub mod value;

pub use scalar::{FloatType, IntType, Scalar, ScalarType};

use std::fmt;

/// Why an operation has no value on these operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The function fails with the fallback status: the caller runs the Python body, which knows the true value.
    Fallback(Reason),
    /// The program promised that this does not happen. The interpreter reports it, compiled code may do anything.
    Undefined(Reason),
}

/// What went wrong, in the words of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The exact result does not fit the type.
    Overflow,
    /// A division or remainder by zero.
    ZeroDivision,
    /// A shift by a negative amount, or by the width or more.
    ShiftAmount,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Overflow => "the result does not fit its type",
            Reason::ZeroDivision => "division by zero",
            Reason::ShiftAmount => "the shift amount is negative or not below the width",
        })
    }
}

impl Fault {
    /// The reason, whichever way it is answered.
    pub fn reason(self) -> Reason {
        match self {
            Fault::Fallback(reason) | Fault::Undefined(reason) => reason,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason().fmt(f)
    }
}
