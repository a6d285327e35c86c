//! Functions, globals and calls of the core dialect in the LLVM dialect: the native ABI.
//!
//! A function is `i32 SYMBOL(atoms..., one pointer per result atom)`; its symbol is `ppy.symbol` where it has one. It
//! answers 0 and writes its result slots, or another status and writes none. Without results it still takes one slot,
//! and writes an `i64` 0 there.

use super::{
    flow::{holds_pointer, sources},
    lower::{FAST, Lowered, NO_FUNCTION},
    lower_profile,
    lower_types::{self as types, Leaf},
    memory::{Access, access, longest_buffer},
    ops::{CallExternOp, CallIndirectOp, CallIntrinsicOp, CallOp, CastOp},
};
use crate::{
    interp::FALLBACK,
    mlir::{
        attribute::{bytes_attribute, integer_attribute, integer_bits, is_null_attribute, strings},
        attribute_view::{AttributeView, view},
        conversion::{ConversionPatterns, ConversionRewriter, Refusal},
        llvm_ops::{Arith, ICmp, Llvm, block_argument, entry_block, name_argument, set_argument_attribute},
        op::{Op, OpExt, ScalarType, ValueExt, scalar_type},
    },
    passes::functions::walk,
    ppyir::location::name_of,
};
use melior::ir::{
    Attribute, BlockLike, Type, Value, ValueLike, attribute::FlatSymbolRefAttribute, r#type::FunctionType,
};
use smallvec::SmallVec;

pub(super) fn add(patterns: &mut ConversionPatterns) {
    patterns.add("ppy_core.func", func);
    patterns.add("ppy_core.global", global);
    patterns.add("ppy_core.ret", ret);
    patterns.add("ppy_core.call", call);
    patterns.add("ppy_core.call_indirect", call_indirect);
    patterns.add("ppy_core.call_extern", call_extern);
    patterns.add("ppy_core.call_intrinsic", call_intrinsic);
}

// ---------------------------------------------------------------- signatures

/// The atoms of a list of types, with the type's position in the list.
pub fn atoms<'c>(types_: &[Type<'c>]) -> Result<Vec<(usize, Leaf<'c>)>, Refusal> {
    let mut list = Vec::with_capacity(types_.len());
    for (index, type_) in types_.iter().enumerate() {
        list.extend(types::leaves(*type_)?.into_iter().map(|leaf| (index, leaf)));
    }
    Ok(list)
}

/// The LLVM function type of a ppy signature.
pub fn native_type<'c>(
    llvm: &Llvm<'_, 'c, '_>,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
) -> Result<Type<'c>, Refusal> {
    let mut list =
        atoms(inputs)?.iter().map(|(_, leaf)| types::memory_type(llvm, leaf.type_)).collect::<Result<Vec<_>, _>>()?;
    let slots = atoms(results)?.len().max(1);
    list.extend(std::iter::repeat_n(llvm.ptr(), slots));
    Ok(llvm.function(Some(llvm.int(32)), &list))
}

// ---------------------------------------------------------------- functions

fn func<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let name = op.str_attribute("sym_name").ok_or("it has no name")?;
    let type_ = op.type_attribute("function_type").and_then(|t| FunctionType::try_from(t).ok());
    let type_ = type_.ok_or("it has no function type")?;
    let text = |name: &str| match op.discardable(name).map(view) {
        Some(AttributeView::Str(text)) => Some(text),
        _ => None,
    };
    let flag =
        |name: &str| matches!(op.discardable(name).map(view), Some(AttributeView::Bool(true) | AttributeView::Unit));
    if let Some(abi) = text("ppy.abi").filter(|abi| !matches!(*abi, "ppy" | "canonical")) {
        return Err(format!("its ABI \"{abi}\" needs the lowering of the dialect it belongs to"));
    }
    let inputs: Vec<Type> = (0..type_.input_count()).filter_map(|i| type_.input(i).ok()).collect();
    let results: Vec<Type> = (0..type_.result_count()).filter_map(|i| type_.result(i).ok()).collect();
    let llvm = Llvm::before(rewriter, op);
    let (params, slots) = (atoms(&inputs)?, atoms(&results)?);
    let native = native_type(&llvm, &inputs, &results)?;
    let blocks = op.blocks(0);
    let private = op.str_attribute("sym_visibility") == Some("private");
    let symbol = rewriter.symbols().linked(name);
    let new = llvm.func(symbol, native, private && !blocks.is_empty());
    let unit = Attribute::unit(llvm.context());
    if flag("ppy.noinline") {
        new.set("no_inline", unit);
    } else if flag("ppy.inline") {
        new.set("inline_hint", unit);
    }
    lower_profile::function(op, new);
    if let Some(features) = target_features(op) {
        new.set("target_features", features);
    }
    parameter_attributes(op, new, &params, unit);
    if rewriter.symbols().lengths_fit {
        length_ranges(new, &inputs, &params);
    }
    for slot in 0..slots.len().max(1) {
        for name in ["llvm.noalias", "llvm.nocapture", "llvm.nonnull", "llvm.writeonly"] {
            set_argument_attribute(new, params.len() + slot, name, unit);
        }
    }
    if let Some(export) = text("ppy.export") {
        export_function(&llvm, export, symbol, (&inputs, &results), native)?;
    }
    if let Some(first) = blocks.first() {
        if flag("fastmath") {
            new.set(FAST, unit);
        }
        let names: Vec<Option<&str>> = (0..inputs.len())
            .map(|index| block_argument(*first, index).and_then(|argument| name_of(argument.argument_location()?)))
            .collect();
        llvm.move_body(op, new);
        if !rewriter.convert_region_types(new, 0) {
            return Err("a block argument has no value at the machine".into());
        }
        // The conversion may have replaced the block.
        let body = new.blocks(0).first().copied().unwrap_or(*first);
        let parameter_types = (0..params.len() + slots.len().max(1))
            .map(|i| match params.get(i) {
                Some((_, leaf)) => types::memory_type(&llvm, leaf.type_),
                None => Ok(llvm.ptr()),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let entry = llvm.block(new, Some(body), &parameter_types);
        for (position, name) in parameter_names(&names, &params, &slots).into_iter().enumerate() {
            if let (Some(argument), Some(name)) = (block_argument(entry, position), name) {
                name_argument(argument, &name);
            }
        }
        let mut values: Vec<SmallVec<[Value; 2]>> = vec![SmallVec::new(); inputs.len()];
        for (position, (index, leaf)) in params.iter().enumerate() {
            let stored = block_argument(entry, position).ok_or("a parameter is missing")?;
            values[*index].push(types::from_memory(&llvm, leaf.type_, stored));
        }
        let mut arguments = Vec::with_capacity(inputs.len());
        for (type_, parts) in inputs.iter().zip(&values) {
            arguments.push(types::assemble(&llvm, *type_, &types::leaves(*type_)?, parts)?);
        }
        llvm.br(body, &arguments);
    }
    rewriter.erase(op);
    Ok(())
}

/// What the parameters and the result slots are called: as the values that they are parts of, numbered where several
/// are of one.
fn parameter_names(names: &[Option<&str>], params: &[(usize, Leaf)], slots: &[(usize, Leaf)]) -> Vec<Option<String>> {
    let numbered = |base: &str, part: usize, parts: usize| match parts {
        1 => base.to_owned(),
        _ => format!("{base}.{part}"),
    };
    let parameters = params.iter().enumerate().map(|(position, (index, _))| {
        let first = params.partition_point(|(other, _)| other < index);
        let parts = params.partition_point(|(other, _)| other <= index) - first;
        names.get(*index).copied().flatten().map(|name| numbered(name, position - first, parts))
    });
    let slots = (0..slots.len().max(1)).map(|slot| Some(numbered("result", slot, slots.len().max(1))));
    parameters.chain(slots).collect()
}

/// The processor features that the function is compiled for, as LLVM's dialect has them.
fn target_features<'c>(op: Op<'c, '_>) -> Option<Attribute<'c>> {
    let features = strings(op.discardable("cpu.features")?);
    let features: Vec<String> = features.iter().map(|feature| format!("\"+{feature}\"")).collect();
    let text = format!("#llvm.target_features<[{}]>", features.join(", "));
    (!features.is_empty()).then(|| Attribute::parse(op.context_ref(), &text)).flatten()
}

/// `noalias` where the parameter says so or is the copy of a list, `nocapture` where it is lent and handed to nothing
/// that may keep it, `readonly` where the function writes nothing.
fn parameter_attributes<'c: 'a, 'a>(
    op: Op<'c, 'a>,
    new: Op<'c, 'a>,
    params: &[(usize, Leaf<'c>)],
    unit: Attribute<'c>,
) {
    let list = match op.inherent("arg_attrs").map(view) {
        Some(AttributeView::Array(list)) => list,
        _ => Vec::new(),
    };
    let reads_only = op.inherent("effects").is_some_and(|effects| {
        strings(effects).iter().all(|effect| matches!(*effect, "may_raise" | "read_memory" | "pure"))
    });
    let mut passed_on: Option<Vec<usize>> = None;
    for (position, (index, leaf)) in params.iter().enumerate() {
        if super::type_views::PtrType::cast(leaf.type_).is_none() {
            continue;
        }
        if reads_only {
            set_argument_attribute(new, position, "llvm.readonly", unit);
        }
        let Some(AttributeView::Dict(entries)) = list.get(*index).map(|a| view(*a)) else { continue };
        let has = |wanted: &str, word: &str| {
            entries
                .iter()
                .any(|(name, value)| *name == wanted && matches!(view(*value), AttributeView::Str(t) if t == word))
        };
        let noalias = entries.iter().any(|(name, value)| {
            *name == "ppy_core.noalias" && matches!(view(*value), AttributeView::Bool(true) | AttributeView::Unit)
        });
        let copied = has("ppy_core.ownership", "owned") && has("ppy.kind", "list");
        if noalias || copied {
            set_argument_attribute(new, position, "llvm.noalias", unit);
        }
        let lent = has("ppy_core.ownership", "borrowed") || has("ppy_core.ownership", "mut");
        if lent && !passed_on.get_or_insert_with(|| parameters_passed_on(op)).contains(index) {
            set_argument_attribute(new, position, "llvm.nocapture", unit);
        }
    }
}

/// The parameters whose addresses a function hands to calls and to operations of which nothing is known, or makes
/// numbers of.
fn parameters_passed_on<'c: 'a, 'a>(function: Op<'c, 'a>) -> Vec<usize> {
    let Some(entry) = function.blocks(0).first().copied() else { return Vec::new() };
    let mut found = Vec::new();
    walk(function, &mut |op| {
        let passes = match op.op_name() {
            CallOp::NAME | CallExternOp::NAME | CallIndirectOp::NAME => true,
            CallIntrinsicOp::NAME => !matches!(access(op), Access::None),
            CastOp::NAME => !holds_pointer(op.result_type()),
            name => !name.starts_with("ppy_core."),
        };
        for source in op.all_operands().iter().filter(|_| passes).flat_map(|value| sources(*value)) {
            found.extend(source.block_argument().filter(|(block, _)| *block == entry).map(|(_, index)| index));
        }
    });
    found
}

/// The length of a buffer of the caller's is not negative, and its elements are in memory: LLVM makes one comparison of
/// the two of a guarded index.
fn length_ranges<'c>(new: Op<'c, '_>, inputs: &[Type<'c>], params: &[(usize, Leaf<'c>)]) {
    let lengths = params.iter().enumerate().filter_map(|(position, (index, leaf))| {
        let buffer =
            inputs.get(*index).copied().filter(|input| super::type_views::BufferType::cast(*input).is_some())?;
        super::type_views::PtrType::cast(leaf.type_).is_none().then_some((position, buffer))
    });
    for (position, buffer) in lengths {
        let end = longest_buffer(buffer).map_or(i64::MIN, |most| most + 1);
        let range = format!("#llvm.constant_range<i64, 0, {end}>");
        if let Some(range) = Attribute::parse(new.context_ref(), &range) {
            set_argument_attribute(new, position, "llvm.range", range);
        }
    }
}

/// The C function of an exported one: its values in, its result out, a trap where there is no answer.
fn export_function<'c: 'a, 'a>(
    llvm: &Llvm<'_, 'c, 'a>,
    name: &str,
    symbol: &str,
    (inputs, results): (&[Type<'c>], &[Type<'c>]),
    native: Type<'c>,
) -> Lowered {
    let (params, slots) = (atoms(inputs)?, atoms(results)?);
    if slots.len() > 1 {
        return Err(format!("it is exported as \"{name}\" and gives {} values; C returns one", slots.len()));
    }
    let mut types_ =
        params.iter().map(|(_, leaf)| types::memory_type(llvm, leaf.type_)).collect::<Result<Vec<_>, _>>()?;
    let result = slots.first().map(|(_, leaf)| types::memory_type(llvm, leaf.type_)).transpose()?;
    let new = llvm.func(name, llvm.function(result, &types_), false);
    let entry = llvm.block(new, None, &types_);
    let align = slots.first().map_or(8, |(_, leaf)| types::memory_align(leaf.type_));
    let slot = llvm.stack(entry, result.unwrap_or_else(|| llvm.int(64)), 1, align);
    let mut values = (0..types_.len()).filter_map(|i| block_argument(entry, i)).collect::<Vec<_>>();
    values.push(slot);
    let status = llvm.call(native, symbol, &values).ok_or("a native function answers a status")?;
    let ok = llvm.icmp(ICmp::Eq, status, llvm.integer(llvm.int(32), 0));
    types_.clear();
    let done = llvm.block(new, None, &[]);
    llvm.ret(result.map(|type_| llvm.load(type_, slot, align)));
    let trap = llvm.block(new, None, &[]);
    llvm.op_with("llvm.intr.trap", &[], None, &[]);
    llvm.op_with("llvm.unreachable", &[], None, &[]);
    llvm.rewriter().set_insertion_point_to_end(entry);
    llvm.cond_br(ok, (done, &[]), (trap, &[]));
    llvm.rewriter().set_insertion_point_after(new);
    Ok(())
}

fn ret<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let entry = entry_block(op).ok_or(NO_FUNCTION)?;
    let llvm = Llvm::before(rewriter, op);
    let declared: SmallVec<[Type; 4]> = (0..op.operand_len()).map(|i| op.value(i).r#type()).collect();
    let slots = atoms(&declared)?;
    let first = entry.argument_count().checked_sub(slots.len().max(1)).ok_or("the function has too few slots")?;
    let slot = |i: usize| block_argument(entry, first + i).ok_or("a result slot is missing");
    for (position, (index, leaf)) in slots.iter().enumerate() {
        let value = operands.get(*index).ok_or("an operand is missing")?;
        let stored = types::to_memory(&llvm, leaf.type_, types::part(&llvm, *value, leaf))?;
        llvm.store(stored, slot(position)?, types::memory_align(leaf.type_));
    }
    if slots.is_empty() {
        llvm.store(llvm.integer(llvm.int(64), 0), slot(0)?, 8);
    }
    llvm.ret(Some(llvm.integer(llvm.int(32), 0)));
    rewriter.erase(op);
    Ok(())
}

// ---------------------------------------------------------------- globals

fn global<'c, 'a>(op: Op<'c, 'a>, _: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let name = op.str_attribute("sym_name").ok_or("it has no name")?;
    let type_ = op.type_attribute("type").ok_or("it has no type")?;
    let value = op.inherent("value");
    let llvm = Llvm::before(rewriter, op);
    let bytes = |bytes: &[u8]| -> Result<(Type<'c>, Attribute<'c>), Refusal> {
        let size = u32::try_from(bytes.len()).map_err(|_| "it is too large".to_owned())?;
        Ok((melior::dialect::llvm::r#type::array(llvm.int(8), size), bytes_attribute(llvm.context(), bytes)))
    };
    let mut align = 1;
    let (machine, initial) = match (scalar_type(type_), value.map(|value| (value, view(value)))) {
        (None, Some((_, AttributeView::Str(text)))) => bytes(text.as_bytes())?,
        (Some(scalar), Some((value, _))) => {
            let machine = types::memory_type(&llvm, type_)?;
            match (scalar, integer_bits(value)) {
                (ScalarType::Bool | ScalarType::Int { .. }, Some(bits)) => (machine, integer_attribute(machine, bits)),
                _ => (machine, value),
            }
        }
        (_, Some((value, _))) if !is_null_attribute(value) => {
            return Err(format!("{value} is no initial value of {type_}"));
        }
        _ => {
            let layout = types::layout_of(type_)?;
            align = layout.align;
            bytes(&vec![0; usize::try_from(layout.size).unwrap_or(0)])?
        }
    };
    let constant = op.inherent("is_mutable").is_none();
    let private = op.str_attribute("sym_visibility") == Some("private");
    llvm.global(name, machine, initial, constant, private, align);
    rewriter.erase(op);
    Ok(())
}

// ---------------------------------------------------------------- calls

/// Whom to call.
pub enum Target<'c, 'a> {
    Named(&'c str),
    Address(Value<'c, 'a>),
}

/// A call of a native function with the operands from `first` on; `capture` hands the status on.
pub fn native_call<'c, 'a>(
    op: Op<'c, 'a>,
    target: Target<'c, 'a>,
    first: usize,
    operands: &[Value<'c, 'a>],
    capture: bool,
    rewriter: &ConversionRewriter<'c, 'a>,
) -> Lowered {
    let inputs: SmallVec<[Type; 4]> = (first..op.operand_len()).map(|i| op.value(i).r#type()).collect();
    let count = op.result_len().checked_sub(usize::from(capture)).ok_or("it captures the status in no result")?;
    let results: SmallVec<[Type; 4]> = (0..count).map(|i| op.result_at(i).r#type()).collect();
    let entry = entry_block(op).ok_or(NO_FUNCTION)?;
    let llvm = Llvm::before(rewriter, op);
    let native = native_type(&llvm, &inputs, &results)?;
    let mut values: SmallVec<[Value; 8]> = SmallVec::new();
    if let Target::Address(address) = target {
        values.push(llvm.op("llvm.inttoptr", &[address], llvm.ptr()));
    }
    for (index, leaf) in atoms(&inputs)? {
        let value = operands.get(first + index).ok_or("an operand is missing")?;
        values.push(types::to_memory(&llvm, leaf.type_, types::part(&llvm, *value, &leaf))?);
    }
    let outs = atoms(&results)?;
    let mut slots = Vec::with_capacity(outs.len());
    for (_, leaf) in &outs {
        let stored = types::memory_type(&llvm, leaf.type_)?;
        let slot = llvm.stack(entry, stored, 1, types::memory_align(leaf.type_));
        if capture {
            // What a failed call leaves unwritten reads as zero.
            llvm.store(llvm.zero(stored), slot, types::memory_align(leaf.type_));
        }
        slots.push(slot);
    }
    values.extend_from_slice(&slots);
    if slots.is_empty() {
        values.push(llvm.stack(entry, llvm.int(64), 1, 8));
    }
    let status = match target {
        Target::Named(name) => llvm.call(native, rewriter.symbols().linked(name), &values),
        Target::Address(_) => llvm.call_pointer(native, &values),
    };
    let status = status.ok_or("a native function answers a status")?;
    if !capture {
        llvm.fail_if(llvm.icmp(ICmp::Eq, status, llvm.integer(llvm.int(32), 0)), false, FALLBACK);
    }
    let mut parts: Vec<SmallVec<[Value; 2]>> = vec![SmallVec::new(); results.len()];
    for ((index, leaf), slot) in outs.iter().zip(&slots) {
        let stored = llvm.load(types::memory_type(&llvm, leaf.type_)?, *slot, types::memory_align(leaf.type_));
        parts[*index].push(types::from_memory(&llvm, leaf.type_, stored));
    }
    let mut answers = Vec::with_capacity(op.result_len());
    for (type_, parts) in results.iter().zip(&parts) {
        answers.push(types::assemble(&llvm, *type_, &types::leaves(*type_)?, parts)?);
    }
    if capture {
        answers.push(llvm.op("llvm.sext", &[status], llvm.int(64)));
    }
    rewriter.replace(op, &answers);
    Ok(())
}

fn captures(op: Op) -> bool {
    op.bool_attribute("capture_status") == Some(true)
        || matches!(op.discardable("capture_status").map(view), Some(AttributeView::Bool(true)))
}

fn call<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let callee = op.symbol_attribute("callee").ok_or("it has no callee")?;
    native_call(op, Target::Named(callee), 0, operands, captures(op), rewriter)
}

fn call_indirect<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let address = *operands.first().ok_or("it has no address")?;
    native_call(op, Target::Address(address), 1, operands, captures(op), rewriter)
}

/// Calls a C function before `op`. It is declared once; under a second signature it is called by its address.
pub fn call_c<'c, 'a>(
    op: Op<'c, 'a>,
    rewriter: &ConversionRewriter<'c, 'a>,
    name: &str,
    type_: Type<'c>,
    arguments: &[Value<'c, 'a>],
) -> Result<Option<Value<'c, 'a>>, Refusal> {
    let module = op.ancestor("builtin.module").ok_or("it is in no module")?;
    let llvm = Llvm::before(rewriter, op);
    let declared = rewriter.symbols().declare(name, type_, || {
        if let Some(block) = module.blocks(0).first() {
            rewriter.set_insertion_point_to_start(*block);
            llvm.func(name, type_, false);
        }
    });
    let llvm = Llvm::before(rewriter, op);
    if declared {
        return Ok(llvm.call(type_, name, arguments));
    }
    let symbol = FlatSymbolRefAttribute::new(llvm.context(), name).into();
    let address = [("global_name", symbol)];
    let mut values: SmallVec<[Value; 8]> = SmallVec::new();
    values.push(llvm.op_with("llvm.mlir.addressof", &[], Some(llvm.ptr()), &address).result_value());
    values.extend_from_slice(arguments);
    Ok(llvm.call(type_, "", &values))
}

/// A C function: bools as bytes, buffers as pointer and length.
fn call_extern<'c, 'a>(op: Op<'c, 'a>, operands: &[Value<'c, 'a>], rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let name = op.str_attribute("callee").ok_or("it has no callee")?;
    if let Some(abi) = op.str_attribute("abi").filter(|abi| !abi.eq_ignore_ascii_case("c")) {
        return Err(format!("there is no ABI \"{abi}\", only \"c\""));
    }
    let inputs: SmallVec<[Type; 4]> = (0..op.operand_len()).map(|i| op.value(i).r#type()).collect();
    let params = atoms(&inputs)?;
    let result = match op.result_len() {
        0 => None,
        1 => match types::leaves(op.result_type())?.as_slice() {
            [leaf] if leaf.path.is_empty() => Some(leaf.clone()),
            _ => return Err(format!("C returns no {}", op.result_type())),
        },
        more => return Err(format!("C returns one value, not {more}")),
    };
    let llvm = Llvm::before(rewriter, op);
    let types_ = params.iter().map(|(_, leaf)| types::memory_type(&llvm, leaf.type_)).collect::<Result<Vec<_>, _>>()?;
    let result_type = result.as_ref().map(|leaf| types::memory_type(&llvm, leaf.type_)).transpose()?;
    let type_ = llvm.function(result_type, &types_);
    let mut values: SmallVec<[Value; 8]> = SmallVec::new();
    for (index, leaf) in &params {
        let value = operands.get(*index).ok_or("an operand is missing")?;
        values.push(types::to_memory(&llvm, leaf.type_, types::part(&llvm, *value, leaf))?);
    }
    let answer = call_c(op, rewriter, name, type_, &values)?;
    let llvm = Llvm::before(rewriter, op);
    match (result, answer) {
        (Some(leaf), Some(stored)) => rewriter.replace(op, &[types::from_memory(&llvm, leaf.type_, stored)]),
        _ => rewriter.erase(op),
    }
    Ok(())
}

fn call_intrinsic<'c, 'a>(
    op: Op<'c, 'a>,
    operands: &[Value<'c, 'a>],
    rewriter: &ConversionRewriter<'c, 'a>,
) -> Lowered {
    let name = op.str_attribute("intrinsic").ok_or("it has no name")?;
    let symbol = |attribute: &str| match op.discardable(attribute).map(view) {
        Some(AttributeView::Symbol(name) | AttributeView::Str(name)) => Ok(name),
        _ => Err(format!("{name} needs the attribute {attribute}")),
    };
    let llvm = Llvm::before(rewriter, op);
    let address_of = |name: &str| {
        let symbol = FlatSymbolRefAttribute::new(llvm.context(), name).into();
        llvm.op_with("llvm.mlir.addressof", &[], Some(llvm.ptr()), &[("global_name", symbol)]).result_value()
    };
    let answers: SmallVec<[Value; 2]> = match (name, operands) {
        ("ppy.checked_add", [a, b]) => checked(op, &llvm, Arith::Add, *a, *b)?,
        ("ppy.checked_sub", [a, b]) => checked(op, &llvm, Arith::Sub, *a, *b)?,
        ("ppy.checked_mul", [a, b]) => checked(op, &llvm, Arith::Mul, *a, *b)?,
        ("ppy.string_data", []) => [address_of(symbol("symbol")?)].into_iter().collect(),
        ("ppy.function_address", []) => {
            let address = address_of(rewriter.symbols().linked(symbol("callee")?));
            [llvm.op("llvm.ptrtoint", &[address], llvm.int(64))].into_iter().collect()
        }
        ("ppy.buffer_from_parts", [pointer, length]) => {
            let type_ = op.result_type();
            let parts = [*pointer, super::lower_memory::wide_index(&llvm, op.value(1).r#type(), *length)];
            [types::assemble(&llvm, type_, &types::leaves(type_)?, &parts)?].into_iter().collect()
        }
        ("math.fabs", [x]) => [llvm.op("llvm.intr.fabs", &[*x], x.r#type())].into_iter().collect(),
        _ => return Err(format!("there is no intrinsic \"{name}\" of {} operands at the machine", operands.len())),
    };
    rewriter.replace(op, &answers);
    Ok(())
}

fn checked<'c, 'a>(
    op: Op<'c, 'a>,
    llvm: &Llvm<'_, 'c, 'a>,
    which: Arith,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<SmallVec<[Value<'c, 'a>; 2]>, Refusal> {
    match (scalar_type(op.value(0).r#type()), op.result_len()) {
        (Some(ScalarType::Int { signed, .. }), 2) => {
            let (value, over) = llvm.with_overflow(which, signed, a, b);
            Ok([value, over].into_iter().collect())
        }
        _ => Err("it takes two integers and gives one and a bool".into()),
    }
}
