//! Broken modules (`tests/invalid`): each is refused, at its line, with a message that helps.

mod support;

use ppy_mlir::ppyir::{self, Errors, SyntaxError};
use support::{Tally, files, folder, json};

#[test]
fn broken_modules_are_refused() {
    let home = folder("invalid");
    let rules = json(&home.join("RULES.json"));
    let rules = rules.as_object().expect("an entry per file");
    let context = ppy_mlir::context();
    let mut tally = Tally::default();
    for (file, rule) in rules {
        let bytes = std::fs::read(home.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        match ppyir::read(&context, &bytes, file) {
            Ok(_) => tally.failed.push(format!("{file} is accepted, against: {}", rule["rule"])),
            Err(errors) => match complaint(rule, &errors) {
                None => tally.passed += 1,
                Some(what) => tally.failed.push(format!("{file}: {what} in\n{errors}")),
            },
        }
    }
    tally.finish("broken modules");
}

/// What is missing in the errors of a file, by its rule.
fn complaint(rule: &serde_json::Value, errors: &Errors) -> Option<String> {
    let least = rule["errors_at_least"].as_u64().unwrap_or(1);
    if (errors.list.len() as u64) < least {
        return Some(format!("{} errors, not {least} or more", errors.list.len()));
    }
    // Not the quoted line: it has the words by itself.
    let said = |e: &SyntaxError| format!("{}\n{}\n", e.message, e.help.as_deref().unwrap_or_default());
    let text: String = errors.list.iter().map(said).collect();
    let words = rule["must_mention"].as_array().expect("words that the message has");
    if let Some(missing) = words.iter().filter_map(|w| w.as_str()).find(|word| !text.contains(word)) {
        return Some(format!("no word `{missing}`"));
    }
    let line = rule["line"].as_u64()?;
    errors.list.iter().all(|e| u64::from(e.line) != line).then(|| format!("no error at line {line}"))
}

/// Every file has a rule, and every rule its file.
#[test]
fn rules_and_files_match() {
    for (home, table) in [("invalid", "RULES.json"), ("invalid/waiting", "../waiting.json")] {
        let home = folder(home);
        let rules = json(&home.join(table));
        let mut named: Vec<_> = rules.as_object().expect("an entry per file").keys().cloned().collect();
        named.sort();
        let there: Vec<String> = files(&home, "ppyir")
            .iter()
            .filter(|path| path.parent() == Some(home.as_path()))
            .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
            .collect();
        assert_eq!(named, there, "{table} and the files of {} differ", home.display());
    }
}

/// A module that is large enough to be read on several threads; `broken` has lines in place of a function's first one.
fn large(broken: &[(usize, &str)]) -> String {
    let mut text = "ppyir 1\nmodule @large\ndialect core 1\n".to_owned();
    for number in 0..32 {
        text += &format!("\nfunc @f{number}(%x: i64) -> i64 {{\n^entry:\n    %0 = core.const {number} : i64\n");
        text += broken.iter().find(|(at, _)| *at == number).map_or("", |(_, line)| line);
        for op in 0..1000 {
            text += &format!("    %{} = core.add %{op}, %x {{overflow = \"wrap\"}} : i64\n", op + 1);
        }
        text += "    core.ret %1000\n}\n";
    }
    text
}

#[test]
fn large_modules_read_alike_with_threads_and_without() {
    let (threaded, alone) = (ppy_mlir::context(), ppy_mlir::context());
    threaded.enable_multi_threading(true);
    alone.enable_multi_threading(false);
    let text = large(&[]);
    let written = |context| {
        let modules = ppyir::read(context, text.as_bytes(), "large").unwrap_or_else(|errors| panic!("{errors}"));
        ppyir::write(modules[0].as_operation()).expect("a module with a text")
    };
    assert_eq!(written(&threaded), text);
    assert_eq!(written(&alone), text);
    let broken = [
        (2, "    %a = core.add %x, %x {overflow = \"wrong\"} : i64\n", "overflow = \"wrong\""),
        (3, "    %a = core.alloca : ptr<i64, nowhere>\n", "no address space 'nowhere'"),
        (4, "    %a = core.const 0 : buffer<future<i8>>\n", "buffer<future<i8>>"),
        (17, "    %a = core.alloca : ptr<i64, elsewhere>\n", "no address space 'elsewhere'"),
        (30, "    %a = core.const 0 : buffer<future<i16>>\n", "buffer<future<i16>>"),
        (31, "    %a = core.call %x {callee = @nobody} : i64\n", "nobody"),
    ];
    let text = large(&broken.map(|(at, line, _)| (at, line)));
    let errors = |context| ppyir::read(context, text.as_bytes(), "large").expect_err("it is broken");
    let (first, other) = (errors(&threaded), errors(&alone));
    assert_eq!(first.to_string(), other.to_string());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(first.list.len(), broken.len(), "{first}");
    for (error, (_, line, words)) in first.list.iter().zip(broken) {
        assert_eq!(lines[error.line as usize - 1], line.trim_end(), "{first}");
        assert!(error.message.contains(words), "{first}");
    }
}
