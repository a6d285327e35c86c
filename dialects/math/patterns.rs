use crate::mlir::prelude::*;
pub fn rounding(_: &mut Patterns) {}
pub fn abs(_: &mut Patterns) {}
pub fn pow(_: &mut Patterns) {}
