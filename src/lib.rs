//! The ppy IR hosted in MLIR: dialects, a codec for `.ppyir`, passes, an interpreter and lowering to LLVM.
//!
//! The dialects are declared in `mlir-td/` and given their meaning in `dialects/`; this crate is the rest. It is also
//! the plugin `libppy_mlir.so` for a stock `mlir-opt`.
//!
//! ```
//! use ppy_mlir::{emit::llvm, passes::pipeline, ppyir};
//!
//! let text = r#"ppyir 1
//! module @shapes
//! dialect core 1
//!
//! func @area(%width: i64, %height: i64) -> i64 {
//! ^entry:
//!     %slot = core.alloca : ptr<i64, stack>
//!     core.store %width, %slot
//!     %0 = core.load %slot : i64
//!     %1 = core.mul %0, %height {overflow = "python"} : i64
//!     core.ret %1
//! }
//! "#;
//! let context = ppy_mlir::context();
//! let mut modules = ppyir::read(&context, text.as_bytes(), "shapes.ppyir")?;
//! let module = &mut modules[0];
//!
//! // Passes, ours and upstream's; the stack slot becomes a value.
//! pipeline::run(module, "builtin.module(ppy_core.func(canonicalize,mem2reg))")?;
//! assert!(!ppyir::write(module.as_operation()).unwrap().contains("core.load"));
//!
//! // LLVM IR with the native ABI: arguments, one pointer per result, an i32 status.
//! let (code, _) = llvm::compile(module, &llvm::Options::default())?;
//! assert!(code.text().contains("i32 @area(i64 "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::print_stderr)]

/// The dialects, one module per folder of `dialects/`, with typed views generated from TableGen.
pub mod dialects {
    include!(concat!(env!("OUT_DIR"), "/dialects.rs"));
}
pub mod driver;
pub mod emit;
pub mod interp;
pub mod link;
pub mod mlir;
pub mod passes;
mod plugin;
pub mod ppyir;
pub mod profile;
pub mod registry;
mod say;
pub mod semantics;

/// Generated glue: what C++ calls, and what the passes' declarations imply.
pub(crate) mod generated {
    pub mod hooks {
        include!(concat!(env!("OUT_DIR"), "/hooks.rs"));
    }
}

use std::sync::Once;

/// Registers every pass of ours and the default pipeline by name, once per process.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        passes::default_pipeline::register();
        mlir::program::register_pipelines();
    });
}

/// A context with every ppy and upstream dialect loaded on demand, ready for reading modules and running passes.
pub fn context() -> melior::Context {
    let registry = melior::dialect::DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    generated::hooks::register_dialects(registry.to_raw());
    let context = melior::Context::new();
    context.append_dialect_registry(&registry);
    load_dialects(&context);
    register_passes();
    context
}

/// Loads every ppy dialect; a context makes types only of dialects it has loaded.
pub(crate) fn load_dialects(context: &melior::Context) {
    for dialect in registry::DIALECTS {
        context.get_or_load_dialect(dialect.name);
    }
}
