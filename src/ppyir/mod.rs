//! `.ppyir`: the on-disk text of the ppy IR, read into and printed from plain Rust data, without MLIR.
//!
//! Invariants: `print(parse(t)) == t` for printed text, byte for byte, and `parse(print(m)) == m`; no input makes the
//! reader panic or run out of stack. Source: spec `ir.txt`, section Text and `.ppyir`.

pub mod ast;
mod attrs;
mod body;
mod dialect_type;
mod error;
pub mod export;
mod export_lanes;
mod import;
mod lexer;
pub mod location;
mod names;
mod num;
mod parse;
mod print;
mod read;
mod suggest;
mod syntax;
mod types;
mod wording;

pub use error::{ErrorKind, Errors, LineIndex, MAX_ERRORS, SyntaxError};
pub use export::{ExportError, export};
pub use import::DIALECTS_ATTRIBUTE;
pub use parse::{parse_bytes, parse_documents};
pub use print::{PrintError, is_name, print_documents, print_module};
pub use read::{Check, build, is_ppyir, read, read_checked, write};
pub(crate) use suggest::closest;
pub use syntax::{OpSyntax, SyntaxTable};
pub use types::{MAX_DEPTH, parse_type};

#[cfg(test)]
mod tests;
