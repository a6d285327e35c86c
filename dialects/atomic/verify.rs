//! Verification rules of the atomic dialect: which orders an operation may carry, and what it may work on.

use super::enums::Order;
use super::ops::{CompareExchangeOp, StoreOp};
use crate::dialects::core::constant::scalar_type;
use crate::dialects::core::type_views::PtrType;
use crate::mlir::prelude::*;
use crate::semantics::ScalarType;

/// What an operation works on.
#[derive(Clone, Copy)]
enum Pointee {
    Number,
    Integer,
}

/// Whether the operation writes.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Read,
    Write,
}

/// The pointer addresses what the operation works on, and memory that it may write.
fn pointer(ptr: Value, wanted: Pointee, r#use: Use) -> Verdict {
    let Some(ptr) = PtrType::cast(ptr.r#type()) else { return Ok(()) };
    let fits = match scalar_type(ptr.pointee()) {
        Some(ScalarType::Float(_)) => matches!(wanted, Pointee::Number),
        pointee => matches!(pointee, Some(ScalarType::Int(_) | ScalarType::Index)),
    };
    if !fits {
        let wanted = match wanted {
            Pointee::Number => "number: point to an integer, index or float",
            Pointee::Integer => "integer: point to one or an index; a loop of compare_exchange does other arithmetic",
        };
        return Err(format!("works on {}, which is no {wanted}", ptr.pointee()));
    }
    if r#use == Use::Write && ptr.constant() {
        return Err(format!("writes through {}, a const pointer: use one without const", ptr.as_type()));
    }
    Ok(())
}

fn order(op: Op, name: &str) -> Option<Order> {
    op.int_attribute(name).and_then(Order::from_number)
}

/// The order is one of `allowed`; `what` says why.
fn ordered(op: Op, what: &str, allowed: &[Order]) -> Verdict {
    match order(op, "order") {
        Some(order) if !allowed.contains(&order) => {
            let words: Vec<&str> = allowed.iter().map(|order| order.as_str()).collect();
            Err(format!("has order {}, but {what}: its order is one of {}", order.as_str(), words.join(", ")))
        }
        _ => Ok(()),
    }
}

pub fn load(op: Op) -> Verdict {
    ordered(op, "a load publishes nothing", &[Order::Relaxed, Order::Acquire, Order::SeqCst])?;
    pointer(op.value(0), Pointee::Number, Use::Read)
}

pub fn store(op: Op) -> Verdict {
    ordered(op, "a store sees nothing", &[Order::Relaxed, Order::Release, Order::SeqCst])?;
    pointer(StoreOp(op).ptr(), Pointee::Number, Use::Write)
}

pub fn exchange(op: Op) -> Verdict {
    pointer(op.value(0), Pointee::Number, Use::Write)
}

pub fn fetch(op: Op) -> Verdict {
    pointer(op.value(0), Pointee::Integer, Use::Write)
}

/// Where it fails it only loads, and orders no more than where it succeeds.
pub fn compare_exchange(op: Op) -> Verdict {
    let (Some(success), Some(failure)) = (CompareExchangeOp(op).success(), CompareExchangeOp(op).failure()) else {
        return Ok(());
    };
    if matches!(failure, Order::Release | Order::AcqRel) {
        return Err(format!(
            "fails with order {}, but then it only loads: its failure order is relaxed, acquire, seq_cst",
            failure.as_str()
        ));
    }
    let weaker = match failure {
        Order::Acquire => success == Order::Relaxed,
        Order::SeqCst => success != Order::SeqCst,
        _ => false,
    };
    if weaker {
        return Err(format!(
            "fails with order {} and succeeds with {}, which orders less: make the success order at least as strong",
            failure.as_str(),
            success.as_str()
        ));
    }
    pointer(op.value(0), Pointee::Number, Use::Write)
}

pub fn fence(op: Op) -> Verdict {
    ordered(op, "such a fence orders nothing", &[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst])
}
