//! The version table that every tool's `--version` prints.

use crate::{ppyir::ast, registry};
use std::fmt::Write;

/// The version of the LLVM library this process runs.
pub fn running_llvm() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    unsafe { llvm_sys::core::LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// Ours, LLVM's, the schema's and the dialects' versions, a line each.
pub fn table(tool: &str) -> String {
    let mut text = format!("{tool} {}\n", env!("CARGO_PKG_VERSION"));
    _ = writeln!(text, "LLVM {} (built for {})", running_llvm(), env!("PPY_LLVM_VERSION"));
    _ = writeln!(text, "ppyir schema {}", ast::SCHEMA);
    for d in registry::DIALECTS {
        _ = writeln!(text, "dialect {} {}", d.ppyir, d.version);
    }
    text
}
