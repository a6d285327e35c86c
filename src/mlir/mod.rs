//! The FFI layer: everything unsafe and everything that C++ calls.
//!
//! Invariants: **`unsafe` and C++ live here (and in generated code that only calls it)**; every Rust function that C++
//! calls runs under `catch_unwind`; callbacks are `Fn + Send + Sync`, because a frozen pattern set is shared by the
//! pass manager's threads. Handles are melior's; what melior 0.27 lacks or gets wrong is here:
//!
//! | module | what |
//! |---|---|
//! | `op` | [`Op`](op::Op): queries and surgery on operations, typed and without allocation |
//! | `analysis` | analyses that passes require |
//! | `attribute` | attributes from and to plain Rust values |
//! | `builder` | operations from parts known at run time |
//! | `parallel` | operations made on several threads |
//! | `diagnostic` | emitting and collecting diagnostics |
//! | `hooks` | the verify, fold, canonicalize and pass entry points that generated code forwards to |
//! | `pattern` | rewrite patterns from Rust closures |
//! | `conversion` | dialect conversion |
//! | `llvm_ops` | building operations of the LLVM dialect in a conversion |
//! | `transform` | upstream's drivers and transformations, for passes written in Rust |
//! | `passes` | pass managers, what they did, passes from Rust closures |
//! | `program` | upstream's inliner, pipelines over linked modules |
//! | `verify` | verification that reports every error |
//! | `parse` | MLIR text and bytecode |
//! | `libm` | functions of the C library that Rust's lacks |
//! | `llvm` | LLVM modules, targets, the JIT |
//! | `plugin` | libraries of passes |
//! | `process` | calling compiled code in a child process, crashes |
//! | `opt` | the driver loop of `ppy-opt` |

pub mod analysis;
pub mod attribute;
pub mod attribute_view;
pub mod builder;
pub mod conversion;
pub mod diagnostic;
pub mod hooks;
pub mod libm;
pub mod llvm;
pub mod llvm_ops;
pub mod op;
pub mod opt;
pub mod parallel;
pub mod parse;
pub mod passes;
pub mod pattern;
pub mod plugin;
pub mod process;
pub mod program;
pub mod transform;
pub mod verify;

/// What the dialects' Rust and the generated views use.
pub mod prelude {
    pub use super::{
        attribute::{
            bool_attribute, enum_attribute, finish, i64_attribute, segment_sizes, str_of, string_ref, strings_of,
        },
        diagnostic::Verdict,
        hooks::Fold,
        op::{Op, OpExt, OperandList, ValueExt, context_of},
        pattern::{Patterns, Rewriter},
    };
    pub use melior::{
        Context,
        ir::{
            Attribute, AttributeLike, Block, BlockLike, BlockRef, Location, Operation, OperationRef, RegionLike, Type,
            TypeLike, Value, ValueLike,
            attribute::{FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute},
            operation::{OperationBuilder, OperationLike, OperationMutLike},
        },
    };
    pub use mlir_sys::{MlirContext, MlirLogicalResult, MlirOperation, MlirPass, MlirStringRef, MlirType};
}
