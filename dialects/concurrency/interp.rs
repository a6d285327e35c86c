//! What the concurrency operations do when the interpreter runs them. The slots change as compiled code changes them.

use crate::interp::Rule;
use crate::interp::compile::{Attempt, Compiled, Context, Decode, Operand};
use crate::interp::error::{Refusal, Stop};
use crate::ppyir::ast::Type;
use crate::semantics::{IntType, ScalarType};

/// The rules of the concurrency dialect by operation.
pub const RULES: &[(&str, Rule)] = &[
    ("concurrency.spawn", spawn),
    ("concurrency.join", join),
    ("concurrency.mutex_lock", mutex_lock),
    ("concurrency.mutex_unlock", mutex_unlock),
    ("concurrency.condition_wait", condition_wait),
    ("concurrency.condition_notify", condition_notify),
    ("concurrency.barrier", barrier),
    ("concurrency.thread_id", thread_id),
];

type Ruled = Result<Compiled, Refusal>;

const I64: ScalarType = ScalarType::Int(IntType::I64);

/// An `i64` value's slot in the frame.
fn integer(value: &Operand) -> Result<usize, Refusal> {
    match ScalarType::of(value.ty) {
        Some(I64) => Ok(value.slot),
        _ => Err(Refusal(format!("needs an i64, not {}", value.ty))),
    }
}

/// The frame's slot of a pointer to `i64`.
fn pointer(value: &Operand) -> Result<usize, Refusal> {
    match value.ty {
        Type::Ptr(ptr) if ScalarType::of(&ptr.pointee) == Some(I64) => Ok(value.slot),
        ty => Err(Refusal(format!("works on a pointer to i64, not {ty}"))),
    }
}

/// Adds to a slot in memory, which wraps.
fn add(cx: &mut Context, address: u64, by: u64) -> Result<(), Stop> {
    let old = cx.memory.load(address, I64)?;
    cx.memory.store(address, I64, old.wrapping_add(by))
}

fn spawn(d: &Decode) -> Ruled {
    let name = d.required("callee")?;
    let index = d.callee(name)?;
    let function = d.unit.functions[index];
    let given = (0..d.op.operands.len()).map(|i| Ok(d.operand(i)?.ty)).collect::<Result<Vec<_>, Refusal>>()?;
    if !function.results.is_empty() || !given.iter().copied().eq(function.params.iter().map(|param| &param.ty)) {
        return Err(Refusal(format!("passes other types than @{name} takes, or takes results of it")));
    }
    let (arguments, handle) = (d.operand_slots(0)?, integer(&d.result(0)?)?);
    Ok(Compiled::point(move |cx| {
        let words = arguments.iter().map(|slot| cx.get(*slot)).collect();
        let spawned = cx.threads.spawn(index, words);
        cx.set(handle, spawned);
        Ok(())
    }))
}

fn join(d: &Decode) -> Ruled {
    d.arity(1, 1)?;
    let (handle, status) = (integer(&d.operand(0)?)?, integer(&d.result(0)?)?);
    let ended: Attempt = Box::new(move |cx| match cx.threads.join(cx.get(handle))? {
        Some(ended) => {
            cx.set(status, i64::from(ended) as u64);
            Ok(true)
        }
        None => Ok(false),
    });
    Ok(Compiled::Wait(vec![ended]))
}

/// Takes the mutex that a frame's slot points to, when nobody has it.
fn take(mutex: usize) -> Attempt {
    Box::new(move |cx| {
        let address = cx.get(mutex);
        let free = cx.memory.load(address, I64)? == 0;
        if free {
            cx.memory.store(address, I64, 1)?;
        }
        Ok(free)
    })
}

fn mutex_lock(d: &Decode) -> Ruled {
    d.arity(1, 0)?;
    Ok(Compiled::Wait(vec![take(pointer(&d.operand(0)?)?)]))
}

fn mutex_unlock(d: &Decode) -> Ruled {
    d.arity(1, 0)?;
    let mutex = pointer(&d.operand(0)?)?;
    Ok(Compiled::point(move |cx| cx.memory.store(cx.get(mutex), I64, 0)))
}

/// Waits until the slot at an address, which `at` finds, is not what it was.
fn change(seen: usize, at: impl Fn(&Context) -> u64 + 'static) -> Attempt {
    Box::new(move |cx| Ok(cx.memory.load(at(cx), I64)? != cx.get(seen)))
}

fn condition_wait(d: &Decode) -> Ruled {
    d.arity(2, 0)?;
    let (condition, mutex) = (pointer(&d.operand(0)?)?, pointer(&d.operand(1)?)?);
    let seen = d.hidden_slot();
    let release: Attempt = Box::new(move |cx| {
        let count = cx.memory.load(cx.get(condition), I64)?;
        cx.set(seen, count);
        cx.memory.store(cx.get(mutex), I64, 0)?;
        Ok(true)
    });
    Ok(Compiled::Wait(vec![release, change(seen, move |cx| cx.get(condition)), take(mutex)]))
}

fn condition_notify(d: &Decode) -> Ruled {
    d.arity(1, 0)?;
    let condition = pointer(&d.operand(0)?)?;
    Ok(Compiled::point(move |cx| add(cx, cx.get(condition), 1)))
}

fn barrier(d: &Decode) -> Ruled {
    d.arity(2, 0)?;
    let (slots, parties) = (pointer(&d.operand(0)?)?, integer(&d.operand(1)?)?);
    let seen = d.hidden_slot();
    let generation = move |cx: &Context| cx.get(slots).wrapping_add(8);
    let arrive: Attempt = Box::new(move |cx| {
        let arrivals = cx.get(slots);
        let current = cx.memory.load(generation(cx), I64)?;
        cx.set(seen, current);
        add(cx, arrivals, 1)?;
        if cx.memory.load(arrivals, I64)? as i64 >= cx.get(parties) as i64 {
            cx.memory.store(arrivals, I64, 0)?;
            add(cx, generation(cx), 1)?;
        }
        Ok(true)
    });
    Ok(Compiled::Wait(vec![arrive, change(seen, generation)]))
}

fn thread_id(d: &Decode) -> Ruled {
    d.arity(0, 1)?;
    let result = integer(&d.result(0)?)?;
    Ok(Compiled::step(move |cx| {
        let id = cx.threads.id();
        cx.set(result, id);
        Ok(())
    }))
}
