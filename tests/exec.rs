//! Stored programs and their answers (`tests/exec`): texts round-trip, and every row holds in every file.

mod support;

use ppy_mlir::emit::llvm::{self, Level, Machine, Target};
use ppy_mlir::ppyir::{self, ErrorKind, parse_bytes, print_documents};
use ppy_mlir::registry::Syntax;
use std::path::{Path, PathBuf};
use support::{Compiled, Engine, Interpreted, Optimized, Tally, defines, files, folder, json, meets, read, rows};

fn is_reprint(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".reprint.ppyir")
}

/// The programs, without the files that must not read.
fn programs() -> Vec<PathBuf> {
    let refused = folder("exec/refused");
    files(&folder("exec"), "ppyir").into_iter().filter(|path| !path.starts_with(&refused)).collect()
}

/// What a row waits for: the family of the first function that it reaches and that is not here.
fn runtime(needed: &serde_json::Value) -> String {
    let first = needed[0].as_str().unwrap_or("?");
    let family: Vec<_> = first.split('_').take(2).collect();
    format!("{} of the runtime", family.join("_"))
}

/// The rows of every directory, the examples' included, against every file they hold for.
fn run(what: &str, engine: impl Fn(&ppy_mlir::ppyir::ast::Module, &str, &serde_json::Value) -> support::Answer) {
    let mut tally = Tally::default();
    for expectations in [folder("exec"), folder("../examples")].iter().flat_map(|root| files(root, "json")) {
        if !expectations.ends_with("expect.json") {
            continue;
        }
        let home = expectations.parent().expect("a file has a folder");
        let modules: Vec<_> =
            files(home, "ppyir").into_iter().filter(|path| !is_reprint(path)).map(|p| (read(&p), p)).collect();
        for row in rows(&expectations) {
            let symbol = row["func"].as_str().expect("a row names its function");
            let name = |path: &Path| path.strip_prefix(home).expect("below").to_string_lossy().into_owned();
            let mut ran = 0;
            for (documents, path) in &modules {
                let chosen = row["files"].as_array().is_none_or(|chosen| chosen.iter().any(|c| *c == *name(path)));
                let Some(module) = documents.iter().find(|m| chosen && defines(m, symbol)) else { continue };
                ran += 1;
                if row.get("needs_runtime").is_some() {
                    tally.wait(runtime(&row["needs_runtime"]));
                    continue;
                }
                match engine(module, symbol, &row["args"]) {
                    Ok(answer) if meets(&row, &answer) => tally.passed += 1,
                    Ok(answer) => tally.failed.push(format!("{}: {answer} for {row}", path.display())),
                    Err(error) => tally.failed.push(format!("{}: {error} for {row}", path.display())),
                }
            }
            if ran == 0 {
                tally.failed.push(format!("{}: no file for {row}", expectations.display()));
            }
        }
    }
    tally.finish(what);
}

#[test]
fn rows_hold_in_the_interpreter() {
    run("interpreter", |module, symbol, arguments| Interpreted(module).call(symbol, arguments));
}

fn run_optimized(level: u32) {
    let engine = Optimized::at(level);
    run(&format!("interpreter, level {level}"), |module, symbol, arguments| engine.call(module, symbol, arguments));
}

fn run_compiled(what: &str, engine: &Compiled) {
    run(what, |module, symbol, arguments| engine.call(module, symbol, arguments));
}

#[test]
fn rows_hold_in_the_interpreter_at_level_0() {
    run_optimized(0);
}

#[test]
fn rows_hold_in_the_interpreter_at_level_1() {
    run_optimized(1);
}

#[test]
fn rows_hold_in_the_interpreter_at_level_2() {
    run_optimized(2);
}

#[test]
fn rows_hold_in_the_interpreter_at_level_3() {
    run_optimized(3);
}

#[test]
fn rows_hold_in_code_without_passes() {
    run_compiled("JIT, no passes", &Compiled::plain());
}

#[test]
fn rows_hold_in_code_at_level_0() {
    run_compiled("JIT -O0", &Compiled::at(0, Level::O0));
}

/// LLVM's optimizer at its cheapest level: what it gets differs, not what it does.
#[test]
fn rows_hold_in_code_at_level_1() {
    run_compiled("JIT -O0, passes at level 1", &Compiled::at(1, Level::O0));
}

#[test]
fn rows_hold_in_code_at_level_2() {
    run_compiled("JIT -O2", &Compiled::at(2, Level::O2));
}

#[test]
fn rows_hold_in_code_at_level_3() {
    run_compiled("JIT -O0, passes at level 3", &Compiled::at(3, Level::O0));
}

#[test]
fn rows_hold_in_code_after_the_passes() {
    run_compiled("JIT after passes", &Compiled::after("builtin.module(canonicalize,mem2reg,simplify-cfg,cse,dce)"));
}

/// What a program waits for: generators have a lowering of their own.
const UNLOWERED: &str = "ppy.gen_yield";

#[test]
fn programs_become_valid_llvm_ir() {
    let context = ppy_mlir::context();
    let mut tally = Tally::default();
    for level in [Level::O0, Level::O2] {
        let machine = Machine::new(&Target::default(), level).expect("the host's machine");
        for path in programs() {
            let bytes = std::fs::read(&path).expect("a readable file");
            let modules = ppyir::read(&context, &bytes, &path.display().to_string());
            for mut module in modules.unwrap_or_else(|errors| panic!("{errors}")) {
                // LLVM's own verifier is part of it.
                match llvm::lower(&mut module, &machine, &llvm::Options::at(level)) {
                    Ok(_) => tally.passed += 1,
                    Err(error) if error.to_string().contains(UNLOWERED) => tally.wait(UNLOWERED.to_owned()),
                    Err(error) => tally.failed.push(format!("{}: {error}", path.display())),
                }
            }
        }
    }
    tally.finish("LLVM IR");
}

/// What code for another machine is made of: its triple, and its number in ELF's header.
const FOREIGN: [(&str, u16); 2] = [("aarch64-linux-gnu", 183), ("riscv64-linux-gnu", 243)];

/// A feature that stored programs demand and none of those machines has.
const FEATURE: &str = "avx2";

/// That LLVM can select and encode every instruction, also of programs without rows; `tests/native.rs` runs the others.
#[test]
fn programs_become_objects_of_other_machines() {
    let context = ppy_mlir::context();
    let mut tally = Tally::default();
    for (triple, machine) in FOREIGN {
        let target = Target { triple: Some(triple.into()), ..Target::default() };
        let options = llvm::Options { target, ..llvm::Options::at(Level::O0) };
        for path in programs().into_iter().filter(|path| !is_reprint(path)) {
            let bytes = std::fs::read(&path).expect("a readable file");
            let demands = String::from_utf8_lossy(&bytes).contains(FEATURE);
            let modules = ppyir::read(&context, &bytes, &path.display().to_string());
            for mut module in modules.unwrap_or_else(|errors| panic!("{errors}")) {
                match llvm::emit(&mut module, &options, llvm::Output::Object) {
                    Err(error) if error.to_string().contains(UNLOWERED) => tally.wait(UNLOWERED.to_owned()),
                    Err(error) if demands && error.to_string().contains(&format!("no feature '{FEATURE}'")) => {
                        tally.passed += 1;
                    }
                    Err(error) => tally.failed.push(format!("{} for {triple}: {error}", path.display())),
                    Ok(object)
                        if !demands
                            && object.starts_with(b"\x7fELF")
                            && object.get(18..20) == Some(&machine.to_le_bytes()) =>
                    {
                        tally.passed += 1;
                    }
                    Ok(_) => tally.failed.push(format!("{}: no right object for {triple}", path.display())),
                }
            }
        }
    }
    tally.finish("objects of other machines");
}

#[test]
fn texts_round_trip() {
    let mut tally = Tally::default();
    for path in programs() {
        let expected = if is_reprint(&path) { path.clone() } else { path.with_extension("reprint.ppyir") };
        let expected = if expected.exists() { expected } else { path.clone() };
        let printed = print_documents(&read(&path), &Syntax).expect("what was read prints");
        if printed == std::fs::read_to_string(&expected).expect("a readable file") {
            tally.passed += 1;
        } else {
            tally.failed.push(format!("{} does not print as {}", path.display(), expected.display()));
        }
    }
    tally.finish("round trip");
}

#[test]
fn missing_dialects_are_named() {
    let home = folder("exec/refused");
    let refused = json(&home.join("REFUSED.json"));
    for (file, entry) in refused.as_object().expect("a file per entry") {
        let bytes = std::fs::read(home.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let errors = parse_bytes(&bytes, file, &Syntax).expect_err(file);
        let dialects = entry["dialects"].as_object().expect("dialects with versions");
        let named = errors.list.iter().any(|error| {
            error.kind == ErrorKind::Dialect
                && dialects.iter().any(|(name, version)| {
                    error.message.contains(name.as_str()) && error.message.contains(&version.to_string())
                })
        });
        assert!(named, "{file}: the refusal names no dialect with its version of {dialects:?}:\n{errors}");
    }
}
