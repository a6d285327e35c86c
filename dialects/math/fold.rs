use crate::mlir::prelude::*;
pub fn unary<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn pow<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
