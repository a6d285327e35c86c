//! Analyses of MLIR, as a pass that `requires` them gets them: the pass manager computes one where it has none that
//! still holds.
//!
//! A handle has the name of its C++ class, which the declaration of the pass names: `::mlir::DominanceInfo` is
//! [`DominanceInfo`]. It answers for the blocks as they were when the analysis was computed.

use melior::ir::{BlockLike, BlockRef};
use mlir_sys::MlirBlock;
use std::{ffi::c_void, marker::PhantomData};

unsafe extern "C" {
    fn ppyImmediateDominator(analysis: *const c_void, block: MlirBlock) -> MlirBlock;
    fn ppyLoops(analysis: *const c_void, add: AddLoop, data: *mut c_void);
    fn ppyIsInLoop(analysis: *const c_void, block: MlirBlock) -> bool;
}

type AddLoop = extern "C" fn(*mut c_void, MlirBlock, MlirBlock, isize, *const MlirBlock);

macro_rules! analyses {
    ($($(#[$what:meta])* $name:ident;)*) => {$(
        $(#[$what])*
        pub struct $name<'p> {
            raw: *const c_void,
            pass: PhantomData<&'p ()>,
        }

        impl $name<'_> {
            /// # Safety
            ///
            /// `raw` is the C++ object of this name, and stays while the pass runs.
            pub(crate) unsafe fn from_raw(raw: *const c_void) -> Self {
                Self { raw, pass: PhantomData }
            }
        }
    )*};
}

analyses! {
    /// `::mlir::DominanceInfo`: which blocks every way to a block passes.
    DominanceInfo;
    /// `::ppy::LoopInfo`, upstream's `CFGLoopInfo` of a function: its natural loops.
    LoopInfo;
}

impl DominanceInfo<'_> {
    /// The last block that every way to this one passes; `None` for the entry and for what it does not reach.
    pub fn immediate_dominator<'c: 'a, 'a>(&self, block: BlockRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
        unsafe { BlockRef::from_option_raw(ppyImmediateDominator(self.raw, block.to_raw())) }
    }
}

/// A natural loop.
pub struct NaturalLoop<'c, 'a> {
    pub header: BlockRef<'c, 'a>,
    /// The block outside that goes to the header, if there is only one.
    pub entry: Option<BlockRef<'c, 'a>>,
    /// With those of the loops inside.
    pub blocks: Vec<BlockRef<'c, 'a>>,
}

impl LoopInfo<'_> {
    /// The loops, outer before inner.
    pub fn loops<'c: 'a, 'a>(&self) -> Vec<NaturalLoop<'c, 'a>> {
        extern "C" fn add(
            data: *mut c_void,
            header: MlirBlock,
            entry: MlirBlock,
            count: isize,
            blocks: *const MlirBlock,
        ) {
            // Both are alive while `loops` runs.
            let (loops, blocks) = unsafe {
                let count = usize::try_from(count).unwrap_or(0);
                (&mut *data.cast::<Vec<NaturalLoop>>(), std::slice::from_raw_parts(blocks, count))
            };
            unsafe {
                loops.push(NaturalLoop {
                    header: BlockRef::from_raw(header),
                    entry: BlockRef::from_option_raw(entry),
                    blocks: blocks.iter().map(|block| BlockRef::from_raw(*block)).collect(),
                });
            }
        }
        let mut loops: Vec<NaturalLoop<'c, 'a>> = Vec::new();
        unsafe { ppyLoops(self.raw, add, (&raw mut loops).cast()) };
        loops
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, block: BlockRef<'_, '_>) -> bool {
        unsafe { ppyIsInLoop(self.raw, block.to_raw()) }
    }
}
