//! Writing a function of core operations, block by block.

use super::bytes::ByteSet;
use crate::dialects::core::enums::{GuardKind, Overflow, Predicate};
use crate::dialects::core::lower_memory::UNINITIALIZED;
use crate::dialects::core::ops::*;
use crate::dialects::core::type_views::{BufferType, PtrType};
use crate::mlir::attribute::{bytes_attribute, integer_attribute};
use crate::mlir::builder::{Parts, append_block};
use crate::mlir::prelude::*;
use melior::ir::Region;
use melior::ir::attribute::ArrayAttribute;
use melior::ir::r#type::{FunctionType, IntegerType};
use std::collections::HashMap;

/// More comparisons than that are a table.
const COMPARISONS: usize = 3;

/// Digits of the numbers in tables: their bytes are text, so they are below 128.
pub const DIGIT: usize = 128;

/// The digits of a number, the lowest first; `None` where it has more.
pub fn digits<const N: usize>(mut number: usize) -> Option<[u8; N]> {
    let digits = std::array::from_fn(|_| {
        let digit = number % DIGIT;
        number /= DIGIT;
        digit as u8
    });
    (number == 0).then_some(digits)
}

/// Constant bytes that functions of the module read.
#[derive(Default)]
pub struct Tables {
    names: HashMap<Vec<u8>, String>,
    /// In the order of their names.
    made: Vec<(String, Vec<u8>)>,
    prefix: String,
}

impl Tables {
    /// Tables whose names start with this.
    pub fn new(prefix: &str) -> Tables {
        Tables { prefix: prefix.to_owned(), ..Tables::default() }
    }
    /// The name of a table. Its bytes are below 128, so that they are themselves as text.
    fn name(&mut self, bytes: Vec<u8>) -> String {
        if let Some(name) = self.names.get(&bytes) {
            return name.clone();
        }
        let name = format!("{}.table.{}", self.prefix, self.made.len());
        self.made.push((name.clone(), bytes.clone()));
        self.names.insert(bytes, name.clone());
        name
    }
    /// Their globals.
    pub fn globals<'c>(&self, context: &'c Context, location: Location<'c>) -> Vec<Operation<'c>> {
        let byte = IntegerType::unsigned(context, 8).into();
        let Some(buffer) = BufferType::get(context, byte).map(BufferType::as_type) else { return Vec::new() };
        let global = |(name, bytes): &(String, Vec<u8>)| {
            let value = bytes_attribute(context, bytes);
            GlobalOp::build(context, name, Some("private"), false, buffer, Some(value), location)
        };
        self.made.iter().map(global).collect()
    }
}

/// Where the next operation goes, and what every matcher has.
pub struct Writer<'c, 'a, 't> {
    pub(super) context: &'c Context,
    pub(super) location: Location<'c>,
    region: Region<'c>,
    entry: BlockRef<'c, 'a>,
    pub(super) block: BlockRef<'c, 'a>,
    tables: &'t mut Tables,
    constants: HashMap<(i64, bool), Value<'c, 'a>>,
    pub word: Type<'c>,
    pub bit: Type<'c>,
    pub(super) byte: Type<'c>,
    pub buffer: Value<'c, 'a>,
    pub pos: Value<'c, 'a>,
    pub endpos: Value<'c, 'a>,
}

pub type Block<'c, 'a> = BlockRef<'c, 'a>;

impl<'c: 'a, 'a, 't> Writer<'c, 'a, 't> {
    /// A function of a buffer and two positions, at its beginning.
    pub fn new(context: &'c Context, location: Location<'c>, tables: &'t mut Tables) -> Option<Self> {
        let word: Type = IntegerType::new(context, 64).into();
        let byte: Type = IntegerType::unsigned(context, 8).into();
        let buffer = BufferType::get(context, byte)?.as_type();
        let region = Region::new();
        let arguments = [(buffer, location), (word, location), (word, location)];
        let entry = append_block(&region, melior::ir::Block::new(&arguments));
        let argument = |i: usize| entry.argument(i).ok().map(Value::from);
        Some(Writer {
            context,
            location,
            entry,
            block: entry,
            tables,
            constants: HashMap::new(),
            word,
            bit: IntegerType::new(context, 1).into(),
            byte,
            buffer: argument(0)?,
            pos: argument(1)?,
            endpos: argument(2)?,
            region,
        })
    }

    /// The function, private, with attributes that say where it comes from.
    pub fn finish(self, name: &str, ends: usize, attributes: &[(&str, &str)]) -> Operation<'c> {
        let context = self.context;
        let inputs = [self.buffer.r#type(), self.word, self.word];
        let results: Vec<Type> = std::iter::once(self.bit).chain(std::iter::repeat_n(self.word, ends)).collect();
        let text = |text: &str| Attribute::from(StringAttribute::new(context, text));
        let mut parts = Parts::new(context);
        parts.attribute("sym_name", text(name));
        let signature = FunctionType::new(context, &inputs, &results);
        parts.attribute("function_type", TypeAttribute::new(signature.into()).into());
        parts.attribute("sym_visibility", text("private"));
        parts.attribute("effects", ArrayAttribute::new(context, &[text("read_memory")]).into());
        for (name, value) in attributes {
            parts.attribute(name, text(value));
        }
        parts.region(self.region);
        parts.create(FuncOp::NAME, self.location)
    }

    /// A block with words for arguments.
    pub fn block(&self, words: usize) -> Block<'c, 'a> {
        let arguments = vec![(self.word, self.location); words];
        append_block(&self.region, melior::ir::Block::new(&arguments))
    }
    /// A block with one bool for its argument.
    fn bit_block(&self) -> Block<'c, 'a> {
        append_block(&self.region, melior::ir::Block::new(&[(self.bit, self.location)]))
    }
    /// An argument of a block. Out of range it is the buffer's length in disguise of nothing: callers know theirs.
    pub fn argument(&self, block: Block<'c, 'a>, index: usize) -> Value<'c, 'a> {
        block.argument(index).map_or(self.pos, Value::from)
    }
    /// Goes on writing in a block.
    pub fn at(&mut self, block: Block<'c, 'a>) {
        self.block = block;
    }

    pub(super) fn op(&self, op: Operation<'c>) -> Op<'c, 'a> {
        self.block.append_operation(op)
    }
    pub(super) fn value(&self, op: Operation<'c>) -> Value<'c, 'a> {
        self.op(op).result_value()
    }

    /// A constant, in the entry block, which dominates all others.
    fn literal(&mut self, type_: Type<'c>, value: i64, byte: bool) -> Value<'c, 'a> {
        let (context, location, entry) = (self.context, self.location, self.entry);
        *self.constants.entry((value, byte)).or_insert_with(|| {
            let op = ConstOp::build(context, integer_attribute(type_, value), type_, location);
            entry.insert_operation(0, op).result_value()
        })
    }
    pub fn int(&mut self, value: i64) -> Value<'c, 'a> {
        self.literal(self.word, value, false)
    }
    fn byte(&mut self, value: u8) -> Value<'c, 'a> {
        self.literal(self.byte, value.into(), true)
    }
    pub fn bool(&mut self, value: bool) -> Value<'c, 'a> {
        let value = integer_attribute(self.bit, value.into());
        self.value(ConstOp::build(self.context, value, self.bit, self.location))
    }
    /// A sum that fits.
    pub fn add(&mut self, lhs: Value<'c, 'a>, rhs: i64) -> Value<'c, 'a> {
        if rhs == 0 {
            return lhs;
        }
        let rhs = self.int(rhs);
        self.sum(lhs, rhs)
    }
    pub fn scaled(&mut self, lhs: Value<'c, 'a>, rhs: i64) -> Value<'c, 'a> {
        let rhs = self.int(rhs);
        self.value(MulOp::build(self.context, lhs, rhs, Some(Overflow::Proven), self.word, self.location))
    }
    pub fn compare(&self, predicate: Predicate, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(CmpOp::build(self.context, lhs, rhs, predicate, self.bit, self.location))
    }
    pub fn select(&self, condition: Value<'c, 'a>, yes: Value<'c, 'a>, no: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(SelectOp::build(self.context, condition, yes, no, yes.r#type(), self.location))
    }
    /// A sum of words that fits.
    pub fn sum(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(AddOp::build(self.context, lhs, rhs, Some(Overflow::Proven), self.word, self.location))
    }
    /// A difference of words that fits.
    pub fn difference(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(SubOp::build(self.context, lhs, rhs, Some(Overflow::Proven), self.word, self.location))
    }
    /// The lesser of two words.
    pub fn min(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.select(self.compare(Predicate::Lt, lhs, rhs), lhs, rhs)
    }
    pub fn or(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(OrOp::build(self.context, lhs, rhs, self.bit, self.location))
    }
    pub fn and(&self, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(AndOp::build(self.context, lhs, rhs, self.bit, self.location))
    }
    fn not(&mut self, bit: Value<'c, 'a>) -> Value<'c, 'a> {
        let yes = self.bool(true);
        self.value(XorOp::build(self.context, bit, yes, self.bit, self.location))
    }

    /// The length of the buffer.
    pub fn length(&self) -> Value<'c, 'a> {
        let index = Type::index(self.context);
        let length = self.value(BufferLenOp::build(self.context, self.buffer, index, self.location));
        self.value(CastOp::build(self.context, length, self.word, self.location))
    }
    /// A byte of the buffer, which must be in it.
    pub fn load(&self, at: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(BufferLoadOp::build(self.context, self.buffer, at, self.byte, self.location))
    }
    /// Whether a byte is in a set.
    pub fn is_in(&mut self, byte: Value<'c, 'a>, set: ByteSet) -> Value<'c, 'a> {
        let (ranges, others) = (set.ranges(), set.complement().ranges());
        if set.is_empty() || others.is_empty() {
            return self.bool(others.is_empty());
        }
        if ranges.len() > COMPARISONS && others.len() > COMPARISONS {
            let table = (0..=u8::MAX).map(|byte| set.contains(byte).into()).collect();
            let held = self.table(table, byte);
            let zero = self.byte(0);
            return self.compare(Predicate::Ne, held, zero);
        }
        let negate = others.len() < ranges.len();
        let mut found = None;
        for range in if negate { others } else { ranges } {
            let (low, high) = (*range.start(), *range.end());
            let is = if low == high {
                let low = self.byte(low);
                self.compare(Predicate::Eq, byte, low)
            } else {
                let low_value = self.byte(low);
                let wrap = Some(Overflow::Wrap);
                let offset = match low {
                    0 => byte,
                    _ => self.value(SubOp::build(self.context, byte, low_value, wrap, self.byte, self.location)),
                };
                let span = self.byte(high - low);
                self.compare(Predicate::Le, offset, span)
            };
            found = Some(found.map_or(is, |found| self.or(found, is)));
        }
        match found {
            Some(found) if negate => self.not(found),
            Some(found) => found,
            None => self.bool(negate),
        }
    }
    /// What a table of 256 bytes has for a byte.
    pub fn table(&mut self, bytes: Vec<u8>, byte: Value<'c, 'a>) -> Value<'c, 'a> {
        let (data, at) = (self.data(bytes), self.widened(byte));
        self.byte_of(data, at)
    }
    /// A byte as a word.
    pub fn widened(&self, byte: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(CastOp::build(self.context, byte, self.word, self.location))
    }
    /// Where constant bytes below 128 are.
    pub fn data(&mut self, bytes: Vec<u8>) -> Value<'c, 'a> {
        let name = self.tables.name(bytes);
        let pointer = PtrType::get(self.context, self.byte, "generic", false).map_or(self.word, PtrType::as_type);
        let data = CallIntrinsicOp::build(self.context, &[], "ppy.string_data", &[pointer], self.location);
        let data = self.op(data);
        data.set("symbol", FlatSymbolRefAttribute::new(self.context, &name).into());
        data.result_value()
    }
    /// The number whose digits begin there.
    pub fn number<const N: usize>(&mut self, data: Value<'c, 'a>, at: Value<'c, 'a>) -> Value<'c, 'a> {
        let (mut number, mut unit) = (self.byte_of(data, at), 1);
        number = self.widened(number);
        for digit in 1..N {
            unit *= DIGIT as i64;
            let place = self.add(at, digit as i64);
            let value = self.byte_of(data, place);
            let value = self.widened(value);
            let value = self.scaled(value, unit);
            number = self.sum(number, value);
        }
        number
    }
    /// One of such bytes.
    pub fn byte_of(&self, data: Value<'c, 'a>, at: Value<'c, 'a>) -> Value<'c, 'a> {
        let place = self.value(PtrOffsetOp::build(self.context, data, at, data.r#type(), self.location));
        self.value(LoadOp::build(self.context, place, self.byte, self.location))
    }
    /// Whether a byte equals a number.
    pub fn is_byte(&mut self, byte: Value<'c, 'a>, value: u8) -> Value<'c, 'a> {
        let value = self.byte(value);
        self.compare(Predicate::Eq, byte, value)
    }
    /// Whether a byte is less than a number.
    pub fn is_below(&mut self, byte: Value<'c, 'a>, value: u8) -> Value<'c, 'a> {
        let value = self.byte(value);
        self.compare(Predicate::Lt, byte, value)
    }

    /// Stack memory for words. What is read was written: it needs no zeros.
    pub fn slots(&self, count: i64) -> Value<'c, 'a> {
        let pointer = PtrType::get(self.context, self.word, "stack", false).map_or(self.word, PtrType::as_type);
        let count = (count != 1).then_some(count);
        let slots = self.op(AllocaOp::build(self.context, count, pointer, self.location));
        slots.set(UNINITIALIZED, bool_attribute(self.context, true));
        slots.result_value()
    }
    /// A slot at an index.
    pub fn slot(&mut self, slots: Value<'c, 'a>, index: Value<'c, 'a>, scale: i64, offset: i64) -> Value<'c, 'a> {
        let index = self.scaled(index, scale);
        let index = self.add(index, offset);
        self.value(PtrOffsetOp::build(self.context, slots, index, slots.r#type(), self.location))
    }
    /// A slot by its number.
    pub fn nth(&mut self, slots: Value<'c, 'a>, number: usize) -> Value<'c, 'a> {
        let index = self.int(number as i64);
        self.value(PtrOffsetOp::build(self.context, slots, index, slots.r#type(), self.location))
    }
    pub fn get(&self, slot: Value<'c, 'a>) -> Value<'c, 'a> {
        self.value(LoadOp::build(self.context, slot, self.word, self.location))
    }
    pub fn put(&self, value: Value<'c, 'a>, slot: Value<'c, 'a>) {
        self.op(StoreOp::build(self.context, value, slot, self.location));
    }

    /// Goes to a block.
    pub fn jump(&self, block: Block<'c, 'a>, arguments: &[Value<'c, 'a>]) {
        self.op(BrOp::build(self.context, arguments, &block, self.location));
    }
    /// Goes to one of two blocks.
    pub fn branch(
        &self,
        condition: Value<'c, 'a>,
        (yes, with): (Block<'c, 'a>, &[Value<'c, 'a>]),
        (no, with_no): (Block<'c, 'a>, &[Value<'c, 'a>]),
    ) {
        self.op(CondBrOp::build(self.context, condition, with, with_no, &yes, &no, self.location));
    }
    /// Goes on in a new block where a condition holds, elsewhere in another.
    pub fn unless_to(&mut self, condition: Value<'c, 'a>, otherwise: (Block<'c, 'a>, &[Value<'c, 'a>])) {
        let next = self.block(0);
        self.branch(condition, (next, &[]), otherwise);
        self.at(next);
    }
    pub fn ret(&self, found: Value<'c, 'a>, ends: &[Value<'c, 'a>]) {
        let values: Vec<Value> = std::iter::once(found).chain(ends.iter().copied()).collect();
        self.op(RetOp::build(self.context, &values, self.location));
    }
    /// Fails into the fallback unless the stack has room.
    pub fn guard_stack(&self, condition: Value<'c, 'a>) {
        let (kind, label) = (GuardKind::Range, Some("regex.stack.ok"));
        self.op(GuardOp::build(self.context, condition, &[], kind, None, label, None, self.location));
    }

    /// Whether the byte before a position, or at it, is in a set; false outside the text.
    pub fn neighbour(&mut self, at: Value<'c, 'a>, end: Option<Value<'c, 'a>>, set: ByteSet) -> Value<'c, 'a> {
        let (look, done) = (self.block(0), self.bit_block());
        let no = self.bool(false);
        let zero = self.int(0);
        let inside = match end {
            Some(end) => self.compare(Predicate::Lt, at, end),
            None => self.compare(Predicate::Gt, at, zero),
        };
        self.branch(inside, (look, &[]), (done, &[no]));
        self.at(look);
        let place = if end.is_some() { at } else { self.add(at, -1) };
        let byte = self.load(place);
        let is = self.is_in(byte, set);
        self.jump(done, &[is]);
        self.at(done);
        self.argument(done, 0)
    }
}
