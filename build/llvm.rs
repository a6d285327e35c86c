//! Where LLVM and MLIR 22 are, and how everything links against one shared copy of them.

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The LLVM major version this project is written for.
pub const MAJOR: &str = "22";

/// An LLVM 22 installation with the MLIR development files.
pub struct Llvm {
    pub prefix: PathBuf,
    /// The full version, `22.1.8`.
    pub version: String,
}

impl Llvm {
    pub fn tool(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }
    pub fn include(&self) -> PathBuf {
        self.prefix.join("include")
    }
    pub fn lib(&self) -> PathBuf {
        self.prefix.join("lib")
    }
}

/// Finds LLVM: `PPY_LLVM_PREFIX` if it is set, else the prefix mlir-sys was given, else the usual places.
pub fn find() -> Result<Llvm, String> {
    let chosen = env::var_os("PPY_LLVM_PREFIX").map(PathBuf::from);
    let sys = env::var_os("MLIR_SYS_220_PREFIX").map(PathBuf::from);
    let mut tried = String::new();
    let candidates: Vec<(&str, PathBuf)> = match &chosen {
        Some(prefix) => vec![("PPY_LLVM_PREFIX", prefix.clone())],
        None => (sys.iter().map(|p| ("MLIR_SYS_220_PREFIX", p.clone())))
            .chain(
                ["/usr/lib/llvm-22", "/usr/local/llvm-22", "/opt/llvm-22", "/usr/local", "/usr"]
                    .map(|p| ("searched", p.into())),
            )
            .collect(),
    };
    for (origin, prefix) in &candidates {
        match inspect(prefix) {
            Ok(llvm) => {
                agree(&llvm, sys.as_deref())?;
                return Ok(llvm);
            }
            Err(why) => _ = writeln!(tried, "  {} ({origin}): {why}", prefix.display()),
        }
    }
    Err(format!(
        "LLVM and MLIR {MAJOR} were not found. Tried:\n{tried}\
         Install them (Debian: apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools clang-22 libclang-22-dev lld-22 \
         libpolly-22-dev libzstd-dev zlib1g-dev), or set PPY_LLVM_PREFIX to the prefix of an installation."
    ))
}

fn inspect(prefix: &Path) -> Result<Llvm, String> {
    let config = prefix.join("bin/llvm-config");
    if !config.exists() {
        return Err("no bin/llvm-config (package llvm-22-dev)".into());
    }
    let output =
        Command::new(&config).arg("--version").output().map_err(|e| format!("bin/llvm-config does not run: {e}"))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if version.split('.').next() != Some(MAJOR) {
        return Err(format!("has LLVM {version}, not {MAJOR}"));
    }
    for (file, package) in [
        ("bin/mlir-tblgen", "mlir-22-tools"),
        ("bin/llvm-tblgen", "llvm-22"),
        ("bin/clang++", "clang-22"),
        ("bin/ld.lld", "lld-22"),
        ("include/mlir/IR/Dialect.h", "libmlir-22-dev"),
        ("include/mlir-c/IR.h", "libmlir-22-dev"),
        ("lib/libMLIR.so", "libmlir-22-dev"),
        ("lib/libLLVM-22.so", "llvm-22-dev"),
    ] {
        if !prefix.join(file).exists() {
            return Err(format!("LLVM {version} without {file} (package {package})"));
        }
    }
    Ok(Llvm { prefix: prefix.to_owned(), version })
}

/// The build script of mlir-sys has run by now; it must have used the same installation.
fn agree(llvm: &Llvm, sys: Option<&Path>) -> Result<(), String> {
    let same = |p: &Path| fs::canonicalize(p).ok() == fs::canonicalize(&llvm.prefix).ok();
    if sys.is_some_and(same) {
        return Ok(());
    }
    let found = sys.map_or("unset".into(), |p| p.display().to_string());
    Err(format!(
        "two LLVM installations: this build uses {0}, but MLIR_SYS_220_PREFIX is {found}. \
         Set MLIR_SYS_220_PREFIX={0}, LLVM_SYS_221_PREFIX={0} and TABLEGEN_220_PREFIX={0} as well.",
        llvm.prefix.display()
    ))
}

/// Prints the link instructions: the C API static, MLIR and LLVM shared, so that there is one set of TypeIDs.
///
/// mlir-sys in shared mode asks for `-lMLIR-C`, which Debian does not have; a linker script of that name stands in.
pub fn link(llvm: &Llvm, out: &Path) -> std::io::Result<()> {
    let lib = llvm.lib();
    let mut archives: Vec<PathBuf> = fs::read_dir(&lib)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| {
            p.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("libMLIRCAPI") && n.ends_with(".a"))
        })
        .collect();
    archives.sort();
    let archives: Vec<String> = archives.iter().map(|p| p.display().to_string()).collect();
    let lib = lib.display();
    fs::write(
        out.join("libMLIR-C.so"),
        format!("GROUP ( {} {lib}/libMLIR.so {lib}/libLLVM-22.so )\n", archives.join(" ")),
    )?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={lib}");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{lib}");
    println!("cargo:rustc-link-arg=-fuse-ld=lld");
    println!("cargo:rustc-link-arg=-B{}", llvm.prefix.join("bin").display());
    Ok(())
}
