//! Libraries of passes that the tools load.

use super::attribute::{str_of, string_ref};
use mlir_sys::MlirStringRef;
use std::ffi::c_void;

type StringFn = unsafe extern "C" fn(*mut c_void, MlirStringRef);

unsafe extern "C" {
    fn ppyLibraryNames(path: MlirStringRef, name: StringFn, problem: StringFn, data: *mut c_void) -> bool;
    fn ppyLoadPassPlugin(path: MlirStringRef, problem: StringFn, data: *mut c_void) -> bool;
}

#[derive(Default)]
struct Said {
    names: Vec<String>,
    problem: String,
}

unsafe extern "C" fn name(data: *mut c_void, text: MlirStringRef) {
    unsafe { (*data.cast::<Said>()).names.push(str_of(text).to_owned()) };
}

unsafe extern "C" fn problem(data: *mut c_void, text: MlirStringRef) {
    unsafe { str_of(text).clone_into(&mut (*data.cast::<Said>()).problem) };
}

/// The names in the string table of a library's dynamic section: the libraries it needs are among them. The library is
/// not loaded.
pub fn names_in(path: &str) -> Result<Vec<String>, String> {
    let mut said = Said::default();
    match unsafe { ppyLibraryNames(string_ref(path), name, problem, (&raw mut said).cast()) } {
        true => Ok(said.names),
        false => Err(said.problem),
    }
}

/// Loads a library of passes and lets it register them.
pub fn load(path: &str) -> Result<(), String> {
    let mut said = Said::default();
    match unsafe { ppyLoadPassPlugin(string_ref(path), problem, (&raw mut said).cast()) } {
        true => Ok(()),
        false => Err(said.problem),
    }
}
