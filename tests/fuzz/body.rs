//! A function body under construction: values in scope, what is known of them, and operations in the current block.

use crate::dice::Dice;
use crate::rows::{edge_float, edge_int};
use crate::workers::Worker;
use ppy_mlir::ppyir::ast::*;
use ppy_mlir::semantics::{IntType, ScalarType};
use smallvec::SmallVec;
use smol_str::{SmolStr, format_smolstr};

/// The values an integer can have, both ends included.
pub type Range = (i128, i128);

/// What may be done through a pointer.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Elements that are there.
    pub elements: u64,
    pub writable: bool,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct Callee {
    pub symbol: SmolStr,
    pub params: Vec<Type>,
    pub results: Vec<Type>,
    /// It never fails where Python would go on (see `Body::strict`), so its status may be captured.
    pub strict: bool,
}

pub struct Body<'g> {
    pub dice: &'g mut Dice,
    pub callees: &'g [Callee],
    /// Byte strings of the module, with their lengths.
    pub strings: &'g [(SmolStr, u64)],
    /// What may run beside the function.
    pub workers: &'g [Worker],
    pub results: Vec<Type>,
    /// No `python` operation that can fail: whether an unused one fails is not a promise, and a captured status is
    /// a value.
    pub strict: bool,
    pub values: Vec<ValueDef>,
    ranges: Vec<Option<Range>>,
    reaches: Vec<Option<Reach>>,
    pub blocks: Vec<Block>,
    pub current: usize,
    pub scope: Vec<ValueId>,
    /// Statements that may still be made.
    pub budget: usize,
    /// How much of the usual share numbers, memory, vectors and the machine's dialects have, in percent.
    pub shares: [usize; 4],
    /// Loops and branches around the current place.
    pub depth: usize,
    /// Whether a statement may return from the function.
    pub may_return: bool,
}

/// Most functions are about one thing.
const SHARES: &[[usize; 4]] =
    &[[100, 100, 0, 0], [100, 100, 0, 0], [100, 100, 15, 15], [20, 20, 100, 10], [20, 40, 10, 150]];

pub fn int_of(ty: &Type) -> Option<IntType> {
    match ScalarType::of(ty)? {
        ScalarType::Int(int) => Some(int),
        ScalarType::Index => Some(IntType::I64),
        _ => None,
    }
}

pub fn is_float(ty: &Type) -> bool {
    matches!(ScalarType::of(ty), Some(ScalarType::Float(_)))
}

pub fn text(word: &str) -> Attr {
    Attr::Str(word.into())
}

impl<'g> Body<'g> {
    pub fn new(
        dice: &'g mut Dice,
        callees: &'g [Callee],
        strings: &'g [(SmolStr, u64)],
        workers: &'g [Worker],
        results: Vec<Type>,
        strict: bool,
    ) -> Body<'g> {
        let budget = dice.within(3, 28);
        let shares = *dice.pick(SHARES);
        let mut body = Body {
            dice,
            callees,
            strings,
            workers,
            results,
            strict,
            values: Vec::new(),
            ranges: Vec::new(),
            reaches: Vec::new(),
            blocks: Vec::new(),
            current: 0,
            scope: Vec::new(),
            budget,
            shares,
            depth: 0,
            may_return: true,
        };
        body.block(&[]);
        body
    }

    // ------------------------------------------------------------ values

    pub fn value(&mut self, ty: &Type) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(ValueDef { name: SmolStr::default(), ty: ty.clone() });
        self.ranges.push(None);
        self.reaches.push(None);
        id
    }

    pub fn ty(&self, id: ValueId) -> &Type {
        &self.values[id.0 as usize].ty
    }

    /// What an integer can be; the whole type when nothing is known.
    pub fn range(&self, id: ValueId) -> Range {
        let whole = int_of(self.ty(id)).map_or((i128::MIN, i128::MAX), |int| (int.min(), int.max()));
        self.ranges[id.0 as usize].unwrap_or(whole)
    }

    pub fn set_range(&mut self, id: ValueId, range: Range) {
        self.ranges[id.0 as usize] = Some(range);
    }

    pub fn reach(&self, id: ValueId) -> Option<Reach> {
        self.reaches[id.0 as usize]
    }

    pub fn set_reach(&mut self, id: ValueId, elements: u64, writable: bool) {
        self.reaches[id.0 as usize] = Some(Reach { elements, writable });
    }

    /// A value in scope that satisfies the test; recent ones more often.
    pub fn find(&mut self, test: impl Fn(&Body, ValueId) -> bool) -> Option<ValueId> {
        let fitting: Vec<ValueId> = self.scope.iter().copied().filter(|id| test(self, *id)).collect();
        let recent = fitting.len().saturating_sub(6);
        let from = if self.dice.chance(60) { &fitting[recent..] } else { &fitting[..] };
        self.dice.pick_some(from)
    }

    /// A value of the type: one in scope, or made here.
    pub fn of_type(&mut self, ty: &Type) -> ValueId {
        let found = if self.dice.chance(80) { self.find(|body, id| body.ty(id) == ty) } else { None };
        match found {
            Some(id) => id,
            None => self.make(ty),
        }
    }

    /// A value of the type from constants and parts.
    pub fn make(&mut self, ty: &Type) -> ValueId {
        match ty {
            Type::Tuple(items) => {
                let parts: Vec<ValueId> = items.iter().map(|ty| self.of_type(ty)).collect();
                self.one("core.tuple_make", &parts, ty, &[])
            }
            Type::Struct(record) => {
                let parts: Vec<ValueId> = record.fields.iter().map(|(_, ty)| self.of_type(ty)).collect();
                self.one("core.struct_make", &parts, ty, &[])
            }
            Type::Vector(..) => self.vector(ty),
            _ => self.constant(ty),
        }
    }

    pub fn constant(&mut self, ty: &Type) -> ValueId {
        if let Some(int) = int_of(ty) {
            let small = self.dice.chance(60);
            let value = edge_int(int, self.dice, small);
            return self.int(ty, value);
        }
        match ty {
            Type::Bool => {
                let value = self.dice.chance(50);
                self.one("core.const", &[], ty, &[("value", Attr::Bool(value))])
            }
            Type::Ptr(_) => self.one("core.const", &[], ty, &[("value", Attr::Int(0))]),
            _ => {
                let value = edge_float(self.dice, false);
                let value = match ty {
                    // What the type holds exactly, so that text and module agree.
                    Type::F64 => value,
                    Type::F32 => f64::from(value as f32),
                    _ => f64::from(self.dice.within(0, 16) as u32) / 4.0 - 2.0,
                };
                self.float(ty, if value.is_nan() { f64::NAN } else { value })
            }
        }
    }

    pub fn int(&mut self, ty: &Type, value: i128) -> ValueId {
        let id = self.one("core.const", &[], ty, &[("value", Attr::Int(value))]);
        self.set_range(id, (value, value));
        id
    }

    pub fn float(&mut self, ty: &Type, value: f64) -> ValueId {
        self.one("core.const", &[], ty, &[("value", Attr::Float(value))])
    }

    // ------------------------------------------------------------ operations

    pub fn op(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[Type],
        attrs: &[(&str, Attr)],
    ) -> SmallVec<[ValueId; 1]> {
        let results: SmallVec<[ValueId; 1]> = results.iter().map(|ty| self.value(ty)).collect();
        self.push(name, operands, results.clone(), attrs, Vec::new());
        self.scope.extend(results.iter().copied());
        results
    }

    /// An operation with one result.
    pub fn one(&mut self, name: &str, operands: &[ValueId], ty: &Type, attrs: &[(&str, Attr)]) -> ValueId {
        self.op(name, operands, std::slice::from_ref(ty), attrs)[0]
    }

    pub fn none(&mut self, name: &str, operands: &[ValueId], attrs: &[(&str, Attr)]) {
        self.op(name, operands, &[], attrs);
    }

    fn push(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: SmallVec<[ValueId; 1]>,
        attrs: &[(&str, Attr)],
        successors: Vec<Successor>,
    ) {
        let mut own = Attrs::default();
        for (key, value) in attrs {
            own.insert((*key).into(), value.clone());
        }
        self.blocks[self.current].ops.push(Operation {
            name: name.into(),
            operands: operands.into(),
            results,
            attrs: own,
            successors,
            regions: Vec::new(),
            loc: None,
            span: Span::NONE,
        });
    }

    // ------------------------------------------------------------ control

    /// A new block with arguments of the types; it is not entered.
    pub fn block(&mut self, args: &[Type]) -> usize {
        let index = self.blocks.len();
        let args = args.iter().map(|ty| self.value(ty)).collect();
        self.blocks.push(Block { name: format_smolstr!("b{index}"), args, ops: Vec::new(), span: Span::NONE });
        index
    }

    /// Continues in a block; its arguments come into scope.
    pub fn enter(&mut self, block: usize) {
        self.current = block;
        let args = self.blocks[block].args.clone();
        self.scope.extend(args);
    }

    fn successor(&self, block: usize, args: &[ValueId]) -> Successor {
        Successor { block: BlockId(block as u32), args: args.into() }
    }

    pub fn br(&mut self, block: usize, args: &[ValueId]) {
        let to = self.successor(block, args);
        self.push("core.br", &[], SmallVec::new(), &[], [to].into_iter().collect());
    }

    pub fn cond_br(&mut self, condition: ValueId, yes: (usize, &[ValueId]), no: (usize, &[ValueId])) {
        let to = [self.successor(yes.0, yes.1), self.successor(no.0, no.1)];
        self.push("core.cond_br", &[condition], SmallVec::new(), &[], to.into_iter().collect());
    }

    /// Values for the arguments of a block, each out of scope or made here.
    pub fn arguments(&mut self, types: &[Type]) -> Vec<ValueId> {
        types.iter().map(|ty| self.of_type(ty)).collect()
    }

    pub fn ret(&mut self) {
        let types = self.results.clone();
        let values = self.arguments(&types);
        self.none("core.ret", &values, &[]);
    }

    // ------------------------------------------------------------ the end

    /// Puts the blocks after the entry into another order, at times, and numbers the values in the order of the text.
    pub fn finish(self) -> (Region, Vec<ValueDef>) {
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        if self.dice.chance(30) {
            self.dice.shuffle(&mut order[1..]);
        }
        let mut places = vec![BlockId(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            places[*old] = BlockId(new as u32);
        }
        let mut blocks: Vec<Block> = order.iter().map(|old| self.blocks[*old].clone()).collect();
        let mut numbers = vec![ValueId(0); self.values.len()];
        let mut values = Vec::with_capacity(self.values.len());
        for block in &blocks {
            for id in block.args.iter().chain(block.ops.iter().flat_map(|op| &op.results)) {
                let new = values.len() as u32;
                numbers[id.0 as usize] = ValueId(new);
                let name = if self.dice.chance(40) { format_smolstr!("v{new}") } else { format_smolstr!("{new}") };
                values.push(ValueDef { name, ..self.values[id.0 as usize].clone() });
            }
        }
        let number = |id: &mut ValueId| *id = numbers[id.0 as usize];
        for block in &mut blocks {
            block.args.iter_mut().for_each(number);
            for op in &mut block.ops {
                op.operands.iter_mut().for_each(number);
                op.results.iter_mut().for_each(number);
                for successor in &mut op.successors {
                    successor.block = places[successor.block.0 as usize];
                    successor.args.iter_mut().for_each(number);
                }
            }
        }
        (Region { blocks }, values)
    }
}
