//! Verification rules of the simd dialect, beside the types that TableGen matches.

use super::ops::{ShuffleOp, StoreOp};
use crate::dialects::core::type_views::PtrType;
use crate::mlir::attribute_view::{AttributeView, view};
use crate::mlir::op::{element_or_self, vector_lanes};
use crate::mlir::prelude::*;

/// The pointer is to a lane of the vector.
fn addresses_lanes(vector: Type, pointer: Value, does: &str) -> Result<(), String> {
    let (lane, pointer) = (element_or_self(vector), pointer.r#type());
    match PtrType::cast(pointer) {
        Some(ptr) if ptr.pointee() != lane => {
            Err(format!("{does} {vector} through {pointer}: a pointer to {lane} addresses its lanes; cast the pointer"))
        }
        _ => Ok(()),
    }
}

pub fn load(op: Op) -> Verdict {
    addresses_lanes(op.result_type(), op.value(0), "reads")
}

pub fn store(op: Op) -> Verdict {
    let store = StoreOp(op);
    addresses_lanes(store.value().r#type(), store.ptr(), "writes")?;
    match PtrType::cast(store.ptr().r#type()) {
        Some(ptr) if ptr.constant() => {
            Err(format!("writes through {}, a const pointer: use one without const", ptr.as_type()))
        }
        _ => Ok(()),
    }
}

/// The mask's lanes; `None` where it holds something else.
pub fn mask(op: Op<'_, '_>) -> Option<Vec<i128>> {
    let AttributeView::Array(lanes) = view(ShuffleOp(op).mask()?) else { return None };
    lanes
        .into_iter()
        .map(|lane| if let AttributeView::Int { value } = view(lane) { Some(value) } else { None })
        .collect()
}

/// The mask names lanes that there are, one for each of the result's.
pub fn shuffle(op: Op) -> Verdict {
    let (from, to) = (op.value(0).r#type(), op.result_type());
    let lanes = 2 * i128::from(vector_lanes(from).unwrap_or(0));
    let Some(mask) = mask(op) else {
        return Err("has a mask of other things than integers: number the lanes, like [0, 4]".into());
    };
    if let Some(wrong) = mask.iter().find(|lane| !(0..lanes).contains(*lane)) {
        return Err(format!("takes lane {wrong} of two {from}: their lanes are 0 to {}", lanes - 1));
    }
    if element_or_self(from) != element_or_self(to) || vector_lanes(to) != Some(mask.len() as u64) {
        return Err(format!(
            "gives {to} of {} lanes of {from}: its result has a lane of {} for each of the mask",
            mask.len(),
            element_or_self(from)
        ));
    }
    Ok(())
}
