//! Transformations of whole programs: upstream's inliner, and pipelines over linked modules.

use super::{
    attribute::{string_ref, strings_of},
    hooks::guard,
    op::{Op, OpExt},
};
use crate::passes::whole_program;
use melior::ir::OperationRef;
use mlir_sys::*;
use std::ffi::c_void;

type WorthFn = unsafe extern "C" fn(*mut c_void, MlirOperation, MlirOperation, MlirOperation) -> bool;

unsafe extern "C" {
    fn ppyInlineCalls(module: MlirOperation, worth: WorthFn, data: *mut c_void) -> bool;
    fn ppyRegisterProgramPipelines();
}

/// A call and the two functions.
pub struct Site<'c, 'a> {
    pub call: Op<'c, 'a>,
    pub caller: Op<'c, 'a>,
    pub callee: Op<'c, 'a>,
}

/// Inlines the calls of a module that may be inlined and that are `worth` it, callees first. Whether the
/// inliner came to its end.
pub fn inline_calls(module: Op<'_, '_>, mut worth: impl FnMut(Site<'_, '_>) -> bool) -> bool {
    unsafe extern "C" fn ask<F: FnMut(Site<'_, '_>) -> bool>(
        data: *mut c_void,
        call: MlirOperation,
        caller: MlirOperation,
        callee: MlirOperation,
    ) -> bool {
        guard(None, "the policy of the inliner", false, || unsafe {
            let op = |raw| OperationRef::from_raw(raw);
            (*data.cast::<F>())(Site { call: op(call), caller: op(caller), callee: op(callee) })
        })
    }
    fn asker<F: FnMut(Site<'_, '_>) -> bool>(_: &F) -> WorthFn {
        ask::<F>
    }
    let ask = asker(&worth);
    unsafe { ppyInlineCalls(module.raw(), ask, (&raw mut worth).cast()) }
}

/// Registers `whole-program` and `global-dce`; once per process.
pub(crate) fn register_pipelines() {
    unsafe { ppyRegisterProgramPipelines() }
}

#[unsafe(no_mangle)]
extern "C" fn ppy_whole_program(
    keep_count: isize,
    keep: *const MlirStringRef,
    budget: i64,
    write: unsafe extern "C" fn(*mut c_void, MlirStringRef),
    data: *mut c_void,
) {
    guard(None, "the pipeline whole-program", (), || unsafe {
        let text = whole_program::passes(&strings_of(keep_count, keep), budget);
        write(data, string_ref(&text));
    });
}
