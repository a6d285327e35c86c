//! The simd operations in the LLVM dialect: its instructions on vectors. A reduction whose order is seen is the chain
//! of lane operations that the interpreter runs.

use super::verify::mask;
use crate::{
    dialects::core::{
        lower::{Lowered, fast, lane},
        lower_float as floats,
    },
    mlir::{
        conversion::{ConversionPatterns, ConversionRewriter, Refusal},
        llvm_ops::{FCmp, FloatArith, Llvm},
        op::{Op, OpExt, ScalarType, vector_lanes},
    },
};
use melior::ir::{Type, Value, ValueLike, attribute::DenseI32ArrayAttribute};

/// Adds the lowering of every simd operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_simd.splat", splat);
    patterns.add("ppy_simd.load", crate::dialects::core::lower_memory::load);
    patterns.add("ppy_simd.store", crate::dialects::core::lower_memory::store);
    patterns.add("ppy_simd.extract", extract);
    patterns.add("ppy_simd.insert", insert);
    patterns.add("ppy_simd.shuffle", shuffle);
    patterns.add("ppy_simd.reduce_add", reduce_add);
    patterns.add("ppy_simd.reduce_min", |op, v, r| extremum(op, v, r, Extremum::Min));
    patterns.add("ppy_simd.reduce_max", |op, v, r| extremum(op, v, r, Extremum::Max));
}

fn machine<'c>(rewriter: &ConversionRewriter<'c, '_>, type_: Type<'c>) -> Result<Type<'c>, Refusal> {
    rewriter.convert_type(type_).ok_or_else(|| format!("{type_} has no value at the machine"))
}

/// A shuffle of two vectors by a mask.
fn shuffled<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    vectors: [Value<'c, 'a>; 2],
    mask: &[i32],
    result: Type<'c>,
) -> Value<'c, 'a> {
    let mask = DenseI32ArrayAttribute::new(llvm.context(), mask).into();
    llvm.op_with("llvm.shufflevector", &vectors, Some(result), &[("mask", mask)]).result_value()
}

fn splat<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [value] = *operands else { return Err("it has one operand".into()) };
    let type_ = machine(rewriter, op.result_type())?;
    let llvm = Llvm::before(rewriter, op);
    let empty = llvm.poison(type_);
    let first = llvm.op("llvm.insertelement", &[empty, value, llvm.integer(llvm.int(64), 0)], type_);
    let lanes = vector_lanes(op.result_type()).unwrap_or(1) as usize;
    let result = shuffled(&llvm, [first, empty], &vec![0; lanes], type_);
    rewriter.replace(op, &[result]);
    Ok(())
}

fn extract<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let type_ = machine(rewriter, op.result_type())?;
    let result = Llvm::before(rewriter, op).op("llvm.extractelement", operands, type_);
    rewriter.replace(op, &[result]);
    Ok(())
}

fn insert<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let type_ = machine(rewriter, op.result_type())?;
    let result = Llvm::before(rewriter, op).op("llvm.insertelement", operands, type_);
    rewriter.replace(op, &[result]);
    Ok(())
}

fn shuffle<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [a, b] = *operands else { return Err("it has two operands".into()) };
    let mask: Option<Vec<i32>> =
        mask(op).and_then(|mask| mask.into_iter().map(|lane| i32::try_from(lane).ok()).collect());
    let mask = mask.ok_or("it has no mask of lanes")?;
    let type_ = machine(rewriter, op.result_type())?;
    let result = shuffled(&Llvm::before(rewriter, op), [a, b], &mask, type_);
    rewriter.replace(op, &[result]);
    Ok(())
}

/// The lanes of a vector from the first to the last, folded.
fn chain<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    vector: Value<'c, 'a>,
    (lanes, type_): (u64, Type<'c>),
    f: impl Fn(Value<'c, 'a>, Value<'c, 'a>) -> Value<'c, 'a>,
) -> Value<'c, 'a> {
    let lane = |index: u64| {
        let index = llvm.integer(llvm.int(64), index as i64);
        llvm.op("llvm.extractelement", &[vector, index], type_)
    };
    (1..lanes).fold(lane(0), |so_far, index| f(so_far, lane(index)))
}

fn reduce_add<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [vector] = *operands else { return Err("it has one operand".into()) };
    let (scalar, type_) = (lane(op.result_type())?, machine(rewriter, op.result_type())?);
    let lanes = vector_lanes(op.value(0).r#type()).ok_or("it reduces a vector")?;
    let llvm = Llvm::before(rewriter, op);
    let result = match scalar {
        ScalarType::Int { .. } => llvm.op("llvm.intr.vector.reduce.add", &[vector], type_),
        scalar => chain(&llvm, vector, (lanes, type_), |so_far, next| {
            floats::arith(&llvm, scalar, FloatArith::Add, so_far, next, fast(op))
        }),
    };
    rewriter.replace(op, &[result]);
    Ok(())
}

#[derive(Clone, Copy)]
enum Extremum {
    Min,
    Max,
}

fn extremum<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    wanted: Extremum,
) -> Lowered {
    let [vector] = *operands else { return Err("it has one operand".into()) };
    let type_ = machine(rewriter, op.result_type())?;
    let lanes = vector_lanes(op.value(0).r#type()).ok_or("it reduces a vector")?;
    let llvm = Llvm::before(rewriter, op);
    let result = match (lane(op.result_type())?, wanted) {
        // Of integers any order finds the same one.
        (ScalarType::Int { signed: true, .. }, Extremum::Min) => {
            llvm.op("llvm.intr.vector.reduce.smin", &[vector], type_)
        }
        (ScalarType::Int { signed: true, .. }, Extremum::Max) => {
            llvm.op("llvm.intr.vector.reduce.smax", &[vector], type_)
        }
        (ScalarType::Int { .. }, Extremum::Min) => llvm.op("llvm.intr.vector.reduce.umin", &[vector], type_),
        (ScalarType::Int { .. }, Extremum::Max) => llvm.op("llvm.intr.vector.reduce.umax", &[vector], type_),
        (_, wanted) => {
            let better = if matches!(wanted, Extremum::Min) { FCmp::Olt } else { FCmp::Ogt };
            chain(&llvm, vector, (lanes, type_), |so_far, next| {
                llvm.select(llvm.fcmp(better, next, so_far), next, so_far)
            })
        }
    };
    rewriter.replace(op, &[result]);
    Ok(())
}
