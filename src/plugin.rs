//! The entry points by which a stock `mlir-opt` 22 loads `libppy_mlir.so`.
//!
//! Upstream checks only its plugin API number, so the LLVM we were built for is compared here with the one that loads us.

use mlir_sys::MlirDialectRegistry;
use std::ffi::{CStr, c_char};

/// `mlir::DialectPluginLibraryInfo`
#[repr(C)]
pub struct DialectPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(MlirDialectRegistry),
}

/// `mlir::PassPluginLibraryInfo`
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(),
}

const API: u32 = 1;
const NAME: &CStr = c"ppy";
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(text) => text,
    Err(_) => c"?",
};

extern "C" fn register_dialects(registry: MlirDialectRegistry) {
    refuse_other_llvm();
    crate::generated::hooks::register_dialects(registry);
}

extern "C" fn register_passes() {
    refuse_other_llvm();
    crate::register_passes();
}

/// Ends the process with status 1 where the host runs another LLVM: past this point it would crash or corrupt memory.
fn refuse_other_llvm() {
    let found = crate::driver::version::running_llvm();
    let built = env!("PPY_LLVM_VERSION");
    let minor = |v: &str| v.split('.').take(2).collect::<Vec<_>>().join(".");
    if minor(&found) != minor(built) {
        eprintln!(
            "error: libppy_mlir.so was built for LLVM {built}, but this program runs LLVM {found}; \
             rebuild ppy-mlir with PPY_LLVM_PREFIX set to that LLVM, or use the mlir-opt of {}",
            env!("PPY_LLVM_PREFIX")
        );
        std::process::exit(1);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginLibraryInfo {
    DialectPluginLibraryInfo { api_version: API, name: NAME.as_ptr(), version: VERSION.as_ptr(), register: register_dialects }
}

#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo { api_version: API, name: NAME.as_ptr(), version: VERSION.as_ptr(), register: register_passes }
}
