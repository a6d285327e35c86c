//! The prof operations in the LLVM dialect: one array of counters a module, atomic additions, and the legend beside it.

use crate::{
    dialects::core::lower::Lowered,
    mlir::{
        attribute::{bytes_attribute, integer_attribute},
        attribute_view::{AttributeView, view},
        builder::Parts,
        conversion::{ConversionPatterns, ConversionRewriter},
        llvm_ops::{Llvm, linkage},
        op::{Op, OpExt, operations},
        prelude::*,
    },
    profile::legend::{self, Legend},
};
use melior::{dialect::llvm, ir::r#type::IntegerType};

/// Adds the lowering of every prof operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    patterns.prepare(globals);
    patterns.prepare(super::lower_summary::summary);
    patterns.add("ppy_prof.hit", |op, _, rewriter| hit(op, None, rewriter));
    patterns.add("ppy_prof.hit_if", |op, operands, rewriter| match operands {
        [condition] => hit(op, Some(*condition), rewriter),
        _ => Err("it has one condition".into()),
    });
}

/// LLVM's `add` among the kinds of `atomicrmw`, and its `monotonic` among the orderings.
const ADD: i64 = 1;
const MONOTONIC: i64 = 2;

fn hit<'c, 'a>(op: Op<'c, 'a>, condition: Option<Value<'c, 'a>>, rewriter: &ConversionRewriter<'c, 'a>) -> Lowered {
    let counter = op.int_attribute("counter").and_then(|n| u64::try_from(n).ok()).ok_or("it has no counter")?;
    let llvm = Llvm::before(rewriter, op);
    let context = llvm.context();
    let array = FlatSymbolRefAttribute::new(context, &legend::symbols(module_name(op)).0).into();
    let base = llvm.op_with("llvm.mlir.addressof", &[], Some(llvm.ptr()), &[("global_name", array)]).result_value();
    let word = llvm.int(64);
    let by = match condition {
        Some(condition) => llvm.op("llvm.zext", &[condition], word),
        None => llvm.integer(word, 1),
    };
    let kind = [("bin_op", i64_attribute(context, ADD)), ("ordering", i64_attribute(context, MONOTONIC))];
    llvm.op_with("llvm.atomicrmw", &[llvm.field(base, counter * 8), by], Some(word), &kind);
    rewriter.erase(op);
    Ok(())
}

fn module_name<'c>(op: Op<'c, '_>) -> &'c str {
    op.ancestor("builtin.module").map_or("", name_of)
}

fn name_of<'c>(module: Op<'c, '_>) -> &'c str {
    module.str_attribute("sym_name").unwrap_or("module")
}

/// The legend of an instrumented module, where it has one.
pub fn legend_text<'c>(module: Op<'c, '_>) -> Option<&'c str> {
    match view(module.discardable(legend::ATTRIBUTE)?) {
        AttributeView::Str(text) => Some(text),
        _ => None,
    }
}

/// The counters and the legend, as globals of a module that counts.
fn globals(module: Op) -> Result<(), String> {
    let legend = legend_text(module);
    let counted = legend
        .map(|text| Legend::parse(text).map(|legend| legend.counters))
        .transpose()
        .map_err(|why| format!("its {} is no legend: {why}; instrument the module again", legend::ATTRIBUTE))?;
    let hit = last_counter(module).map_or(0, |last| last + 1);
    let count = match counted {
        Some(counted) if counted < hit => {
            return Err(format!(
                "it counts in counter {}, and its {} has {counted}; instrument the module again",
                hit - 1,
                legend::ATTRIBUTE
            ));
        }
        Some(counted) => counted,
        None => hit,
    };
    if count == 0 && legend.is_none() {
        return Ok(());
    }
    let context = module.context_ref();
    let Some(body) = module.blocks(0).first().copied() else { return Ok(()) };
    let (counters, map) = legend::symbols(name_of(module));
    let word = IntegerType::new(context, 64).into();
    let zeros = Attribute::parse(context, &format!("dense<0> : tensor<{count}xi64>")).ok_or("it has no counters")?;
    let size = u32::try_from(count).map_err(|_| "it has too many counters")?;
    append_global(body, module.loc(), &counters, llvm::r#type::array(word, size), zeros, false);
    if let Some(text) = legend {
        // A C string, for whoever reads it by its address.
        let bytes = [text.as_bytes(), &[0]].concat();
        let size = u32::try_from(bytes.len()).map_err(|_| "its legend is too large")?;
        let type_ = llvm::r#type::array(IntegerType::new(context, 8).into(), size);
        append_global(body, module.loc(), &map, type_, bytes_attribute(context, &bytes), true);
    }
    Ok(())
}

fn append_global<'c: 'a, 'a>(
    body: BlockRef<'c, 'a>,
    location: Location<'c>,
    name: &str,
    type_: Type<'c>,
    value: Attribute<'c>,
    constant: bool,
) {
    let context = context_of(location.context());
    let mut parts = Parts::new(context);
    parts.attribute("sym_name", StringAttribute::new(context, name).into());
    parts.attribute("global_type", TypeAttribute::new(type_).into());
    parts.attribute("value", value);
    parts.attribute("linkage", linkage(context, false));
    parts.attribute("addr_space", integer_attribute(IntegerType::new(context, 32).into(), 0));
    if constant {
        parts.attribute("constant", Attribute::unit(context));
    }
    parts.region(melior::ir::Region::new());
    body.append_operation(parts.create("llvm.mlir.global", location));
}

/// The highest counter that the functions of a module count in.
fn last_counter(module: Op) -> Option<u64> {
    let functions = module.blocks(0).into_iter().flat_map(operations);
    let hits = functions.flat_map(|f| f.region_len().checked_sub(1).map_or(Vec::new(), |_| f.blocks(0)));
    hits.flat_map(operations)
        .filter(|op| op.op_name().starts_with("ppy_prof."))
        .filter_map(|op| u64::try_from(op.int_attribute("counter")?).ok())
        .max()
}
