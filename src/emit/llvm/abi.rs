//! The machine atoms that a value is passed as: one parameter each, and one result pointer each.
//!
//! A scalar is an atom, a bool as a byte; a buffer is a pointer and an `i64` length; tuples and structs are flattened, a
//! vector is one atom, and so is what the native ABI passes as a handle. A function without results has one `i64` slot.

use crate::ppyir::ast::{Function, Type};
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

    /// Its bytes in memory, as LLVM stores it.
    pub fn size(self) -> usize {
        match self {
            Atom::Scalar(ty) => usize::from(ty.size()),
            // LLVM packs a vector of bools into bits.
            Atom::Vector(ScalarType::Bool, lanes) => (lanes as usize).div_ceil(8),
            Atom::Vector(ty, lanes) => usize::from(ty.size()) * lanes as usize,
        }
    }

    /// Writes its scalars' bits to memory.
    pub fn write(self, bits: &[u64], out: &mut [u8]) {
        match self {
            Atom::Vector(ScalarType::Bool, _) => {
                for (lane, bit) in bits.iter().enumerate() {
                    out[lane / 8] |= u8::from(*bit != 0) << (lane % 8);
                }
            }
            Atom::Scalar(ty) | Atom::Vector(ty, _) => {
                let size = usize::from(ty.size());
                for (chunk, bits) in out.chunks_mut(size).zip(bits) {
                    chunk.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
            }
        }
    }

    /// Reads its scalars' bits back.
    pub fn read(self, memory: &[u8], out: &mut Vec<u64>) {
        match self {
            Atom::Vector(ScalarType::Bool, lanes) => {
                out.extend((0..lanes as usize).map(|lane| u64::from(memory[lane / 8] >> (lane % 8) & 1)));
            }
            Atom::Scalar(ty) | Atom::Vector(ty, _) => {
                let size = usize::from(ty.size());
                out.extend(memory.chunks(size).take(self.lanes()).map(|chunk| {
                    let mut raw = [0; 8];
                    raw[..size].copy_from_slice(chunk);
                    ty.from_memory(u64::from_le_bytes(raw))
                }));
            }
        }
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
        Type::Vector(element, lanes) => out.push(Atom::Vector(ScalarType::of(element)?, *lanes)),
        ty => out.push(Atom::Scalar(ScalarType::of(ty)?)),
    }
    (out.len() <= layout::MAX_LEAVES).then_some(())
}

/// The atoms of a function's results: where its result pointers point.
pub fn results(function: &Function) -> Option<Vec<Atom>> {
    let mut out = Vec::new();
    for ty in &function.results {
        out.extend(atoms(ty)?);
    }
    if out.is_empty() {
        out.push(Atom::Scalar(ScalarType::Int(IntType::I64)));
    }
    Some(out)
}
