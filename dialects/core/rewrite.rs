//! What the core patterns are written with.

use super::constant::{self, int_type};
use super::ops::ConstOp;
use crate::mlir::{attribute::integer_attribute, prelude::*};

/// One rewrite: `None` where it does not apply, and then it has changed nothing.
pub type Rule = for<'c, 'a> fn(Op<'c, 'a>, &Rewriter<'c, 'a>) -> Option<()>;

/// Adds the rules as one pattern of the root; the first that applies is taken.
pub fn register(patterns: &mut Patterns, rules: &'static [Rule]) {
    patterns.add(patterns.root(), move |op, rewriter| rules.iter().any(|rule| rule(op, rewriter).is_some()));
}

/// `Some(())` where the condition holds, to be used with `?`.
pub fn when(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// Inserts an operation before the root, and gives its result.
pub fn insert<'c: 'a, 'a>(rewriter: &Rewriter<'c, 'a>, op: Operation<'c>) -> Value<'c, 'a> {
    rewriter.insert(op).result_value()
}

/// Replaces the only result of `op`, unless by itself, as in a cycle of unreachable code.
pub fn replace<'c: 'a, 'a>(rewriter: &Rewriter<'c, 'a>, op: Op<'c, 'a>, value: Value<'c, 'a>) -> Option<()> {
    when(value != op.result_value())?;
    rewriter.replace(op, &[value]);
    Some(())
}

/// Replaces `op` by a new operation.
pub fn replace_with<'c: 'a, 'a>(rewriter: &Rewriter<'c, 'a>, op: Op<'c, 'a>, new: Operation<'c>) -> Option<()> {
    rewriter.replace_with(op, new);
    Some(())
}

/// The location of an operation without the name it gives its result or its block.
pub fn nameless<'c>(op: Op<'c, '_>) -> Location<'c> {
    let location = op.loc();
    if location.is_name() { location.name_child_location() } else { location }
}

/// A new constant of normalized bits; `None` where the type has none with these.
pub fn constant_bits<'c>(op: Op<'c, '_>, type_: Type<'c>, bits: u64) -> Option<Operation<'c>> {
    Some(ConstOp::build(op.context_ref(), constant::write(type_, bits)?, type_, nameless(op)))
}

/// A new integer constant; `None` where the value does not fit the type.
pub fn constant_int<'c>(op: Op<'c, '_>, type_: Type<'c>, value: i128) -> Option<Operation<'c>> {
    let bits = int_type(type_)?.fit(value)?;
    Some(ConstOp::build(op.context_ref(), integer_attribute(type_, bits as i64), type_, nameless(op)))
}

/// A new bool constant.
pub fn constant_bool<'c>(op: Op<'c, '_>, value: bool) -> Operation<'c> {
    let context = op.context_ref();
    let type_ = melior::ir::r#type::IntegerType::new(context, 1).into();
    ConstOp::build(context, integer_attribute(type_, value.into()), type_, nameless(op))
}
