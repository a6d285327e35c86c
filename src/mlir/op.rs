//! Queries on operations and values that melior lacks, or has only with an allocation or an error to handle.

use super::attribute::{integer_bits, str_of, string_ref};
use melior::{
    Context, ContextRef,
    ir::{
        Attribute, AttributeLike, BlockRef, Location, OperationRef, RegionRef, Type, TypeLike, Value, ValueLike,
        operation::OperationLike,
    },
};
use mlir_sys::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ffi::c_void;

/// A borrowed operation.
pub type Op<'c, 'a> = OperationRef<'c, 'a>;

/// Operands of a variadic group.
pub type OperandList<'c, 'a> = SmallVec<[Value<'c, 'a>; 4]>;

/// The context with its full lifetime.
///
/// Not melior's `ContextRef::to_ref`, which answers the address of the `ContextRef` it was called on and dangles on a
/// temporary. The handle is interned: 8 bytes stay allocated per context and thread that asked.
pub fn context_of<'c>(context: ContextRef<'c>) -> &'c Context {
    use std::cell::RefCell;
    thread_local!(static HANDLES: RefCell<FxHashMap<usize, &'static usize>> = RefCell::default());
    // Both `ContextRef` and `Context` are one pointer.
    let raw: usize = unsafe { std::mem::transmute_copy(&context) };
    let handle: &'static usize =
        HANDLES.with_borrow_mut(|handles| *handles.entry(raw).or_insert_with(|| Box::leak(Box::new(raw))));
    unsafe { &*(handle as *const usize as *const Context) }
}

/// Methods on operations. Indices are the caller's to know: out of range they panic, which a hook turns into an error.
pub trait OpExt<'c: 'a, 'a>: Copy {
    fn raw(self) -> MlirOperation;

    /// The full name, `ppy_core.add`.
    fn op_name(self) -> &'c str {
        unsafe extern "C" {
            fn ppyRegisteredName(op: MlirOperation) -> MlirStringRef;
        }
        // Identifiers are uniqued in the context. Names are asked for all the time: what TableGen wrote is UTF-8.
        unsafe {
            let known = ppyRegisteredName(self.raw());
            if known.length == 0 {
                return str_of(mlirIdentifierStr(mlirOperationGetName(self.raw())));
            }
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(known.data.cast(), known.length))
        }
    }
    /// Its identity while it lives.
    fn key(self) -> usize {
        self.raw().ptr as usize
    }
    /// Sets an attribute, inherent or discardable. In a pattern only inside
    /// [`Rewriter::modify`](super::pattern::Rewriter::modify).
    fn set(self, name: &str, value: Attribute<'c>) {
        unsafe { mlirOperationSetAttributeByName(self.raw(), string_ref(name), value.to_raw()) }
    }
    fn is(self, name: &str) -> bool {
        self.op_name() == name
    }
    fn context_ref(self) -> &'c Context {
        context_of(unsafe { ContextRef::from_raw(mlirOperationGetContext(self.raw())) })
    }
    fn operand_len(self) -> usize {
        unsafe { mlirOperationGetNumOperands(self.raw()) as usize }
    }
    fn value(self, index: usize) -> Value<'c, 'a> {
        assert!(index < self.operand_len(), "operand {index} of {}", self.op_name());
        unsafe { Value::from_raw(mlirOperationGetOperand(self.raw(), index as isize)) }
    }
    fn value_from_end(self, distance: usize) -> Value<'c, 'a> {
        self.value(self.operand_len() - distance)
    }
    /// The operands but the first `before` and the last `after`.
    fn operand_range(self, before: usize, after: usize) -> OperandList<'c, 'a> {
        (before..self.operand_len().saturating_sub(after)).map(|i| self.value(i)).collect()
    }
    fn all_operands(self) -> OperandList<'c, 'a> {
        self.operand_range(0, 0)
    }
    /// A group of an operation with `operandSegmentSizes`.
    fn segment(self, index: usize) -> OperandList<'c, 'a> {
        let Some(sizes) = self.inherent("operandSegmentSizes") else { return OperandList::new() };
        let raw = sizes.to_raw();
        let size = |i: usize| unsafe { mlirDenseI32ArrayGetElement(raw, i as isize) as usize };
        let before: usize = (0..index).map(size).sum();
        (before..before + size(index)).map(|i| self.value(i)).collect()
    }
    fn result_len(self) -> usize {
        unsafe { mlirOperationGetNumResults(self.raw()) as usize }
    }
    fn result_at(self, index: usize) -> Value<'c, 'a> {
        assert!(index < self.result_len(), "result {index} of {}", self.op_name());
        unsafe { Value::from_raw(mlirOperationGetResult(self.raw(), index as isize)) }
    }
    /// The only result, or the first.
    fn result_value(self) -> Value<'c, 'a> {
        self.result_at(0)
    }
    /// The type of the first result.
    fn result_type(self) -> Type<'c> {
        self.result_value().r#type()
    }
    fn loc(self) -> Location<'c> {
        unsafe { Location::from_raw(mlirOperationGetLocation(self.raw())) }
    }
    /// An inherent attribute, if the operation has it.
    fn inherent(self, name: &str) -> Option<Attribute<'c>> {
        unsafe extern "C" {
            fn ppyInherentAttribute(op: MlirOperation, name: MlirStringRef) -> MlirAttribute;
        }
        unsafe { Attribute::from_option_raw(ppyInherentAttribute(self.raw(), string_ref(name))) }
    }
    /// A discardable attribute, if the operation has it.
    fn discardable(self, name: &str) -> Option<Attribute<'c>> {
        unsafe { Attribute::from_option_raw(mlirOperationGetDiscardableAttributeByName(self.raw(), string_ref(name))) }
    }
    fn int_attribute(self, name: &str) -> Option<i64> {
        self.inherent(name).and_then(integer_bits)
    }
    fn str_attribute(self, name: &str) -> Option<&'c str> {
        let raw = self.inherent(name)?.to_raw();
        unsafe { mlirAttributeIsAString(raw).then(|| str_of(mlirStringAttrGetValue(raw))) }
    }
    fn symbol_attribute(self, name: &str) -> Option<&'c str> {
        let raw = self.inherent(name)?.to_raw();
        unsafe { mlirAttributeIsAFlatSymbolRef(raw).then(|| str_of(mlirFlatSymbolRefAttrGetValue(raw))) }
    }
    fn bool_attribute(self, name: &str) -> Option<bool> {
        let raw = self.inherent(name)?.to_raw();
        unsafe { mlirAttributeIsABool(raw).then(|| mlirBoolAttrGetValue(raw)) }
    }
    fn type_attribute(self, name: &str) -> Option<Type<'c>> {
        let raw = self.inherent(name)?.to_raw();
        unsafe { mlirAttributeIsAType(raw).then(|| Type::from_raw(mlirTypeAttrGetValue(raw))) }
    }
    /// Every discardable attribute.
    fn discardables(self) -> Vec<(&'c str, Attribute<'c>)> {
        (0..unsafe { mlirOperationGetNumDiscardableAttributes(self.raw()) })
            .map(|i| unsafe {
                let named = mlirOperationGetDiscardableAttribute(self.raw(), i);
                (str_of(mlirIdentifierStr(named.name)), Attribute::from_raw(named.attribute))
            })
            .collect()
    }
    /// Removes a discardable attribute.
    fn remove_discardable(self, name: &str) {
        unsafe { mlirOperationRemoveDiscardableAttributeByName(self.raw(), string_ref(name)) };
    }
    fn region_len(self) -> usize {
        unsafe { mlirOperationGetNumRegions(self.raw()) as usize }
    }
    /// The operation before this one in its block. Not melior's `previous_in_block`, which panics.
    fn previous(self) -> Option<Op<'c, 'a>> {
        unsafe extern "C" {
            fn ppyOperationPrevious(op: MlirOperation) -> MlirOperation;
        }
        unsafe { OperationRef::from_option_raw(ppyOperationPrevious(self.raw())) }
    }
    /// In a pattern only inside [`Rewriter::modify`](super::pattern::Rewriter::modify).
    fn set_location(self, location: Location<'c>) {
        unsafe { mlirOperationSetLocation(self.raw(), location.to_raw()) }
    }
    /// Whether it stands before `other` of the same block.
    fn is_before(self, other: Op<'c, 'a>) -> bool {
        unsafe { mlirOperationIsBeforeInBlock(self.raw(), other.to_raw()) }
    }
    /// Moves it before another operation. Not in a pattern.
    fn move_before(self, other: Op<'c, 'a>) {
        unsafe { mlirOperationMoveBefore(self.raw(), other.to_raw()) }
    }
    /// Replaces one operand. In a pattern only inside [`Rewriter::modify`](super::pattern::Rewriter::modify).
    fn set_operand_at(self, index: usize, value: Value<'c, 'a>) {
        assert!(index < self.operand_len(), "operand {index} of {}", self.op_name());
        unsafe { mlirOperationSetOperand(self.raw(), index as isize, value.to_raw()) }
    }
    /// The operands through which the operation itself reads or writes memory, as its effects say.
    fn accessed_operands(self) -> Vec<usize> {
        unsafe extern "C" {
            fn ppyAccessedOperands(op: MlirOperation, add: extern "C" fn(*mut c_void, isize), data: *mut c_void);
        }
        extern "C" fn add(found: *mut c_void, operand: isize) {
            unsafe { &mut *found.cast::<Vec<usize>>() }.push(operand as usize);
        }
        let mut found: Vec<usize> = Vec::new();
        unsafe { ppyAccessedOperands(self.raw(), add, (&raw mut found).cast()) };
        found
    }
    fn successor_len(self) -> usize {
        unsafe { mlirOperationGetNumSuccessors(self.raw()) as usize }
    }
    /// The target of a branch.
    fn successor_block(self, index: usize) -> BlockRef<'c, 'a> {
        assert!(index < self.successor_len(), "successor {index} of {}", self.op_name());
        unsafe { BlockRef::from_raw(mlirOperationGetSuccessor(self.raw(), index as isize)) }
    }
    /// The operation around this one.
    fn parent(self) -> Option<Op<'c, 'a>> {
        unsafe { OperationRef::from_option_raw(mlirOperationGetParentOperation(self.raw())) }
    }
    /// The nearest operation of that name around this one.
    fn ancestor(self, name: &str) -> Option<Op<'c, 'a>> {
        let mut op = self.parent()?;
        while op.op_name() != name {
            op = op.parent()?;
        }
        Some(op)
    }
    /// The blocks of region `index`.
    fn blocks(self, index: usize) -> Vec<BlockRef<'c, 'a>> {
        use melior::ir::{BlockLike, RegionLike};
        if index >= unsafe { mlirOperationGetNumRegions(self.raw()) } as usize {
            return Vec::new();
        }
        let region: RegionRef<'c, 'a> =
            unsafe { RegionRef::from_raw(mlirOperationGetRegion(self.raw(), index as isize)) };
        std::iter::successors(region.first_block(), |b| b.next_in_region()).collect()
    }
}

impl<'c: 'a, 'a> OpExt<'c, 'a> for OperationRef<'c, 'a> {
    fn raw(self) -> MlirOperation {
        self.to_raw()
    }
}

/// The blocks that branch to a block, one for each edge.
pub fn predecessors<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    let raw = block.to_raw();
    let count = unsafe { mlirBlockGetNumPredecessors(raw) };
    (0..count).map(move |index| unsafe { BlockRef::from_raw(mlirBlockGetPredecessor(raw, index)) })
}

/// The only predecessor of a block; `None` where there are none or several, or one that branches here twice.
pub fn single_predecessor<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    use melior::ir::BlockLike;
    unsafe extern "C" {
        fn ppyBlockSinglePredecessor(block: MlirBlock) -> MlirBlock;
    }
    unsafe { BlockRef::from_option_raw(ppyBlockSinglePredecessor(block.to_raw())) }
}

/// Whether the entry reaches a block: false only where that is certain after looking at a few blocks before it.
pub fn may_be_reached(block: BlockRef<'_, '_>) -> bool {
    use melior::ir::BlockLike;
    const LIMIT: isize = 64;
    unsafe extern "C" {
        fn ppyBlockMayBeReached(block: MlirBlock, limit: isize) -> bool;
    }
    unsafe { ppyBlockMayBeReached(block.to_raw(), LIMIT) }
}

/// The operations of a block, in order.
pub fn operations<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = Op<'c, 'a>> {
    use melior::ir::BlockLike;
    std::iter::successors(block.first_operation(), |op| op.next_in_block())
}

/// The operations below `root`, however deep, that have one of the names, in order; itself too.
pub fn operations_named<'c: 'a, 'a>(root: Op<'c, 'a>, names: &[&str]) -> Vec<Op<'c, 'a>> {
    unsafe extern "C" {
        fn ppyOperationsNamed(
            op: MlirOperation,
            count: isize,
            names: *const MlirStringRef,
            found: unsafe extern "C" fn(*mut c_void, MlirOperation),
            data: *mut c_void,
        );
    }
    unsafe extern "C" fn found(data: *mut c_void, op: MlirOperation) {
        unsafe { (*data.cast::<Vec<MlirOperation>>()).push(op) };
    }
    let names: Vec<_> = names.iter().map(|name| string_ref(name)).collect();
    let mut all: Vec<MlirOperation> = Vec::new();
    let data = std::ptr::from_mut(&mut all).cast();
    unsafe { ppyOperationsNamed(root.raw(), names.len() as isize, names.as_ptr(), found, data) };
    all.into_iter().map(|op| unsafe { OperationRef::from_raw(op) }).collect()
}

/// A module and the modules inside it, the outer ones first.
pub fn modules<'c: 'a, 'a>(module: Op<'c, 'a>) -> Vec<Op<'c, 'a>> {
    let mut found = vec![module];
    let mut seen = 0;
    while let Some(module) = found.get(seen).copied() {
        seen += 1;
        for block in module.blocks(0) {
            found.extend(operations(block).filter(|op| op.is("builtin.module")));
        }
    }
    found
}

/// Methods on values.
pub trait ValueExt<'c: 'a, 'a>: Copy {
    fn raw_value(self) -> MlirValue;

    /// The operation that defines the value; `None` for a block argument.
    fn defining_op(self) -> Option<Op<'c, 'a>> {
        unsafe {
            let raw = self.raw_value();
            mlirValueIsAOpResult(raw).then(|| OperationRef::from_raw(mlirOpResultGetOwner(raw)))
        }
    }
    /// The block and the index of a block argument; `None` for an operation's result.
    fn block_argument(self) -> Option<(BlockRef<'c, 'a>, usize)> {
        unsafe {
            let raw = self.raw_value();
            mlirValueIsABlockArgument(raw).then(|| {
                (BlockRef::from_raw(mlirBlockArgumentGetOwner(raw)), mlirBlockArgumentGetArgNumber(raw) as usize)
            })
        }
    }
    /// The location of a block argument.
    fn argument_location(self) -> Option<Location<'c>> {
        self.block_argument().map(|_| unsafe { Location::from_raw(mlirValueGetLocation(self.raw_value())) })
    }
    /// The operation of that name that defines the value.
    fn defined_by(self, name: &str) -> Option<Op<'c, 'a>> {
        self.defining_op().filter(|op| op.op_name() == name)
    }
    /// The block that the value is an argument of.
    fn argument_block(self) -> Option<BlockRef<'c, 'a>> {
        unsafe {
            let raw = self.raw_value();
            mlirValueIsABlockArgument(raw).then(|| BlockRef::from_raw(mlirBlockArgumentGetOwner(raw)))
        }
    }
    /// The attribute of the constant that defines the value.
    fn constant(self) -> Option<Attribute<'c>> {
        self.defined_by("ppy_core.const")?.inherent("value")
    }
    /// The bits of the integer or bool constant that defines the value.
    fn constant_int(self) -> Option<i64> {
        self.constant().and_then(integer_bits)
    }
    /// Its identity while it lives.
    fn value_key(self) -> usize {
        self.raw_value().ptr as usize
    }
    fn is_unused(self) -> bool {
        unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(self.raw_value())) }
    }
    /// Every operation that reads the value, with the operand's number.
    fn uses(self) -> Vec<(Op<'c, 'a>, usize)> {
        self.first_uses(usize::MAX).collect()
    }
    /// As [`uses`](Self::uses), `limit` of them at most, for as long as the IR stays as it is.
    fn first_uses(self, limit: usize) -> impl Iterator<Item = (Op<'c, 'a>, usize)> {
        let there = |operand: MlirOpOperand| (!unsafe { mlirOpOperandIsNull(operand) }).then_some(operand);
        let first = there(unsafe { mlirValueGetFirstUse(self.raw_value()) });
        let all = std::iter::successors(first, move |operand| there(unsafe { mlirOpOperandGetNextUse(*operand) }));
        all.take(limit).map(|operand| unsafe {
            (OperationRef::from_raw(mlirOpOperandGetOwner(operand)), mlirOpOperandGetOperandNumber(operand) as usize)
        })
    }
}

impl<'c: 'a, 'a> ValueExt<'c, 'a> for Value<'c, 'a> {
    fn raw_value(self) -> MlirValue {
        self.to_raw()
    }
}

/// What a ppy scalar type is at the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    Bool,
    /// `index` is a signed integer of 64 bits.
    Int {
        width: u32,
        signed: bool,
    },
    F16,
    Bf16,
    F32,
    F64,
}

/// The scalar type `type_` is; `None` for pointers, aggregates and vectors.
pub fn scalar_type(type_: Type<'_>) -> Option<ScalarType> {
    let raw = type_.to_raw();
    unsafe {
        if mlirTypeIsAInteger(raw) {
            let width = mlirIntegerTypeGetWidth(raw);
            return Some(match width {
                1 => ScalarType::Bool,
                8 | 16 | 32 | 64 => ScalarType::Int { width, signed: !mlirIntegerTypeIsUnsigned(raw) },
                _ => return None,
            });
        }
        if mlirTypeIsAIndex(raw) {
            return Some(ScalarType::Int { width: 64, signed: true });
        }
        Some(if mlirTypeIsAF64(raw) {
            ScalarType::F64
        } else if mlirTypeIsAF32(raw) {
            ScalarType::F32
        } else if mlirTypeIsAF16(raw) {
            ScalarType::F16
        } else if mlirTypeIsABF16(raw) {
            ScalarType::Bf16
        } else {
            return None;
        })
    }
}

/// The element of a vector type, or the type itself.
pub fn element_or_self(type_: Type<'_>) -> Type<'_> {
    unsafe {
        if mlirTypeIsAVector(type_.to_raw()) {
            Type::from_raw(mlirShapedTypeGetElementType(type_.to_raw()))
        } else {
            type_
        }
    }
}

/// The number of lanes of a vector type.
pub fn vector_lanes(type_: Type<'_>) -> Option<u64> {
    unsafe {
        let raw = type_.to_raw();
        (mlirTypeIsAVector(raw) && mlirShapedTypeGetRank(raw) == 1).then(|| mlirShapedTypeGetDimSize(raw, 0) as u64)
    }
}
