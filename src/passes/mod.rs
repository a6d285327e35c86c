//! The passes declared in `mlir-td/Passes.td`, a module each; those of `mlir-td/<Dialect>Passes.td` are in
//! `dialects/<dialect>/`.

mod at;
pub mod constant_fold;
pub mod convert_to_llvm;
pub mod dce;
pub mod default_pipeline;
pub mod dominators;
pub mod eliminate_guards;
mod facts;
mod floats;
pub(crate) mod functions;
pub mod hoist_guards;
pub mod if_convert;
pub mod infer_effects;
pub mod inline_calls;
pub mod internalize;
pub(crate) mod lengths;
pub mod pipeline;
pub mod ppy_sccp;
pub mod prove_counters;
pub mod report;
pub mod sanitize;
pub mod simplify_cfg;
pub mod whole_program;

/// Options, statistics and constructors, from the declarations.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/passes.rs"));
}
