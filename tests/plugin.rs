//! The plugin inside a stock `mlir-opt`, and the link recipe that makes it possible (docs/architecture.md).
//!
//! Loading proves nothing: a plugin with an MLIR of its own loads silently and registers nothing. So the file is looked
//! into, and passes must have changed the module.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

fn llvm(tool: &str) -> PathBuf {
    let prefix = env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let path = Path::new(&prefix).join("bin").join(tool);
    assert!(path.exists(), "there is no {} (Debian: apt-get install mlir-22-tools llvm-22)", path.display());
    path
}

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_ppy-opt")).with_file_name("libppy_mlir.so")
}

fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(done.status.success(), "{command:?}: {}\n{}", done.status, String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Stock mlir-opt with the plugin on `tests/plugin/input.mlir`.
fn stock(arguments: &[&str]) -> String {
    let plugin = plugin();
    let mut command = Command::new(llvm("mlir-opt"));
    command.arg(format!("--load-dialect-plugin={}", plugin.display()));
    command.arg(format!("--load-pass-plugin={}", plugin.display()));
    output(command.args(arguments).arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/input.mlir")))
}

#[test]
fn one_shared_mlir_everywhere() {
    let tools = ["ppy-opt", "ppy-run", "ppy-translate"].map(|tool| plugin().with_file_name(tool));
    for file in tools.iter().chain([&plugin()]) {
        let needed = output(Command::new(llvm("llvm-readobj")).arg("--needed-libs").arg(file));
        for library in ["libMLIR.so.22.1", "libLLVM.so.22.1"] {
            assert!(needed.contains(library), "{} does not need {library}:\n{needed}", file.display());
        }
        let defined = output(Command::new(llvm("llvm-nm")).args(["--defined-only", "--format=just-symbols"]).arg(file));
        // mlir::registerPass: whoever defines it has a second MLIR inside.
        let second = defined.lines().find(|name| name.starts_with("_ZN4mlir12registerPass"));
        assert_eq!(second, None, "{} carries an MLIR of its own", file.display());
    }
}

#[test]
fn the_plugin_registers_dialects_and_passes() {
    let help = stock(&["--help"]);
    assert!(help.contains("--convert-ppy-to-llvm"), "the passes are in --help");
    let dialects = stock(&["--show-dialects"]);
    for dialect in ppy_mlir::registry::DIALECTS {
        assert!(dialects.contains(dialect.name), "{} in {dialects}", dialect.name);
    }
}

#[test]
fn stock_passes_use_our_interfaces() {
    let promoted = stock(&["--pass-pipeline=builtin.module(ppy_core.func(mem2reg))"]);
    assert!(!promoted.contains("alloca") && promoted.contains("mul %arg0"), "{promoted}");
}

#[test]
fn stock_canonicalize_folds_our_operations() {
    let folded = stock(&["--canonicalize"]);
    assert!(folded.contains("const 42 : i64") && !folded.contains("add"), "{folded}");
}

#[test]
fn our_conversion_runs_in_stock_mlir_opt() {
    let lowered = stock(&["--pass-pipeline=builtin.module(convert-ppy-to-llvm)"]);
    assert!(lowered.contains("llvm.func") && !lowered.contains("ppy_core."), "{lowered}");
    let promoted = stock(&["--pass-pipeline=builtin.module(ppy_core.func(mem2reg),convert-ppy-to-llvm)"]);
    assert!(!promoted.contains("llvm.alloca") && promoted.contains("llvm.func"), "{promoted}");
}

#[test]
fn bytecode_of_ppy_opt_reads_in_stock_mlir_opt() {
    let folder = env::temp_dir().join(format!("ppy-plugin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let file = folder.join("input.mlirbc");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/input.mlir");
    output(Command::new(env!("CARGO_BIN_EXE_ppy-opt")).args(["--emit=bytecode", source, "-o"]).arg(&file));
    let mut command = Command::new(llvm("mlir-opt"));
    let text = output(command.arg(format!("--load-dialect-plugin={}", plugin().display())).arg(&file));
    assert!(text.contains("ppy_core.func @f"), "{text}");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}

const OPT: &str = env!("CARGO_BIN_EXE_ppy-opt");
const RUN: &str = env!("CARGO_BIN_EXE_ppy-run");
const TRANSLATE: &str = env!("CARGO_BIN_EXE_ppy-translate");

/// A folder for what a test builds, gone with it.
struct Built(PathBuf);

impl Built {
    fn folder(name: &str) -> Built {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("plugin-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Built(path)
    }

    /// A shared library in the folder.
    fn library(&self, name: &str, arguments: &[&str]) -> String {
        let path = self.0.join(name);
        output(Command::new(llvm("clang++")).args(["-shared", "-fPIC", "-o"]).arg(&path).args(arguments));
        path.display().to_string()
    }

    /// tests/plugin/stage.cpp.
    fn stage_plugin(&self) -> String {
        let root = env!("CARGO_MANIFEST_DIR");
        let prefix = llvm("clang++").parent().expect("a folder").join("../include");
        let includes = [format!("-I{}", prefix.display()), format!("-I{root}/include")];
        let source = format!("{root}/tests/plugin/stage.cpp");
        self.library("stage.so", &["-std=c++17", "-fno-rtti", "-w", &includes[0], &includes[1], &source])
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a tool that loads a plugin says when it refuses: status 1, nothing on the standard output.
#[track_caller]
fn refused(command: &mut Command, words: &[&str]) {
    let done = command.output().expect("the tool starts");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{command:?}\n{errors}");
    assert!(done.stdout.is_empty() && errors.contains("error:"), "{command:?}\n{errors}");
    for word in words {
        assert!(errors.contains(word), "{command:?}: no '{word}' in\n{errors}");
    }
}

#[test]
fn plugins_add_passes_at_stages() {
    let built = Built::folder("stages");
    let library = built.stage_plugin();
    let load = format!("--load-pass-plugin={library}");
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/input.mlir");
    let mut opt = Command::new(OPT);
    let marked = output(opt.args([&load, "--ppy-pipeline=level=1", input]));
    assert!(marked.contains("plugin.mark"), "{marked}");
    let early = output(Command::new(OPT).args([&load, "--ppy-pipeline=until=after-canonicalization", input]));
    assert!(!early.contains("plugin.mark"), "the stage before-backend is not reached: {early}");
    let report = output(Command::new(TRANSLATE).args([&load, "--ppy-to-llvmir", "-O0", input]));
    assert!(report.contains("define"), "{report}");

    // What breaks the module is named, with its stage, by every tool.
    let breaks = |tool: &str, arguments: &[&str]| {
        let mut command = Command::new(tool);
        command.env("STAGE_PLUGIN_PASS", "plugin-break").env("STAGE_PLUGIN_STAGE", "after-optimization");
        let words = ["stage 'after-optimization': 'plugin-break'", "left the module invalid"];
        refused(command.arg(&load).args(arguments), &words);
    };
    breaks(OPT, &["--ppy-pipeline", input]);
    breaks(OPT, &["--ppy-pipeline", "--verify-each=0", input]);
    breaks(TRANSLATE, &["--ppy-to-object", input]);
    breaks(RUN, &[input, "f", "[1]"]);
}

#[test]
fn plugins_of_another_build_are_refused() {
    let built = Built::folder("refused");
    let library = built.stage_plugin();
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/input.mlir");
    let claims = |variable: &str, value: &str, words: &[&str]| {
        for (tool, rest) in [(OPT, &[input][..]), (RUN, &[input, "f", "[1]"])] {
            let mut command = Command::new(tool);
            refused(command.env(variable, value).arg("--load-pass-plugin").arg(&library).args(rest), words);
        }
    };
    claims("STAGE_PLUGIN_ABI", "7", &["version 7 of ppy-mlir-c.h", "this is version 1"]);
    claims("STAGE_PLUGIN_LLVM", "21.1.0", &["compiled for LLVM 21.1.0"]);
    claims("STAGE_PLUGIN_STAGE", "nowhere", &["no stage 'nowhere'", "after-optimization"]);

    // One that needs the MLIR of another version is not even loaded; here it would do nothing.
    let other = built.library("libMLIR.so.21.1", &["-Wl,-soname,libMLIR.so.21.1", "-x", "c", "/dev/null"]);
    let needs = built.library("needs.so", &["-Wl,--no-as-needed", &other]);
    let load = |path: &str, words: &[&str]| {
        let option = format!("--load-pass-plugin={path}");
        refused(Command::new(OPT).args([&option, input]), words);
        refused(Command::new(RUN).args([&option, input, "f", "[1]"]), words);
        refused(Command::new(TRANSLATE).args([&option, "--ppy-to-asm", input]), words);
    };
    load(&needs, &["it needs libMLIR.so.21.1", "this program runs LLVM 22"]);
    load(&built.library("empty.so", &["-x", "c", "/dev/null"]), &["does not define mlirGetPassPluginInfo"]);
    load(input, &["cannot load the passes of", "object file"]);
    load("/nowhere/at/all.so", &["cannot load the passes of '/nowhere/at/all.so'"]);
}
