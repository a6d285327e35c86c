//! `ppy-sccp`: upstream's analysis of constants, and a rewrite that a second run leaves alone.

use super::generated::PpySccpOptions;
use crate::mlir::{
    hooks::{Changed, PassFailure},
    prelude::*,
    transform::propagate_constants,
};

pub fn run(root: Op, _: &PpySccpOptions) -> Result<Changed, PassFailure> {
    propagate_constants(root).map(Changed::from).ok_or(PassFailure::Reported)
}
