//! Compiles a function into segments of closures, asking the rule of each operation's dialect.
//!
//! Every leaf of every value has a slot of its own in the function's frame; parameters come first. A segment is a
//! straight run of steps and how it ends: at a terminator, or at a call. **Invariant: all slots in compiled code are
//! below the frame size**, because only [`Body`] hands them out.

use super::error::{ErrorKind, InterpError, Refusal, Site, Stop};
use super::host::Host;
use super::memory::Memory;
use super::rules;
use super::threads::Threads;
use crate::ppyir::ast::{Attr, Block, Function, Operation, Successor, Type, ValueId};
use crate::semantics::ScalarType;
use crate::semantics::layout::{self, Leaf};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// Slots a frame may have.
const MAX_SLOTS: usize = 1 << 22;

/// What a step works on: the frame of the running function, memory, and the threads.
pub struct Context<'a> {
    slots: &'a mut [u64],
    pub memory: &'a mut Memory,
    pub threads: &'a mut Threads,
}

impl<'a> Context<'a> {
    pub fn new(slots: &'a mut [u64], memory: &'a mut Memory, threads: &'a mut Threads) -> Context<'a> {
        Context { slots, memory, threads }
    }

    #[inline]
    pub fn get(&self, slot: usize) -> u64 {
        self.slots[slot]
    }

    #[inline]
    pub fn set(&mut self, slot: usize, bits: u64) {
        self.slots[slot] = bits;
    }

    /// Copies `count` slots.
    #[inline]
    pub fn copy(&mut self, from: usize, to: usize, count: usize) {
        self.slots.copy_within(from..from + count, to);
    }
}

/// An operation ready to run.
pub type Step = Box<dyn Fn(&mut Context<'_>) -> Result<(), Stop>>;

/// Tries to go on: `false` where the operation is to be tried again later.
pub type Attempt = Box<dyn Fn(&mut Context<'_>) -> Result<bool, Stop>>;

/// What a rule makes of an operation.
pub enum Compiled {
    Step(Step),
    /// An operation that waits for other threads, or that they notice: it goes on when its attempts have succeeded, one
    /// after the other, and another thread may run between them and after them.
    Wait(Vec<Attempt>),
    /// A call that is made again and again, as long as the attempt before it says `true`.
    Repeat(Attempt, Call),
    /// A terminator.
    End(End),
    /// A call of another function of the module.
    Call(Call),
}

impl Compiled {
    /// A step from a closure.
    pub fn step(step: impl Fn(&mut Context<'_>) -> Result<(), Stop> + 'static) -> Compiled {
        Compiled::Step(Box::new(step))
    }

    /// A step after which another thread may run.
    pub fn point(step: impl Fn(&mut Context<'_>) -> Result<(), Stop> + 'static) -> Compiled {
        Compiled::Wait(vec![Box::new(move |cx| step(cx).map(|()| true))])
    }
}

/// How a segment ends.
pub enum End {
    Jump(Edge),
    Branch {
        condition: usize,
        yes: Edge,
        no: Edge,
    },
    /// The slots of the results.
    Return(Vec<usize>),
    /// The call, and the segment that follows it.
    Call(Call, usize),
    /// The segment that follows.
    Next(usize),
    /// The segment that follows when the attempt succeeds.
    Wait(Attempt, usize),
    /// The segment that follows when the attempt says that there is no further call to make.
    Repeat(Attempt, Call, usize),
    Unreachable,
}

/// A branch to a block with its arguments.
pub struct Edge {
    /// The block's number while compiling, its first segment's afterwards.
    pub target: usize,
    moves: Vec<(usize, usize)>,
    /// A source is overwritten before it is read: copy through a temporary.
    tangled: bool,
}

/// A call of a function of the module.
pub struct Call {
    pub callee: Callee,
    /// Slots of the arguments' leaves.
    pub arguments: Vec<usize>,
    /// Slots that the results' leaves go to.
    pub results: Vec<usize>,
    /// Where the status goes when the caller captures it.
    pub status: Option<usize>,
}

/// Whom to call.
pub enum Callee {
    /// A function by index.
    Direct(usize),
    /// The function whose address is in the slot.
    Indirect(usize),
}

/// A straight run of steps.
pub struct Segment {
    pub steps: Vec<Step>,
    pub end: End,
    /// The block, and the index in it of each step's operation and of the end's.
    pub block: usize,
    pub first: usize,
}

/// A function ready to run.
pub struct Code {
    pub segments: Vec<Segment>,
    /// The frame size.
    pub slots: usize,
    /// Leaves of the parameters, which are the first slots.
    pub params: Vec<ScalarType>,
    pub results: Vec<ScalarType>,
    /// Slots that hold the address of stack memory to free at the end, 0 when there is none yet.
    pub allocas: Vec<usize>,
    /// Indices of functions that this one calls or takes the address of.
    pub reaches: Vec<usize>,
    /// Symbols that this one needs and the host lacks, as a report names them.
    pub missing: Vec<String>,
}

/// What rules may ask about the module.
pub struct Unit<'m> {
    pub functions: Vec<&'m Function>,
    pub names: HashMap<&'m str, usize>,
    /// Addresses of the globals.
    pub globals: HashMap<&'m str, u64>,
    pub host: Host,
}

/// A value of the function being compiled: its type, its leaves, and its first slot.
#[derive(Clone)]
pub struct Operand<'m> {
    pub ty: &'m Type,
    pub slot: usize,
    pub leaves: Rc<[Leaf]>,
}

impl Operand<'_> {
    /// The slots of the value.
    pub fn slots(&self) -> std::ops::Range<usize> {
        self.slot..self.slot + self.leaves.len()
    }

    /// The scalar type of every lane of a scalar or a vector.
    pub fn lane(&self) -> Result<ScalarType, Refusal> {
        let ty = match self.ty {
            Type::Vector(element, _) => element,
            ty => ty,
        };
        ScalarType::of(ty).ok_or_else(|| Refusal(format!("needs scalars or vectors of them, not {}", self.ty)))
    }
}

/// The frame of the function being compiled.
struct Body<'m> {
    values: Vec<Operand<'m>>,
    slots: Cell<usize>,
    allocas: std::cell::RefCell<Vec<usize>>,
    reaches: std::cell::RefCell<Vec<usize>>,
    missing: std::cell::RefCell<Vec<String>>,
}

/// One operation, as its rule sees it.
pub struct Decode<'c, 'm> {
    pub op: &'m Operation,
    pub unit: &'c Unit<'m>,
    pub function: &'m Function,
    body: &'c Body<'m>,
    blocks: &'m [Block],
}

impl<'m> Decode<'_, 'm> {
    /// Refuses unless the operation has these numbers of operands and results.
    pub fn arity(&self, operands: usize, results: usize) -> Result<(), Refusal> {
        let given = (self.op.operands.len(), self.op.results.len());
        if given == (operands, results) {
            return Ok(());
        }
        Err(Refusal(format!("takes {operands} operands and gives {results} results, not {} and {}", given.0, given.1)))
    }

    fn value(&self, id: ValueId) -> Result<Operand<'m>, Refusal> {
        self.body.values.get(id.0 as usize).cloned().ok_or_else(|| Refusal(format!("uses an unknown value {}", id.0)))
    }

    pub fn operand(&self, index: usize) -> Result<Operand<'m>, Refusal> {
        let id = self.op.operands.get(index).ok_or_else(|| Refusal(format!("has no operand {index}")))?;
        self.value(*id)
    }

    pub fn result(&self, index: usize) -> Result<Operand<'m>, Refusal> {
        let id = self.op.results.get(index).ok_or_else(|| Refusal(format!("has no result {index}")))?;
        self.value(*id)
    }

    /// The slots of all operands from `first` on, leaf by leaf.
    pub fn operand_slots(&self, first: usize) -> Result<Vec<usize>, Refusal> {
        let mut slots = Vec::new();
        for index in first..self.op.operands.len() {
            slots.extend(self.operand(index)?.slots());
        }
        Ok(slots)
    }

    /// The types of all operands' leaves from `first` on.
    pub fn operand_leaves(&self, first: usize) -> Result<Vec<ScalarType>, Refusal> {
        let mut types = Vec::new();
        for index in first..self.op.operands.len() {
            types.extend(self.operand(index)?.leaves.iter().map(|leaf| leaf.ty));
        }
        Ok(types)
    }

    pub fn attr(&self, key: &str) -> Option<&'m Attr> {
        self.op.attrs.get(key)
    }

    /// A string or symbol attribute.
    pub fn text(&self, key: &str) -> Result<Option<&'m str>, Refusal> {
        match self.op.attrs.get(key) {
            None => Ok(None),
            Some(Attr::Str(text) | Attr::Symbol(text)) => Ok(Some(text)),
            Some(other) => Err(Refusal(format!("attribute `{key}` must be a name or a string, not {other}"))),
        }
    }

    /// A string or symbol attribute that must be there.
    pub fn required(&self, key: &str) -> Result<&'m str, Refusal> {
        self.text(key)?.ok_or_else(|| Refusal(format!("needs attribute `{key}`")))
    }

    /// Whether a flag attribute is there and true.
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.op.attrs.get(key), Some(Attr::Bool(true)))
    }

    /// Another slot of the frame.
    pub fn hidden_slot(&self) -> usize {
        let slot = self.body.slots.get();
        self.body.slots.set(slot + 1);
        slot
    }

    /// A slot for an address of stack memory that is freed when the function ends.
    pub fn alloca_slot(&self) -> usize {
        let slot = self.hidden_slot();
        self.body.allocas.borrow_mut().push(slot);
        slot
    }

    /// The index of a function of the module that has a body; notes that it is reached.
    pub fn callee(&self, name: &str) -> Result<usize, Refusal> {
        let Some(index) = self.unit.names.get(name).copied() else {
            return Err(Refusal(format!("the module has no function @{name}")));
        };
        if self.unit.functions[index].body.is_none() {
            self.missing(format!("@{name} (declared here, defined in another module)"));
        }
        self.body.reaches.borrow_mut().push(index);
        Ok(index)
    }

    /// Notes a symbol that is not there; the run is refused before it starts.
    pub fn missing(&self, name: String) {
        self.body.missing.borrow_mut().push(name);
    }

    /// The branch to successor `index`.
    pub fn edge(&self, index: usize) -> Result<Edge, Refusal> {
        let Successor { block, args } =
            self.op.successors.get(index).ok_or_else(|| Refusal(format!("has no successor {index}")))?;
        let number = block.0 as usize;
        let Some(block) = self.blocks.get(number) else {
            return Err(Refusal(format!("branches to block {number}, which is not there")));
        };
        if number == 0 {
            return Err("branches to the entry block".into());
        }
        let mut moves = Vec::new();
        if args.len() != block.args.len() {
            return Err(Refusal(format!(
                "passes {} arguments to ^{}, which takes {}",
                args.len(),
                block.name,
                block.args.len()
            )));
        }
        for (from, to) in args.iter().zip(&block.args) {
            let (from, to) = (self.value(*from)?, self.value(*to)?);
            if from.leaves != to.leaves {
                return Err(Refusal(format!("passes {} to ^{}, which takes {}", from.ty, block.name, to.ty)));
            }
            moves.extend(from.slots().zip(to.slots()).filter(|(from, to)| from != to));
        }
        let tangled = moves.iter().enumerate().any(|(i, (_, to))| moves[i + 1..].iter().any(|(from, _)| from == to));
        Ok(Edge { target: number, moves, tangled })
    }
}

impl End {
    fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            End::Jump(edge) => vec![edge],
            End::Branch { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }
}

impl Edge {
    /// Passes the arguments.
    #[inline]
    pub fn pass(&self, slots: &mut [u64]) {
        if self.tangled {
            let values: Vec<u64> = self.moves.iter().map(|(from, _)| slots[*from]).collect();
            for ((_, to), value) in self.moves.iter().zip(values) {
                slots[*to] = value;
            }
        } else {
            for (from, to) in &self.moves {
                slots[*to] = slots[*from];
            }
        }
    }
}

/// The place of an operation.
pub fn site(function: &Function, block: usize, op: usize) -> Option<Box<Site>> {
    let block = function.body.as_ref()?.blocks.get(block)?;
    let op = block.ops.get(op)?;
    Some(Box::new(Site {
        function: function.symbol.clone(),
        block: block.name.clone(),
        op: op.name.clone(),
        loc: op.loc.clone(),
        span: op.span,
    }))
}

/// The leaves of a list of types, one after another.
pub fn leaf_types(types: &[Type]) -> Option<Vec<ScalarType>> {
    let mut out = Vec::new();
    for ty in types {
        out.extend(layout::leaves(ty)?.iter().map(|leaf| leaf.ty));
    }
    Some(out)
}

/// Compiles the function with this index.
pub fn compile(unit: &Unit<'_>, index: usize) -> Result<Code, InterpError> {
    let function = unit.functions[index];
    let refuse = |message: String| InterpError::new(ErrorKind::Module, format!("@{}: {message}", function.symbol));
    let blocks = match &function.body {
        Some(body) => body.blocks.as_slice(),
        None => &[],
    };
    let Some(entry) = blocks.first() else {
        return Err(refuse("has no body to run".into()));
    };
    let body = layout_frame(function, entry).map_err(|Refusal(message)| refuse(message))?;
    let params = entry.args.iter().filter_map(|id| body.values.get(id.0 as usize));
    let params: Vec<ScalarType> = params.flat_map(|value| value.leaves.iter().map(|leaf| leaf.ty)).collect();
    let results = leaf_types(&function.results)
        .ok_or_else(|| refuse("has a result of a type that the interpreter has no values of".into()))?;

    // Calls split a block, so where a block starts is known only when those before it are compiled.
    let mut starts = Vec::with_capacity(blocks.len());
    let mut segments: Vec<Segment> = Vec::with_capacity(blocks.len());
    for (number, block) in blocks.iter().enumerate() {
        starts.push(segments.len());
        let mut steps = Vec::new();
        let mut first = 0;
        let mut ended = false;
        for (position, op) in block.ops.iter().enumerate() {
            let at = |message: String| InterpError {
                kind: ErrorKind::Module,
                message,
                site: site(function, number, position),
            };
            if ended {
                return Err(at("comes after the terminator of its block".into()));
            }
            let decode = Decode { op, unit, function, body: &body, blocks };
            let rule = rules::lookup(&op.name).ok_or_else(|| at("the interpreter has no rule for it".into()))?;
            let compiled = rule(&decode).map_err(|Refusal(message)| at(message))?;
            // What runs more than once is alone in its segment.
            if matches!(compiled, Compiled::Wait(_) | Compiled::Repeat(..)) && !steps.is_empty() {
                let end = End::Next(segments.len() + 1);
                segments.push(Segment { steps: std::mem::take(&mut steps), end, block: number, first });
                first = position;
            }
            let next = segments.len() + 1;
            let end = match compiled {
                Compiled::Step(step) => {
                    steps.push(step);
                    continue;
                }
                Compiled::Call(call) => End::Call(call, next),
                Compiled::Wait(attempts) => {
                    for attempt in attempts {
                        let end = End::Wait(attempt, segments.len() + 1);
                        segments.push(Segment { steps: Vec::new(), end, block: number, first: position });
                    }
                    first = position + 1;
                    continue;
                }
                Compiled::Repeat(attempt, call) => End::Repeat(attempt, call, next),
                Compiled::End(end) => {
                    ended = true;
                    end
                }
            };
            segments.push(Segment { steps: std::mem::take(&mut steps), end, block: number, first });
            first = position + 1;
        }
        if !ended {
            return Err(refuse(format!("^{} has no terminator", block.name)));
        }
    }
    for edge in segments.iter_mut().flat_map(|segment| segment.end.edges_mut()) {
        edge.target = starts[edge.target];
    }
    if body.slots.get() > MAX_SLOTS {
        return Err(refuse(format!("its values need more than {MAX_SLOTS} slots")));
    }
    Ok(Code {
        segments,
        slots: body.slots.get(),
        params,
        results,
        allocas: body.allocas.into_inner(),
        reaches: body.reaches.into_inner(),
        missing: body.missing.into_inner(),
    })
}

/// Gives every value of the function its slots, parameters first.
fn layout_frame<'m>(function: &'m Function, entry: &Block) -> Result<Body<'m>, Refusal> {
    let mut known: HashMap<&Type, Rc<[Leaf]>> = HashMap::new();
    let mut values = Vec::with_capacity(function.values.len());
    for value in &function.values {
        let leaves = match known.get(&value.ty) {
            Some(leaves) => leaves.clone(),
            None => {
                let leaves: Rc<[Leaf]> = layout::leaves(&value.ty)
                    .ok_or_else(|| Refusal(format!("%{} is of a type without values: {}", value.name, value.ty)))?
                    .into();
                known.insert(&value.ty, leaves.clone());
                leaves
            }
        };
        values.push(Operand { ty: &value.ty, slot: usize::MAX, leaves });
    }
    let declared = function.params.iter().map(|param| &param.ty);
    let params: Vec<usize> = entry.args.iter().map(|id| id.0 as usize).collect();
    if !declared.eq(params.iter().filter_map(|index| values.get(*index)).map(|value| value.ty)) {
        return Err("its parameters are not the arguments of its entry block".into());
    }
    let mut slots = 0usize;
    for (position, index) in params.iter().copied().chain(0..values.len()).enumerate() {
        let value = values.get_mut(index).ok_or_else(|| Refusal(format!("uses an unknown value {index}")))?;
        if value.slot == usize::MAX {
            value.slot = slots;
            slots += value.leaves.len();
        } else if position < params.len() {
            return Err("one value is two of its parameters".into());
        }
        if slots > MAX_SLOTS {
            return Err(Refusal(format!("its values need more than {MAX_SLOTS} slots")));
        }
    }
    let (allocas, reaches, missing) = Default::default();
    Ok(Body { values, slots: Cell::new(slots), allocas, reaches, missing })
}
