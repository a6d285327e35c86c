//! mlir-tblgen and the C++ compiler.

use crate::{generate_cpp::write_if_changed, llvm::Llvm, records::Dialect};
use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn mlir_tblgen(llvm: &Llvm, td: &Path, source: &Path, output: PathBuf, arguments: &[&str]) -> Result<()> {
    let result = Command::new(llvm.tool("mlir-tblgen"))
        .args(arguments)
        .arg(format!("-I{}", llvm.include().display()))
        .arg(format!("-I{}", td.display()))
        .arg(source)
        .arg("--write-if-changed")
        .arg("-o")
        .arg(&output)
        .output()?;
    if !result.status.success() {
        return Err(format!("mlir-tblgen {}:\n{}", source.display(), String::from_utf8_lossy(&result.stderr)).into());
    }
    Ok(())
}

/// Runs every generator a dialect needs, into `<include>/<dialect>/`.
pub fn tablegen(llvm: &Llvm, td: &Path, include: &Path, dialect: &Dialect) -> Result<()> {
    let folder = include.join(&dialect.ppyir);
    std::fs::create_dir_all(&folder)?;
    let source = td.join(format!("{}.td", dialect.file));
    let only = format!("-dialect={}", dialect.name);
    let ops = format!("-op-include-regex=^{}\\.", dialect.name);
    let types = format!("-typedefs-dialect={}", dialect.name);
    let attributes = format!("-attrdefs-dialect={}", dialect.name);
    let run = |file: &str, arguments: &[&str]| mlir_tblgen(llvm, td, &td.join(&source), folder.join(file), arguments);
    run("dialect.h.inc", &["-gen-dialect-decls", &only])?;
    run("dialect.cpp.inc", &["-gen-dialect-defs", &only])?;
    run("ops.h.inc", &["-gen-op-decls", &ops])?;
    run("ops.cpp.inc", &["-gen-op-defs", &ops])?;
    if !dialect.enums.is_empty() {
        // The generators of enums take every enum of a file, those of the dialects that it includes too.
        let own = folder.join("enums.td");
        write_if_changed(&own, &enums(dialect))?;
        mlir_tblgen(llvm, td, &own, folder.join("enums.h.inc"), &["-gen-enum-decls"])?;
        mlir_tblgen(llvm, td, &own, folder.join("enums.cpp.inc"), &["-gen-enum-defs"])?;
    }
    if !dialect.types.is_empty() {
        run("types.h.inc", &["-gen-typedef-decls", &types])?;
        run("types.cpp.inc", &["-gen-typedef-defs", &types])?;
    }
    if !dialect.attributes.is_empty() {
        run("attributes.h.inc", &["-gen-attrdef-decls", &attributes])?;
        run("attributes.cpp.inc", &["-gen-attrdef-defs", &attributes])?;
    }
    Ok(())
}

/// The enums that are the dialect's own, declared again.
fn enums(dialect: &Dialect) -> String {
    let mut text = format!("include \"Base.td\"\ndef Owner : Ppy_Dialect<{:?}, {}>;\n", dialect.ppyir, dialect.version);
    for e in &dialect.enums {
        let cases =
            e.cases.iter().map(|(name, number, spelling)| format!("I32EnumAttrCase<{name:?}, {number}, {spelling:?}>"));
        let cases = cases.collect::<Vec<_>>().join(", ");
        text += &format!("def : Ppy_Enum<Owner, {:?}, {:?}, [{cases}]>;\n", e.name, e.summary);
    }
    text
}

/// The passes' declarations, from the file that includes all of theirs.
pub fn tablegen_passes(llvm: &Llvm, td: &Path, out: &Path) -> Result<()> {
    let header = out.join("include/passes.h.inc");
    mlir_tblgen(llvm, td, &out.join("AllPasses.td"), header, &["-gen-pass-decls", "-name=Ppy"])
}

fn flags(llvm: &Llvm, root: &Path, out: &Path) -> Vec<String> {
    let level = if env::var("PROFILE").is_ok_and(|p| p == "release") { "-O2" } else { "-O0" };
    let mut flags: Vec<String> = [
        "-std=c++17",
        "-fPIC",
        "-ffunction-sections",
        "-fdata-sections",
        "-fvisibility-inlines-hidden",
        "-fno-exceptions",
        "-fno-rtti",
        "-Wall",
        "-Wno-unused-function",
        "-D_GNU_SOURCE",
        "-D__STDC_CONSTANT_MACROS",
        "-D__STDC_FORMAT_MACROS",
        "-D__STDC_LIMIT_MACROS",
        level,
    ]
    .map(String::from)
    .into();
    // LLVM's headers are not held to our warnings.
    flags.extend(["-isystem".into(), llvm.include().display().to_string()]);
    flags.push(format!("-I{}", root.join("src/mlir/cpp").display()));
    flags.push(format!("-I{}", out.join("include").display()));
    flags
}

/// Compiles the generated units and `src/mlir/cpp/*.cpp` into one archive, with a precompiled `ppy.h`.
///
/// make compiles only what a change reaches: cargo reruns the whole build script when one declaration changes.
pub fn compile(llvm: &Llvm, root: &Path, out: &Path, units: &[PathBuf]) -> Result<()> {
    let mut sources: Vec<PathBuf> = std::fs::read_dir(root.join("src/mlir/cpp"))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "cpp"))
        .collect();
    sources.sort();
    sources.extend_from_slice(units);
    let objects = out.join("objects");
    std::fs::create_dir_all(&objects)?;
    let makefile = out.join("Makefile");
    write_if_changed(&makefile, &rules(llvm, root, out, &sources))?;
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "2".into());
    // Of the make that may run cargo, no jobserver: its slots are cargo's.
    let status = Command::new("make")
        .env_remove("MAKEFLAGS")
        .env_remove("MFLAGS")
        .args(["--silent", "--jobs", &jobs, "--file"])
        .arg(&makefile)
        .status()
        .map_err(|error| format!("make: {error}; install the package make"))?;
    if !status.success() {
        return Err("the C++ of ppy-mlir does not compile; the compiler's messages are above".into());
    }
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=ppy_mlir_cpp");
    println!("cargo:rustc-link-lib=stdc++");
    Ok(())
}

/// The makefile: an object per source beside a file of the headers that it read, then the archive.
fn rules(llvm: &Llvm, root: &Path, out: &Path, sources: &[PathBuf]) -> String {
    let out = out.display();
    let header = root.join("src/mlir/cpp/ppy.h");
    let object = |source: &PathBuf| {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let part = if source.starts_with(root.join("src")) { "glue" } else { "unit" };
        format!("{out}/objects/{part}-{stem}.o")
    };
    let objects: Vec<String> = sources.iter().map(object).collect();
    let mut text = format!(
        "CXX = {}\nFLAGS = {}\nOBJECTS = {}\n\n\
         {out}/libppy_mlir_cpp.a: $(OBJECTS) {out}/Makefile\n\trm -f $@\n\t{} crs $@ $(OBJECTS)\n\n\
         {out}/ppy.pch: {} {out}/Makefile\n\
         \t$(CXX) $(FLAGS) -MD -MP -MF $@.d -MT $@ -fpch-instantiate-templates -x c++-header $< -o $@\n\n",
        llvm.tool("clang++").display(),
        flags(llvm, root, Path::new(&out.to_string())).join(" "),
        objects.join(" "),
        llvm.tool("llvm-ar").display(),
        header.display(),
    );
    for (source, object) in sources.iter().zip(&objects) {
        text += &format!(
            "{object}: {} {out}/ppy.pch\n\
             \t$(CXX) $(FLAGS) -include-pch {out}/ppy.pch -MMD -MP -MF $@.d -MT $@ -c $< -o $@\n\n",
            source.display(),
        );
    }
    let depends: Vec<String> = objects.iter().map(|object| format!("{object}.d")).collect();
    text + &format!("-include {out}/ppy.pch.d {}\n", depends.join(" "))
}
