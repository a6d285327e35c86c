//! The JIT: object code linked into this process.

use super::{Buffer, c_string, initialize_targets, take_error};
use crate::semantics::{FloatType, float};
use llvm_sys::{error::*, orc2::lljit::*, orc2::*};
use std::{
    cell::RefCell,
    ffi::{CStr, c_void},
    ptr,
};

/// Code in this process. Its functions die with it.
pub struct Jit {
    raw: LLVMOrcLLJITRef,
    /// What the session reported; boxed, since the session knows the address.
    errors: Box<RefCell<Vec<String>>>,
}

impl Drop for Jit {
    fn drop(&mut self) {
        // Nothing can be done about an error of the teardown.
        let _ = unsafe { take_error(LLVMOrcDisposeLLJIT(self.raw)) };
    }
}

// A 16-bit float comes back in the low bits of the register that an `f32` has.
extern "C" fn f64_to_bf16(value: f64) -> f32 {
    f32::from_bits(float::encode(FloatType::Bf16, value) as u32)
}

extern "C" fn f32_to_bf16(value: f32) -> f32 {
    f64_to_bf16(value.into())
}

/// What generated code calls of the compiler's runtime and Debian 12's does not have.
fn runtime() -> [(&'static CStr, u64); 2] {
    [(c"__truncdfbf2", f64_to_bf16 as *const () as u64), (c"__truncsfbf2", f32_to_bf16 as *const () as u64)]
}

fn exported() -> LLVMJITSymbolFlags {
    use LLVMJITSymbolGenericFlags::{LLVMJITSymbolGenericFlagsCallable, LLVMJITSymbolGenericFlagsExported};
    let flags = LLVMJITSymbolGenericFlagsExported as u8 | LLVMJITSymbolGenericFlagsCallable as u8;
    LLVMJITSymbolFlags { GenericFlags: flags, TargetFlags: 0 }
}

extern "C" fn report(data: *mut c_void, error: LLVMErrorRef) {
    if let Err(message) = unsafe { take_error(error) } {
        unsafe { &*data.cast::<RefCell<Vec<String>>>() }.borrow_mut().push(message);
    }
}

impl Jit {
    /// A JIT that knows this process's symbols and those of every library opened.
    pub fn new() -> Result<Jit, String> {
        initialize_targets(false);
        unsafe {
            let mut raw = ptr::null_mut();
            take_error(LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()))?;
            let jit = Jit { raw, errors: Box::default() };
            let session = LLVMOrcLLJITGetExecutionSession(raw);
            let data = ptr::from_ref(&*jit.errors).cast_mut().cast();
            LLVMOrcExecutionSessionSetErrorReporter(session, report, data);
            let mut generator = ptr::null_mut();
            let prefix = LLVMOrcLLJITGetGlobalPrefix(raw);
            take_error(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &mut generator,
                prefix,
                None,
                ptr::null_mut(),
            ))?;
            let library = LLVMOrcLLJITGetMainJITDylib(raw);
            LLVMOrcJITDylibAddGenerator(library, generator);
            let mut symbols = runtime().map(|(name, address)| LLVMOrcCSymbolMapPair {
                Name: LLVMOrcLLJITMangleAndIntern(raw, name.as_ptr()),
                Sym: LLVMJITEvaluatedSymbol { Address: address, Flags: exported() },
            });
            let unit = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
            take_error(LLVMOrcJITDylibDefine(library, unit))?;
            Ok(jit)
        }
    }

    /// Adds an object file.
    pub fn add_object(&self, object: Buffer) -> Result<(), String> {
        unsafe {
            let library = LLVMOrcLLJITGetMainJITDylib(self.raw);
            take_error(LLVMOrcLLJITAddObjectFile(self.raw, library, object.into_raw()))
        }
    }

    /// The address of a symbol, linked and ready to run.
    pub fn lookup(&self, symbol: &str) -> Result<usize, String> {
        let mut address = 0;
        let found = unsafe { take_error(LLVMOrcLLJITLookup(self.raw, &mut address, c_string(symbol).as_ptr())) };
        let details = self.errors.take();
        match found {
            Ok(()) => Ok(address as usize),
            Err(message) if details.is_empty() => Err(message),
            Err(_) => Err(details.join("\n")),
        }
    }
}

/// Opens a shared library for good; its symbols are visible to every [`Jit`].
pub fn open_library(path: &str) -> Result<(), String> {
    // Without a slash dlopen looks in the system's folders only, and a user means a file that is there.
    let here = !path.contains('/') && std::path::Path::new(path).exists();
    let name = c_string(&if here { format!("./{path}") } else { path.to_owned() });
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if !handle.is_null() {
        return Ok(());
    }
    let message = unsafe { libc::dlerror() };
    match message.is_null() {
        true => Err(format!("cannot open the library {path}")),
        false => Err(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()),
    }
}

/// Whether this process, with its libraries, defines a symbol.
pub fn resolve(symbol: &str) -> bool {
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c_string(symbol).as_ptr()) }.is_null()
}
