//! `--instrument-profile`.

use super::{
    graph::Graph,
    lower::legend_text,
    ops::{HitIfOp, HitOp},
};
use crate::{
    dialects::core::{ops::CondBrOp, rewrite::nameless},
    mlir::{
        diagnostic::{Severity, emit},
        hooks::PassFailure,
        prelude::*,
    },
    passes::generated::InstrumentProfileOptions,
    profile::{
        Legend,
        legend::{ATTRIBUTE, FunctionLegend, MAX_COUNTERS},
    },
};

pub fn run(module: Op, _: &InstrumentProfileOptions) -> Result<(), PassFailure> {
    if legend_text(module).is_some() {
        let message = format!("is instrumented already: it has {ATTRIBUTE}, and its counters stay");
        emit(module.loc(), Severity::Remark, &message, &[]);
        return Ok(());
    }
    let graphs = Graph::all(module);
    let mut legend = Legend::default();
    for graph in &graphs {
        let counters = number(graph, &mut legend.counters);
        legend.functions.insert(graph.symbol().to_owned(), counters);
    }
    if legend.counters > MAX_COUNTERS {
        return Err(PassFailure::Message(format!(
            "the module needs {} counters, and may have {MAX_COUNTERS}; split it",
            legend.counters
        )));
    }
    for graph in &graphs {
        if let Some(counters) = legend.functions.get(graph.symbol()) {
            insert(graph, counters);
        }
    }
    module.set(ATTRIBUTE, StringAttribute::new(module.context_ref(), &legend.text()).into());
    Ok(())
}

/// The next counters, for the function's blocks and then for its branches.
fn number(graph: &Graph, next: &mut u64) -> FunctionLegend {
    let mut take = || {
        *next += 1;
        *next - 1
    };
    let mut counters = FunctionLegend {
        cfg: graph.digest.clone(),
        entry: graph.labels.first().map_or(String::new(), |label| label.to_string()),
        qualname: graph.qualname().unwrap_or("").to_owned(),
        ..FunctionLegend::default()
    };
    for label in &graph.labels {
        counters.blocks.insert(label.to_string(), take());
    }
    for (block, label) in graph.blocks.iter().zip(&graph.labels) {
        if block.terminator().is_some_and(|last| last.is(CondBrOp::NAME)) {
            counters.edges.insert(label.to_string(), take());
        }
    }
    counters
}

fn insert(graph: &Graph, counters: &FunctionLegend) {
    let context = graph.function.context_ref();
    for (block, label) in graph.blocks.iter().zip(&graph.labels) {
        let (Some(first), Some(last)) = (block.first_operation(), block.terminator()) else { continue };
        if let Some(counter) = counters.edges.get(label.as_str()) {
            let hit = HitIfOp::build(context, last.value(0), *counter as i64, nameless(last));
            block.insert_operation_before(last, hit);
        }
        if let Some(counter) = counters.blocks.get(label.as_str()) {
            block.insert_operation(0, HitOp::build(context, *counter as i64, nameless(first)));
        }
    }
}
