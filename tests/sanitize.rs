//! The sanitizers: a program that does nothing wrong has its answers with all of them, on every engine, and one that
//! does ends with the status of its kind (`tests/sanitize`), whatever was optimized.

mod support;

use ppy_mlir::emit::llvm::{Level, Options};
use ppy_mlir::interp::FALLBACK;
use ppy_mlir::passes::{
    pipeline,
    sanitize::{self, Sanitizer},
};
use ppy_mlir::ppyir::{self, ast::Module, parse_bytes, print_documents};
use ppy_mlir::registry::Syntax;
use serde_json::Value as Json;
use std::path::Path;
use support::{Answer, Compiled, Engine, Interpreted, Tally, defines, files, folder, meets, read, rows};

/// A stored program's file before and after the pass.
struct Program {
    /// Its integers that do not fit fail, so that what the sanitizer of overflow does is known otherwise.
    checked: Vec<Module>,
    sanitized: Vec<Module>,
}

/// The rows of every program: as they are, or failed where an integer wraps.
fn stored(what: &str, kinds: &[Sanitizer], mut engine: impl FnMut(&Module, &str, &Json) -> Answer) {
    let mut tally = Tally::default();
    for expectations in files(&folder("exec"), "json").into_iter().filter(|path| path.ends_with("expect.json")) {
        let home = expectations.parent().expect("a file has a folder");
        for path in files(home, "ppyir").iter().filter(|path| !path.to_string_lossy().ends_with(".reprint.ppyir")) {
            let local = path.strip_prefix(home).expect("below").to_string_lossy().into_owned();
            let program = Program { checked: checked(path), sanitized: sanitized(path, kinds) };
            for row in rows(&expectations).into_iter().filter(|row| row.get("needs_runtime").is_none()) {
                let symbol = row["func"].as_str().expect("a row names its function");
                let chosen = row["files"].as_array().is_none_or(|chosen| chosen.iter().any(|c| *c == *local));
                let defining = |modules: &[Module]| modules.iter().position(|m| chosen && defines(m, symbol));
                let Some(index) = defining(&program.sanitized) else { continue };
                let wraps = kinds.contains(&Sanitizer::Overflow)
                    && Interpreted(&program.checked[index])
                        .call(symbol, &row["args"])
                        .is_ok_and(|answer| answer["status"] != row["status"]);
                match engine(&program.sanitized[index], symbol, &row["args"]) {
                    // A failure of a function it calls is its fallback.
                    Ok(answer) if wraps && (answer["status"] == 3 || answer["status"] == FALLBACK) => tally.passed += 1,
                    Ok(answer) if !wraps && meets(&row, &answer) => tally.passed += 1,
                    Ok(answer) => tally.failed.push(format!("{}: {answer} for {row}", path.display())),
                    Err(error) => tally.failed.push(format!("{}: {error} for {row}", path.display())),
                }
            }
        }
    }
    tally.finish(what);
}

/// The modules of a file, in which no sum, difference or product of scalars wraps.
fn checked(path: &Path) -> Vec<Module> {
    const FOUND: [&str; 3] = ["core.add ", "core.sub ", "core.mul "];
    let text = print_documents(&read(path), &Syntax).expect("what was read prints");
    let lines = text.lines().map(|line| match FOUND.iter().any(|op| line.contains(op)) && !line.contains("vector<") {
        true => ["wrap", "proven", "native"].iter().fold(line.to_owned(), |line, mode| {
            line.replace(&format!("overflow = \"{mode}\""), "overflow = \"checked\"")
        }),
        false => line.to_owned(),
    });
    let text: Vec<String> = lines.collect();
    parse_bytes(text.join("\n").as_bytes(), "checked", &Syntax).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The modules of a file with the guards of the kinds.
fn sanitized(path: &Path, kinds: &[Sanitizer]) -> Vec<Module> {
    passed(path, kinds, "")
}

/// The same after more passes, each with a comma before it.
fn passed(path: &Path, kinds: &[Sanitizer], more: &str) -> Vec<Module> {
    let context = ppy_mlir::context();
    let bytes = std::fs::read(path).expect("a readable file");
    let modules = ppyir::read(&context, &bytes, &path.display().to_string()).unwrap_or_else(|e| panic!("{e}"));
    let pass = format!("builtin.module({}{more})", sanitize::pass(kinds));
    let guarded = modules.into_iter().map(|mut module| {
        pipeline::run(&mut module, &pass).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        ppyir::export(melior::ir::Module::as_operation(&module)).unwrap_or_else(|error| panic!("{}", error.message))
    });
    guarded.collect()
}

#[test]
fn programs_keep_their_answers_in_the_interpreter() {
    std::thread::scope(|scope| {
        for kind in Sanitizer::ALL {
            scope.spawn(move || {
                stored(kind.name(), &[kind], |module, symbol, arguments| Interpreted(module).call(symbol, arguments));
            });
        }
    });
}

#[test]
fn programs_keep_their_answers_in_code() {
    for level in [Level::O0, Level::O2] {
        let engine = Compiled::new(Options::at(level));
        let what = format!("all kinds, JIT {level:?}");
        stored(&what, &Sanitizer::ALL, |module, symbol, arguments| engine.call(module, symbol, arguments));
    }
}

/// Passes that see the guards before code generation does.
const PIPELINES: &[&str] = &[
    "builtin.module(canonicalize,mem2reg,simplify-cfg,cse,dce)",
    "builtin.module(inline,canonicalize,ppy_core.func(mem2reg,if-convert,prove-counters,eliminate-guards),sccp,dce)",
    "builtin.module(mem2reg,cse,loop-invariant-code-motion,int-range-optimizations,constant-fold,canonicalize,dce)",
];

#[test]
fn each_kind_fails_with_its_status() {
    let levels = [Level::O0, Level::O1, Level::O2, Level::O3];
    let mut engines: Vec<(String, Compiled)> =
        levels.into_iter().map(|level| (format!("JIT {level:?}"), Compiled::new(Options::at(level)))).collect();
    engines.push(("JIT -O3 without passes".into(), Compiled::at(0, Level::O3)));
    engines.extend(PIPELINES.iter().map(|pipeline| (format!("JIT after {pipeline}"), Compiled::after(pipeline))));
    let home = folder("sanitize");
    let rows = rows(&home.join("expect.json"));
    let mut tally = Tally::default();
    for path in files(&home, "ppyir") {
        let file = path.file_name().expect("a file").to_string_lossy().into_owned();
        let rows: Vec<&Json> = rows.iter().filter(|row| row["files"][0] == file).collect();
        assert!(!rows.is_empty(), "{file} has no rows");
        // A row holds under its own kinds, and under all of them.
        let own = |row: &Json| {
            let names: Vec<&str> = row["kinds"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            names.into_iter().map(|name| Sanitizer::parse(name).expect("a kind")).collect::<Vec<_>>()
        };
        let mut sets: Vec<Vec<Sanitizer>> = rows.iter().map(|row| own(row)).filter(|kinds| !kinds.is_empty()).collect();
        sets.dedup();
        sets.push(Sanitizer::ALL.to_vec());
        for kinds in sets {
            let modules: Vec<(String, Module)> = std::iter::once(String::new())
                .chain(
                    PIPELINES
                        .iter()
                        .map(|pipeline| format!(",{}", &pipeline["builtin.module(".len()..pipeline.len() - 1])),
                )
                .map(|more| (format!("interpreter{more}"), passed(&path, &kinds, &more).remove(0)))
                .collect();
            for row in rows.iter().filter(|row| kinds.len() == Sanitizer::ALL.len() || own(row) == kinds) {
                let symbol = row["func"].as_str().expect("a row names its function");
                let interpreted =
                    modules.iter().map(|(name, module)| (name, Interpreted(module).call(symbol, &row["args"])));
                let compiled =
                    engines.iter().map(|(name, engine)| (name, engine.call(&modules[0].1, symbol, &row["args"])));
                for (engine, answer) in interpreted.chain(compiled) {
                    match answer {
                        Ok(answer) if meets(row, &answer) => tally.passed += 1,
                        other => tally.failed.push(format!("{file}, {kinds:?}, {engine}: {other:?} for {row}")),
                    }
                }
            }
        }
    }
    tally.finish("failures");
}
