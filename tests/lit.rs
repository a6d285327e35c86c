//! Runs lit over `tests/lit` and reports each of its files as one test.
//!
//! `cargo test --test lit -- core/ops` runs the files whose path has that part. A missing lit fails, and names the
//! package. An unexpected pass fails like a failure, as lit has it; so does a test that nothing ran.

use std::{env, fs, path::Path, process::Command, process::exit};

fn main() {
    let filters: Vec<String> = env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if env::args().any(|a| a == "--list") {
        return println!("lit: test");
    }
    let (passed, failed) = run(&filters).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        (0, 1)
    });
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out");
    exit(i32::from(failed > 0));
}

/// (passed, failed)
fn run(filters: &[String]) -> Result<(usize, usize), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let opt = Path::new(env!("CARGO_BIN_EXE_ppy-opt"));
    let tools = opt.parent().ok_or("ppy-opt is in no folder")?;
    let llvm = env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let lit = Path::new(&llvm).join("bin/lit");
    for needed in ["lit", "FileCheck", "not"] {
        let path = Path::new(&llvm).join("bin").join(needed);
        if !path.exists() {
            return Err(format!("there is no {} (Debian: apt-get install llvm-22-tools)", path.display()));
        }
    }
    let output = tools.join("lit");
    let report = output.join("report.json");
    fs::create_dir_all(&output).map_err(|e| format!("{}: {e}", output.display()))?;
    _ = fs::remove_file(&report);
    let mut command = Command::new(lit);
    command.arg(root.join("tests/lit")).args(["-v", "--no-progress-bar", "-o"]).arg(&report);
    for (name, value) in [("tools", tools), ("output", &output), ("llvm", Path::new(&llvm))] {
        command.arg("--param").arg(format!("{name}={}", value.display()));
    }
    if !filters.is_empty() {
        command.args(["--filter", &filters.join("|")]);
    }
    let status = command.status().map_err(|e| format!("lit does not run: {e}"))?;
    let text = fs::read_to_string(&report).map_err(|e| format!("lit wrote no report: {e}"))?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|e| format!("lit's report: {e}"))?;
    let codes: Vec<&str> =
        report["tests"].as_array().into_iter().flatten().filter_map(|t| t["code"].as_str()).collect();
    let ran: Vec<&&str> = codes.iter().filter(|c| !matches!(**c, "EXCLUDED" | "SKIPPED")).collect();
    let passed = ran.iter().filter(|c| matches!(***c, "PASS" | "XFAIL" | "FLAKYPASS")).count();
    let failed = ran.len() - passed;
    match (status.success(), failed, passed) {
        (false, 0, _) => Err("lit failed without a failing test".into()),
        (_, 0, 0) => Err("lit found no test".into()),
        _ => Ok((passed, failed)),
    }
}
