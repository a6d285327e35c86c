//! Rules of the tree that no other tool checks.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Every file of the repository's own, as (path from the root, text); binary ones are left out.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut folders, mut found) = (vec![PathBuf::from(root)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                if !matches!(&*name, ".git" | "target" | ".venv" | "__pycache__" | ".cache" | "shared") {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                let relative = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
                found.push((relative, text));
            }
        }
    }
    found.sort();
    found
}

fn code(path: &str) -> bool {
    [".rs", ".cpp", ".h", ".td", ".inc", ".py"].iter().any(|extension| path.ends_with(extension))
}

fn refuse(what: &str, wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{what}:\n  {}", wrong.join("\n  "));
}

#[test]
fn files_are_short_and_have_one_subject() {
    let long = sources().into_iter().filter(|(path, _)| code(path));
    let long = long.map(|(path, text)| (path, text.lines().count())).filter(|(_, lines)| *lines > 800);
    refuse("files over 800 lines ask for a split", long.map(|(path, lines)| format!("{path}: {lines}")).collect());
}

/// Prose only: rustfmt and clang-format see to code, and leave alone what cannot be broken.
#[test]
fn prose_fits_120_columns() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let page = path.ends_with(".md") && !path.starts_with("docs/reference");
        let declarations = path.ends_with(".td");
        let source = code(&path) && !path.ends_with(".py");
        if !page && !source {
            continue;
        }
        let mut fenced = false;
        for (number, line) in text.lines().enumerate() {
            let start = line.trim_start();
            fenced ^= start.starts_with("```");
            // What tools printed and the rows of tables are as long as they are.
            let comment = start.starts_with("//") && !line.contains("\\n");
            let prose = match (page, declarations) {
                (true, _) => !fenced && !start.starts_with('|'),
                (_, true) => !fenced && (comment || !line.contains(['"', '$', '{'])),
                _ => comment,
            };
            if prose && line.chars().count() > 120 {
                wrong.push(format!("{path}:{}", number + 1));
            }
        }
    }
    refuse("lines over 120 columns", wrong);
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("db", "g!("),
    ];
    let mut wrong = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| code(path)) {
        for (number, line) in text.lines().enumerate() {
            wrong.extend(marks.iter().filter(|m| line.contains(**m)).map(|m| format!("{path}:{}: {m}", number + 1)));
        }
    }
    refuse("left for later", wrong);
}

#[test]
fn unsafe_stays_in_the_ffi_layer() {
    // Beside it: the plugin's entry points, the version of the running LLVM, and jumping into compiled code.
    let allowed =
        ["src/mlir/", "src/plugin.rs", "src/driver/version.rs", "src/emit/llvm/call.rs", "src/emit/llvm/jit.rs"];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let rust = path.ends_with(".rs") && (path.starts_with("src/") || path.starts_with("dialects/"));
        if rust && !allowed.iter().any(|prefix| path.starts_with(prefix)) {
            let lines = text.lines().enumerate().filter(|(_, line)| {
                let line = line.trim_start();
                !line.starts_with("//")
                    && ["unsafe {", "unsafe fn", "unsafe extern", "unsafe impl"].iter().any(|u| line.contains(u))
            });
            wrong.extend(lines.map(|(number, _)| format!("{path}:{}", number + 1)));
        }
    }
    refuse("unsafe outside src/mlir", wrong);
}

#[test]
fn every_rust_file_says_what_it_is() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if path.ends_with(".rs") && !text.starts_with("//!") {
            wrong.push(path);
        }
    }
    refuse("files without a module documentation", wrong);
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    for (path, text) in sources().into_iter().filter(|(path, _)| path.ends_with(".md")) {
        let folder = root.join(&path).parent().map(PathBuf::from).unwrap_or_default();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.contains(' ') && !folder.join(target).exists() {
                wrong.push(format!("{path}: {link}"));
            }
        }
    }
    refuse("links to nowhere", wrong);
}
