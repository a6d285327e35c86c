//! Functions that run at the same time: the bodies of parallel operations, and what threads run.
//!
//! What they come to does not depend on who is first or where a range is split. So a body sees neither the bounds of
//! its part nor the accumulator, and writes only its own element; a thread tells others what no step of it can fail
//! before, and what it reads of them is the same in every order.

use crate::body::{Body, Callee, int_of, is_float, text};
use crate::control::{compare, statements};
use crate::dice::Dice;
use crate::generate::assemble;
use crate::rows::{I64, float_type, int_type, pointer, scalar_type, value_type};
use ppy_mlir::ppyir::ast::{Attr, Function, Type, ValueId};
use smol_str::{SmolStr, format_smolstr};

/// A function that runs beside others, and how it is to be used.
#[derive(Clone, Debug)]
pub struct Worker {
    pub symbol: SmolStr,
    /// Of the parameters that may have any value; the others follow them.
    pub captures: Vec<Type>,
    /// The type of the numbers that it works on.
    pub element: Type,
    pub work: Work,
    /// As of a [`Callee`].
    pub strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Changes each element behind a pointer; the first one belongs to the number of another parameter.
    For,
    Map,
    Reduce(Reduction),
    Thread(Protocol),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    pub op: &'static str,
    /// Floats in any order.
    pub reassociate: bool,
    /// The accumulator begins small, and stays so.
    pub small: bool,
}

/// What a thread does with memory that others see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Writes memory of its own.
    Own,
    /// Changes a cell by one kind of atomic operation.
    Atomic,
    /// Changes a cell under a mutex.
    Locked,
    /// Says something, meets the others, and hears what another one said.
    Barrier,
    /// Waits for a message.
    Condition,
}

/// Where a function is made.
pub struct Place<'g> {
    pub dice: &'g mut Dice,
    pub callees: &'g [Callee],
    pub strings: &'g [(SmolStr, u64)],
    pub symbol: SmolStr,
}

/// Functions of which the last one is the worker.
pub fn make(mut place: Place) -> (Vec<Function>, Worker) {
    let dice = &mut *place.dice;
    let captures: Vec<Type> = (0..dice.below(4)).map(|_| value_type(dice)).collect();
    let strict = dice.chance(50);
    match dice.weighted(&[25, 15, 30, 30]) {
        0 => each(place, captures, strict),
        1 => map(place, captures, strict),
        2 => reduce(place, captures, strict),
        _ => {
            let protocols = [Protocol::Own, Protocol::Atomic, Protocol::Locked, Protocol::Barrier, Protocol::Condition];
            let protocol = *dice.pick(&protocols);
            thread(&mut place, captures, protocol)
        }
    }
}

fn start<'g>(place: &'g mut Place, params: &[Type], results: &[Type], strict: bool) -> Body<'g> {
    let mut body = Body::new(place.dice, place.callees, place.strings, &[], results.to_vec(), strict);
    body.budget = body.dice.within(1, 6);
    body.depth = 1;
    body.blocks[0].args = params.iter().map(|ty| body.value(ty)).collect();
    body
}

fn end(symbol: &SmolStr, body: Body, params: Vec<Type>, results: Vec<Type>) -> Function {
    let (region, values) = body.finish();
    assemble(symbol.clone(), true, params, results, region, values)
}

// ---------------------------------------------------------------- ranges

/// A loop over the part of a range that the parameters after the captures bound. `step` does what there is for a
/// number, and gives the next accumulator.
fn over_range(
    body: &mut Body,
    captures: usize,
    accumulator: Option<&Type>,
    step: impl FnOnce(&mut Body, ValueId, Option<ValueId>) -> Option<ValueId>,
) -> Option<ValueId> {
    body.may_return = false;
    let args = body.blocks[0].args.clone();
    let (begin, limit) = (args[captures], args[captures + 1]);
    let carried: Vec<Type> = accumulator.into_iter().cloned().collect();
    let header_types: Vec<Type> = std::iter::once(&I64).chain(&carried).cloned().collect();
    let (header, inner, exit) = (body.block(&header_types), body.block(&[]), body.block(&carried));
    let first: Vec<ValueId> = std::iter::once(begin).chain(args.get(captures + 2).copied()).collect();
    body.br(header, &first);
    body.current = header;
    let state = body.blocks[header].args.clone();
    let scope = body.scope.len();
    let more = compare(body, "lt", state[0], limit);
    body.scope.truncate(scope);
    body.cond_br(more, (inner, &[]), (exit, &state[1..]));
    body.enter(inner);
    body.scope.push(state[0]);
    let next = step(body, state[0], state.get(1).copied());
    let one = body.int(&I64, 1);
    // The number is below another, so the next one fits.
    let mode = *body.dice.pick(&["proven", "wrap", "python", "checked", "native"]);
    let number = body.one("core.add", &[state[0], one], &I64, &[("overflow", text(mode))]);
    let again: Vec<ValueId> = std::iter::once(number).chain(next).collect();
    body.br(header, &again);
    body.scope.truncate(scope);
    body.current = exit;
    body.blocks[exit].args.first().copied()
}

fn each(mut place: Place, captures: Vec<Type>, strict: bool) -> (Vec<Function>, Worker) {
    let element = scalar_type(place.dice);
    let memory = pointer(element.clone(), "stack", false);
    let mut params = captures.clone();
    params.extend([memory.clone(), I64, I64, I64]);
    let symbol = place.symbol.clone();
    let mut body = start(&mut place, &params, &[], strict);
    let args = body.blocks[0].args.clone();
    body.scope.extend(&args[..captures.len()]);
    let (at, base) = (args[captures.len()], args[captures.len() + 1]);
    over_range(&mut body, captures.len() + 2, None, |body, number, _| {
        let index = body.one("core.sub", &[number, base], &I64, &[("overflow", text("wrap"))]);
        let own = body.one("core.ptr_offset", &[at, index], &memory, &[]);
        // How far the number is from the base of the whole range is the same in every part.
        body.set_reach(own, 1, true);
        body.one("core.load", &[own], &element, &[]);
        statements(body);
        let value = body.of_type(&element);
        body.none("core.store", &[value, own], &[]);
        None
    });
    body.none("core.ret", &[], &[]);
    let function = end(&symbol, body, params, vec![]);
    (vec![function], Worker { symbol, captures, element, work: Work::For, strict })
}

fn map(mut place: Place, captures: Vec<Type>, strict: bool) -> (Vec<Function>, Worker) {
    let element = value_type(place.dice);
    let mut params = captures.clone();
    params.push(I64);
    let symbol = place.symbol.clone();
    let mut body = start(&mut place, &params, std::slice::from_ref(&element), strict);
    body.enter(0);
    statements(&mut body);
    body.ret();
    let function = end(&symbol, body, params, vec![element.clone()]);
    (vec![function], Worker { symbol, captures, element, work: Work::Map, strict })
}

fn reduce(mut place: Place, captures: Vec<Type>, strict: bool) -> (Vec<Function>, Worker) {
    let dice = &mut *place.dice;
    let op = *dice.pick(&["add", "add", "mul", "min", "max"]);
    let arithmetic = ["add", "mul"].contains(&op);
    let (element, small) = match dice.weighted(&[55, 20, 25]) {
        0 => (int_type(dice), false),
        1 => (if op == "add" && dice.chance(40) { float_type(dice) } else { I64 }, true),
        _ => (float_type(dice), false),
    };
    // Sums of small whole numbers are exact, and so is what is the least.
    let reassociate = (small || !arithmetic || !is_float(&element)) && dice.chance(70);
    let helper = (arithmetic && !small && dice.chance(25)).then(|| format_smolstr!("{}_fold", place.symbol));
    let mut params = captures.clone();
    params.extend([I64, I64, element.clone()]);
    let symbol = place.symbol.clone();
    let mut functions = Vec::new();
    if let Some(helper) = &helper {
        functions.push(fold_function(&mut place, helper, op, &element));
    }
    let mut body = start(&mut place, &params, std::slice::from_ref(&element), strict);
    let args = body.blocks[0].args.clone();
    body.scope.extend(&args[..captures.len()]);
    let result = over_range(&mut body, captures.len(), Some(&element), |body, _, accumulator| {
        let accumulator = accumulator?;
        statements(body);
        let part = if small { small_part(body, op, &element) } else { body.of_type(&element) };
        Some(match &helper {
            Some(helper) => {
                body.one("core.call", &[accumulator, part], &element, &[("callee", Attr::Symbol(helper.clone()))])
            }
            None => fold(body, op, &element, small, accumulator, part),
        })
    });
    body.none("core.ret", &result.into_iter().collect::<Vec<_>>(), &[]);
    functions.push(end(&symbol, body, params, vec![element.clone()]));
    let work = Work::Reduce(Reduction { op, reassociate, small });
    (functions, Worker { symbol, captures, element, work, strict })
}

/// A function of an accumulator and a number: what it does is not in sight of the reduction.
fn fold_function(place: &mut Place, symbol: &SmolStr, op: &'static str, element: &Type) -> Function {
    let params = vec![element.clone(), element.clone()];
    let mut body = start(place, &params, std::slice::from_ref(element), true);
    let args = body.blocks[0].args.clone();
    let checked = int_of(element).is_some() && body.dice.chance(50);
    let name = format!("core.{op}");
    let mode = [("overflow", text(if checked { "checked" } else { "wrap" }))];
    let result = body.one(&name, &args, element, if int_of(element).is_some() { &mode } else { &[] });
    body.none("core.ret", &[result], &[]);
    end(symbol, body, params, vec![element.clone()])
}

/// A number of which many do not overflow.
fn small_part(body: &mut Body, op: &str, element: &Type) -> ValueId {
    let (any, mask) = (body.of_type(&I64), body.int(&I64, 3));
    let part = body.one("core.and", &[any, mask], &I64, &[]);
    if op == "add" {
        return if is_float(element) { body.one("core.cast", &[part], element, &[]) } else { part };
    }
    let (one, two) = (body.int(&I64, 1), body.int(&I64, 2));
    let condition = compare(body, "lt", part, two);
    body.one("core.select", &[condition, one, two], element, &[])
}

fn fold(body: &mut Body, op: &str, element: &Type, small: bool, accumulator: ValueId, part: ValueId) -> ValueId {
    if !["add", "mul"].contains(&op) {
        let predicate = if op == "min" { "lt" } else { "gt" };
        let better = compare(body, predicate, part, accumulator);
        return body.one("core.select", &[better, part, accumulator], element, &[]);
    }
    if int_of(element).is_none() {
        return body.one(&format!("core.{op}"), &[accumulator, part], element, &[]);
    }
    let mode = if small {
        *body.dice.pick(&["python", "checked", "wrap", "proven", "native"])
    } else {
        *body.dice.pick(&["wrap", "wrap", "checked"])
    };
    let name = if op == "add" && !small && body.dice.chance(25) { "core.sub" } else { &format!("core.{op}") };
    body.one(name, &[accumulator, part], element, &[("overflow", text(mode))])
}

// ---------------------------------------------------------------- threads

/// What a thread gets beside its captures.
pub fn shared(protocol: Protocol, element: &Type) -> Vec<Type> {
    let (slot, cell) = (pointer(I64, "stack", false), pointer(element.clone(), "stack", false));
    match protocol {
        Protocol::Own | Protocol::Atomic => vec![cell],
        Protocol::Locked => vec![slot, cell],
        Protocol::Barrier => vec![slot, I64, cell.clone(), cell.clone(), cell],
        Protocol::Condition => vec![slot.clone(), slot.clone(), slot, cell.clone(), cell],
    }
}

fn thread(place: &mut Place, captures: Vec<Type>, protocol: Protocol) -> (Vec<Function>, Worker) {
    let element = match protocol {
        Protocol::Atomic | Protocol::Locked => int_type(place.dice),
        _ => value_type(place.dice),
    };
    let mut params = captures.clone();
    params.extend(shared(protocol, &element));
    let symbol = place.symbol.clone();
    // The status of a thread is a value.
    let strict = true;
    let mut body = start(place, &params, &[], strict);
    let args = body.blocks[0].args.clone();
    let (seen, memory) = args.split_at(captures.len());
    body.scope.extend(seen);
    if protocol == Protocol::Own {
        statements(&mut body);
    }
    let value = body.of_type(&element);
    speak(&mut body, protocol, &element, value, memory);
    statements(&mut body);
    body.none("core.ret", &[], &[]);
    let function = end(&symbol, body, params, vec![]);
    (vec![function], Worker { symbol, captures, element, work: Work::Thread(protocol), strict })
}

/// The part of a thread in which others are involved.
fn speak(body: &mut Body, protocol: Protocol, element: &Type, value: ValueId, memory: &[ValueId]) {
    match (protocol, memory) {
        (Protocol::Own, [own]) => body.none("core.store", &[value, *own], &[]),
        (Protocol::Atomic, [cell]) => {
            // Additions and subtractions may change places; what each finds may not be seen.
            let name = *body.dice.pick(&["atomic.fetch_add", "atomic.fetch_sub", "atomic.fetch_xor"]);
            let order = *body.dice.pick(&["relaxed", "acquire", "release", "acq_rel", "seq_cst"]);
            let scope = body.scope.len();
            body.one(name, &[*cell, value], element, &[("order", text(order))]);
            body.scope.truncate(scope);
        }
        (Protocol::Locked, [mutex, cell]) => {
            let name = *body.dice.pick(&["core.xor", "core.or", "core.and"]);
            let scope = body.scope.len();
            body.none("concurrency.mutex_lock", &[*mutex], &[]);
            let old = body.one("core.load", &[*cell], element, &[]);
            let new = body.one(name, &[old, value], element, &[]);
            body.none("core.store", &[new, *cell], &[]);
            body.none("concurrency.mutex_unlock", &[*mutex], &[]);
            body.scope.truncate(scope);
        }
        (Protocol::Barrier, [slots, parties, mine, others, out]) => {
            body.none("core.store", &[value, *mine], &[]);
            body.none("concurrency.barrier", &[*slots, *parties], &[]);
            let heard = body.one("core.load", &[*others], element, &[]);
            body.none("core.store", &[heard, *out], &[]);
            if body.dice.chance(50) {
                // All have heard before anybody says more.
                body.none("concurrency.barrier", &[*slots, *parties], &[]);
                body.none("core.store", &[heard, *mine], &[]);
            }
        }
        (Protocol::Condition, [mutex, condition, flag, message, out]) => {
            let (head, wait, ready) = (body.block(&[]), body.block(&[]), body.block(&[]));
            body.none("concurrency.mutex_lock", &[*mutex], &[]);
            body.br(head, &[]);
            body.enter(head);
            let scope = body.scope.len();
            let up = body.one("core.load", &[*flag], &I64, &[]);
            let zero = body.int(&I64, 0);
            let said = compare(body, "ne", up, zero);
            body.scope.truncate(scope);
            body.cond_br(said, (ready, &[]), (wait, &[]));
            body.enter(wait);
            body.none("concurrency.condition_wait", &[*condition, *mutex], &[]);
            body.br(head, &[]);
            body.enter(ready);
            let heard = body.one("core.load", &[*message], element, &[]);
            body.none("concurrency.mutex_unlock", &[*mutex], &[]);
            body.none("core.store", &[heard, *out], &[]);
        }
        _ => {}
    }
}
