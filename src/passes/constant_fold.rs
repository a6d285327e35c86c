//! `constant-fold`: the folds alone.

use super::generated::ConstantFoldOptions;
use crate::mlir::{
    hooks::{Changed, PassFailure},
    prelude::*,
    transform::{Extra, GreedyPatterns},
};

pub fn run(root: Op, _: &ConstantFoldOptions) -> Result<Changed, PassFailure> {
    GreedyPatterns::new(root).apply(root, Extra::Folds)
}
