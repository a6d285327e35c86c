//! C functions that interpreted code may call: `core.call_extern` by name.
//!
//! The table holds what the C library gives bit for bit through the Rust standard library. Others can be added with
//! [`Host::insert`]; a name that is missing is reported before anything runs.

use super::error::Stop;
use super::memory::{Memory, Origin};
use crate::mlir::process;
use crate::semantics::{FloatType, ScalarType};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// A C parameter or result type, as far as a call can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostType {
    /// An integer of the width in bits, of either signedness.
    Int(u8),
    F32,
    F64,
    Pointer,
}

impl HostType {
    /// Whether a scalar of the type may be passed or received as this.
    pub fn accepts(self, ty: ScalarType) -> bool {
        match (self, ty) {
            (HostType::Int(width), ScalarType::Int(int)) => int.width == width,
            (HostType::Int(width), ScalarType::Index) => width == 64,
            (HostType::F32, ScalarType::Float(FloatType::F32)) => true,
            (HostType::F64, ScalarType::Float(FloatType::F64)) => true,
            (HostType::Pointer, ScalarType::Pointer) => true,
            _ => false,
        }
    }
}

impl fmt::Display for HostType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostType::Int(width) => write!(f, "i{width}"),
            HostType::F32 => f.write_str("f32"),
            HostType::F64 => f.write_str("f64"),
            HostType::Pointer => f.write_str("ptr"),
        }
    }
}

/// What a host function does with its arguments' bits; the result's bits come back (0 when there is none).
pub type HostCall = Rc<dyn Fn(&mut Memory, &[u64]) -> Result<u64, Stop>>;

/// One C function.
#[derive(Clone)]
pub struct HostFunction {
    pub params: Vec<HostType>,
    pub result: Option<HostType>,
    pub call: HostCall,
}

/// The C functions by name.
#[derive(Clone, Default)]
pub struct Host {
    functions: HashMap<String, HostFunction>,
}

impl Host {
    /// No functions at all.
    pub fn empty() -> Host {
        Host::default()
    }

    /// The part of the C library that needs no operating system: memory, absolute values, mathematics.
    pub fn libc() -> Host {
        let mut host = Host::empty();
        for (name, function) in F64_UNARY {
            let call: HostCall = Rc::new(|_, args| Ok(function(f64::from_bits(args[0])).to_bits()));
            host.add(name, &[HostType::F64], Some(HostType::F64), call);
        }
        for (name, function) in F32_UNARY {
            let call: HostCall = Rc::new(|_, args| Ok(u64::from(function(f32::from_bits(args[0] as u32)).to_bits())));
            host.add(name, &[HostType::F32], Some(HostType::F32), call);
        }
        for (name, function) in F64_BINARY {
            let call: HostCall =
                Rc::new(|_, args| Ok(function(f64::from_bits(args[0]), f64::from_bits(args[1])).to_bits()));
            host.add(name, &[HostType::F64, HostType::F64], Some(HostType::F64), call);
        }
        for (name, params, result, call) in GENERAL {
            host.add(name, params, *result, Rc::new(call));
        }
        host
    }

    fn add(&mut self, name: &str, params: &[HostType], result: Option<HostType>, call: HostCall) {
        self.insert(name, HostFunction { params: params.to_vec(), result, call });
    }

    /// Adds or replaces a function. Its call gets as many arguments as `params` names.
    pub fn insert(&mut self, name: &str, function: HostFunction) {
        self.functions.insert(name.to_owned(), function);
    }

    pub fn get(&self, name: &str) -> Option<&HostFunction> {
        self.functions.get(name)
    }
}

type Unary64 = (&'static str, fn(f64) -> f64);
type Unary32 = (&'static str, fn(f32) -> f32);
type Binary64 = (&'static str, fn(f64, f64) -> f64);

const F64_UNARY: &[Unary64] = &[
    ("acos", f64::acos),
    ("asin", f64::asin),
    ("atan", f64::atan),
    ("cbrt", process::cbrt),
    ("ceil", f64::ceil),
    ("cos", f64::cos),
    ("cosh", f64::cosh),
    ("exp", f64::exp),
    ("exp2", f64::exp2),
    ("expm1", f64::exp_m1),
    ("fabs", f64::abs),
    ("floor", f64::floor),
    ("log", f64::ln),
    ("log10", f64::log10),
    ("log1p", f64::ln_1p),
    ("log2", f64::log2),
    ("rint", f64::round_ties_even),
    ("round", f64::round),
    ("sin", f64::sin),
    ("sinh", f64::sinh),
    ("sqrt", f64::sqrt),
    ("tan", f64::tan),
    ("tanh", f64::tanh),
    ("trunc", f64::trunc),
];

const F32_UNARY: &[Unary32] = &[
    ("cbrtf", process::cbrtf),
    ("ceilf", f32::ceil),
    ("cosf", f32::cos),
    ("expf", f32::exp),
    ("fabsf", f32::abs),
    ("floorf", f32::floor),
    ("logf", f32::ln),
    ("sinf", f32::sin),
    ("sqrtf", f32::sqrt),
    ("tanf", f32::tan),
    ("truncf", f32::trunc),
];

const F64_BINARY: &[Binary64] = &[
    ("atan2", f64::atan2),
    ("copysign", f64::copysign),
    ("fmod", |x, y| x % y),
    ("hypot", f64::hypot),
    ("pow", f64::powf),
];

type General = (&'static str, &'static [HostType], Option<HostType>, fn(&mut Memory, &[u64]) -> Result<u64, Stop>);

const SIZE: HostType = HostType::Int(64);
const POINTER: HostType = HostType::Pointer;

/// `abs` of the smallest value is undefined in C; here it wraps to itself, as every compiler's code does.
const GENERAL: &[General] = &[
    ("abs", &[HostType::Int(32)], Some(HostType::Int(32)), |_, args| {
        Ok(i64::from((args[0] as i32).wrapping_abs()) as u64)
    }),
    ("labs", &[SIZE], Some(SIZE), |_, args| Ok((args[0] as i64).wrapping_abs() as u64)),
    ("llabs", &[SIZE], Some(SIZE), |_, args| Ok((args[0] as i64).wrapping_abs() as u64)),
    ("malloc", &[SIZE], Some(POINTER), |memory, args| memory.allocate(args[0], Origin::Heap)),
    ("calloc", &[SIZE, SIZE], Some(POINTER), |memory, args| {
        memory.allocate(args[0].saturating_mul(args[1]), Origin::Heap)
    }),
    ("free", &[POINTER], None, |memory, args| memory.free(args[0], Origin::Heap).map(|()| 0)),
    ("memset", &[POINTER, HostType::Int(32), SIZE], Some(POINTER), |memory, args| {
        if args[2] != 0 {
            memory.bytes_mut(args[0], args[2], 1)?.fill(args[1] as u8);
        }
        Ok(args[0])
    }),
    ("memcpy", &[POINTER, POINTER, SIZE], Some(POINTER), |memory, args| {
        if args[0].abs_diff(args[1]) < args[2] {
            return Err(Stop::undefined("memcpy between memory that overlaps; memmove is for that"));
        }
        copy(memory, args)
    }),
    ("memmove", &[POINTER, POINTER, SIZE], Some(POINTER), copy),
];

fn copy(memory: &mut Memory, args: &[u64]) -> Result<u64, Stop> {
    if args[2] != 0 {
        memory.copy(args[0], args[1], args[2])?;
    }
    Ok(args[0])
}
