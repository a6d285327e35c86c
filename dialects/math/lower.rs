//! The math operations in the LLVM dialect: the intrinsic of that name.

use crate::{
    dialects::core::{
        lower::{Lowered, lane},
        lower_float,
    },
    mlir::{
        conversion::{ConversionPatterns, ConversionRewriter},
        llvm_ops::Llvm,
        op::{Op, OpExt},
    },
};
use melior::ir::{Value, ValueLike};

/// Operations and their intrinsics.
const INTRINSICS: &[(&str, &str)] = &[
    ("ppy_math.sqrt", "llvm.intr.sqrt"),
    ("ppy_math.sin", "llvm.intr.sin"),
    ("ppy_math.cos", "llvm.intr.cos"),
    ("ppy_math.tan", "llvm.intr.tan"),
    ("ppy_math.exp", "llvm.intr.exp"),
    ("ppy_math.exp2", "llvm.intr.exp2"),
    ("ppy_math.log", "llvm.intr.log"),
    ("ppy_math.log2", "llvm.intr.log2"),
    ("ppy_math.log10", "llvm.intr.log10"),
    ("ppy_math.floor", "llvm.intr.floor"),
    ("ppy_math.ceil", "llvm.intr.ceil"),
    ("ppy_math.trunc", "llvm.intr.trunc"),
    ("ppy_math.abs", "llvm.intr.fabs"),
    ("ppy_math.pow", "llvm.intr.pow"),
];

/// Adds the lowering of every math operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    for (name, intrinsic) in INTRINSICS {
        patterns.add(name, |op, operands, rewriter| call(op, operands, rewriter, intrinsic));
    }
}

fn call<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    intrinsic: &str,
) -> Lowered {
    if operands.is_empty() {
        return Err("it has no operand".into());
    }
    let llvm = Llvm::before(rewriter, op);
    let scalar = lane(op.result_type())?;
    let result = lower_float::computed(&llvm, scalar, operands, |operands| {
        let type_ = operands.first().map_or(llvm.int(64), |first| first.r#type());
        llvm.op(intrinsic, operands, type_)
    });
    rewriter.replace(op, &[result]);
    Ok(())
}
