//! mlir-tblgen and the C++ compiler.

use crate::{llvm::Llvm, records::Dialect};
use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn mlir_tblgen(llvm: &Llvm, td: &Path, source: &str, output: PathBuf, arguments: &[&str]) -> Result<()> {
    let result = Command::new(llvm.tool("mlir-tblgen"))
        .args(arguments)
        .arg(format!("-I{}", llvm.include().display()))
        .arg(format!("-I{}", td.display()))
        .arg(td.join(source))
        .arg("--write-if-changed")
        .arg("-o")
        .arg(&output)
        .output()?;
    if !result.status.success() {
        return Err(format!("mlir-tblgen {source}:\n{}", String::from_utf8_lossy(&result.stderr)).into());
    }
    Ok(())
}

/// Runs every generator a dialect needs, into `<include>/<dialect>/`.
pub fn tablegen(llvm: &Llvm, td: &Path, include: &Path, dialect: &Dialect) -> Result<()> {
    let folder = include.join(&dialect.ppyir);
    std::fs::create_dir_all(&folder)?;
    let source = format!("{}.td", dialect.file);
    let only = format!("-dialect={}", dialect.name);
    let ops = format!("-op-include-regex=^{}\\.", dialect.name);
    let types = format!("-typedefs-dialect={}", dialect.name);
    let attributes = format!("-attrdefs-dialect={}", dialect.name);
    let run = |file: &str, arguments: &[&str]| mlir_tblgen(llvm, td, &source, folder.join(file), arguments);
    run("dialect.h.inc", &["-gen-dialect-decls", &only])?;
    run("dialect.cpp.inc", &["-gen-dialect-defs", &only])?;
    run("ops.h.inc", &["-gen-op-decls", &ops])?;
    run("ops.cpp.inc", &["-gen-op-defs", &ops])?;
    if !dialect.enums.is_empty() {
        run("enums.h.inc", &["-gen-enum-decls"])?;
        run("enums.cpp.inc", &["-gen-enum-defs"])?;
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

pub fn tablegen_passes(llvm: &Llvm, td: &Path, include: &Path) -> Result<()> {
    mlir_tblgen(llvm, td, "Passes.td", include.join("passes.h.inc"), &["-gen-pass-decls", "-name=Ppy"])
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
pub fn compile(llvm: &Llvm, root: &Path, out: &Path, units: &[PathBuf]) -> Result<()> {
    let flags = flags(llvm, root, out);
    let compiler = llvm.tool("clang++");
    let header = root.join("src/mlir/cpp/ppy.h");
    let pch = out.join("ppy.pch");
    let status = Command::new(&compiler)
        .args(&flags)
        .args(["-fpch-instantiate-templates", "-x", "c++-header"])
        .arg(&header)
        .arg("-o")
        .arg(&pch)
        .status()?;
    if !status.success() {
        return Err("the precompiled header does not compile".into());
    }
    let mut build = cc::Build::new();
    build.cpp(true).compiler(&compiler).no_default_flags(true).warnings(false).cargo_warnings(true);
    for flag in &flags {
        build.flag(flag);
    }
    build.flag("-include-pch").flag(&pch);
    let mut own: Vec<PathBuf> = std::fs::read_dir(root.join("src/mlir/cpp"))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "cpp"))
        .collect();
    own.sort();
    build.files(own).files(units).try_compile("ppy_mlir_cpp")?;
    Ok(())
}
