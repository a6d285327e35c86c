//! Verification rules of the core dialect's calls. A `core.call` is held to its callee's signature in `hooks.cpp`,
//! which has the symbol table.

use super::ops::{CallExternOp, CallIntrinsicOp};
use super::type_views::{BufferType, PtrType};
use super::verify::{is_float_scalar, is_integer, types_of};
use crate::mlir::attribute_view::{AttributeView, view};
use crate::mlir::op::scalar_type;
use crate::mlir::prelude::*;
use crate::ppyir::closest;

/// A C function takes scalars and pointers and gives at most one.
pub fn call_extern(op: Op) -> Verdict {
    let call = CallExternOp(op);
    let callee = call.callee().unwrap_or_default();
    let c_name = callee.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$')
        && !callee.bytes().next().is_none_or(|b| b.is_ascii_digit());
    if !c_name {
        return Err(format!("calls \"{callee}\", which is no C name: use letters, digits and _, a letter or _ first"));
    }
    if let Some(abi) = call.abi().filter(|abi| *abi != "c") {
        return Err(format!("has abi \"{abi}\": there is only \"c\""));
    }
    for (index, value) in call.args().iter().enumerate() {
        let type_ = value.r#type();
        if !in_c(type_) {
            return Err(format!(
                "passes argument #{index} of type {type_} to C function {callee}: C takes scalars and pointers; pass a \
                 buffer as core.buffer_data and core.buffer_len, the parts of an aggregate one by one"
            ));
        }
    }
    let results: Vec<Type> = (0..op.result_len()).map(|i| op.result_at(i).r#type()).collect();
    match results[..] {
        [] => Ok(()),
        [type_] if in_c(type_) => Ok(()),
        [type_] => Err(format!(
            "gives {type_} from C function {callee}: C gives a scalar or a pointer; pass a pointer to be filled"
        )),
        _ => Err(format!(
            "has {} results from C function {callee}: C gives one at most; pass pointers to be filled",
            results.len()
        )),
    }
}

fn in_c(type_: Type) -> bool {
    scalar_type(type_).is_some() || PtrType::cast(type_).is_some()
}

/// The address is an `i64` (TableGen checks it), and the signature is what the call says.
pub fn call_indirect(_: Op) -> Verdict {
    Ok(())
}

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

/// What an attribute of an intrinsic holds.
#[derive(Clone, Copy)]
enum Holds {
    /// The symbol of a function, `@f`.
    Function,
    /// The symbol of a global, by name.
    Global,
}

struct Intrinsic {
    name: &'static str,
    /// In words, for the error.
    signature: &'static str,
    fits: fn(&[Type], &[Type]) -> bool,
    attribute: Option<(&'static str, Holds)>,
}

/// Every intrinsic. `ppy.gen_yield` is there until the generators are lowered.
const INTRINSICS: &[Intrinsic] = &[
    Intrinsic { name: "ppy.checked_add", signature: CHECKED, fits: checked, attribute: None },
    Intrinsic { name: "ppy.checked_sub", signature: CHECKED, fits: checked, attribute: None },
    Intrinsic { name: "ppy.checked_mul", signature: CHECKED, fits: checked, attribute: None },
    Intrinsic {
        name: "ppy.string_data",
        signature: "takes nothing and gives a pointer to u8",
        fits: |takes, gives| matches!((takes, gives), ([], [ptr]) if bytes(*ptr)),
        attribute: Some(("symbol", Holds::Global)),
    },
    Intrinsic {
        name: "ppy.buffer_from_parts",
        signature: "takes a pointer to T without const and an integer, and gives a buffer of T",
        fits: |takes, gives| match (takes, gives) {
            ([ptr, length], [buffer]) => {
                let pointee = PtrType::cast(*ptr).filter(|ptr| !ptr.constant()).map(PtrType::pointee);
                pointee.is_some()
                    && pointee == BufferType::cast(*buffer).map(BufferType::element)
                    && is_integer(*length)
            }
            _ => false,
        },
        attribute: None,
    },
    Intrinsic {
        name: "ppy.function_address",
        signature: "takes nothing and gives an i64",
        fits: |takes, gives| matches!((takes, gives), ([], [address]) if is_i64(*address)),
        attribute: Some(("callee", Holds::Function)),
    },
    Intrinsic {
        name: "ppy.gen_yield",
        signature: "takes one value and gives nothing",
        fits: |takes, gives| matches!((takes, gives), ([_], [])),
        attribute: None,
    },
    Intrinsic {
        name: "math.fabs",
        signature: "takes a float and gives one of the same type",
        fits: |takes, gives| matches!((takes, gives), ([x], [y]) if x == y && is_float_scalar(*x)),
        attribute: None,
    },
];

const CHECKED: &str = "takes two integers of one type and gives that type and a bool";

fn checked(takes: &[Type], gives: &[Type]) -> bool {
    match (takes, gives) {
        ([a, b], [value, flag]) => a == b && a == value && is_integer(*a) && is_bool(*flag),
        _ => false,
    }
}

fn is_bool(type_: Type) -> bool {
    scalar_type(type_) == Some(crate::mlir::op::ScalarType::Bool)
}

fn is_i64(type_: Type) -> bool {
    type_ == melior::ir::r#type::IntegerType::new(context_of(type_.context()), 64).into()
}

fn bytes(type_: Type) -> bool {
    let byte = melior::ir::r#type::IntegerType::unsigned(context_of(type_.context()), 8).into();
    PtrType::cast(type_).is_some_and(|ptr| ptr.pointee() == byte && ptr.space() == "generic")
}

/// An intrinsic is a known one, with its operands, results and attributes.
pub fn call_intrinsic(op: Op) -> Verdict {
    let call = CallIntrinsicOp(op);
    let name = call.intrinsic().unwrap_or_default();
    let Some(intrinsic) = INTRINSICS.iter().find(|i| i.name == name) else {
        let names = INTRINSICS.iter().map(|i| i.name);
        let hint = closest(name, names.clone()).map_or(String::new(), |known| format!(" (did you mean {known}?)"));
        return Err(format!(
            "calls intrinsic \"{name}\", which does not exist{hint}: there are {}",
            names.collect::<Vec<_>>().join(", ")
        ));
    };
    let args = call.args();
    let takes: Vec<Type> = args.iter().map(|v| v.r#type()).collect();
    let results: Vec<Value> = (0..op.result_len()).map(|i| op.result_at(i)).collect();
    let gives: Vec<Type> = results.iter().map(|v| v.r#type()).collect();
    if !(intrinsic.fits)(&takes, &gives) {
        return Err(format!(
            "calls intrinsic {name} with {}, for {}: it {}",
            types_of(&args),
            types_of(&results),
            intrinsic.signature
        ));
    }
    let Some((attribute, holds)) = intrinsic.attribute else { return Ok(()) };
    let expected = match holds {
        Holds::Function => "the symbol of a function, like @f",
        Holds::Global => "the name of a global of bytes, like \"text\"",
    };
    match (op.discardable(attribute).map(view), holds) {
        (Some(AttributeView::Symbol(_)), _) | (Some(AttributeView::Str(_)), Holds::Global) => Ok(()),
        (None, _) => Err(format!("calls intrinsic {name} without its attribute {attribute}: give {expected}")),
        (Some(_), _) => Err(format!(
            "calls intrinsic {name} with {attribute} = {}: give {expected}",
            op.discardable(attribute).map_or(String::new(), |a| a.to_string())
        )),
    }
}
