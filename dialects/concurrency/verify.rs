//! Verification rules of the concurrency dialect.

use crate::dialects::core::constant::scalar_type;
use crate::dialects::core::type_views::PtrType;
use crate::mlir::prelude::*;
use crate::semantics::{IntType, ScalarType};

/// Every pointer is to `i64` slots that can be written.
pub fn slots(op: Op) -> Verdict {
    for ptr in op.all_operands().iter().filter_map(|value| PtrType::cast(value.r#type())) {
        let slot = scalar_type(ptr.pointee()) == Some(ScalarType::Int(IntType::I64));
        if !slot || ptr.constant() {
            let kind = if slot { "const memory" } else { "no i64" };
            return Err(format!("works on {}, which is {kind}: its slots are i64 that can be written", ptr.as_type()));
        }
    }
    Ok(())
}
