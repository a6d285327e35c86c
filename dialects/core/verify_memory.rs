//! Verification rules of the core dialect's memory, buffers and aggregates.

use super::ops::{BufferDataOp, BufferStoreOp, PtrIndexOp, StoreOp, StructExtractOp, TupleExtractOp};
use super::type_views::{ArrayType, BufferType, PtrType, StructType, VoidType};
use super::verify::{list, may_leave, types_of};
use crate::mlir::prelude::*;
use crate::ppyir::closest;
use melior::ir::r#type::TupleType;

/// Stack memory for at least one element, to be written.
pub fn alloca(op: Op) -> Verdict {
    let Some(ptr) = PtrType::cast(op.result_type()) else { return Ok(()) };
    let (type_, pointee) = (ptr.as_type(), ptr.pointee());
    if ptr.space() != "stack" {
        return Err(format!("gives a {type_}, not a stack pointer: make its result a ptr of {pointee} in stack"));
    }
    if ptr.constant() {
        return Err(format!("gives {type_}: memory that nobody can write; drop const"));
    }
    if VoidType::cast(pointee).is_some() || pointee.is_function() {
        return Err(format!("makes room for {pointee}, which no value has: point to the type to be stored"));
    }
    match op.int_attribute("count") {
        Some(count) if count < 1 => {
            Err(format!("makes room for {count} elements: a count is 1 or more (and 1 where none is given)"))
        }
        _ => Ok(()),
    }
}

/// Nothing is stored through a const pointer, and nothing that dies with the function or belongs to the caller.
pub fn store(op: Op) -> Verdict {
    let (ptr, value) = (StoreOp(op).ptr(), StoreOp(op).value());
    if PtrType::cast(ptr.r#type()).is_some_and(PtrType::constant) {
        return Err(format!("stores through {}, a const pointer: store through one without const", ptr.r#type()));
    }
    match PtrType::cast(ptr.r#type()) {
        // Stack memory ends no later.
        Some(ptr) if ptr.space() == "stack" => Ok(()),
        _ => may_leave(value, "stores"),
    }
}

/// One index over whole arrays, then one per dimension; the result points to the element in the same memory.
pub fn ptr_index(op: Op) -> Verdict {
    let (ptr, indices) = (PtrIndexOp(op).ptr(), PtrIndexOp(op).indices());
    let (Some(ptr), Some(result)) = (PtrType::cast(ptr.r#type()), PtrType::cast(op.result_type())) else {
        return Ok(());
    };
    let (element, dimensions) = match ArrayType::cast(ptr.pointee()) {
        Some(array) => (array.element(), array.shape().len()),
        None => (ptr.pointee(), 0),
    };
    if indices.len() != dimensions + 1 {
        return Err(format!(
            "takes {} indices into {}, not {}: one over whole pointees, and one for each dimension of an array",
            dimensions + 1,
            ptr.as_type(),
            indices.len()
        ));
    }
    let same_memory = (result.space(), result.constant()) == (ptr.space(), ptr.constant());
    if result.pointee() == element && same_memory {
        return Ok(());
    }
    Err(format!(
        "gives {} out of {}: the result points to {element}, in the address space {}{}",
        result.as_type(),
        ptr.as_type(),
        ptr.space(),
        if ptr.constant() { " and const" } else { "" }
    ))
}

/// The pointer to a buffer's first element.
pub fn buffer_data(op: Op) -> Verdict {
    let buffer = BufferDataOp(op).buffer().r#type();
    let (Some(element), Some(ptr)) =
        (BufferType::cast(buffer).map(BufferType::element), PtrType::cast(op.result_type()))
    else {
        return Ok(());
    };
    if ptr.pointee() != element {
        return Err(format!("gives {} of {buffer}: the result points to {element}", ptr.as_type()));
    }
    if ptr.space() != "generic" {
        return Err(format!(
            "gives {} of {buffer}: a buffer is in the address space generic, not {}",
            ptr.as_type(),
            ptr.space()
        ));
    }
    Ok(())
}

/// What may not be stored through a pointer may not be stored in a buffer either.
pub fn buffer_store(op: Op) -> Verdict {
    may_leave(BufferStoreOp(op).value(), "stores")
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

fn elements(tuple: TupleType<'_>) -> Vec<Type<'_>> {
    (0..tuple.type_count()).filter_map(|i| tuple.r#type(i).ok()).collect()
}

fn made_of(op: Op, type_: Type, parts: &[Type]) -> Verdict {
    let operands = op.all_operands();
    if operands.len() != parts.len() {
        return Err(format!("takes {} values for {type_}, not {}: one for each part", parts.len(), operands.len()));
    }
    match operands.iter().zip(parts).all(|(value, part)| value.r#type() == *part) {
        true => Ok(()),
        false => Err(format!(
            "makes {type_} of {}: it is made of {}; convert with core.cast",
            types_of(&operands),
            list(parts)
        )),
    }
}

pub fn tuple_make(op: Op) -> Verdict {
    let type_ = op.result_type();
    TupleType::try_from(type_).map_or(Ok(()), |tuple| made_of(op, type_, &elements(tuple)))
}

pub fn struct_make(op: Op) -> Verdict {
    let type_ = op.result_type();
    match StructType::cast(type_) {
        Some(record) => made_of(op, type_, &record.types()),
        None => {
            Err(format!("gives {type_}, which is no struct: name the struct, or make a tuple with core.tuple_make"))
        }
    }
}

pub fn tuple_extract(op: Op) -> Verdict {
    let type_ = TupleExtractOp(op).tuple().r#type();
    let (Ok(tuple), Some(index)) = (TupleType::try_from(type_), TupleExtractOp(op).index()) else { return Ok(()) };
    let parts = elements(tuple);
    let Some(part) = usize::try_from(index).ok().and_then(|i| parts.get(i)) else {
        return Err(match parts.len() {
            0 => format!("takes element {index} of {type_}, which has none"),
            n => format!("takes element {index} of {type_}: its elements are 0 to {}", n - 1),
        });
    };
    gives(op, *part, &format!("element {index} of {type_}"))
}

pub fn struct_extract(op: Op) -> Verdict {
    let (type_, field) = (StructExtractOp(op).struct_().r#type(), StructExtractOp(op).field().unwrap_or_default());
    let Some(record) = StructType::cast(type_) else {
        return Err(format!("takes a field of {type_}, which is no struct: core.tuple_extract takes a tuple apart"));
    };
    let fields = record.fields();
    let Some(index) = fields.iter().position(|name| *name == field) else {
        let hint =
            closest(field, fields.iter().copied()).map_or(String::new(), |name| format!(" (did you mean {name}?)"));
        return Err(format!("takes the field \"{field}\" of {type_}: its fields are {}{hint}", fields.join(", ")));
    };
    match record.types().get(index) {
        Some(part) => gives(op, *part, &format!("the field {field} of {type_}")),
        None => Ok(()),
    }
}

fn gives(op: Op, part: Type, what: &str) -> Verdict {
    match op.result_type() {
        result if result == part => Ok(()),
        result => Err(format!("gives {result} for {what}: that is {part}; convert it afterwards with core.cast")),
    }
}
