//! What the tools share: reading input, writing output, versions, arguments, and how a tool ends.

pub mod args;
pub mod crash;
pub mod input;
pub mod link;
pub mod output;
pub mod passes;
pub mod profile;
pub mod run;
pub mod translate;
pub mod version;

use std::fmt;

/// Why a tool stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The user's error.
    User(String),
    /// Errors with their places, each line complete as it stands.
    Input(String),
    /// A bug of ours.
    Internal(String),
}

impl Failure {
    /// The exit status: 1 for the user's errors, 70 for ours.
    pub fn status(&self) -> i32 {
        match self {
            Failure::User(_) | Failure::Input(_) => 1,
            Failure::Internal(_) => 70,
        }
    }
}

impl Failure {
    /// Several as one, each said in its order.
    pub fn all(failures: Vec<Failure>) -> Failure {
        let bug = failures.iter().position(|failure| matches!(failure, Failure::Internal(_)));
        match (bug, &failures[..]) {
            (Some(bug), _) => failures[bug].clone(),
            (None, [one]) => one.clone(),
            (None, several) => Failure::Input(several.iter().map(Failure::to_string).collect::<Vec<_>>().join("\n")),
        }
    }
}

/// A name as it stands in a sentence: an empty one would not be seen.
pub(crate) fn named(name: &str) -> &str {
    if name.is_empty() { "''" } else { name }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::User(message) => write!(f, "error: {message}"),
            Failure::Input(lines) => f.write_str(lines),
            Failure::Internal(message) => write!(
                f,
                "error: internal error: {message}\nthis is a bug in ppy-mlir; please report it with the input and the \
                 command line"
            ),
        }
    }
}
