//! What the core operations do to memory, and whether two accesses may meet. An analysis of one block at a time.

use super::constant::{int_of, scalar_type};
use super::enums::Overflow;
use super::fold::intrinsic;
use super::ops::*;
use super::type_views::{BufferType, PtrType};
use crate::mlir::prelude::*;
use crate::passes::infer_effects::is_quiet;
use crate::semantics::{FloatType, ScalarType};

/// What an operation does to memory.
#[derive(Clone, Copy)]
pub enum Access<'c, 'a> {
    None,
    Read(Value<'c, 'a>),
    /// Anywhere.
    ReadAny,
    /// Through a pointer or into a buffer.
    Write(Value<'c, 'a>),
    /// Anything.
    Unknown,
}

const PURE_INTRINSICS: &[&str] = &[
    "ppy.checked_add",
    "ppy.checked_sub",
    "ppy.checked_mul",
    "ppy.string_data",
    "ppy.buffer_from_parts",
    "ppy.function_address",
    "math.fabs",
];

/// The access of an operation.
pub fn access<'c, 'a>(op: Op<'c, 'a>) -> Access<'c, 'a> {
    match op.op_name() {
        LoadOp::NAME | BufferLoadOp::NAME => Access::Read(op.value(0)),
        StoreOp::NAME | BufferStoreOp::NAME => Access::Write(op.value(1)),
        CallOp::NAME if is_quiet(op) => Access::ReadAny,
        CallOp::NAME | CallExternOp::NAME | CallIndirectOp::NAME => Access::Unknown,
        CallIntrinsicOp::NAME => match op.str_attribute("intrinsic") {
            Some(name) if PURE_INTRINSICS.contains(&name) => Access::None,
            _ => Access::Unknown,
        },
        name if name.starts_with("ppy_core.") || name.starts_with("ppy_math.") => Access::None,
        _ => Access::Unknown,
    }
}

/// Whether the operation may end the function's run: then writes before it are seen by the caller.
pub fn may_fail(op: Op<'_, '_>) -> bool {
    match op.op_name() {
        GuardOp::NAME => true,
        _ => matches!(
            op.int_attribute("overflow").and_then(Overflow::from_number),
            Some(Overflow::Python | Overflow::Checked)
        ),
    }
}

/// The object an address is inside of.
#[derive(Clone, Copy, PartialEq)]
pub enum Object<'c, 'a> {
    /// Stack memory of this function, by its `alloca`.
    Local(Op<'c, 'a>),
    /// Memory that is there before the function starts.
    Foreign,
    Unknown,
}

/// The object that a pointer or a buffer is into.
pub fn object<'c: 'a, 'a>(value: Value<'c, 'a>) -> Object<'c, 'a> {
    let base = base(value);
    match base.defining_op() {
        None if is_parameter(base) => Object::Foreign,
        None => Object::Unknown,
        Some(op) => match op.op_name() {
            AllocaOp::NAME => Object::Local(op),
            ConstOp::NAME => Object::Foreign,
            CallIntrinsicOp::NAME if intrinsic(base, "ppy.string_data").is_some() => Object::Foreign,
            _ => Object::Unknown,
        },
    }
}

/// The pointer or buffer that an address is counted from, as far as is seen.
pub fn base<'c: 'a, 'a>(address: Value<'c, 'a>) -> Value<'c, 'a> {
    const MAX_STEPS: usize = 16;
    let mut value = address;
    for _ in 0..MAX_STEPS {
        let Some(op) = value.defining_op() else { break };
        value = match op.op_name() {
            PtrOffsetOp::NAME | PtrIndexOp::NAME | BufferDataOp::NAME => op.value(0),
            CastOp::NAME if PtrType::cast(op.value(0).r#type()).is_some() => op.value(0),
            CallIntrinsicOp::NAME if intrinsic(value, "ppy.buffer_from_parts").is_some() => op.value(0),
            _ => break,
        };
    }
    value
}

/// The most elements a buffer of this type has: they lie in memory, and no machine has an exbibyte of it. `None` for
/// elements whose size is not known.
pub fn longest_buffer(buffer: Type<'_>) -> Option<i64> {
    const MOST_BYTES: i64 = 1 << 60;
    let element = BufferType::cast(buffer)?.element();
    let bytes = match scalar_type(element)? {
        ScalarType::Int(int) => i64::from(int.width) / 8,
        ScalarType::Float(FloatType::F16 | FloatType::Bf16) => 2,
        ScalarType::Float(FloatType::F32) => 4,
        ScalarType::Float(FloatType::F64) | ScalarType::Index => 8,
        ScalarType::Bool | ScalarType::Pointer => 1,
    };
    Some(MOST_BYTES / bytes)
}

/// Whether the value is a parameter of its function, or of its region: an argument of the entry block.
pub fn is_parameter(value: Value<'_, '_>) -> bool {
    use melior::ir::RegionLike;
    let Some((block, _)) = value.block_argument() else { return false };
    block.parent_region().and_then(|region| region.first_block()).is_some_and(|entry| entry == block)
}

/// The pointer and the constant number of elements that an address is away from it.
fn element<'c: 'a, 'a>(value: Value<'c, 'a>) -> (Value<'c, 'a>, i128) {
    let offset = value.defined_by(PtrOffsetOp::NAME);
    match offset.and_then(|op| Some((op.value(0), int_of(op.value(1))?))) {
        Some(known) => known,
        None => (value, 0),
    }
}

/// Whether accesses through the two may touch the same memory.
pub fn may_alias(a: Value<'_, '_>, b: Value<'_, '_>) -> bool {
    if a == b {
        return true;
    }
    match (object(a), object(b)) {
        (Object::Local(a), Object::Local(b)) if a != b => return false,
        (Object::Local(_), Object::Foreign) | (Object::Foreign, Object::Local(_)) => return false,
        _ => {}
    }
    // Different elements of one array: of one type, so they do not overlap.
    let ((p, i), (q, j)) = (element(a), element(b));
    !(p == q && i != j)
}
