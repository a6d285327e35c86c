//! Running compiled functions: frames on a stack of slots, calls without recursion, limits, and the public interface.

use super::compile::{self, Call, Callee, Code, Context, Edge, End, Unit};
use super::error::{Cause, ErrorKind, Failed, InterpError, Site, Stop};
use super::host::Host;
use super::memory::{self, Memory, Origin};
use super::schedule::Progress;
use super::threads::Threads;
use super::{FALLBACK, OK, globals};
use crate::ppyir::ast::{Attr, Item, Module, Type};
use crate::semantics::ScalarType;
use crate::semantics::layout;
use crate::semantics::value::{Data, Value};
use std::collections::HashMap;
use std::{rc::Rc, time::Instant};

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations over all calls of one interpreter.
    pub fuel: u64,
    /// Bytes of live memory, frames included.
    pub memory: u64,
    /// Calls inside calls.
    pub depth: usize,
    /// When to stop; looked at every few thousand operations.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { fuel: 2_000_000_000, memory: 1 << 30, depth: 100_000, deadline: None }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// 0 ok, 1 fallback, -1 raised, 2.. sanitizer.
    pub status: i32,
    /// The results in declaration order; empty unless the status is 0.
    pub results: Vec<Value>,
    /// The contents afterwards of every [`Value::Memory`] passed in, in order, nested ones included.
    pub memory: Vec<Data>,
    /// What failed first, unless the status is 0.
    pub failure: Option<Failure>,
}

/// Why a call ended with a status other than 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub site: Option<Box<Site>>,
    pub what: String,
}

/// An interpreter of one module. Globals and heap memory live as long as it does.
pub struct Interpreter<'m> {
    unit: Unit<'m>,
    codes: Vec<Option<Rc<Code>>>,
    /// Functions all of whose reach is compiled and complete.
    ready: Vec<bool>,
    pub(super) memory: Memory,
    pub(super) limits: Limits,
    pub(super) fuel: u64,
    pub(super) threads: Threads,
}

/// A function in progress.
struct Frame {
    code: Rc<Code>,
    function: usize,
    base: usize,
    /// The segment that made the call above, or runs.
    segment: usize,
}

/// Where a run stands, for reports.
#[derive(Clone, Copy)]
pub(super) struct Place {
    function: usize,
    block: usize,
    op: usize,
}

impl<'m> Interpreter<'m> {
    /// Prepares a module: its globals get memory. Functions are compiled when they are first reached.
    pub fn new(module: &'m Module, limits: Limits) -> Result<Interpreter<'m>, InterpError> {
        Interpreter::with_host(module, limits, Host::libc())
    }

    /// The same with other C functions than [`Host::libc`].
    pub fn with_host(module: &'m Module, limits: Limits, host: Host) -> Result<Interpreter<'m>, InterpError> {
        let mut memory = Memory::new(limits.memory);
        let mut unit = Unit { functions: Vec::new(), names: HashMap::new(), globals: HashMap::new(), host };
        for item in &module.items {
            match item {
                Item::Global(global) => {
                    let address = globals::place(&mut memory, global).map_err(|stop| match stop {
                        Stop::Trouble(trouble) => {
                            InterpError::new(trouble.0, format!("global @{}: {}", global.symbol, trouble.1))
                        }
                        Stop::Status(_) => InterpError::new(ErrorKind::Module, format!("global @{}", global.symbol)),
                    })?;
                    unit.globals.insert(&global.symbol, address);
                }
                Item::Function(function) => {
                    unit.names.insert(&function.symbol, unit.functions.len());
                    unit.functions.push(function);
                }
            }
        }
        let count = unit.functions.len();
        let (codes, ready) = (vec![None; count], vec![false; count]);
        Ok(Interpreter { unit, codes, ready, memory, limits, fuel: limits.fuel, threads: Threads::new() })
    }

    /// Calls a function by its name in the module. An error means that the call could not be made or that the program
    /// is at fault; a failing guard is an outcome.
    pub fn call(&mut self, name: &str, arguments: &[Value]) -> Result<Outcome, InterpError> {
        let Some(index) = self.unit.names.get(name).copied() else {
            return Err(InterpError::new(ErrorKind::Request, format!("the module has no function @{name}")));
        };
        let code = self.prepare(index)?;
        let function = self.unit.functions[index];
        let types: Vec<&Type> = function.params.iter().map(|param| &param.ty).collect();
        if types.len() != arguments.len() {
            return Err(InterpError::new(
                ErrorKind::Request,
                format!("@{name} takes {} arguments, {} given", types.len(), arguments.len()),
            ));
        }
        let mut passed = Passed { words: Vec::new(), blocks: Vec::new() };
        for (position, (ty, value)) in types.iter().zip(arguments).enumerate() {
            passed.pass(&mut self.memory, ty, value).map_err(|problem| match problem {
                Some(Stop::Trouble(trouble)) => InterpError::new(trouble.0, trouble.1),
                _ => InterpError::new(
                    ErrorKind::Request,
                    format!("argument {} of @{name} does not have the parameter's type", position + 1),
                ),
            })?;
        }
        let run = self.run(index, code, &passed.words);
        let mut memory = Vec::with_capacity(passed.blocks.len());
        for (address, data) in passed.blocks {
            let bytes = self.memory.bytes(address, data.bytes.len() as u64, 1).map(<[u8]>::to_vec).unwrap_or_default();
            memory.push(Data { bytes, ..data });
            // A program that freed its caller's memory has been stopped already.
            let _ = self.memory.free(address, Origin::Argument);
        }
        let (status, words, failure) = match run? {
            Ok(words) => (OK, words, None),
            Err((status, failure)) => (status, Vec::new(), Some(failure)),
        };
        let mut rest = words.as_slice();
        let results = match status {
            OK => function.results.iter().filter_map(|ty| Value::unflatten(ty, &mut rest)).collect(),
            _ => Vec::new(),
        };
        Ok(Outcome { status, results, memory, failure })
    }

    /// The counters of a profile (`prof.hit`) over all calls, up to the last one that was added to.
    pub fn counters(&self) -> &[u64] {
        self.memory.counters()
    }

    /// Operations left.
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Compiles a function and all it reaches; refuses when symbols are missing.
    fn prepare(&mut self, index: usize) -> Result<Rc<Code>, InterpError> {
        let mut queue = vec![index];
        let mut seen = vec![false; self.codes.len()];
        let mut missing: Vec<String> = Vec::new();
        while let Some(next) = queue.pop() {
            if std::mem::replace(&mut seen[next], true) || self.ready[next] {
                continue;
            }
            if self.unit.functions[next].body.is_none() && next != index {
                continue;
            }
            let code = self.code(next)?;
            queue.extend(&code.reaches);
            missing.extend(code.missing.iter().cloned());
        }
        if !missing.is_empty() {
            missing.sort();
            missing.dedup();
            let name = &self.unit.functions[index].symbol;
            return Err(InterpError::new(
                ErrorKind::Missing,
                format!("@{name} reaches functions that are not here: {}", missing.join(", ")),
            ));
        }
        for (ready, seen) in self.ready.iter_mut().zip(seen) {
            *ready |= seen;
        }
        self.code(index)
    }

    fn code(&mut self, index: usize) -> Result<Rc<Code>, InterpError> {
        if let Some(code) = &self.codes[index] {
            return Ok(code.clone());
        }
        let code = Rc::new(compile::compile(&self.unit, index)?);
        self.codes[index] = Some(code.clone());
        Ok(code)
    }

    /// Runs a function to its end: result words, or a status and why.
    #[allow(clippy::type_complexity)]
    fn run(
        &mut self,
        function: usize,
        code: Rc<Code>,
        arguments: &[u64],
    ) -> Result<Result<Vec<u64>, (i32, Failure)>, InterpError> {
        self.schedule(function, code, arguments)
            .map_err(|(trouble, place)| InterpError {
                kind: trouble.0,
                message: trouble.1,
                site: place.and_then(|place| self.site(place)),
            })
            .map(|(result, cause)| result.map_err(|status| (status, self.failure(cause))))
    }

    /// The compiled code of a function that something in the program reaches.
    pub(super) fn compiled(&self, function: usize) -> Option<Rc<Code>> {
        self.codes.get(function).cloned().flatten()
    }

    fn site(&self, place: Place) -> Option<Box<Site>> {
        compile::site(self.unit.functions[place.function], place.block, place.op)
    }

    fn failure(&self, cause: Option<(Cause, Place)>) -> Failure {
        let Some((cause, place)) = cause else {
            return Failure { site: None, what: "a call failed".into() };
        };
        let what = match cause {
            Cause::Guard => self.guard_words(place),
            Cause::Operation(reason) => reason.to_string(),
            Cause::Call => "a call failed".into(),
        };
        Failure { site: self.site(place), what }
    }

    /// The guard's kind and message.
    fn guard_words(&self, place: Place) -> String {
        let blocks = self.unit.functions[place.function].body.as_ref().map(|body| &body.blocks);
        let op = blocks.and_then(|blocks| blocks.get(place.block)?.ops.get(place.op));
        let text = |key| match op.and_then(|op| op.attrs.get(key)) {
            Some(Attr::Str(text)) => Some(text.as_str()),
            _ => None,
        };
        let kind = text("kind").unwrap_or("a");
        match text("message") {
            Some(message) => format!("the {kind} guard failed: {message}"),
            None => format!("the {kind} guard failed"),
        }
    }
}

pub(super) type Trouble = Box<(ErrorKind, String)>;

/// One thread of a run.
pub(super) struct Run {
    /// The functions in progress; the last one runs.
    frames: Vec<Frame>,
    slots: Vec<u64>,
    /// The first failure since the last success of a captured call.
    pub(super) cause: Option<(Cause, Place)>,
}

/// Trouble at the place where it came up.
pub(super) fn trouble(stop: Stop, place: Option<Place>) -> (Trouble, Option<Place>) {
    match stop {
        Stop::Trouble(trouble) => (trouble, place),
        Stop::Status(_) => (Box::new((ErrorKind::Module, "a status outside a function".into())), place),
    }
}

impl Run {
    /// A thread about to run a function.
    pub(super) fn start(
        interpreter: &mut Interpreter<'_>,
        function: usize,
        code: Rc<Code>,
        arguments: &[u64],
    ) -> Result<Run, Stop> {
        let mut run = Run { frames: Vec::new(), slots: Vec::new(), cause: None };
        let frame = run.enter(interpreter, function, code)?;
        run.slots[frame.base..][..arguments.len()].copy_from_slice(arguments);
        run.frames.push(frame);
        Ok(run)
    }

    /// Gives back what the functions that were under way own, after an error.
    pub(super) fn abandon(mut self, memory: &mut Memory) {
        while let Some(frame) = self.frames.pop() {
            self.leave(memory, &frame);
        }
    }

    /// Where the thread stands.
    pub(super) fn place(&self) -> Option<Place> {
        let frame = self.frames.last()?;
        let segment = frame.code.segments.get(frame.segment)?;
        Some(Place { function: frame.function, block: segment.block, op: segment.first + segment.steps.len() })
    }

    /// Frees a frame's stack memory and its slots.
    fn leave(&mut self, memory: &mut Memory, frame: &Frame) {
        for slot in &frame.code.allocas {
            let address = std::mem::take(&mut self.slots[frame.base + slot]);
            let _ = memory.free(address, Origin::Stack);
        }
        memory.release(frame.code.slots as u64 * 8);
        self.slots.truncate(frame.base);
    }

    fn enter(&mut self, interpreter: &mut Interpreter<'_>, function: usize, code: Rc<Code>) -> Result<Frame, Stop> {
        if self.frames.len() >= interpreter.limits.depth {
            return Err(Stop::limit(format!("the call depth limit of {} is reached", interpreter.limits.depth)));
        }
        interpreter.memory.reserve(code.slots as u64 * 8)?;
        let base = self.slots.len();
        self.slots.resize(base + code.slots, 0);
        Ok(Frame { code, function, base, segment: 0 })
    }

    /// Runs until the thread has ended, waits, or the fuel is down to `until`.
    pub(super) fn advance(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        until: u64,
    ) -> Result<Progress, (Trouble, Option<Place>)> {
        let Some(mut frame) = self.frames.pop() else { return Ok(Progress::Ended(Ok(Vec::new()))) };
        let mut returned: Vec<u64> = Vec::new();
        let mut moved = false;
        loop {
            let code = frame.code.clone();
            let segment = &code.segments[frame.segment];
            let place =
                |step: usize| Place { function: frame.function, block: segment.block, op: segment.first + step };
            let count = segment.steps.len();
            let cost = count as u64 + 1;
            if interpreter.fuel < cost {
                let message = format!("the fuel of {} operations is used up", interpreter.limits.fuel);
                let at = place(0);
                self.frames.push(frame);
                return Err(trouble(Stop::limit(message), Some(at)));
            }
            if interpreter.fuel < until {
                self.frames.push(frame);
                return Ok(Progress::Paused);
            }
            interpreter.fuel -= cost;
            let top = frame.base + code.slots;
            let slots = &mut self.slots[frame.base..top];
            let mut context = Context::new(slots, &mut interpreter.memory, &mut interpreter.threads);
            let mut stopped = None;
            for (step, run) in segment.steps.iter().enumerate() {
                if let Err(stop) = run(&mut context) {
                    stopped = Some((stop, place(step)));
                    break;
                }
            }
            let at_end = place(count);
            // What a segment that is alone with one operation answers.
            let mut go_on = false;
            if let (None, End::Wait(attempt, _) | End::Repeat(attempt, ..)) = (&stopped, &segment.end) {
                match attempt(&mut context) {
                    Ok(answer) => go_on = answer,
                    Err(stop) => stopped = Some((stop, at_end)),
                }
            }
            let status = match (stopped, &segment.end) {
                (Some((Stop::Status(Failed { status, cause }), place)), _) => {
                    self.cause.get_or_insert((cause, place));
                    status
                }
                (Some((stop, place)), _) => {
                    self.frames.push(frame);
                    return Err(trouble(stop, Some(place)));
                }
                (None, End::Jump(edge)) => {
                    frame.segment = self.jump(frame.base, edge);
                    moved = true;
                    continue;
                }
                (None, End::Branch { condition, yes, no }) => {
                    let edge = if self.slots[frame.base + condition] != 0 { yes } else { no };
                    frame.segment = self.jump(frame.base, edge);
                    moved = true;
                    continue;
                }
                (None, End::Next(next)) => {
                    frame.segment = *next;
                    moved = true;
                    continue;
                }
                (None, End::Wait(_, next)) => {
                    if go_on {
                        frame.segment = *next;
                    }
                    self.frames.push(frame);
                    return Ok(if go_on || moved { Progress::Paused } else { Progress::Waiting });
                }
                (None, End::Repeat(_, _, next)) if !go_on => {
                    frame.segment = *next;
                    moved = true;
                    continue;
                }
                (None, End::Call(call, _) | End::Repeat(_, call, _)) => match self.call(interpreter, &frame, call) {
                    Ok(callee) => {
                        self.frames.push(std::mem::replace(&mut frame, callee));
                        moved = true;
                        continue;
                    }
                    Err(stop) => {
                        self.frames.push(frame);
                        return Err(trouble(stop, Some(at_end)));
                    }
                },
                (None, End::Unreachable) => {
                    self.frames.push(frame);
                    return Err(trouble(
                        Stop::undefined("the program reaches a place it said it never does"),
                        Some(at_end),
                    ));
                }
                (None, End::Return(results)) => {
                    returned.clear();
                    returned.extend(results.iter().map(|slot| self.slots[frame.base + slot]));
                    OK
                }
            };
            // The function ended; find the caller that goes on.
            moved = true;
            let mut status = status;
            loop {
                self.leave(&mut interpreter.memory, &frame);
                let Some(caller) = self.frames.pop() else {
                    return Ok(Progress::Ended(if status == OK { Ok(returned) } else { Err(status) }));
                };
                frame = caller;
                if self.resume(&mut frame, status, &returned) {
                    break;
                }
                status = FALLBACK;
            }
        }
    }

    fn jump(&mut self, base: usize, edge: &Edge) -> usize {
        edge.pass(&mut self.slots[base..]);
        edge.target
    }

    /// Makes the frame of a call with its arguments in place.
    fn call(&mut self, interpreter: &mut Interpreter<'_>, caller: &Frame, call: &Call) -> Result<Frame, Stop> {
        let function = match call.callee {
            Callee::Direct(function) => function,
            Callee::Indirect(slot) => {
                let address = self.slots[caller.base + slot];
                memory::function_of(address)
                    .filter(|function| *function < interpreter.codes.len())
                    .ok_or_else(|| Stop::undefined(format!("calls {address:#x}, which is no function's address")))?
            }
        };
        let Some(code) = interpreter.codes[function].clone() else {
            return Err(Stop::undefined("calls a function whose address was never taken"));
        };
        if code.params.len() != call.arguments.len() || code.results.len() != call.results.len() {
            return Err(Stop::undefined(format!(
                "calls @{} with {} argument words for {} result words; it takes {} and gives {}",
                interpreter.unit.functions[function].symbol,
                call.arguments.len(),
                call.results.len(),
                code.params.len(),
                code.results.len()
            )));
        }
        // The frames are counted with the one that is about to be pushed.
        let frame = self.enter(interpreter, function, code)?;
        for (position, slot) in call.arguments.iter().enumerate() {
            self.slots[frame.base + position] = self.slots[caller.base + slot];
        }
        Ok(frame)
    }

    /// Hands a callee's outcome to its caller. `false` when the caller fails in turn.
    fn resume(&mut self, caller: &mut Frame, status: i32, returned: &[u64]) -> bool {
        let code = caller.code.clone();
        let (call, next) = match &code.segments[caller.segment].end {
            End::Call(call, next) => (call, *next),
            // Whether there is another call is the next attempt's answer.
            End::Repeat(_, call, _) => (call, caller.segment),
            _ => return false,
        };
        if status != OK && call.status.is_none() {
            return false;
        }
        for (position, slot) in call.results.iter().enumerate() {
            // The results of a failed call are zero where its status is captured.
            self.slots[caller.base + slot] =
                if status == OK { returned.get(position).copied().unwrap_or(0) } else { 0 };
        }
        if let Some(slot) = call.status {
            self.slots[caller.base + slot] = i64::from(status) as u64;
            self.cause = None;
        }
        caller.segment = next;
        true
    }
}

/// The words of the arguments, and the memory made for them.
struct Passed {
    words: Vec<u64>,
    blocks: Vec<(u64, Data)>,
}

impl Passed {
    /// Appends the words of a value of a type; `Err(None)` when the value is not of the type.
    fn pass(&mut self, memory: &mut Memory, ty: &Type, value: &Value) -> Result<(), Option<Stop>> {
        match (ty, value) {
            (Type::Buffer(element), Value::Memory(data)) if **element == data.element => {
                let address = self.place(memory, data)?;
                self.words.extend([address, data.len]);
            }
            (Type::Ptr(ptr), Value::Memory(data)) if ptr.pointee == data.element => {
                let address = self.place(memory, data)?;
                self.words.push(address);
            }
            (Type::Ptr(_), Value::Null) => self.words.push(0),
            (Type::Tuple(items), Value::Group(values)) if items.len() == values.len() => {
                for (ty, value) in items.iter().zip(values) {
                    self.pass(memory, ty, value)?;
                }
            }
            (Type::Struct(ty), Value::Group(values)) if ty.fields.len() == values.len() => {
                for ((_, ty), value) in ty.fields.iter().zip(values) {
                    self.pass(memory, ty, value)?;
                }
            }
            (Type::Vector(..) | Type::Array(..), Value::Group(values)) => {
                let leaves = layout::leaves(ty).filter(|leaves| leaves.len() == values.len()).ok_or(None)?;
                for (leaf, value) in leaves.iter().zip(values) {
                    match value {
                        Value::Scalar(scalar) if scalar.ty == leaf.ty => self.words.push(scalar.bits),
                        _ => return Err(None),
                    }
                }
            }
            (ty, Value::Scalar(scalar)) if ScalarType::of(ty) == Some(scalar.ty) => self.words.push(scalar.bits),
            _ => return Err(None),
        }
        Ok(())
    }

    fn place(&mut self, memory: &mut Memory, data: &Data) -> Result<u64, Stop> {
        let address = memory.allocate(data.bytes.len() as u64, Origin::Argument)?;
        memory.bytes_mut(address, data.bytes.len() as u64, 1)?.copy_from_slice(&data.bytes);
        self.blocks.push((address, data.clone()));
        Ok(address)
    }
}
