//! Damaged texts end in a module or an error: read, verify, optimize, write, interpret.

use crate::dice::Dice;
use crate::meaning;
use crate::mlir;
use crate::mutate::{damage, damage_bytes};
use crate::passes::{Counts, print, read};
use melior::Context;
use melior::ir::Module;
use ppy_mlir::ppyir;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const PASSES: &[&str] = &["canonicalize", "mem2reg", "cse"];

/// The larger of two sizes is not what finds bugs.
const MAX_BYTES: u64 = 5000;

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "ppyir") && path.metadata().is_ok_and(|m| m.len() < MAX_BYTES) {
            found.push(path);
        }
    }
}

/// Whether the header names nothing but what is here.
fn readable(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let named = text.lines().filter_map(|line| line.strip_prefix("dialect ")).filter_map(|line| line.split(' ').next());
    let here = |name: &str| ppy_mlir::registry::dialect_by_ppyir(name).is_some();
    named.into_iter().all(here)
}

/// Small programs of the other tests.
static PROGRAMS: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut found = Vec::new();
    for folder in ["exec", "diff/frozen"] {
        collect(&tests.join(folder), &mut found);
    }
    found.sort();
    found.retain(|path| readable(path));
    found
});

/// A text to damage: a stored program, or a random module.
fn original(dice: &mut Dice, seed: u64) -> Vec<u8> {
    if dice.chance(70)
        && let Some(path) = dice.pick_some(&PROGRAMS)
        && let Ok(bytes) = std::fs::read(path)
    {
        return bytes;
    }
    crate::passes::input(seed).unwrap_or_default().into_bytes()
}

/// The damaged `.ppyir` of a case.
pub fn ppyir_input(seed: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed, 3);
    let text = original(&mut dice, seed);
    damage(&text, &mut dice)
}

/// The damaged MLIR text (at times bytecode) of a case.
pub fn mlir_input(context: &Context, seed: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed, 4);
    for _ in 0..20 {
        let text = original(&mut dice, seed);
        let Some(module) = ppyir::read(context, &text, "original.ppyir").ok().filter(|m| !m.is_empty()) else {
            continue;
        };
        return match dice.below(10) {
            0..=4 => damage(mlir::text(&module[0], false).unwrap_or_default().as_bytes(), &mut dice),
            5..=7 => damage(mlir::text(&module[0], true).unwrap_or_default().as_bytes(), &mut dice),
            _ => damage_bytes(mlir::bytecode(&module[0]), &mut dice),
        };
    }
    b"module {}".to_vec()
}

/// A damaged `.ppyir`.
pub fn ppyir(context: &Context, seed: u64, counts: &mut Counts) -> Result<(), String> {
    ppyir_text(context, &ppyir_input(seed), seed, counts)
}

pub fn ppyir_text(context: &Context, bytes: &[u8], seed: u64, counts: &mut Counts) -> Result<(), String> {
    // The interpreter takes what nobody has verified.
    if let Ok(documents) = ppyir::parse_bytes(bytes, "fuzz.ppyir", &ppy_mlir::registry::Syntax) {
        for document in documents {
            let mut dice = Dice::new(seed, 5);
            for row in meaning::rows(&document, &mut dice).into_iter().take(6) {
                let _ = meaning::run(&document, &row, meaning::AS_MADE);
            }
        }
    }
    let modules = match mlir::reported(context, |context| Some(ppyir::read(context, bytes, "fuzz.ppyir")))? {
        Ok(modules) => modules,
        Err(errors) => {
            *counts.entry("refused").or_default() += 1;
            let nameless = errors.list.iter().any(|error| error.message.is_empty() || error.line == 0);
            return if errors.list.is_empty() || nameless {
                Err(format!("an error without words: {errors}"))
            } else {
                Ok(())
            };
        }
    };
    *counts.entry("read").or_default() += 1;
    for module in modules {
        let text = print(&mlir::export(&module)?)?;
        if print(&read(&text)?)? != text {
            return Err("the text does not print as itself".into());
        }
        optimize(context, module)?;
    }
    Ok(())
}

/// A damaged `.mlir`.
pub fn mlir(context: &Context, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let input = mlir_input(context, seed);
    mlir_text(context, &input, counts)
}

pub fn mlir_text(context: &Context, bytes: &[u8], counts: &mut Counts) -> Result<(), String> {
    let verified = match mlir::parse(context, bytes) {
        Ok(module) => mlir::check(context, &module).map(|()| module),
        Err(messages) => Err(messages),
    };
    match verified {
        Ok(module) => {
            *counts.entry("read").or_default() += 1;
            optimize(context, module)
        }
        Err(messages) => {
            *counts.entry("refused").or_default() += 1;
            if messages.is_empty() { Err("refused without a word".into()) } else { Ok(()) }
        }
    }
}

/// What verifies can be optimized and written; MLIR's own dialects and odd names have no `.ppyir`, with a reason.
fn optimize<'c>(context: &'c Context, mut module: Module<'c>) -> Result<(), String> {
    for pass in PASSES {
        mlir::run_pass(context, &mut module, pass)?;
    }
    match mlir::export(&module).and_then(|tree| print(&tree)) {
        Err(message) if message.is_empty() => Err("no .ppyir, and no reason".into()),
        _ => Ok(()),
    }
}
