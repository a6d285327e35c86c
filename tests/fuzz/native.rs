//! Compiled code answers as the interpreter does, without optimization and at each level of it.

use crate::dice::Dice;
use crate::meaning::{self, Ending, Row, difference};
use crate::minimize::minimize;
use crate::mlir;
use crate::passes::{Counts, SPLIT, answers, input, read};
use melior::Context;
use ppy_mlir::emit::llvm::{Jit, Level};
use ppy_mlir::ppyir::ast::{Item, Module};
use std::time::Duration;

/// One of them for each case, beside no optimization.
const OPTIMIZED: &[Level] = &[Level::O2, Level::O1, Level::O3];

/// All levels.
pub const LEVELS: &[Level] = &[Level::O0, Level::O1, Level::O2, Level::O3];

const TIMEOUT: Duration = Duration::from_secs(10);

/// The module of a case, compiled.
pub fn agrees(context: &Context, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let text = input(seed)?;
    let module = read(&text)?;
    let known = answers(&module, &mut Dice::new(seed, 6))?;
    let levels = [Level::O0, OPTIMIZED[seed as usize % OPTIMIZED.len()]];
    let Err(error) = agree_on(context, &text, &module, &known, &levels, counts) else { return Ok(()) };
    // The same kind of failure in a smaller module.
    let kind = |error: &str| error.chars().take(12).collect::<String>();
    let fails = |text: &str, _: &[&'static str]| {
        let (Ok(module), Ok(_)) = (read(text), mlir::import(context, text)) else { return false };
        let rows =
            known.iter().filter_map(|(row, _)| Some((row.clone(), meaning::run(&module, row, meaning::AS_MADE).ok()?)));
        let known: Vec<_> = rows.collect();
        agree_on(context, text, &module, &known, &levels, &mut Counts::new())
            .is_err_and(|other| kind(&other) == kind(&error))
    };
    let (text, _) = minimize(&text, &[], fails);
    Err(format!("{error}\n{text}"))
}

/// The rows of a module, compiled.
pub fn agree_on(
    context: &Context,
    text: &str,
    module: &Module,
    known: &[(Row, Ending)],
    levels: &[Level],
    counts: &mut Counts,
) -> Result<(), String> {
    for level in levels {
        compare(context, text, module, *level, known, counts).map_err(|error| format!("{level:?}: {error}"))?;
    }
    Ok(())
}

fn compare(
    context: &Context,
    text: &str,
    module: &Module,
    level: Level,
    known: &[(Row, Ending)],
    counts: &mut Counts,
) -> Result<(), String> {
    let mut hosted = mlir::import(context, text)?;
    // Without optimization ranges stay whole.
    if level != Level::O0 {
        mlir::run_pass(context, &mut hosted, SPLIT)?;
    }
    let jit = Jit::new(&mut hosted, level).map_err(|error| error.to_string())?;
    let mut compiled: Option<(&str, _)> = None;
    for (row, before) in known {
        if *before == Ending::Skipped {
            *counts.entry("rows skipped").or_default() += 1;
            continue;
        }
        if compiled.as_ref().is_none_or(|(name, _)| *name != row.function) {
            let function = module.items.iter().find_map(|item| match item {
                Item::Function(function) if function.symbol == row.function => Some(function),
                _ => None,
            });
            let function = function.ok_or_else(|| format!("no function @{}", row.function))?;
            compiled = Some((&row.function, jit.function(function).map_err(|error| error.to_string())?));
        }
        let Some((_, code)) = &compiled else { continue };
        let outcome = code.call(&row.arguments, Some(TIMEOUT)).map_err(|error| format!("{row:?}: {error}"))?;
        let after = meaning::ending(outcome.status, &outcome.results, &outcome.memory);
        if let Some(why) = difference(row, before, &after) {
            return Err(format!("the meaning changes: {why}"));
        }
        *counts.entry("rows compared").or_default() += 1;
    }
    Ok(())
}
