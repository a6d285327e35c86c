//! Core operations on memory, buffers, tuples and structs in the interpreter.

use super::interp::{Ruled, integer};
use crate::interp::compile::{Compiled, Context, Decode, Operand};
use crate::interp::error::{Refusal, Stop};
use crate::interp::memory::Origin;
use crate::ppyir::ast::{Attr, Type};
use crate::semantics::layout::{self, Leaf};
use crate::semantics::{IntType, ScalarType};

/// Each time it runs the memory is zero; an alloca in a loop reuses its memory within one call of the function.
pub fn alloca(d: &Decode) -> Ruled {
    d.arity(0, 1)?;
    let result = d.result(0)?;
    let size = pointee_layout(&result)?.size;
    let count = match d.attr("count") {
        None => 1,
        Some(Attr::Int(count)) if *count > 0 => u64::try_from(*count).unwrap_or(u64::MAX),
        Some(other) => return Err(Refusal(format!("count must be a positive integer, not {other}"))),
    };
    let size = size.saturating_mul(count);
    let (keep, slot) = (d.alloca_slot(), result.slot);
    Ok(Compiled::step(move |cx| {
        let address = match cx.get(keep) {
            0 => cx.memory.allocate(size, Origin::Stack)?,
            known => {
                cx.memory.clear(known);
                known
            }
        };
        cx.set(keep, address);
        cx.set(slot, address);
        Ok(())
    }))
}

/// What a pointer addresses.
pub fn pointee<'m>(pointer: &Operand<'m>) -> Result<&'m Type, Refusal> {
    match pointer.ty {
        Type::Ptr(ptr) => Ok(&ptr.pointee),
        ty => Err(Refusal(format!("needs a pointer, not {ty}"))),
    }
}

fn pointee_layout(pointer: &Operand) -> Result<layout::Layout, Refusal> {
    let ty = pointee(pointer)?;
    layout::layout(ty).ok_or_else(|| Refusal(format!("{ty} has no layout in memory")))
}

pub fn load(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (pointer, result) = (d.operand(0)?, d.result(0)?);
    if pointee(&pointer)? != result.ty {
        return Err(Refusal(format!("reads {} through {}", result.ty, pointer.ty)));
    }
    let (from, to) = (pointer.slot, result.slot);
    if let [Leaf { ty, .. }] = *result.leaves {
        return Ok(Compiled::step(move |cx| {
            let bits = cx.memory.load(cx.get(from), ty)?;
            cx.set(to, bits);
            Ok(())
        }));
    }
    let leaves = result.leaves.clone();
    Ok(Compiled::step(move |cx| load_leaves(cx, cx.get(from), &leaves, to)))
}

/// Reads the leaves of a value at an address into slots.
pub fn load_leaves(cx: &mut Context, address: u64, leaves: &[Leaf], to: usize) -> Result<(), Stop> {
    for (index, leaf) in leaves.iter().enumerate() {
        let bits = cx.memory.load(address.wrapping_add(leaf.offset), leaf.ty)?;
        cx.set(to + index, bits);
    }
    Ok(())
}

/// Writes the leaves of a value from slots to an address.
pub fn store_leaves(cx: &mut Context, address: u64, leaves: &[Leaf], from: usize) -> Result<(), Stop> {
    for (index, leaf) in leaves.iter().enumerate() {
        let bits = cx.get(from + index);
        cx.memory.store(address.wrapping_add(leaf.offset), leaf.ty, bits)?;
    }
    Ok(())
}

pub fn store(d: &Decode) -> Ruled {
    d.arity(2, 0)?;
    let (value, pointer) = (d.operand(0)?, d.operand(1)?);
    if pointee(&pointer)? != value.ty {
        return Err(Refusal(format!("stores {} through {}", value.ty, pointer.ty)));
    }
    let (from, to) = (value.slot, pointer.slot);
    if let [Leaf { ty, .. }] = *value.leaves {
        return Ok(Compiled::step(move |cx| {
            let (address, bits) = (cx.get(to), cx.get(from));
            cx.memory.store(address, ty, bits)
        }));
    }
    let leaves = value.leaves.clone();
    Ok(Compiled::step(move |cx| store_leaves(cx, cx.get(to), &leaves, from)))
}

/// The integer type of an index.
pub fn index_type(operand: &Operand) -> Result<IntType, Refusal> {
    ScalarType::of(operand.ty)
        .and_then(|ty| integer(ty).ok())
        .ok_or_else(|| Refusal(format!("needs an integer index, not {}", operand.ty)))
}

/// The address wraps around as an integer does; only an access through it can be wrong.
pub fn ptr_offset(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (pointer, offset, result) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if pointer.ty != result.ty {
        return Err(Refusal(format!("gives {}, not {}", pointer.ty, result.ty)));
    }
    let size = pointee_layout(&pointer)?.size;
    index_type(&offset)?;
    // Normalized bits are the offset modulo 2^64, which is all that wrapping arithmetic needs.
    let (p, o, r) = (pointer.slot, offset.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        let address = cx.get(p).wrapping_add(cx.get(o).wrapping_mul(size));
        cx.set(r, address);
        Ok(())
    }))
}

/// The first index counts whole arrays, the others go into their dimensions.
pub fn ptr_index(d: &Decode) -> Ruled {
    let (pointer, result) = (d.operand(0)?, d.result(0)?);
    let Type::Array(element, dims) = pointee(&pointer)? else {
        return Err(Refusal(format!("needs a pointer to an array, not {}", pointer.ty)));
    };
    if d.op.operands.len() != dims.len() + 2 {
        return Err(Refusal(format!("needs {} indices, not {}", dims.len() + 1, d.op.operands.len() - 1)));
    }
    if pointee(&result)? != element.as_ref() {
        return Err(Refusal(format!("gives a pointer to {element}, not {}", result.ty)));
    }
    let mut stride = layout::layout(element).ok_or_else(|| Refusal(format!("{element} has no layout in memory")))?.size;
    let mut terms = Vec::with_capacity(dims.len() + 1);
    for index in (0..=dims.len()).rev() {
        let operand = d.operand(index + 1)?;
        index_type(&operand)?;
        terms.push((operand.slot, stride));
        if let Some(dim) = index.checked_sub(1).and_then(|index| dims.get(index)) {
            stride = stride.wrapping_mul(*dim);
        }
    }
    let (p, r) = (pointer.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        let address = terms
            .iter()
            .fold(cx.get(p), |address, (slot, stride)| address.wrapping_add(cx.get(*slot).wrapping_mul(*stride)));
        cx.set(r, address);
        Ok(())
    }))
}

pub(super) fn buffer_element<'m>(buffer: &Operand<'m>) -> Result<&'m Type, Refusal> {
    match buffer.ty {
        Type::Buffer(element) => Ok(element),
        ty => Err(Refusal(format!("needs a buffer, not {ty}"))),
    }
}

pub fn buffer_data(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (buffer, result) = (d.operand(0)?, d.result(0)?);
    if buffer_element(&buffer)? != pointee(&result)? {
        return Err(Refusal(format!("gives a pointer to the elements of {}, not {}", buffer.ty, result.ty)));
    }
    copy_slots(buffer.slot, result.slot, 1)
}

pub fn buffer_len(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (buffer, result) = (d.operand(0)?, d.result(0)?);
    buffer_element(&buffer)?;
    match result.ty {
        Type::Index => copy_slots(buffer.slot + 1, result.slot, 1),
        ty => Err(Refusal(format!("gives an index, not {ty}"))),
    }
}

fn copy_slots(from: usize, to: usize, count: usize) -> Ruled {
    Ok(Compiled::step(move |cx| {
        cx.copy(from, to, count);
        Ok(())
    }))
}

/// The address of an element of a buffer, inside its length.
#[inline]
fn element(cx: &Context, buffer: usize, index: usize, ty: IntType, size: u64) -> Result<u64, Stop> {
    let (data, len, index) = (cx.get(buffer), cx.get(buffer + 1) as i64, cx.get(index));
    let inside = if ty.signed { (0..len).contains(&(index as i64)) } else { len > 0 && index < len as u64 };
    match inside {
        true => Ok(data.wrapping_add(index.wrapping_mul(size))),
        false => Err(Stop::undefined(format!("index {} of a buffer of {len} elements", ty.value(index)))),
    }
}

pub fn buffer_load(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (buffer, index, result) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if buffer_element(&buffer)? != result.ty {
        return Err(Refusal(format!("reads {} out of {}", result.ty, buffer.ty)));
    }
    let size = layout::layout(result.ty).ok_or("has elements without a layout")?.size;
    let (ty, leaves) = (index_type(&index)?, result.leaves.clone());
    let (buffer, index, to) = (buffer.slot, index.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        let address = element(cx, buffer, index, ty, size)?;
        load_leaves(cx, address, &leaves, to)
    }))
}

pub fn buffer_store(d: &Decode) -> Ruled {
    d.arity(3, 0)?;
    let (value, buffer, index) = (d.operand(0)?, d.operand(1)?, d.operand(2)?);
    if buffer_element(&buffer)? != value.ty {
        return Err(Refusal(format!("stores {} into {}", value.ty, buffer.ty)));
    }
    let size = layout::layout(value.ty).ok_or("has elements without a layout")?.size;
    let (ty, leaves) = (index_type(&index)?, value.leaves.clone());
    let (buffer, index, from) = (buffer.slot, index.slot, value.slot);
    Ok(Compiled::step(move |cx| {
        let address = element(cx, buffer, index, ty, size)?;
        store_leaves(cx, address, &leaves, from)
    }))
}

// ---------------------------------------------------------------- aggregates

/// A tuple or struct from its parts: the leaves in order.
pub fn make(d: &Decode) -> Ruled {
    let result = d.result(0)?;
    let parts: Vec<&Type> = match result.ty {
        Type::Tuple(items) => items.iter().collect(),
        Type::Struct(ty) => ty.fields.iter().map(|(_, ty)| ty).collect(),
        ty => return Err(Refusal(format!("makes no {ty}"))),
    };
    if parts.len() != d.op.operands.len() {
        return Err(Refusal(format!("takes {} parts, not {}", parts.len(), d.op.operands.len())));
    }
    for (index, part) in parts.iter().enumerate() {
        let operand = d.operand(index)?;
        if operand.ty != *part {
            return Err(Refusal(format!("part {index} is {part}, not {}", operand.ty)));
        }
    }
    let (from, to) = (d.operand_slots(0)?, result.slot);
    Ok(Compiled::step(move |cx| {
        for (index, from) in from.iter().enumerate() {
            cx.copy(*from, to + index, 1);
        }
        Ok(())
    }))
}

pub fn tuple_extract(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let tuple = d.operand(0)?;
    let Type::Tuple(items) = tuple.ty else {
        return Err(Refusal(format!("needs a tuple, not {}", tuple.ty)));
    };
    let index = match d.attr("index") {
        Some(Attr::Int(index)) => usize::try_from(*index).ok().filter(|index| *index < items.len()),
        _ => return Err("needs an integer attribute `index`".into()),
    };
    let index = index.ok_or_else(|| Refusal(format!("index is outside {}", tuple.ty)))?;
    extract(d, &tuple, items.iter(), index)
}

pub fn struct_extract(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let value = d.operand(0)?;
    let Type::Struct(ty) = value.ty else {
        return Err(Refusal(format!("needs a struct, not {}", value.ty)));
    };
    let field = d.required("field")?;
    let index = ty.fields.iter().position(|(name, _)| name == field);
    let index = index.ok_or_else(|| Refusal(format!("{} has no field {field}", value.ty)))?;
    extract(d, &value, ty.fields.iter().map(|(_, ty)| ty), index)
}

fn extract<'t>(d: &Decode, from: &Operand, mut parts: impl Iterator<Item = &'t Type>, index: usize) -> Ruled {
    let result = d.result(0)?;
    let mut skipped = 0;
    for part in parts.by_ref().take(index) {
        skipped += layout::leaves(part).ok_or("has a part without values")?.len();
    }
    match parts.next() {
        Some(part) if part == result.ty => copy_slots(from.slot + skipped, result.slot, result.leaves.len()),
        _ => Err(Refusal(format!("part {index} of {} is not {}", from.ty, result.ty))),
    }
}
