//! Pipelines: who broke the module is named, patterns that never settle end, reports say what ran, and the same input
//! gives the same bytes with threads and without.

mod support;

use melior::Context;
use ppy_mlir::{
    dialects::core::ops::{AddOp, FuncOp},
    emit::llvm::{self, Level, Machine, Target},
    mlir::{
        hooks::PassFailure,
        op::{OpExt, operations},
        passes::register_pass,
        transform::{Extra, GreedyPatterns, erase},
    },
    passes::{
        default_pipeline::{DefaultPipeline, register_stage_pass},
        pipeline,
        report::Report,
    },
    ppyir,
};
use std::{
    path::PathBuf,
    process::Command,
    sync::Once,
    sync::atomic::{AtomicBool, Ordering},
};
use support::{files, folder};

const OPT: &str = env!("CARGO_BIN_EXE_ppy-opt");

const TEXT: &str = r#"ppyir 1
module @m
dialect core 1

func @f(%x: i64, %y: i64) -> i64 {
^entry:
    %slot = core.alloca : ptr<i64, stack>
    core.store %x, %slot
    %0 = core.load %slot : i64
    %1 = core.add %0, %y {overflow = "wrap"} : i64
    core.ret %1
}
"#;

static SEEN: AtomicBool = AtomicBool::new(false);

/// Passes that only these tests have: no tool registers them.
fn register_test_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_pass("test-break", "Erase the last operation of every function", |module| {
            for function in module.blocks(0).into_iter().flat_map(operations).filter_map(FuncOp::cast) {
                let last = function.0.blocks(0).last().and_then(|block| operations(*block).last());
                last.into_iter().for_each(erase);
            }
            Ok(())
        })
        .expect("a new name");
        // An addition with its operands swapped has operands to swap.
        register_pass("test-ping-pong", "Never settle", |module| {
            let swap = GreedyPatterns::new(module).add(AddOp::NAME, |patterns| {
                patterns.add("swap the operands forever", |op, rewriter| {
                    let operands = [op.value(1), op.value(0)];
                    rewriter
                        .modify(op, |op| operands.into_iter().enumerate().for_each(|(i, v)| op.set_operand_at(i, v)));
                    true
                });
            });
            swap.apply(module, Extra::Regions).map(drop)
        })
        .expect("a new name");
        register_pass("test-fail", "Fail", |_| Err(PassFailure::Message("it does not want to".into())))
            .expect("a new name");
        register_pass("test-see", "Be seen", |_| {
            SEEN.store(true, Ordering::Relaxed);
            Ok(())
        })
        .expect("a new name");
    });
}

fn run_on(context: &Context, text: &str, passes: &str) -> Result<String, String> {
    let mut modules = ppyir::read(context, text.as_bytes(), "m.ppyir").map_err(|errors| errors.to_string())?;
    pipeline::run(&mut modules[0], &format!("builtin.module({passes})"))?;
    ppyir::write(modules[0].as_operation()).map_err(|error| error.message)
}

fn run(passes: &str) -> Result<String, String> {
    register_test_passes();
    run_on(&ppy_mlir::context(), TEXT, passes)
}

#[test]
fn the_pass_that_breaks_the_module_is_named() {
    let error = run("canonicalize,test-break,cse").unwrap_err();
    assert!(error.contains("pass 'test-break' left 'builtin.module' invalid"), "{error}");
    let error = run("test-fail").unwrap_err();
    assert!(error.contains("it does not want to") && !error.contains("invalid"), "{error}");
    assert!(run("no-such-pass").unwrap_err().contains("no-such-pass"));
}

#[test]
fn a_pattern_that_never_settles_is_named() {
    let error = run("test-ping-pong").unwrap_err();
    for word in ["never settle", "'swap the operands forever'", "'ppy_core.add'"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn names_of_passes_are_checked() {
    register_test_passes();
    assert!(register_pass("test-see", "", |_| Ok(())).is_err_and(|error| error.contains("already")));
    assert!(register_pass("canonicalize", "", |_| Ok(())).is_err_and(|error| error.contains("already")));
    assert!(register_pass("Not a name", "", |_| Ok(())).is_err());
}

/// What is registered stays for the whole process: this test alone runs a default pipeline without options of its own.
#[test]
fn stages_take_passes_from_rust() {
    register_test_passes();
    let default = |pipeline: DefaultPipeline| run(&pipeline.text().expect("a pipeline"));
    default(DefaultPipeline::at(1)).unwrap();
    assert!(!SEEN.load(Ordering::Relaxed));
    register_stage_pass("before-backend", "test-see").unwrap();
    default(DefaultPipeline::at(1)).unwrap();
    assert!(SEEN.load(Ordering::Relaxed), "a registered pass runs");
    assert!(register_stage_pass("optimization", "test-see").is_err_and(|e| e.contains("before-optimization")));
    let broken = |pass: &str| {
        let added = vec![ppy_mlir::passes::default_pipeline::StagePass::parse(pass).unwrap()];
        default(DefaultPipeline { added, ..DefaultPipeline::at(1) }).unwrap_err()
    };
    let error = broken("after-canonicalization:test-break");
    assert!(error.contains("stage 'after-canonicalization': 'test-break'") && error.contains("invalid"), "{error}");
    let error = broken("backend:test-fail");
    assert!(error.contains("stage 'backend': 'test-fail', which was added there, failed"), "{error}");
}

#[test]
fn reports_say_what_changed() {
    let context = ppy_mlir::context();
    let mut modules = ppyir::read(&context, TEXT.as_bytes(), "m.ppyir").unwrap_or_else(|errors| panic!("{errors}"));
    let mut report = Report::default();
    let text = "builtin.module(ppy_core.func(mem2reg,mem2reg,prove-counters))";
    pipeline::run_reported(&mut modules[0], text, &mut report).unwrap();
    let rows: Vec<_> = report.rows.iter().map(|r| (r.pass.as_str(), r.anchor.as_str(), r.runs, r.changed)).collect();
    let expected = [
        ("mem2reg", "ppy_core.func", 1, 1),
        ("mem2reg", "ppy_core.func", 1, 0),
        ("prove-counters", "ppy_core.func", 1, 0),
    ];
    assert_eq!(rows, expected);
    assert_eq!(report.rows[2].statistics, [("proven".to_owned(), 0)]);
    assert!(report.rows.iter().all(|row| row.nanoseconds > 0 && !row.failed));
}

#[test]
fn required_analyses_are_computed_where_they_do_not_hold() {
    let context = ppy_mlir::context();
    let mut modules = ppyir::read(&context, TEXT.as_bytes(), "m.ppyir").unwrap_or_else(|errors| panic!("{errors}"));
    let mut report = Report::default();
    // The first two preserve what they require, and if-convert keeps all where it changes nothing.
    let text = "builtin.module(ppy_core.func(eliminate-guards,hoist-guards,if-convert,ppy-canonicalize,if-convert))";
    pipeline::run_reported(&mut modules[0], text, &mut report).unwrap();
    let counted = |row: usize, name: &str| {
        let found = report.rows[row].statistics.iter().find(|(statistic, _)| statistic == name);
        found.map_or(0, |(_, count)| *count)
    };
    let analyses: Vec<_> =
        (0..5).map(|row| (counted(row, "analyses-computed"), counted(row, "analyses-kept"))).collect();
    // Dominance, then loops too; canonicalization requires nothing, and keeps nothing where it changes something.
    assert_eq!(analyses, [(1, 0), (1, 1), (0, 2), (0, 0), (2, 0)]);
}

/// Programs with what the corpus has: floats, buffers, calls, loops, strings.
fn programs() -> Vec<PathBuf> {
    let all = [folder("exec"), folder("bench/kernels"), folder("../examples")].map(|root| files(&root, "ppyir"));
    let refused = folder("exec/refused");
    let mut all: Vec<_> = all.into_iter().flatten().filter(|path| !path.starts_with(&refused)).collect();
    all.retain(|path| !path.to_string_lossy().ends_with(".reprint.ppyir"));
    all
}

/// The module after the default pipeline, and its LLVM IR, or what is wrong with it.
fn compiled(context: &Context, path: &PathBuf, level: u32) -> String {
    let bytes = std::fs::read(path).expect("a readable file");
    let text = format!("builtin.module({})", DefaultPipeline::at(level).text().expect("a pipeline"));
    let machine = Machine::new(&Target::default(), Level::O0).expect("the host's machine");
    let options = llvm::Options { passes: DefaultPipeline::nothing(), ..llvm::Options::at(Level::O0) };
    let modules = ppyir::read(context, &bytes, "m.ppyir").unwrap_or_else(|errors| panic!("{errors}"));
    let mut out = String::new();
    for mut module in modules {
        out += &match pipeline::run(&mut module, &text) {
            Ok(()) => ppyir::write(module.as_operation()).unwrap_or_else(|error| error.message),
            Err(error) => error,
        };
        out += &llvm::lower(&mut module, &machine, &options).map_or_else(|error| error.to_string(), |code| code.text());
    }
    out
}

#[test]
fn threads_change_nothing() {
    let (threaded, alone) = (ppy_mlir::context(), ppy_mlir::context());
    threaded.enable_multi_threading(true);
    alone.enable_multi_threading(false);
    let mut compared = 0;
    // Every fourth: the whole corpus is a matter of minutes.
    for path in programs().iter().step_by(4) {
        let first = compiled(&threaded, path, 2);
        assert!(first == compiled(&threaded, path, 2), "{}: two runs differ", path.display());
        assert!(first == compiled(&alone, path, 2), "{}: threads make a difference", path.display());
        compared += 1;
    }
    assert!(compared > 50, "only {compared} programs");
}

/// What these passes did they do not do again. The whole pipeline may find more in its second turn: what one pass
/// proves another one uses.
#[test]
fn passes_that_settle_are_idempotent() {
    const SETTLE: &[&str] = &[
        "ppy-canonicalize",
        "constant-fold",
        "ppy-sccp",
        "simplify-cfg",
        "dce",
        "ppy_core.func(mem2reg)",
        "ppy_core.func(prove-counters)",
        "ppy_core.func(hoist-guards)",
        "ppy-pipeline{level=0}",
    ];
    let context = ppy_mlir::context();
    let mut unsettled = Vec::new();
    for path in programs().iter().step_by(9) {
        let text = std::fs::read_to_string(path).expect("a readable file");
        // One module each.
        if text.contains("\nppyir ") {
            continue;
        }
        let promoted = run_on(&context, &text, "ppy_core.func(mem2reg)").unwrap_or_else(|error| panic!("{error}"));
        for pass in SETTLE {
            let once = run_on(&context, &promoted, pass).unwrap_or_else(|error| panic!("{pass}: {error}"));
            let twice = run_on(&context, &once, pass).unwrap_or_else(|error| panic!("{pass}: {error}"));
            if once != twice {
                unsettled.push(format!("{} {pass}", path.display()));
            }
        }
    }
    assert!(unsettled.is_empty(), "{}:\n{}", unsettled.len(), unsettled.join("\n"));
}

/// `ppy-opt` on an example; the standard output and error.
fn opt(arguments: &[&str]) -> (String, String) {
    let example = folder("../examples/newton.ppyir");
    let done = Command::new(OPT).args(arguments).arg(example).output().expect("the tool starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
    (text(&done.stdout), text(&done.stderr))
}

#[test]
fn upstreams_instruments_work_on_the_pipeline() {
    let (_, timing) = opt(&["--ppy-pipeline", "--mlir-timing"]);
    for pass in ["PpyCanonicalize", "Mem2Reg", "EliminateGuards"] {
        assert!(timing.contains(pass), "{timing}");
    }
    let (_, printed) = opt(&[
        "--ppy-pipeline",
        "--mlir-print-ir-after-all",
        "--mlir-print-ir-after-change",
        "--mlir-disable-threading",
    ]);
    let after = |pass: &str| printed.matches(&format!("IR Dump After {pass}")).count();
    assert!(after("Mem2Reg") > 0, "what changes is printed");
    assert!(after("Mem2Reg") < 4, "what does not is not");
    let (plain, table) = opt(&["--ppy-pipeline", "--ppy-report=-"]);
    assert!(table.lines().next().is_some_and(|line| line.starts_with("pass ")), "{table}");
    assert_eq!(plain, opt(&["--ppy-pipeline", "--mlir-disable-threading"]).0, "threads make no difference");
}

#[test]
fn reproducers_have_the_stages() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("passes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("reproducer.mlir");
    let example = support::folder("../examples/newton.ppyir");
    let reproducer = format!("--mlir-pass-pipeline-crash-reproducer={}", file.display());
    let stage = "--ppy-pipeline=level=1 with=annotate-profile{file=/nowhere}";
    let done = Command::new(OPT).args([&reproducer, stage]).arg(&example).output().expect("the tool starts");
    assert_eq!(done.status.code(), Some(1));
    let written = std::fs::read_to_string(&file).expect("a reproducer");
    assert!(written.contains("annotate-profile{file=/nowhere}") && written.contains("hoist-guards"), "{written}");
    let again = Command::new(OPT).arg("--run-reproducer").arg(&file).output().expect("the tool starts");
    assert_eq!(again.status.code(), Some(1), "it fails again");
    assert!(String::from_utf8_lossy(&again.stderr).contains("/nowhere"));
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}
