//! The target that a module is lowered for, as far as a lowering must know it: `llvm.target_triple` of the module,
//! which the emitters set, or the host.

use crate::mlir::{
    attribute_view::{AttributeView, view},
    llvm::host_triple,
    op::{Op, OpExt},
};

/// The parts of a triple that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub triple: String,
}

/// Systems with pthreads, as triples name them.
const PTHREADS: &[&str] =
    &["linux", "darwin", "macosx", "ios", "freebsd", "netbsd", "openbsd", "dragonfly", "solaris", "illumos"];

impl Target {
    /// The target of the outermost module around an operation, or of that module itself.
    pub fn of(op: Op<'_, '_>) -> Target {
        let mut at = Some(op);
        let mut triple = None;
        while let Some(op) = at {
            if let Some(AttributeView::Str(text)) = op.discardable("llvm.target_triple").map(view) {
                triple = Some(text);
            }
            at = op.parent();
        }
        Target { triple: triple.map_or_else(host_triple, str::to_owned) }
    }

    /// The architecture: `x86_64`.
    pub fn arch(&self) -> &str {
        self.triple.split('-').next().unwrap_or_default()
    }

    /// Why there are no threads, where there are none.
    pub fn threads(&self) -> Result<(), String> {
        let system = self.triple.split('-').skip(1).any(|part| PTHREADS.iter().any(|name| part.starts_with(name)));
        match (system, self.arch().contains("64") || self.arch() == "s390x") {
            (true, true) => Ok(()),
            (true, false) => Err(format!("threads are lowered for 64-bit targets, and {} is none", self.triple)),
            (false, _) => Err(format!("threads are pthreads, which the target {} does not have", self.triple)),
        }
    }

    /// The instruction that says that a loop waits, in the LLVM dialect; nothing where there is none.
    pub fn pause(&self) -> &'static str {
        match self.arch() {
            "x86_64" | "i386" | "i586" | "i686" => "llvm.call_intrinsic \"llvm.x86.sse2.pause\"() : () -> ()",
            "aarch64" | "arm64" => {
                "%yield_hint = llvm.mlir.constant(1 : i32) : i32\n\
                 llvm.call_intrinsic \"llvm.aarch64.hint\"(%yield_hint) : (i32) -> ()"
            }
            _ => "",
        }
    }
}
