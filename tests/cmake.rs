//! A C++ program finds ppy-mlir through CMake, links it and runs a pass of it (`cmake/example`).

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|e| panic!("{command:?}: {e} (Debian: apt-get install cmake make)"));
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{command:?}: {}\n{out}\n{err}", done.status);
    out.into_owned()
}

#[test]
fn a_consumer_builds_and_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = Path::new(env!("CARGO_BIN_EXE_ppy-opt")).parent().map(PathBuf::from).expect("a tool is in a folder");
    let llvm = env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let build = tools.join("cmake-example");
    fs::create_dir_all(&build).expect("a writable target folder");
    output(
        Command::new("cmake")
            .arg("-S")
            .arg(root.join("cmake/example"))
            .arg("-B")
            .arg(&build)
            .arg(format!("-DCMAKE_CXX_COMPILER={llvm}/bin/clang++"))
            .arg(format!("-DPPY_LLVM_PREFIX={llvm}"))
            .arg(format!("-DPPY_MLIR_LIBRARY={}", tools.join("libppy_mlir.so").display())),
    );
    output(Command::new("cmake").arg("--build").arg(&build));
    let input = root.join("tests/plugin/input.mlir");
    let run = |pipeline: &str| output(Command::new(build.join("consumer")).arg(&input).arg(pipeline));
    let promoted = run("ppy_core.func(mem2reg)");
    assert!(promoted.contains("ppy_core.func @f") && !promoted.contains("alloca"), "{promoted}");
}
