//! One call of compiled code: arguments and result slots laid out in memory that a forked child shares.

use super::abi::{self, Atom};
use crate::{
    mlir::process::{self, End, Region},
    ppyir::ast::{Function, Type},
    semantics::{
        ScalarType, layout,
        value::{Data, Value},
    },
};
use std::{
    fmt, io, thread,
    time::{Duration, Instant},
};

/// The stack that compiled code gets.
const STACK: usize = 512 << 20;

/// Where an argument, a result or an element block may start.
const ALIGN: usize = 64;

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// 0 ok, 1 fallback, -1 raised, 2.. sanitizer.
    pub status: i32,
    /// The results in declaration order; empty unless the status is 0.
    pub results: Vec<Value>,
    /// The contents afterwards of every [`Value::Memory`] passed in, in order, nested ones included.
    pub memory: Vec<Data>,
    /// The shortest of the repeated calls.
    pub best: Duration,
    /// The counters of an instrumented module, with every call so far.
    pub counters: Vec<u64>,
}

/// A call that did not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crash {
    /// A signal ended it.
    Signal { signal: i32, address: usize },
    /// It ran out of stack.
    Stack,
    /// It ran longer than it may.
    Timeout(Duration),
    /// It ended the process.
    Exit(i32),
    /// The operating system refused memory, a thread or a process.
    System(String),
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crash::Stack => write!(
                f,
                "ran out of its stack of {} MiB: recursion without end, or a core.alloca too large",
                STACK >> 20
            ),
            Crash::Signal { signal: signal @ (libc::SIGSEGV | libc::SIGBUS), address } => write!(
                f,
                "crashed with {}: it accessed address {address:#x}, which is not its memory",
                process::signal_name(*signal)
            ),
            Crash::Signal { signal: libc::SIGFPE, .. } => {
                f.write_str("crashed with SIGFPE: an integer division by zero, or of the smallest integer by -1")
            }
            Crash::Signal { signal: signal @ (libc::SIGILL | libc::SIGTRAP), .. } => {
                write!(f, "crashed with {}: it reached a place it said it never does", process::signal_name(*signal))
            }
            Crash::Signal { signal: libc::SIGKILL, .. } => {
                f.write_str("was killed with SIGKILL, as the system does when memory runs out")
            }
            Crash::Signal { signal, .. } => {
                write!(f, "crashed with {} (signal {signal})", process::signal_name(*signal))
            }
            Crash::Timeout(limit) => write!(f, "was still running after {} s", limit.as_secs_f64()),
            Crash::Exit(status) => write!(f, "ended the process with exit status {status} instead of returning"),
            Crash::System(message) => write!(f, "cannot be called: {message}"),
        }
    }
}

impl From<io::Error> for Crash {
    fn from(error: io::Error) -> Crash {
        Crash::System(error.to_string())
    }
}

/// Bytes and pointers to place in memory, before there is any.
#[derive(Default)]
struct Plan {
    len: usize,
    pieces: Vec<(usize, Vec<u8>)>,
    /// A cell and the offset whose address it gets.
    pointers: Vec<(usize, usize)>,
    /// The atoms' places in parameter order.
    cells: Vec<usize>,
    blocks: Vec<(usize, Data)>,
}

impl Plan {
    fn reserve(&mut self, len: usize) -> usize {
        let at = self.len.next_multiple_of(ALIGN);
        self.len = at + len;
        at
    }

    fn atom(&mut self, atom: Atom, bits: &[u64]) {
        let mut bytes = vec![0; atom.size()];
        atom.write(bits, &mut bytes);
        let at = self.reserve(bytes.len());
        self.pieces.push((at, bytes));
        self.cells.push(at);
    }

    /// An atom that points to a place.
    fn pointer(&mut self, target: usize) {
        let at = self.reserve(8);
        self.pointers.push((at, target));
        self.cells.push(at);
    }

    fn block(&mut self, data: &Data) -> usize {
        let at = self.reserve(data.bytes.len());
        self.blocks.push((at, data.clone()));
        at
    }

    /// Adds a value of a type; `None` when it is not one.
    fn value(&mut self, ty: &Type, value: &Value) -> Option<()> {
        let word = Atom::Scalar(ScalarType::Index);
        match (ty, value) {
            (Type::Buffer(element), Value::Memory(data)) if **element == data.element => {
                let block = self.block(data);
                self.pointer(block);
                self.atom(word, &[data.len]);
            }
            (Type::Ptr(ptr), Value::Memory(data)) if ptr.pointee == data.element => {
                let block = self.block(data);
                self.pointer(block);
            }
            (Type::Ptr(_), Value::Null) => self.atom(word, &[0]),
            (Type::Tuple(items), Value::Group(values)) if items.len() == values.len() => {
                items.iter().zip(values).try_for_each(|(ty, value)| self.value(ty, value))?;
            }
            (Type::Struct(ty), Value::Group(values)) if ty.fields.len() == values.len() => {
                ty.fields.iter().zip(values).try_for_each(|((_, ty), value)| self.value(ty, value))?;
            }
            (Type::Vector(..) | Type::Array(..), Value::Group(values)) => {
                let bits: Vec<u64> = values.iter().flat_map(Value::scalars).map(|scalar| scalar.bits).collect();
                let mut rest = bits.as_slice();
                for atom in abi::atoms(ty)? {
                    let (lanes, after) = rest.split_at_checked(atom.lanes())?;
                    self.atom(atom, lanes);
                    rest = after;
                }
                return rest.is_empty().then_some(());
            }
            (ty, Value::Scalar(scalar)) if ScalarType::of(ty) == Some(scalar.ty) => {
                self.atom(Atom::Scalar(scalar.ty), &[scalar.bits]);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Where a call runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a forked child, where a crash is an error; it is ended after the time limit.
    Child { timeout: Option<Duration> },
    /// In this process.
    Here,
}

/// What a call has to know of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub symbol: String,
    pub params: Vec<Type>,
    pub results: Vec<Type>,
}

impl From<&Function> for Signature {
    fn from(function: &Function) -> Signature {
        Signature {
            symbol: function.symbol.to_string(),
            params: function.params.iter().map(|param| param.ty.clone()).collect(),
            results: function.results.clone(),
        }
    }
}

/// Words of compiled code's own memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    pub address: usize,
    pub count: usize,
}

/// A call laid out in memory, ready to be made any number of times.
pub struct Call<'m> {
    function: &'m Signature,
    plan: Plan,
    region: Region,
    /// Where the table of the atoms' addresses starts; after it the status and the time.
    table: usize,
    status: usize,
    results: Vec<(usize, Atom)>,
    /// Counters to hand back, and where they go.
    counters: (Words, usize),
}

impl<'m> Call<'m> {
    /// Lays out a call; the error says which argument is not of its parameter's type. The counters are copied out after
    /// it, since a child's memory goes with it.
    pub fn new(function: &'m Signature, arguments: &[Value], counters: Words) -> Result<Call<'m>, String> {
        let symbol = &function.symbol;
        if arguments.len() != function.params.len() {
            let (wanted, given) = (function.params.len(), arguments.len());
            return Err(format!("@{symbol} takes {wanted} arguments, {given} given"));
        }
        let mut plan = Plan::default();
        for (position, (ty, value)) in function.params.iter().zip(arguments).enumerate() {
            plan.value(ty, value).ok_or_else(|| {
                format!("argument {} of @{symbol} does not have the parameter's type {ty}", position + 1)
            })?;
        }
        let atoms = abi::results(&function.results).ok_or_else(|| {
            let types: Vec<String> = function.results.iter().map(Type::to_string).collect();
            format!("@{symbol} gives ({}), which has no native form", types.join(", "))
        })?;
        let results: Vec<(usize, Atom)> = atoms.iter().map(|atom| (plan.reserve(atom.size().max(8)), *atom)).collect();
        for (at, _) in &results {
            plan.pointer(*at);
        }
        let table = plan.reserve(plan.cells.len() * 8);
        let status = plan.reserve(16);
        let copied = plan.reserve(counters.count * 8);
        let region = Region::new(plan.len).map_err(|error| format!("no memory for the arguments: {error}"))?;
        Ok(Call { function, plan, region, table, status, results, counters: (counters, copied) })
    }

    /// How many parameters the machine function has.
    pub fn arity(&self) -> usize {
        self.plan.cells.len()
    }

    /// Writes the arguments, over what an earlier call left of them.
    fn reset(&mut self) {
        let base = self.region.address(0);
        let bytes = self.region.bytes_mut();
        for (at, piece) in &self.plan.pieces {
            bytes[*at..at + piece.len()].copy_from_slice(piece);
        }
        for (at, data) in &self.plan.blocks {
            bytes[*at..at + data.bytes.len()].copy_from_slice(&data.bytes);
        }
        for (at, target) in &self.plan.pointers {
            bytes[*at..at + 8].copy_from_slice(&(base + *target as u64).to_le_bytes());
        }
        for (position, cell) in self.plan.cells.iter().enumerate() {
            let at = self.table + position * 8;
            bytes[at..at + 8].copy_from_slice(&(base + *cell as u64).to_le_bytes());
        }
    }

    /// Makes the call `times` times, and keeps the last one's outcome.
    ///
    /// # Safety
    /// `entry` is a trampoline for this function, and the counters are words of its code. In this process, the code
    /// must be such that it may run here.
    pub unsafe fn run(self, entry: usize, times: u32, place: Place) -> Result<Outcome, Crash> {
        let (table, status) = (self.region.address(self.table), self.status);
        let (counters, copied) = self.counters;
        // The call is on the stack of the thread that makes it: a forked child has no other thread, and where the code
        // starts threads, their stacks take the memory of those that its parent had.
        let mut this = self;
        let work = move || -> io::Result<(Self, End)> {
            let mut call = || {
                let mut best = u64::MAX;
                let mut last = 0;
                for _ in 0..times.max(1) {
                    this.reset();
                    let start = Instant::now();
                    last = unsafe { process::call(entry, table) };
                    best = best.min(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
                }
                let bytes = this.region.bytes_mut();
                bytes[status..status + 4].copy_from_slice(&last.to_le_bytes());
                bytes[status + 8..status + 16].copy_from_slice(&best.to_le_bytes());
                unsafe { process::read(counters.address, &mut bytes[copied..copied + counters.count * 8]) };
            };
            let end = match place {
                Place::Child { timeout } => process::isolate(timeout, call)?,
                Place::Here => {
                    call();
                    End::Finished
                }
            };
            Ok((this, end))
        };
        // A thread for the size of its stack.
        let (this, end) = thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
            thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread of the call panicked")))
        })?;
        match end {
            End::Finished => Ok(this.outcome()),
            End::Signal { stack: true, .. } => Err(Crash::Stack),
            End::Signal { signal, address, .. } => Err(Crash::Signal { signal, address }),
            End::TimedOut => Err(match place {
                Place::Child { timeout } => Crash::Timeout(timeout.unwrap_or_default()),
                Place::Here => Crash::Timeout(Duration::ZERO),
            }),
            End::Exited(status) => Err(Crash::Exit(status)),
        }
    }

    fn outcome(self) -> Outcome {
        let bytes = self.region.bytes();
        let word = |at: usize| bytes[at..at + 8].try_into().map(u64::from_le_bytes).unwrap_or_default();
        let status = word(self.status) as u32 as i32;
        let mut bits = Vec::new();
        for (at, atom) in &self.results {
            atom.read(&bytes[*at..at + atom.size()], &mut bits);
        }
        let mut rest = bits.as_slice();
        let results = match status {
            0 => self.function.results.iter().filter_map(|ty| Value::unflatten(ty, &mut rest)).collect(),
            _ => Vec::new(),
        };
        let best = Duration::from_nanos(word(self.status + 8));
        let memory = self.plan.blocks.iter().map(|(at, data)| {
            let bytes = bytes[*at..at + data.bytes.len()].to_vec();
            Data { bytes, element: data.element.clone(), len: data.len }
        });
        let (counters, copied) = self.counters;
        let counters = (0..counters.count).map(|n| word(copied + n * 8)).collect();
        Outcome { status, results, memory: memory.collect(), best, counters }
    }
}

/// Whether every parameter and result of a function has a native form; the error names what has not.
pub fn callable(function: &Signature) -> Result<(), String> {
    let types = function.params.iter().chain(&function.results);
    match types.into_iter().find(|ty| layout::layout(ty).is_none() || abi::atoms(ty).is_none()) {
        None => Ok(()),
        Some(ty) => Err(format!("@{} has {ty} in its signature, which cannot be passed", function.symbol)),
    }
}
