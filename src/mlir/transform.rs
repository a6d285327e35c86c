//! Upstream's drivers and transformations, for the passes of [`crate::passes`].

use super::{
    attribute::string_ref,
    hooks::{Changed, PassFailure},
    op::{Op, OpExt},
    pattern::Patterns,
};
use melior::ir::Operation;
use mlir_sys::*;

unsafe extern "C" {
    fn ppyPropagateConstants(op: MlirOperation) -> u8;
    fn ppyRegionDCE(op: MlirOperation) -> bool;
    fn ppyCanonicalize(count: isize, ops: *const MlirOperation) -> bool;
    fn ppyOperationSeen(op: MlirOperation) -> u8;
    fn ppyRewriteGreedily(
        op: MlirOperation,
        set: MlirFrozenRewritePatternSet,
        root_count: isize,
        roots: *const MlirStringRef,
        fold: bool,
        regions: bool,
    ) -> u8;
}

/// What the greedy driver does beside the patterns it is given. It erases unused operations without effects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// Every operation is visited, and folded.
    Folds,
    /// The roots of the patterns are visited. Unreachable blocks, and operations and block arguments that are not used,
    /// go.
    Regions,
}

/// A set of patterns for the greedy driver.
pub struct GreedyPatterns {
    set: MlirRewritePatternSet,
    context: MlirContext,
    roots: Vec<&'static str>,
}

impl GreedyPatterns {
    pub fn new(op: Op<'_, '_>) -> Self {
        let context = unsafe { mlirOperationGetContext(op.raw()) };
        Self { set: unsafe { mlirRewritePatternSetCreate(context) }, context, roots: Vec::new() }
    }
    /// Adds the patterns of one root.
    pub fn add(mut self, root: &'static str, fill: impl FnOnce(&mut Patterns)) -> Self {
        fill(&mut Patterns::borrowed(self.set, self.context, root));
        self.roots.push(root);
        self
    }
    /// Applies the patterns under `op` until none applies. A set that never settles stops at a cap that grows with the
    /// module, and the error names the pattern.
    pub fn apply(self, op: Op<'_, '_>, extra: Extra) -> Result<Changed, PassFailure> {
        let roots: Vec<_> = match extra {
            Extra::Folds => Vec::new(),
            Extra::Regions => self.roots.iter().map(|root| string_ref(root)).collect(),
        };
        let (count, roots) = (roots.len() as isize, roots.as_ptr());
        let end = unsafe {
            // Freezing takes the patterns out of the set, which stays to be destroyed.
            let frozen = mlirFreezeRewritePattern(self.set);
            let (folds, regions) = (extra == Extra::Folds, extra == Extra::Regions);
            let end = ppyRewriteGreedily(op.raw(), frozen, count, roots, folds, regions);
            mlirFrozenRewritePatternSetDestroy(frozen);
            mlirRewritePatternSetDestroy(self.set);
            end
        };
        // `ppy::Rewritten` of cpp/passes.h.
        match end {
            0 => Err(PassFailure::Reported),
            2 => Ok(Changed::No),
            _ => Ok(Changed::Yes),
        }
    }
}

/// Canonicalizes operations as `ppy-canonicalize` does: a lowering those that it wrote to.
pub fn canonicalize<'c: 'a, 'a>(ops: impl IntoIterator<Item = Op<'c, 'a>>) -> Result<(), PassFailure> {
    let ops: Vec<_> = ops.into_iter().map(|op| op.raw()).collect();
    if unsafe { ppyCanonicalize(ops.len() as isize, ops.as_ptr()) } { Ok(()) } else { Err(PassFailure::Reported) }
}

/// Replaces values in the regions of `op` that are constants on every way that is taken; whether there were any, `None`
/// after an error was emitted.
pub fn propagate_constants(op: Op<'_, '_>) -> Option<bool> {
    match unsafe { ppyPropagateConstants(op.raw()) } {
        0 => None,
        answer => Some(answer == 2),
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
