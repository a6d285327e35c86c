//! The atomic operations in the LLVM dialect: the instruction of exactly that order, `relaxed` being LLVM's monotonic.
//!
//! A float is accessed as the integer of its bits, which every target has instructions for.

use super::enums::Order;
use crate::dialects::core::lower::Lowered;
use crate::dialects::core::lower_types as types;
use crate::mlir::{
    attribute::i64_attribute,
    conversion::{ConversionPatterns, ConversionRewriter, Refusal},
    llvm_ops::Llvm,
    op::{Op, OpExt, ScalarType, scalar_type},
};
use melior::ir::{Attribute, Type, Value, ValueLike};

/// Adds the lowering of every atomic operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_atomic.load", load);
    patterns.add("ppy_atomic.store", store);
    patterns.add("ppy_atomic.exchange", |op, v, r| modify(op, v, r, BinaryOp::Xchg));
    patterns.add("ppy_atomic.fetch_add", |op, v, r| modify(op, v, r, BinaryOp::Add));
    patterns.add("ppy_atomic.fetch_sub", |op, v, r| modify(op, v, r, BinaryOp::Sub));
    patterns.add("ppy_atomic.fetch_and", |op, v, r| modify(op, v, r, BinaryOp::And));
    patterns.add("ppy_atomic.fetch_or", |op, v, r| modify(op, v, r, BinaryOp::Or));
    patterns.add("ppy_atomic.fetch_xor", |op, v, r| modify(op, v, r, BinaryOp::Xor));
    patterns.add("ppy_atomic.compare_exchange", compare_exchange);
    patterns.add("ppy_atomic.fence", fence);
}

/// Read-modify-writes, by the LLVM dialect's numbers.
#[derive(Clone, Copy)]
enum BinaryOp {
    Xchg = 0,
    Add = 1,
    Sub = 2,
    And = 3,
    Or = 5,
    Xor = 6,
}

/// An order as the LLVM dialect numbers it.
fn ordering<'c>(op: Op<'c, '_>, name: &str) -> Result<Attribute<'c>, Refusal> {
    let order = op.int_attribute(name).and_then(Order::from_number).ok_or_else(|| format!("it has no {name}"))?;
    let number = match order {
        Order::Relaxed => 2,
        Order::Acquire => 4,
        Order::Release => 5,
        Order::AcqRel => 6,
        Order::SeqCst => 7,
    };
    Ok(i64_attribute(op.context_ref(), number))
}

/// A number in memory: its type as a value, and the integer it is accessed as.
struct Number<'c> {
    value: Type<'c>,
    bits: Type<'c>,
    align: Attribute<'c>,
}

impl<'c> Number<'c> {
    fn of(llvm: &Llvm<'_, 'c, '_>, type_: Type<'c>) -> Result<Number<'c>, Refusal> {
        let value = types::memory_type(llvm, type_)?;
        let bits = match scalar_type(type_) {
            Some(ScalarType::Int { width, .. }) => llvm.int(width),
            Some(ScalarType::F16 | ScalarType::Bf16) => llvm.int(16),
            Some(ScalarType::F32) => llvm.int(32),
            Some(ScalarType::F64) => llvm.int(64),
            _ => return Err(format!("{type_} is no number")),
        };
        Ok(Number { value, bits, align: i64_attribute(llvm.context(), types::memory_align(type_).into()) })
    }

    fn to_bits<'a>(&self, llvm: &Llvm<'_, 'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a>
    where
        'c: 'a,
    {
        if value.r#type() == self.bits { value } else { llvm.op("llvm.bitcast", &[value], self.bits) }
    }

    fn value_of<'a>(&self, llvm: &Llvm<'_, 'c, 'a>, bits: Value<'c, 'a>) -> Value<'c, 'a>
    where
        'c: 'a,
    {
        if self.value == self.bits { bits } else { llvm.op("llvm.bitcast", &[bits], self.value) }
    }
}

fn load<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [pointer] = *operands else { return Err("it has one operand".into()) };
    let llvm = Llvm::before(rewriter, op);
    let number = Number::of(&llvm, op.result_type())?;
    let attributes = [("alignment", number.align), ("ordering", ordering(op, "order")?)];
    let bits = llvm.op_with("llvm.load", &[pointer], Some(number.bits), &attributes).result_value();
    rewriter.replace(op, &[number.value_of(&llvm, bits)]);
    Ok(())
}

fn store<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let [value, pointer] = *operands else { return Err("it has two operands".into()) };
    let llvm = Llvm::before(rewriter, op);
    let number = Number::of(&llvm, op.value(0).r#type())?;
    let attributes = [("alignment", number.align), ("ordering", ordering(op, "order")?)];
    llvm.op_with("llvm.store", &[number.to_bits(&llvm, value), pointer], None, &attributes);
    rewriter.erase(op);
    Ok(())
}

fn modify<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    operation: BinaryOp,
) -> Lowered {
    let [pointer, value] = *operands else { return Err("it has two operands".into()) };
    let llvm = Llvm::before(rewriter, op);
    let number = Number::of(&llvm, op.result_type())?;
    let value = number.to_bits(&llvm, value);
    let attributes = [
        ("bin_op", i64_attribute(llvm.context(), operation as i64)),
        ("ordering", ordering(op, "order")?),
        ("alignment", number.align),
    ];
    let old = llvm.op_with("llvm.atomicrmw", &[pointer, value], Some(number.bits), &attributes).result_value();
    rewriter.replace(op, &[number.value_of(&llvm, old)]);
    Ok(())
}

fn compare_exchange<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
) -> Lowered {
    let [pointer, expected, desired] = *operands else { return Err("it has three operands".into()) };
    let llvm = Llvm::before(rewriter, op);
    let number = Number::of(&llvm, op.result_type())?;
    let (expected, desired) = (number.to_bits(&llvm, expected), number.to_bits(&llvm, desired));
    let attributes = [
        ("success_ordering", ordering(op, "success")?),
        ("failure_ordering", ordering(op, "failure")?),
        ("alignment", number.align),
    ];
    let pair = llvm.struct_of(&[number.bits, llvm.int(1)]);
    let pair = llvm.op_with("llvm.cmpxchg", &[pointer, expected, desired], Some(pair), &attributes).result_value();
    let found = number.value_of(&llvm, llvm.extract(pair, &[0]));
    rewriter.replace(op, &[found, llvm.extract(pair, &[1])]);
    Ok(())
}

fn fence<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let llvm = Llvm::before(rewriter, op);
    llvm.op_with("llvm.fence", &[], None, &[("ordering", ordering(op, "order")?)]);
    rewriter.erase(op);
    Ok(())
}
