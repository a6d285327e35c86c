//! How a tool runs and ends: on a large stack, with panics and crashes reported as bugs of ours.

use super::Failure;
use crate::mlir::{hooks, process};
use crate::say::say;
use std::{panic, thread};

/// Upstream's passes and printers recurse over the IR.
const STACK: usize = 256 << 20;

/// Runs a tool and answers its exit status: 0, 1 after an error of the user's, 70 after one of ours.
pub fn run(tool: impl FnOnce() -> Result<(), Failure> + Send) -> i32 {
    run_status(|| match tool() {
        Ok(()) => 0,
        Err(failure) => {
            say(&failure);
            failure.status()
        }
    })
}

/// The same for a tool that reports its own errors and answers a status.
pub fn run_status(tool: impl FnOnce() -> i32 + Send) -> i32 {
    panic::set_hook(Box::new(|info| {
        let message = hooks::panic_message(info.payload());
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        say(Failure::Internal(format!("{message}{place}")));
    }));
    let body = || {
        // The handler's stack belongs to the thread.
        process::report_own_crashes();
        tool()
    };
    let status = thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body) {
        // The hook has reported a panic.
        Ok(thread) => thread.join().unwrap_or(70),
        Err(error) => {
            say(format_args!("error: cannot start a thread: {error}"));
            1
        }
    });
    if hooks::panicked() { 70 } else { status }
}
