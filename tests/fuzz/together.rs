//! Statements that run the functions of `workers.rs`: ranges, and threads that are joined at once. In between nothing
//! can fail, because the threads have stack memory of the function that starts them.

use crate::body::{Body, is_float, text};
use crate::rows::{I64, pointer};
use crate::workers::{Protocol, Reduction, Work, Worker};
use ppy_mlir::ppyir::ast::{Attr, Type, ValueId};

pub const STATEMENTS: &[(usize, fn(&mut Body))] = &[(70, run), (2, thread_id)];

/// Numbers of a range, and elements behind a pointer.
const MOST: i128 = 16;

/// Ranges of no numbers whose bounds are far apart.
const EMPTY: &[(i64, i64)] =
    &[(i64::MAX, -2), (i64::MAX, i64::MIN), (0, i64::MIN), (5, 5), (3, -3), (-1, i64::MIN), (i64::MAX, i64::MAX)];

fn run(body: &mut Body) {
    let workers: Vec<Worker> = body.workers.iter().filter(|worker| worker.strict || !body.strict).cloned().collect();
    let Some(worker) = body.dice.pick_some(&workers) else { return };
    match worker.work {
        Work::For => each(body, &worker),
        Work::Map => map(body, &worker),
        Work::Reduce(reduction) => reduce(body, &worker, reduction),
        Work::Thread(protocol) => threads(body, &worker, protocol),
    }
}

fn callee(worker: &Worker) -> (&'static str, Attr) {
    ("callee", Attr::Symbol(worker.symbol.clone()))
}

/// The bounds of a range of at most [`MOST`] numbers that begins at or after `base`.
fn bounds(body: &mut Body, base: i128) -> [ValueId; 2] {
    if body.dice.chance(12) {
        let (begin, end) = *body.dice.pick(EMPTY);
        return [begin, end].map(|bound| body.int(&I64, bound.into()));
    }
    if base == 0 && body.dice.chance(40) {
        // Whatever there is, as a number below 16.
        let (any, mask) = (body.of_type(&I64), body.int(&I64, MOST - 1));
        let end = body.one("core.and", &[any, mask], &I64, &[]);
        body.set_range(end, (0, MOST - 1));
        return [body.int(&I64, 0), end];
    }
    let begin = body.dice.below(4) as i128;
    let end = body.dice.within(begin as usize, MOST as usize) as i128;
    [body.int(&I64, base + begin), body.int(&I64, base + end)]
}

/// Memory on the stack that nothing else knows.
fn memory(body: &mut Body, element: &Type, count: i128) -> ValueId {
    let attrs = [("count", Attr::Int(count))];
    let attrs = if count == 1 { &[][..] } else { &attrs };
    body.one("core.alloca", &[], &pointer(element.clone(), "stack", false), attrs)
}

fn each(body: &mut Body, worker: &Worker) {
    let base = *body.dice.pick(&[0, 0, -7, i128::from(i64::MIN), i128::from(i64::MAX) - MOST]);
    let range = bounds(body, base);
    let mut operands = body.arguments(&worker.captures);
    let at = memory(body, &worker.element, MOST);
    operands.extend([at, body.int(&I64, base)]);
    operands.extend(range);
    body.none("parallel.for", &operands, &[callee(worker)]);
    body.set_reach(at, MOST as u64, true);
}

fn map(body: &mut Body, worker: &Worker) {
    let range = bounds(body, 0);
    let mut operands = body.arguments(&worker.captures);
    let out = memory(body, &worker.element, MOST);
    operands.extend(range);
    operands.push(out);
    body.none("parallel.map", &operands, &[callee(worker)]);
    body.set_reach(out, MOST as u64, true);
}

fn reduce(body: &mut Body, worker: &Worker, reduction: Reduction) {
    let base = *body.dice.pick(&[0, 0, -7, i128::from(i64::MIN), i128::from(i64::MAX) - MOST]);
    let range = bounds(body, base);
    let mut operands = body.arguments(&worker.captures);
    operands.extend(range);
    let small = body.dice.below(4) as i128;
    operands.push(match (reduction.small, is_float(&worker.element)) {
        (true, true) => body.float(&worker.element, small as f64),
        (true, false) => body.int(&worker.element, small),
        (false, _) => body.of_type(&worker.element),
    });
    let mut attrs = vec![callee(worker), ("op", text(reduction.op))];
    if reduction.reassociate {
        attrs.push(("reassociate", Attr::Bool(true)));
    } else if body.dice.chance(50) {
        attrs.push(("reassociate", Attr::Bool(false)));
    }
    body.one("parallel.reduce", &operands, &worker.element, &attrs);
}

fn threads(body: &mut Body, worker: &Worker, protocol: Protocol) {
    let count = body.dice.within(1, 3);
    let captures: Vec<Vec<ValueId>> = (0..count).map(|_| body.arguments(&worker.captures)).collect();
    let (message, one) = (body.of_type(&worker.element), body.int(&I64, 1));
    let parties = body.int(&I64, count as i128);
    let slots: Vec<ValueId> = (0..3).map(|_| memory(body, &I64, 2)).collect();
    let [mutex, condition, flag] = slots[..] else { return };
    // One for each thread, and one for all.
    let said: Vec<ValueId> = (0..=count).map(|_| memory(body, &worker.element, 1)).collect();
    let heard: Vec<ValueId> = (0..count).map(|_| memory(body, &worker.element, 1)).collect();
    let all = said[count];
    let mut handles = Vec::new();
    for (index, mut operands) in captures.into_iter().enumerate() {
        operands.extend(match protocol {
            Protocol::Own => vec![said[index]],
            Protocol::Atomic => vec![all],
            Protocol::Locked => vec![mutex, all],
            Protocol::Barrier => vec![mutex, parties, said[index], said[(index + 1) % count], heard[index]],
            Protocol::Condition => vec![mutex, condition, flag, all, heard[index]],
        });
        handles.push(body.one("concurrency.spawn", &operands, &I64, &[callee(worker)]));
    }
    if protocol == Protocol::Condition {
        body.none("core.store", &[message, all], &[]);
        body.none("concurrency.mutex_lock", &[mutex], &[]);
        body.none("core.store", &[one, flag], &[]);
        body.none("concurrency.condition_notify", &[condition], &[]);
        body.none("concurrency.mutex_unlock", &[mutex], &[]);
    }
    body.dice.shuffle(&mut handles);
    for handle in &handles {
        body.one("concurrency.join", &[*handle], &I64, &[]);
    }
    // A handle differs from engine to engine: nobody else reads it.
    body.scope.retain(|id| !handles.contains(id));
    for cell in said.into_iter().chain(heard) {
        body.set_reach(cell, 1, true);
    }
}

/// Which number it is differs from engine to engine, but not that there is one.
fn thread_id(body: &mut Body) {
    let scope = body.scope.len();
    let id = body.one("concurrency.thread_id", &[], &I64, &[]);
    let zero = body.int(&I64, 0);
    let some = body.one("core.cmp", &[id, zero], &Type::Bool, &[("predicate", text("ne"))]);
    body.scope.truncate(scope);
    body.scope.push(some);
}
