//! Inputs that once failed (`regressions/`): no crash, and the meaning kept under every pass alone, under the passes
//! that a first line `// passes: a,b` names, and in compiled code.

use crate::dice::Dice;
use crate::{damage, mlir, native, passes};
use std::path::Path;

const SEEDS: u64 = 4;

#[test]
fn regressions_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/regressions");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let context = mlir::context();
    let mut failures = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).expect("a readable file");
        let mut counts = passes::Counts::new();
        let ended = match path.extension().and_then(|e| e.to_str()) {
            Some("ppyir") => damage::ppyir_text(&context, &bytes, 1, &mut counts).and_then(|()| keep(&context, &bytes)),
            Some("mlir" | "mlirbc") => damage::mlir_text(&context, &bytes, &mut counts),
            _ => continue,
        };
        if let Err(error) = ended {
            failures.push(format!("{}: {error}", path.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn keep(context: &melior::Context, bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let (Ok(module), Ok(_)) = (passes::read(&text), mlir::import(context, &text)) else { return Ok(()) };
    let named = text.lines().next().and_then(|line| line.strip_prefix("// passes: "));
    let named: Vec<&str> = named.map(|list| list.split(',').collect()).unwrap_or_default();
    for seed in 0..SEEDS {
        let known = passes::answers(&module, &mut Dice::new(seed, 7))?;
        let mut counts = passes::Counts::new();
        passes::apply(context, &text, &named, &known, &mut counts)?;
        for pass in passes::all() {
            passes::apply(context, &text, &[pass], &known, &mut counts)?;
        }
        native::agree_on(context, &text, &module, &known, native::LEVELS, &mut counts)?;
    }
    Ok(())
}
