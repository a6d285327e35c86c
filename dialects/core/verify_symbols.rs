//! Verification rules of the core dialect's functions and globals, and what a function says about its parameters.

use super::flow::sources;
use super::ops::{BufferStoreOp, FuncOp, GlobalOp, RetOp, StoreOp};
use super::type_views::{BufferType, PtrType};
use super::verify::{no_value, stack_pointer};
use crate::mlir::attribute::{float_value, integer_bits, is_null_attribute};
use crate::mlir::attribute_view::{AttributeView, view};
use crate::mlir::diagnostic::{REPORTED, emit_error};
use crate::mlir::op::{ScalarType, operations_named, scalar_type};
use crate::mlir::prelude::*;
use crate::ppyir::closest;
use crate::ppyir::location::{block_label, name_of};
use crate::registry::FUNCTION_RULES;
use melior::ir::r#type::FunctionType;

/// Who owns what a parameter hands in.
const OWNERSHIPS: &[&str] = &["borrowed", "mut", "owned"];

/// What a function may do besides computing its results.
pub const EFFECTS: &[&str] = &[
    "alloc",
    "atomic",
    "gpu_launch",
    "io",
    "may_raise",
    "network",
    "pure",
    "random",
    "read_memory",
    "read_object",
    "sync",
    "thread",
    "time",
    "write_memory",
    "write_object",
];

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Parameters and results are values; ownerships and effects are known words; a declaration gives no stack pointer
/// (a body's `core.ret` is held to that itself). Every block argument is a value.
pub fn func(op: Op) -> Verdict {
    let function = FuncOp(op);
    let Some(signature) = function.function_type().and_then(|t| FunctionType::try_from(t).ok()) else { return Ok(()) };
    let symbol = function.sym_name().unwrap_or_default();
    if symbol.is_empty() {
        return Err("has an empty name: name it".into());
    }
    let mut errors = Vec::new();
    let blocks = op.blocks(0);
    for (index, type_) in (0..signature.input_count()).filter_map(|i| Some((i, signature.input(i).ok()?))) {
        if let Some(why) = no_value(type_) {
            errors.push(format!("takes parameter #{index} of type {type_}: {why}"));
        }
    }
    for (index, type_) in (0..signature.result_count()).filter_map(|i| Some((i, signature.result(i).ok()?))) {
        if let Some(why) = no_value(type_) {
            errors.push(format!("gives result #{index} of type {type_}: {why}"));
        } else if let Some(ptr) = stack_pointer(type_).filter(|_| blocks.is_empty()) {
            errors.push(format!(
                "gives the stack pointer {ptr}: stack memory ends with the function; give a pointer in generic"
            ));
        }
    }
    if let Some(effects) = function.effects() {
        self::effects(effects, &mut errors);
    }
    for (index, attributes) in parameter_attributes(function) {
        for (name, value) in attributes {
            parameter_attribute(index, name, value, &mut errors);
        }
    }
    errors.extend(FUNCTION_RULES.iter().filter_map(|rule| rule(op).err()));
    let mut errors: Vec<_> = errors.into_iter().map(|error| (op.loc(), error)).collect();
    block_arguments(&blocks, &mut errors);
    for (location, error) in &errors {
        emit_error(*location, &format!("'{}' op @{symbol} {error}", op.op_name()));
    }
    if errors.is_empty() { Ok(()) } else { Err(REPORTED.into()) }
}

/// The block arguments that are no values, each reported where it stands; the entry's are the parameters.
fn block_arguments<'c>(blocks: &[BlockRef<'c, '_>], errors: &mut Vec<(Location<'c>, String)>) {
    for (index, block) in blocks.iter().enumerate().skip(1) {
        for i in 0..block.argument_count() {
            let Ok(argument) = block.argument(i) else { continue };
            let value = Value::from(argument);
            let type_ = value.r#type();
            if let (Some(why), Some(location)) = (no_value(type_), value.argument_location()) {
                let label = block_label(*block).map_or(format!("bb{index}"), Into::into);
                errors.push((location, format!("has argument #{i} of block ^{label} of type {type_}: {why}")));
            }
        }
    }
}

fn parameter_attribute(index: usize, name: &str, value: Attribute, errors: &mut Vec<String>) {
    match (name, view(value)) {
        (OWNERSHIP, AttributeView::Str(word)) if OWNERSHIPS.contains(&word) => {}
        (OWNERSHIP, held) => {
            let hint = match held {
                AttributeView::Str(word) => did_you_mean(word, OWNERSHIPS),
                _ => String::new(),
            };
            errors.push(format!(
                "has parameter #{index} with ownership {value}{hint}: it is one of {}",
                OWNERSHIPS.join(", ")
            ));
        }
        (NOALIAS, AttributeView::Bool(_) | AttributeView::Unit) => {}
        (NOALIAS, _) => {
            errors.push(format!("has parameter #{index} with noalias {value}: it is true or false"));
        }
        _ => {}
    }
}

fn did_you_mean(word: &str, words: &[&'static str]) -> String {
    closest(word, words.iter().copied()).map_or(String::new(), |known| format!(" (did you mean {known}?)"))
}

fn effects(effects: Attribute, errors: &mut Vec<String>) {
    let AttributeView::Array(items) = view(effects) else {
        return errors.push(format!("has effects {effects}: effects are a list of names, like [\"io\"]"));
    };
    for item in items {
        match view(item) {
            AttributeView::Str(word) if EFFECTS.contains(&word) => {}
            AttributeView::Str(word) => errors.push(format!(
                "has the effect \"{word}\"{}: the effects are {}",
                did_you_mean(word, EFFECTS),
                EFFECTS.join(", ")
            )),
            _ => errors.push(format!("has the effect {item}: an effect is a name in quotes")),
        }
    }
}

const OWNERSHIP: &str = "ppy_core.ownership";
const NOALIAS: &str = "ppy_core.noalias";

type Named<'c> = Vec<(&'c str, Attribute<'c>)>;

/// The attributes of the parameters that have any.
fn parameter_attributes<'c>(function: FuncOp<'c, '_>) -> Vec<(usize, Named<'c>)> {
    let Some(AttributeView::Array(items)) = function.arg_attrs().map(view) else { return Vec::new() };
    let named = |(index, item): (usize, Attribute<'c>)| match view(item) {
        AttributeView::Dict(entries) => Some((index, entries)),
        _ => None,
    };
    items.into_iter().enumerate().filter_map(named).collect()
}

/// The lent parameter that a value is, or has inside, or may be: its name, and `borrowed` or `mut`.
pub(super) fn lent<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(String, &'c str)> {
    sources(value).into_iter().find_map(|source| {
        let (block, index) = source.block_argument()?;
        let ownership = ownership(block, index).filter(|word| matches!(*word, "borrowed" | "mut"))?;
        let name = source.argument_location().and_then(name_of);
        Some((name.map_or(format!("parameter #{index}"), |name| format!("parameter %{name}")), ownership))
    })
}

/// Whether a call gives a lent pointer to a function that lets the parameter leave: inlined, it would leave the caller.
pub fn lends_what_leaves<'c: 'a, 'a>(call: Op<'c, 'a>, callee: Op<'c, 'a>) -> bool {
    let given: Vec<usize> = (0..call.operand_len()).filter(|index| lent(call.value(*index)).is_some()).collect();
    if given.is_empty() {
        return false;
    }
    let Some(entry) = callee.blocks(0).first().copied() else { return false };
    let leaves = |value: Value<'c, 'a>| {
        sources(value)
            .into_iter()
            .filter_map(|source| source.block_argument())
            .any(|(block, index)| block == entry && given.contains(&index))
    };
    operations_named(callee, &[RetOp::NAME, StoreOp::NAME, BufferStoreOp::NAME]).into_iter().any(|op| {
        match op.op_name() {
            RetOp::NAME => op.all_operands().iter().any(|value| leaves(*value)),
            _ => leaves(op.value(0)),
        }
    })
}

/// The ownership of a parameter; `None` for the argument of any other block.
fn ownership<'c: 'a, 'a>(block: BlockRef<'c, 'a>, index: usize) -> Option<&'c str> {
    let function = FuncOp::cast(block.parent_operation()?)?;
    let entry = *function.0.blocks(0).first()?;
    if entry != block {
        return None;
    }
    let AttributeView::Array(items) = view(function.arg_attrs()?) else { return None };
    let AttributeView::Dict(entries) = view(*items.get(index)?) else { return None };
    let (_, value) = entries.into_iter().find(|(name, _)| *name == OWNERSHIP)?;
    match view(value) {
        AttributeView::Str(word) => Some(word),
        _ => None,
    }
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

/// An integer, float, bool or null pointer.
pub(super) fn is_scalar_constant(value: Attribute) -> bool {
    integer_bits(value).is_some() || float_value(value).is_some() || is_null_attribute(value)
}

/// A global's type can be in memory beyond any call, and its value fits it.
pub fn global(op: Op) -> Verdict {
    let global = GlobalOp(op);
    let symbol = global.sym_name().unwrap_or_default();
    let Some(type_) = global.type_() else { return Ok(()) };
    if symbol.is_empty() {
        return Err("has an empty name: name it".into());
    }
    let array = super::type_views::ArrayType::cast(type_).is_some();
    if let Some(why) = no_value(type_).filter(|_| !array) {
        return Err(format!("@{symbol} is of type {type_}: {why}"));
    }
    if let Some(ptr) = stack_pointer(type_) {
        return Err(format!(
            "@{symbol} holds the stack pointer {ptr}: stack memory ends with its function; use generic"
        ));
    }
    let Some(value) = global.value() else { return Ok(()) };
    let bytes = BufferType::cast(type_).map(BufferType::element).map(|element| (element, is_byte(element)));
    match (bytes, view(value)) {
        (Some((_, true)), AttributeView::Str(_)) => Ok(()),
        (Some((_, true)), _) => {
            Err(format!("@{symbol} is {value}, which does not fit {type_}: its bytes are written as a string"))
        }
        (Some((element, false)), _) => Err(format!(
            "@{symbol} is {value}, which does not fit {type_}: only the bytes of a buffer of u8 are written, not \
             {element}"
        )),
        (None, _) if is_scalar_constant(value) && has_type(value, type_) => Ok(()),
        (None, _) if PtrType::cast(type_).is_some() => {
            Err(format!("@{symbol} is {value}, which does not fit {type_}: the only pointer constant is null"))
        }
        (None, _) if scalar_type(type_).is_some() => {
            Err(format!("@{symbol} is {value}, which does not fit {type_}: give a constant of that type"))
        }
        (None, _) => {
            Err(format!("@{symbol} of type {type_} is {value}: only scalars and bytes have constants; drop it"))
        }
    }
}

fn is_byte(type_: Type) -> bool {
    scalar_type(type_) == Some(ScalarType::Int { width: 8, signed: false })
}

fn has_type(value: Attribute, type_: Type) -> bool {
    value.r#type() == type_
}
