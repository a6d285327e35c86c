//! `infer-effects`: what functions do that state nothing, from their bodies and callees, and whether those that state
//! something state enough.
//!
//! Effects are sets that only grow on the way from callees to callers, so the work is done when none grows any more:
//! recursion needs no care. What calls something unknown stays without a statement.

use super::{functions::functions, functions::walk, generated::InferEffectsOptions};
use crate::{
    dialects::core::{
        enums::Overflow,
        memory::{Access, Object, access, object},
        ops::{CallExternOp, CallIndirectOp, CallOp, FuncOp, GuardOp},
        verify_symbols::EFFECTS,
    },
    mlir::{attribute::strings, diagnostic::emit_op_error, hooks::PassFailure, op::scalar_type, prelude::*},
};
use melior::ir::attribute::ArrayAttribute;
use std::collections::HashMap;

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

/// A function as the pass sees it.
struct Unit<'c, 'a> {
    function: Op<'c, 'a>,
    stated: Option<Set>,
    effects: Set,
    calls: Vec<(Op<'c, 'a>, usize)>,
    /// A store through a parameter.
    writes: Option<Op<'c, 'a>>,
}

pub fn run(module: Op, _: &InferEffectsOptions) -> Result<(), PassFailure> {
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
        if grown != unit.effects {
            units[index].effects = grown;
            pending.extend(&callers[index]);
        }
    }
    // Every unit, so that every error is reported.
    let short = units.iter().filter(|unit| !states_enough(unit, &units)).count();
    if short > 0 {
        return Err(PassFailure::Reported);
    }
    units.iter().for_each(|unit| state(unit, &units));
    Ok(())
}

fn unit<'c: 'a, 'a>(function: FuncOp<'c, 'a>, names: &HashMap<&str, usize>) -> Unit<'c, 'a> {
    let stated = function.effects().map(|effects| set(&strings(effects)));
    let FuncOp(op) = function;
    let mut unit = Unit { function: op, stated, effects: 0, calls: Vec::new(), writes: None };
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
            if let Access::Write(place) = access(inner)
                && object(place) == Object::Foreign
            {
                unit.writes.get_or_insert(inner);
            }
        }
    });
    unit
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

/// Whether a function that states its effects states what is certain about them; an error has been emitted where not.
fn states_enough(unit: &Unit, units: &[Unit]) -> bool {
    let Some(stated) = unit.stated else { return true };
    let mut good = true;
    if let Some(store) = unit.writes.filter(|_| stated & set(&["write_memory", "write_object"]) == 0) {
        good = false;
        emit_op_error(
            store,
            &format!(
                "writes through a parameter, but @{} states the effects {}: add write_memory, or drop the statement",
                name(unit),
                list(stated)
            ),
        );
    }
    for (call, callee) in &unit.calls {
        let missing = given(*call, &units[*callee]) & set(HANDED_ON) & !stated;
        if missing != 0 {
            good = false;
            emit_op_error(
                *call,
                &format!(
                    "calls @{}, which has the effects {}, but @{} states {}: add {}, or drop the statement",
                    name(&units[*callee]),
                    list(given(*call, &units[*callee])),
                    name(unit),
                    list(stated),
                    list(missing)
                ),
            );
        }
    }
    good
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
