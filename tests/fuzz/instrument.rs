//! The passes that need more than their name: `sanitize` changes how what wraps ends, and `annotate-profile` reads a
//! profile, which is recorded here from the case's own rows.

use crate::meaning::{AFTER_PASSES, Ending, Row, run};
use crate::mlir;
use crate::passes::{Counts, Known};
use melior::Context;
use melior::ir::Module;
use ppy_mlir::interp::Interpreter;
use ppy_mlir::ppyir::ast::{self, Attr, Block, Item, Type, ValueId};
use ppy_mlir::profile::{Legend, Profile, legend};

/// Runs `sanitize`, and answers what is known of the module from then on: later passes keep what the guards do.
///
/// What does not wrap ends as before. Where something wraps the call fails, at the place where it would under
/// `checked`, and where the status of a failed call is a value the call may go on with it.
pub fn sanitize<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    known: &Known,
    counts: &mut Counts,
) -> Result<Known, String> {
    let before = mlir::export(module)?;
    mlir::run_pass(context, module, "sanitize")?;
    let (after, checked) = (mlir::export(module)?, checked(before.clone()));
    let mut endings = Known::new();
    for (row, _) in known {
        let unsanitized = run(&before, row, AFTER_PASSES)?;
        let sanitized =
            run(&after, row, AFTER_PASSES).map_err(|error| format!("sanitized, it does not run: {error}"))?;
        let strict = run(&checked, row, AFTER_PASSES)?;
        if let Some(why) = change(row, &unsanitized, &sanitized, &strict) {
            return Err(format!("sanitize is wrong: {why}"));
        }
        if matches!(sanitized, Ending::Status { status: OVERFLOW, .. }) {
            *counts.entry("rows that a sanitizer ended").or_default() += 1;
        }
        endings.push((row.clone(), sanitized));
    }
    Ok(endings)
}

/// The status of the sanitizer of overflow.
const OVERFLOW: i32 = 3;

/// What is wrong with the ending of a sanitized program, by those of the program before and with `checked` arithmetic.
fn change(row: &Row, before: &Ending, after: &Ending, strict: &Ending) -> Option<String> {
    use Ending::{Skipped, Status};
    let right = match (before, after, strict) {
        // What has no meaning may be caught, or not be among the kinds.
        (Skipped, ..) => true,
        (Status { .. }, Status { .. }, Status { status: 0, .. }) if before == strict => before == after,
        // The status of a failed call was a value.
        (Status { .. }, Status { .. }, Status { status: 0, .. }) => true,
        (Status { .. }, Status { status, memory, .. }, Status { status: failed, memory: left, .. }) => {
            [OVERFLOW, *failed].contains(status) && memory == left
        }
        _ => false,
    };
    (!right).then(|| format!("{row:?}\n  before: {before:?}\n  after:  {after:?}\n  checked: {strict:?}"))
}

/// The module with integers that fail where the sanitizer of overflow looks.
fn checked(mut module: ast::Module) -> ast::Module {
    let regions = module.items.iter_mut().filter_map(|item| match item {
        Item::Function(function) => function.body.as_mut().map(|body| (body, &function.values)),
        Item::Global(_) => None,
    });
    for (body, values) in regions {
        let is_integer = |id: &ValueId| matches!(values[id.0 as usize].ty, Type::Int { .. } | Type::Index);
        for op in body.blocks.iter_mut().flat_map(|block: &mut Block| &mut block.ops) {
            let arithmetic = ["core.add", "core.sub", "core.mul"].contains(&op.name.as_str());
            if !arithmetic || !op.results.first().is_some_and(is_integer) {
                continue;
            }
            if let Some(Attr::Str(mode)) = op.attrs.get("overflow")
                && ["wrap", "proven", "native"].contains(&mode.as_str())
            {
                op.attrs.insert("overflow".into(), Attr::Str("checked".into()));
            }
        }
    }
    module
}

/// Runs `annotate-profile` with a profile of the rows.
pub fn annotate<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    known: &Known,
    counts: &mut Counts,
) -> Result<(), String> {
    let mut counting = mlir::parse(context, &mlir::bytecode(module))?;
    mlir::run_pass(context, &mut counting, "instrument-profile")?;
    let profile = record(&mlir::export(&counting)?, known)?;
    let file = std::env::temp_dir().join(format!("ppy-fuzz-{}.ppyprof", std::process::id()));
    std::fs::write(&file, profile.text()).map_err(|error| format!("{}: {error}", file.display()))?;
    let annotated = mlir::run_pass(context, module, &format!("annotate-profile{{file={}}}", file.display()));
    // What is left behind is small, and in the folder of temporary files.
    let _ = std::fs::remove_file(file);
    *counts.entry("profiles annotated").or_default() += 1;
    annotated
}

/// What the rows do in an instrumented module.
fn record(counting: &ast::Module, known: &Known) -> Result<Profile, String> {
    let text = match counting.attrs.as_ref().and_then(|attrs| attrs.get(legend::ATTRIBUTE)) {
        Some(Attr::Str(text)) => text,
        other => return Err(format!("an instrumented module has the legend {other:?}")),
    };
    let legend = Legend::parse(text)?;
    let mut profile = Profile::default();
    for (row, _) in known {
        let mut interpreter = Interpreter::new(counting, AFTER_PASSES).map_err(|error| error.to_string())?;
        // A call that breaks off has counted until then.
        let _ = interpreter.call(&row.function, &row.arguments);
        profile.merge(legend.profile(interpreter.counters()));
    }
    Ok(profile)
}
