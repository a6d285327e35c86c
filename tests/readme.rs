//! The tours of README.md and docs/guide.md are real: every `$ command` of a `console` block is run, and prints what
//! stands below it. `PPY_BLESS=1 cargo test --test readme` rewrites the output.

use std::{env, fs, path::Path, process::Command};

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

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let page = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
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
