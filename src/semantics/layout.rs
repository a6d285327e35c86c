//! How a type lies in memory, and the scalar leaves that a value of it consists of.
//!
//! Memory is the C layout: natural alignment, fields in order, little-endian, a bool a byte, a pointer 8 bytes, a
//! buffer a pointer and an `i64` length, an array or vector its elements in order. A value outside memory is the flat
//! list of its leaves in that order, which is also the order of the native ABI's machine atoms.

use super::{IntType, ScalarType};
use crate::ppyir::ast::Type;

/// A type nested deeper has no layout.
const MAX_DEPTH: u32 = 128;

/// A value with more leaves has no layout: it would be copied leaf by leaf.
pub const MAX_LEAVES: usize = 1 << 16;

/// A larger type has no layout, so that sizes and offsets never overflow.
pub const MAX_BYTES: u64 = 1 << 40;

/// One scalar of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub ty: ScalarType,
    /// Bytes from the start of the value in memory.
    pub offset: u64,
}

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

/// The layout of a type; `None` for types that have none: those of other dialects, and ones past the caps above.
/// `void` has size 0.
pub fn layout(ty: &Type) -> Option<Layout> {
    layout_at(ty, 0)
}

/// The leaves of a type in order; `None` where [`layout`] is `None` or there are more than [`MAX_LEAVES`].
pub fn leaves(ty: &Type) -> Option<Vec<Leaf>> {
    let mut out = Vec::new();
    collect(ty, 0, 0, &mut out)?;
    Some(out)
}

fn layout_at(ty: &Type, depth: u32) -> Option<Layout> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(scalar) = ScalarType::of(ty) {
        let size = u64::from(scalar.size());
        return Some(Layout { size, align: size });
    }
    match ty {
        Type::Void => Some(Layout { size: 0, align: 1 }),
        Type::Buffer(_) => Some(Layout { size: 16, align: 8 }),
        Type::Vector(element, lanes) => repeat(layout_at(element, depth + 1)?, *lanes),
        Type::Array(element, dims) => {
            let count = dims.iter().try_fold(1u64, |count, dim| count.checked_mul(*dim))?;
            repeat(layout_at(element, depth + 1)?, count)
        }
        Type::Tuple(items) => fields(items.iter(), depth, |_, _| Some(())),
        Type::Struct(ty) => fields(ty.fields.iter().map(|(_, ty)| ty), depth, |_, _| Some(())),
        _ => None,
    }
}

fn repeat(element: Layout, count: u64) -> Option<Layout> {
    let size = element.size.checked_mul(count).filter(|size| *size <= MAX_BYTES)?;
    Some(Layout { size, align: element.align })
}

/// Lays fields out one after another, telling `each` the offset of every field.
fn fields<'t>(
    types: impl Iterator<Item = &'t Type>,
    depth: u32,
    mut each: impl FnMut(&'t Type, u64) -> Option<()>,
) -> Option<Layout> {
    let (mut size, mut align) = (0u64, 1u64);
    for ty in types {
        let field = layout_at(ty, depth + 1)?;
        size = size.next_multiple_of(field.align);
        each(ty, size)?;
        size = size.checked_add(field.size).filter(|size| *size <= MAX_BYTES)?;
        align = align.max(field.align);
    }
    Some(Layout { size: size.next_multiple_of(align), align })
}

fn collect(ty: &Type, base: u64, depth: u32, out: &mut Vec<Leaf>) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(ty) = ScalarType::of(ty) {
        out.push(Leaf { ty, offset: base });
        return (out.len() <= MAX_LEAVES).then_some(());
    }
    match ty {
        Type::Void => {}
        Type::Buffer(_) => {
            out.push(Leaf { ty: ScalarType::Pointer, offset: base });
            out.push(Leaf { ty: ScalarType::Int(IntType::I64), offset: base + 8 });
        }
        Type::Vector(element, _) | Type::Array(element, _) => {
            let size = layout_at(ty, depth)?.size;
            let stride = layout_at(element, depth + 1)?.size;
            let mut offset = 0;
            // An element of no size (an empty tuple) has no leaves either.
            while stride != 0 && offset < size {
                collect(element, base + offset, depth + 1, out)?;
                offset += stride;
            }
        }
        Type::Tuple(items) => {
            fields(items.iter(), depth, |ty, offset| collect(ty, base + offset, depth + 1, out))?;
        }
        Type::Struct(ty) => {
            let types = ty.fields.iter().map(|(_, ty)| ty);
            fields(types, depth, |ty, offset| collect(ty, base + offset, depth + 1, out))?;
        }
        _ => return None,
    }
    (out.len() <= MAX_LEAVES).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn tuple(items: &[Type]) -> Type {
        Type::Tuple(items.into())
    }

    #[test]
    fn fields_are_padded_and_leaves_are_flat() {
        let inner = tuple(&[Type::Bool, Type::F64]);
        let ty = tuple(&[Type::Int { width: 8, signed: true }, inner, Type::Buffer(Arc::new(Type::F32))]);
        assert_eq!(layout(&ty), Some(Layout { size: 40, align: 8 }));
        let offsets: Vec<u64> = leaves(&ty).unwrap_or_default().iter().map(|leaf| leaf.offset).collect();
        assert_eq!(offsets, [0, 8, 16, 24, 32]);
    }

    #[test]
    fn arrays_are_row_major_and_capped() {
        let cells = Type::Array(Arc::new(Type::Int { width: 32, signed: true }), [2, 3].into());
        assert_eq!(layout(&cells), Some(Layout { size: 24, align: 4 }));
        assert_eq!(leaves(&cells).map(|leaves| leaves.len()), Some(6));
        let huge = Type::Array(Arc::new(Type::Bool), [u64::MAX, 2].into());
        assert_eq!(layout(&huge), None);
        let many = Type::Array(Arc::new(Type::Bool), [1 << 30].into());
        assert!(layout(&many).is_some() && leaves(&many).is_none());
        let mut deep = Type::Bool;
        for _ in 0..200 {
            deep = tuple(&[deep]);
        }
        assert_eq!(layout(&deep), None);
    }
}
