//! No operation is half there: each has its documentation, an example that holds, its meaning, its lowering and its
//! tests.
//!
//! A failure names every operation and what it lacks.

#[path = "support/examples.rs"]
mod examples;
mod support;

use melior::pass::PassManager;
use ppy_mlir::{
    mlir::{diagnostic::capture_reports, parse, verify},
    ppyir,
    registry::{DIALECTS, DialectInfo, INTERPRETER_RULES, OpInfo, PASSES},
};
use std::fs;

/// Every text below a folder of tests, joined.
fn texts(folder: &str, extensions: &[&str]) -> String {
    let root = support::folder(folder);
    if !root.is_dir() {
        return String::new();
    }
    let files = extensions.iter().flat_map(|e| support::files(&root, e));
    files.map(|path| fs::read_to_string(path).unwrap_or_default()).collect()
}

/// Whether the text has the word, not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(|c| part(c) && c != '.'))
}

/// The operations with their dialect, and what each one lacks by `lack`.
fn require(what: &str, lack: impl Fn(&DialectInfo, &OpInfo) -> Option<String>) {
    let all = DIALECTS.iter().flat_map(|d| d.ops.iter().map(move |op| (d, op)));
    let missing: Vec<String> = all.filter_map(|(d, op)| Some(format!("  {}: {}", op.name, lack(d, op)?))).collect();
    assert!(missing.is_empty(), "{what}:\n{}", missing.join("\n"));
}

fn mnemonic(op: &OpInfo) -> &'static str {
    op.name.split_once('.').map_or(op.name, |(_, mnemonic)| mnemonic)
}

#[test]
fn every_operation_is_documented() {
    require("documentation in mlir-td/", |_, op| {
        if op.summary.is_empty() {
            return Some("no summary".into());
        }
        if op.summary.ends_with('.') {
            return Some("the summary is a phrase, without a full stop".into());
        }
        let shown = examples::blocks(op.description);
        match shown.iter().any(|block| has_word(block, op.name)) {
            true => None,
            false => Some("no ```mlir example of it in the description".into()),
        }
    });
    for d in DIALECTS {
        assert!(!d.summary.is_empty() && !d.description.is_empty(), "{}: no summary or description", d.name);
        for (name, summary, description) in d.types {
            assert!(!summary.is_empty() && !description.is_empty(), "{}.{name}: no summary or description", d.name);
        }
    }
    for pass in PASSES {
        assert!(!pass.summary.is_empty() && !pass.description.is_empty(), "--{}: no documentation", pass.argument);
        for (name, _, _, description) in pass.options {
            assert!(!description.is_empty(), "--{}={name}: no description", pass.argument);
        }
    }
}

#[test]
fn every_example_holds() {
    let context = ppy_mlir::context();
    require("an example that parses, verifies and has a .ppyir form", |_, op| {
        examples::blocks(op.description).iter().find_map(|block| {
            let text = match examples::module(&context, block) {
                Ok(text) => text,
                Err(error) => return Some(error),
            };
            let (result, reports) = capture_reports(&context, |c| {
                let module = parse::module(c, text.as_bytes(), "example").ok_or("does not parse")?;
                let op = module.as_operation();
                match verify::verify(op) {
                    true => ppyir::write(op).map(drop).map_err(|_| "has no .ppyir form"),
                    false => Err("does not verify"),
                }
            });
            result.err().map(|what| {
                let errors: Vec<_> = reports.into_iter().map(|r| r.text).collect();
                format!("{what}: {}\n{text}", errors.join("; "))
            })
        })
    });
}

#[test]
fn every_operation_is_lowered() {
    let context = ppy_mlir::context();
    require("a lowering in dialects/<dialect>/lower.rs", |_, op| {
        examples::blocks(op.description).iter().find_map(|block| {
            let text = examples::module(&context, block).ok()?;
            let (left, reports) = capture_reports(&context, |c| {
                let mut module = parse::module(c, text.as_bytes(), "example")?;
                let passes = PassManager::new(c);
                passes.add_pass(ppy_mlir::passes::generated::lower_regex());
                passes.add_pass(ppy_mlir::passes::generated::convert_ppy_to_llvm());
                passes.run(&mut module).ok()?;
                let lowered = module.as_operation().to_string();
                Some(
                    lowered
                        .lines()
                        .filter(|line| DIALECTS.iter().any(|d| line.contains(&format!("{}.", d.name))))
                        .map(str::to_owned)
                        .collect::<Vec<_>>(),
                )
            });
            match left {
                Some(left) if left.is_empty() => None,
                Some(left) => Some(format!("left over: {}", left.join("; "))),
                None => Some(reports.into_iter().map(|r| r.text).collect::<Vec<_>>().join("; ")),
            }
        })
    });
}

#[test]
fn every_operation_has_an_interpreter_rule() {
    let rules: Vec<&str> = INTERPRETER_RULES.iter().flat_map(|rules| rules.iter().map(|(name, _)| *name)).collect();
    require("a rule in dialects/<dialect>/interp.rs", |_, op| {
        // A symbol is the module's business, not a step of a run.
        (!op.symbol && !rules.contains(&op.ppyir)).then(|| "no rule".into())
    });
}

#[test]
fn every_operation_is_tested() {
    for d in DIALECTS {
        let lit = texts(&format!("lit/{}/ops", d.ppyir), &["mlir"]);
        let text = texts(&format!("lit/{}/ops", d.ppyir), &["ppyir", "mlir"]);
        let run = texts("exec", &["ppyir"]);
        require("tests", |owner, op| {
            if owner.name != d.name {
                return None;
            }
            if !has_word(&lit, mnemonic(op)) && !has_word(&lit, op.name) {
                return Some(format!("not in tests/lit/{}/ops/*.mlir (the round trip)", d.ppyir));
            }
            let spelling = if op.symbol { mnemonic(op) } else { op.ppyir };
            if !op.symbol && !has_word(&text, spelling) {
                return Some(format!("not in tests/lit/{}/ops/*.ppyir (the round trip)", d.ppyir));
            }
            (!has_word(&run, spelling)).then(|| "in no program of tests/exec".into())
        });
        for (name, _, _) in d.types {
            assert!(
                lit.contains(&format!("!{}.{name}", d.name)),
                "!{}.{name} is not in tests/lit/{}/ops",
                d.name,
                d.ppyir
            );
        }
    }
}
