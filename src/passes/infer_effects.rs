//! `infer-effects`: what functions do that state nothing, from their bodies and callees, and whether those that state
//! something state enough.
//!
//! Effects are sets that only grow on the way from callees to callers, so the work is done when none grows any more:
//! recursion needs no care. What calls something unknown stays without a statement.

use super::{
    functions::{functions, walk},
    generated::InferEffectsOptions,
    lengths,
};
use crate::{
    dialects::core::{
        enums::Overflow,
        memory::{Access, Object, access, base, is_parameter, object},
        ops::{CallExternOp, CallIndirectOp, CallOp, ConstOp, FuncOp, GuardOp, LoadOp},
        type_views::PtrType,
        verify_symbols::EFFECTS,
    },
    mlir::{attribute::strings, diagnostic::emit_op_error, hooks::PassFailure, op::scalar_type, prelude::*},
};
use melior::ir::attribute::ArrayAttribute;
use std::collections::{HashMap, HashSet};

/// A set of [`EFFECTS`] by their positions, and one bit for what nothing is known of.
type Set = u32;

const UNKNOWN: Set = 1 << 31;
/// Something below does what nothing is known of, stated or not: a result may be an object of its own.
const OPAQUE: Set = 1 << 30;

/// Effects that a call hands on to a caller that states its own. The others may end in the caller: it raises nothing
/// where it handles the failure, and memory may be its own.
const HANDED_ON: &[&str] = &["atomic", "gpu_launch", "io", "network", "random", "sync", "thread", "time"];

/// The effects of a call on its caller; `CallOp::getEffects` of `hooks.cpp` tells upstream's passes.
pub const CALL_EFFECTS: &str = "ppy.effects";
/// Effects of a function that writes no memory that its caller can see.
const QUIET: &[&str] = &["alloc", "may_raise", "pure", "read_memory", "read_object"];

/// Whether a call reads memory at most, and writes none that its caller can see.
pub fn is_quiet(call: Op) -> bool {
    call.discardable(CALL_EFFECTS).is_some_and(|found| strings(found).iter().all(|effect| QUIET.contains(effect)))
}

fn bit(effect: &str) -> Set {
    EFFECTS.iter().position(|known| *known == effect).map_or(UNKNOWN, |at| 1 << at)
}

fn set(effects: &[&str]) -> Set {
    effects.iter().filter(|effect| **effect != "pure").fold(0, |set, effect| set | bit(effect))
}

/// Where memory that a function writes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// What a parameter leads to.
    Parameter(usize),
    Global,
    /// The function's own, or what a call gave it: that may be its own.
    Other,
}

/// A function as the pass sees it.
struct Unit<'c, 'a> {
    function: Op<'c, 'a>,
    stated: Option<Set>,
    effects: Set,
    calls: Vec<(Op<'c, 'a>, usize)>,
    /// Where it certainly writes, itself or by a call, and the first operation that does.
    writes: Vec<(Place, Op<'c, 'a>)>,
    /// What it certainly does beside: the effects of which its statement has to have one, and the first operation.
    does: Vec<(Set, Op<'c, 'a>)>,
}

pub fn run(module: Op, _: &InferEffectsOptions) -> Result<(), PassFailure> {
    let units = analyze(module);
    check(&units)?;
    units.iter().for_each(|unit| state(unit, &units));
    lengths::mark(module);
    Ok(())
}

/// Fails where a function states too little, with an error for each place.
pub fn verify_statements(module: Op) -> Result<(), PassFailure> {
    check(&analyze(module))
}

/// The functions whose statement of effects holds as far as their bodies show.
pub fn sound<'c: 'a, 'a>(module: Op<'c, 'a>) -> HashSet<&'a str> {
    let units = analyze(module);
    units.iter().filter(|unit| shortfalls(unit, &units).is_empty()).map(name).collect()
}

fn check(units: &[Unit]) -> Result<(), PassFailure> {
    // Of every unit, so that every error is reported.
    let found: Vec<(Op, String)> = units.iter().flat_map(|unit| shortfalls(unit, units)).collect();
    found.iter().for_each(|(op, message)| emit_op_error(*op, message));
    if found.is_empty() { Ok(()) } else { Err(PassFailure::Reported) }
}

fn analyze<'c, 'a>(module: Op<'c, 'a>) -> Vec<Unit<'c, 'a>> {
    let all: Vec<FuncOp> = functions(module).collect();
    let names: HashMap<&str, usize> =
        all.iter().enumerate().filter_map(|(index, f)| Some((f.sym_name()?, index))).collect();
    let mut units: Vec<Unit> = all.iter().map(|f| unit(*f, &names)).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
    for (index, unit) in units.iter().enumerate() {
        unit.calls.iter().for_each(|(_, callee)| callers[*callee].push(index));
    }
    let mut pending: Vec<usize> = (0..units.len()).collect();
    while let Some(index) = pending.pop() {
        let unit = &units[index];
        let handed: Set = unit.calls.iter().fold(0, |set, (call, callee)| set | given(*call, &units[*callee]));
        let mut grown = unit.effects | handed;
        if grown & UNKNOWN != 0 {
            grown |= OPAQUE;
        }
        let mut writes: Vec<(Place, Op)> = Vec::new();
        for (call, callee) in &unit.calls {
            writes.extend(units[*callee].writes.iter().filter_map(|(at, _)| Some((seen(*call, *at)?, *call))));
        }
        writes.retain(|(at, _)| unit.writes.iter().all(|(known, _)| known != at));
        if grown != unit.effects || !writes.is_empty() {
            units[index].effects = grown;
            writes.into_iter().for_each(|write| note(&mut units[index].writes, write));
            pending.extend(&callers[index]);
        }
    }
    units
}

/// Adds what is not there yet.
fn note<'c, 'a, T: PartialEq>(list: &mut Vec<(T, Op<'c, 'a>)>, (what, op): (T, Op<'c, 'a>)) {
    if list.iter().all(|(known, _)| *known != what) {
        list.push((what, op));
    }
}

/// The place that a callee writes, as its caller sees it.
fn seen(call: Op, at: Place) -> Option<Place> {
    match at {
        Place::Parameter(index) => Some(place(call.operand(index).ok()?)).filter(|at| *at != Place::Other),
        Place::Global => Some(Place::Global),
        Place::Other => None,
    }
}

/// Where an address leads: the memory that it is in, or that the address was loaded from.
fn place(address: Value) -> Place {
    const MAX_LOADS: usize = 8;
    let mut address = address;
    for _ in 0..MAX_LOADS {
        let base = base(address);
        let Some(op) = base.defining_op() else {
            return match base.block_argument() {
                Some((_, index)) if is_parameter(base) => Place::Parameter(index),
                _ => Place::Other,
            };
        };
        address = match op.op_name() {
            ConstOp::NAME => return Place::Global,
            LoadOp::NAME => op.value(0),
            _ => return Place::Other,
        };
    }
    Place::Other
}

fn unit<'c: 'a, 'a>(function: FuncOp<'c, 'a>, names: &HashMap<&str, usize>) -> Unit<'c, 'a> {
    let stated = function.effects().map(|effects| set(&strings(effects)));
    let FuncOp(op) = function;
    let mut unit = Unit { function: op, stated, effects: 0, calls: Vec::new(), writes: Vec::new(), does: Vec::new() };
    if op.blocks(0).is_empty() {
        unit.effects = UNKNOWN;
    }
    walk(op, &mut |inner| match inner.op_name() {
        CallOp::NAME => match inner.symbol_attribute("callee").and_then(|name| names.get(name)) {
            Some(callee) => unit.calls.push((inner, *callee)),
            None => unit.effects |= UNKNOWN,
        },
        CallExternOp::NAME | CallIndirectOp::NAME => unit.effects |= UNKNOWN,
        GuardOp::NAME => unit.effects |= bit("may_raise"),
        _ => {
            unit.effects |= own(inner);
            let (written, needed) = certain(inner);
            if let Some(at) = written.map(place).filter(|at| *at != Place::Other) {
                note(&mut unit.writes, (at, inner));
            }
            if needed != 0 {
                note(&mut unit.does, (needed, inner));
            }
        }
    });
    unit
}

/// What an operation certainly does: the address that it writes to, and effects of which a statement has to have one.
fn certain<'c, 'a>(op: Op<'c, 'a>) -> (Option<Value<'c, 'a>>, Set) {
    let (dialect, operation) = op.op_name().split_once('.').unwrap_or_default();
    match (dialect, operation) {
        ("ppy_core", _) => match access(op) {
            Access::Write(address) => (Some(address), 0),
            _ => (None, 0),
        },
        ("ppy_simd", "store") => (Some(op.value(1)), 0),
        // Memory that no other thread sees needs no order.
        ("ppy_atomic", "fence") => (None, bit("atomic")),
        ("ppy_atomic", _) => match op.operands().find(|operand| PtrType::cast(operand.r#type()).is_some()) {
            Some(address) if place(address) == Place::Other => (None, 0),
            address => (address.filter(|_| operation != "load"), bit("atomic")),
        },
        // The effects of the threads' functions may stand for the threads themselves.
        ("ppy_concurrency", "spawn" | "join") => (None, set(&["thread", "write_memory", "write_object"])),
        ("ppy_concurrency", "thread_id") => (None, 0),
        ("ppy_concurrency", _) => (None, bit("sync")),
        _ => (None, 0),
    }
}

/// What an operation does by itself.
fn own(op: Op) -> Set {
    let failure = match op.int_attribute("overflow").and_then(Overflow::from_number) {
        Some(Overflow::Checked) => bit("may_raise"),
        _ => 0,
    };
    let memory = match access(op) {
        Access::None => 0,
        Access::Read(place) if matches!(object(place), Object::Local(_)) => 0,
        Access::Write(place) if matches!(object(place), Object::Local(_)) => 0,
        Access::Read(_) | Access::ReadAny => bit("read_memory"),
        Access::Write(_) => bit("write_memory"),
        Access::Unknown => UNKNOWN,
    };
    failure | memory
}

/// What a caller sees of a call.
fn given(call: Op, callee: &Unit) -> Set {
    // What a function states is what its callers see of it.
    let effects = callee.stated.unwrap_or(callee.effects) | callee.effects & OPAQUE;
    match call.bool_attribute("capture_status") {
        Some(true) => effects & !bit("may_raise"),
        _ => effects,
    }
}

/// What a function that states its effects leaves out of what is certain about them, each with the operation.
fn shortfalls<'c, 'a>(unit: &Unit<'c, 'a>, units: &[Unit<'c, 'a>]) -> Vec<(Op<'c, 'a>, String)> {
    let Some(stated) = unit.stated else { return Vec::new() };
    let function = name(unit);
    let says = format!("@{function} states the effects {}", list(stated));
    let mut found = Vec::new();
    if let Some((at, op)) = unit.writes.first().filter(|_| stated & set(&["write_memory", "write_object"]) == 0) {
        let by = match op.op_name() {
            CallOp::NAME => format!("calls @{}, which writes", op.symbol_attribute("callee").unwrap_or_default()),
            _ => "writes".into(),
        };
        let place = match at {
            Place::Parameter(index) => format!("through parameter #{index} of @{function}"),
            _ => "to a global".into(),
        };
        found.push((*op, format!("{by} {place}, but {says}: add write_memory, or drop the statement")));
    }
    for (needed, op) in unit.does.iter().filter(|(needed, _)| stated & needed == 0) {
        let one = if needed.count_ones() > 1 { "one of " } else { "" };
        let needed = list(*needed);
        found.push((*op, format!("has the effect {needed}, but {says}: add {one}{needed}, or drop the statement")));
    }
    for (call, callee) in &unit.calls {
        let callee = &units[*callee];
        let missing = given(*call, callee) & set(HANDED_ON) & !stated;
        if missing != 0 {
            let (gives, missing) = (list(given(*call, callee)), list(missing));
            let calls = format!("calls @{}, which has the effects {gives}", name(callee));
            found.push((*call, format!("{calls}, but {says}: add {missing}, or drop the statement")));
        }
    }
    found
}

fn name<'c>(unit: &Unit<'c, '_>) -> &'c str {
    unit.function.str_attribute("sym_name").unwrap_or_default()
}

/// `io, may_raise`; `none` for the empty set.
fn list(effects: Set) -> String {
    let words: Vec<&str> = EFFECTS.iter().filter(|effect| effects & bit(effect) != 0).copied().collect();
    if words.is_empty() { "none".into() } else { words.join(", ") }
}

/// Writes what was found: on functions without a statement, and on calls, where nothing else stays of an earlier run.
fn state(unit: &Unit, units: &[Unit]) {
    let context = unit.function.context_ref();
    let words = |effects: Set| {
        let words = EFFECTS.iter().filter(|effect| effects & bit(effect) != 0);
        let words: Vec<Attribute> = words.map(|word| StringAttribute::new(context, word).into()).collect();
        ArrayAttribute::new(context, &words).into()
    };
    if unit.stated.is_none() && unit.effects & UNKNOWN == 0 {
        unit.function.set("effects", words(unit.effects));
    }
    for (call, callee) in &unit.calls {
        let effects = given(*call, &units[*callee]);
        if effects & UNKNOWN != 0 {
            call.remove_discardable(CALL_EFFECTS);
            continue;
        }
        // No statement is held to what it says of reading and allocating, so that is what the body does.
        let scalar = |index| scalar_type(call.result_at(index).r#type()).is_some();
        let body = match units[*callee].effects {
            effects if effects & OPAQUE != 0 && (0..call.result_len()).all(scalar) => bit("read_memory"),
            effects if effects & OPAQUE != 0 => set(&["alloc", "read_memory"]),
            effects => effects & set(&["alloc", "read_memory", "read_object"]),
        };
        call.set(CALL_EFFECTS, words(effects | body));
    }
}
