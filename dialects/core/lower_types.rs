//! What the core types are at the machine, and how values lie in memory and cross the boundary of a function.
//!
//! In registers a bool is an `i1`; in memory and at the boundary it is a byte. A value of several scalars is an LLVM
//! struct in registers; in memory and at the boundary it is its leaves, at the offsets of `crate::semantics::layout`.

use super::type_views::{ArrayType, BufferType, FutureType, PtrType, StructType, VoidType};
use crate::{
    mlir::{
        conversion::{Converted, Refusal, TypeConverter},
        llvm_ops::{ICmp, Llvm},
        op::{ScalarType, context_of, element_or_self, scalar_type, vector_lanes},
    },
    ppyir::ast,
    semantics::layout::{self, Layout},
};
use melior::dialect::llvm;
use melior::ir::{
    Type, TypeLike, Value, ValueLike,
    r#type::{IntegerType, TupleType},
};
use smallvec::SmallVec;
use std::sync::Arc;

/// A type nested deeper is refused.
const MAX_DEPTH: usize = 128;
/// A value of more scalars is refused: it would be handled scalar by scalar.
const MAX_LEAVES: usize = 1 << 12;

/// Adds the rules for the core types.
pub fn add_types(converter: &mut TypeConverter) {
    converter.add(|type_| {
        if mine(type_) { machine(type_, 0).map_or(Converted::Never, Converted::To) } else { Converted::NotMine }
    });
}

fn mine(type_: Type<'_>) -> bool {
    fields(type_).is_some()
        || PtrType::cast(type_).is_some()
        || BufferType::cast(type_).is_some()
        || FutureType::cast(type_).is_some()
        || ArrayType::cast(type_).is_some()
        || VoidType::cast(type_).is_some()
        || matches!(scalar_type(type_), Some(ScalarType::Int { .. }))
}

/// The type of a value in registers; `None` for what has none.
fn machine<'c>(type_: Type<'c>, depth: usize) -> Option<Type<'c>> {
    let context = context_of(type_.context());
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(scalar) = scalar_type(type_) {
        return Some(match scalar {
            ScalarType::Bool => IntegerType::new(context, 1).into(),
            ScalarType::Int { width, .. } => IntegerType::new(context, width).into(),
            _ => type_,
        });
    }
    if let Some(lanes) = vector_lanes(type_) {
        let element = machine(element_or_self(type_), depth + 1)?;
        return Some(Type::vector(&[lanes], element));
    }
    let ptr = || llvm::r#type::pointer(context, 0);
    if let Some(pointer) = PtrType::cast(type_) {
        return matches!(pointer.space(), "generic" | "stack").then(ptr);
    }
    let i64_ = || Type::from(IntegerType::new(context, 64));
    if BufferType::cast(type_).is_some() {
        return Some(literal_struct(context, &[ptr(), i64_()]));
    }
    if FutureType::cast(type_).is_some() {
        return Some(i64_());
    }
    if let Some(fields) = fields(type_) {
        let fields = fields.into_iter().map(|t| machine(t, depth + 1)).collect::<Option<Vec<_>>>()?;
        return Some(literal_struct(context, &fields));
    }
    let array = ArrayType::cast(type_)?;
    let mut result = machine(array.element(), depth + 1)?;
    for extent in array.shape().iter().rev() {
        let extent = u32::try_from(*extent).ok()?;
        result = llvm::r#type::array(result, extent);
    }
    Some(result)
}

fn literal_struct<'c>(context: &'c melior::Context, fields: &[Type<'c>]) -> Type<'c> {
    melior::dialect::llvm::r#type::r#struct(context, fields, false)
}

/// The parts of a tuple or struct type.
pub fn fields(type_: Type<'_>) -> Option<Vec<Type<'_>>> {
    if let Ok(tuple) = TupleType::try_from(type_) {
        return (0..tuple.type_count()).map(|i| tuple.r#type(i).ok()).collect();
    }
    StructType::cast(type_).map(StructType::types)
}

/// A type as the codec's tree has it, for `crate::semantics`.
fn tree(type_: Type<'_>, depth: usize) -> Option<ast::Type> {
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(scalar) = scalar_type(type_) {
        return Some(match scalar {
            ScalarType::Bool => ast::Type::Bool,
            ScalarType::Int { width, signed } => ast::Type::Int { width: width as u8, signed },
            ScalarType::F16 => ast::Type::F16,
            ScalarType::Bf16 => ast::Type::Bf16,
            ScalarType::F32 => ast::Type::F32,
            ScalarType::F64 => ast::Type::F64,
        });
    }
    if let Some(lanes) = vector_lanes(type_) {
        return Some(ast::Type::Vector(Arc::new(tree(element_or_self(type_), depth + 1)?), lanes));
    }
    if PtrType::cast(type_).is_some() {
        let pointer = ast::PtrType { pointee: ast::Type::Void, space: "generic".into(), constant: false };
        return Some(ast::Type::Ptr(Arc::new(pointer)));
    }
    if BufferType::cast(type_).is_some() {
        return Some(ast::Type::Buffer(Arc::new(ast::Type::Void)));
    }
    if FutureType::cast(type_).is_some() {
        return Some(ast::Type::Int { width: 64, signed: true });
    }
    if VoidType::cast(type_).is_some() {
        return Some(ast::Type::Void);
    }
    if let Some(fields) = fields(type_) {
        let items = fields.into_iter().map(|t| tree(t, depth + 1)).collect::<Option<Vec<_>>>()?;
        return Some(ast::Type::Tuple(items.into()));
    }
    let array = ArrayType::cast(type_)?;
    let shape = array.shape().iter().map(|d| u64::try_from(*d).ok()).collect::<Option<Vec<_>>>()?;
    Some(ast::Type::Array(Arc::new(tree(array.element(), depth + 1)?), shape.into()))
}

/// Size and alignment in memory.
pub fn layout_of(type_: Type<'_>) -> Result<Layout, Refusal> {
    let size = match scalar_type(type_) {
        Some(ScalarType::Bool) => 1,
        Some(ScalarType::Int { width, .. }) => u64::from(width / 8),
        Some(ScalarType::F16 | ScalarType::Bf16) => 2,
        Some(ScalarType::F32) => 4,
        Some(ScalarType::F64) => 8,
        None if PtrType::cast(type_).is_some() => 8,
        None => {
            return tree(type_, 0)
                .and_then(|tree| layout::layout(&tree))
                .ok_or_else(|| format!("{type_} has no layout in memory"));
        }
    };
    Ok(Layout { size, align: size })
}

/// A scalar, pointer or vector that a value consists of.
#[derive(Clone)]
pub struct Leaf<'c> {
    /// Where it is in the value's LLVM struct; empty when it is the whole value.
    pub path: SmallVec<[i64; 4]>,
    /// Bytes from the start of the value in memory.
    pub offset: u64,
    /// Its type, as declared.
    pub type_: Type<'c>,
}

/// Whether a type is one leaf.
fn is_leaf(type_: Type<'_>) -> bool {
    scalar_type(type_).is_some()
        || PtrType::cast(type_).is_some()
        || vector_lanes(type_).is_some()
        || FutureType::cast(type_).is_some()
}

/// The leaves of a type in order: the machine atoms of the native ABI.
pub fn leaves(type_: Type<'_>) -> Result<SmallVec<[Leaf<'_>; 2]>, Refusal> {
    let mut found = SmallVec::new();
    if is_leaf(type_) {
        found.push(Leaf { path: SmallVec::new(), offset: 0, type_ });
        return Ok(found);
    }
    collect(type_, 0, &mut SmallVec::new(), &mut found)
        .ok_or_else(|| format!("{type_} has no value at the machine"))?;
    let offsets = tree(type_, 0).and_then(|tree| layout::leaves(&tree));
    let offsets = offsets.ok_or_else(|| format!("{type_} has no layout in memory"))?;
    let mut next = 0;
    for leaf in &mut found {
        leaf.offset = offsets.get(next).map_or(0, |o| o.offset);
        next += vector_lanes(leaf.type_).unwrap_or(1) as usize;
    }
    Ok(found)
}

fn collect<'c>(
    type_: Type<'c>,
    depth: usize,
    path: &mut SmallVec<[i64; 4]>,
    found: &mut SmallVec<[Leaf<'c>; 2]>,
) -> Option<()> {
    if depth > MAX_DEPTH || found.len() > MAX_LEAVES {
        return None;
    }
    if is_leaf(type_) {
        found.push(Leaf { path: path.clone(), offset: 0, type_ });
        return Some(());
    }
    let mut inner = |index: usize, type_: Type<'c>, found: &mut SmallVec<[Leaf<'c>; 2]>| {
        path.push(index as i64);
        let done = collect(type_, depth + 1, path, found);
        path.pop();
        done
    };
    if let Some(buffer) = BufferType::cast(type_) {
        let context = context_of(type_.context());
        let pointer = PtrType::get(context, buffer.element(), "generic", false)?;
        inner(0, pointer.into(), found)?;
        return inner(1, IntegerType::new(context, 64).into(), found);
    }
    if let Some(fields) = fields(type_) {
        return fields.into_iter().enumerate().try_for_each(|(i, t)| inner(i, t, found));
    }
    let array = ArrayType::cast(type_)?;
    array_leaves(array.element(), &array.shape(), depth, path, found)
}

fn array_leaves<'c>(
    element: Type<'c>,
    shape: &[i64],
    depth: usize,
    path: &mut SmallVec<[i64; 4]>,
    found: &mut SmallVec<[Leaf<'c>; 2]>,
) -> Option<()> {
    let Some((extent, inner)) = shape.split_first() else { return collect(element, depth + 1, path, found) };
    for index in 0..*extent {
        path.push(index);
        array_leaves(element, inner, depth + 1, path, found)?;
        path.pop();
    }
    Some(())
}

/// The type of a leaf in memory and at the boundary.
pub fn memory_type<'c>(llvm: &Llvm<'_, 'c, '_>, leaf: Type<'c>) -> Result<Type<'c>, Refusal> {
    if scalar_type(element_or_self(leaf)) == Some(ScalarType::Bool) {
        let byte = llvm.int(8);
        return Ok(vector_lanes(leaf).map_or(byte, |lanes| Type::vector(&[lanes], byte)));
    }
    llvm.rewriter().convert_type(leaf).ok_or_else(|| format!("{leaf} has no value at the machine"))
}

/// The alignment of a leaf in memory, its scalar's size: LLVM's own for the type depends on a data layout.
pub fn memory_align(leaf: Type<'_>) -> u32 {
    layout_of(element_or_self(leaf)).map_or(1, |layout| layout.align as u32)
}

/// A leaf as it is stored.
pub fn to_memory<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    leaf: Type<'c>,
    value: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Refusal> {
    let stored = memory_type(llvm, leaf)?;
    Ok(if stored == value.r#type() { value } else { llvm.op("llvm.zext", &[value], stored) })
}

/// A leaf from its stored form: any byte but 0 is a true bool.
pub fn from_memory<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, leaf: Type<'c>, stored: Value<'c, 'a>) -> Value<'c, 'a> {
    match scalar_type(element_or_self(leaf)) {
        Some(ScalarType::Bool) => llvm.icmp(ICmp::Ne, stored, llvm.integer(stored.r#type(), 0)),
        _ => stored,
    }
}

/// Loads a value of `type_` leaf by leaf.
pub fn load_value<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    type_: Type<'c>,
    pointer: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Refusal> {
    let leaves = leaves(type_)?;
    let mut parts = Vec::with_capacity(leaves.len());
    for leaf in &leaves {
        let stored =
            llvm.load(memory_type(llvm, leaf.type_)?, llvm.field(pointer, leaf.offset), memory_align(leaf.type_));
        parts.push(from_memory(llvm, leaf.type_, stored));
    }
    assemble(llvm, type_, &leaves, &parts)
}

/// Stores a value of `type_` leaf by leaf.
pub fn store_value<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    type_: Type<'c>,
    value: Value<'c, 'a>,
    pointer: Value<'c, 'a>,
) -> Result<(), Refusal> {
    for leaf in &leaves(type_)? {
        let stored = to_memory(llvm, leaf.type_, part(llvm, value, leaf))?;
        llvm.store(stored, llvm.field(pointer, leaf.offset), memory_align(leaf.type_));
    }
    Ok(())
}

/// A leaf of a value in registers.
pub fn part<'c: 'a, 'a>(llvm: &Llvm<'_, 'c, 'a>, value: Value<'c, 'a>, leaf: &Leaf<'c>) -> Value<'c, 'a> {
    if leaf.path.is_empty() { value } else { llvm.extract(value, &leaf.path) }
}

/// A value from its leaves.
pub fn assemble<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    type_: Type<'c>,
    leaves: &[Leaf<'c>],
    parts: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, Refusal> {
    if let ([leaf], [part]) = (leaves, parts)
        && leaf.path.is_empty()
    {
        return Ok(*part);
    }
    let machine = llvm.rewriter().convert_type(type_).ok_or_else(|| format!("{type_} has no value at the machine"))?;
    let empty = llvm.poison(machine);
    Ok(leaves.iter().zip(parts).fold(empty, |value, (leaf, part)| llvm.insert(value, *part, &leaf.path)))
}
