//! Makes a failing module smaller while it still fails: fewer passes, functions, results, branches, blocks and
//! operations.

use crate::passes::{print, read};
use ppy_mlir::ppyir::ast::*;
use smallvec::SmallVec;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Small enough after this long; a case that has no end until `CASE_LIMIT` is stopped.
const PATIENCE: Duration = Duration::from_secs(20);

/// A text and passes, both as small as simple deletions make them. `fails` says whether a candidate still does.
pub fn minimize(
    text: &str,
    pipeline: &[&'static str],
    fails: impl Fn(&str, &[&'static str]) -> bool,
) -> (String, Vec<&'static str>) {
    let (mut text, mut pipeline) = (text.to_owned(), pipeline.to_vec());
    let begin = Instant::now();
    let fails = |text: &str, pipeline: &[&'static str]| begin.elapsed() < PATIENCE && fails(text, pipeline);
    let mut index = 0;
    while index < pipeline.len() {
        let mut fewer = pipeline.clone();
        fewer.remove(index);
        match fails(&text, &fewer) {
            true => pipeline = fewer,
            false => index += 1,
        }
    }
    while let Some(smaller) = round(&text, |candidate| fails(candidate, &pipeline)) {
        text = smaller;
    }
    (text, pipeline)
}

/// One pass over every possible deletion; `None` when none worked.
fn round(text: &str, fails: impl Fn(&str) -> bool) -> Option<String> {
    let mut best = None;
    let mut module = read(text).ok()?;
    let mut step = 0;
    while let Some(candidate) = shrink(&module, step) {
        let smaller = candidate.and_then(|candidate| print(&candidate).ok());
        match smaller.filter(|text| fails(text)).and_then(|text| Some((read(&text).ok()?, text))) {
            // The next candidate has the same number now.
            Some((smaller, text)) => (module, best) = (smaller, Some(text)),
            None => step += 1,
        }
    }
    best
}

/// The `step`th deletion: `Some(None)` where it does not apply, `None` after the last.
fn shrink(module: &Module, mut step: usize) -> Option<Option<Module>> {
    if step < module.items.len() {
        let mut smaller = module.clone();
        smaller.items.remove(step);
        return Some(Some(smaller));
    }
    step -= module.items.len();
    for (at, item) in module.items.iter().enumerate() {
        let Item::Function(function) = item else { continue };
        let Some(body) = &function.body else { continue };
        let ops: usize = body.blocks.iter().map(|block| block.ops.len()).sum();
        let own = function.results.len() + body.blocks.len() + ops * 4;
        if step >= own {
            step -= own;
            continue;
        }
        let mut smaller = module.clone();
        let Item::Function(function) = &mut smaller.items[at] else { continue };
        return Some(shrink_function(function, step).map(|()| smaller));
    }
    None
}

fn shrink_function(function: &mut Function, mut step: usize) -> Option<()> {
    let body = function.body.as_mut()?;
    if step < function.results.len() {
        function.results.remove(step);
        for op in body.blocks.iter_mut().flat_map(|block| &mut block.ops).filter(|op| op.name == "core.ret") {
            (step < op.operands.len()).then(|| op.operands.remove(step))?;
        }
        return Some(());
    }
    step -= function.results.len();
    if step < body.blocks.len() {
        return remove_block(body, step);
    }
    step -= body.blocks.len();
    let (index, kind) = (step / 4, step % 4);
    let (block, op) = place(body, index)?;
    let here = &mut body.blocks[block].ops[op];
    match kind {
        // A branch goes one way.
        0 | 1 if here.name == "core.cond_br" => {
            here.name = "core.br".into();
            here.operands.clear();
            here.successors.remove(1 - kind);
        }
        // What nobody reads goes.
        0 => {
            let results: HashSet<ValueId> = here.results.iter().copied().collect();
            let last = op + 1 == body.blocks[block].ops.len();
            if last || reads(body).any(|id| results.contains(&id)) {
                return None;
            }
            body.blocks[block].ops.remove(op);
        }
        // A result is its own operand, a parameter, or a constant.
        1 | 2 if here.results.len() == 1 => {
            let result = here.results[0];
            let ty = function.values.get(result.0 as usize)?.ty.clone();
            let same = |id: &ValueId| *id != result && function.values.get(id.0 as usize).is_some_and(|v| v.ty == ty);
            let instead = match kind {
                1 => here.operands.iter().copied().find(same)?,
                _ => body.blocks[0].args.iter().copied().find(same)?,
            };
            if !reads(body).any(|id| id == result) {
                return None;
            }
            replace(body, result, instead);
        }
        3 if here.results.len() == 1 && here.name != "core.const" => {
            let ty = &function.values.get(here.results[0].0 as usize)?.ty;
            let value = match ty {
                Type::Bool => Attr::Bool(true),
                Type::Int { .. } | Type::Index => Attr::Int(1),
                Type::F16 | Type::Bf16 | Type::F32 | Type::F64 => Attr::Float(1.0),
                _ => return None,
            };
            here.name = "core.const".into();
            here.operands.clear();
            here.attrs = Attrs(vec![("value".into(), value)]);
        }
        _ => return None,
    }
    Some(())
}

fn place(body: &Region, mut index: usize) -> Option<(usize, usize)> {
    for (at, block) in body.blocks.iter().enumerate() {
        if index < block.ops.len() {
            return Some((at, index));
        }
        index -= block.ops.len();
    }
    None
}

fn reads(body: &Region) -> impl Iterator<Item = ValueId> + '_ {
    let ops = body.blocks.iter().flat_map(|block| &block.ops);
    ops.flat_map(|op| op.operands.iter().chain(op.successors.iter().flat_map(|to| &to.args))).copied()
}

fn replace(body: &mut Region, old: ValueId, new: ValueId) {
    for op in body.blocks.iter_mut().flat_map(|block| &mut block.ops) {
        for id in op.operands.iter_mut().chain(op.successors.iter_mut().flat_map(|to| &mut to.args)) {
            if *id == old {
                *id = new;
            }
        }
    }
}

/// A block goes when nothing reaches it, or when its only way in is a jump, with whose block it becomes one.
fn remove_block(body: &mut Region, block: usize) -> Option<()> {
    let id = BlockId(block as u32);
    let into = |op: &Operation| op.successors.iter().filter(|to| to.block == id).count();
    let ways: usize = body.blocks.iter().flat_map(|block| &block.ops).map(into).sum();
    if block == 0 || ways > 1 {
        return None;
    }
    if ways == 1 {
        let from =
            body.blocks.iter().position(|b| b.ops.last().is_some_and(|op| op.name == "core.br" && into(op) == 1))?;
        if from == block {
            return None;
        }
        let jump = body.blocks[from].ops.pop()?;
        let passed: SmallVec<[ValueId; 2]> = jump.successors.into_iter().next()?.args;
        let args = body.blocks[block].args.clone();
        for (arg, value) in args.into_iter().zip(passed) {
            replace(body, arg, value);
        }
        let ops = std::mem::take(&mut body.blocks[block].ops);
        body.blocks[from].ops.extend(ops);
    }
    body.blocks.remove(block);
    for op in body.blocks.iter_mut().flat_map(|block| &mut block.ops) {
        for to in &mut op.successors {
            to.block.0 -= u32::from(to.block.0 > id.0);
        }
    }
    Some(())
}
