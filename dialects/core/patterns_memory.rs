//! Loads, stores and intrinsics, within one block.
//!
//! What a function wrote before it failed stays, and its caller sees it; its own stack goes. So a store to other memory
//! outlives every operation that may fail after it, and a store to the stack only those that may read it.

use super::constant;
use super::memory::{Access, Object, access, may_alias, may_fail, object};
use super::ops::*;
use super::rewrite::{constant_bits, constant_bool, insert, register, replace, replace_with, when};
use crate::mlir::prelude::*;
use crate::semantics::int::{self, IntOp, Overflow};
use crate::semantics::{ScalarType, math};

/// How far a block is looked at, up or down from an access.
const MAX_SCAN: usize = 48;
/// How many uses of an alloca are looked at.
const MAX_USES: usize = 64;

pub fn load(patterns: &mut Patterns) {
    register(patterns, &[known_load]);
}
pub fn store(patterns: &mut Patterns) {
    register(patterns, &[store_of_never_read, store_of_loaded, overwritten_store]);
}
pub fn call_intrinsic(patterns: &mut Patterns) {
    register(patterns, &[checked_constants, checked_neutral, fabs_constant]);
    patterns.add_to(BufferLenOp::NAME, "the length of a buffer made of parts", |op, rewriter| {
        len_of_parts(op, rewriter).is_some()
    });
}

// A load of what was stored, loaded or zeroed last in the block is that value: nothing wrote there in between.
fn known_load<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(op.discardables().is_empty())?;
    let pointer = op.value(0);
    let known = unwritten_since(op, pointer).find_map(|before| match before.op_name() {
        AllocaOp::NAME if before.result_value() == pointer => {
            constant_bits(op, op.result_type(), 0).map(|zero| insert(rewriter, zero))
        }
        StoreOp::NAME if before.value(1) == pointer => Some(before.value(0)),
        LoadOp::NAME if before.value(0) == pointer => Some(before.result_value()),
        _ => None,
    })?;
    replace(rewriter, op, known)?;
    // The last load of a slot takes its stores along.
    if let Some(stores) = never_read(pointer) {
        stores.into_iter().for_each(|store| rewriter.erase(store));
    }
    Some(())
}

/// The operations before `op` in its block, nearest first, as long as none of those passed may write to `pointer`.
fn unwritten_since<'c: 'a, 'a>(op: Op<'c, 'a>, pointer: Value<'c, 'a>) -> impl Iterator<Item = Op<'c, 'a>> {
    let above = move |before: &Op<'c, 'a>| match access(*before) {
        Access::Unknown => None,
        Access::Write(place) if may_alias(place, pointer) => None,
        Access::Write(_) | Access::None | Access::Read(_) | Access::ReadAny => before.previous(),
    };
    std::iter::successors(op.previous(), above).take(MAX_SCAN)
}

/// The stores to stack memory that nothing else uses.
fn never_read<'c, 'a>(pointer: Value<'c, 'a>) -> Option<Vec<Op<'c, 'a>>> {
    let alloca = pointer.defined_by(AllocaOp::NAME)?;
    when(alloca.discardables().is_empty())?;
    let mut stores = Vec::new();
    for (user, operand) in pointer.first_uses(MAX_USES + 1) {
        when(operand == 1 && stores.len() < MAX_USES && user.is(StoreOp::NAME))?;
        stores.push(user);
    }
    Some(stores)
}

// A store to stack memory that nothing reads goes, and with it the others.
fn store_of_never_read<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    never_read(op.value(1))?.into_iter().for_each(|store| rewriter.erase(store));
    Some(())
}

// A store of what was loaded from there goes: nothing wrote there in between.
fn store_of_loaded<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let load = op.value(0).defined_by(LoadOp::NAME)?;
    let pointer = op.value(1);
    when(load.value(0) == pointer && op.discardables().is_empty())?;
    when(unwritten_since(op, pointer).any(|before| before == load))?;
    rewriter.erase(op);
    Some(())
}

// A store that this later one in the block overwrites goes: nothing read it in between, and unless it is to the stack
// nothing could fail in between. It is the later one that looks: what is above it has been rewritten by then.
fn overwritten_store<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let pointer = op.value(1);
    let local = matches!(object(pointer), Object::Local(_));
    for before in std::iter::successors(op.previous(), |before| before.previous()).take(MAX_SCAN) {
        if before.is(StoreOp::NAME) && before.value(1) == pointer {
            when(before.discardables().is_empty())?;
            rewriter.erase(before);
            return Some(());
        }
        match access(before) {
            Access::Unknown | Access::ReadAny => return None,
            Access::Read(place) => when(!may_alias(place, pointer))?,
            Access::None | Access::Write(_) => {}
        }
        when(local || !may_fail(before))?;
    }
    None
}

/// The operation that an intrinsic checks.
fn checked<'c>(op: Op<'c, '_>) -> Option<IntOp> {
    when(op.operand_len() == 2 && op.result_len() == 2)?;
    match op.str_attribute("intrinsic")? {
        "ppy.checked_add" => Some(IntOp::Add),
        "ppy.checked_sub" => Some(IntOp::Sub),
        "ppy.checked_mul" => Some(IntOp::Mul),
        _ => None,
    }
}

// The checked operations of constants: the wrapped value, and whether it is not the true one.
fn checked_constants<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let operation = checked(op)?;
    let (a, b) = (constant::of(op.value(0))?, constant::of(op.value(1))?);
    let ty = a.ty.as_int()?;
    let wrapped = int::binary(operation, ty, Overflow::Wrap, a.bits, b.bits).ok()?;
    let over = int::binary(operation, ty, Overflow::Checked, a.bits, b.bits).is_err();
    let value = constant_bits(op, op.result_type(), wrapped)?;
    let value = insert(rewriter, value);
    let flag = insert(rewriter, constant_bool(op, over));
    rewriter.replace(op, &[value, flag]);
    Some(())
}

// Adding 0 or multiplying by 1 always fits.
fn checked_neutral<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let neutral = match checked(op)? {
        IntOp::Mul => 1,
        _ => 0,
    };
    when(constant::int_of(op.value(1))? == neutral)?;
    let flag = insert(rewriter, constant_bool(op, false));
    rewriter.replace(op, &[op.value(0), flag]);
    Some(())
}

// The absolute value of a constant.
fn fabs_constant<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    when(op.str_attribute("intrinsic") == Some("math.fabs") && op.operand_len() == 1 && op.result_len() == 1)?;
    let x = constant::of(op.value(0))?;
    let ScalarType::Float(ty) = x.ty else { return None };
    let value = constant_bits(op, op.result_type(), math::unary(math::Unary::Abs, ty, x.bits))?;
    replace_with(rewriter, op, value)
}

// The length of a buffer made of parts is the length it was made of; one of another type is cast.
fn len_of_parts<'c, 'a>(op: Op<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Option<()> {
    let made = super::fold::intrinsic(op.value(0), "ppy.buffer_from_parts")?;
    when(made.operand_len() == 2)?;
    let len = made.value(1);
    constant::int_type(len.r#type())?;
    replace_with(rewriter, op, CastOp::build(op.context_ref(), len, op.result_type(), op.loc()))
}
