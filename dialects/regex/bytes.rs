//! Sets of bytes: what a pattern's classes are.

use std::fmt;
use std::ops::RangeInclusive;

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub const EMPTY: ByteSet = ByteSet([0; 4]);
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    pub fn of(bytes: impl IntoIterator<Item = u8>) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        for byte in bytes {
            set.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        set
    }

    /// What satisfies a condition.
    pub fn which(condition: impl Fn(u8) -> bool) -> ByteSet {
        ByteSet::of((0..=u8::MAX).filter(|byte| condition(*byte)))
    }

    #[inline]
    pub fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }

    pub fn union(self, other: ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub fn intersection(self, other: ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    pub fn is_empty(self) -> bool {
        self == ByteSet::EMPTY
    }

    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |byte| self.contains(*byte))
    }

    /// Both cases of the letters in it.
    pub fn any_case(self) -> ByteSet {
        let other =
            |byte: u8| if byte.is_ascii_uppercase() { byte.to_ascii_lowercase() } else { byte.to_ascii_uppercase() };
        self.union(ByteSet::of(self.iter().map(other)))
    }

    /// Its runs of neighbours, in order.
    pub fn ranges(self) -> Vec<RangeInclusive<u8>> {
        let mut ranges: Vec<RangeInclusive<u8>> = Vec::new();
        for byte in self.iter() {
            match ranges.last_mut() {
                Some(last) if *last.end() + 1 == byte => *last = *last.start()..=byte,
                _ => ranges.push(byte..=byte),
            }
        }
        ranges
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for range in self.ranges() {
            write!(f, "{:02x}-{:02x} ", range.start(), range.end())?;
        }
        f.write_str("]")
    }
}
