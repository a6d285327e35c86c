//! Verification rules of the cpu dialect.

use super::ops::PrefetchOp;
use crate::mlir::attribute_view::{AttributeView, view};
use crate::mlir::prelude::*;

pub fn prefetch(op: Op) -> Verdict {
    match PrefetchOp(op).locality() {
        Some(locality) if !(0..=3).contains(&locality) => Err(format!(
            "has locality {locality}: it is 0, to keep the line not at all, to 3, to keep it in all caches"
        )),
        _ => Ok(()),
    }
}

/// A function's `cpu.features` are names, as LLVM has them.
pub fn features(function: Op) -> Verdict {
    let Some(features) = function.discardable("cpu.features") else { return Ok(()) };
    let refuse =
        |what: String| Err(format!("has cpu.features {what}: it is a list of names, like [\"avx2\", \"fma\"]"));
    let AttributeView::Array(list) = view(features) else { return refuse(features.to_string()) };
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    for item in list {
        match view(item) {
            AttributeView::Str(name)
                if name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(part) => {}
            _ => return refuse(format!("with {item}")),
        }
    }
    Ok(())
}
