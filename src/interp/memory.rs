//! The memory of an interpreted program: separate blocks of bytes behind plain 64-bit addresses.
//!
//! **Invariant: every address names the block it was made for.** An address is `generation | block | offset`, each
//! block has a window of 4 GiB of its own, and a freed block's number comes back with another generation. So arithmetic
//! on addresses, casts to integers and back, comparisons and pointers in memory are ordinary integers, while an access
//! outside its block, after its end of life, to read-only memory, or misaligned is found and named.

use super::error::Stop;
use crate::semantics::ScalarType;
use std::collections::VecDeque;

const BLOCK_BITS: u32 = 22;
const GENERATION_BITS: u32 = 9;

/// The offset of a block's first byte in its window: room for negative offsets below, and aligned to 16 and no more.
const BASE: u64 = (1 << 30) + 16;

/// The largest block, so that one past its end stays inside the window.
const MAX_BLOCK: u64 = 1 << 31;

/// What a block costs beyond its bytes, against the memory limit.
const BLOCK_COST: u64 = 64;

/// The block number that function addresses have; no memory gets it.
const FUNCTIONS: u64 = (1 << BLOCK_BITS) - 1;

/// Whose memory a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A `core.alloca`; dies with its function.
    Stack,
    /// `malloc` and friends.
    Heap,
    /// A global that may be written.
    Global,
    /// A constant global.
    Constant,
    /// Passed in by the caller.
    Argument,
}

impl Origin {
    fn words(self) -> &'static str {
        match self {
            Origin::Stack => "stack memory",
            Origin::Heap => "heap memory",
            Origin::Global => "global memory",
            Origin::Constant => "constant memory",
            Origin::Argument => "memory passed by the caller",
        }
    }
}

#[derive(Debug)]
struct Block {
    bytes: Vec<u8>,
    generation: u64,
    origin: Origin,
    live: bool,
}

/// All memory of one interpreter.
#[derive(Debug)]
pub struct Memory {
    /// Block 0 is null and never live.
    blocks: Vec<Block>,
    /// Dead block numbers, the longest dead first, so that stale addresses stay recognizable.
    dead: VecDeque<u64>,
    used: u64,
    limit: u64,
    /// The counters of a profile, by number.
    counters: Vec<u64>,
}

impl Memory {
    /// Empty memory that may grow to `limit` bytes.
    pub fn new(limit: u64) -> Memory {
        let null = Block { bytes: Vec::new(), generation: 0, origin: Origin::Constant, live: false };
        Memory { blocks: vec![null], dead: VecDeque::new(), used: 0, limit, counters: Vec::new() }
    }

    /// Adds to a counter, which starts at 0 and wraps.
    #[inline]
    pub fn count(&mut self, counter: usize, by: u64) -> Result<(), Stop> {
        if counter >= self.counters.len() {
            let more = counter + 1 - self.counters.len();
            self.reserve(more as u64 * 8)?;
            self.counters.resize(counter + 1, 0);
        }
        self.counters[counter] = self.counters[counter].wrapping_add(by);
        Ok(())
    }

    /// The counters, up to the last one that was added to.
    pub fn counters(&self) -> &[u64] {
        &self.counters
    }

    /// Counts `bytes` of the interpreter's own against the limit, until [`Memory::release`].
    pub fn reserve(&mut self, bytes: u64) -> Result<(), Stop> {
        match self.used.checked_add(bytes).filter(|used| *used <= self.limit) {
            Some(used) => {
                self.used = used;
                Ok(())
            }
            None => Err(Stop::limit(format!(
                "out of memory: {bytes} more bytes on top of {} are over the limit of {}",
                self.used, self.limit
            ))),
        }
    }

    /// Gives back what [`Memory::reserve`] counted.
    pub fn release(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// A new block of zeros, aligned to 16. Its address stays the same for its whole life.
    pub fn allocate(&mut self, size: u64, origin: Origin) -> Result<u64, Stop> {
        if size > MAX_BLOCK && size <= self.limit {
            return Err(Stop::limit(format!(
                "out of memory: a block of {size} bytes is over the interpreter's limit of {MAX_BLOCK}"
            )));
        }
        self.reserve(size.saturating_add(BLOCK_COST))?;
        let number = match self.dead.pop_front() {
            Some(number) => number,
            None if (self.blocks.len() as u64) < FUNCTIONS => {
                self.blocks.push(Block { bytes: Vec::new(), generation: 0, origin, live: false });
                self.blocks.len() as u64 - 1
            }
            None => {
                self.release(size + BLOCK_COST);
                return Err(Stop::limit(format!("out of memory: {FUNCTIONS} blocks are live")));
            }
        };
        let block = &mut self.blocks[number as usize];
        block.bytes.resize(size as usize, 0);
        block.generation = (block.generation + 1) % (1 << GENERATION_BITS);
        block.origin = origin;
        block.live = true;
        Ok((block.generation << BLOCK_BITS | number) << 32 | BASE)
    }

    /// Ends the life of the block that starts at `address`, which must be of the origin given. Null is let be.
    pub fn free(&mut self, address: u64, origin: Origin) -> Result<(), Stop> {
        if address == 0 {
            return Ok(());
        }
        match self.block(address) {
            Some((block, BASE)) if block.live && block.origin == origin => {}
            Some((block, BASE)) if !block.live => return Err(Stop::undefined("frees memory that is freed already")),
            Some((block, BASE)) => return Err(Stop::undefined(format!("frees {}", block.origin.words()))),
            Some(_) => return Err(Stop::undefined("frees an address inside a block, not its start")),
            None => return Err(Stop::undefined(format!("frees {address:#x}, which is no memory of the program"))),
        }
        let number = address >> 32 & FUNCTIONS;
        let block = &mut self.blocks[number as usize];
        let size = block.bytes.len() as u64;
        block.live = false;
        // Small buffers are kept: stack slots come and go with every call.
        if size > 4096 {
            block.bytes = Vec::new();
        } else {
            block.bytes.clear();
        }
        self.dead.push_back(number);
        self.release(size + BLOCK_COST);
        Ok(())
    }

    /// The live or dead block that an address belongs to, and the offset in its window.
    fn block(&self, address: u64) -> Option<(&Block, u64)> {
        let number = address >> 32 & FUNCTIONS;
        let generation = address >> (32 + BLOCK_BITS);
        let block = self.blocks.get(number as usize)?;
        (number != 0 && block.generation == generation).then_some((block, address & 0xffff_ffff))
    }

    /// Explains why an access of `size` bytes at `address` is refused.
    #[cold]
    fn complain(&self, what: &str, address: u64, size: u64, align: u64) -> Stop {
        if address >> 32 == 0 {
            let null = if address == 0 { "the null pointer".into() } else { format!("{address:#x}, near null") };
            return Stop::undefined(format!("{what} through {null}"));
        }
        if address >> 32 == FUNCTIONS {
            return Stop::undefined(format!("{what} through the address of a function"));
        }
        let Some((block, offset)) = self.block(address) else {
            return Stop::undefined(format!(
                "{what} through {address:#x}, which is no memory of the program, or memory that is gone"
            ));
        };
        let (words, length) = (block.origin.words(), block.bytes.len());
        let at = offset as i64 - BASE as i64;
        Stop::undefined(if !block.live {
            match block.origin {
                Origin::Stack => format!("{what} stack memory of a function that has returned"),
                _ => format!("{what} {words} that is freed"),
            }
        } else if at < 0 || (at as u64).saturating_add(size) > length as u64 {
            format!("{what} {size} bytes at offset {at} of {length} bytes of {words}")
        } else if !address.is_multiple_of(align) {
            format!("{what} {size} bytes at offset {at} of {words}: not aligned to {align}")
        } else {
            format!("{what} {words}")
        })
    }

    /// The bytes of an access, checked.
    #[inline]
    pub fn bytes(&self, address: u64, size: u64, align: u64) -> Result<&[u8], Stop> {
        let found = self.block(address).filter(|(block, _)| block.live && address.is_multiple_of(align));
        let slice = found.and_then(|(block, offset)| {
            let start = offset.wrapping_sub(BASE) as usize;
            block.bytes.get(start..start.checked_add(size as usize)?)
        });
        slice.ok_or_else(|| self.complain("reads", address, size, align))
    }

    /// The bytes of a writing access, checked.
    #[inline]
    pub fn bytes_mut(&mut self, address: u64, size: u64, align: u64) -> Result<&mut [u8], Stop> {
        let number = (address >> 32 & FUNCTIONS) as usize;
        let writable = self.block(address).is_some_and(|(block, offset)| {
            let start = offset.wrapping_sub(BASE) as usize;
            block.live
                && block.origin != Origin::Constant
                && address.is_multiple_of(align)
                && start.checked_add(size as usize).is_some_and(|end| end <= block.bytes.len())
        });
        if !writable {
            return Err(self.complain("writes", address, size, align));
        }
        let start = (address & 0xffff_ffff).wrapping_sub(BASE) as usize;
        Ok(&mut self.blocks[number].bytes[start..start + size as usize])
    }

    /// Reads a scalar, aligned to its size.
    #[inline]
    pub fn load(&self, address: u64, ty: ScalarType) -> Result<u64, Stop> {
        let size = u64::from(ty.size());
        let bytes = self.bytes(address, size, size)?;
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        Ok(ty.from_memory(u64::from_le_bytes(raw)))
    }

    /// Writes a scalar, aligned to its size.
    #[inline]
    pub fn store(&mut self, address: u64, ty: ScalarType, bits: u64) -> Result<(), Stop> {
        let size = u64::from(ty.size());
        let bytes = self.bytes_mut(address, size, size)?;
        bytes.copy_from_slice(&bits.to_le_bytes()[..bytes.len()]);
        Ok(())
    }

    /// Makes a block another kind of memory; the address is one that [`Memory::allocate`] gave.
    pub fn set_origin(&mut self, address: u64, origin: Origin) {
        let number = (address >> 32 & FUNCTIONS) as usize;
        if let Some(block) = self.blocks.get_mut(number) {
            block.origin = origin;
        }
    }

    /// Sets a whole block to zero; the address is one that [`Memory::allocate`] gave.
    pub fn clear(&mut self, address: u64) {
        let number = (address >> 32 & FUNCTIONS) as usize;
        if let Some(block) = self.blocks.get_mut(number) {
            block.bytes.fill(0);
        }
    }

    /// Copies bytes that may overlap, in one block or between two.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Stop> {
        let bytes = self.bytes(from, size, 1)?.to_vec();
        self.bytes_mut(to, size, 1)?.copy_from_slice(&bytes);
        Ok(())
    }
}

/// The address of the function with this index.
pub fn function_address(index: usize) -> u64 {
    (FUNCTIONS << 32) | (BASE + 16 * index as u64)
}

/// The function index of an address, if it can be one.
pub fn function_of(address: u64) -> Option<usize> {
    let offset = (address & 0xffff_ffff).checked_sub(BASE)?;
    (address >> 32 == FUNCTIONS && offset % 16 == 0).then_some(offset as usize / 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::IntType;

    const I64: ScalarType = ScalarType::Int(IntType::I64);

    fn message<T>(result: Result<T, Stop>) -> String {
        match result {
            Err(Stop::Trouble(trouble)) => trouble.1,
            Err(Stop::Status(_)) | Ok(_) => String::new(),
        }
    }

    #[test]
    fn misuse_is_named() -> Result<(), Stop> {
        let mut memory = Memory::new(10_000);
        let a = memory.allocate(24, Origin::Heap)?;
        let b = memory.allocate(24, Origin::Stack)?;
        memory.store(a + 16, I64, 7)?;
        assert_eq!(memory.load(a + 16, I64), Ok(7));
        assert_eq!(message(memory.load(a + 24, I64)), "reads 8 bytes at offset 24 of 24 bytes of heap memory");
        assert_eq!(
            message(memory.load(a.wrapping_sub(8), I64)),
            "reads 8 bytes at offset -8 of 24 bytes of heap memory"
        );
        assert_eq!(message(memory.load(b + 4, I64)), "reads 8 bytes at offset 4 of stack memory: not aligned to 8");
        assert_eq!(message(memory.load(0, I64)), "reads through the null pointer");
        assert_eq!(message(memory.free(b, Origin::Heap)), "frees stack memory");
        memory.free(a, Origin::Heap)?;
        assert_eq!(message(memory.load(a, I64)), "reads heap memory that is freed");
        let c = memory.allocate(24, Origin::Heap)?;
        assert_ne!(a, c);
        assert!(message(memory.free(a, Origin::Heap)).contains("no memory of the program"));
        let d = memory.allocate(8, Origin::Constant)?;
        assert_eq!(message(memory.store(d, I64, 1)), "writes constant memory");
        assert!(message(memory.allocate(10_000, Origin::Heap)).starts_with("out of memory"));
        Ok(())
    }

    #[test]
    fn blocks_come_back_zeroed() -> Result<(), Stop> {
        let mut memory = Memory::new(1 << 20);
        for _ in 0..1000 {
            let a = memory.allocate(8, Origin::Stack)?;
            assert_eq!(memory.load(a, I64), Ok(0));
            memory.store(a, I64, u64::MAX)?;
            memory.free(a, Origin::Stack)?;
        }
        Ok(())
    }
}
