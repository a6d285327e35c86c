//! The ppy IR hosted in MLIR: dialects, a codec for `.ppyir`, passes, an interpreter and lowering to LLVM.
//!
//! The dialects are declared in `mlir-td/` and given their meaning in `dialects/`; this crate is the rest. It is also
//! the plugin `libppy_mlir.so` for a stock `mlir-opt`.

/// The dialects, one module per folder of `dialects/`, with typed views generated from TableGen.
pub mod dialects {
    include!(concat!(env!("OUT_DIR"), "/dialects.rs"));
}
pub mod driver;
pub mod emit;
pub mod interp;
pub mod mlir;
pub mod passes;
mod plugin;
pub mod ppyir;
pub mod registry;
pub mod semantics;

/// Generated glue: what C++ calls, and what the passes' declarations imply.
pub(crate) mod generated {
    pub mod hooks {
        include!(concat!(env!("OUT_DIR"), "/hooks.rs"));
    }
}

use std::sync::Once;

/// Registers every pass of ours by name, once per process.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(passes::generated::register);
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
