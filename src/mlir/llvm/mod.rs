//! LLVM modules, target machines and the ORC JIT: LLVM's C API behind owned, safe types.
//!
//! Invariants: an [`LlvmModule`] owns its context, so nothing of it outlives it; every string, error and buffer that
//! LLVM hands out is freed here; a backend's diagnostic is collected, because LLVM's own handler ends the process.

mod features;
mod machine;
mod orc;

pub use machine::{Buffer, Machine, Output, Target, host_cpu, host_triple, initialize_targets};
pub use orc::{Jit, open_library, resolve};

use super::{diagnostic, op::Op, op::OpExt};
use llvm_sys::{
    analysis::*,
    core::*,
    error::*,
    prelude::*,
    transforms::pass_builder::*,
    {LLVMAttributeFunctionIndex, LLVMDiagnosticSeverity, LLVMLinkage, LLVMTypeKind},
};
use mlir_sys::{MlirOperation, mlirRegisterAllLLVMTranslations};
use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_void},
    ptr,
};

unsafe extern "C" {
    fn ppyUnrollLoopsWithGuards();
    fn mlirTranslateModuleToLLVMIR(module: MlirOperation, context: LLVMContextRef) -> LLVMModuleRef;
}

/// How much LLVM optimizes, as the compilers' `-O` options say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    O0,
    O1,
    #[default]
    O2,
    O3,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::O0, Level::O1, Level::O2, Level::O3];

    /// The level of `-O<digit>`.
    pub fn parse(digit: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.digit() == digit)
    }

    /// 0 to 3.
    pub fn number(self) -> u32 {
        self as u32
    }

    fn digit(self) -> &'static str {
        match self {
            Level::O0 => "0",
            Level::O1 => "1",
            Level::O2 => "2",
            Level::O3 => "3",
        }
    }
}

type Messages = RefCell<Vec<String>>;

/// A module of LLVM IR with its context.
pub struct LlvmModule {
    raw: LLVMModuleRef,
    context: LLVMContextRef,
    /// Errors that a backend reported; boxed, since the context knows the address.
    errors: Box<Messages>,
}

impl Drop for LlvmModule {
    fn drop(&mut self) {
        unsafe {
            LLVMDisposeModule(self.raw);
            LLVMContextDispose(self.context);
        }
    }
}

/// A C string of ours. A name with a NUL inside cannot be one and is cut there.
fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Takes over a message that LLVM allocated.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().trim_end().to_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}

/// Takes over an error; null is success.
unsafe fn take_error(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    let message = unsafe { LLVMGetErrorMessage(error) };
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().trim_end().to_owned();
    unsafe { LLVMDisposeErrorMessage(message) };
    Err(text)
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, data: *mut c_void) {
    if unsafe { LLVMGetDiagInfoSeverity(info) } == LLVMDiagnosticSeverity::LLVMDSError {
        let text = unsafe { take_message(LLVMGetDiagInfoDescription(info)) };
        unsafe { &*data.cast::<Messages>() }.borrow_mut().push(text);
    }
}

impl LlvmModule {
    /// Translates a `builtin.module` that holds nothing but what LLVM dialects can express.
    pub fn translate(module: Op<'_, '_>) -> Result<LlvmModule, String> {
        let (raw, messages) = diagnostic::capture_reports(module.context_ref(), |mlir| unsafe {
            mlirRegisterAllLLVMTranslations(mlir.to_raw());
            let context = LLVMContextCreate();
            (mlirTranslateModuleToLLVMIR(module.raw(), context), context)
        });
        let (raw, context) = raw;
        if raw.is_null() {
            unsafe { LLVMContextDispose(context) };
            return Err(match messages.is_empty() {
                true => "the module does not translate to LLVM IR".into(),
                false => diagnostic::errors_of(&messages),
            });
        }
        // Upstream calls every module "LLVMDialectModule".
        if let Some(name) = module.str_attribute("sym_name") {
            unsafe {
                LLVMSetModuleIdentifier(raw, name.as_ptr().cast(), name.len());
                LLVMSetSourceFileName(raw, name.as_ptr().cast(), name.len());
            }
        }
        Ok(unsafe { LlvmModule::own(raw, context) })
    }

    /// Names a parameter of a function, for whoever reads the code.
    pub fn name_parameter(&self, function: &str, index: usize, name: &str) {
        unsafe {
            let function = LLVMGetNamedFunctionWithLength(self.raw, function.as_ptr().cast(), function.len());
            if !function.is_null() && index < LLVMCountParams(function) as usize {
                LLVMSetValueName2(LLVMGetParam(function, index as u32), name.as_ptr().cast(), name.len());
            }
        }
    }

    unsafe fn own(raw: LLVMModuleRef, context: LLVMContextRef) -> LlvmModule {
        let errors: Box<Messages> = Box::default();
        unsafe {
            LLVMContextSetDiagnosticHandler(context, Some(collect), ptr::from_ref(&*errors).cast_mut().cast());
        }
        LlvmModule { raw, context, errors }
    }

    /// A copy in a context of its own.
    pub fn duplicate(&self) -> Result<LlvmModule, String> {
        use llvm_sys::{bit_reader::LLVMParseBitcodeInContext2, bit_writer::LLVMWriteBitcodeToMemoryBuffer};
        unsafe {
            let bits = LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let context = LLVMContextCreate();
            let mut raw = ptr::null_mut();
            let failed = LLVMParseBitcodeInContext2(context, bits, &mut raw);
            LLVMDisposeMemoryBuffer(bits);
            if failed != 0 {
                LLVMContextDispose(context);
                return Err("internal error: LLVM cannot read the bitcode that it wrote".into());
            }
            Ok(LlvmModule::own(raw, context))
        }
    }

    /// LLVM's own verifier.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        let broken =
            unsafe { LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) };
        let message = unsafe { take_message(message) };
        if broken == 0 { Ok(()) } else { Err(message) }
    }

    /// Runs passes by their textual names, `internalize,globaldce`.
    pub fn run_passes(&self, passes: &str, machine: &Machine, level: Level) -> Result<(), String> {
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            // As the C compilers have it; LLVM's own default leaves straight-line vectorization out.
            LLVMPassBuilderOptionsSetSLPVectorization(options, i32::from(level >= Level::O2));
            // It comes as a section of the object that the JIT's linker does not read.
            LLVMPassBuilderOptionsSetCallGraphProfile(options, 0);
            let error = LLVMRunPasses(self.raw, c_string(passes).as_ptr(), machine.raw(), options);
            LLVMDisposePassBuilderOptions(options);
            take_error(error)?;
        }
        self.reported()
    }

    /// LLVM's default pipeline for a level.
    pub fn optimize(&self, machine: &Machine, level: Level) -> Result<(), String> {
        if level == Level::O3 {
            unsafe { ppyUnrollLoopsWithGuards() };
        }
        self.run_passes(&format!("default<O{}>", level.digit()), machine, level)
    }

    /// What the backend has reported since the last call.
    fn reported(&self) -> Result<(), String> {
        let errors = self.errors.take();
        if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
    }

    /// The module as text.
    pub fn text(&self) -> String {
        unsafe {
            let message = LLVMPrintModuleToString(self.raw);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            text
        }
    }

    fn functions(&self) -> impl Iterator<Item = LLVMValueRef> + '_ {
        let step = |value: LLVMValueRef| (!value.is_null()).then_some(value);
        std::iter::successors(step(unsafe { LLVMGetFirstFunction(self.raw) }), move |f| {
            step(unsafe { LLVMGetNextFunction(*f) })
        })
    }

    fn globals(&self) -> impl Iterator<Item = LLVMValueRef> + '_ {
        let step = |value: LLVMValueRef| (!value.is_null()).then_some(value);
        std::iter::successors(step(unsafe { LLVMGetFirstGlobal(self.raw) }), move |g| {
            step(unsafe { LLVMGetNextGlobal(*g) })
        })
    }

    /// The symbols that something else has to define, intrinsics aside.
    pub fn undefined(&self) -> Vec<String> {
        let functions = self.functions().filter(|f| unsafe { LLVMGetIntrinsicID(*f) == 0 });
        functions.chain(self.globals()).filter(|v| unsafe { LLVMIsDeclaration(*v) != 0 }).map(name_of).collect()
    }

    /// Whether the module has a function of that name with a body.
    pub fn defines(&self, symbol: &str) -> bool {
        self.function(symbol).is_some()
    }

    fn function(&self, symbol: &str) -> Option<LLVMValueRef> {
        let value = unsafe { LLVMGetNamedFunction(self.raw, c_string(symbol).as_ptr()) };
        (!value.is_null() && unsafe { LLVMIsDeclaration(value) } == 0).then_some(value)
    }

    /// Gives every function with a body a string attribute that it lacks.
    pub fn add_function_attribute(&self, key: &str, value: &str) {
        for function in self.functions().filter(|f| unsafe { LLVMIsDeclaration(*f) == 0 }) {
            let (key, value) = (key.as_bytes(), value.as_bytes());
            unsafe {
                let index = LLVMAttributeFunctionIndex;
                let present = LLVMGetStringAttributeAtIndex(function, index, key.as_ptr().cast(), key.len() as u32);
                if present.is_null() {
                    let attribute = LLVMCreateStringAttribute(
                        self.context,
                        key.as_ptr().cast(),
                        key.len() as u32,
                        value.as_ptr().cast(),
                        value.len() as u32,
                    );
                    LLVMAddAttributeAtIndex(function, index, attribute);
                }
            }
        }
    }

    /// Makes everything but `symbols` private to the module and drops what they do not reach.
    pub fn keep_only(&self, symbols: &[&str], machine: &Machine) -> Result<(), String> {
        let values = self.functions().chain(self.globals()).filter(|v| unsafe { LLVMIsDeclaration(*v) == 0 });
        for value in values.filter(|v| !symbols.contains(&name_of(*v).as_str())) {
            unsafe { LLVMSetLinkage(value, LLVMLinkage::LLVMInternalLinkage) };
        }
        self.run_passes("globaldce", machine, Level::O0)
    }

    /// Defines `i32 name(ptr)`: it calls `symbol` with arguments loaded from where the pointers of a table say, so that
    /// any signature can be called without knowing it at compile time. Answers how many arguments `symbol` takes.
    pub fn add_trampoline(&self, symbol: &str, name: &str) -> Result<usize, String> {
        let function = self.function(symbol).ok_or_else(|| format!("@{symbol} has no body after lowering"))?;
        unsafe {
            let ty = LLVMGlobalGetValueType(function);
            let mut params = vec![ptr::null_mut(); LLVMCountParamTypes(ty) as usize];
            LLVMGetParamTypes(ty, params.as_mut_ptr());
            let (i32_type, pointer) = (LLVMInt32TypeInContext(self.context), LLVMPointerTypeInContext(self.context, 0));
            let result = LLVMGetReturnType(ty);
            let status = match LLVMGetTypeKind(result) {
                LLVMTypeKind::LLVMVoidTypeKind => false,
                LLVMTypeKind::LLVMIntegerTypeKind if LLVMGetIntTypeWidth(result) == 32 => true,
                _ => {
                    let found = take_message(LLVMPrintTypeToString(result));
                    return Err(format!("@{symbol} returns {found}; the native ABI returns an i32 status"));
                }
            };
            let mut table = [pointer];
            let outer = LLVMFunctionType(i32_type, table.as_mut_ptr(), 1, 0);
            let trampoline = LLVMAddFunction(self.raw, c_string(name).as_ptr(), outer);
            let entry = LLVMAppendBasicBlockInContext(self.context, trampoline, c"entry".as_ptr());
            let builder = LLVMCreateBuilderInContext(self.context);
            LLVMPositionBuilderAtEnd(builder, entry);
            let mut arguments = Vec::with_capacity(params.len());
            for (position, param) in params.iter().enumerate() {
                let mut index = [LLVMConstInt(LLVMInt64TypeInContext(self.context), position as u64, 0)];
                let place = LLVMGetParam(trampoline, 0);
                let cell = LLVMBuildInBoundsGEP2(builder, pointer, place, index.as_mut_ptr(), 1, c"cell".as_ptr());
                let at = LLVMBuildLoad2(builder, pointer, cell, c"at".as_ptr());
                let value = LLVMBuildLoad2(builder, *param, at, c"argument".as_ptr());
                LLVMSetAlignment(value, 1);
                arguments.push(value);
            }
            let count = arguments.len() as u32;
            let name = if status { c"status" } else { c"" };
            let call = LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), count, name.as_ptr());
            LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
            // Inlined here its loops would keep the registers that the table and the trampoline's own values need.
            let noinline = LLVMGetEnumAttributeKindForName(NOINLINE.as_ptr().cast(), NOINLINE.len());
            let noinline = LLVMCreateEnumAttribute(self.context, noinline, 0);
            LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, noinline);
            LLVMBuildRet(builder, if status { call } else { LLVMConstInt(i32_type, 0, 0) });
            LLVMDisposeBuilder(builder);
            Ok(params.len())
        }
    }
}

const NOINLINE: &str = "noinline";

fn name_of(value: LLVMValueRef) -> String {
    let mut length = 0;
    unsafe {
        let start = LLVMGetValueName2(value, &mut length);
        String::from_utf8_lossy(std::slice::from_raw_parts(start.cast(), length)).into_owned()
    }
}
