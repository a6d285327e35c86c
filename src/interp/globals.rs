//! Globals: memory with an initial value.

use super::error::{ErrorKind, Stop};
use super::memory::{Memory, Origin};
use crate::ppyir::ast::{Attr, Global, Type};
use crate::semantics::layout;
use crate::semantics::{Scalar, ScalarType};

/// Memory of a global with its initial value; without one it is zero.
pub fn place(memory: &mut Memory, global: &Global) -> Result<u64, Stop> {
    let refuse = |message: &str| Stop::Trouble(Box::new((ErrorKind::Module, message.to_owned())));
    let mut bytes = Vec::new();
    match (&global.ty, &global.value) {
        (Type::Buffer(element), Some(Attr::Str(text))) if ScalarType::of(element).is_some_and(|ty| ty.size() == 1) => {
            bytes.extend_from_slice(text.as_bytes());
        }
        (Type::Buffer(element), Some(Attr::List(items))) => {
            for item in items {
                write_initial(element, item, &mut bytes).ok_or_else(|| refuse("an element does not fit its type"))?;
            }
        }
        (ty, Some(value)) => {
            write_initial(ty, value, &mut bytes).ok_or_else(|| refuse("the initial value does not fit its type"))?;
        }
        (Type::Buffer(_), None) => {}
        (ty, None) => {
            let layout = layout::layout(ty).ok_or_else(|| refuse("the type has no layout in memory"))?;
            bytes.resize(usize::try_from(layout.size).unwrap_or(0), 0);
        }
    }
    let origin = if global.mutable { Origin::Global } else { Origin::Constant };
    let size = bytes.len() as u64;
    // Filled while it is writable.
    let address = memory.allocate(size, Origin::Global)?;
    memory.bytes_mut(address, size, 1)?.copy_from_slice(&bytes);
    memory.set_origin(address, origin);
    Ok(address)
}

/// Appends the bytes of an initial value: a scalar, or a list for the leaves of an aggregate.
fn write_initial(ty: &Type, value: &Attr, bytes: &mut Vec<u8>) -> Option<()> {
    if let Attr::List(items) = value {
        let layout = layout::layout(ty)?;
        let leaves = layout::leaves(ty).filter(|leaves| leaves.len() == items.len())?;
        let start = bytes.len();
        bytes.resize(start + usize::try_from(layout.size).ok()?, 0);
        for (leaf, item) in leaves.iter().zip(items) {
            let width = usize::from(leaf.ty.size());
            let at = start + usize::try_from(leaf.offset).ok()?;
            let scalar = Scalar::from_attr(leaf.ty, item)?;
            bytes.get_mut(at..at + width)?.copy_from_slice(scalar.bits.to_le_bytes().get(..width)?);
        }
        return Some(());
    }
    let scalar = Scalar::from_attr(ScalarType::of(ty)?, value)?;
    bytes.extend_from_slice(scalar.bits.to_le_bytes().get(..usize::from(scalar.ty.size()))?);
    Some(())
}
