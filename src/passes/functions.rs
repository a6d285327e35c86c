//! What passes over functions share.

use crate::{
    dialects::core::ops::FuncOp,
    mlir::{
        attribute_view::{AttributeView, view},
        op::operations,
        prelude::*,
    },
};

/// The functions of a module, in order.
pub fn functions<'c: 'a, 'a>(module: Op<'c, 'a>) -> impl Iterator<Item = FuncOp<'c, 'a>> {
    module.blocks(0).into_iter().flat_map(operations).filter_map(FuncOp::cast)
}

/// Calls `f` with each operation below `root`, not in order.
pub fn walk<'c: 'a, 'a>(root: Op<'c, 'a>, f: &mut impl FnMut(Op<'c, 'a>)) {
    let mut pending = vec![root];
    while let Some(op) = pending.pop() {
        for region in 0..op.region_len() {
            for block in op.blocks(region) {
                for inner in operations(block) {
                    f(inner);
                    if inner.region_len() > 0 {
                        pending.push(inner);
                    }
                }
            }
        }
    }
}

/// A string attribute of a function that is none of its own.
pub fn text<'c>(function: Op<'c, '_>, name: &str) -> Option<&'c str> {
    match view(function.discardable(name)?) {
        AttributeView::Str(text) => Some(text),
        _ => None,
    }
}

/// Whether a flag of a function is set.
pub fn flag(function: Op<'_, '_>, name: &str) -> bool {
    matches!(function.discardable(name).map(view), Some(AttributeView::Bool(true) | AttributeView::Unit))
}

/// The name of a function in native code.
pub fn native_name<'c>(function: Op<'c, '_>) -> &'c str {
    let own = function.str_attribute("sym_name").unwrap_or_default();
    text(function, "ppy.symbol").filter(|name| !name.is_empty()).unwrap_or(own)
}
