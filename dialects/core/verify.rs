//! Verification rules of the core dialect.

use crate::mlir::prelude::*;
pub fn func(_: Op) -> Verdict { Ok(()) }
pub fn global(_: Op) -> Verdict { Ok(()) }
pub fn constant(_: Op) -> Verdict { Ok(()) }
pub fn overflow_arithmetic(_: Op) -> Verdict { Ok(()) }
pub fn division(_: Op) -> Verdict { Ok(()) }
pub fn shift(_: Op) -> Verdict { Ok(()) }
pub fn cmp(_: Op) -> Verdict { Ok(()) }
pub fn select(_: Op) -> Verdict { Ok(()) }
pub fn cast(_: Op) -> Verdict { Ok(()) }
pub fn ret(_: Op) -> Verdict { Ok(()) }
pub fn guard(_: Op) -> Verdict { Ok(()) }
pub fn alloca(_: Op) -> Verdict { Ok(()) }
pub fn store(_: Op) -> Verdict { Ok(()) }
pub fn ptr_index(_: Op) -> Verdict { Ok(()) }
pub fn buffer_data(_: Op) -> Verdict { Ok(()) }
pub fn buffer_store(_: Op) -> Verdict { Ok(()) }
pub fn tuple_make(_: Op) -> Verdict { Ok(()) }
pub fn tuple_extract(_: Op) -> Verdict { Ok(()) }
pub fn struct_make(_: Op) -> Verdict { Ok(()) }
pub fn struct_extract(_: Op) -> Verdict { Ok(()) }
pub fn call_extern(_: Op) -> Verdict { Ok(()) }
pub fn call_intrinsic(_: Op) -> Verdict { Ok(()) }
pub fn call_indirect(_: Op) -> Verdict { Ok(()) }
