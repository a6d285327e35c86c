use crate::mlir::prelude::*;
pub fn constant<'c, 'a>(op: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { op.inherent("value").map_or(Fold::None, Fold::Constant) }
pub fn add<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn sub<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn mul<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn div<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn mod_<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn neg<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn and<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn or<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn xor<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn shl<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn shr<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn cmp<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn select<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn cast<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn ptr_offset<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn buffer_data<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn buffer_len<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn tuple_extract<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
pub fn struct_extract<'c, 'a>(_: Op<'c, 'a>, _: &[Option<Attribute<'c>>]) -> Fold<'c, 'a> { Fold::None }
