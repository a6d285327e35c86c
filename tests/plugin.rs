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
