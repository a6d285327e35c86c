//! The reference interpreter: what a ppy module means, in plain safe Rust.
//!
//! [`Interpreter`] runs an `ast::Module` as it stands, without MLIR. Each operation's rule lives in its dialect
//! (`dialects/*/interp.rs`) and turns the operation into a closure over the slots of a frame and a safe model of
//! memory; scalar arithmetic is `crate::semantics`. **Invariants: no `unsafe`; no input panics or runs without end
//! (fuel, memory and depth are limited); what ppy leaves undefined is reported with its operation, never suffered.**
//!
//! What is undefined and reported: a `proven` or signed `native` result that does not fit, a division by zero or shift
//! amount out of range under those modes (division also under `wrap`), any access outside live, writable, aligned
//! memory or a buffer's length, a call of what is no function, a mismatched indirect call, `core.unreachable`.
//! What is defined although it need not be: stack and heap memory starts as zeros, the results of a failed captured
//! call are zeros, a float out of an integer's range saturates to 64 bits and then wraps.
//!
//! Source: spec `ir.txt` (Core operations, Overflow modes, The LLVM backend) for the statuses.

pub mod compile;
pub mod error;
mod globals;
pub mod host;
mod machine;
pub mod memory;
mod rules;
mod schedule;
#[cfg(test)]
mod tests;
pub mod threads;

pub use error::{ErrorKind, InterpError, Site};
pub use host::Host;
pub use machine::{Failure, Interpreter, Limits, Outcome};
pub use rules::Rule;

/// The function succeeded.
pub const OK: i32 = 0;
/// A guard or a checked operation failed: the caller runs the Python body.
pub const FALLBACK: i32 = 1;
/// An exception is pending in the runtime.
pub const RAISED: i32 = -1;
/// The statuses of the sanitizer's guards, by the label after `sanitize:`.
pub const SANITIZERS: &[(&str, i32)] = &[("bounds", 2), ("overflow", 3), ("pointer", 4), ("alignment", 5)];
