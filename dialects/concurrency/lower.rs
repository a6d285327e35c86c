//! The concurrency operations in the LLVM dialect: calls of the functions of `sync.mlir`, which a module gets those of
//! that it needs, and pthreads.
//!
//! A thread's arguments travel in its record, which its own entry function `ppy.thread.<function>` reads.

use crate::dialects::core::lower::Lowered;
use crate::dialects::core::lower_calls::{atoms, native_type};
use crate::dialects::core::lower_target::Target;
use crate::dialects::core::lower_types as types;
use crate::interp::FALLBACK;
use crate::mlir::{
    builder,
    conversion::{ConversionPatterns, ConversionRewriter, Refusal},
    llvm_ops::{ICmp, Llvm, block_argument},
    op::{Op, OpExt, operations},
    parse,
};
use melior::ir::{Type, Value, ValueLike, attribute::FlatSymbolRefAttribute};
use smallvec::SmallVec;

/// Adds the lowering of every concurrency operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_concurrency.spawn", spawn);
    patterns.add("ppy_concurrency.join", |op, v, r| call(op, v, r, "ppy.thread_join"));
    patterns.add("ppy_concurrency.mutex_lock", |op, v, r| call(op, v, r, "ppy.mutex_lock"));
    patterns.add("ppy_concurrency.mutex_unlock", |op, v, r| call(op, v, r, "ppy.mutex_unlock"));
    patterns.add("ppy_concurrency.condition_wait", |op, v, r| call(op, v, r, "ppy.condition_wait"));
    patterns.add("ppy_concurrency.condition_notify", |op, v, r| call(op, v, r, "ppy.condition_notify"));
    patterns.add("ppy_concurrency.barrier", |op, v, r| call(op, v, r, "ppy.barrier"));
    patterns.add("ppy_concurrency.thread_id", |op, v, r| call(op, v, r, "pthread_self"));
}

const SYNC: &str = include_str!("sync.mlir");

/// The bytes of a thread's record before its arguments: the pthread, the status, whether it was started.
const HEAD: u64 = 16;

/// Puts a function of `sync.mlir` into the module, with those it calls; what has no body there is C's.
fn provide<'c, 'a>(op: Op<'c, 'a>, rewriter: &ConversionRewriter<'c, 'a>, name: &str) -> Lowered {
    let target = Target::of(op);
    target.threads()?;
    let llvm = Llvm::before(rewriter, op);
    let text = SYNC.replace("// pause", target.pause());
    let source = parse::module(llvm.context(), text.as_bytes(), "sync.mlir").ok_or("its functions do not parse")?;
    let functions: Vec<Op> = source.as_operation().blocks(0).into_iter().flat_map(operations).collect();
    let module = op.ancestor("builtin.module").ok_or("it is in no module")?;
    let first = module.blocks(0).first().copied().ok_or("its module is empty")?;
    let mut pending = vec![name.to_owned()];
    while let Some(name) = pending.pop() {
        let function = functions.iter().find(|f| f.str_attribute("sym_name") == Some(&name));
        let function = *function.ok_or_else(|| format!("there is no function {name} to call"))?;
        let type_ = function.type_attribute("function_type").ok_or("a function has no type")?;
        let mut new = false;
        let fits = rewriter.symbols().declare(&name, type_, || {
            rewriter.set_insertion_point_to_start(first);
            rewriter.insert(builder::clone(function));
            new = true;
        });
        if !fits {
            return Err(format!(
                "it needs @{name} of type {type_}, and the module has another @{name}: rename that one"
            ));
        }
        for block in function.blocks(0).into_iter().filter(|_| new) {
            let called = operations(block).filter_map(|op| op.symbol_attribute("callee"));
            pending.extend(called.map(str::to_owned));
        }
    }
    Ok(())
}

/// The function type of a call with these values.
fn type_of<'c>(llvm: &Llvm<'_, 'c, '_>, values: &[Value<'c, '_>], result: Option<Type<'c>>) -> Type<'c> {
    let inputs: SmallVec<[Type; 4]> = values.iter().map(|value| value.r#type()).collect();
    llvm.function(result, &inputs)
}

fn call<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
    name: &str,
) -> Lowered {
    provide(op, rewriter, name)?;
    let llvm = Llvm::before(rewriter, op);
    let result = (op.result_len() == 1).then(|| llvm.int(64));
    match llvm.call(type_of(&llvm, operands, result), name, operands) {
        Some(answer) => rewriter.replace(op, &[answer]),
        None => rewriter.erase(op),
    }
    Ok(())
}

fn spawn<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let callee = op.symbol_attribute("callee").ok_or("it has no callee")?;
    let callee = rewriter.symbols().linked(callee).to_owned();
    provide(op, rewriter, "ppy.thread_start")?;
    provide(op, rewriter, "malloc")?;
    let inputs: SmallVec<[Type; 4]> = (0..op.operand_len()).map(|i| op.value(i).r#type()).collect();
    let (fields, size) = record(&inputs)?;
    let entry = entry(op, rewriter, &callee, &inputs, &fields)?;
    let llvm = Llvm::before(rewriter, op);
    let size = llvm.integer(llvm.int(64), size as i64);
    let record = llvm.call(llvm.function(Some(llvm.ptr()), &[llvm.int(64)]), "malloc", &[size]);
    let record = record.ok_or("malloc gives memory")?;
    llvm.fail_if(llvm.icmp(ICmp::Eq, record, llvm.zero(llvm.ptr())), true, FALLBACK);
    for ((index, leaf), offset) in atoms(&inputs)?.iter().zip(&fields) {
        let value = operands.get(*index).ok_or("an operand is missing")?;
        let stored = types::to_memory(&llvm, leaf.type_, types::part(&llvm, *value, leaf))?;
        llvm.store(stored, llvm.field(record, *offset), types::memory_align(leaf.type_));
    }
    let symbol = FlatSymbolRefAttribute::new(llvm.context(), &entry).into();
    let entry = llvm.op_with("llvm.mlir.addressof", &[], Some(llvm.ptr()), &[("global_name", symbol)]).result_value();
    let values = [record, entry];
    let handle = llvm.call(type_of(&llvm, &values, Some(llvm.int(64))), "ppy.thread_start", &values);
    rewriter.replace(op, &[handle.ok_or("a thread has a handle")?]);
    Ok(())
}

/// Where the atoms of a thread's arguments are in its record, and its size.
fn record(inputs: &[Type]) -> Result<(Vec<u64>, u64), Refusal> {
    let mut end = HEAD;
    let mut fields = Vec::new();
    for (_, leaf) in atoms(inputs)? {
        let layout = types::layout_of(leaf.type_)?;
        let at = end.next_multiple_of(layout.align.max(1));
        fields.push(at);
        end = at + layout.size;
    }
    Ok((fields, end))
}

/// The function that a thread begins with: it calls `callee` with what the record holds and leaves the status there.
fn entry<'c, 'a>(
    op: Op<'c, 'a>,
    rewriter: &ConversionRewriter<'c, 'a>,
    callee: &str,
    inputs: &[Type<'c>],
    fields: &[u64],
) -> Result<String, Refusal> {
    let name = format!("ppy.thread.{callee}");
    let llvm = Llvm::before(rewriter, op);
    let module = op.ancestor("builtin.module").ok_or("it is in no module")?;
    let first = module.blocks(0).first().copied().ok_or("its module is empty")?;
    let native = native_type(&llvm, inputs, &[])?;
    let type_ = llvm.function(Some(llvm.ptr()), &[llvm.ptr()]);
    let mut built = Ok(());
    let fits = rewriter.symbols().declare(&name, type_, || {
        rewriter.set_insertion_point_to_start(first);
        let function = llvm.func(&name, type_, true);
        built = fill(&llvm, function, callee, native, inputs, fields);
    });
    built?;
    match fits {
        true => Ok(name),
        false => Err(format!("its thread begins with @{name}, and the module has another one: rename that")),
    }
}

fn fill<'c, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    function: Op<'c, 'a>,
    callee: &str,
    native: Type<'c>,
    inputs: &[Type<'c>],
    fields: &[u64],
) -> Lowered {
    let block = llvm.block(function, None, &[llvm.ptr()]);
    let record = block_argument(block, 0).ok_or("the entry has no record")?;
    let mut values: SmallVec<[Value; 8]> = SmallVec::new();
    for ((_, leaf), offset) in atoms(inputs)?.iter().zip(fields) {
        let stored = types::memory_type(llvm, leaf.type_)?;
        values.push(llvm.load(stored, llvm.field(record, *offset), types::memory_align(leaf.type_)));
    }
    values.push(llvm.stack(block, llvm.int(64), 1, 8));
    let status = llvm.call(native, callee, &values).ok_or("a native function answers a status")?;
    llvm.store(status, llvm.field(record, 8), 4);
    llvm.ret(Some(llvm.zero(llvm.ptr())));
    Ok(())
}
