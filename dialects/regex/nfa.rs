//! A pattern as a graph whose paths, in their order, are the ways a backtracking matcher tries.
//!
//! Repeats are copies, so that a place in the graph and a position in the text are all there is to know of the past,
//! but for one thing: whether an iteration of a loop has taken a byte yet. That is a mark, set where an iteration
//! begins and gone with the next byte; an iteration that ends with its mark took nothing and is the last one tried.

use super::bytes::ByteSet;
use super::program::Mode;
use super::syntax::{Anchor, Node, Pattern};
use super::trie;

/// Nodes of a graph; larger patterns are left to the backtracking matcher.
const MAX_NODES: usize = 16_000;
/// Loops with marks, a bit each.
const MAX_MARKS: usize = 32;
/// Ends of groups, a bit each.
const MAX_SLOTS: usize = 64;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Takes a byte, which is in at most one of the sets.
    Byte(Vec<(ByteSet, usize)>),
    /// The first way that leads to a match.
    Split(Vec<usize>),
    Save {
        slot: usize,
        next: usize,
    },
    At {
        anchor: Anchor,
        next: usize,
    },
    /// An iteration that needs not be begins.
    Begin {
        mark: usize,
        next: usize,
    },
    /// It ends: it took something and another may follow, or it took nothing.
    End {
        mark: usize,
        again: usize,
        exit: usize,
    },
    Accept,
}

impl Place {
    pub fn nexts(&self) -> Vec<usize> {
        match self {
            Place::Byte(ways) => ways.iter().map(|(_, next)| *next).collect(),
            Place::Save { next, .. } | Place::At { next, .. } | Place::Begin { next, .. } => vec![*next],
            Place::Split(ways) => ways.clone(),
            Place::End { again, exit, .. } => vec![*again, *exit],
            Place::Accept => Vec::new(),
        }
    }
}

/// A pattern's graph.
#[derive(Debug)]
pub struct Nfa {
    pub places: Vec<Place>,
    pub start: usize,
    /// Where the pattern itself begins, whose start is to be searched for; `None` where it is given.
    pub searched: Option<usize>,
    /// Ends of groups: twice their number, the whole match counted.
    pub slots: usize,
    /// By place: the slots whose values a match through it still needs.
    pub live: Vec<u64>,
    /// By place: the slots that, where they are set, always were so many bytes ago.
    pub fixed: Vec<u64>,
    marks: usize,
}

impl Nfa {
    /// `None` for a pattern that becomes too large.
    pub fn new(pattern: &Pattern, mode: Mode) -> Option<Nfa> {
        let slots = 2 * (pattern.groups + 1);
        if slots > MAX_SLOTS {
            return None;
        }
        let mut nfa =
            Nfa { places: Vec::new(), start: 0, searched: None, slots, live: Vec::new(), fixed: Vec::new(), marks: 0 };
        let accept = nfa.push(Place::Accept)?;
        let end = nfa.push(Place::Save { slot: 1, next: accept })?;
        let end = match mode {
            Mode::Fullmatch => nfa.push(Place::At { anchor: Anchor::TextEnd, next: end })?,
            Mode::Search | Mode::Match => end,
        };
        let body = nfa.node(&pattern.root, end)?;
        nfa.start = nfa.push(Place::Save { slot: 0, next: body })?;
        if mode == Mode::Search {
            // Here, or one byte on.
            nfa.searched = Some(nfa.start);
            let restart = nfa.push(Place::Split(vec![nfa.start]))?;
            let skip = nfa.push(Place::Byte(vec![(ByteSet::ALL, restart)]))?;
            nfa.places[restart] = Place::Split(vec![nfa.start, skip]);
            nfa.start = restart;
        }
        nfa.find_live();
        nfa.find_fixed();
        Some(nfa)
    }

    pub(super) fn push(&mut self, place: Place) -> Option<usize> {
        self.places.push(place);
        (self.places.len() <= MAX_NODES).then(|| self.places.len() - 1)
    }

    /// Where parts begin that follow each other and go on at `next`.
    pub(super) fn sequence(&mut self, parts: &[Node], next: usize) -> Option<usize> {
        parts.iter().rev().try_fold(next, |next, part| self.node(part, next))
    }

    fn node(&mut self, node: &Node, next: usize) -> Option<usize> {
        match node {
            Node::Byte(set) => self.push(Place::Byte(vec![(*set, next)])),
            Node::At(anchor) => self.push(Place::At { anchor: *anchor, next }),
            Node::Concat(parts) => self.sequence(parts, next),
            Node::Alternate(parts) => trie::alternatives(self, parts, next),
            Node::Group(group, body) => {
                let end = self.push(Place::Save { slot: 2 * group + 1, next })?;
                let body = self.node(body, end)?;
                self.push(Place::Save { slot: 2 * group, next: body })
            }
            Node::Repeat { body, min, max, greedy } => self.repeat(body, *min, *max, *greedy, next),
        }
    }

    fn repeat(&mut self, body: &Node, min: u32, max: Option<u32>, greedy: bool, exit: usize) -> Option<usize> {
        if max.unwrap_or(min) as usize > MAX_NODES {
            return None;
        }
        let mark = match body.nullable() {
            true => {
                self.marks += 1;
                (self.marks <= MAX_MARKS).then_some(Some(self.marks - 1))?
            }
            false => None,
        };
        let mut first = match max {
            None => {
                let again = self.push(Place::Split(Vec::new()))?;
                let way = self.iteration(body, mark, again, exit)?;
                self.places[again] = choice(way, exit, greedy);
                again
            }
            Some(max) => {
                let mut first = exit;
                for _ in min..max {
                    let way = self.iteration(body, mark, first, exit)?;
                    first = self.push(choice(way, exit, greedy))?;
                }
                first
            }
        };
        for _ in 0..min {
            first = self.node(body, first)?;
        }
        Some(first)
    }

    /// An iteration that needs not be.
    fn iteration(&mut self, body: &Node, mark: Option<usize>, again: usize, exit: usize) -> Option<usize> {
        let Some(mark) = mark else { return self.node(body, again) };
        let end = self.push(Place::End { mark, again, exit })?;
        let body = self.node(body, end)?;
        self.push(Place::Begin { mark, next: body })
    }

    fn find_live(&mut self) {
        self.live = vec![0; self.places.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (i, place) in self.places.iter().enumerate() {
                let ahead = place.nexts().iter().fold(0, |live, next| live | self.live[*next]);
                let live = match place {
                    Place::Save { slot, .. } => ahead & !(1 << slot),
                    Place::Accept if self.slots == MAX_SLOTS => u64::MAX,
                    Place::Accept => (1 << self.slots) - 1,
                    _ => ahead,
                };
                changed |= std::mem::replace(&mut self.live[i], live) != live;
            }
        }
    }

    /// Follows how many bytes ago each slot was set.
    fn find_fixed(&mut self) {
        // Of one place all the slots; `None` where no way sets it, and a distance that depends on the way is too far.
        let mut ago: Vec<Vec<Option<usize>>> = vec![vec![None; self.slots]; self.places.len()];
        let far = self.places.len();
        let mut todo: Vec<usize> = (0..self.places.len()).collect();
        while let Some(at) = todo.pop() {
            let mut after = ago[at].clone();
            match &self.places[at] {
                Place::Byte(_) => after.iter_mut().flatten().for_each(|bytes| *bytes = (*bytes + 1).min(far)),
                Place::Save { slot, .. } => after[*slot] = Some(0),
                _ => {}
            }
            for next in self.places[at].nexts() {
                let joined = ago[next].iter().zip(&after).map(|(known, new)| match (known, new) {
                    (Some(known), Some(new)) if known != new => Some(far),
                    (known, new) => known.or(*new),
                });
                let joined: Vec<Option<usize>> = joined.collect();
                if joined != ago[next] {
                    ago[next] = joined;
                    todo.push(next);
                }
            }
        }
        let fixed = |slots: &Vec<Option<usize>>| {
            let bit = |(slot, ago): (usize, &Option<usize>)| u64::from(ago.is_some_and(|bytes| bytes < far)) << slot;
            slots.iter().enumerate().map(bit).sum()
        };
        self.fixed = ago.iter().map(fixed).collect();
    }
}

fn choice(way: usize, exit: usize, greedy: bool) -> Place {
    Place::Split(if greedy { vec![way, exit] } else { vec![exit, way] })
}
