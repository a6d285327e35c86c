//! `simplify-cfg`: the branch patterns of the core dialect, and upstream's simplification of regions.

use super::generated::SimplifyCfgOptions;
use crate::dialects::core::{ops, patterns_flow};
use crate::mlir::{
    hooks::{Changed, PassFailure},
    prelude::*,
    transform::{Extra, GreedyPatterns},
};

pub fn run(root: Op, _: &SimplifyCfgOptions) -> Result<Changed, PassFailure> {
    GreedyPatterns::new(root)
        .add(ops::BrOp::NAME, patterns_flow::br)
        .add(ops::CondBrOp::NAME, patterns_flow::cond_br)
        .apply(root, Extra::Regions)
}
