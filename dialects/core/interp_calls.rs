//! Core calls in the interpreter: of functions, by address, of C, and of intrinsics.

use super::interp::Ruled;
use super::interp_memory::{buffer_element, index_type, pointee};
use crate::interp::compile::{Call, Callee, Compiled, Decode};
use crate::interp::error::{Refusal, Stop};
use crate::interp::host::HostFunction;
use crate::interp::memory;
use crate::ppyir::ast::Type;
use crate::semantics::int::{self, IntOp, Overflow};
use crate::semantics::{IntType, ScalarType};

pub fn call(d: &Decode) -> Ruled {
    let name = d.required("callee")?;
    let index = d.callee(name)?;
    let function = d.unit.functions[index];
    let given = d.op.operands.len();
    for (position, param) in function.params.iter().enumerate() {
        if given != function.params.len() || d.operand(position)?.ty != &param.ty {
            return Err(Refusal(format!("passes other types than @{name} takes")));
        }
    }
    if given != function.params.len() {
        return Err(Refusal(format!("passes {given} arguments, @{name} takes {}", function.params.len())));
    }
    let call = plain_call(d, Callee::Direct(index), 0)?;
    let declared = function.results.len();
    let results = d.op.results.len() - usize::from(call.status.is_some());
    for position in 0..results.max(declared) {
        if results != declared || d.result(position)?.ty != &function.results[position] {
            return Err(Refusal(format!("takes other results than @{name} gives")));
        }
    }
    Ok(Compiled::Call(call))
}

/// A call with the operands from `first` on; with `capture_status` the last result is the status.
fn plain_call(d: &Decode, callee: Callee, first: usize) -> Result<Call, Refusal> {
    let arguments = d.operand_slots(first)?;
    let mut count = d.op.results.len();
    let mut status = None;
    if d.flag("capture_status") {
        count = count.checked_sub(1).ok_or("captures the status and has no result for it")?;
        let last = d.result(count)?;
        if ScalarType::of(last.ty) != Some(ScalarType::Int(IntType::I64)) {
            return Err(Refusal(format!("captures the status as an i64, not {}", last.ty)));
        }
        status = Some(last.slot);
    }
    let mut results = Vec::new();
    for index in 0..count {
        results.extend(d.result(index)?.slots());
    }
    Ok(Call { callee, arguments, results, status })
}

pub fn call_indirect(d: &Decode) -> Ruled {
    let address = d.operand(0)?;
    if ScalarType::of(address.ty) != Some(ScalarType::Int(IntType::I64)) {
        return Err(Refusal(format!("calls an i64 address, not {}", address.ty)));
    }
    Ok(Compiled::Call(plain_call(d, Callee::Indirect(address.slot), 1)?))
}

pub fn call_extern(d: &Decode) -> Ruled {
    let name = d.required("callee")?;
    let arguments = d.operand_slots(0)?;
    let (to, result) = match d.op.results.len() {
        0 => (None, None),
        1 => {
            let result = d.result(0)?;
            let ty = ScalarType::of(result.ty).ok_or_else(|| Refusal(format!("C returns no {}", result.ty)))?;
            (Some(result.slot), Some(ty))
        }
        more => return Err(Refusal(format!("C returns one value at most, not {more}"))),
    };
    let Some(HostFunction { params, result: gives, call }) = d.unit.host.get(name).cloned() else {
        d.missing(format!("C function `{name}`"));
        return Ok(Compiled::step(|_| Err(Stop::undefined("calls a function that is not here"))));
    };
    let types = d.operand_leaves(0)?;
    let fits = types.len() == params.len()
        && params.iter().zip(&types).all(|(param, ty)| param.accepts(*ty))
        && match (gives, result) {
            (_, None) => true,
            (Some(gives), Some(result)) => gives.accepts(result),
            (None, Some(_)) => false,
        };
    if !fits {
        let words: Vec<String> = params.iter().map(ToString::to_string).collect();
        let gives = gives.map_or("nothing".into(), |ty| ty.to_string());
        return Err(Refusal(format!("C's `{name}` takes ({}) and gives {gives}", words.join(", "))));
    }
    Ok(Compiled::step(move |cx| {
        let values: Vec<u64> = arguments.iter().map(|slot| cx.get(*slot)).collect();
        let bits = call(cx.memory, &values)?;
        if let Some(to) = to {
            cx.set(to, bits);
        }
        Ok(())
    }))
}

pub fn call_intrinsic(d: &Decode) -> Ruled {
    match d.required("intrinsic")? {
        "ppy.checked_add" => checked(d, IntOp::Add),
        "ppy.checked_sub" => checked(d, IntOp::Sub),
        "ppy.checked_mul" => checked(d, IntOp::Mul),
        "ppy.string_data" => string_data(d),
        "ppy.buffer_from_parts" => buffer_from_parts(d),
        "ppy.function_address" => function_address(d),
        "math.fabs" => crate::dialects::math::interp::abs(d),
        other => Err(Refusal(format!("the interpreter has no intrinsic `{other}`"))),
    }
}

/// The wrapped value, and whether it is not the exact one.
fn checked(d: &Decode, op: IntOp) -> Ruled {
    d.arity(2, 2)?;
    let (a, b, value, flag) = (d.operand(0)?, d.operand(1)?, d.result(0)?, d.result(1)?);
    if a.ty != b.ty || a.ty != value.ty || *flag.ty != Type::Bool {
        return Err("takes two of one integer type and gives that type and a bool".into());
    }
    let ty = index_type(&a)?;
    let (a, b, value, flag) = (a.slot, b.slot, value.slot, flag.slot);
    Ok(Compiled::step(move |cx| {
        let (x, y) = (cx.get(a), cx.get(b));
        let over = int::binary(op, ty, Overflow::Checked, x, y).is_err();
        let bits = int::binary(op, ty, Overflow::Wrap, x, y)?;
        cx.set(value, bits);
        cx.set(flag, u64::from(over));
        Ok(())
    }))
}

fn string_data(d: &Decode) -> Ruled {
    d.arity(0, 1)?;
    let (name, result) = (d.required("symbol")?, d.result(0)?);
    pointee(&result)?;
    let address = *d.unit.globals.get(name).ok_or_else(|| Refusal(format!("the module has no global @{name}")))?;
    let slot = result.slot;
    Ok(Compiled::step(move |cx| {
        cx.set(slot, address);
        Ok(())
    }))
}

fn buffer_from_parts(d: &Decode) -> Ruled {
    d.arity(2, 1)?;
    let (pointer, len, result) = (d.operand(0)?, d.operand(1)?, d.result(0)?);
    if pointee(&pointer)? != buffer_element(&result)? {
        return Err(Refusal(format!("makes {} out of {}", result.ty, pointer.ty)));
    }
    index_type(&len)?;
    let (pointer, len, to) = (pointer.slot, len.slot, result.slot);
    Ok(Compiled::step(move |cx| {
        cx.copy(pointer, to, 1);
        cx.copy(len, to + 1, 1);
        Ok(())
    }))
}

fn function_address(d: &Decode) -> Ruled {
    d.arity(0, 1)?;
    let (name, result) = (d.required("callee")?, d.result(0)?);
    let address = memory::function_address(d.callee(name)?);
    if ScalarType::of(result.ty) != Some(ScalarType::Int(IntType::I64)) {
        return Err(Refusal(format!("gives an i64, not {}", result.ty)));
    }
    let slot = result.slot;
    Ok(Compiled::step(move |cx| {
        cx.set(slot, address);
        Ok(())
    }))
}
