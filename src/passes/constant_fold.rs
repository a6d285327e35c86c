//! `constant-fold`: the folds alone.

use super::generated::ConstantFoldOptions;
use crate::mlir::{
    hooks::PassFailure,
    prelude::*,
    transform::{Extra, GreedyPatterns},
};

pub fn run(function: Op, _: &ConstantFoldOptions) -> Result<(), PassFailure> {
    GreedyPatterns::new(function).apply(function, Extra::Folds);
    Ok(())
}
