//! How an interpretation ends other than by a status: errors with their place, and the signals inside a run.

use crate::ppyir::ast::{Loc, Span};
use crate::semantics::{Fault, Reason};
use smol_str::SmolStr;
use std::fmt;

/// What kind of trouble stopped the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The call asked for something that is not there, or passed the wrong arguments.
    Request,
    /// The module has an operation or type that the interpreter cannot run, or does not verify.
    Module,
    /// Functions that the called one can reach have no definition.
    Missing,
    /// The program did what ppy does not define; compiled code may do anything there.
    Undefined,
    /// Fuel, memory or call depth ran out.
    Limit,
}

/// The operation an error is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    pub function: SmolStr,
    pub block: SmolStr,
    pub op: SmolStr,
    /// The source location that the frontend recorded.
    pub loc: Option<Loc>,
    /// Where the operation stands in the `.ppyir` text.
    pub span: Span,
}

/// An error of the interpreter. `Display` gives one line with everything.
#[derive(Clone, Debug, PartialEq)]
pub struct InterpError {
    pub kind: ErrorKind,
    pub message: String,
    pub site: Option<Box<Site>>,
}

impl InterpError {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> InterpError {
        InterpError { kind, message: message.into(), site: None }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{} ^{} {}", self.function, self.block, self.op)?;
        match &self.loc {
            Some(loc) => write!(f, " ({}:{}:{})", loc.file, loc.line, loc.column),
            None => Ok(()),
        }
    }
}

impl fmt::Display for InterpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(site) = &self.site {
            write!(f, "{site}: ")?;
        }
        if self.kind == ErrorKind::Undefined {
            f.write_str("undefined behaviour: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for InterpError {}

/// Why an operation cannot be compiled. The compiler adds the place.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub String);

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal(message)
    }
}

impl From<&str> for Refusal {
    fn from(message: &str) -> Refusal {
        Refusal(message.to_owned())
    }
}

/// What interrupts the straight run of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// The function fails with a status.
    Status(Failed),
    /// The whole run ends with an error.
    Trouble(Box<(ErrorKind, String)>),
}

/// A failing status and what caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    pub status: i32,
    pub cause: Cause,
}

/// What made a function fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A `core.guard` did not hold.
    Guard,
    /// An operation's own check failed.
    Operation(Reason),
    /// A called function failed.
    Call,
}

impl Stop {
    pub fn undefined(message: impl Into<String>) -> Stop {
        Stop::Trouble(Box::new((ErrorKind::Undefined, message.into())))
    }

    pub fn limit(message: impl Into<String>) -> Stop {
        Stop::Trouble(Box::new((ErrorKind::Limit, message.into())))
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        match fault {
            Fault::Fallback(reason) => {
                Stop::Status(Failed { status: super::FALLBACK, cause: Cause::Operation(reason) })
            }
            Fault::Undefined(reason) => Stop::undefined(reason.to_string()),
        }
    }
}
