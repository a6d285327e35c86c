//! `--annotate-profile`.

use super::{
    graph::{Graph, key},
    notes::{CALLS, COLD, COUNT, HOT, TRIPS, WEIGHTS},
};
use crate::{
    dialects::core::ops::CondBrOp,
    mlir::{
        analysis::DominanceInfo,
        diagnostic::{Severity, emit, emit_error},
        hooks::PassFailure,
        prelude::*,
    },
    passes::{
        dominators::Dominators,
        generated::{AnnotateProfileAnalyses, AnnotateProfileOptions},
    },
    profile::{FunctionProfile, Profile, ProfileError, Warmth},
};
use melior::ir::attribute::ArrayAttribute;
use rustc_hash::FxHashMap;
use std::path::Path;

pub fn run(
    module: Op,
    options: &AnnotateProfileOptions,
    analyses: &AnnotateProfileAnalyses,
) -> Result<(), PassFailure> {
    if options.file.is_empty() {
        return Err(PassFailure::Message(
            "annotate-profile needs a profile: annotate-profile=file=NAME.ppyprof, which ppy-run --profile records"
                .into(),
        ));
    }
    let profile = Profile::load(Path::new(&options.file)).map_err(|error| error.to_string())?;
    let graphs = Graph::all(module);
    let known: Vec<_> = graphs.iter().filter_map(|graph| Some((graph, find(&profile, graph)?))).collect();
    if let Some(first) = profile.functions.keys().next()
        && known.is_empty()
        && !graphs.is_empty()
    {
        let other = ProfileError::OtherProgram {
            path: options.file.clone(),
            program: profile.program.clone(),
            functions: profile.functions.len(),
            first: first.clone(),
            module: module.str_attribute("sym_name").unwrap_or("module").to_owned(),
        };
        emit_error(graphs.first().map_or(module, |graph| graph.function).loc(), &other.to_string());
        return Err(PassFailure::Reported);
    }
    for (graph, counts) in known {
        if counts.cfg == graph.digest {
            annotate(graph, counts, profile.warmth(counts.calls), &analyses.dominance_info);
        } else {
            let name = graph.qualname().unwrap_or(graph.symbol());
            let message = format!(
                "the profile of {name} is of another graph: the function has changed since, and stays as it is"
            );
            emit(graph.function.loc(), Severity::Remark, &message, &[]);
        }
    }
    Ok(())
}

fn find<'p>(profile: &'p Profile, graph: &Graph) -> Option<&'p FunctionProfile> {
    profile.of(graph.qualname().unwrap_or(graph.symbol()), graph.symbol())
}

fn annotate(graph: &Graph, counts: &FunctionProfile, warmth: Warmth, dominance: &DominanceInfo) {
    let function = graph.function;
    let context = function.context_ref();
    let number = |count: u64| i64_attribute(context, i64::try_from(count).unwrap_or(i64::MAX));
    function.set(CALLS, number(counts.calls));
    for (name, noted) in [(HOT, Warmth::Hot), (COLD, Warmth::Cold)] {
        if warmth == noted {
            function.set(name, bool_attribute(context, true));
        } else {
            function.remove_discardable(name);
        }
    }
    for (block, label) in graph.blocks.iter().zip(&graph.labels) {
        let Some(last) = block.terminator() else { continue };
        last.set(COUNT, number(ran(counts, label)));
        if last.is(CondBrOp::NAME)
            && let Some((taken, not)) = counts.branches.get(label.as_str())
        {
            last.set(WEIGHTS, ArrayAttribute::new(context, &[number(*taken), number(*not)]).into());
        }
    }
    for (back, trips) in back_edges(graph, counts, dominance) {
        back.set(TRIPS, FloatAttribute::new(context, Type::float64(context), trips).into());
    }
}

fn ran(counts: &FunctionProfile, label: &str) -> u64 {
    counts.blocks.get(label).copied().unwrap_or(0)
}

/// The terminators of the back edges, with how often each edge was gone for each time its loop was entered.
fn back_edges<'c, 'a>(
    graph: &Graph<'c, 'a>,
    counts: &FunctionProfile,
    dominance: &DominanceInfo,
) -> Vec<(Op<'c, 'a>, f64)> {
    let tree = Dominators::new(graph.function, dominance);
    let labels: FxHashMap<usize, &str> =
        graph.blocks.iter().map(|block| key(*block)).zip(graph.labels.iter().map(|label| label.as_str())).collect();
    let label = |block: BlockRef| labels.get(&key(block)).copied().unwrap_or("");
    let mut edges: Vec<(usize, Op, u64)> = Vec::new();
    let mut again: FxHashMap<usize, u64> = FxHashMap::default();
    for (number, block) in tree.blocks.iter().enumerate() {
        let Some(last) = block.terminator() else { continue };
        for index in 0..last.successor_len() {
            let Some(head) = tree.number(last.successor_block(index)) else { continue };
            if head != number && !tree.strictly_dominates(head, number) {
                continue;
            }
            let from = label(*block);
            let gone = match (last.successor_len(), counts.branches.get(from)) {
                (2, Some((taken, not))) => [*taken, *not][index],
                _ => ran(counts, from),
            };
            edges.push((head, last, gone));
            let sum = again.entry(head).or_default();
            *sum = sum.saturating_add(gone);
        }
    }
    let entered =
        |head: usize| ran(counts, label(tree.blocks[head])).saturating_sub(again.get(&head).copied().unwrap_or(0));
    let entered = edges.iter().map(|(head, last, gone)| (*last, *gone, entered(*head)));
    entered.filter(|(_, _, times)| *times > 0).map(|(last, gone, times)| (last, gone as f64 / times as f64)).collect()
}
