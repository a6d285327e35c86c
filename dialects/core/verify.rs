//! Verification rules of the core dialect: scalars, lanes and control. Memory and aggregates are in `verify_memory.rs`,
//! calls in `verify_calls.rs`, functions and globals in `verify_symbols.rs`.
//!
//! What TableGen declares (arity, type constraints, types that match) has been checked when a rule runs. A rule's error
//! names the actual value and the remedy; the operation, its types and its place are added by whoever reports it. Types
//! are written as MLIR has them, and the `.ppyir` reader rewrites them (`ppyir/wording.rs`).

use super::enums::{Overflow, Rounding};
use super::ops::{CmpOp, FuncOp, GuardOp, SelectOp};
use super::type_views::{ArrayType, PtrType, StructType, VoidType};
use super::verify_symbols::{is_scalar_constant, lent};
use crate::mlir::attribute::is_dense;
use crate::mlir::op::{ScalarType, element_or_self, scalar_type, vector_lanes};
use crate::mlir::prelude::*;
use melior::ir::r#type::{FunctionType, TupleType};

pub use super::verify_calls::{call_extern, call_indirect, call_intrinsic};
pub use super::verify_memory::{
    alloca, buffer_data, buffer_store, ptr_index, store, struct_extract, struct_make, tuple_extract, tuple_make,
};
pub use super::verify_symbols::{func, global};

//===----------------------------------------------------------------------===//
// What the rules share
//===----------------------------------------------------------------------===//

/// The scalar a value holds: its own type, or that of a vector's lanes.
fn lane(type_: Type<'_>) -> Option<ScalarType> {
    scalar_type(element_or_self(type_))
}

fn is_float(type_: Type<'_>) -> bool {
    matches!(lane(type_), Some(ScalarType::F16 | ScalarType::Bf16 | ScalarType::F32 | ScalarType::F64))
}

/// Whether the type is a number, and no vector.
pub(super) fn is_integer(type_: Type<'_>) -> bool {
    matches!(scalar_type(type_), Some(ScalarType::Int { .. }))
}

pub(super) fn is_float_scalar(type_: Type<'_>) -> bool {
    scalar_type(type_).is_some() && is_float(type_)
}

/// Types nested deeper than this are not looked into; the readers refuse them.
const MAX_DEPTH: usize = 256;

/// The pointer to stack memory that a value of this type holds.
pub(super) fn stack_pointer(type_: Type<'_>) -> Option<Type<'_>> {
    find_type(type_, &|t| PtrType::cast(t).is_some_and(|ptr| ptr.space() == "stack"))
}

/// Why no value has the type; `None` for the type of a value.
pub(super) fn no_value(type_: Type<'_>) -> Option<&'static str> {
    find_type(type_, &|t| no_value_itself(t).is_some()).and_then(no_value_itself)
}

fn no_value_itself(type_: Type<'_>) -> Option<&'static str> {
    if VoidType::cast(type_).is_some() {
        Some("void is the type of no value: leave it out")
    } else if ArrayType::cast(type_).is_some() {
        Some("an array is memory and no value: hand on a pointer to it")
    } else if type_.is_function() {
        Some("a function is no value: its address is an i64, from the intrinsic ppy.function_address")
    } else {
        None
    }
}

/// The first type that `wanted` holds for, among the type and the parts of tuples and structs.
pub(super) fn find_type<'c>(type_: Type<'c>, wanted: &impl Fn(Type<'c>) -> bool) -> Option<Type<'c>> {
    find(type_, 0, wanted)
}

fn find<'c>(type_: Type<'c>, depth: usize, wanted: &impl Fn(Type<'c>) -> bool) -> Option<Type<'c>> {
    if wanted(type_) {
        return Some(type_);
    }
    if scalar_type(type_).is_some() || depth > MAX_DEPTH {
        return None;
    }
    // A failing conversion would print the type.
    if type_.is_tuple()
        && let Ok(tuple) = TupleType::try_from(type_)
    {
        return (0..tuple.type_count()).filter_map(|i| tuple.r#type(i).ok()).find_map(|t| find(t, depth + 1, wanted));
    }
    StructType::cast(type_)?.types().into_iter().find_map(|t| find(t, depth + 1, wanted))
}

/// `i64, f64`; `nothing` for none.
pub(super) fn list(types: &[Type<'_>]) -> String {
    match types {
        [] => "nothing".into(),
        types => types.iter().map(Type::to_string).collect::<Vec<_>>().join(", "),
    }
}

pub(super) fn types_of(values: &[Value<'_, '_>]) -> String {
    list(&values.iter().map(|v| v.r#type()).collect::<Vec<_>>())
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Integers name what happens where the value does not fit; floats have nothing to name; a lane cannot fall back.
pub fn overflow_arithmetic(op: Op) -> Verdict {
    let type_ = op.result_type();
    let mode = op.int_attribute("overflow").and_then(Overflow::from_number);
    match mode {
        Some(mode) if is_float(type_) => Err(format!(
            "has the overflow mode {} on {type_}: floats round and never overflow into Python; drop the mode",
            mode.as_str()
        )),
        None if !is_float(type_) => Err(format!(
            "needs an overflow mode on {type_}: python (the fallback computes it), checked (the fallback), wrap (two's \
             complement), proven (it fits) or native (the C compiler's)"
        )),
        mode => lanes_cannot_fail(type_, mode),
    }
}

fn lanes_cannot_fail(type_: Type, mode: Option<Overflow>) -> Verdict {
    match mode {
        Some(mode @ (Overflow::Python | Overflow::Checked | Overflow::Native)) if vector_lanes(type_).is_some() => {
            Err(format!(
                "has the overflow mode {} on {type_}: a single lane cannot fall back; use wrap or proven",
                mode.as_str()
            ))
        }
        _ => Ok(()),
    }
}

/// An integer division also names its rounding. A float's may: `floor` is Python's `//` and `%`.
pub fn division(op: Op) -> Verdict {
    overflow_arithmetic(op)?;
    let rounding = op.int_attribute("rounding").and_then(Rounding::from_number);
    match rounding {
        None if !is_float(op.result_type()) => {
            Err(format!("needs a rounding on {}: floor (as Python's // and %) or trunc (as C's)", op.result_type()))
        }
        _ => Ok(()),
    }
}

/// A shift's mode is optional: without one it wraps.
pub fn shift(op: Op) -> Verdict {
    lanes_cannot_fail(op.result_type(), op.int_attribute("overflow").and_then(Overflow::from_number))
}

/// Numbers, bools and pointers compare, and vectors of numbers or bools.
pub fn cmp(op: Op) -> Verdict {
    let type_ = CmpOp(op).lhs().r#type();
    match lane(type_).is_some() || PtrType::cast(type_).is_some() {
        true => Ok(()),
        false => Err(format!(
            "compares values of type {type_}: numbers, bools, pointers and vectors of them compare; compare the parts \
             of an aggregate one by one"
        )),
    }
}

/// One bool chooses between any two values; a vector of bools chooses lane by lane.
pub fn select(op: Op) -> Verdict {
    let (condition, type_) = (SelectOp(op).condition().r#type(), op.result_type());
    match vector_lanes(condition) {
        Some(lanes) if vector_lanes(type_) != Some(lanes) => Err(format!(
            "chooses between values of type {type_} by a {condition}: a vector of bools has a lane for each lane \
             chosen; use vectors of {lanes} lanes or one bool"
        )),
        _ => Ok(()),
    }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Scalars to scalars, vectors to vectors lane by lane, pointers to pointers of their address space, and pointers from
/// and to `i64` addresses.
pub fn cast(op: Op) -> Verdict {
    let (from, to) = (op.value(0).r#type(), op.result_type());
    if let (Some(a), Some(b)) = (PtrType::cast(from), PtrType::cast(to)) {
        return pointer_cast(a, b);
    }
    if PtrType::cast(from).or(PtrType::cast(to)).is_some() {
        let other = if PtrType::cast(from).is_some() { to } else { from };
        return match scalar_type(other) {
            Some(ScalarType::Int { width: 64, signed: true }) if !other.is_index() => Ok(()),
            Some(_) => Err(format!(
                "casts {from} to {to}: a pointer casts from and to an i64, its address; cast to i64 first, and \
                 that to {to}"
            )),
            None => Err(format!(
                "casts {from} to {to}: a pointer casts to a pointer of its address space or to its i64 address; \
                 core.buffer_data gives the pointer of a buffer, core.load the value"
            )),
        };
    }
    match (lane(from), lane(to)) {
        (Some(_), Some(_)) if vector_lanes(from) == vector_lanes(to) => Ok(()),
        (Some(_), Some(_)) => Err(format!(
            "casts {from} to {to}: a cast keeps the number of lanes; cast to a type with {}",
            vector_lanes(from).map_or("no lanes".into(), |n| format!("{n} lanes"))
        )),
        _ => Err(format!(
            "casts {from} to {to}: a cast is between scalars, vectors of them, or pointers of one address space; take \
             aggregates apart and make them with their own operations"
        )),
    }
}

fn pointer_cast(from: PtrType, to: PtrType) -> Verdict {
    let (a, b) = (from.as_type(), to.as_type());
    if from.space() != to.space() {
        return Err(format!(
            "casts {a} to {b}, from the address space {} to {}: a cast keeps the space; cast to a pointer in {}",
            from.space(),
            to.space(),
            from.space()
        ));
    }
    if from.constant() && !to.constant() {
        return Err(format!("casts {a} to {b}, dropping const: a cast keeps it; cast to a const pointer"));
    }
    Ok(())
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// What is returned is what the function declares, and nothing that dies or is lent.
pub fn ret(op: Op) -> Verdict {
    let Some(function) = op.parent().and_then(FuncOp::cast) else { return Ok(()) };
    let symbol = function.sym_name().unwrap_or_default();
    let Some(signature) = function.function_type().and_then(|t| FunctionType::try_from(t).ok()) else { return Ok(()) };
    let declared: Vec<Type> = (0..signature.result_count()).filter_map(|i| signature.result(i).ok()).collect();
    let values = op.all_operands();
    if values.len() != declared.len() || values.iter().zip(&declared).any(|(v, t)| v.r#type() != *t) {
        return Err(format!(
            "returns {}, but @{symbol} gives {}: return what the signature says, or change it",
            types_of(&values),
            list(&declared)
        ));
    }
    values.iter().try_for_each(|value| may_leave(*value, "returns"))
}

/// A stack pointer, and a parameter that is `borrowed` or `mut`, may not be returned or stored; `verb` says which.
pub(super) fn may_leave(value: Value, verb: &str) -> Verdict {
    if let Some(ptr) = stack_pointer(value.r#type()) {
        return Err(format!(
            "{verb} the stack pointer {ptr}: stack memory ends with the function; hand the value on, or take memory \
             from the caller"
        ));
    }
    match lent(value) {
        None => Ok(()),
        Some((parameter, ownership)) => Err(format!(
            "{verb} {parameter}, which is {ownership}: it belongs to the caller and may be used during the call only; \
             copy what it holds, or take it as owned"
        )),
    }
}

/// The labels that give a failing guard a status of its own begin like this.
const SANITIZER: &str = "sanitize:";
const SANITIZERS: &[&str] = &["bounds", "overflow", "pointer", "alignment"];

/// A label is `raised`, `sanitize:` with a kind, or a word of the pass that made the guard, for its messages.
pub fn guard(op: Op) -> Verdict {
    let Some(label) = GuardOp(op).label() else { return Ok(()) };
    match label.strip_prefix(SANITIZER) {
        Some(kind) if !SANITIZERS.contains(&kind) => Err(format!(
            "has the label \"{label}\": a sanitizer's label is {SANITIZER} and one of {}",
            SANITIZERS.join(", ")
        )),
        None if label.is_empty() => Err("has an empty label: name what failed, or drop the label".into()),
        _ => Ok(()),
    }
}

/// TableGen checks that the value has the result's type; what is left is that the type has constants. Folding makes
/// those of vectors.
pub fn constant(op: Op) -> Verdict {
    let type_ = op.result_type();
    let known = |value| is_scalar_constant(value) || is_dense(value) && lane(type_).is_some();
    match op.inherent("value") {
        Some(value) if known(value) => Ok(()),
        _ => Err(format!(
            "has a constant of type {type_}: numbers, bools, null pointers and vectors have constants; build the rest \
             from parts"
        )),
    }
}
