//! Programs after `whole-program`, in which only what their rows call is kept public: every row holds, on both engines.

mod support;

use ppy_mlir::{
    passes::pipeline,
    ppyir::{self, ast::Module, parse_bytes, print_module},
    registry::Syntax,
};
use std::collections::BTreeSet;
use support::{Compiled, Engine, Interpreted, Tally, defines, files, folder, meets, read, rows};

/// A module after a pipeline, as a tree.
fn after(module: &Module, passes: &str) -> Result<Module, String> {
    let context = ppy_mlir::context();
    let mut hosted = ppyir::build(&context, module).map_err(|errors| errors.join("\n"))?;
    pipeline::run(&mut hosted, &format!("builtin.module({passes})"))?;
    let text = ppyir::write(hosted.as_operation()).map_err(|error| error.message)?;
    let documents = parse_bytes(text.as_bytes(), "after", &Syntax).map_err(|errors| errors.to_string())?;
    documents.into_iter().next().ok_or("nothing is left".into())
}

#[test]
fn rows_hold_after_whole_program() {
    let compiled = Compiled::plain();
    let mut tally = Tally::default();
    for expectations in [folder("exec"), folder("../examples")].iter().flat_map(|root| files(root, "json")) {
        if !expectations.ends_with("expect.json") {
            continue;
        }
        let home = expectations.parent().expect("a file has a folder");
        let rows = rows(&expectations);
        for path in files(home, "ppyir").into_iter().filter(|p| !p.to_string_lossy().ends_with(".reprint.ppyir")) {
            let name = path.strip_prefix(home).expect("below").to_string_lossy().into_owned();
            for module in read(&path) {
                let holds = |row: &&serde_json::Value| {
                    let here = row["files"].as_array().is_none_or(|chosen| chosen.iter().any(|c| *c == *name));
                    here && row.get("needs_runtime").is_none()
                        && row["func"].as_str().is_some_and(|f| defines(&module, f))
                };
                let rows: Vec<_> = rows.iter().filter(holds).collect();
                let kept: BTreeSet<&str> = rows.iter().filter_map(|row| row["func"].as_str()).collect();
                if kept.is_empty() {
                    continue;
                }
                let kept = kept.into_iter().collect::<Vec<_>>().join(",");
                let module = match after(&module, &format!("whole-program{{keep={kept}}}")) {
                    Ok(module) => module,
                    Err(error) => {
                        tally.failed.push(format!("{}: {error}", path.display()));
                        continue;
                    }
                };
                for row in rows {
                    let symbol = row["func"].as_str().unwrap_or_default();
                    for answer in
                        [Interpreted(&module).call(symbol, &row["args"]), compiled.call(&module, symbol, &row["args"])]
                    {
                        match answer {
                            Ok(answer) if meets(row, &answer) => tally.passed += 1,
                            Ok(answer) => tally.failed.push(format!("{}: {answer} for {row}", path.display())),
                            Err(error) => tally.failed.push(format!("{}: {error} for {row}", path.display())),
                        }
                    }
                }
            }
        }
    }
    tally.finish("whole-program");
}

/// The functions that are left, with their calls.
fn left(module: &Module) -> Vec<String> {
    let text = print_module(module, &Syntax).expect("it prints");
    let name = |line: &str| Some(line.split_once('@')?.1.split('(').next()?.to_owned());
    text.lines().filter(|line| line.contains("func @")).filter_map(name).collect()
}

#[test]
fn what_is_left_of_a_program() {
    let module = &read(&folder("exec/hand/inlining/prog.ppyir"))[0];
    let kept = |keep: &str| left(&after(module, &format!("whole-program{{keep={keep}}}")).expect("it runs"));
    // All inlined; with a capture the callee stays; an address keeps its function; `noinline` is respected.
    assert_eq!(kept("through_calls"), ["through_calls"]);
    assert_eq!(kept("captured"), ["check_index", "captured"]);
    assert_eq!(kept("prog.by_address"), ["by_address", "hidden"]);
    assert_eq!(kept("kept_apart"), ["kept_apart", "apart"]);
    // What Python may bind is kept without a word; nothing is known of a module without any.
    assert!(left(&after(module, "whole-program").expect("it runs")).contains(&"raise_unless".to_owned()));
    let error = after(module, "whole-program{keep=captured_deap}").expect_err("no such function");
    assert!(error.contains("keep names captured_deap") && error.contains("did you mean captured_deep?"), "{error}");
    let error = after(module, "inline-calls{budget=-1}").expect_err("no budget");
    assert!(error.contains("the budget -1 is negative"), "{error}");
}
