//! Upstream's drivers and transformations, for the passes of [`crate::passes`].

use super::{
    hooks::PassFailure,
    op::{Op, OpExt},
    pattern::Patterns,
};
use melior::ir::Operation;
use mlir_sys::*;

unsafe extern "C" {
    fn ppyRegionDCE(op: MlirOperation) -> bool;
    fn ppyOperationSeen(op: MlirOperation) -> u8;
    fn ppyRewriteGreedily(op: MlirOperation, set: MlirFrozenRewritePatternSet, fold: bool, regions: bool) -> bool;
}

/// What the greedy driver does beside the patterns it is given. It always erases unused operations without effects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// Folds.
    Folds,
    /// Unreachable blocks and unused block arguments go.
    Regions,
}

/// A set of patterns for the greedy driver.
pub struct GreedyPatterns {
    set: MlirRewritePatternSet,
    context: MlirContext,
}

impl GreedyPatterns {
    pub fn new(op: Op<'_, '_>) -> Self {
        let context = unsafe { mlirOperationGetContext(op.raw()) };
        Self { set: unsafe { mlirRewritePatternSetCreate(context) }, context }
    }
    /// Adds the patterns of one root.
    pub fn add(self, root: &'static str, fill: impl FnOnce(&mut Patterns)) -> Self {
        fill(&mut Patterns::borrowed(self.set, self.context, root));
        self
    }
    /// Applies the patterns under `op` until none applies. A set that never settles stops at a cap that grows with the
    /// module, and the error names the pattern.
    pub fn apply(self, op: Op<'_, '_>, extra: Extra) -> Result<(), PassFailure> {
        let settled = unsafe {
            // Freezing takes the patterns out of the set, which stays to be destroyed.
            let frozen = mlirFreezeRewritePattern(self.set);
            let settled = ppyRewriteGreedily(op.raw(), frozen, extra == Extra::Folds, extra == Extra::Regions);
            mlirFrozenRewritePatternSetDestroy(frozen);
            mlirRewritePatternSetDestroy(self.set);
            settled
        };
        if settled { Ok(()) } else { Err(PassFailure::Reported) }
    }
}

/// Erases the operations and block arguments in the regions of `op` that nothing observable needs.
pub fn erase_dead_code(op: Op<'_, '_>) -> bool {
    unsafe { ppyRegionDCE(op.raw()) }
}

/// Erases an operation whose results are unused, from within a pass.
pub fn erase(op: Op<'_, '_>) {
    unsafe { mlirOperationDestroy(op.raw()) }
}

/// What a transformation that moves another operation across this one must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Seen {
    /// No effect, and it may be computed where it was not.
    Pure = 0,
    /// Reads only.
    Nothing = 1,
    /// It may fail into the fallback, or has no meaning off its path; nothing else is seen of it.
    Fails = 2,
    /// It writes, allocates, calls, or is not known.
    Effect = 3,
    /// It ends its block.
    Terminator = 4,
}

/// What is seen of an operation, by the interfaces that upstream asks too.
pub fn seen(op: Op<'_, '_>) -> Seen {
    match unsafe { ppyOperationSeen(op.raw()) } {
        0 => Seen::Pure,
        1 => Seen::Nothing,
        2 => Seen::Fails,
        4 => Seen::Terminator,
        _ => Seen::Effect,
    }
}

/// A copy of an operation with the same operands, in no block.
pub fn clone<'c>(op: Op<'c, '_>) -> Operation<'c> {
    unsafe { Operation::from_raw(mlirOperationClone(op.raw())) }
}
