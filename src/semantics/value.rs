//! Values at the boundary of a program: what a caller passes in and gets back, typed, independent of the engine.

use super::layout::{self, Leaf};
use super::{Scalar, ScalarType};
use crate::ppyir::ast::Type;

/// An argument or a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, a bool, or an address in a result.
    Scalar(Scalar),
    /// The null pointer.
    Null,
    /// A pointer to memory of the caller's, or (for a buffer type) that memory with its length.
    Memory(Data),
    /// A tuple, struct, array or vector.
    Group(Vec<Value>),
}

/// Elements in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    pub element: Type,
    /// The elements in the layout of [`layout`].
    pub bytes: Vec<u8>,
    /// How many elements.
    pub len: u64,
}

impl Data {
    /// The leaves of all elements in order; `None` when the element type has no layout or the sizes disagree.
    pub fn leaves(&self) -> Option<Vec<Scalar>> {
        let size = layout::layout(&self.element)?.size;
        let element = layout::leaves(&self.element)?;
        let mut out = Vec::new();
        for index in 0..self.len {
            let base = index.checked_mul(size)?;
            for leaf in &element {
                out.push(read_leaf(&self.bytes, base, *leaf)?);
            }
        }
        Some(out)
    }

    /// Packs the leaves of whole elements.
    pub fn pack(element: Type, scalars: &[Scalar]) -> Option<Data> {
        let size = layout::layout(&element)?.size;
        let leaves = layout::leaves(&element)?;
        if leaves.is_empty() || !scalars.len().is_multiple_of(leaves.len()) {
            return None;
        }
        let len = (scalars.len() / leaves.len()) as u64;
        let mut bytes = vec![0; usize::try_from(size.checked_mul(len)?).ok()?];
        for (position, chunk) in scalars.chunks(leaves.len()).enumerate() {
            for (leaf, scalar) in leaves.iter().zip(chunk) {
                let start = usize::try_from(position as u64 * size + leaf.offset).ok()?;
                let width = usize::from(leaf.ty.size());
                bytes.get_mut(start..start + width)?.copy_from_slice(scalar.bits.to_le_bytes().get(..width)?);
            }
        }
        Some(Data { element, bytes, len })
    }
}

fn read_leaf(bytes: &[u8], base: u64, leaf: Leaf) -> Option<Scalar> {
    let start = usize::try_from(base.checked_add(leaf.offset)?).ok()?;
    let width = usize::from(leaf.ty.size());
    let mut raw = [0; 8];
    raw.get_mut(..width)?.copy_from_slice(bytes.get(start..start.checked_add(width)?)?);
    Some(Scalar { ty: leaf.ty, bits: leaf.ty.from_memory(u64::from_le_bytes(raw)) })
}

impl Value {
    /// The value of a type from its flat leaves, taking them off the front of `bits`; pointers come out as addresses.
    /// `None` when leaves are missing or the type has no layout.
    pub fn unflatten(ty: &Type, bits: &mut &[u64]) -> Option<Value> {
        let mut take = |ty: ScalarType| {
            let (first, rest) = bits.split_first()?;
            *bits = rest;
            Some(Value::Scalar(Scalar { ty, bits: *first }))
        };
        if let Some(scalar) = ScalarType::of(ty) {
            return take(scalar);
        }
        Some(Value::Group(match ty {
            Type::Void => Vec::new(),
            Type::Tuple(items) => items.iter().map(|ty| Value::unflatten(ty, bits)).collect::<Option<_>>()?,
            Type::Struct(ty) => ty.fields.iter().map(|(_, ty)| Value::unflatten(ty, bits)).collect::<Option<_>>()?,
            _ => layout::leaves(ty)?.iter().map(|leaf| take(leaf.ty)).collect::<Option<_>>()?,
        }))
    }

    /// Every scalar of the value in order, groups flattened; memory and null give nothing.
    pub fn scalars(&self) -> Vec<Scalar> {
        match self {
            Value::Scalar(scalar) => vec![*scalar],
            Value::Null | Value::Memory(_) => Vec::new(),
            Value::Group(items) => items.iter().flat_map(Value::scalars).collect(),
        }
    }
}
