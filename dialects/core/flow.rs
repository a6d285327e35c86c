//! Values on their way: between blocks, and inside of others.

use super::{
    fold::intrinsic,
    ops::*,
    type_views::{BufferType, PtrType},
    verify::find_type,
};
use crate::mlir::{op::predecessors, prelude::*};

/// What the edges from a block to another pass for its argument.
pub fn incoming<'c: 'a, 'a>(from: BlockRef<'c, 'a>, to: BlockRef<'c, 'a>, argument: usize) -> Vec<Value<'c, 'a>> {
    let Some(branch) = from.terminator() else { return Vec::new() };
    (0..branch.successor_len())
        .filter(|index| branch.successor_block(*index) == to)
        .filter_map(|index| {
            let arguments = if branch.is(CondBrOp::NAME) { branch.segment(index + 1) } else { branch.all_operands() };
            arguments.get(argument).copied()
        })
        .collect()
}

/// The values that a value may be, or has inside, ahead of moves that keep a pointer what it is: choices and block
/// arguments, aggregates made and taken apart, casts and offsets. Empty for the sources themselves.
fn origins<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    if !holds_pointer(value.r#type()) {
        return Vec::new();
    }
    if let Some((block, index)) = value.block_argument() {
        return predecessors(block).flat_map(|from| incoming(from, block, index)).collect();
    }
    let Some(op) = value.defining_op() else { return Vec::new() };
    match op.op_name() {
        SelectOp::NAME | TupleMakeOp::NAME | StructMakeOp::NAME => op.all_operands().iter().copied().collect(),
        TupleExtractOp::NAME | StructExtractOp::NAME | CastOp::NAME => vec![op.value(0)],
        PtrOffsetOp::NAME | PtrIndexOp::NAME | BufferDataOp::NAME => vec![op.value(0)],
        CallIntrinsicOp::NAME if intrinsic(value, "ppy.buffer_from_parts").is_some() => vec![op.value(0)],
        _ => Vec::new(),
    }
}

/// What a value comes from ([`origins`]), and itself.
pub fn sources<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    const MOST: usize = 64;
    let mut found = vec![value];
    let mut next = 0;
    while next < found.len().min(MOST) {
        for origin in origins(found[next]) {
            if !found.contains(&origin) {
                found.push(origin);
            }
        }
        next += 1;
    }
    found
}

/// Whether a value of the type is a pointer or has one inside.
pub fn holds_pointer(type_: Type<'_>) -> bool {
    find_type(type_, &|part| PtrType::cast(part).is_some() || BufferType::cast(part).is_some()).is_some()
}
