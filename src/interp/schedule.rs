//! The scheduler: threads run in turn, deterministically, until the called function has ended.

use super::compile::Code;
use super::error::{Cause, Stop};
use super::machine::{Interpreter, Place, Run, Trouble, trouble};
use super::threads::Threads;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

/// How far a thread came.
pub(super) enum Progress {
    /// With its result words, or the status it failed with.
    Ended(Result<Vec<u64>, i32>),
    /// It would go on; another one's turn.
    Paused,
    /// It did nothing but find that what it waits for is not there.
    Waiting,
}

/// Operations that a thread may run before the next one's turn.
const SLICE: u64 = 500;

/// Bytes that a thread counts against the memory limit, beside its frames.
const THREAD_COST: u64 = 1024;

/// What the called function came to, and the first failure in it.
type Outcome = (Result<Vec<u64>, i32>, Option<(Cause, Place)>);

impl Interpreter<'_> {
    /// Runs a function, and the threads that it starts. What is still running when it ends runs on, unless it waits in
    /// vain.
    pub(super) fn schedule(
        &mut self,
        function: usize,
        code: Rc<Code>,
        arguments: &[u64],
    ) -> Result<Outcome, (Trouble, Option<Place>)> {
        self.threads = Threads::new();
        let mut runs = VecDeque::new();
        let result = self.turns(&mut runs, function, code, arguments);
        for (thread, run) in runs {
            run.abandon(&mut self.memory);
            self.memory.release(if thread == 0 { 0 } else { THREAD_COST });
        }
        result
    }

    fn turns(
        &mut self,
        runs: &mut VecDeque<(usize, Run)>,
        function: usize,
        code: Rc<Code>,
        arguments: &[u64],
    ) -> Result<Outcome, (Trouble, Option<Place>)> {
        let run = Run::start(self, function, code, arguments).map_err(|stop| trouble(stop, None))?;
        runs.push_back((0, run));
        let mut outcome = None;
        // How many threads in a row only waited.
        let mut waiting = 0;
        while let Some((thread, mut run)) = runs.pop_front() {
            self.threads.run(thread);
            let deadline = self.limits.deadline;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                let place = run.place();
                runs.push_back((thread, run));
                return Err(trouble(Stop::limit("still running at the time limit".to_owned()), place));
            }
            let alone = runs.is_empty() && deadline.is_none();
            let until = if alone { 0 } else { self.fuel.saturating_sub(SLICE) };
            let progress = match run.advance(self, until) {
                Ok(progress) => progress,
                Err(error) => {
                    runs.push_back((thread, run));
                    return Err(error);
                }
            };
            waiting = if matches!(progress, Progress::Waiting) { waiting + 1 } else { 0 };
            match progress {
                Progress::Ended(result) => {
                    self.threads.end(thread, result.as_ref().err().copied().unwrap_or(super::OK));
                    if thread == 0 {
                        outcome = Some((result, run.cause));
                    } else {
                        self.memory.release(THREAD_COST);
                    }
                }
                Progress::Paused | Progress::Waiting => runs.push_back((thread, run)),
            }
            for start in self.threads.started() {
                let code = self.compiled(start.function);
                let code = code.ok_or_else(|| trouble(Stop::undefined("spawns what is no function"), None))?;
                let started = self.memory.reserve(THREAD_COST);
                let run = started.and_then(|()| Run::start(self, start.function, code, &start.arguments));
                runs.push_back((start.thread, run.map_err(|stop| trouble(stop, None))?));
            }
            if waiting > 0 && waiting >= runs.len() {
                if outcome.is_some() {
                    break;
                }
                let place = runs.iter().find(|(thread, _)| *thread == 0).and_then(|(_, run)| run.place());
                let threads = match runs.len() {
                    1 => "the only thread waits for what no other will do".to_owned(),
                    n => format!("all {n} threads wait for each other"),
                };
                return Err(trouble(Stop::limit(format!("deadlock: {threads}")), place));
            }
        }
        outcome.ok_or_else(|| trouble(Stop::undefined("the called function never ends"), None))
    }
}
