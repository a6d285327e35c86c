//! The blocks of a function by number, with MLIR's dominator tree: passes keep what they find in vectors.

use crate::mlir::{
    analysis::DominanceInfo,
    op::{Op, OpExt},
    prelude::{BlockLike, BlockRef},
};
use rustc_hash::FxHashMap;

/// Blocks by number, in reverse post-order from the entry; what the entry does not reach is left out.
pub struct Dominators<'c, 'a> {
    pub blocks: Vec<BlockRef<'c, 'a>>,
    numbers: FxHashMap<usize, usize>,
    /// The blocks each one dominates immediately.
    pub children: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
    /// When a walk of the tree enters and leaves each block.
    spans: Vec<(usize, usize)>,
}

impl<'c: 'a, 'a> Dominators<'c, 'a> {
    pub fn new(function: Op<'c, 'a>, dominance: &DominanceInfo) -> Self {
        let blocks = reverse_post_order(function);
        let numbers: FxHashMap<usize, usize> = blocks.iter().enumerate().map(|(n, b)| (key(*b), n)).collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            for successor in successors(*block) {
                predecessors[numbers[&key(successor)]].push(number);
            }
        }
        let mut children = vec![Vec::new(); blocks.len()];
        for (number, block) in blocks.iter().enumerate() {
            let parent = dominance.immediate_dominator(*block).and_then(|parent| numbers.get(&key(parent)));
            if let Some(parent) = parent {
                children[*parent].push(number);
            }
        }
        let spans = spans(&children);
        Self { blocks, numbers, children, predecessors, spans }
    }

    /// The number of a reachable block.
    pub fn number(&self, block: BlockRef<'c, 'a>) -> Option<usize> {
        self.numbers.get(&key(block)).copied()
    }

    /// Whether every way to `below` passes `above`, which is another block.
    pub fn strictly_dominates(&self, above: usize, below: usize) -> bool {
        let ((from, to), (at, _)) = (self.spans[above], self.spans[below]);
        above != below && (from..to).contains(&at)
    }
}

fn key(block: BlockRef) -> usize {
    block.to_raw().ptr as usize
}

fn successors<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    block.terminator().map_or(Vec::new(), |last| (0..last.successor_len()).map(|i| last.successor_block(i)).collect())
}

fn reverse_post_order<'c: 'a, 'a>(function: Op<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut order = Vec::new();
    let mut stack: Vec<_> = function.blocks(0).first().map(|entry| (*entry, successors(*entry))).into_iter().collect();
    seen.extend(stack.iter().map(|(entry, _)| key(*entry)));
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(key(next)) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn spans(children: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut spans = vec![(0, 0); children.len()];
    let mut clock = 0;
    let mut stack = if children.is_empty() { vec![] } else { vec![(0, 0)] };
    while let Some((block, next)) = stack.last_mut() {
        if *next == 0 {
            spans[*block].0 = clock;
            clock += 1;
        }
        match children[*block].get(*next) {
            Some(child) => {
                *next += 1;
                let child = *child;
                stack.push((child, 0));
            }
            None => {
                spans[*block].1 = clock;
                stack.pop();
            }
        }
    }
    spans
}
