//! Profiles: stored programs mean the same when they count and when they are annotated, and both engines count alike.

mod support;

use melior::{Context, ir::Module};
use ppy_mlir::{
    driver::{args, profile::legend_of},
    emit::llvm::{Function, Jit, Level},
    interp::{Interpreter, Limits},
    passes::{
        default_pipeline::{DefaultPipeline, Until},
        pipeline,
    },
    ppyir::{self, ast, export::export},
    profile::Profile,
};
use serde_json::Value as Json;
use std::collections::{HashMap, hash_map::Entry};
use std::path::{Path, PathBuf};
use support::{Tally, defines, files, folder, meets, rows};

/// A stored file with the rows that hold for it.
struct Program {
    path: PathBuf,
    rows: Vec<Json>,
}

/// The stored programs whose rows run without a runtime.
fn programs() -> Vec<Program> {
    let mut found = Vec::new();
    for expectations in files(&folder("exec"), "json").into_iter().filter(|path| path.ends_with("expect.json")) {
        let home = expectations.parent().expect("a file has a folder");
        let all = rows(&expectations);
        for path in files(home, "ppyir").into_iter().filter(|p| !p.to_string_lossy().ends_with(".reprint.ppyir")) {
            let name = path.strip_prefix(home).expect("below").to_string_lossy().into_owned();
            let holds = |row: &&Json| {
                row.get("needs_runtime").is_none()
                    && row["files"].as_array().is_none_or(|chosen| chosen.iter().any(|c| *c == *name))
            };
            let rows: Vec<Json> = all.iter().filter(holds).cloned().collect();
            if !rows.is_empty() {
                found.push(Program { path, rows });
            }
        }
    }
    found
}

/// The modules of a file after a pipeline, each with its tree.
fn after<'c>(context: &'c Context, path: &Path, passes: &str) -> Vec<(Module<'c>, ast::Module)> {
    let bytes = std::fs::read(path).expect("a readable file");
    let modules = ppyir::read(context, &bytes, &path.display().to_string()).unwrap_or_else(|e| panic!("{e}"));
    let prepared = modules.into_iter().map(|mut module| {
        pipeline::run(&mut module, &format!("builtin.module({passes})")).unwrap_or_else(|e| panic!("{e}"));
        let tree = export(module.as_operation()).unwrap_or_else(|e| panic!("{}", e.message));
        (module, tree)
    });
    prepared.collect()
}

/// What a call answers and the counters after it, or why there is no answer.
type Ran = Result<(Json, Vec<u64>), String>;

/// The answer of the interpreter, and its counters.
fn interpret(tree: &ast::Module, row: &Json) -> Ran {
    let symbol = row["func"].as_str().expect("a row names its function");
    let (tree, function) = args::function(std::slice::from_ref(tree), symbol)?;
    let values = args::arguments(function, &row["args"].to_string())?;
    let mut interpreter = Interpreter::new(tree, Limits::default()).map_err(|e| e.to_string())?;
    let outcome = interpreter.call(&function.symbol, &values).map_err(|e| e.to_string())?;
    let line = args::render(outcome.status, &outcome.results, &outcome.memory);
    Ok((serde_json::from_str(&line).map_err(|e| e.to_string())?, interpreter.counters().to_vec()))
}

/// A lowered module, with the functions that were compiled of it.
struct Native {
    jit: Jit,
    functions: HashMap<String, Function>,
}

impl Native {
    fn new(module: &mut Module<'_>, level: Level) -> Result<Native, String> {
        let jit = Jit::new(module, level).map_err(|e| e.to_string())?;
        Ok(Native { jit, functions: HashMap::new() })
    }

    /// The answer of compiled code, and its counters.
    fn call(&mut self, tree: &ast::Module, row: &Json) -> Ran {
        let symbol = row["func"].as_str().expect("a row names its function");
        let (_, function) = args::function(std::slice::from_ref(tree), symbol)?;
        let values = args::arguments(function, &row["args"].to_string())?;
        let compiled = match self.functions.entry(symbol.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.jit.function(function).map_err(|e| e.to_string())?),
        };
        let outcome = compiled.call(&values, None).map_err(|e| e.to_string())?;
        let line = args::render(outcome.status, &outcome.results, &outcome.memory);
        Ok((serde_json::from_str(&line).map_err(|e| e.to_string())?, outcome.counters))
    }
}

/// Whether a module runs threads: how often they look for each other, and how ranges are split among them, is no
/// engine's promise.
fn threads(tree: &ast::Module) -> bool {
    tree.dialects.iter().any(|(dialect, _)| ["concurrency", "parallel"].contains(&dialect.as_str()))
}

/// What a program waits for: generators have a lowering of their own.
const UNLOWERED: &str = "ppy.gen_yield";

/// Counters without the zeros at their end.
fn trimmed(counters: &[u64]) -> &[u64] {
    let used = counters.iter().rposition(|count| *count != 0).map_or(0, |last| last + 1);
    &counters[..used]
}

/// The rows of a program for a module, in both engines.
fn run<'r>(
    tree: &'r ast::Module,
    native: &'r mut Native,
    rows: &'r [Json],
) -> impl Iterator<Item = (&'r Json, [Ran; 2])> {
    let rows = rows.iter().filter(|row| defines(tree, row["func"].as_str().unwrap_or_default()));
    rows.map(move |row| (row, [interpret(tree, row), native.call(tree, row)]))
}

#[test]
fn counting_and_annotating_keep_the_meaning() {
    let context = ppy_mlir::context();
    let mut tally = Tally::default();
    let recorded = std::env::temp_dir().join(format!("ppy-profile-{}.ppyprof", std::process::id()));
    for program in programs() {
        let shown = program.path.display();
        let mut profile = Profile::default();
        for (mut module, tree) in after(&context, &program.path, "canonicalize,instrument-profile") {
            let mut native = match Native::new(&mut module, Level::O0) {
                Ok(native) => native,
                Err(error) if error.contains(UNLOWERED) => {
                    tally.wait(UNLOWERED.to_owned());
                    continue;
                }
                Err(error) => {
                    tally.failed.push(format!("{shown}: {error}"));
                    continue;
                }
            };
            let legend = native.jit.legend().cloned().expect("an instrumented module has a legend");
            for (row, answers) in run(&tree, &mut native, &program.rows) {
                match answers {
                    [Ok((answer, counted)), Ok((native, natively))] => {
                        profile.merge(legend.profile(&counted));
                        if !meets(row, &answer) || !meets(row, &native) {
                            tally.failed.push(format!("{shown}: {answer} and {native} for {row}"));
                        } else if !threads(&tree) && trimmed(&counted) != trimmed(&natively) {
                            tally.failed.push(format!("{shown}: counted {counted:?} and {natively:?} for {row}"));
                        } else {
                            tally.passed += 1;
                        }
                    }
                    [a, b] => tally.failed.push(format!("{shown}: {:?} {:?} for {row}", a.err(), b.err())),
                }
            }
        }
        if profile.functions.is_empty() {
            continue;
        }
        std::fs::write(&recorded, profile.text()).expect("a writable folder");
        let annotate = format!("canonicalize,annotate-profile{{file={}}}", recorded.display());
        for (mut module, tree) in after(&context, &program.path, &annotate) {
            let mut native = Native::new(&mut module, Level::O1).unwrap_or_else(|e| panic!("{shown}: {e}"));
            for (row, answers) in run(&tree, &mut native, &program.rows) {
                for answer in answers {
                    match answer {
                        Ok((answer, _)) if meets(row, &answer) => tally.passed += 1,
                        Ok((answer, _)) => tally.failed.push(format!("{shown}: annotated, {answer} for {row}")),
                        Err(error) => tally.failed.push(format!("{shown}: annotated, {error} for {row}")),
                    }
                }
            }
        }
    }
    let _ = std::fs::remove_file(recorded);
    tally.finish("profiles");
}

/// A profile of ppy's says which graph it counted by a digest of it: `digests.json` has what ppy-lang 0.7.1 calls those
/// of the stored programs.
#[test]
fn graphs_are_those_that_ppy_counts() {
    let known: HashMap<String, HashMap<String, String>> =
        serde_json::from_str(include_str!("profile/digests.json")).expect("the digests");
    let context = ppy_mlir::context();
    let pipeline = DefaultPipeline {
        until: Until::instrumented(),
        with: vec!["instrument-profile".into()],
        ..DefaultPipeline::at(2)
    };
    let passes = pipeline.text().expect("a pipeline");
    let mut compared = 0;
    for (program, digests) in known {
        let path = folder("exec").join(&program).join("prog.ppyir");
        for (_, tree) in after(&context, &path, &passes) {
            for (symbol, function) in legend_of(&tree).expect("a legend").functions {
                assert_eq!(Some(&function.cfg), digests.get(&symbol), "{program}: @{symbol}");
                compared += 1;
            }
        }
    }
    assert!(compared > 250, "{compared} graphs were compared");
}
