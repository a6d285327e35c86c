//! Random modules: texts and bytecode round-trip, and no order of passes changes what a module means.

use crate::dice::Dice;
use crate::meaning::{AFTER_PASSES, AS_MADE, Ending, Row, difference, rows, run};
use crate::minimize::minimize;
use crate::{generate, instrument, mlir};
use melior::Context;
use ppy_mlir::mlir::process::{End, isolate};
use ppy_mlir::ppyir::ast::{Item, Module};
use ppy_mlir::ppyir::{parse_documents, print_module};
use ppy_mlir::registry::{PASSES, Syntax};
use std::collections::BTreeMap;
use std::time::Duration;

/// Passes of upstream that rely on our interfaces. `remove-dead-values` is not among them: in LLVM 22 it breaks `cf`
/// too, where several branches reach a block one of whose arguments is unused.
const UPSTREAM: &[&str] = &[
    "canonicalize",
    "canonicalize{region-simplify=aggressive}",
    "cse",
    "mem2reg",
    "sccp",
    "inline",
    "symbol-dce",
    "control-flow-sink",
    "loop-invariant-code-motion",
    "symbol-privatize{exclude=f0,f1,f2,f3}",
    "sroa",
];

/// Ranges in three parts, however short.
pub const SPLIT: &str = "lower-parallel{threads=3 minimum=1}";

/// For modules without branches only: in LLVM 22 it goes on with the ranges of block arguments that simplification of
/// the regions has freed, and a new one at the same address takes them over.
const STRAIGHT: &[&str] = &["int-range-optimizations"];

/// Pipelines as passes among passes, and the canonicalizer of the default one.
const PIPELINES: &[&str] = &[
    "ppy-canonicalize",
    "ppy-pipeline{level=0}",
    "ppy-pipeline{level=1}",
    "ppy-pipeline{level=2}",
    "ppy-pipeline{level=3}",
    "global-dce",
    "whole-program",
    SPLIT,
];

/// All passes that are drawn. Of our own, conversions are not: the interpreter runs ppy operations only, and compiled
/// code is compared in `native.rs`.
pub fn all() -> Vec<&'static str> {
    let own = PASSES.iter().map(|pass| pass.argument).filter(|pass| !pass.starts_with("convert-"));
    UPSTREAM.iter().chain(PIPELINES).copied().chain(own).collect()
}

/// Calls, with what is known of their endings.
pub type Known = Vec<(Row, Ending)>;

/// A hang, when it happens again.
const CRASH_LIMIT: Duration = Duration::from_secs(4);

/// What was counted over cases.
pub type Counts = BTreeMap<&'static str, u64>;

pub fn print(module: &Module) -> Result<String, String> {
    print_module(module, &Syntax).map_err(|error| format!("the module does not print: {error}"))
}

pub fn read(text: &str) -> Result<Module, String> {
    let mut documents = parse_documents(text, "fuzz.ppyir", &Syntax).map_err(|errors| format!("{errors}"))?;
    if documents.len() == 1 { Ok(documents.remove(0)) } else { Err(format!("{} documents", documents.len())) }
}

/// The `.ppyir` text of the case.
pub fn input(seed: u64) -> Result<String, String> {
    let mut module = generate::module(seed);
    // Names that are only numbers are the printer's.
    for item in &mut module.items {
        if let Item::Function(function) = item {
            function.renumber();
        }
    }
    print(&module)
}

/// Texts of one random module.
pub fn round_trips(context: &Context, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let module = generate::module(seed);
    let text = print(&module)?;
    let again = read(&text)?;
    if again != module {
        return Err("parse(print(m)) is not m".into());
    }
    let hosted = mlir::import(context, &text)?;
    let first = mlir::export(&hosted)?;
    let printed = print(&first)?;
    for (what, source) in [
        ("custom text", mlir::text(&hosted, false)?.into_bytes()),
        ("generic text", mlir::text(&hosted, true)?.into_bytes()),
        ("bytecode", mlir::bytecode(&hosted)),
    ] {
        let read = mlir::parse(context, &source).map_err(|error| format!("{what} does not read: {error}"))?;
        mlir::check(context, &read).map_err(|error| format!("{what} does not verify: {error}"))?;
        let exported = print(&mlir::export(&read)?)?;
        if exported != printed {
            return Err(format!("{what} loses something:\n{}", first_difference(&printed, &exported)));
        }
    }
    *counts.entry("round trips").or_default() += 1;
    Ok(())
}

fn first_difference(a: &str, b: &str) -> String {
    let (a, b): (Vec<_>, Vec<_>) = (a.lines().collect(), b.lines().collect());
    let at = (0..a.len().max(b.len())).find(|i| a.get(*i) != b.get(*i)).unwrap_or(0);
    format!("line {}:\n  {}\n  {}", at + 1, a.get(at).unwrap_or(&""), b.get(at).unwrap_or(&""))
}

/// A random order of passes on the case's module.
pub fn keep_meaning(context: &Context, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let (text, pipeline) = (input(seed)?, pipeline(seed));
    let known = known(seed, &text)?;
    for (_, ending) in &known {
        let kind = match ending {
            Ending::Skipped => "rows skipped",
            Ending::Status { status: 0, .. } => "rows with status 0",
            Ending::Status { .. } => "rows with another status",
        };
        *counts.entry(kind).or_default() += 1;
    }
    *counts.entry("passes run").or_default() += pipeline.len() as u64;
    let Err(error) = apply(context, &text, &pipeline, &known, counts) else { return Ok(()) };
    // The same failure in a smaller module: of the same first word, whose rows mean what they mean there.
    let rows: Vec<Row> = known.into_iter().map(|(row, _)| row).collect();
    let kind = |error: &str| error.chars().take(12).collect::<String>();
    let fails = |text: &str, pipeline: &[&'static str]| {
        let Ok(before) = read(text) else { return false };
        let known: Known =
            rows.iter().filter_map(|row| Some((row.clone(), run(&before, row, AS_MADE).ok()?))).collect();
        apply(context, text, pipeline, &known, &mut Counts::new()).is_err_and(|smaller| kind(&smaller) == kind(&error))
    };
    let (text, pipeline) = minimize(&text, &pipeline, fails);
    let after = passed(context, &text, &pipeline, &Known::new(), &mut Counts::new());
    let after = after.map_or_else(|error| error, |(module, _)| print(&module).unwrap_or_default());
    Err(format!("{error}\n{}, from\n{text}to\n{after}", pipeline.join(",")))
}

/// What is known of the case's module.
fn known(seed: u64, text: &str) -> Result<Known, String> {
    answers(&read(text)?, &mut Dice::new(seed, 6))
}

/// The passes of a case, in their order.
pub fn pipeline(seed: u64) -> Vec<&'static str> {
    let mut dice = Dice::new(seed, 2);
    let mut all = all();
    if generate::is_straight(seed) {
        all.extend(STRAIGHT.iter().flat_map(|pass| [*pass; 4]));
    }
    (0..dice.within(1, 6)).map(|_| *dice.pick(&all)).collect()
}

/// Random calls with their endings.
pub fn answers(module: &Module, dice: &mut Dice) -> Result<Known, String> {
    rows(module, dice).into_iter().map(|row| run(module, &row, AS_MADE).map(|ending| (row, ending))).collect()
}

/// The module after the passes, and what is known of it then; it verifies after each.
fn passed(
    context: &Context,
    text: &str,
    pipeline: &[&str],
    known: &Known,
    counts: &mut Counts,
) -> Result<(Module, Known), String> {
    let (mut module, mut known) = (mlir::import(context, text)?, known.clone());
    for pass in pipeline {
        match *pass {
            "sanitize" => {
                holds(&mlir::export(&module)?, &known)?;
                known = instrument::sanitize(context, &mut module, &known, counts)?;
            }
            "annotate-profile" => instrument::annotate(context, &mut module, &known, counts)?,
            pass => mlir::run_pass(context, &mut module, pass)?,
        }
    }
    Ok((mlir::export(&module)?, known))
}

/// The case made smaller while its passes crash or hang, each attempt in a process of its own.
pub fn minimal_crash(context: &Context, seed: u64) -> String {
    let (Ok(text), pipeline) = (input(seed), pipeline(seed)) else { return String::new() };
    let Ok(known) = known(seed, &text) else { return String::new() };
    let ends_badly = |text: &str, pipeline: &[&'static str]| {
        let run = || drop(passed(context, text, pipeline, &known, &mut Counts::new()));
        isolate(Some(CRASH_LIMIT), run).is_ok_and(|end| !matches!(end, End::Finished))
    };
    if !ends_badly(&text, &pipeline) {
        return "the passes alone do not end badly".into();
    }
    let (text, pipeline) = minimize(&text, &pipeline, ends_badly);
    format!("{}, on\n{text}", pipeline.join(","))
}

/// Whether the module means what is known of it after the passes too.
pub fn apply(
    context: &Context,
    text: &str,
    pipeline: &[&str],
    known: &Known,
    counts: &mut Counts,
) -> Result<(), String> {
    let (after, known) = passed(context, text, pipeline, known, counts)?;
    holds(&after, &known)
}

/// Whether the module means what is known of it.
fn holds(module: &Module, known: &Known) -> Result<(), String> {
    for (row, before) in known {
        if *before != Ending::Skipped {
            let now = run(module, row, AFTER_PASSES).map_err(|error| format!("the result does not run: {error}"))?;
            if let Some(why) = difference(row, before, &now) {
                return Err(format!("the meaning changes: {why}"));
            }
        }
    }
    Ok(())
}
