//! Making operations of one context on several threads.
//!
//! MLIR's contexts are made for that: types, attributes and locations are found or made under locks, and an operation
//! that is in no block yet is its thread's own. melior's handles are not `Send`, which is why this is here.

use melior::Context;
use mlir_sys::mlirContextGetNumThreads;
use std::{
    panic::resume_unwind,
    sync::{Mutex, PoisonError},
    thread,
};

/// What goes to another thread, or comes from one that has ended.
struct Sent<T>(T);

// SAFETY: `build` sends a context, whose uniquing takes locks where `threads` says more than one, and what a thread has
// made once that thread has ended.
unsafe impl<T> Send for Sent<T> {}
unsafe impl<T> Sync for Sent<T> {}

/// How many threads may use the context at once: one where multithreading is off.
pub fn threads(context: &Context) -> usize {
    unsafe { mlirContextGetNumThreads(context.to_raw()) as usize }
}

/// What `make` makes of each item, in the order of the items, on up to that many threads. Each takes the next item when
/// it has made one, and has a state of its own; the states come last.
pub fn build<'c, I: Send, S, R>(
    context: &'c Context,
    threads: usize,
    items: impl Iterator<Item = I> + Send,
    state: impl Fn(&'c Context) -> S + Sync,
    make: impl Fn(&mut S, I) -> R + Sync,
) -> (Vec<R>, Vec<S>) {
    let threads = threads.min(self::threads(context));
    let queue = Mutex::new(items.enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let context = Sent(context);
    let work = || {
        let Sent(context) = &context;
        let mut state = state(context);
        let made: Vec<(usize, R)> =
            std::iter::from_fn(next).map(|(index, item)| (index, make(&mut state, item))).collect();
        Sent((made, state))
    };
    let mut done = Vec::new();
    thread::scope(|scope| {
        // A thread that does not start is one less.
        let others: Vec<_> =
            (1..threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        done.push(work().0);
        done.extend(others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)).0));
    });
    let (made, states): (Vec<_>, Vec<_>) = done.into_iter().unzip();
    let mut made: Vec<_> = made.into_iter().flatten().collect();
    made.sort_unstable_by_key(|(index, _)| *index);
    (made.into_iter().map(|(_, one)| one).collect(), states)
}
