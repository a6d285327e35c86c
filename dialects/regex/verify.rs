//! Verification rules of the regex dialect.

use super::ops::SearchOp;
use super::syntax;
use crate::dialects::core::type_views::BufferType;
use crate::mlir::op::{ScalarType, scalar_type};
use crate::mlir::prelude::*;

/// A match is over bytes, its pattern has a matcher, and it gives a span for each group.
pub fn matches(op: Op) -> Verdict {
    // The three operations have one shape.
    let view = SearchOp(op);
    let buffer = view.buffer().r#type();
    let element = BufferType::cast(buffer).and_then(|buffer| scalar_type(buffer.element()));
    if element != Some(ScalarType::Int { width: 8, signed: false }) {
        return Err(format!("matches over {buffer}: a pattern is matched over buffer<u8>"));
    }
    let text = view.pattern().unwrap_or_default();
    let pattern = syntax::parse(text, view.flags().unwrap_or(0)).map_err(|error| error.to_string())?;
    let (wanted, given) = (2 * (pattern.groups + 1), op.result_len().saturating_sub(1));
    match wanted == given {
        true => Ok(()),
        false => Err(format!(
            "yields a bool and {given} spans' ends for a pattern with {} groups: it yields a bool and {wanted} i64, a \
             start and an end of the match and of each group",
            pattern.groups
        )),
    }
}
