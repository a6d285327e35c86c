//! What `annotate-profile` notes on the IR, for those who read it.

use crate::mlir::{
    attribute_view::{AttributeView, view},
    op::operations,
    prelude::*,
};

/// How often a function was called.
pub const CALLS: &str = "ppy.profile.calls";
pub const HOT: &str = "ppy.profile.hot";
pub const COLD: &str = "ppy.profile.cold";
/// How often the block that the terminator ends ran.
pub const COUNT: &str = "ppy.profile.count";
/// How often a branch was taken and not taken.
pub const WEIGHTS: &str = "ppy.weights";
/// Iterations for each time a loop was entered.
pub const TRIPS: &str = "ppy.profile.trips";

/// The functions of a module that a profile knows.
pub fn counted<'c: 'a, 'a>(module: Op<'c, 'a>) -> impl Iterator<Item = Op<'c, 'a>> {
    module.blocks(0).into_iter().flat_map(operations).filter(|op| op.discardable(CALLS).is_some())
}

/// How often a function was called.
pub fn calls(function: Op) -> Option<u64> {
    number(function, CALLS)
}

/// How often a block ran.
pub fn count(block: BlockRef) -> Option<u64> {
    number(block.terminator()?, COUNT)
}

/// How often the blocks of a module ran, those of functions that a profile knows.
pub fn counts(module: Op) -> Vec<u64> {
    counted(module).flat_map(|function| function.blocks(0)).filter_map(count).collect()
}

fn number(op: Op, name: &str) -> Option<u64> {
    match view(op.discardable(name)?) {
        AttributeView::Int { value, .. } => u64::try_from(value).ok(),
        _ => None,
    }
}
