//! Canonicalization of the core dialect, by the operation a pattern roots at. Each rule states, in the line above it,
//! under which overflow modes it keeps the meaning; docs/fallback.md says what keeping the meaning is.

pub use super::patterns_arith::{add, div, mod_, mul, neg, shl, shr, sub};
pub use super::patterns_bits::{and, or, xor};
pub use super::patterns_cast::{cast, ptr_offset};
pub use super::patterns_cmp::{cmp, select};
pub use super::patterns_flow::{br, cond_br, guard};
pub use super::patterns_memory::{call_intrinsic, load, store};
