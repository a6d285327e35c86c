//! The graph of a function as a profile names it: blocks by label, and a digest.

use crate::{
    mlir::{
        attribute_view::{AttributeView, view},
        op::operations,
        prelude::*,
    },
    ppyir::export::labels,
    profile::digest::Digest,
    registry::op_by_name,
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// A function that runs on the host, with its blocks and their labels.
pub struct Graph<'c, 'a> {
    pub function: Op<'c, 'a>,
    pub blocks: Vec<BlockRef<'c, 'a>>,
    /// Of each block.
    pub labels: Vec<SmolStr>,
    pub digest: String,
}

impl<'c: 'a, 'a> Graph<'c, 'a> {
    /// The functions of a module that have a body and run on the host.
    pub fn all(module: Op<'c, 'a>) -> Vec<Graph<'c, 'a>> {
        let functions = module.blocks(0).into_iter().flat_map(operations).filter(|op| op.is("ppy_core.func"));
        functions.filter_map(Graph::of).collect()
    }

    fn of(function: Op<'c, 'a>) -> Option<Graph<'c, 'a>> {
        let blocks = function.blocks(0);
        if blocks.is_empty() || matches!(text(function, "gpu.kind"), Some("kernel" | "device")) {
            return None;
        }
        let labels = labels(&blocks);
        let numbers: FxHashMap<usize, usize> = blocks.iter().enumerate().map(|(n, b)| (key(*b), n)).collect();
        let mut digest = Digest::default();
        for (block, label) in blocks.iter().zip(&labels) {
            let last = block.terminator();
            let name = last.map_or("", |last| op_by_name(last.op_name()).map_or(last.op_name(), |info| info.ppyir));
            let successors = last.into_iter().flat_map(|last| (0..last.successor_len()).map(move |i| (last, i)));
            let reached = successors.filter_map(|(last, i)| numbers.get(&key(last.successor_block(i))));
            digest.block(label, name, reached.map(|number| labels[*number].as_str()));
        }
        Some(Graph { function, blocks, labels, digest: digest.finish() })
    }

    /// Its name in the module.
    pub fn symbol(&self) -> &'c str {
        self.function.str_attribute("sym_name").unwrap_or("")
    }

    /// Its qualified Python name, where it has one.
    pub fn qualname(&self) -> Option<&'c str> {
        text(self.function, "ppy.qualname").filter(|name| !name.is_empty())
    }
}

fn text<'c>(op: Op<'c, '_>, name: &str) -> Option<&'c str> {
    match view(op.discardable(name)?) {
        AttributeView::Str(text) => Some(text),
        _ => None,
    }
}

/// The identity of a block.
pub fn key(block: BlockRef) -> usize {
    block.to_raw().ptr as usize
}
