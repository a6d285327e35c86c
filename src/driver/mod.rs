//! What the tools share: input detection, versions, arguments.

pub mod args;
pub mod input;
pub mod version;
