//! The runtime (`runtime/`): its library as it is described there, a C program that shares threads and locks with
//! compiled code, and both under the thread sanitizer.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn llvm(tool: &str) -> PathBuf {
    let prefix = env::var("PPY_LLVM_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    Path::new(&prefix).join("bin").join(tool)
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A folder for what is built, one for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime").join(name);
    fs::create_dir_all(&folder).expect("a writable target folder");
    folder
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

fn output(command: &mut Command) -> String {
    let done = run(command);
    assert!(done.status.success(), "{command:?}: {}\n{}", done.status, String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// C11 without a warning.
fn clang() -> Command {
    let mut command = Command::new(llvm("clang"));
    command.args(["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-override-module"]);
    command.arg(format!("-I{}", root("runtime/include").display()));
    command
}

fn translate(to: &str, level: &str, program: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ppy-translate"));
    output(command.args([to, level]).arg(root(program)))
}

fn library(folder: &Path) -> PathBuf {
    let (object, library) = (folder.join("ppy_runtime.o"), folder.join("libppy_runtime.so.1"));
    output(clang().args(["-fPIC", "-c"]).arg(root("runtime/ppy_runtime.c")).arg("-o").arg(&object));
    let map = format!("-Wl,--version-script={}", root("runtime/ppy_runtime.map").display());
    output(clang().args(["-shared", &map, "-Wl,-soname,libppy_runtime.so.1"]).arg(&object).arg("-o").arg(&library));
    library
}

/// The library exports what the header declares, each in a version, and runs nothing when it is loaded.
#[test]
fn the_library_is_what_it_says() {
    let folder = folder("library");
    let library = library(&folder);
    let exported = output(Command::new(llvm("llvm-nm")).args(["-D", "--defined-only"]).arg(&library));
    let exported: Vec<&str> = exported.lines().filter_map(|line| line.split(" T ").nth(1)).collect();
    let header = fs::read_to_string(root("runtime/include/ppy_runtime.h")).expect("the header");
    let mut declared: Vec<String> = header
        .lines()
        .filter(|line| line.ends_with(");") || line.contains("ppy_") && line.contains('('))
        .filter_map(|line| line.split('(').next()?.split([' ', '*']).next_back())
        .filter(|name| name.starts_with("ppy_"))
        .map(|name| format!("{name}@@PPY_RUNTIME_1"))
        .collect();
    declared.sort();
    assert_eq!(exported, declared);
    let sections = output(Command::new(llvm("llvm-readobj")).arg("--sections").arg(folder.join("ppy_runtime.o")));
    for constructor in [".init_array", ".ctors", ".tbss", ".tdata"] {
        assert!(!sections.contains(constructor), "the runtime has {constructor}");
    }
}

/// A C program and a ppy object on one mutex, condition and barrier, joining each other's threads.
#[test]
fn c_and_compiled_code_share_locks() {
    let folder = folder("shared");
    let library = library(&folder);
    let (object, program) = (folder.join("shared.o"), folder.join("shared"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_ppy-translate"));
    output(command.arg("--ppy-to-object").arg(root("tests/runtime/shared.ppyir")).arg("-o").arg(&object));
    let rpath = format!("-Wl,-rpath,{}", folder.display());
    output(clang().arg(root("tests/runtime/shared.c")).args([&object, &library]).args([&rpath, "-o"]).arg(&program));
    output(&mut Command::new(&program));
}

/// The program under the thread sanitizer, which looks into compiled code too.
fn sanitized(name: &str, sources: &[PathBuf]) -> Output {
    let folder = folder(name);
    let (text, program) = (folder.join("ppy.ll"), folder.join(name));
    // Functions that do not ask for it are not looked into.
    let code = translate("--ppy-to-llvmir", "-O1", &format!("tests/runtime/{name}.ppyir"));
    let asked = code.lines().map(|line| match line.strip_suffix(" {") {
        Some(head) if line.starts_with("define ") => format!("{head} sanitize_thread {{\n"),
        _ => format!("{line}\n"),
    });
    fs::write(&text, asked.collect::<String>()).expect("a writable folder");
    output(clang().arg("-fsanitize=thread").args(sources).arg(&text).arg("-o").arg(&program));
    run(&mut Command::new(&program))
}

#[test]
fn nothing_races() {
    let done = sanitized("shared", &[root("tests/runtime/shared.c"), root("runtime/ppy_runtime.c")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

/// What proves that the test above sees races: two threads without a lock.
#[test]
fn a_race_is_found() {
    let done = sanitized("race", &[root("tests/runtime/race.c")]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success() && said.contains("data race"), "{said}");
}
