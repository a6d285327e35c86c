//! The entry points of `libppy_mlir.so`: by which a stock `mlir-opt` 22 loads it, and for hosts that link it.
//!
//! Upstream checks only its plugin API number, so the LLVM we were built for is compared here with the one that loads
//! us.

use crate::say::say;
use crate::{driver::version, passes::default_pipeline::register_stage_pass};
use mlir_sys::{MlirDialectRegistry, MlirLogicalResult};
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

// A plugin's functions answer nothing, so they end the process with status 1 where the host runs another LLVM: past
// this point it would crash or corrupt memory.

extern "C" fn register_dialects(registry: MlirDialectRegistry) {
    if !same_llvm() {
        std::process::exit(1);
    }
    crate::generated::hooks::register_dialects(registry);
}

extern "C" fn register_passes() {
    if !same_llvm() {
        std::process::exit(1);
    }
    crate::register_passes();
}

/// Whether the host runs the LLVM that this library was built for; says so on the standard error where it does not.
fn same_llvm() -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let other = other_llvm(&version::running_llvm(), &maps, env!("PPY_LLVM_VERSION"));
    if let Some(found) = &other {
        say(format_args!(
            "error: libppy_mlir.so was built for LLVM {}, but this program runs {found}; \
             rebuild ppy-mlir with PPY_LLVM_PREFIX set to that LLVM, or use the mlir-opt of {}",
            env!("PPY_LLVM_VERSION"),
            env!("PPY_LLVM_PREFIX")
        ));
    }
    other.is_none()
}

/// What the process runs instead of the LLVM we were built for: what LLVM itself answers, then every library that is
/// mapped, because symbol versions can bind our question to our own copy while the host runs another.
fn other_llvm(running: &str, maps: &str, built: &str) -> Option<String> {
    if minor(running) != minor(built) {
        return Some(format!("LLVM {running}"));
    }
    let files = maps.lines().filter_map(|line| line.rsplit('/').next()).map(str::trim_end);
    other_library(files, built).map(|file| format!("with {file}"))
}

/// The MLIR or LLVM among libraries that is of another version.
fn other_library<'f>(mut files: impl Iterator<Item = &'f str>, built: &str) -> Option<&'f str> {
    files.find(|file| {
        let version = file.strip_prefix("libMLIR.so.").or_else(|| file.strip_prefix("libLLVM.so."));
        version.is_some_and(|version| minor(version) != minor(built))
    })
}

fn minor(version: &str) -> String {
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// Among the libraries that a plugin names, the MLIR or LLVM that is not the one this crate was built for.
pub(crate) fn built_for_other_llvm(names: &[String]) -> Option<&str> {
    other_library(names.iter().map(String::as_str), env!("PPY_LLVM_VERSION"))
}

#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginLibraryInfo {
    DialectPluginLibraryInfo {
        api_version: API,
        name: NAME.as_ptr(),
        version: VERSION.as_ptr(),
        register: register_dialects,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: API,
        name: NAME.as_ptr(),
        version: VERSION.as_ptr(),
        register: register_passes,
    }
}

/// Adds every ppy dialect to a registry; for hosts that link the library (`include/ppy-mlir-c.h`).
#[unsafe(no_mangle)]
pub extern "C" fn ppyRegisterAllDialects(registry: MlirDialectRegistry) -> MlirLogicalResult {
    let same = same_llvm();
    if same {
        crate::generated::hooks::register_dialects(registry);
    }
    MlirLogicalResult { value: same.into() }
}

/// Registers every ppy pass by name, once per process; for hosts that link the library (`include/ppy-mlir-c.h`).
#[unsafe(no_mangle)]
pub extern "C" fn ppyRegisterAllPasses() -> MlirLogicalResult {
    let same = same_llvm();
    if same {
        crate::register_passes();
    }
    MlirLogicalResult { value: same.into() }
}

/// The version of `include/ppy-mlir-c.h`.
const ABI: u32 = 1;

/// Adds passes at a stage of the default pipeline; what `ppyRegisterStagePass` of `include/ppy-mlir-c.h` calls.
///
/// # Safety
/// The strings end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ppyRegisterStagePassFor(
    abi: u32,
    llvm: *const c_char,
    stage: *const c_char,
    passes: *const c_char,
) {
    let [llvm, stage, passes] = [llvm, stage, passes].map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy());
    let added = match (abi == ABI, minor(&llvm) == minor(env!("PPY_LLVM_VERSION"))) {
        (false, _) => Err(format!(
            "it was compiled with version {abi} of ppy-mlir-c.h, but this is version {ABI}; compile it with ours"
        )),
        (_, false) => Err(format!(
            "it was compiled for LLVM {llvm}, but this is LLVM {}; compile it for ours",
            env!("PPY_LLVM_VERSION")
        )),
        _ => register_stage_pass(&stage, &passes),
    };
    if let Err(problem) = added {
        say(format_args!("error: a plugin adds the pass '{passes}' at the stage '{stage}': {problem}"));
        std::process::exit(1);
    }
}

#[cfg(test)]
mod tests {
    use super::other_llvm;

    #[test]
    fn another_llvm_is_refused() {
        let maps = "7f00-7f01 r--p 0 08:01 5 /usr/lib/x/libMLIR.so.22.1\n7f02-7f03 r--p 0 08:01 6 /usr/lib/x/libLLVM.so.22.1\n";
        assert_eq!(other_llvm("22.1.8", maps, "22.1.8"), None);
        assert_eq!(other_llvm("22.1.1", maps, "22.1.8"), None, "patch releases keep the ABI");
        assert_eq!(other_llvm("22.0.0", maps, "22.1.8"), Some("LLVM 22.0.0".into()));
        assert_eq!(other_llvm("21.1.0", "", "22.1.8"), Some("LLVM 21.1.0".into()));
        let two = format!("{maps}7f04-7f05 r--p 0 08:01 7 /usr/lib/y/libMLIR.so.21.1\n");
        assert_eq!(other_llvm("22.1.8", &two, "22.1.8"), Some("with libMLIR.so.21.1".into()));
    }
}
