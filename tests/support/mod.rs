//! What the tests over stored programs share: rows with their expectations, engines that run them, and the tally.

#![allow(dead_code, unused_imports, reason = "each test crate uses a part")]

mod compiled;

pub use compiled::{Compiled, Optimized};
use ppy_mlir::driver::args;
use ppy_mlir::interp::{self, Interpreter, Limits};
use ppy_mlir::ppyir::ast::{Item, Module};
use ppy_mlir::ppyir::parse_bytes;
use ppy_mlir::registry::Syntax;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A folder of the repository's tests.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Every file below `root` with the extension, in order.
pub fn files(root: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub fn json(path: &Path) -> Json {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of an `expect.json` or `progNNN.json`.
pub fn rows(path: &Path) -> Vec<Json> {
    match json(path)["rows"].take() {
        Json::Array(rows) => rows,
        other => panic!("{}: rows are a list, not {other}", path.display()),
    }
}

/// The documents of a file that must read.
pub fn read(path: &Path) -> Vec<Module> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    parse_bytes(&bytes, &path.display().to_string(), &Syntax).unwrap_or_else(|errors| panic!("{errors}"))
}

/// How a call ended, as `ppy-run` prints it: `{"status", "results", "buffers"}`.
pub type Answer = Result<Json, String>;

/// Something that runs the functions of a module.
pub trait Engine {
    fn call(&mut self, function: &str, arguments: &Json) -> Answer;
}

/// The reference interpreter on one module.
pub struct Interpreted<'m>(pub &'m Module);

impl Engine for Interpreted<'_> {
    fn call(&mut self, function: &str, arguments: &Json) -> Answer {
        let modules = std::slice::from_ref(self.0);
        let (module, function) = args::function(modules, function)?;
        let values = args::arguments(function, &arguments.to_string())?;
        let mut interpreter = Interpreter::new(module, Limits::default()).map_err(|e| e.to_string())?;
        let outcome = interpreter.call(&function.symbol, &values).map_err(|e| e.to_string())?;
        let line = args::render(outcome.status, &outcome.results, &outcome.memory);
        serde_json::from_str(&line).map_err(|e| format!("{line}: {e}"))
    }
}

/// Whether the module defines the function with a body.
pub fn defines(module: &Module, symbol: &str) -> bool {
    module.items.iter().any(|item| matches!(item, Item::Function(f) if f.symbol == symbol && f.body.is_some()))
}

/// Whether an answer is what a row of `tests/exec` expects; its README has the rules.
pub fn meets(row: &Json, answer: &Json) -> bool {
    let buffers = row.get("buffers").is_none_or(|expected| *expected == answer["buffers"]);
    ends_as(row, answer) && buffers || row.get("also").is_some_and(|also| ends_as(also, answer))
}

fn ends_as(expected: &Json, answer: &Json) -> bool {
    if expected["status"] != answer["status"] {
        return false;
    }
    match (expected.get("results"), &answer["results"]) {
        (Some(Json::Array(expected)), Json::Array(got)) => {
            expected.len() == got.len() && expected.iter().zip(got).all(|(e, g)| e.is_null() || e == g)
        }
        (None, _) => true,
        _ => false,
    }
}

/// What a run over many rows came to. It fails at the end, with everything that went wrong.
#[derive(Default)]
pub struct Tally {
    pub passed: usize,
    /// Reasons and how many rows wait for them.
    pub waiting: BTreeMap<String, usize>,
    pub failed: Vec<String>,
}

impl Tally {
    pub fn wait(&mut self, reason: String) {
        *self.waiting.entry(reason).or_default() += 1;
    }

    /// Prints the counts and panics when a row failed.
    pub fn finish(self, what: &str) {
        let waiting: usize = self.waiting.values().sum();
        println!("{what}: {} passed, {} failed, {waiting} waiting", self.passed, self.failed.len());
        for (reason, count) in &self.waiting {
            println!("  waiting, {count}: {reason}");
        }
        let shown = self.failed.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.failed.is_empty(), "{what}: {} failed\n{shown}", self.failed.len());
    }
}

/// Whether the caller gets CPython's answer instead.
pub fn fell_back(answer: &Json) -> bool {
    answer["status"] != interp::OK
}
