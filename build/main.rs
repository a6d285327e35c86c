//! The build: find LLVM 22, run mlir-tblgen on `mlir-td/`, generate the C++ and Rust that the records imply, compile
//! the C++, and link everything against one shared MLIR.

mod cxx;
mod generate_cpp;
mod generate_rust;
mod llvm;
mod records;

use std::{env, error::Error, fs, path::PathBuf, process::exit};

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    for variable in ["PPY_LLVM_PREFIX", "MLIR_SYS_220_PREFIX", "LLVM_SYS_221_PREFIX", "TABLEGEN_220_PREFIX"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    for folder in ["build", "mlir-td", "src/mlir/cpp"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let llvm = llvm::find()?;
    let dialects = records::dialects(&llvm, &root.join("mlir-td"))?;
    let passes = records::passes(&llvm, &root.join("mlir-td"), &out, &dialects)?;

    fs::create_dir_all(out.join("include"))?;
    let mut units = Vec::new();
    for dialect in &dialects {
        let folder = root.join("dialects").join(&dialect.ppyir);
        if !folder.is_dir() {
            return Err(format!(
                "mlir-td/{}.td declares dialect '{}', but there is no folder dialects/{} with its Rust",
                dialect.file, dialect.ppyir, dialect.ppyir
            )
            .into());
        }
        // New files must be noticed, and the C++ interfaces compiled.
        println!("cargo:rerun-if-changed={}", folder.display());
        cxx::tablegen(&llvm, &root.join("mlir-td"), &out.join("include"), dialect)?;
        units.push(generate_cpp::dialect(&out, &folder, dialect)?);
    }
    cxx::tablegen_passes(&llvm, &root.join("mlir-td"), &out)?;
    units.push(generate_cpp::passes(&out, &dialects, &passes.passes)?);
    generate_rust::all(&root, &out, &dialects, &passes)?;
    cxx::compile(&llvm, &root, &out, &units)?;
    llvm::link(&llvm, &out)?;
    // What plugins call in the tools that load them; nothing in a tool itself does.
    let symbol = "ppyRegisterStagePassFor";
    println!("cargo:rustc-link-arg-bins=-Wl,-u,{symbol},--export-dynamic-symbol={symbol}");
    println!("cargo:rustc-env=PPY_LLVM_VERSION={}", llvm.version);
    println!("cargo:rustc-env=PPY_LLVM_PREFIX={}", llvm.prefix.display());
    Ok(())
}
