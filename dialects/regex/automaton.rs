//! The automaton of a pattern: it looks at each byte once and gives the answers of the backtracking matcher.
//!
//! A state is what a backtracking matcher would still have to try after the bytes so far, in its order: places in the
//! graph (`nfa.rs`), each with the registers that hold its groups' ends, and at last the match already found, which
//! counts when all before it fail. Of two ways to one place the first decides, because what follows is the same for
//! both; so a state has each place once, and there are finitely many.
//!
//! Sources: Laurikari, "NFAs with Tagged Transitions" (2000), for registers; Pike's order of threads for priorities.

use super::bytes::ByteSet;
use super::nfa::{Nfa, Place};
use super::syntax::{Anchor, words};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// States of an automaton; larger ones are left to the backtracking matcher.
const MAX_STATES: usize = 150;
/// Edges of an automaton.
const MAX_EDGES: usize = 1500;
/// Kinds of bytes that a pattern tells apart: a table holds their numbers below 128.
const MAX_KINDS: usize = 100;
/// Registers of a state.
const MAX_REGISTERS: usize = 40;

/// What a slot holds while a state is made, and where a register's value comes from on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// The group took no part.
    Nothing,
    /// A register of the state before.
    Register(usize),
    /// The position of the state before.
    There,
    /// The position that the edge leads to. In a state it needs no register.
    Here,
}

/// What stands before a position, as far as the pattern's anchors ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Before {
    pub start: bool,
    pub newline: bool,
    pub word: bool,
}

/// What stands at a position, as far as the pattern's anchors ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Ahead {
    pub end: bool,
    /// A newline with nothing behind it.
    pub last: bool,
    pub newline: bool,
    pub word: bool,
}

/// What the pattern's anchors ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asks {
    start: bool,
    newline_before: bool,
    pub word: bool,
    end: bool,
    /// Whether a newline is the last byte.
    pub last: bool,
    newline: bool,
}

impl Asks {
    fn of(nfa: &Nfa) -> Asks {
        let mut asks = Asks::default();
        for place in &nfa.places {
            let Place::At { anchor, .. } = place else { continue };
            match anchor {
                Anchor::Start => asks.start = true,
                Anchor::LineStart => (asks.start, asks.newline_before) = (true, true),
                Anchor::End => (asks.end, asks.last) = (true, true),
                Anchor::LineEnd => (asks.end, asks.newline) = (true, true),
                Anchor::TextEnd => asks.end = true,
                Anchor::Boundary | Anchor::NotBoundary => asks.word = true,
            }
        }
        asks
    }
    pub fn before(self, byte: Option<u8>) -> Before {
        Before {
            start: self.start && byte.is_none(),
            newline: self.newline_before && byte == Some(b'\n'),
            word: self.word && byte.is_some_and(|byte| words().contains(byte)),
        }
    }
    /// What a byte is from before it; `None` for the end.
    pub fn ahead(self, byte: Option<u8>, last: bool) -> Ahead {
        Ahead {
            end: self.end && byte.is_none(),
            last: self.last && last && byte == Some(b'\n'),
            newline: self.newline && byte == Some(b'\n'),
            word: self.word && byte.is_some_and(|byte| words().contains(byte)),
        }
    }
}

/// Whether an anchor holds. A text that is empty is not the automaton's business.
fn holds(anchor: Anchor, before: Before, ahead: Ahead) -> bool {
    match anchor {
        Anchor::Start => before.start,
        Anchor::LineStart => before.start || before.newline,
        Anchor::End => ahead.end || ahead.last,
        Anchor::LineEnd => ahead.end || ahead.newline,
        Anchor::TextEnd => ahead.end,
        Anchor::Boundary => before.word != ahead.word,
        Anchor::NotBoundary => before.word == ahead.word,
    }
}

/// A way still to try: the place before its next byte, and what its slots hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Way {
    place: usize,
    slots: Rc<[Held]>,
}

/// What is to try where something certain stands ahead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct List {
    ways: Vec<Way>,
    found: Option<Rc<[Held]>>,
}

/// A state: a list for each thing that may stand ahead, in the order of [`Automaton::aheads`].
type Key = Vec<List>;

/// Where an edge leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// To a state, with the sources of its registers.
    State(usize, Vec<Held>),
    /// A match with these ends.
    Found(Vec<Held>),
    Nothing,
}

/// A state's edges.
#[derive(Clone, Debug, Default)]
pub struct State {
    pub registers: usize,
    /// By what it leads to: the bytes. Together they are all bytes.
    pub edges: Vec<(ByteSet, Next)>,
    /// Where a newline leads that is the last byte, where that differs.
    pub last_newline: Option<Next>,
    /// At the end of the text; `Here` is there.
    pub end: Option<Next>,
}

/// The automaton of a pattern.
#[derive(Debug)]
pub struct Automaton {
    pub states: Vec<State>,
    pub asks: Asks,
    /// Where it starts by what stands before, with registers from `Here`.
    pub starts: Vec<(Before, Next)>,
}

struct Builder<'n> {
    nfa: &'n Nfa,
    asks: Asks,
    aheads: Vec<Ahead>,
    /// A byte of each kind that the pattern tells apart, and its kind.
    kinds: Vec<(u8, ByteSet)>,
    numbers: HashMap<Key, usize>,
    keys: Vec<Key>,
    registers: Vec<usize>,
}

impl Automaton {
    /// `None` where it becomes too large.
    pub fn new(nfa: &Nfa) -> Option<Automaton> {
        let asks = Asks::of(nfa);
        let mut aheads: Vec<Ahead> = Vec::new();
        let bytes = (0..=u8::MAX).flat_map(|byte| [(Some(byte), false), (Some(byte), true)]);
        for (byte, last) in bytes.chain([(None, false)]) {
            let ahead = asks.ahead(byte, last);
            if !aheads.contains(&ahead) {
                aheads.push(ahead);
            }
        }
        let kinds = kinds(nfa, asks);
        if kinds.len() > MAX_KINDS {
            return None;
        }
        let mut builder =
            Builder { nfa, asks, aheads, kinds, numbers: HashMap::new(), keys: Vec::new(), registers: Vec::new() };
        let mut starts: Vec<(Before, Next)> = Vec::new();
        for byte in std::iter::once(None).chain((0..=u8::MAX).map(Some)) {
            let before = asks.before(byte);
            if starts.iter().all(|(known, _)| *known != before) {
                let nothing: Rc<[Held]> = vec![Held::Nothing; nfa.slots].into();
                let next = builder.enter(&[Way { place: nfa.start, slots: nothing }], None, before)?;
                starts.push((before, next));
            }
        }
        let mut states = Vec::new();
        let mut edges = 0;
        while let Some(key) = builder.keys.get(states.len()).cloned() {
            let state = builder.state(&key, states.len())?;
            edges += state.edges.len();
            if edges > MAX_EDGES {
                return None;
            }
            states.push(state);
        }
        Some(Automaton { states, asks, starts })
    }
}

/// Bytes that no set of the pattern and no anchor tells apart.
fn kinds(nfa: &Nfa, asks: Asks) -> Vec<(u8, ByteSet)> {
    let mut sets: Vec<ByteSet> = Vec::new();
    for place in &nfa.places {
        if let Place::Byte { set, .. } = place
            && !sets.contains(set)
        {
            sets.push(*set);
        }
    }
    if asks.word {
        sets.push(words());
    }
    if asks.newline_before || asks.newline || asks.last {
        sets.push(ByteSet::of([b'\n']));
    }
    let mut kinds: HashMap<Vec<bool>, Vec<u8>> = HashMap::new();
    for byte in 0..=u8::MAX {
        kinds.entry(sets.iter().map(|set| set.contains(byte)).collect()).or_default().push(byte);
    }
    let mut kinds: Vec<(u8, ByteSet)> =
        kinds.into_values().filter_map(|bytes| Some((*bytes.first()?, ByteSet::of(bytes)))).collect();
    kinds.sort();
    kinds
}

impl Builder<'_> {
    fn list<'k>(&self, key: &'k Key, ahead: Ahead) -> Option<&'k List> {
        key.get(self.aheads.iter().position(|known| *known == ahead)?)
    }

    fn state(&mut self, key: &Key, number: usize) -> Option<State> {
        let mut state = State { registers: self.registers[number], ..State::default() };
        for (byte, kind) in self.kinds.clone() {
            let next = self.next(key, byte, false)?;
            match state.edges.iter_mut().find(|(_, known)| *known == next) {
                Some((bytes, _)) => *bytes = bytes.union(kind),
                None => state.edges.push((kind, next.clone())),
            }
            if byte == b'\n' && self.asks.last {
                let last = self.next(key, byte, true)?;
                state.last_newline = (last != next).then_some(last);
            }
        }
        let end = self.list(key, self.asks.ahead(None, false)).and_then(|list| list.found.as_ref());
        state.end = Some(end.map_or(Next::Nothing, |found| Next::Found(found.to_vec())));
        Some(state)
    }

    /// Where a byte leads.
    fn next(&mut self, key: &Key, byte: u8, last: bool) -> Option<Next> {
        let list = self.list(key, self.asks.ahead(Some(byte), last))?;
        let mut ways: Vec<Way> = Vec::new();
        for way in &list.ways {
            if let Place::Byte { set, next } = &self.nfa.places[way.place]
                && set.contains(byte)
            {
                ways.push(Way { place: *next, slots: behind(&way.slots) });
            }
        }
        let found = list.found.as_ref().map(behind);
        self.enter(&ways, found, self.asks.before(Some(byte)))
    }

    /// The state of ways in their order, and the match that counts when they fail.
    fn enter(&mut self, ways: &[Way], found: Option<Rc<[Held]>>, before: Before) -> Option<Next> {
        let mut key: Key = self.aheads.iter().map(|ahead| self.close(ways, found.clone(), before, *ahead)).collect();
        // At the end only a match counts.
        let end = self.asks.ahead(None, false);
        if self.asks.end
            && let Some(at) = self.aheads.iter().position(|ahead| *ahead == end)
        {
            key[at].ways.clear();
        }
        if let Some(first) = key.first()
            && key.iter().all(|list| list.ways.is_empty() && list.found == first.found)
        {
            return Some(first.found.as_ref().map_or(Next::Nothing, |found| Next::Found(found.to_vec())));
        }
        let mut sources: Vec<Held> = Vec::new();
        for list in &mut key {
            for slots in list.ways.iter_mut().map(|way| &mut way.slots).chain(&mut list.found) {
                *slots = slots.iter().map(|held| number(&mut sources, *held)).collect();
            }
        }
        if sources.len() > MAX_REGISTERS {
            return None;
        }
        let state = match self.numbers.get(&key) {
            Some(state) => *state,
            None => {
                let state = self.keys.len();
                if state == MAX_STATES {
                    return None;
                }
                self.numbers.insert(key.clone(), state);
                self.keys.push(key);
                self.registers.push(sources.len());
                state
            }
        };
        Some(Next::State(state, sources))
    }

    /// Follows ways to their next bytes.
    fn close(&self, ways: &[Way], found: Option<Rc<[Held]>>, before: Before, ahead: Ahead) -> List {
        let mut list = List::default();
        let mut seen: HashSet<(usize, u32)> = HashSet::new();
        let mut stack: Vec<(usize, u32, Rc<[Held]>)> =
            ways.iter().rev().map(|way| (way.place, 0, way.slots.clone())).collect();
        while let Some((at, marks, slots)) = stack.pop() {
            if !seen.insert((at, marks)) {
                continue;
            }
            match &self.nfa.places[at] {
                // What comes after it in the order never counts.
                Place::Accept => {
                    list.found = Some(slots);
                    return list;
                }
                // Marks do not outlive a byte.
                Place::Byte { .. } => {
                    let live = self.nfa.live[at];
                    let needed = slots.iter().enumerate();
                    let needed = needed.map(|(i, held)| if live >> i & 1 != 0 { *held } else { Held::Nothing });
                    if list.ways.iter().all(|way| way.place != at) {
                        list.ways.push(Way { place: at, slots: needed.collect() });
                    }
                }
                Place::Split(ways) => stack.extend(ways.iter().rev().map(|way| (*way, marks, slots.clone()))),
                Place::Save { slot, next } => {
                    let mut slots = slots.to_vec();
                    slots[*slot] = Held::Here;
                    stack.push((*next, marks, slots.into()));
                }
                Place::At { anchor, next } if holds(*anchor, before, ahead) => stack.push((*next, marks, slots)),
                Place::At { .. } => {}
                Place::Begin { mark, next } => stack.push((*next, marks | 1 << mark, slots)),
                Place::End { mark, again, exit } => {
                    let next = if marks >> mark & 1 != 0 { exit } else { again };
                    stack.push((*next, marks & !(1 << mark), slots));
                }
            }
        }
        list.found = found;
        list
    }
}

/// What slots hold, seen from the next position.
fn behind(slots: &Rc<[Held]>) -> Rc<[Held]> {
    slots.iter().map(|held| if *held == Held::Here { Held::There } else { *held }).collect()
}

/// The register that holds a value, a new one where none does.
fn number(sources: &mut Vec<Held>, held: Held) -> Held {
    if matches!(held, Held::Nothing | Held::Here) {
        return held;
    }
    Held::Register(sources.iter().position(|known| *known == held).unwrap_or_else(|| {
        sources.push(held);
        sources.len() - 1
    }))
}
