//! `sanitize`: guards at what has no meaning, or another one than Python's, where it goes wrong.
//!
//! Each kind fails with a status of its own, by the guard's label. What a guard needs is on the operation: a pointer
//! that an operation reads or writes through is known by its memory effects, in whatever dialect it is.
//!
//! Source: spec `ir.txt`, "Sanitizers".

use super::{at::At, generated::SanitizeOptions, infer_effects::CALL_EFFECTS};
use crate::{
    dialects::core::{
        enums::{GuardKind, Overflow, Predicate},
        lower_types::layout_of,
        ops::*,
        type_views::PtrType,
    },
    interp::SANITIZERS,
    mlir::{
        attribute::{null_attribute, strings},
        attribute_view::{AttributeView, view},
        builder::replace_all_uses,
        diagnostic::emit_error,
        hooks::PassFailure,
        op::{ScalarType, modules, operations, scalar_type},
        prelude::*,
        transform::erase,
    },
};
use melior::ir::{attribute::ArrayAttribute, r#type::IntegerType};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a sanitizer guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    Bounds,
    Overflow,
    Pointer,
    Alignment,
}

impl Sanitizer {
    pub const ALL: [Sanitizer; 4] = [Sanitizer::Bounds, Sanitizer::Overflow, Sanitizer::Pointer, Sanitizer::Alignment];

    pub fn name(self) -> &'static str {
        SANITIZERS[self as usize].0
    }
    /// The kind of that name.
    pub fn parse(name: &str) -> Result<Sanitizer, String> {
        let known = || Sanitizer::ALL.map(Sanitizer::name).join(", ");
        Sanitizer::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| format!("\"{name}\" is no sanitizer: the kinds are {}", known()))
    }
    /// The kind of guard, and what its failure says.
    fn guard(self) -> (GuardKind, &'static str) {
        match self {
            Sanitizer::Bounds => (GuardKind::Bounds, "index outside the buffer"),
            Sanitizer::Overflow => (GuardKind::Overflow, "integer outside its type"),
            Sanitizer::Pointer => (GuardKind::Contract, "access through the null pointer"),
            Sanitizer::Alignment => (GuardKind::Contract, "access through a misaligned pointer"),
        }
    }
}

/// The pass for a pipeline, as text.
pub fn pass(kinds: &[Sanitizer]) -> String {
    format!("sanitize{{kinds={}}}", kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(","))
}

pub fn run(module: Op, options: &SanitizeOptions) -> Result<(), PassFailure> {
    let named: Result<Vec<Sanitizer>, String> = options.kinds.iter().map(|name| Sanitizer::parse(name)).collect();
    let kinds = named.map_err(|error| {
        emit_error(module.loc(), &error);
        PassFailure::Reported
    })?;
    let kinds = Kinds(if kinds.is_empty() { Sanitizer::ALL.to_vec() } else { kinds });
    for module in modules(module) {
        let functions: Vec<FuncOp> =
            module.blocks(0).into_iter().flat_map(operations).filter_map(FuncOp::cast).collect();
        let guarded: Vec<FuncOp> =
            functions.iter().copied().filter(|f| has_status(*f) && kinds.instrument(f.0)).collect();
        state_failures(&functions, &guarded);
    }
    Ok(())
}

/// Whether a guard of the function has a status to fail with: a coroutine's resume function and device code have none.
fn has_status(function: FuncOp) -> bool {
    let says = |name: &str, values: &[&str]| match function.0.discardable(name).map(view) {
        Some(AttributeView::Str(value)) => values.contains(&value),
        Some(AttributeView::Bool(value)) => value && values.is_empty(),
        _ => false,
    };
    !says("ppy.abi", &["resume"]) && !says("gpu.kind", &["kernel", "device"]) && !says("ppy.async", &[])
}

// ---------------------------------------------------------------- guards

struct Kinds(Vec<Sanitizer>);

impl Kinds {
    fn has(&self, kind: Sanitizer) -> bool {
        self.0.contains(&kind)
    }

    /// Puts the guards into a function; whether there are any.
    fn instrument(&self, function: Op) -> bool {
        let mut guarded = false;
        for block in function.blocks(0) {
            let all: Vec<Op> = operations(block).collect();
            for op in all {
                let at = At::before(op, block);
                guarded |= match op.op_name() {
                    BufferLoadOp::NAME => self.has(Sanitizer::Bounds) && inside(&at, op.value(0), op.value(1)),
                    BufferStoreOp::NAME => self.has(Sanitizer::Bounds) && inside(&at, op.value(1), op.value(2)),
                    AddOp::NAME | SubOp::NAME | MulOp::NAME => self.has(Sanitizer::Overflow) && fits(&at, op),
                    _ => self.accesses(&at, op),
                };
            }
        }
        guarded
    }

    /// Guards every pointer that the operation reads or writes through.
    fn accesses<'c: 'a, 'a>(&self, at: &At<'c, 'a>, op: Op<'c, 'a>) -> bool {
        if !self.has(Sanitizer::Pointer) && !self.has(Sanitizer::Alignment) {
            return false;
        }
        let mut guarded = false;
        for operand in op.accessed_operands() {
            let pointer = op.value(operand);
            let Some(type_) = PtrType::cast(pointer.r#type()) else { continue };
            guarded |= self.has(Sanitizer::Pointer) && type_.space() != "stack" && not_null(at, pointer);
            guarded |= self.has(Sanitizer::Alignment) && aligned(at, pointer, type_);
        }
        guarded
    }
}

fn guard<'c: 'a, 'a>(at: &At<'c, 'a>, kind: Sanitizer, ok: Value<'c, 'a>) -> bool {
    let (guard, message) = kind.guard();
    let label = format!("sanitize:{}", kind.name());
    at.insert_op(GuardOp::build(at.context, ok, &[], guard, Some(message), Some(&label), None, at.location));
    true
}

fn compare<'c: 'a, 'a>(at: &At<'c, 'a>, predicate: Predicate, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
    at.insert(CmpOp::build(at.context, a, b, predicate, at.bool_type(), at.location))
}

/// A value as an `i64`: an index past the last `i64` becomes a negative one.
fn word<'c: 'a, 'a>(at: &At<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let word: Type = IntegerType::new(at.context, 64).into();
    if value.r#type() == word {
        return value;
    }
    at.insert(CastOp::build(at.context, value, word, at.location))
}

fn inside<'c: 'a, 'a>(at: &At<'c, 'a>, buffer: Value<'c, 'a>, index: Value<'c, 'a>) -> bool {
    let length = at.insert(BufferLenOp::build(at.context, buffer, Type::index(at.context), at.location));
    let (length, index) = (word(at, length), word(at, index));
    let from = compare(at, Predicate::Ge, index, at.integer(index.r#type(), 0));
    let to = compare(at, Predicate::Lt, index, length);
    guard(at, Sanitizer::Bounds, at.and(from, to))
}

/// Arithmetic that says nothing of a result outside its type becomes the wrapped value and a guarded flag. Lanes have
/// no flag.
fn fits<'c: 'a, 'a>(at: &At<'c, 'a>, op: Op<'c, 'a>) -> bool {
    let (type_, mode) = (op.result_type(), op.int_attribute("overflow").and_then(Overflow::from_number));
    let silent = matches!(mode, Some(Overflow::Wrap | Overflow::Proven | Overflow::Native));
    if !silent || !matches!(scalar_type(type_), Some(ScalarType::Int { .. })) {
        return false;
    }
    let intrinsic = match op.op_name() {
        AddOp::NAME => "ppy.checked_add",
        SubOp::NAME => "ppy.checked_sub",
        _ => "ppy.checked_mul",
    };
    let types = [type_, at.bool_type()];
    let checked = at.insert_op(CallIntrinsicOp::build(at.context, &op.all_operands(), intrinsic, &types, at.location));
    guard(at, Sanitizer::Overflow, at.not(checked.result_at(1)));
    replace_all_uses(op.result_value(), checked.result_at(0));
    erase(op);
    true
}

fn not_null<'c: 'a, 'a>(at: &At<'c, 'a>, pointer: Value<'c, 'a>) -> bool {
    let type_ = pointer.r#type();
    let null = at.insert(ConstOp::build(at.context, null_attribute(type_), type_, at.location));
    guard(at, Sanitizer::Pointer, compare(at, Predicate::Ne, pointer, null))
}

/// Guards the address against the alignment that an access through the pointer relies on.
fn aligned<'c: 'a, 'a>(at: &At<'c, 'a>, pointer: Value<'c, 'a>, type_: PtrType<'c>) -> bool {
    let Ok(layout) = layout_of(type_.pointee()) else { return false };
    let Ok(mask @ 1..) = i64::try_from(layout.align.saturating_sub(1)) else { return false };
    if in_own_slot(pointer) {
        return false;
    }
    let address = word(at, pointer);
    let rest = at.and(address, at.integer(address.r#type(), mask));
    guard(at, Sanitizer::Alignment, compare(at, Predicate::Eq, rest, at.integer(rest.r#type(), 0)))
}

/// Whether the pointer is to an element of an `alloca`, of the type that was allocated: such a slot may become a value.
fn in_own_slot<'c: 'a, 'a>(pointer: Value<'c, 'a>) -> bool {
    const MAX_STEPS: usize = 16;
    let steps = std::iter::successors(pointer.defining_op(), |op| {
        matches!(op.op_name(), PtrOffsetOp::NAME | PtrIndexOp::NAME).then(|| op.value(0).defining_op()).flatten()
    });
    steps.take(MAX_STEPS).last().is_some_and(|op| op.is(AllocaOp::NAME))
}

// ---------------------------------------------------------------- effects

/// A function that states its effects, and may fail now, states that too: else an unused call of it would go, and the
/// failure with it. So does one that calls it, and a declaration, whose definition may be guarded elsewhere.
fn state_failures(functions: &[FuncOp], guarded: &[FuncOp]) {
    let mut callers: FxHashMap<&str, Vec<FuncOp>> = FxHashMap::default();
    let mut failing: Vec<FuncOp> = guarded.to_vec();
    for function in functions {
        let blocks = function.0.blocks(0);
        if blocks.is_empty() {
            failing.push(*function);
        }
        for op in blocks.into_iter().flat_map(operations) {
            // What was inferred of a callee held without its guards.
            if op.is(CallOp::NAME) {
                op.remove_discardable(CALL_EFFECTS);
            }
            match symbol(op) {
                Some(callee) if !hands_on_status(op) => callers.entry(callee).or_default().push(*function),
                None if op.is(CallIndirectOp::NAME) => failing.push(*function),
                _ => {}
            }
        }
    }
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    while let Some(function) = failing.pop() {
        if !seen.insert(function.0.key()) {
            continue;
        }
        may_raise(function);
        failing.extend(function.sym_name().and_then(|name| callers.get(name)).into_iter().flatten().copied());
    }
}

/// The function that an operation calls, or names for one that calls it.
fn symbol<'c>(op: Op<'c, '_>) -> Option<&'c str> {
    op.symbol_attribute("callee").or_else(|| match op.discardable("callee").map(view) {
        Some(AttributeView::Symbol(name)) => Some(name),
        _ => None,
    })
}

fn hands_on_status(op: Op) -> bool {
    op.is(CallOp::NAME) && op.bool_attribute("capture_status") == Some(true)
}

fn may_raise(function: FuncOp) {
    const FAILS: &str = "may_raise";
    let Some(stated) = function.effects() else { return };
    let mut effects: Vec<&str> = strings(stated).into_iter().filter(|effect| *effect != "pure").collect();
    if effects.contains(&FAILS) {
        return;
    }
    effects.push(FAILS);
    effects.sort_unstable();
    let context = function.0.context_ref();
    let effects: Vec<Attribute> = effects.iter().map(|name| StringAttribute::new(context, name).into()).collect();
    function.0.set("effects", ArrayAttribute::new(context, &effects).into());
}
