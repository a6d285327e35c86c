//! The cpu operations in the LLVM dialect: a prefetch is an intrinsic of every target, a pause one of some.

use super::enums::Access;
use crate::{
    dialects::core::lower::Lowered,
    mlir::{
        attribute::integer_attribute,
        attribute_view::{AttributeView, view},
        conversion::{ConversionPatterns, ConversionRewriter},
        llvm_ops::Llvm,
        op::{Op, OpExt},
    },
};
use melior::ir::Value;

/// Adds the lowering of every cpu operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_cpu.prefetch", prefetch);
    patterns.add("ppy_cpu.pause", pause);
}

/// The locality of a prefetch that says none, and the number of the data cache.
const KEEP: i64 = 3;
const DATA: i64 = 1;

fn prefetch<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let llvm = Llvm::before(rewriter, op);
    let number = |value: i64| integer_attribute(llvm.int(32), value);
    let write = op.int_attribute("rw").and_then(Access::from_number) == Some(Access::Write);
    let locality = op.int_attribute("locality").unwrap_or(KEEP);
    let attributes = [("rw", number(write.into())), ("hint", number(locality)), ("cache", number(DATA))];
    llvm.op_with("llvm.intr.prefetch", operands, None, &attributes);
    rewriter.erase(op);
    Ok(())
}

/// The target is the module's `llvm.target_triple`; one without the instruction, or a module for any target, drops it.
fn pause<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    const YIELD: i64 = 1;
    let triple =
        match op.ancestor("builtin.module").and_then(|module| module.discardable("llvm.target_triple")).map(view) {
            Some(AttributeView::Str(triple)) => triple,
            _ => "",
        };
    let llvm = Llvm::before(rewriter, op);
    match triple.split('-').next().unwrap_or_default() {
        "x86_64" | "i386" | "i486" | "i586" | "i686" => llvm.effect("llvm.x86.sse2.pause", &[]),
        "aarch64" | "aarch64_be" | "arm64" => {
            llvm.effect("llvm.aarch64.hint", &[llvm.integer(llvm.int(32), YIELD)]);
        }
        _ => {}
    }
    rewriter.erase(op);
    Ok(())
}
