//! The core operations on memory, buffers, tuples and structs in the LLVM dialect.
//!
//! Every access has its type's natural alignment, as ppy's own backends assume. Stack memory is allocated once per
//! call of the function, in its entry block, and zeroed where the `alloca` stands, each time that runs.

use super::{
    lower::{Lowered, NO_FUNCTION},
    lower_types::{self as types, Leaf},
    type_views::{ArrayType, BufferType, PtrType, StructType},
};
use crate::mlir::{
    conversion::{ConversionPatterns, ConversionRewriter, Refusal},
    llvm_ops::{Inside, Llvm, entry_block},
    op::{Op, OpExt, ScalarType, ValueExt, scalar_type},
};
use melior::ir::{Type, Value, ValueLike};

pub(super) fn add(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_core.alloca", alloca);
    patterns.add("ppy_core.load", load);
    patterns.add("ppy_core.store", store);
    patterns.add("ppy_core.ptr_offset", ptr_offset);
    patterns.add("ppy_core.ptr_index", ptr_index);
    patterns.add("ppy_core.buffer_data", |op, v, r| buffer_part(op, v, r, 0));
    patterns.add("ppy_core.buffer_len", |op, v, r| buffer_part(op, v, r, 1));
    patterns.add("ppy_core.buffer_load", buffer_load);
    patterns.add("ppy_core.buffer_store", buffer_store);
    patterns.add("ppy_core.tuple_make", make);
    patterns.add("ppy_core.struct_make", make);
    patterns.add("ppy_core.tuple_extract", tuple_extract);
    patterns.add("ppy_core.struct_extract", struct_extract);
}

fn pointee<'c>(type_: Type<'c>) -> Result<Type<'c>, Refusal> {
    PtrType::cast(type_).map(PtrType::pointee).ok_or_else(|| format!("{type_} is no pointer"))
}

fn element<'c>(type_: Type<'c>) -> Result<Type<'c>, Refusal> {
    BufferType::cast(type_).map(BufferType::element).ok_or_else(|| format!("{type_} is no buffer"))
}

/// Whether a type is one leaf with its own LLVM type in memory, of the same size and alignment.
fn is_plain(type_: Type<'_>) -> bool {
    scalar_type(type_).is_some() || PtrType::cast(type_).is_some()
}

/// The LLVM type that an element of memory is stepped over with: of the element's size.
fn step_type<'c>(llvm: &Llvm<'_, 'c, '_>, element: Type<'c>) -> Result<Type<'c>, Refusal> {
    if is_plain(element) {
        return types::memory_type(llvm, element);
    }
    let size = types::layout_of(element)?.size;
    let size = u32::try_from(size).map_err(|_| format!("{element} is too large"))?;
    Ok(melior::dialect::llvm::r#type::array(llvm.int(8), size))
}

/// On a `core.alloca` of which the program reads only what it wrote. It needs no zeros.
pub const UNINITIALIZED: &str = "ppy.uninitialized";

fn alloca<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let pointee = pointee(op.result_type())?;
    let count = op.int_attribute("count").unwrap_or(1).max(1);
    let entry = entry_block(op).ok_or(NO_FUNCTION)?;
    let layout = types::layout_of(pointee)?;
    let bytes = i64::try_from(layout.size).ok().and_then(|size| size.checked_mul(count));
    let bytes = bytes.ok_or_else(|| format!("{count} times {} bytes do not fit the stack", layout.size))?;
    let llvm = Llvm::before(rewriter, op);
    let memory = llvm.stack(entry, step_type(&llvm, pointee)?, count, layout.align as u32);
    let plain = is_plain(pointee) && count == 1;
    if !(plain && overwritten_next(op)) && op.discardable(UNINITIALIZED).is_none() {
        if plain {
            let stored = types::memory_type(&llvm, pointee)?;
            let zero = match scalar_type(pointee) {
                Some(ScalarType::Bool | ScalarType::Int { .. }) => llvm.integer(stored, 0),
                _ => llvm.zero(stored),
            };
            llvm.store(zero, memory, layout.align as u32);
        } else {
            llvm.zero_memory(memory, bytes);
        }
    }
    rewriter.replace(op, &[memory]);
    Ok(())
}

/// Whether the next operation stores the whole of it, as the frontend writes it.
fn overwritten_next(op: Op) -> bool {
    use melior::ir::operation::OperationLike;
    op.next_in_block().is_some_and(|next| {
        next.is("ppy_core.store") && next.operand_len() == 2 && {
            let memory = op.result_value().value_key();
            next.value(1).value_key() == memory && next.value(0).value_key() != memory
        }
    })
}

pub(crate) fn load<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
) -> Lowered {
    let [pointer] = *operands else { return Err("it has one operand".into()) };
    let value = types::load_value(&Llvm::before(rewriter, op), op.result_type(), pointer)?;
    rewriter.replace(op, &[value]);
    Ok(())
}

pub(crate) fn store<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
) -> Lowered {
    let [value, pointer] = *operands else { return Err("it has two operands".into()) };
    types::store_value(&Llvm::before(rewriter, op), op.value(0).r#type(), value, pointer)?;
    rewriter.erase(op);
    Ok(())
}

/// An index as an `i64`.
pub(super) fn wide_index<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    declared: Type<'c>,
    index: Value<'c, 'a>,
) -> Value<'c, 'a> {
    match scalar_type(declared) {
        Some(ScalarType::Int { width, signed }) if width < 64 => {
            llvm.op(if signed { "llvm.sext" } else { "llvm.zext" }, &[index], llvm.int(64))
        }
        _ => index,
    }
}

/// Whether an address is only accessed through: then it is inside its object, or nothing happens there.
fn only_accessed(address: Value) -> bool {
    address
        .uses()
        .iter()
        .all(|(user, operand)| user.is("ppy_core.load") && *operand == 0 || user.is("ppy_core.store") && *operand == 1)
}

fn ptr_offset<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [pointer, offset] = *operands else { return Err("it has two operands".into()) };
    let llvm = Llvm::before(rewriter, op);
    let step = step_type(&llvm, pointee(op.result_type())?)?;
    let offset = wide_index(&llvm, op.value(1).r#type(), offset);
    let inside = if only_accessed(op.result_value()) { Inside::Bounds } else { Inside::Unknown };
    let address = llvm.offset(step, pointer, offset, inside);
    rewriter.replace(op, &[address]);
    Ok(())
}

/// The first index counts whole arrays, the others go into the dimensions.
fn ptr_index<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let Some((pointer, indices)) = operands.split_first() else { return Err("it has no pointer".into()) };
    let type_ = pointee(op.value(0).r#type())?;
    let array = ArrayType::cast(type_).ok_or_else(|| format!("{type_} is no array"))?;
    let (element, shape) = (array.element(), array.shape());
    if indices.len() != shape.len() + 1 {
        return Err(format!("it has {} indices for {} dimensions", indices.len(), shape.len()));
    }
    types::layout_of(type_)?;
    let llvm = Llvm::before(rewriter, op);
    let mut address = *pointer;
    for (position, index) in indices.iter().enumerate() {
        // What one step of this index passes over.
        let mut step = step_type(&llvm, element)?;
        for extent in shape.iter().skip(position).rev() {
            let extent = u32::try_from(*extent).map_err(|_| format!("{type_} is too large"))?;
            step = melior::dialect::llvm::r#type::array(step, extent);
        }
        let index = wide_index(&llvm, op.value(position + 1).r#type(), *index);
        address = llvm.offset(step, address, index, Inside::Unknown);
    }
    rewriter.replace(op, &[address]);
    Ok(())
}

fn buffer_part<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    part: i64,
) -> Lowered {
    let [buffer] = *operands else { return Err("it has one operand".into()) };
    let value = Llvm::before(rewriter, op).extract(buffer, &[part]);
    rewriter.replace(op, &[value]);
    Ok(())
}

/// The address of an element; an index outside the buffer has no meaning, so the address is inside.
fn buffer_element<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    element: Type<'c>,
    buffer: Value<'c, 'a>,
    index: Value<'c, 'a>,
    index_type: Type<'c>,
) -> Result<Value<'c, 'a>, Refusal> {
    let step = step_type(llvm, element)?;
    let data = llvm.extract(buffer, &[0]);
    Ok(llvm.offset(step, data, wide_index(llvm, index_type, index), Inside::After))
}

fn buffer_load<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [buffer, index] = *operands else { return Err("it has two operands".into()) };
    let element = element(op.value(0).r#type())?;
    let llvm = Llvm::before(rewriter, op);
    let address = buffer_element(&llvm, element, buffer, index, op.value(1).r#type())?;
    let value = types::load_value(&llvm, element, address)?;
    rewriter.replace(op, &[value]);
    Ok(())
}

fn buffer_store<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [value, buffer, index] = *operands else { return Err("it has three operands".into()) };
    let element = element(op.value(1).r#type())?;
    let llvm = Llvm::before(rewriter, op);
    let address = buffer_element(&llvm, element, buffer, index, op.value(2).r#type())?;
    types::store_value(&llvm, element, value, address)?;
    rewriter.erase(op);
    Ok(())
}

// ---------------------------------------------------------------- aggregates

fn make<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let type_ = op.result_type();
    let parts = types::fields(type_).ok_or_else(|| format!("{type_} is no tuple and no struct"))?;
    let leaves: Vec<Leaf> = (0i64..)
        .zip(parts)
        .map(|(index, type_)| Leaf { path: [index].into_iter().collect(), offset: 0, type_ })
        .collect();
    let value = types::assemble(&Llvm::before(rewriter, op), type_, &leaves, operands)?;
    rewriter.replace(op, &[value]);
    Ok(())
}

fn extract<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    index: i64,
) -> Lowered {
    let [aggregate] = *operands else { return Err("it has one operand".into()) };
    let value = Llvm::before(rewriter, op).extract(aggregate, &[index]);
    rewriter.replace(op, &[value]);
    Ok(())
}

fn tuple_extract<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let index = op.int_attribute("index").ok_or("it has no index")?;
    extract(op, operands, rewriter, index)
}

fn struct_extract<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
) -> Lowered {
    let type_ = op.value(0).r#type();
    let record = StructType::cast(type_).ok_or_else(|| format!("{type_} is no struct"))?;
    let field = op.str_attribute("field").unwrap_or_default();
    let index = record.fields().iter().position(|name| *name == field);
    let index = index.ok_or_else(|| format!("{type_} has no field \"{field}\""))?;
    extract(op, operands, rewriter, index as i64)
}
