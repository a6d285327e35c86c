//! The threads of an interpreted program: who runs, who has ended, who is to start.
//!
//! Threads are interleaved, never parallel: the scheduler (`schedule.rs`) runs one after the other for a slice of fuel
//! each, and lets the next one run at every operation that threads notice each other by. So a run is deterministic,
//! memory is sequentially consistent, and what a program answers here is one of its possible answers.

use super::error::Stop;

/// What a thread came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// Ended with this status, and not joined yet.
    Ended(i32),
    Joined,
}

/// A thread to start: its number, the function's index, and the words of its arguments.
#[derive(Debug)]
pub struct Start {
    pub thread: usize,
    pub function: usize,
    pub arguments: Vec<u64>,
}

/// The threads of one call. The caller's own is number 0.
#[derive(Debug, Default)]
pub struct Threads {
    states: Vec<State>,
    starting: Vec<Start>,
    current: usize,
}

impl Threads {
    /// Only the calling thread.
    pub fn new() -> Threads {
        Threads { states: vec![State::Running], starting: Vec::new(), current: 0 }
    }

    /// Has a thread started that runs a function; gives its handle.
    pub fn spawn(&mut self, function: usize, arguments: Vec<u64>) -> u64 {
        let thread = self.states.len();
        self.states.push(State::Running);
        self.starting.push(Start { thread, function, arguments });
        handle(thread)
    }

    /// The status of a thread that has ended, for the one time that it may be asked; `None` while it runs.
    pub fn join(&mut self, asked: u64) -> Result<Option<i32>, Stop> {
        let thread = asked.wrapping_sub(1) as usize;
        let Some(state) = self.states.get_mut(thread).filter(|_| thread != 0) else {
            return Err(Stop::undefined(format!("joins {}, which is no thread's handle", asked as i64)));
        };
        match *state {
            State::Running if thread == self.current => Err(Stop::undefined("a thread joins itself")),
            State::Running => Ok(None),
            State::Ended(status) => {
                *state = State::Joined;
                Ok(Some(status))
            }
            State::Joined => Err(Stop::undefined("joins a thread that is joined already")),
        }
    }

    /// The identity of the running thread, which is never 0.
    pub fn id(&self) -> u64 {
        handle(self.current)
    }

    /// Makes a thread the running one.
    pub(super) fn run(&mut self, thread: usize) {
        self.current = thread;
    }

    /// The threads that were spawned since this was last asked.
    pub(super) fn started(&mut self) -> Vec<Start> {
        std::mem::take(&mut self.starting)
    }

    pub(super) fn end(&mut self, thread: usize, status: i32) {
        if let Some(state) = self.states.get_mut(thread) {
            *state = State::Ended(status);
        }
    }
}

/// A thread's number as the program sees it.
fn handle(thread: usize) -> u64 {
    thread as u64 + 1
}
