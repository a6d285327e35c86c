//! Building operations from parts known at run time, with reused buffers: for the codec, which makes millions of them.

use super::attribute::string_ref;
use super::op::{OpExt, operations};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, Block, BlockLike, BlockRef, Location, Operation, OperationRef, Region, Type,
        TypeLike, Value, ValueLike, operation::OperationLike,
    },
};
use mlir_sys::*;
use rustc_hash::FxHashMap;
use std::marker::PhantomData;

/// The parts of the next operation.
pub struct Parts<'c, 'a> {
    context: &'c Context,
    identifiers: FxHashMap<Box<str>, MlirIdentifier>,
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
            identifiers: FxHashMap::default(),
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
        let name = match self.identifiers.get(name) {
            Some(identifier) => *identifier,
            None => {
                let identifier = unsafe { mlirIdentifierGet(self.context.to_raw(), string_ref(name)) };
                self.identifiers.insert(name.into(), identifier);
                identifier
            }
        };
        self.attributes.push(MlirNamedAttribute { name, attribute: value.to_raw() });
    }
    pub fn successor(&mut self, block: BlockRef<'c, 'a>) {
        self.successors.push(block.to_raw());
    }
    pub fn region(&mut self, region: Region<'c>) {
        self.regions.push(region.into_raw());
    }
    /// Makes the operation of the parts collected since the last one.
    pub fn create(&mut self, name: &str, location: Location<'c>) -> Operation<'c> {
        unsafe {
            let mut state = mlirOperationStateGet(string_ref(name), location.to_raw());
            mlirOperationStateAddOperands(&mut state, self.operands.len() as isize, self.operands.as_ptr());
            mlirOperationStateAddResults(&mut state, self.results.len() as isize, self.results.as_ptr());
            mlirOperationStateAddAttributes(&mut state, self.attributes.len() as isize, self.attributes.as_ptr());
            mlirOperationStateAddSuccessors(&mut state, self.successors.len() as isize, self.successors.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, self.regions.len() as isize, self.regions.as_ptr());
            self.operands.clear();
            self.results.clear();
            self.attributes.clear();
            self.successors.clear();
            self.regions.clear();
            Operation::from_raw(mlirOperationCreate(&mut state))
        }
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
