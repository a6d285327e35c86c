//! What the parallel operations do when the interpreter runs them: the whole range is one part, in the calling thread.

use crate::interp::Rule;
use crate::interp::compile::{Attempt, Call, Callee, Compiled, Decode};
use crate::interp::error::Refusal;
use crate::ppyir::ast::Type;
use crate::semantics::layout;
use crate::semantics::{IntType, ScalarType};

/// The rules of the parallel dialect by operation.
pub const RULES: &[(&str, Rule)] =
    &[("parallel.for", |d| whole(d, 0)), ("parallel.reduce", |d| whole(d, 1)), ("parallel.map", map)];

type Ruled = Result<Compiled, Refusal>;

/// The body's index, when it takes values of these types and gives as many results.
fn body(d: &Decode, passed: &[&Type], results: usize) -> Result<usize, Refusal> {
    let name = d.required("callee")?;
    let index = d.callee(name)?;
    let function = d.unit.functions[index];
    let takes = passed.iter().copied().eq(function.params.iter().map(|param| &param.ty));
    if !takes || function.results.len() != results {
        return Err(Refusal(format!("passes other types than @{name} takes, or takes other results of it")));
    }
    Ok(index)
}

fn types<'m>(d: &Decode<'_, 'm>, count: usize) -> Result<Vec<&'m Type>, Refusal> {
    (0..count).map(|index| Ok(d.operand(index)?.ty)).collect()
}

/// One call with all operands, which are the body's arguments.
fn whole(d: &Decode, results: usize) -> Ruled {
    let index = body(d, &types(d, d.op.operands.len())?, results)?;
    let mut slots = Vec::new();
    for result in 0..results {
        let result = d.result(result)?;
        if d.unit.functions[index].results.first() != Some(result.ty) {
            return Err(Refusal(format!("gives {}, which the body does not", result.ty)));
        }
        slots.extend(result.slots());
    }
    let arguments = d.operand_slots(0)?;
    Ok(Compiled::Call(Call { callee: Callee::Direct(index), arguments, results: slots, status: None }))
}

/// A call for every number of the range; the result of each is stored before the next.
fn map(d: &Decode) -> Ruled {
    let captures = d.op.operands.len().checked_sub(3).ok_or("needs the bounds of a range and a pointer")?;
    let (begin, end, out) = (d.operand(captures)?, d.operand(captures + 1)?, d.operand(captures + 2)?);
    let index = body(d, &types(d, captures + 1)?, 1)?;
    let Type::Ptr(ptr) = out.ty else {
        return Err(Refusal(format!("stores through a pointer, not {}", out.ty)));
    };
    let i64 = Some(ScalarType::Int(IntType::I64));
    if d.unit.functions[index].results.first() != Some(&ptr.pointee)
        || ScalarType::of(begin.ty) != i64
        || ScalarType::of(end.ty) != i64
    {
        return Err(Refusal(format!("stores through {} what its body does not give", out.ty)));
    }
    let size = layout::layout(&ptr.pointee).ok_or("stores what has no layout in memory")?.size;
    let leaves = layout::leaves(&ptr.pointee).ok_or("stores what has no values")?;
    // The number in turn, whether a call was made for it, and what that gave.
    let (number, called) = (d.hidden_slot(), d.hidden_slot());
    let results: Vec<usize> = leaves.iter().map(|_| d.hidden_slot()).collect();
    let mut arguments: Vec<usize> = Vec::new();
    for capture in 0..captures {
        arguments.extend(d.operand(capture)?.slots());
    }
    arguments.push(number);
    let (begin, end, out, given) = (begin.slot, end.slot, out.slot, results.clone());
    let next: Attempt = Box::new(move |cx| {
        let mut at = cx.get(begin);
        if cx.get(called) != 0 {
            let address = cx.get(out).wrapping_add(cx.get(number).wrapping_mul(size));
            for (leaf, slot) in leaves.iter().zip(&given) {
                let bits = cx.get(*slot);
                cx.memory.store(address.wrapping_add(leaf.offset), leaf.ty, bits)?;
            }
            at = cx.get(number).wrapping_add(1);
        }
        let more = (at as i64) < cx.get(end) as i64;
        cx.set(number, at);
        cx.set(called, u64::from(more));
        Ok(more)
    });
    Ok(Compiled::Repeat(next, Call { callee: Callee::Direct(index), arguments, results, status: None }))
}
