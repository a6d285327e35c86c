//! The generated reference (`docs/reference`) is what the declarations say. `PPY_BLESS=1 cargo test --test docs`
//! rewrites it.

#[path = "support/examples.rs"]
mod examples;

use melior::Context;
use ppy_mlir::{
    mlir::{diagnostic::capture_reports, parse},
    ppyir,
    registry::{AttributeInfo, AttributeKind, DIALECTS, DialectInfo, OpInfo, PASSES, PHASES},
};
use std::{env, fmt::Write, fs, path::Path};

const NOTE: &str =
    "<!-- Generated from mlir-td/ by tests/docs.rs; PPY_BLESS=1 cargo test --test docs rewrites it. -->\n\n";

fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(name);
    if env::var_os("PPY_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a writable folder");
        return fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let stale = found.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(
        found == text,
        "docs/reference/{name} is stale (line {}); PPY_BLESS=1 cargo test --test docs rewrites it",
        stale.map_or(found.lines().count().min(text.lines().count()), |at| at) + 1
    );
}

/// The example's own lines as `.ppyir`: the body of the function around it, without positions.
fn in_ppyir(context: &Context, example: &str) -> Option<String> {
    let text = examples::module(context, example).ok()?;
    let (written, _) = capture_reports(context, |c| {
        let module = parse::module(c, text.as_bytes(), "example")?;
        ppyir::write(module.as_operation()).ok()
    });
    let written = written?;
    let wrapped = text != example;
    let mut lines = Vec::new();
    let mut inside = !wrapped;
    for line in written.lines() {
        // Positions are the example's own.
        let line = match line.split_once(" loc(\"example\"") {
            Some((before, after)) => before.to_owned() + after.split_once(')').map_or("", |(_, rest)| rest),
            None => line.to_owned(),
        };
        let header = line.starts_with("ppyir ") || line.starts_with("module ") || line.starts_with("dialect ");
        match line.as_str() {
            _ if wrapped && line.starts_with("func @example(") => inside = true,
            "^entry:" if wrapped => {}
            "}" | "    core.unreachable" if wrapped && inside => break,
            _ if inside && !header && !(lines.is_empty() && line.is_empty()) => {
                lines.push(if wrapped { line.trim_start().to_owned() } else { line });
            }
            _ => {}
        }
    }
    // The operation `core.unreachable` is its own example.
    if lines.is_empty() && example.contains("unreachable") {
        lines.push("core.unreachable".to_owned());
    }
    Some(lines.join("\n").trim_end().to_owned() + "\n")
}

/// A type's MLIR spelling as `.ppyir`: what a pointer to it, a declaration's parameter, points to.
fn type_in_ppyir(context: &Context, spelling: &str) -> String {
    let text = format!("module {{ ppy_core.func private @f(!ppy_core.ptr<{spelling}>) }}");
    let (written, reports) = capture_reports(context, |c| {
        let module = parse::module(c, text.as_bytes(), "example")?;
        ppyir::write(module.as_operation()).ok()
    });
    let spelled = written.as_deref().and_then(|text| text.split_once("@f(ptr<")?.1.rsplit_once(">) -> ()"));
    spelled.unwrap_or_else(|| panic!("{spelling} has no spelling: {reports:?}")).0.to_owned() + "\n"
}

/// A description as TableGen has it: indented below its first line.
fn prose(description: &str) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let rest = || description.lines().skip(1).filter(|line| !line.trim().is_empty());
    let common = rest().map(|line| indent(&line)).min().unwrap_or(0);
    let first = description.lines().take(1);
    let lines: Vec<&str> = first.chain(description.lines().skip(1).map(|l| l.get(common..).unwrap_or(""))).collect();
    lines.join("\n").trim().to_owned()
}

fn attribute(a: &AttributeInfo) -> String {
    let kind = match a.kind {
        AttributeKind::Enum(words) => words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", "),
        AttributeKind::Str => "a string".into(),
        AttributeKind::I64 => "an integer".into(),
        AttributeKind::Bool => "a bool".into(),
        AttributeKind::Unit => "there or not".into(),
        AttributeKind::Symbol => "a symbol".into(),
        AttributeKind::Type => "a type".into(),
        AttributeKind::Array => "a list".into(),
        AttributeKind::Other => "any".into(),
    };
    format!("| `{}` | {kind} | {} |\n", a.name, if a.optional { "optional" } else { "required" })
}

/// `2 operands, 1 result, no effect, commutative`
fn shape(op: &OpInfo) -> String {
    let count = |n: Option<usize>, one: &str| match n {
        None => format!("any number of {one}s"),
        Some(1) => format!("1 {one}"),
        Some(n) => format!("{n} {one}s"),
    };
    let mut words = vec![count(op.operands, "operand"), count(op.results, "result")];
    if op.successors > 0 {
        words.push(count(Some(op.successors), "successor"));
    }
    if op.regions > 0 {
        words.push(count(Some(op.regions), "region"));
    }
    let flags = [
        (op.pure, "pure"),
        (op.commutative, "commutative"),
        (op.terminator, "terminator"),
        (op.symbol, "symbol"),
        (op.hooks.fold, "folds"),
        (op.hooks.canonicalize, "has patterns"),
    ];
    words.extend(flags.iter().filter(|(set, _)| *set).map(|(_, word)| (*word).to_owned()));
    words.join(", ")
}

fn operation(out: &mut String, context: &Context, op: &OpInfo) -> std::fmt::Result {
    writeln!(out, "### `{}`\n\n{}; {}.\n", op.name, op.summary, shape(op))?;
    writeln!(out, "{}\n", prose(op.description))?;
    let spelled: String =
        examples::blocks(op.description).iter().filter_map(|block| in_ppyir(context, block)).collect();
    if !spelled.trim().is_empty() {
        writeln!(out, "In `.ppyir`:\n\n```\n{spelled}```\n")?;
    }
    if !op.attributes.is_empty() {
        writeln!(out, "| attribute | value | |\n|---|---|---|")?;
        op.attributes.iter().for_each(|a| out.push_str(&attribute(a)));
        out.push('\n');
    }
    Ok(())
}

fn dialect(context: &Context, d: &DialectInfo) -> Result<String, std::fmt::Error> {
    let mut out = format!("{NOTE}# `{}`: {}\n\n", d.name, d.summary);
    writeln!(out, "Version {}; `{}` in `.ppyir`.\n\n{}\n", d.version, d.ppyir, prose(d.description))?;
    if !d.types.is_empty() {
        writeln!(out, "## Types\n")?;
        for (name, summary, description) in d.types {
            writeln!(out, "### `!{}.{name}`\n\n{summary}.\n\n{}\n", d.name, prose(description))?;
            let spelled = examples::blocks(description);
            let spelled = spelled.iter().flat_map(|block| block.lines()).map(str::trim).filter(|line| !line.is_empty());
            let spelled: String = spelled.map(|line| type_in_ppyir(context, line)).collect();
            if !spelled.is_empty() {
                writeln!(out, "In `.ppyir`:\n\n```\n{spelled}```\n")?;
            }
        }
    }
    writeln!(out, "## Operations\n")?;
    for op in d.ops {
        operation(&mut out, context, op)?;
    }
    Ok(out.trim_end().to_owned() + "\n")
}

#[test]
fn dialect_pages_are_fresh() {
    let context = ppy_mlir::context();
    for d in DIALECTS {
        check(&format!("dialects/{}.md", d.ppyir), &dialect(&context, d).expect("text"));
    }
}

const PIPELINE: &str = "\
## The default pipeline: `--ppy-pipeline`

What every module goes through before a backend; `ppy-run` and `ppy-translate` run it at the level of `-O`.

| option | default | |
|---|---|---|
| `level` | 2 | how much to optimize, 0 to 3 |
| `until` | | the phase or stage to stop after: `after-canonicalization`, `after-fusion`, ...; `none` runs no pass |
| `with` | | optional passes to run at their places, and options for passes: `with=sanitize{kinds=bounds}` |
| `stage-passes` | | passes to add at stages: `stage-passes=after-optimization:my-pass,backend:other{option=1}` |

The phases in their order, and the passes in each with the level from which on they run. The names in bold are stages,
where others add passes: by `stage-passes` (`--stage-pass` of the tools), from Rust with `register_stage_pass`, from a
plugin with `ppyRegisterStagePass` of `ppy-mlir-c.h`. The module is verified after whatever was added.

| phase | what | passes |
|---|---|---|
";

const INTRODUCTION: &str = "\
# Passes

Upstream's passes are there too: `ppy-opt --help` lists all.

A pass invalidates the analyses that it does not preserve, where it changed anything. `--ppy-report` says how many of
those that a pass requires were `analyses-computed`, and how many `analyses-kept` since an earlier pass.

";

#[test]
fn the_pass_page_is_fresh() {
    let mut out = format!("{NOTE}{INTRODUCTION}");
    out.push_str(PIPELINE);
    for phase in PHASES {
        let steps = phase.steps.iter().map(|step| {
            let level = if step.level == 0 { String::new() } else { format!(" from {}", step.level) };
            format!("`{}`{level}{}", step.pass, if step.optional { " (with)" } else { "" })
        });
        let name = if phase.stage { format!("**{}**", phase.name) } else { phase.name.to_owned() };
        let steps = steps.collect::<Vec<_>>().join(", ");
        writeln!(out, "| {name} | {} | {steps} |", phase.summary).expect("text");
    }
    out.push('\n');
    for p in PASSES {
        writeln!(out, "## `--{}`\n\n{}.\n\n{}\n", p.argument, p.summary, prose(p.description)).expect("text");
        let analyses = [("Requires", p.requires), ("Preserves", p.preserves)];
        let lines = analyses.iter().filter(|(_, names)| !names.is_empty()).map(|(what, names)| {
            let names = names.iter().map(|name| format!("`{}`", name.trim_start_matches("::")));
            format!("{what} {}.", names.collect::<Vec<_>>().join(", "))
        });
        let lines = lines.collect::<Vec<_>>().join(" ");
        if !lines.is_empty() {
            writeln!(out, "{lines}\n").expect("text");
        }
        if !p.options.is_empty() {
            out.push_str("| option | type | default | |\n|---|---|---|---|\n");
            for (name, ty, default, description) in p.options {
                writeln!(out, "| `{name}` | `{ty}` | `{default}` | {description} |").expect("text");
            }
            out.push('\n');
        }
        if !p.statistics.is_empty() {
            out.push_str("| statistic | |\n|---|---|\n");
            for (name, description) in p.statistics {
                writeln!(out, "| `{name}` | {description} |").expect("text");
            }
            out.push('\n');
        }
    }
    check("passes.md", &(out.trim_end().to_owned() + "\n"));
}

#[test]
fn the_index_is_fresh() {
    let mut out = format!("{NOTE}# Reference\n\n| page | what | |\n|---|---|---|\n");
    for d in DIALECTS {
        writeln!(out, "| [{0}](dialects/{0}.md) | {1} | {2} operations |", d.ppyir, d.summary, d.ops.len())
            .expect("text");
    }
    writeln!(out, "| [passes](passes.md) | what `ppy-opt` adds to upstream's passes | {} passes |", PASSES.len())
        .expect("text");
    check("README.md", &out);
}
