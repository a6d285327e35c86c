//! The parallel operations in the LLVM dialect, where `lower-parallel` has not made calls of them: the whole range is
//! one part.

use crate::dialects::core::lower::Lowered;
use crate::dialects::core::lower_calls::{Target, atoms, native_call, native_type};
use crate::dialects::core::lower_types::{self as types, Leaf};
use crate::dialects::core::type_views::PtrType;
use crate::interp::FALLBACK;
use crate::mlir::{
    conversion::{ConversionPatterns, ConversionRewriter, Refusal},
    llvm_ops::{Arith, ICmp, Inside, Llvm, block_argument},
    op::{Op, OpExt},
};
use melior::ir::{BlockRef, Type, Value, ValueLike};
use smallvec::SmallVec;

/// Adds the lowering of every parallel operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_parallel.for", whole);
    patterns.add("ppy_parallel.reduce", whole);
    patterns.add("ppy_parallel.map", map);
}

/// One call with all operands, which are the body's arguments.
fn whole<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let callee = op.symbol_attribute("callee").ok_or("it has no body")?;
    native_call(op, Target::Named(callee), 0, operands, false, rewriter)
}

/// A call of a function that loops over the range; a pattern makes no blocks in the function that it is in.
fn map<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let callee = op.symbol_attribute("callee").ok_or("it has no body")?;
    let llvm = Llvm::before(rewriter, op);
    let inputs: SmallVec<[Type; 4]> = (0..op.operand_len()).map(|i| op.value(i).r#type()).collect();
    let passed = atoms(&inputs)?;
    let loop_ = Loop::new(&llvm, rewriter.symbols().linked(callee), &inputs, &passed)?;
    let module = op.ancestor("builtin.module").ok_or("it is in no module")?;
    let first = module.blocks(0).first().copied().ok_or("its module is empty")?;
    let name = format!("ppy.map.{}", loop_.callee);
    let mut built = Ok(());
    let fits = rewriter.symbols().declare(&name, loop_.type_, || {
        rewriter.set_insertion_point_to_start(first);
        built = loop_.build(&llvm, llvm.func(&name, loop_.type_, true));
    });
    built?;
    if !fits {
        return Err(format!("it needs a function @{name}, and the module has another one: rename that"));
    }
    let llvm = Llvm::before(rewriter, op);
    let mut values: SmallVec<[Value; 8]> = SmallVec::new();
    for (index, leaf) in &passed {
        let value = operands.get(*index).ok_or("an operand is missing")?;
        values.push(types::to_memory(&llvm, leaf.type_, types::part(&llvm, *value, leaf))?);
    }
    let status = llvm.call(loop_.type_, &name, &values).ok_or("a map answers a status")?;
    llvm.fail_if(llvm.icmp(ICmp::Eq, status, llvm.integer(llvm.int(32), 0)), false, FALLBACK);
    rewriter.erase(op);
    Ok(())
}

/// The function `i32 (captures..., begin, end, out)` of a map.
struct Loop<'c> {
    callee: String,
    type_: Type<'c>,
    parameters: Vec<Type<'c>>,
    native: Type<'c>,
    /// What the body gives.
    element: Type<'c>,
    /// Machine values of the captures.
    captures: usize,
}

impl<'c> Loop<'c> {
    fn new(
        llvm: &Llvm<'_, 'c, '_>,
        callee: &str,
        inputs: &[Type<'c>],
        passed: &[(usize, Leaf<'c>)],
    ) -> Result<Loop<'c>, Refusal> {
        let out = inputs.last().copied().and_then(PtrType::cast).ok_or("it has no pointer to store through")?;
        let bodys = inputs.len().checked_sub(2).and_then(|n| inputs.get(..n)).ok_or("it has no range")?;
        let machine =
            passed.iter().map(|(_, leaf)| types::memory_type(llvm, leaf.type_)).collect::<Result<Vec<_>, _>>()?;
        Ok(Loop {
            callee: callee.to_owned(),
            type_: llvm.function(Some(llvm.int(32)), &machine),
            parameters: machine,
            native: native_type(llvm, bodys, &[out.pointee()])?,
            element: out.pointee(),
            captures: passed.len().checked_sub(3).ok_or("it has no range")?,
        })
    }

    fn build<'a>(&self, llvm: &Llvm<'_, 'c, 'a>, function: Op<'c, 'a>) -> Lowered
    where
        'c: 'a,
    {
        let (word, status) = (llvm.int(64), llvm.int(32));
        let mut machine: Vec<Type> = Vec::new();
        for (_, leaf) in atoms(&[self.element])? {
            machine.push(types::memory_type(llvm, leaf.type_)?);
        }
        let entry = llvm.block(function, None, &self.parameters);
        let argument = |block: BlockRef<'c, 'a>, index: usize| block_argument(block, index).ok_or("no argument");
        let (begin, end, out) =
            (argument(entry, self.captures)?, argument(entry, self.captures + 1)?, argument(entry, self.captures + 2)?);
        let leaves = types::leaves(self.element)?;
        let slots: Vec<Value> = leaves
            .iter()
            .zip(&machine)
            .map(|(leaf, type_)| llvm.stack(entry, *type_, 1, types::memory_align(leaf.type_)))
            .collect();
        let head = llvm.block(function, None, &[word]);
        let body = llvm.block(function, None, &[]);
        let store = llvm.block(function, None, &[]);
        let done = llvm.block(function, None, &[status]);
        llvm.ret(Some(argument(done, 0)?));
        let at = |block: BlockRef<'c, 'a>| llvm.rewriter().set_insertion_point_to_end(block);

        at(entry);
        llvm.br(head, &[begin]);
        at(head);
        let number = argument(head, 0)?;
        let zero = llvm.integer(status, 0);
        llvm.cond_br(llvm.icmp(ICmp::Slt, number, end), (body, &[]), (done, &[zero]));
        at(body);
        let mut values = (0..self.captures).map(|i| argument(entry, i)).collect::<Result<Vec<_>, _>>()?;
        values.push(number);
        values.extend(&slots);
        let answer = llvm.call(self.native, &self.callee, &values).ok_or("a native function answers a status")?;
        let ok = llvm.icmp(ICmp::Eq, answer, llvm.integer(status, 0));
        let failed = llvm.integer(status, FALLBACK.into());
        llvm.cond_br(ok, (store, &[]), (done, &[failed]));
        at(store);
        let parts: Vec<Value> = leaves
            .iter()
            .zip(slots.iter().zip(&machine))
            .map(|(leaf, (slot, type_))| {
                let stored = llvm.load(*type_, *slot, types::memory_align(leaf.type_));
                types::from_memory(llvm, leaf.type_, stored)
            })
            .collect();
        let value = types::assemble(llvm, self.element, &leaves, &parts)?;
        let size = i64::try_from(types::layout_of(self.element)?.size).map_err(|_| "its elements are too large")?;
        let offset = llvm.arith(Arith::Mul, number, llvm.integer(word, size));
        types::store_value(llvm, self.element, value, llvm.offset(llvm.int(8), out, offset, Inside::Unknown))?;
        llvm.br(head, &[llvm.arith(Arith::Add, number, llvm.integer(word, 1))]);
        Ok(())
    }
}
