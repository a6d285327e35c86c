//! The standard error, for whoever reads it. `eprintln!` panics where a pipe has no reader any more.

use std::{fmt::Display, io::Write};

/// Writes a line to the standard error.
pub fn say(line: impl Display) {
    // Nobody is left to tell.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
