//! `dce`: upstream's region DCE, and the calls that the effects of their callee allow to go.

use super::{generated::DceOptions, infer_effects::sound};
use crate::dialects::core::ops::{CallOp, FuncOp};
use crate::mlir::{
    attribute_view::{AttributeView, view},
    conversion::erase_unreachable_blocks,
    hooks::PassFailure,
    op::{operations, operations_named},
    prelude::*,
    transform::{erase, erase_dead_code},
};
use std::collections::HashSet;

/// The effects of a function that nothing sees when its results are not read.
const INVISIBLE: &[&str] = &["pure", "alloc", "read_memory", "read_object"];

pub fn run(module: Op, _: &DceOptions) -> Result<(), PassFailure> {
    let functions: Vec<FuncOp> = module.blocks(0).into_iter().flat_map(operations).filter_map(FuncOp::cast).collect();
    let mut callees = Callees {
        module,
        invisible: functions.iter().filter(|f| is_invisible(**f)).filter_map(|f| f.sym_name()).collect(),
        checked: false,
    };
    erase_unreachable_blocks(module);
    for FuncOp(function) in functions {
        erase_dead_code(function);
        while erase_calls(function, &mut callees) {
            erase_dead_code(function);
        }
    }
    Ok(())
}

/// Functions whose unused calls may go. Whether their statements hold is looked at for the first such call: there is
/// none in most modules.
struct Callees<'c, 'a> {
    module: Op<'c, 'a>,
    invisible: HashSet<&'a str>,
    checked: bool,
}

impl<'c: 'a, 'a> Callees<'c, 'a> {
    fn may_go(&mut self, name: &str) -> bool {
        if self.invisible.contains(name) && !self.checked {
            let sound = sound(self.module);
            self.invisible.retain(|name| sound.contains(name));
            self.checked = true;
        }
        self.invisible.contains(name)
    }
}

/// Whether the function declares its effects, and none of them is seen.
fn is_invisible(function: FuncOp) -> bool {
    let Some(AttributeView::Array(effects)) = function.effects().map(view) else { return false };
    effects.into_iter().all(|effect| matches!(view(effect), AttributeView::Str(name) if INVISIBLE.contains(&name)))
}

/// Erases unused calls of the functions, last first so that one call's arguments may be another's results.
fn erase_calls(function: Op, callees: &mut Callees) -> bool {
    let mut erased = false;
    for call in operations_named(function, &[CallOp::NAME]).into_iter().rev() {
        let callee = call.symbol_attribute("callee");
        let unused = (0..call.result_len()).all(|index| call.result_at(index).is_unused());
        if unused && callee.is_some_and(|name| callees.may_go(name)) {
            erase(call);
            erased = true;
        }
    }
    erased
}
