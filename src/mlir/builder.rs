//! Building operations from parts known at run time, with reused buffers: for the codec, which makes millions of them.

use super::attribute::string_ref;
use super::op::{OpExt, operations};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Block, BlockLike, BlockRef, Identifier, Location, Operation, OperationRef, Region,
        Type, TypeLike, Value, ValueLike, operation::OperationLike,
    },
};
use mlir_sys::*;
use std::{ffi::c_void, marker::PhantomData};

unsafe extern "C" {
    fn ppyOperationName(context: MlirContext, name: MlirStringRef) -> *const c_void;
    fn ppyCreateOperation(
        name: *const c_void,
        location: MlirLocation,
        operand_count: isize,
        operands: *const MlirValue,
        result_count: isize,
        results: *const MlirType,
        attribute_count: isize,
        attributes: *const MlirNamedAttribute,
        successor_count: isize,
        successors: *const MlirBlock,
        region_count: isize,
        regions: *const MlirRegion,
    ) -> MlirOperation;
}

/// An operation's name, found in the context.
#[derive(Clone, Copy)]
pub struct OpName<'c>(*const c_void, PhantomData<&'c Context>);

impl<'c> OpName<'c> {
    pub fn new(context: &'c Context, name: &str) -> Self {
        OpName(unsafe { ppyOperationName(context.to_raw(), string_ref(name)) }, PhantomData)
    }
}

/// The parts of the next operation.
pub struct Parts<'c, 'a> {
    context: &'c Context,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    attributes: Vec<MlirNamedAttribute>,
    successors: Vec<MlirBlock>,
    regions: Vec<MlirRegion>,
    _borrow: PhantomData<&'a ()>,
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    pub fn new(context: &'c Context) -> Self {
        Parts {
            context,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            successors: Vec::new(),
            regions: Vec::new(),
            _borrow: PhantomData,
        }
    }
    pub fn operand(&mut self, value: Value<'c, 'a>) {
        self.operands.push(value.to_raw());
    }
    pub fn result(&mut self, type_: Type<'c>) {
        self.results.push(type_.to_raw());
    }
    pub fn attribute(&mut self, name: &str, value: Attribute<'c>) {
        self.named(Identifier::new(self.context, name), value);
    }
    /// An attribute whose name was found before.
    pub fn named(&mut self, name: Identifier<'c>, value: Attribute<'c>) {
        self.attributes.push(MlirNamedAttribute { name: name.to_raw(), attribute: value.to_raw() });
    }
    pub fn successor(&mut self, block: BlockRef<'c, 'a>) {
        self.successors.push(block.to_raw());
    }
    pub fn region(&mut self, region: Region<'c>) {
        self.regions.push(region.into_raw());
    }
    /// Makes the operation of the parts collected since the last one.
    pub fn create(&mut self, name: &str, location: Location<'c>) -> Operation<'c> {
        self.create_named(OpName::new(self.context, name), location)
    }
    /// The same, of a name that was found before.
    pub fn create_named(&mut self, name: OpName<'c>, location: Location<'c>) -> Operation<'c> {
        let op = unsafe {
            ppyCreateOperation(
                name.0,
                location.to_raw(),
                self.operands.len() as isize,
                self.operands.as_ptr(),
                self.results.len() as isize,
                self.results.as_ptr(),
                self.attributes.len() as isize,
                self.attributes.as_ptr(),
                self.successors.len() as isize,
                self.successors.as_ptr(),
                self.regions.len() as isize,
                self.regions.as_ptr(),
            )
        };
        self.operands.clear();
        self.results.clear();
        self.attributes.clear();
        self.successors.clear();
        self.regions.clear();
        unsafe { Operation::from_raw(op) }
    }
}

/// Appends a block to a region that is still being built, and keeps a reference to it.
pub fn append_block<'c: 'a, 'a>(region: &Region<'c>, block: Block<'c>) -> BlockRef<'c, 'a> {
    use melior::ir::RegionLike;
    unsafe {
        let raw = block.into_raw();
        mlirRegionAppendOwnedBlock(region.to_raw(), raw);
        BlockRef::from_raw(raw)
    }
}

/// Replaces every use of `old` by `new`.
pub fn replace_all_uses<'c: 'a, 'a>(old: Value<'c, 'a>, new: Value<'c, 'a>) {
    unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) }
}

/// A copy of an operation with all in it, in no block yet.
pub fn clone<'c>(op: OperationRef<'c, '_>) -> Operation<'c> {
    unsafe { Operation::from_raw(mlirOperationClone(op.to_raw())) }
}

/// Gives an operation and all in it the location, so that nothing tells of the text it was read from.
pub fn relocate<'c>(op: &Operation<'c>, location: Location<'c>) {
    let mut pending: Vec<OperationRef<'c, '_>> = vec![unsafe { OperationRef::from_raw(op.to_raw()) }];
    while let Some(op) = pending.pop() {
        unsafe { mlirOperationSetLocation(op.to_raw(), location.to_raw()) };
        for region in 0..op.region_len() {
            pending.extend(op.blocks(region).into_iter().flat_map(operations));
        }
    }
}

/// The first result of an operation that is in no block yet.
pub fn first_result<'c: 'a, 'a>(op: &Operation<'c>) -> Value<'c, 'a> {
    assert!(unsafe { mlirOperationGetNumResults(op.to_raw()) } > 0, "an operation without results");
    unsafe { Value::from_raw(mlirOperationGetResult(op.to_raw(), 0)) }
}

/// The identity of an operation that is in no block yet, as [`OpExt::key`](super::op::OpExt::key).
pub fn key_of(op: &Operation<'_>) -> usize {
    op.to_raw().ptr as usize
}
