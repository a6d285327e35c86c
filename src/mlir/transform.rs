//! Upstream's drivers and transformations, for the passes of [`crate::passes`].

use super::{
    op::{Op, OpExt},
    pattern::Patterns,
};
use mlir_sys::*;

unsafe extern "C" {
    fn ppyRegionDCE(op: MlirOperation) -> bool;
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
    /// Applies the patterns under `op` until none applies, or upstream's bound on iterations is reached.
    pub fn apply(self, op: Op<'_, '_>, extra: Extra) {
        unsafe {
            // Freezing takes the patterns out of the set, which stays to be destroyed.
            let frozen = mlirFreezeRewritePattern(self.set);
            let config = mlirGreedyRewriteDriverConfigCreate();
            mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(config, true);
            mlirGreedyRewriteDriverConfigEnableFolding(config, extra == Extra::Folds);
            let regions = match extra {
                Extra::Folds => MlirGreedySimplifyRegionLevel_MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_DISABLED,
                Extra::Regions => MlirGreedySimplifyRegionLevel_MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_NORMAL,
            };
            mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel(config, regions);
            // Not converging within the bound is no error: what was rewritten is right.
            let _ = mlirApplyPatternsAndFoldGreedilyWithOp(op.raw(), frozen, config);
            mlirGreedyRewriteDriverConfigDestroy(config);
            mlirFrozenRewritePatternSetDestroy(frozen);
            mlirRewritePatternSetDestroy(self.set);
        }
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
