//! Random programs against CPython (`tests/diff`): a status of 0 comes with CPython's own answer, bit for bit.

mod support;

use ppy_mlir::emit::llvm::Level;
use serde_json::Value as Json;
use support::{Compiled, Engine, Interpreted, Tally, fell_back, files, folder, read, rows};

/// Rows that may fall back although CPython has an answer, one in so many.
const FALLBACKS_ONE_IN: usize = 12;

/// The programs to run: another folder that `tests/diff/generate.py` wrote, or the stored ones.
fn programs() -> std::path::PathBuf {
    std::env::var_os("PPY_DIFF_PROGRAMS").map_or_else(|| folder("diff/frozen"), Into::into)
}

/// Whether CPython says the same: it has an answer, with these results and buffers.
fn agrees(python: &Json, answer: &Json) -> bool {
    let buffers = python.get("buffers").is_none_or(|buffers| *buffers == answer["buffers"]);
    python.get("value").is_some_and(|value| *value == answer["results"]) && buffers
}

fn run(what: &str, engine: impl Fn(&ppy_mlir::ppyir::ast::Module, &str, &Json) -> support::Answer) {
    let (mut tally, mut raised, mut needless) = (Tally::default(), 0, 0);
    let programs = files(&programs(), "ppyir");
    assert!(!programs.is_empty(), "no programs to run");
    for path in programs {
        let documents = read(&path);
        for row in rows(&path.with_extension("json")) {
            let symbol = row["func"].as_str().expect("a row names its function");
            let python = &row["python"];
            match engine(&documents[0], symbol, &row["args"]) {
                Ok(answer) if fell_back(&answer) => match python.get("raises") {
                    Some(_) => raised += 1,
                    None => needless += 1,
                },
                Ok(answer) if agrees(python, &answer) => tally.passed += 1,
                Ok(answer) => tally.failed.push(format!("{}: {answer} for {row}", path.display())),
                Err(error) => tally.failed.push(format!("{}: {error} for {row}", path.display())),
            }
        }
    }
    let rows = tally.passed + tally.failed.len() + raised + needless;
    println!("{what}: {rows} rows, {raised} fell back where CPython raises, {needless} where it has an answer");
    assert!(needless * FALLBACKS_ONE_IN <= rows, "{what}: {needless} of {rows} rows fell back without need");
    tally.finish(what);
}

#[test]
fn the_interpreter_agrees_with_cpython() {
    run("interpreter", |module, symbol, arguments| Interpreted(module).call(symbol, arguments));
}

#[test]
fn unoptimized_code_agrees_with_cpython() {
    let engine = Compiled::at(0, Level::O0);
    run("JIT -O0", |module, symbol, arguments| engine.call(module, symbol, arguments));
}

#[test]
fn optimized_code_agrees_with_cpython() {
    let engine = Compiled::at(2, Level::O2);
    run("JIT -O2", |module, symbol, arguments| engine.call(module, symbol, arguments));
}
