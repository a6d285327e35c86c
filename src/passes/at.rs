//! A place where a pass inserts operations.

use crate::{
    dialects::core::ops::{AndOp, ConstOp, SelectOp, XorOp},
    mlir::{
        attribute::{bool_attribute, integer_attribute},
        prelude::*,
    },
};
use melior::ir::r#type::IntegerType;

/// Before an operation, with its location.
pub(super) struct At<'c, 'a> {
    pub anchor: Op<'c, 'a>,
    pub block: BlockRef<'c, 'a>,
    pub context: &'c Context,
    pub location: Location<'c>,
}

impl<'c: 'a, 'a> At<'c, 'a> {
    pub fn before(anchor: Op<'c, 'a>, block: BlockRef<'c, 'a>) -> Self {
        Self { anchor, block, context: anchor.context_ref(), location: nameless(anchor) }
    }
    pub fn insert_op(&self, op: Operation<'c>) -> Op<'c, 'a> {
        self.block.insert_operation_before(self.anchor, op)
    }
    pub fn insert(&self, op: Operation<'c>) -> Value<'c, 'a> {
        self.insert_op(op).result_value()
    }
    pub fn bool_type(&self) -> Type<'c> {
        IntegerType::new(self.context, 1).into()
    }
    pub fn integer(&self, type_: Type<'c>, value: i64) -> Value<'c, 'a> {
        self.insert(ConstOp::build(self.context, integer_attribute(type_, value), type_, self.location))
    }
    pub fn and(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.insert(AndOp::build(self.context, lhs, rhs, lhs.r#type(), self.location))
    }
    pub fn not(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let yes = bool_attribute(self.context, true);
        let yes = self.insert(ConstOp::build(self.context, yes, self.bool_type(), self.location));
        self.insert(XorOp::build(self.context, value, yes, self.bool_type(), self.location))
    }
    pub fn select(&self, condition: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Value<'c, 'a> {
        self.insert(SelectOp::build(self.context, condition, yes, no, yes.r#type(), self.location))
    }
}

/// The location of an operation without the name of its result or block.
pub(super) fn nameless<'c>(op: Op<'c, '_>) -> Location<'c> {
    let location = op.loc();
    if location.is_name() { location.name_child_location() } else { location }
}
