//! Working on many bytes of the buffer at once, in core operations on vectors.

use super::bytes::ByteSet;
use super::writer::{Block, Writer};
use crate::dialects::core::enums::{Overflow, Predicate};
use crate::dialects::core::ops::*;
use crate::dialects::core::type_views::PtrType;
use melior::ir::{Type, Value, ValueLike};
use std::collections::HashMap;

/// Bytes looked at together.
pub const WIDTH: i64 = 32;
/// Words of as many bytes.
const WORDS: i64 = WIDTH / 8;

/// What vectors need, made before the matcher's own blocks.
pub struct Lanes<'c, 'a> {
    bytes: Type<'c>,
    bits: Type<'c>,
    /// The block where vectors of one byte are made, and where it leads.
    block: Block<'c, 'a>,
    after: Block<'c, 'a>,
    splats: HashMap<u8, Value<'c, 'a>>,
    /// Memory for one vector.
    scratch: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Lanes<'c, 'a> {
    /// Leaves the current block for one that comes after all that is made once.
    pub fn begin(w: &mut Writer<'c, 'a, '_>) -> Self {
        let (block, after) = (w.block(0), w.block(0));
        w.jump(block, &[]);
        w.at(block);
        let scratch = w.slots(WORDS);
        w.at(after);
        let vector = |element| Type::vector(&[WIDTH as u64], element);
        Lanes { bytes: vector(w.byte), bits: vector(w.bit), block, after, splats: HashMap::new(), scratch }
    }
    /// Ends the block of what is made once.
    pub fn finish(self, w: &mut Writer<'c, 'a, '_>) {
        w.at(self.block);
        w.jump(self.after, &[]);
    }

    /// Bytes of the buffer from a position on, all in it.
    pub fn load(&self, w: &mut Writer<'c, 'a, '_>, at: Value<'c, 'a>) -> Value<'c, 'a> {
        let (context, location) = (w.context, w.location);
        let pointer = |to| PtrType::get(context, to, "generic", false).map_or(to, PtrType::as_type);
        let data = w.value(BufferDataOp::build(context, w.buffer, pointer(w.byte), location));
        let place = w.value(PtrOffsetOp::build(context, data, at, pointer(w.byte), location));
        let place = w.value(CastOp::build(context, place, pointer(self.bytes), location));
        w.value(LoadOp::build(context, place, self.bytes, location))
    }

    /// The scratch memory, or other words of the stack, as a vector's.
    fn memory(&self, w: &Writer<'c, 'a, '_>, slots: Value<'c, 'a>) -> Value<'c, 'a> {
        let pointer = PtrType::get(w.context, self.bytes, "stack", false).map_or(self.bytes, PtrType::as_type);
        w.value(CastOp::build(w.context, slots, pointer, w.location))
    }

    /// A byte in every lane, by way of memory, which LLVM sees through.
    fn splat(&mut self, w: &mut Writer<'c, 'a, '_>, byte: u8) -> Value<'c, 'a> {
        if let Some(lanes) = self.splats.get(&byte) {
            return *lanes;
        }
        let block = w.block;
        w.at(self.block);
        let word = w.int(i64::from_ne_bytes([byte; 8]));
        let slots = w.slots(WORDS);
        for i in 0..WORDS {
            let index = w.int(i);
            let slot = w.slot(slots, index, 1, 0);
            w.put(word, slot);
        }
        let place = self.memory(w, slots);
        let lanes = w.value(LoadOp::build(w.context, place, self.bytes, w.location));
        w.at(block);
        self.splats.insert(byte, lanes);
        lanes
    }

    fn compare(
        &self,
        w: &Writer<'c, 'a, '_>,
        predicate: Predicate,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        w.value(CmpOp::build(w.context, lhs, rhs, predicate, self.bits, w.location))
    }

    /// Which lanes are in a set.
    pub fn within(&mut self, w: &mut Writer<'c, 'a, '_>, bytes: Value<'c, 'a>, set: ByteSet) -> Value<'c, 'a> {
        let mut found = None;
        for range in set.ranges() {
            let (low, high) = (*range.start(), *range.end());
            let first = self.splat(w, low);
            let is = if low == high {
                self.compare(w, Predicate::Eq, bytes, first)
            } else {
                let wrap = Some(Overflow::Wrap);
                let offset = w.value(SubOp::build(w.context, bytes, first, wrap, self.bytes, w.location));
                let span = self.splat(w, high - low);
                self.compare(w, Predicate::Le, offset, span)
            };
            found = Some(match found {
                Some(found) => w.value(OrOp::build(w.context, found, is, self.bits, w.location)),
                None => is,
            });
        }
        // No byte is in an empty set.
        found.unwrap_or_else(|| self.compare(w, Predicate::Ne, bytes, bytes))
    }

    /// The lanes that are in both.
    pub fn both(&self, w: &Writer<'c, 'a, '_>, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        w.value(AndOp::build(w.context, lhs, rhs, lhs.r#type(), w.location))
    }

    /// Whether any lane holds.
    pub fn any(&self, w: &mut Writer<'c, 'a, '_>, lanes: Value<'c, 'a>) -> Value<'c, 'a> {
        let bytes = w.value(CastOp::build(w.context, lanes, self.bytes, w.location));
        let place = self.memory(w, self.scratch);
        w.op(StoreOp::build(w.context, bytes, place, w.location));
        let zero = w.int(0);
        let mut any = zero;
        for i in 0..WORDS {
            let index = w.int(i);
            let slot = w.slot(self.scratch, index, 1, 0);
            let word = w.get(slot);
            any = w.value(OrOp::build(w.context, any, word, w.word, w.location));
        }
        w.compare(Predicate::Ne, any, zero)
    }
}
