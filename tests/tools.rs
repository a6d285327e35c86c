//! The tools as a user meets them: good calls, and every kind of bad input answered with an error and exit status 1.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const OPT: &str = env!("CARGO_BIN_EXE_ppy-opt");
const RUN: &str = env!("CARGO_BIN_EXE_ppy-run");
const TRANSLATE: &str = env!("CARGO_BIN_EXE_ppy-translate");

/// A folder for one test's files, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tools-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file for the test");
        path.to_string_lossy().into_owned()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the test's folder");
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn example(name: &str) -> String {
    format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn start(tool: &str, arguments: &[&str]) -> Output {
    Command::new(tool).args(arguments).stdin(Stdio::null()).output().expect("the tool starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a call that succeeds prints.
#[track_caller]
fn good(tool: &str, arguments: &[&str]) -> String {
    let output = start(tool, arguments);
    assert!(output.status.success(), "{tool} {arguments:?}: {}\n{}", output.status, stderr(&output));
    stdout(&output)
}

/// A call that fails by the user's fault: status 1, an error with these words, nothing on the standard output.
#[track_caller]
fn bad(tool: &str, arguments: &[&str], words: &[&str]) {
    let output = start(tool, arguments);
    let (out, err) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{tool} {arguments:?}\n{err}");
    assert!(err.contains("error:"), "{tool} {arguments:?}: no error in\n{err}");
    for word in words {
        assert!(err.contains(word), "{tool} {arguments:?}: no '{word}' in\n{err}");
    }
    assert!(out.is_empty(), "{tool} {arguments:?}: partial output\n{out}");
}

const ENGINES: [&[&str]; 3] = [&["--engine=interp"], &["--engine=jit", "-O0"], &["--engine=jit", "-O2"]];

/// The answer of each engine to one call.
#[track_caller]
fn answers(file: &str, function: &str, arguments: &str, expected: &str) {
    for engine in ENGINES {
        let found = good(RUN, &[engine, &[file, function, arguments]].concat());
        assert_eq!(found.trim_end(), expected, "{engine:?} {function} {arguments}");
    }
}

fn module(body: &str) -> String {
    format!("ppyir 1\nmodule @m\ndialect core 1\n\n{body}\n")
}

#[test]
fn versions_are_tables() {
    for tool in [OPT, RUN, TRANSLATE] {
        let table = good(tool, &["--version"]);
        for line in ["ppy-", "LLVM 22.", "ppyir schema 1", "dialect core 1", "dialect math 1"] {
            assert!(table.lines().any(|l| l.starts_with(line)), "{tool}: no '{line}' in\n{table}");
        }
    }
}

#[test]
fn help_names_every_option() {
    let opt = good(OPT, &["--help"]);
    let ours = opt.lines().find(|line| line.starts_with("Passes of ppy: ")).unwrap_or_else(|| panic!("{opt}"));
    for pass in ppy_mlir::registry::PASSES {
        assert!(ours.contains(pass.argument), "{}: {ours}", pass.argument);
    }
    for option in ["--ppy-pipeline", "--emit", "--ppy-report"] {
        assert!(opt.lines().filter(|line| line.contains(option)).count() > 1, "{option}");
    }
    let run = good(RUN, &["--help"]);
    for option in ["--engine", "-O", "--shared-libs", "--repeat", "--timeout", "--fuel"] {
        assert!(run.contains(option), "{option}");
    }
    let translate = good(TRANSLATE, &["--help"]);
    for option in ["--ppy-to-llvmir", "--ppy-to-asm", "--ppy-to-object", "--ppyir-to-mlir", "--target", "--cpu", "-o"] {
        assert!(translate.contains(option), "{option}");
    }
}

#[test]
fn a_function_has_many_names() {
    let file = example("collatz.ppyir");
    for name in ["steps", "collatz.steps", "collatz_steps", "@collatz_steps", "ppy_collatz_steps"] {
        answers(&file, name, "[27]", r#"{"status": 0, "results": [111], "buffers": []}"#);
    }
}

#[test]
fn the_readme_calls_hold() {
    answers(
        &example("collatz.ppyir"),
        "longest_below",
        "[1000]",
        r#"{"status": 0, "results": [871, 178], "buffers": []}"#,
    );
    answers(&example("collatz.ppyir"), "steps", "[4611686018427387905]", r#"{"status": 1, "buffers": []}"#);
    answers(
        &example("dot.ppyir"),
        "scale",
        r#"[{"buf": [1.0, 0.0, -2.5], "elem": "d"}, 2.0]"#,
        r#"{"status": 0, "results": [2], "buffers": [[2.0, 0.0, -5.0]]}"#,
    );
    answers(
        &example("points.ppyir"),
        "inside",
        "[[1, 1], [0, 0], [4, 0], [0, 3]]",
        r#"{"status": 0, "results": [true], "buffers": []}"#,
    );
}

#[test]
fn the_interpreter_says_what_failed() {
    let arguments = ["--engine=interp", &example("collatz.ppyir"), "steps", "[4611686018427387905]"];
    let output = start(RUN, &arguments);
    assert_eq!(stdout(&output).trim_end(), r#"{"status": 1, "buffers": []}"#);
    let note = stderr(&output);
    for words in ["note: status 1", "@collatz_steps", "core.mul", "collatz.ppy:12", "does not fit"] {
        assert!(note.contains(words), "no '{words}' in {note}");
    }
}

#[test]
fn repeating_measures() {
    let file = example("collatz.ppyir");
    for engine in ENGINES {
        let line = good(RUN, &[engine, &["--repeat", "3", &file, "steps", "[27]"]].concat());
        assert!(line.starts_with(r#"{"status": 0, "results": [111], "buffers": [], "best_ns": "#), "{line}");
    }
}

#[test]
fn every_format_runs() {
    let folder = Folder::new("formats");
    let mlir = folder.path("dot.mlir");
    let bytecode = folder.path("dot.mlirbc");
    good(TRANSLATE, &["--ppyir-to-mlir", "--mlir-print-debuginfo", &example("dot.ppyir"), "-o", &mlir]);
    good(OPT, &["--emit=bytecode", &example("dot.ppyir"), "-o", &bytecode]);
    for file in [&mlir, &bytecode] {
        let arguments = r#"[{"buf": [1, 2, 3]}, {"buf": [4, 5, 6]}]"#;
        let expected = r#"{"status": 0, "results": [32.0], "buffers": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]}"#;
        answers(file, "dot", arguments, expected);
        let back = good(TRANSLATE, &["--ppy-to-ppyir", file]);
        assert_eq!(back, fs::read_to_string(example("dot.ppyir")).expect("the example"));
    }
}

#[test]
fn code_is_emitted_for_any_target() {
    let file = example("dot.ppyir");
    let ir = good(TRANSLATE, &["--ppy-to-llvmir", &file]);
    assert!(ir.contains("i32 @ppy_dot_dot(ptr "), "{ir}");
    assert!(good(TRANSLATE, &["--ppy-to-asm", &file]).contains("ppy_dot_dot:"));
    let arm = good(TRANSLATE, &["--ppy-to-asm", "--target=aarch64-linux-gnu", "--cpu=neoverse-n1", "-O3", &file]);
    assert!(arm.contains("ppy_dot_dot:") && arm.contains("fmul"), "{arm}");
    let folder = Folder::new("object");
    let object = folder.path("dot.o");
    good(TRANSLATE, &["--ppy-to-object", &file, "-o", &object]);
    assert!(fs::read(&object).expect("the object").starts_with(b"\x7fELF"));
    assert_eq!(folder.names(), ["dot.o"], "temporary files stay behind");
    // Byte for byte the same, twice.
    assert_eq!(ir, good(TRANSLATE, &["--ppy-to-llvmir", &file]));
}

#[test]
fn unknown_targets_are_refused() {
    let file = example("dot.ppyir");
    let with = |option: &str, words: &[&str]| bad(TRANSLATE, &["--ppy-to-asm", option, &file], words);
    with("--target=pdp11-unknown", &["unknown target 'pdp11-unknown'", "x86-64", "aarch64"]);
    with("--cpu=znver44", &["no processor 'znver44'", "did you mean 'znver4'?"]);
    with("--features=avx2", &["needs + or -"]);
    with("--features=+avx222", &["no feature 'avx222'"]);
}

/// What LLVM's backend lacks is no bug of the tool's.
#[test]
fn limits_of_a_target_are_errors() {
    let folder = Folder::new("limits");
    let sine = folder.file(
        "sine.ppyir",
        "ppyir 1\nmodule @m\ndialect core 1\ndialect math 1\n\nfunc @f(%x: f64) -> f64 {\n^entry:\n    \
         %0 = math.sin %x : f64\n    core.ret %0\n}\n",
    );
    let target = "--target=nvptx64-nvidia-cuda";
    bad(TRANSLATE, &["--ppy-to-asm", target, &sine], &["nvptx64-nvidia-cuda", "fsin"]);
    bad(TRANSLATE, &["--ppy-to-object", target, &sine], &["has no object files", "write assembly"]);
}

#[test]
fn options_that_nothing_looks_at_are_refused() {
    let file = example("dot.ppyir");
    let run = |arguments: &[&str], words: &[&str]| bad(RUN, &[arguments, &[&file, "dot.dot"]].concat(), words);
    run(&["--fuel=5"], &["--fuel", "--engine=interp"]);
    run(&["--memory=5", "--engine=jit"], &["--memory", "--engine=interp"]);
    run(&["--depth=5"], &["--depth", "--engine=interp"]);
    run(&["--engine=interp", "-O1"], &["-O", "--engine=jit"]);
    run(&["--engine=interp", "--shared-libs=libm.so.6"], &["--shared-libs", "--engine=jit"]);
    run(&["--engine=interp", "--with=sanitize"], &["--with", "--engine=jit"]);
    run(&["--engine=interp", "--stage-pass=backend:cse"], &["--stage-pass", "--engine=jit"]);
    run(&["--until=none", "--with=sanitize"], &["sanitize does not run", "to stop before it"]);
    run(&["--until=optimization", "--stage-pass=backend:cse"], &["cse does not run", "the stage backend"]);
    run(&["--passes-level=1", "--with=if-convert"], &["if-convert runs from level 2"]);
    bad(TRANSLATE, &["--ppy-to-ppyir", "--target=x86_64-linux-gnu", &file], &["--target", "--ppy-to-asm"]);
    bad(TRANSLATE, &["--ppyir-to-mlir", "-O1", &file], &["-O", "--ppy-to-llvmir"]);
    for option in ["--with=sanitize", "--use-profile=x", "--until=none", "--stage-pass=backend:cse", "--ppy-report=-"] {
        bad(TRANSLATE, &["--ppy-to-ppyir", option, &file], &["are for code", "ppy-opt --ppy-pipeline"]);
        bad(TRANSLATE, &["--link", option, &file], &["are for code", "ppy-opt --ppy-pipeline"]);
    }
    bad(TRANSLATE, &["--ppy-to-asm", "--mlir-print-debuginfo", &file], &["--ppyir-to-mlir"]);
    bad(OPT, &["--emit-bytecode", "--emit=mlir", &file], &["--emit-bytecode"]);
}

/// Options of mlir-opt that its own loop looks at, as it does.
#[test]
fn options_of_mlir_opt_work() {
    let folder = Folder::new("mlir-opt");
    let dialect = folder.file(
        "twice.irdl",
        "irdl.dialect @cmath {\n  irdl.operation @twice {\n    %0 = irdl.is i32\n    irdl.operands(in: %0)\n  }\n}\n",
    );
    let irdl = format!("--irdl-file={dialect}");
    let file = folder.file("use.mlir", "func.func @f(%x: i32) {\n  \"cmath.twice\"(%x) : (i32) -> ()\n  return\n}\n");
    assert!(good(OPT, &[&irdl, &file]).contains("cmath.twice"));
    let wrong =
        folder.file("wrong.mlir", "func.func @f(%x: i64) {\n  \"cmath.twice\"(%x) : (i64) -> ()\n  return\n}\n");
    bad(OPT, &[&irdl, &wrong], &["wrong.mlir:2:", "expected 'i32' but got 'i64'"]);
    bad(OPT, &["--irdl-file=/nowhere.irdl", &file], &["/nowhere.irdl"]);
    bad(OPT, &["--irdl-file", &file, &file], &["error"]);

    assert!(good(OPT, &["--verify-roundtrip", &example("points.ppyir")]).contains("@points_cross"));
    let (reproducer, output) = (folder.path("again.mlir"), folder.path("out.mlir"));
    let option = format!("--mlir-generate-reproducer={reproducer}");
    good(OPT, &[&option, "--cse", &example("dot.ppyir"), "-o", &output]);
    assert!(fs::read_to_string(&reproducer).expect("a reproducer").contains("pipeline: \"builtin.module(cse"));

    let broken = folder.file("broken.ppyir", "ppyir 1\nmodule @m\ndialect core 1\n\nfunc @f(%x: i64) -> i64 attrs {effects = []} {\n^entry:\n    %p = core.alloca : ptr<i64, stack>\n    core.ret %x\n}\n");
    let mlir = good(OPT, &[&broken, "--emit=mlir"]).replace("ret %arg0 : i64", "ret %0 : !ppy_core.ptr<i64, stack>");
    let broken = folder.file("broken.mlir", &mlir);
    let errors = |option: &[&str]| stderr(&start(OPT, &[option, &[broken.as_str()]].concat()));
    assert!(errors(&[]).contains("note: "), "{}", errors(&[]));
    let quiet = errors(&["--mlir-disable-diagnostic-notes"]);
    assert!(quiet.contains("error: ") && !quiet.contains("note: "), "{quiet}");
}

/// The modules of one file, in every form that has them.
#[test]
fn several_modules_are_no_one() {
    let folder = Folder::new("several");
    let document = |name: &str, callee: &str| {
        format!(
            "ppyir 1\nmodule @{name}\ndialect core 1\n\nfunc @{callee}(%x: i64) -> i64 {{\n^entry:\n    core.ret %x\n}}\n"
        )
    };
    let two = folder.file("two.ppyir", document("a", "f") + "\n" + &document("b", "g"));
    bad(OPT, &[&two, "--emit=bytecode"], &["two.ppyir has 2 modules, and bytecode holds one", "--link"]);
    let mlir = folder.file("two.mlir", good(OPT, &[&two, "--emit=mlir"]));
    for file in [&two, &mlir] {
        bad(TRANSLATE, &["--ppy-to-llvmir", file], &["has 2 modules", "--link"]);
        assert_eq!(good(RUN, &[file, "g", "[7]"]), "{\"status\": 0, \"results\": [7], \"buffers\": []}\n");
        let linked = good(TRANSLATE, &["--link", file]);
        assert!(linked.contains("func @f") && linked.contains("func @g"), "{linked}");
    }
    let again = folder.file("again.ppyir", good(OPT, &[&mlir, "--split-input-file", "--emit=ppyir"]));
    assert!(good(TRANSLATE, &["--link", &again]).contains("func @g"));
    let nested = folder.file("nested.mlir", "module @outer {\n  module @inner {\n  }\n}\n");
    bad(TRANSLATE, &["--ppy-to-llvmir", &nested], &["modules inside of a module"]);
}

#[test]
fn unusable_files_are_errors() {
    let folder = Folder::new("files");
    let missing = folder.path("missing.ppyir");
    let empty = folder.file("empty.ppyir", "");
    let blank = folder.file("blank.mlir", "\r\n \n");
    let latin = folder.file("latin.ppyir", b"ppyir 1\nmodule @caf\xe9\n");
    let latin_mlir = folder.file("latin.mlir", b"module @caf\xe9 {}\n");
    let truncated = fs::read(example("dot.ppyir")).expect("the example");
    let half = folder.file("half.ppyir", &truncated[..truncated.len() / 2]);
    let half_mlir = folder.file("half.mlir", "module {\n  ppy_core.func @f(%x: i64) -> i64 {");
    let half_bytecode = folder.file("half.mlirbc", b"ML\xefR\x06MLIR22\0");
    let wrong = folder.file("wrong.ppyir", "module {}\n");
    let binary = folder.file("binary.mlir", (0..=255u8).cycle().take(5000).collect::<Vec<u8>>());
    let here = folder.path(".");
    let cases: [(&str, &[&str]); 13] = [
        (&missing, &["missing.ppyir", "No such file"]),
        (&empty, &["empty.ppyir"]),
        (&blank, &["blank.mlir"]),
        (&latin, &["latin.ppyir", "UTF-8"]),
        (&latin_mlir, &["latin.mlir", "UTF-8"]),
        (&half, &["half.ppyir:"]),
        (&half_mlir, &["half.mlir:"]),
        (&half_bytecode, &["half.mlirbc"]),
        (&wrong, &["wrong.ppyir:1:1"]),
        (&binary, &["binary.mlir"]),
        (&here, &["folder"]),
        ("", &["cannot read ''"]),
        ("/dev/zero", &["cannot read /dev/zero: it is a device"]),
    ];
    for (file, words) in cases {
        bad(RUN, &[file, "f"], words);
        let output = folder.path("out.o");
        bad(TRANSLATE, &["--ppy-to-object", file, "-o", &output], words);
        bad(OPT, &[file, "-o", &output], &[]);
        assert!(!Path::new(&output).exists(), "{file}: an output was written");
    }
}

#[test]
fn an_extension_may_be_anything() {
    let folder = Folder::new("extension");
    let text = fs::read_to_string(example("collatz.ppyir")).expect("the example");
    let renamed = folder.file("collatz.txt", &text);
    let windows = folder.file("windows.ppyir", text.replace('\n', "\r\n"));
    for file in [&renamed, &windows] {
        answers(file, "steps", "[27]", r#"{"status": 0, "results": [111], "buffers": []}"#);
    }
}

#[test]
fn the_standard_input_is_a_file() {
    let mut child = Command::new(RUN)
        .args(["--engine=interp", "-", "steps", "[27]"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let text = fs::read(example("collatz.ppyir")).expect("the example");
    child.stdin.take().expect("a pipe").write_all(&text).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(stdout(&output).trim_end(), r#"{"status": 0, "results": [111], "buffers": []}"#);
}

#[test]
fn nesting_has_a_limit() {
    let folder = Folder::new("deep");
    let depth = 10_000;
    let types = format!("{}i64{}", "ptr<".repeat(depth), ">".repeat(depth));
    let file = folder.file("types.ppyir", module(&format!("func @f(%x: {types}) {{\n^entry:\n    core.ret\n}}")));
    bad(TRANSLATE, &["--ppy-to-llvmir", &file], &["types.ppyir:5:"]);
    let types = format!("{}i64{}", "tuple<".repeat(depth), ">".repeat(depth));
    let file = folder.file("types.mlir", format!("ppy_core.func @f(%x: {types}) {{ ppy_core.ret }}"));
    bad(TRANSLATE, &["--ppy-to-llvmir", &file], &["types.mlir:1:", "nest deeper"]);
    let regions = format!("{}{}", "module {\n".repeat(depth), "}\n".repeat(depth));
    let file = folder.file("regions.mlir", regions);
    bad(TRANSLATE, &["--ppy-to-llvmir", &file], &["regions.mlir:", "nest deeper"]);
    let json = "[".repeat(depth);
    bad(RUN, &[&example("collatz.ppyir"), "steps", &json], &["JSON"]);
}

#[test]
fn long_files_are_no_problem() {
    let folder = Folder::new("long");
    let mut body =
        "func @f(%x: i64) -> i64 {\n^entry:\n    %0 = core.add %x, %x {overflow = \"wrap\"} : i64\n".to_owned();
    for i in 1..20_000 {
        body += &format!("    %{i} = core.add %{}, %x {{overflow = \"wrap\"}} : i64\n", i - 1);
    }
    let file = folder.file("long.ppyir", module(&format!("{body}    core.ret %19999\n}}")));
    let line = good(RUN, &["--engine=interp", &file, "f", "[2]"]);
    assert_eq!(line.trim_end(), r#"{"status": 0, "results": [40002], "buffers": []}"#);
    let line = good(RUN, &["--engine=jit", "-O1", &file, "f", "[2]"]);
    assert_eq!(line.trim_end(), r#"{"status": 0, "results": [40002], "buffers": []}"#);
}

#[test]
fn unknown_options_are_refused() {
    bad(RUN, &["--bogus"], &["--bogus"]);
    bad(RUN, &["-O7", "f", "g"], &["-O"]);
    bad(RUN, &["--engine=python", "f", "g"], &["jit", "interp"]);
    bad(RUN, &[], &["FILE"]);
    bad(RUN, &["--repeat=0", "f", "g"], &["--repeat"]);
    bad(RUN, &["--timeout=-1", "f", "g"], &["--timeout"]);
    for option in ["--repeat", "--timeout", "--fuel", "--memory", "--depth", "--passes-level"] {
        bad(RUN, &[option, "-1", "f", "g"], &["invalid value '-1'", option]);
    }
    bad(TRANSLATE, &["--ppy-to-java", "f"], &["--ppy-to-java"]);
    bad(TRANSLATE, &[&example("dot.ppyir")], &["--ppy-to-llvmir"]);
    bad(TRANSLATE, &["--ppy-to-asm", "--ppy-to-object", "f"], &["cannot be used"]);
}

#[test]
fn wrong_calls_are_refused_by_both_engines() {
    let file = example("collatz.ppyir");
    for engine in ENGINES {
        let call = |function: &str, arguments: &str, words: &[&str]| {
            bad(RUN, &[engine, &[&file, function, arguments]].concat(), words);
        };
        call("nothing", "[]", &["no function nothing", "@collatz_steps"]);
        call("", "[]", &["no function ''; there are @collatz_steps"]);
        call("steps", "[]", &["takes 1", "i64", "0 given"]);
        call("steps", "{}", &["not an empty object"]);
        call("steps", "[1, 2]", &["takes 1", "2 given"]);
        call("steps", "[1.5]", &["argument 1", "i64", "1.5"]);
        call("steps", "[9223372036854775808]", &["does not fit i64"]);
        call("steps", r#"["nan"]"#, &["argument 1", "nan"]);
        call("steps", r#"[{"buf": [1]}]"#, &["argument 1"]);
        call("steps", "[null]", &["argument 1"]);
        call("steps", "27", &["JSON list"]);
        call("steps", "[27", &["not JSON"]);
    }
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let folder = Folder::new("output");
    let file = example("dot.ppyir");
    let write = |path: &str, words: &[&str]| bad(TRANSLATE, &["--ppy-to-ppyir", &file, "-o", path], words);
    write(&folder.path("nowhere/out.ppyir"), &["nowhere/out.ppyir"]);
    write(&folder.path("."), &["folder"]);
    if Path::new("/dev/full").exists() {
        write("/dev/full", &["/dev/full"]);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let help = Command::new(OPT).arg("--help").stdout(full).stderr(Stdio::piped()).output().expect("it starts");
        assert_eq!(help.status.code(), Some(1), "{}", stderr(&help));
        assert!(stderr(&help).contains("cannot write"), "{}", stderr(&help));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let opt = Command::new(OPT).arg(&file).stdout(full).stderr(Stdio::piped()).output().expect("it starts");
        assert_eq!(opt.status.code(), Some(1), "{}", stderr(&opt));
        assert!(stderr(&opt).contains("cannot write the standard output: No space"), "{}", stderr(&opt));
    }
    // A failed run leaves what was there.
    let kept = folder.file("kept.ll", "old");
    bad(TRANSLATE, &["--ppy-to-llvmir", &folder.path("missing.ppyir"), "-o", &kept], &[]);
    assert_eq!(fs::read_to_string(&kept).expect("it is there"), "old");
    assert_eq!(folder.names(), ["kept.ll"]);
}

#[test]
fn nobody_has_to_read_the_errors() {
    for (tool, arguments) in
        [(RUN, &["--timeout", "-1"][..]), (RUN, &["nofile", "f"]), (OPT, &["nofile"]), (OPT, &["--bogus"])]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let status = Command::new(tool).args(arguments).stdin(Stdio::null()).stderr(writer).status();
        assert_eq!(status.expect("the tool starts").code(), Some(1), "{tool} {arguments:?}");
    }
}

#[test]
fn missing_externs_are_named_before_anything_runs() {
    let folder = Folder::new("externs");
    let file = folder.file(
        "extern.ppyir",
        module(
            "func @f(%x: i64) -> i64 {\n^entry:\n    \
             %0 = core.call_extern %x {abi = \"c\", callee = \"ppy_nowhere\"} : i64\n    core.ret %0\n}\n\n\
             func @g(%x: i64) -> i64 {\n^entry:\n    \
             %0 = core.call_extern %x {abi = \"c\", callee = \"labs\"} : i64\n    core.ret %0\n}",
        ),
    );
    for engine in ENGINES {
        bad(RUN, &[engine, &[&file, "f", "[1]"]].concat(), &["ppy_nowhere"]);
    }
    answers(&file, "g", "[-3]", r#"{"status": 0, "results": [3], "buffers": []}"#);
    bad(RUN, &["--shared-libs=/nowhere/lib.so", &file, "g", "[1]"], &["/nowhere/lib.so"]);
    bad(RUN, &["--engine=interp", "--shared-libs=libm.so.6", &file, "g", "[1]"], &["--engine=jit"]);
}

#[test]
fn shared_libraries_define_externs() {
    let compiler = ["cc", "clang", "clang-22"].into_iter().find(|c| Command::new(c).arg("--version").output().is_ok());
    let Some(compiler) = compiler else { return };
    let folder = Folder::new("library");
    let source = folder.file("twice.c", "long twice_long(long x) { return 2 * x; }\n");
    let library = folder.path("libtwice.so");
    let built = Command::new(compiler).args(["-shared", "-fPIC", "-o", &library, &source]).status();
    assert!(built.is_ok_and(|status| status.success()));
    let file = folder.file(
        "extern.ppyir",
        module(
            "func @f(%x: i64) -> i64 {\n^entry:\n    \
             %0 = core.call_extern %x {abi = \"c\", callee = \"twice_long\"} : i64\n    core.ret %0\n}",
        ),
    );
    let line = good(RUN, &[&format!("--shared-libs={library}"), &file, "f", "[21]"]);
    assert_eq!(line.trim_end(), r#"{"status": 0, "results": [42], "buffers": []}"#);
}

#[test]
fn programs_that_run_away_are_stopped() {
    let folder = Folder::new("runaway");
    let deep = folder.file(
        "deep.ppyir",
        module(
            "func @f(%x: i64) -> i64 {\n^entry:\n    %0 = core.call %x {callee = @f} : i64\n    \
             %1 = core.add %0, %x {overflow = \"wrap\"} : i64\n    core.ret %1\n}",
        ),
    );
    bad(RUN, &["--engine=interp", &deep, "f", "[1]"], &["depth"]);
    bad(RUN, &["--engine=jit", "-O0", &deep, "f", "[1]"], &["@f", "stack", "recursion"]);

    let endless = folder.file(
        "endless.ppyir",
        module("func @f() -> () {\n^entry:\n    core.br ^again\n^again:\n    core.br ^again\n}"),
    );
    bad(RUN, &["--engine=interp", "--fuel=1000", &endless, "f"], &["fuel"]);
    bad(RUN, &["--engine=jit", "-O0", "--timeout=0.2", &endless, "f"], &["@f", "0.2 s"]);
    bad(RUN, &["--engine=interp", "--timeout=0.2", &endless, "f"], &["@f", "time limit"]);

    // The interpreter's limit is reached, and the machine's stack.
    let alloca = |count: u64| {
        let text = module(&format!(
            "func @f(%x: i64) -> i64 {{\n^entry:\n    %0 = core.alloca : ptr<array<i64, {count}>, stack>\n    \
             %1 = core.cast %0 : ptr<i64, stack>\n    core.store %x, %1\n    %2 = core.load %1 : i64\n    core.ret %2\n}}"
        ));
        folder.file(&format!("alloca{count}.ppyir"), text)
    };
    bad(RUN, &["--engine=interp", &alloca(1_000_000_000), "f", "[1]"], &["@f", "out of memory"]);
    bad(RUN, &["--engine=jit", "-O0", &alloca(1_000_000_000), "f", "[1]"], &["core.alloca", "too large"]);
    for count in [1 << 61, i64::MAX] {
        let counted = format!("    %0 = core.alloca {{count = {count}}} : ptr<i64, stack>\n    core.store %x, %0\n");
        let text = module(&format!("func @f(%x: i64) -> i64 {{\n^entry:\n{counted}    core.ret %x\n}}"));
        let file = folder.file(&format!("counted{count}.ppyir"), text);
        bad(RUN, &["--engine=interp", &file, "f", "[1]"], &["@f", "core.alloca", "out of memory"]);
    }
    bad(RUN, &["--engine=jit", "-O0", &alloca(100_000_000), "f", "[1]"], &["@f", "stack"]);

    let wild = folder.file(
        "wild.ppyir",
        module("func @f(%p: ptr<i64>) -> i64 {\n^entry:\n    %0 = core.load %p : i64\n    core.ret %0\n}"),
    );
    bad(RUN, &["--engine=interp", &wild, "f", "[null]"], &["@f"]);
    bad(RUN, &["--engine=jit", "-O0", &wild, "f", "[null]"], &["@f", "SIGSEGV", "0x0"]);
}

#[test]
fn programs_are_linked() {
    let folder = Folder::new("link");
    let (shapes, prog) = (example("program/shapes.ppyir"), example("program/prog.ppyir"));
    let expected = r#"{"status": 0, "results": [243], "buffers": []}"#;
    let linked = folder.path("linked.ppyir");
    good(TRANSLATE, &["--link", &prog, &shapes, "-o", &linked]);
    answers(&linked, "prog.crate", "[6]", expected);
    // The same from other formats, in one command, and from the documents of one file.
    let (mlir, bytecode) = (folder.path("shapes.mlir"), folder.path("prog.mlirbc"));
    good(TRANSLATE, &["--ppyir-to-mlir", "--mlir-print-debuginfo", &shapes, "-o", &mlir]);
    good(OPT, &["--emit=bytecode", &prog, "-o", &bytecode]);
    let text = fs::read_to_string(&linked).expect("the linked module");
    let blocks = |text: &str| text.matches("core.call ").count();
    assert_eq!(blocks(&good(TRANSLATE, &["--link", &bytecode, &mlir])), blocks(&text));
    let documents = fs::read_to_string(&shapes).expect("a module") + &fs::read_to_string(&prog).expect("a module");
    let documents = folder.file("documents.ppyir", documents);
    for engine in ["--engine=interp", "--engine=jit"] {
        assert_eq!(good(RUN, &[engine, "--link", &shapes, &prog, "prog.crate", "[6]"]).trim(), expected);
        assert_eq!(good(RUN, &[engine, &documents, "crate", "[6]"]).trim(), expected);
    }
    assert_eq!(good(TRANSLATE, &["--link", &documents]), good(TRANSLATE, &["--link", &shapes, &prog]));
    let code = good(TRANSLATE, &["--link", "--ppy-to-llvmir", "--name=whole", &shapes, &prog]);
    assert!(code.contains("@ppy_shapes_box") && code.contains("@ppy_prog_crate"), "{code}");
    assert!(good(TRANSLATE, &["--link", "--name=whole", &shapes, &prog]).contains("module @whole\n"));
}

#[test]
fn what_cannot_be_linked_is_an_error() {
    let folder = Folder::new("unlinkable");
    let (shapes, prog) = (example("program/shapes.ppyir"), example("program/prog.ppyir"));
    let copy = folder.file("copy.ppyir", fs::read(&shapes).expect("a module"));
    let invalid = folder.file("invalid.ppyir", module("func @f() -> i64 {\n^entry:\n    core.ret\n}"));
    let out = folder.path("out.ppyir");
    bad(TRANSLATE, &["--link", &prog, "-o", &out], &["@shapes_box", "@shapes_flat", "link the module @shapes"]);
    bad(TRANSLATE, &["--link", &prog, &shapes, &shapes, "-o", &out], &["is given twice"]);
    bad(TRANSLATE, &["--link", &shapes, &copy, "-o", &out], &["copy.ppyir:5: error: @shapes_box is defined twice"]);
    bad(TRANSLATE, &["--link", &prog, &invalid, "-o", &out], &["invalid.ppyir:7:", "returns nothing"]);
    let nowhere = |name: &str| folder.path(&format!("nowhere{name}.ppyir"));
    let each = ["cannot read", "nowhere1.ppyir", "nowhere2.ppyir"];
    bad(TRANSLATE, &["--link", &nowhere("1"), &prog, &nowhere("2"), "-o", &out], &each);
    let other = folder.file("other.ppyir", module("func @g() -> i64 {\n^entry:\n    core.ret\n}"));
    let each = ["invalid.ppyir:7:", "other.ppyir:7:"];
    bad(TRANSLATE, &["--link", &other, &prog, &invalid, "-o", &out], &each);
    bad(TRANSLATE, &["--ppy-to-object", &shapes, &prog], &["2 files are given; --link makes one program of them"]);
    bad(TRANSLATE, &["--name=x", "--ppy-to-ppyir", &shapes], &["--link"]);
    for name in ["", "a b", "@x"] {
        bad(TRANSLATE, &["--link", &format!("--name={name}"), &shapes, &prog], &["is no name for the linked module"]);
    }
    bad(RUN, &["--link", &prog, &prog, "f"], &["is given twice"]);
    assert!(!Path::new(&out).exists(), "half of an output");
}

#[test]
fn a_crash_of_a_tool_is_reported_as_ours() {
    for (tool, arguments) in [(OPT, &["-"][..]), (RUN, &["-", "f"]), (TRANSLATE, &["--ppy-to-asm", "-"])] {
        let mut child = Command::new(tool)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        // It waits for its input by then; nothing else in this test depends on time.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let signal = Command::new("kill").args(["-SEGV", &child.id().to_string()]).status();
        assert!(signal.is_ok_and(|status| status.success()));
        drop(child.stdin.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(70), "{tool}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("internal error") && stderr(&output).contains("report"),
            "{}",
            stderr(&output)
        );
    }
}
