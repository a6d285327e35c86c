//! The tours of README.md and the guides are real: every `$ command` of a `console` block is run, and prints what
//! stands below it. `PPY_BLESS=1 cargo test --test readme` rewrites the output. The documents of docs/ppyir.md read,
//! and print as the page says; the library's example runs.

#[path = "../examples/library.rs"]
mod library;

use ppy_mlir::{
    ppyir::{self, parse_documents, print_documents},
    registry::Syntax,
};
use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

/// The page with the output of every command as it is now.
fn rerun(page: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line) {
            (false, _) => {
                inside = line == "```console";
                out += &format!("{line}\n");
            }
            (true, "```") => {
                inside = false;
                out += "```\n";
            }
            (true, line) => {
                if let Some(command) = line.strip_prefix("$ ") {
                    out += &format!("{line}\n{}", run(command));
                }
            }
        }
    }
    out
}

fn run(command: &str) -> String {
    let tools = Path::new(env!("CARGO_BIN_EXE_ppy-opt")).parent().expect("a tool is in a folder");
    let llvm = env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let path = format!("{}:{llvm}/bin:{}", tools.display(), env::var("PATH").unwrap_or_default());
    let command = command.replace("target/debug/", &format!("{}/", tools.display()));
    let done = Command::new("sh")
        .args(["-c", &command])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("PATH", path)
        .output()
        .unwrap_or_else(|e| panic!("{command}: {e}"));
    assert!(done.stderr.is_empty(), "{command}:\n{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8_lossy(&done.stdout);
    let text = text.trim_end().lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
    assert!(!text.is_empty(), "{command}: prints nothing");
    text
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let page = read(name);
    let now = rerun(&page);
    if env::var_os("PPY_BLESS").is_some() {
        fs::write(&path, now).unwrap_or_else(|e| panic!("{name}: {e}"));
        return;
    }
    for (number, (expected, got)) in page.lines().zip(now.lines()).enumerate() {
        let place = format!("{name}:{}", number + 1);
        assert_eq!(expected, got, "{place}: the tools print something else now; PPY_BLESS=1 rewrites it");
    }
    assert_eq!(page.lines().count(), now.lines().count(), "{name}: longer or shorter now; PPY_BLESS=1 rewrites it");
}

#[test]
fn the_tour_of_the_readme_is_real() {
    check("README.md");
}

#[test]
fn the_guide_is_real() {
    check("docs/guide.md");
}

#[test]
fn regular_expressions_are_real() {
    check("docs/regex.md");
}

#[test]
fn embedding_is_real() {
    check("docs/embedding.md");
}

/// The contents of the blocks of a page that are in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once(&fence) {
        let (block, after) = after.split_once("```\n").expect("a block ends");
        found.push(block.to_owned());
        rest = after;
    }
    found
}

/// Each `ppyir` block is a valid document; it prints as itself, or as the `ppyir printed` block that follows.
#[test]
fn the_documents_of_the_text_format_read_and_print() {
    let page = read("docs/ppyir.md").replace("```ppyir printed\n", "```printed\n");
    let context = ppy_mlir::context();
    let documents = blocks(&page, "ppyir");
    assert_eq!(documents.len(), 2);
    for document in &documents {
        let (_, after) = page.split_once(&format!("```ppyir\n{document}```\n")).expect("it stands there");
        let next = after.split_once("```").map_or("", |(_, next)| next);
        let expected = if next.starts_with("printed\n") { &blocks(after, "printed")[0] } else { document };
        let trees = parse_documents(document, "page", &Syntax).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(&print_documents(&trees, &Syntax).expect("a text"), expected);
        let modules = ppyir::read(&context, document.as_bytes(), "page").unwrap_or_else(|errors| panic!("{errors}"));
        let written: String = modules.iter().map(|m| ppyir::write(m.as_operation()).expect("a text")).collect();
        assert_eq!(&written, expected, "by way of MLIR");
    }
}

/// The page has every effect and ownership: those that the verifier's message about another one lists.
#[test]
fn the_words_of_functions_are_on_the_page() {
    let page = read("docs/ppyir.md");
    let context = ppy_mlir::context();
    let text = "ppyir 1\nmodule @m\ndialect core 1\n\n\
                extern func @f(i64 {ownership = \"x\"}) -> () attrs {effects = [\"x\"]}\n";
    let errors = ppyir::read(&context, text.as_bytes(), "page").expect_err("no such effect").to_string();
    for list in ["the effects are ", "it is one of "] {
        let (_, words) = errors.split_once(list).unwrap_or_else(|| panic!("{errors}"));
        for word in words.lines().next().unwrap_or_default().split(", ") {
            assert!(page.lines().any(|line| line.starts_with('|') && line.contains(&format!("`{word}`"))), "{word}");
        }
    }
}

/// Every name that the grammar uses is a rule of it, or a token of the table below it.
#[test]
fn the_grammar_is_closed() {
    let page = read("docs/ppyir.md");
    let grammar = blocks(&page, "ebnf").join("");
    // Quoted text is every second part.
    let bare: String = grammar.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let rules = bare.split(';').filter_map(|rule| rule.split_once('=')).flat_map(|(name, _)| words(name));
    let tokens = page.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.split('|').nth(1));
    let known: BTreeSet<String> = rules.chain(tokens.flat_map(words)).chain(["NL".to_owned()]).collect();
    let unknown: Vec<_> = words(&bare).difference(&known).cloned().collect();
    assert!(unknown.is_empty() && known.len() > 20, "{unknown:?}");
}

#[test]
fn the_example_of_the_library_runs() {
    let printed = library::run().unwrap_or_else(|error| panic!("{error}"));
    let [interpreted, compiled] = ["interpreted", "compiled"]
        .map(|engine| format!("{engine}: {{\"status\": 0, \"results\": [42], \"buffers\": []}}\n"));
    assert!(printed.ends_with(&format!("{interpreted}{compiled}")), "{printed}");
    assert!(
        read("docs/embedding.md").contains(&format!("```\n{interpreted}{compiled}```\n")),
        "the page says what it prints"
    );
    assert!(printed.contains("core.mul %width, %height") && !printed.contains("core.alloca"), "{printed}");
    assert!(printed.contains("i32 @area(i64 "), "{printed}");
}
