//! `--convert-ppy-to-llvm`: one partial conversion of every ppy dialect to the LLVM dialect, then one linear sweep that
//! turns the checks the patterns left into edges.
//!
//! What no pattern takes stays and is an error: all of them are reported, by kind.

use super::{generated::ConvertPpyToLLVMOptions, infer_effects::verify_statements, lengths};
use crate::{
    dialects::core::{lower::FAST, lower_types},
    mlir::{
        attribute_view::{AttributeView, view},
        conversion::{ConversionPatterns, ConversionTarget, Symbols, TypeConverter, erase_unreachable_blocks},
        diagnostic::emit_op_error,
        hooks::PassFailure,
        llvm_ops::{merge_entry, split_checks},
        op::{modules, operations},
        prelude::*,
    },
    registry,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

pub fn run(module: Op, _: &ConvertPpyToLLVMOptions) -> Result<(), PassFailure> {
    let mut refused = false;
    // Every module has names of its own; the inner ones go first.
    for module in modules(module).into_iter().rev() {
        match convert(module) {
            Ok(()) => {}
            Err(PassFailure::Reported) => refused = true,
            Err(other) => return Err(other),
        }
    }
    if refused { Err(PassFailure::Reported) } else { Ok(()) }
}

fn convert(module: Op) -> Result<(), PassFailure> {
    // LLVM is told what they say.
    verify_statements(module)?;
    let context = module.context_ref();
    let mut types = TypeConverter::llvm(context);
    lower_types::add_types(&mut types);
    let mut symbols = symbols(module)?;
    symbols.lengths_fit = lengths::fit(module);
    let mut patterns = ConversionPatterns::new(context, &types, symbols);
    for add in registry::LLVM_LOWERINGS {
        add(&mut patterns);
    }
    for prepare in patterns.prepared() {
        prepare(module).map_err(|why| PassFailure::Message(format!("the module cannot be lowered: {why}")))?;
    }
    let lowered = patterns.roots().clone();
    patterns.add_upstream_to_llvm();
    let mut target = ConversionTarget::new(context).legal_dialect("llvm").legal_dialect("builtin");
    for dialect in ["arith", "cf", "math", "vector"] {
        target = target.illegal_dialect(dialect);
    }
    erase_unreachable_blocks(module);
    // Ppy operations are not illegal, so that the conversion goes on past the first that stays.
    let all: Vec<Op> = module.blocks(0).into_iter().flat_map(operations).collect();
    if !patterns.apply_partial(&all, &target) {
        return Err(PassFailure::Reported);
    }
    for block in module.blocks(0) {
        for op in operations(block) {
            if op.is("llvm.func") {
                merge_entry(op);
                split_checks(op);
                op.remove_discardable(FAST);
            }
        }
    }
    // The module's header is of no use to other toolchains.
    for (name, _) in module.discardables() {
        if name.starts_with("ppy_") {
            module.remove_discardable(name);
        }
    }
    refuse_rest(module, &lowered)
}

/// The linker's name of a function.
fn linked_name<'c>(op: Op<'c, '_>) -> Option<&'c str> {
    match view(op.discardable("ppy.symbol")?) {
        AttributeView::Str(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

fn symbols(module: Op) -> Result<Symbols, PassFailure> {
    let (mut renamed, mut defined) = (FxHashMap::default(), FxHashMap::default());
    let mut clashes = false;
    for block in module.blocks(0) {
        for op in operations(block) {
            let Some(name) = op.str_attribute("sym_name") else { continue };
            let linked = if op.is("ppy_core.func") { linked_name(op).unwrap_or(name) } else { name };
            if linked != name {
                renamed.insert(name.to_owned(), linked.to_owned());
            }
            if let Some(other) = defined.insert(linked.to_owned(), name) {
                clashes = true;
                emit_op_error(
                    op,
                    &format!("and @{other} have one name for the linker, \"{linked}\": change ppy.symbol of one"),
                );
            }
        }
    }
    if clashes { Err(PassFailure::Reported) } else { Ok(Symbols::new(renamed, defined.into_keys())) }
}

/// Fails where ppy operations are left. Those with a pattern have said why; the others are reported here, by kind.
fn refuse_rest(module: Op, lowered: &FxHashSet<String>) -> Result<(), PassFailure> {
    let mut left: BTreeMap<&str, Vec<Op>> = BTreeMap::new();
    walk(module, &mut |op| {
        if op.op_name().starts_with("ppy_") {
            left.entry(op.op_name()).or_default().push(op);
        }
    });
    for (name, ops) in left.iter().filter(|(name, _)| !lowered.contains(**name)) {
        for op in ops {
            emit_op_error(
                *op,
                &format!("has no lowering to LLVM ({} of '{name}' are left): lower its dialect first", ops.len()),
            );
        }
    }
    if left.is_empty() { Ok(()) } else { Err(PassFailure::Reported) }
}

fn walk<'c: 'a, 'a>(root: Op<'c, 'a>, f: &mut impl FnMut(Op<'c, 'a>)) {
    let mut pending = vec![root];
    while let Some(op) = pending.pop() {
        f(op);
        for region in 0..op.region_len() {
            for block in op.blocks(region) {
                pending.extend(operations(block));
            }
        }
    }
}
