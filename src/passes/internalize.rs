//! `internalize`: what nothing outside calls becomes private.

use super::{
    functions::{functions, native_name, text, walk},
    generated::InternalizeOptions,
};
use crate::{
    dialects::core::ops::{CallExternOp, CallIntrinsicOp, FuncOp, GlobalOp},
    mlir::{
        attribute_view::{AttributeView, view},
        diagnostic::emit_error,
        hooks::PassFailure,
        op::operations,
        prelude::*,
    },
    ppyir::closest,
};
use std::collections::HashSet;

pub fn run(module: Op, options: &InternalizeOptions) -> Result<(), PassFailure> {
    let all: Vec<FuncOp> = functions(module).filter(|f| !f.0.blocks(0).is_empty()).collect();
    let asked = asked(module, &all, &options.keep)?;
    let bound = |f: &FuncOp| {
        let named = ["ppy.qualname", "ppy.export"].map(|key| text(f.0, key));
        // Where a frontend's word is missing altogether, nothing is known to be unbound.
        if options.keep.is_empty() { named[0].is_some() || named[1].is_some() } else { named[1].is_some() }
    };
    let (bound, rest): (Vec<FuncOp>, Vec<FuncOp>) =
        all.into_iter().partition(|f| bound(f) || asked.contains(&f.0.key()));
    if bound.is_empty() {
        return Ok(());
    }
    let reached = reached(module);
    for FuncOp(function) in bound {
        if asked.contains(&function.key()) {
            make(function, Visibility::Public);
        }
    }
    for FuncOp(function) in rest {
        let name = function.str_attribute("sym_name").unwrap_or_default();
        if reached.called.contains(native_name(function)) {
            // Native code calls it by its name, which `global-dce` does not see.
            make(function, Visibility::Public);
        } else if !reached.addresses.contains(name) {
            make(function, Visibility::Private);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Public,
    Private,
}

fn make(function: Op, visibility: Visibility) {
    let private = function.str_attribute("sym_visibility") == Some("private");
    let word = match visibility {
        Visibility::Public if private => "public",
        Visibility::Private if !private => "private",
        _ => return,
    };
    function.set("sym_visibility", StringAttribute::new(function.context_ref(), word).into());
}

/// The functions that `keep` names, by [`OpExt::key`].
fn asked(module: Op, all: &[FuncOp], keep: &[String]) -> Result<HashSet<usize>, PassFailure> {
    let mut found = HashSet::new();
    let mut missing = false;
    for wanted in keep {
        let before = found.len();
        found.extend(all.iter().filter(|f| names(f).contains(&Some(wanted))).map(|f| f.0.key()));
        if found.len() == before && !all.iter().any(|f| names(f).contains(&Some(wanted))) {
            let known: Vec<&str> = all.iter().flat_map(names).flatten().collect();
            let hint = closest(wanted, known).map_or(String::new(), |near| format!(" (did you mean {near}?)"));
            emit_error(
                module.loc(),
                &format!(
                    "keep names {wanted}, which no function of the module is called{hint}: name one that it defines"
                ),
            );
            missing = true;
        }
    }
    if missing { Err(PassFailure::Reported) } else { Ok(found) }
}

/// The names that `keep` may call a function by.
fn names<'c>(FuncOp(f): &FuncOp<'c, '_>) -> [Option<&'c str>; 4] {
    [f.str_attribute("sym_name"), text(*f, "ppy.symbol"), text(*f, "ppy.qualname"), text(*f, "ppy.export")]
}

/// What a module refers to without calling it.
#[derive(Default)]
struct Reached<'c> {
    addresses: HashSet<&'c str>,
    /// By the name in native code.
    called: HashSet<&'c str>,
}

fn reached<'c>(module: Op<'c, '_>) -> Reached<'c> {
    let mut reached = Reached::default();
    let mut symbols = Vec::new();
    for op in module.blocks(0).into_iter().flat_map(operations) {
        if let Some(global) = GlobalOp::cast(op) {
            symbols.extend(global.value());
            symbols.extend(op.discardables().into_iter().map(|(_, value)| value));
        }
        walk(op, &mut |op| {
            if let Some(call) = CallExternOp::cast(op) {
                reached.called.extend(call.callee());
            } else if op.is(CallIntrinsicOp::NAME) && op.str_attribute("intrinsic") == Some("ppy.function_address") {
                symbols.extend(op.discardable("callee"));
            }
        });
    }
    while let Some(attribute) = symbols.pop() {
        match view(attribute) {
            AttributeView::Symbol(name) => _ = reached.addresses.insert(name),
            AttributeView::Array(items) => symbols.extend(items),
            AttributeView::Dict(entries) => symbols.extend(entries.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    reached
}
