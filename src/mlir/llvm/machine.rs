//! Targets: what code is generated for, and the machine that generates it.

use super::{Level, LlvmModule, c_string, take_message};
use crate::mlir::{
    attribute::{str_of, string_ref},
    process::for_foreign_target,
};
use llvm_sys::{core::*, prelude::*, target::*, target_machine::*};
use mlir_sys::MlirStringRef;
use std::{
    ffi::{CStr, c_void},
    ptr, slice,
    sync::Once,
};

unsafe extern "C" {
    fn ppyInitializeTargets(all: bool);
    fn ppyAlignLoops(machine: LLVMTargetMachineRef, bytes: u32);
    fn ppyTargetNames(
        triple: MlirStringRef,
        features: bool,
        each: unsafe extern "C" fn(*mut c_void, MlirStringRef),
        data: *mut c_void,
    );
}

/// What to generate code for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// A triple such as `aarch64-linux-gnu`; the host's when `None`.
    pub triple: Option<String>,
    /// A processor such as `znver4`; `native` is the host's with its features, `None` the oldest that the triple
    /// allows.
    pub cpu: Option<String>,
    /// Features to add and remove: `+avx2,-fma`.
    pub features: Option<String>,
}

impl Target {
    /// The machine this process runs on, with all it can do.
    pub fn native() -> Target {
        Target { cpu: Some("native".into()), ..Target::default() }
    }
}

/// Makes the host's target known to LLVM, and the others too when `all`.
pub fn initialize_targets(all: bool) {
    static HOST: Once = Once::new();
    static ALL: Once = Once::new();
    match all {
        false => HOST.call_once(|| unsafe { ppyInitializeTargets(false) }),
        true => ALL.call_once(|| unsafe { ppyInitializeTargets(true) }),
    }
}

/// The host's triple.
pub fn host_triple() -> String {
    unsafe { take_message(LLVMGetDefaultTargetTriple()) }
}

/// The host's processor by LLVM's name.
pub fn host_cpu() -> String {
    unsafe { take_message(LLVMGetHostCPUName()) }
}

/// What a machine can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    Assembly,
    Object,
}

/// A target with everything chosen: it optimizes for one processor and generates its code.
pub struct Machine {
    raw: LLVMTargetMachineRef,
    triple: String,
    cpu: String,
    features: String,
    /// Whether it is another target than this machine.
    foreign: bool,
}

impl Drop for Machine {
    fn drop(&mut self) {
        unsafe { LLVMDisposeTargetMachine(self.raw) }
    }
}

impl Machine {
    /// The machine for a target. A triple, processor or feature that this LLVM does not have is refused with what it
    /// has.
    pub fn new(target: &Target, level: Level) -> Result<Machine, String> {
        let host = host_triple();
        let triple = match &target.triple {
            None => host.clone(),
            Some(triple) => unsafe { take_message(LLVMNormalizeTargetTriple(c_string(triple).as_ptr())) },
        };
        initialize_targets(target.triple.is_some() && triple != host);
        let mut found = ptr::null_mut();
        let mut message = ptr::null_mut();
        let unknown = unsafe { LLVMGetTargetFromTriple(c_string(&triple).as_ptr(), &mut found, &mut message) };
        let _ = unsafe { take_message(message) };
        if unknown != 0 {
            let given = target.triple.as_deref().unwrap_or(&triple);
            return Err(format!(
                "unknown target '{given}'; give a triple, like x86_64-linux-gnu, aarch64-linux-gnu or riscv64-linux-gnu \
                 (this LLVM generates code for {})",
                target_names().join(", ")
            ));
        }
        let (cpu, host_features) = match target.cpu.as_deref() {
            None => (String::new(), String::new()),
            Some("native") if triple != host => {
                return Err(format!("the processor 'native' is the host's, of {host}, not of {triple}; name one"));
            }
            Some("native") => (host_cpu(), unsafe { take_message(LLVMGetHostCPUFeatures()) }),
            Some(cpu) => {
                known(&triple, cpu, Known::Processor)?;
                (cpu.to_owned(), String::new())
            }
        };
        let mut features = host_features;
        if triple.starts_with("x86_64") && !cpu.is_empty() {
            // The instructions of these take a subnormal bf16 for zero; LLVM uses them all the same.
            let comma = if features.is_empty() { "" } else { "," };
            features.push_str(&format!("{comma}-avx512bf16,-avxneconvert"));
        }
        if cpu.is_empty() && triple.starts_with("riscv64") && triple.contains("-linux") {
            // RV64GC: every Linux on RISC-V demands it. LLVM would choose no floats, and link with nothing there.
            features.push_str("+m,+a,+f,+d,+c");
        }
        for feature in target.features.iter().flat_map(|f| f.split(',')).filter(|f| !f.is_empty()) {
            let name = feature.strip_prefix(['+', '-']).ok_or_else(|| {
                format!("the feature '{feature}' needs + or - before it, to add or remove it: +{feature}")
            })?;
            known(&triple, name, Known::Feature)?;
            if !features.is_empty() {
                features.push(',');
            }
            features.push_str(feature);
        }
        let code_level = match level {
            Level::O0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            Level::O1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            Level::O2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            Level::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        let raw = unsafe {
            LLVMCreateTargetMachine(
                found,
                c_string(&triple).as_ptr(),
                c_string(&cpu).as_ptr(),
                c_string(&features).as_ptr(),
                code_level,
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelDefault,
            )
        };
        if raw.is_null() {
            return Err(format!("LLVM cannot generate code for {triple}"));
        }
        if level == Level::O3 {
            // Fallback edges make loops of many short blocks, whose speed depends on where the first one starts.
            unsafe { ppyAlignLoops(raw, 32) };
        }
        let foreign = triple != host;
        Ok(Machine { raw, triple, cpu, features, foreign })
    }

    pub(super) fn raw(&self) -> LLVMTargetMachineRef {
        self.raw
    }

    /// The target's triple.
    pub fn triple(&self) -> &str {
        &self.triple
    }

    /// The processor's name; empty for the triple's oldest.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// The features in LLVM's notation.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// Gives a module this machine's triple and data layout.
    pub fn apply(&self, module: &LlvmModule) {
        unsafe {
            LLVMSetTarget(module.raw, c_string(&self.triple).as_ptr());
            let layout = LLVMCreateTargetDataLayout(self.raw);
            LLVMSetModuleDataLayout(module.raw, layout);
            LLVMDisposeTargetData(layout);
        }
    }

    /// Generates code.
    pub fn emit(&self, module: &LlvmModule, output: Output) -> Result<Buffer, String> {
        let kind = match output {
            Output::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
            Output::Object => LLVMCodeGenFileType::LLVMObjectFile,
        };
        let mut message = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        let mut emit =
            || unsafe { LLVMTargetMachineEmitToMemoryBuffer(self.raw, module.raw, kind, &mut message, &mut buffer) };
        let failed = if self.foreign { for_foreign_target(&self.triple, emit) } else { emit() };
        if failed != 0 {
            let why = unsafe { take_message(message) };
            return Err(match output {
                Output::Object => format!("{} has no object files ({why}); write assembly", self.triple),
                Output::Assembly => format!("{}: {why}", self.triple),
            });
        }
        let buffer = Buffer { raw: buffer };
        module.reported()?;
        Ok(buffer)
    }
}

/// Bytes that LLVM owns.
pub struct Buffer {
    raw: LLVMMemoryBufferRef,
}

impl Buffer {
    pub fn bytes(&self) -> &[u8] {
        unsafe { slice::from_raw_parts(LLVMGetBufferStart(self.raw).cast(), LLVMGetBufferSize(self.raw)) }
    }

    pub(super) fn into_raw(self) -> LLVMMemoryBufferRef {
        std::mem::ManuallyDrop::new(self).raw
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        unsafe { LLVMDisposeMemoryBuffer(self.raw) }
    }
}

/// The names of the targets that LLVM was built with, sorted.
fn target_names() -> Vec<String> {
    initialize_targets(true);
    let mut names = Vec::new();
    unsafe {
        let mut target = LLVMGetFirstTarget();
        while !target.is_null() {
            names.push(CStr::from_ptr(LLVMGetTargetName(target)).to_string_lossy().into_owned());
            target = LLVMGetNextTarget(target);
        }
    }
    names.sort();
    names
}

/// What a target has by name.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Known {
    Processor,
    Feature,
}

/// Whether a triple's target has the processor or feature of that name.
pub(super) fn known(triple: &str, name: &str, kind: Known) -> Result<(), String> {
    unsafe extern "C" fn add(data: *mut c_void, name: MlirStringRef) {
        unsafe { &mut *data.cast::<Vec<String>>() }.push(unsafe { str_of(name) }.to_owned());
    }
    let mut names: Vec<String> = Vec::new();
    unsafe { ppyTargetNames(string_ref(triple), kind == Known::Feature, add, (&raw mut names).cast()) };
    if names.iter().any(|known| known == name) {
        return Ok(());
    }
    let what = if kind == Known::Feature { "feature" } else { "processor" };
    let near = crate::ppyir::closest(name, names.iter().map(String::as_str));
    let remedy = match near {
        Some(near) => format!("did you mean '{near}'?"),
        None if names.is_empty() => "the target has none by name".into(),
        None => format!(
            "there are {}, and {} more",
            names[..names.len().min(12)].join(", "),
            names.len().saturating_sub(12)
        ),
    };
    Err(format!("{triple} has no {what} '{name}'; {remedy}"))
}
