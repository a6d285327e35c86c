//! The machine atoms that a value is passed as: one parameter each, and one result pointer each.
//!
//! A scalar is an atom, a bool as a byte; a buffer is a pointer and an `i64` length; tuples, structs and arrays are
//! flattened; a vector is one atom. A function without results has one `i64` slot.

use crate::ppyir::ast::Type;
use crate::semantics::{IntType, ScalarType, layout};

/// One machine value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    Scalar(ScalarType),
    Vector(ScalarType, u64),
}

impl Atom {
    /// The scalars it consists of.
    pub fn lanes(self) -> usize {
        match self {
            Atom::Scalar(_) => 1,
            Atom::Vector(_, lanes) => lanes as usize,
        }
    }

    fn scalar(self) -> ScalarType {
        match self {
            Atom::Scalar(ty) | Atom::Vector(ty, _) => ty,
        }
    }

    /// Its bytes in memory.
    pub fn size(self) -> usize {
        usize::from(self.scalar().size()) * self.lanes()
    }

    /// Writes its scalars' bits to memory.
    pub fn write(self, bits: &[u64], out: &mut [u8]) {
        let size = usize::from(self.scalar().size());
        for (chunk, bits) in out.chunks_mut(size).zip(bits) {
            chunk.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }

    /// Reads its scalars' bits back.
    pub fn read(self, memory: &[u8], out: &mut Vec<u64>) {
        let (ty, size) = (self.scalar(), usize::from(self.scalar().size()));
        out.extend(memory.chunks(size).take(self.lanes()).map(|chunk| {
            let mut raw = [0; 8];
            raw[..size].copy_from_slice(chunk);
            ty.from_memory(u64::from_le_bytes(raw))
        }));
    }
}

/// The atoms of a type; `None` where it cannot be passed.
pub fn atoms(ty: &Type) -> Option<Vec<Atom>> {
    let mut out = Vec::new();
    // A type whose layout exists is not too deep to recurse into.
    layout::layout(ty)?;
    collect(ty, &mut out)?;
    Some(out)
}

fn collect(ty: &Type, out: &mut Vec<Atom>) -> Option<()> {
    match ty {
        Type::Void => {}
        Type::Buffer(_) => {
            out.extend([Atom::Scalar(ScalarType::Pointer), Atom::Scalar(ScalarType::Int(IntType::I64))]);
        }
        Type::Tuple(items) => items.iter().try_for_each(|ty| collect(ty, out))?,
        Type::Struct(ty) => ty.fields.iter().try_for_each(|(_, ty)| collect(ty, out))?,
        Type::Array(element, shape) => {
            let count = shape.iter().try_fold(1u64, |count, extent| count.checked_mul(*extent))?;
            let element = atoms(element)?;
            let total = usize::try_from(count).ok()?.checked_mul(element.len())?;
            if total > layout::MAX_LEAVES {
                return None;
            }
            out.extend(element.iter().cycle().take(total));
        }
        Type::Vector(element, lanes) => out.push(Atom::Vector(ScalarType::of(element)?, *lanes)),
        ty => out.push(Atom::Scalar(ScalarType::of(ty)?)),
    }
    (out.len() <= layout::MAX_LEAVES).then_some(())
}

/// The atoms of a function's results: where its result pointers point.
pub fn results(types: &[Type]) -> Option<Vec<Atom>> {
    let mut out = Vec::new();
    for ty in types {
        out.extend(atoms(ty)?);
    }
    if out.is_empty() {
        out.push(Atom::Scalar(ScalarType::Int(IntType::I64)));
    }
    Some(out)
}
