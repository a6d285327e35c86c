//! The automaton of a pattern: it looks at each byte once and gives the answers of the backtracking matcher.
//!
//! A state is what a backtracking matcher would still have to try after the bytes so far, in its order: places in the
//! graph (`nfa.rs`), each with the registers that hold its groups' ends, and at last the match already found, which
//! counts when all before it fail. Of two ways to one place the first decides, because what follows is the same for
//! both; so a state has each place once, and there are finitely many.
//!
//! A group's end needs no register where it is always so many bytes behind the position, as the start of a word is.
//!
//! Sources: Laurikari, "NFAs with Tagged Transitions" (2000), for registers; Pike's order of threads for priorities.

use super::bytes::ByteSet;
use super::nfa::{Nfa, Place};
use super::syntax::{Anchor, is_word, words};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// States of an automaton; larger ones are left to the backtracking matcher.
const MAX_STATES: usize = 1 << 16;
/// Kinds of bytes that a pattern tells apart: a table holds their numbers, which are below 128.
const MAX_KINDS: usize = 128;
/// States times kinds: entries of a table.
const MAX_ENTRIES: usize = 1 << 20;
/// Registers of a state.
const MAX_REGISTERS: usize = 40;
/// Places looked at while states are made, of any pattern.
const MAX_WORK: usize = 2_000_000;
/// Where that is more, for each of its places: LLVM takes far longer for the backtracking matcher of a large pattern.
const MAX_WORK_PER_PLACE: usize = 2000;

/// What a slot holds while a state is made, and where a register's value comes from on an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// The group took no part.
    Nothing,
    /// A register of the state before.
    Register(usize),
    /// The position of so many bytes ago, from where the edge leads to. In a state it needs no register.
    Ago(usize),
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
            word: self.word && byte.is_some_and(is_word),
        }
    }
    /// What a byte is from before it; `None` for the end.
    pub fn ahead(self, byte: Option<u8>, last: bool) -> Ahead {
        Ahead {
            end: self.end && byte.is_none(),
            last: self.last && last && byte == Some(b'\n'),
            newline: self.newline && byte == Some(b'\n'),
            word: self.word && byte.is_some_and(is_word),
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

/// What the slots of a way or a match hold, by its number in [`Contents`].
type Slots = usize;

/// A way still to try: the place before its next byte, and its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Way {
    place: usize,
    slots: Slots,
}

/// What is to try where something certain stands ahead.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct List {
    ways: Vec<Way>,
    found: Option<Slots>,
}

/// A state: a list for each thing that may stand ahead, in the order of [`Builder::aheads`].
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
    /// No match is under way: nothing but where the next one begins is of interest.
    pub idle: bool,
    /// By what it leads to: the bytes. Together they are all bytes.
    pub edges: Vec<(ByteSet, Next)>,
    /// Where a newline leads that is the last byte, where that differs.
    pub last_newline: Option<Next>,
    /// At the end of the text, from where it is looked at.
    pub end: Option<Next>,
}

/// The automaton of a pattern.
#[derive(Debug)]
pub struct Automaton {
    pub states: Vec<State>,
    pub asks: Asks,
    /// Where it starts by what stands before, without a byte.
    pub starts: Vec<(Before, Next)>,
    /// Bytes that no state tells apart.
    pub kinds: Vec<ByteSet>,
}

/// What a byte leaves of a state: ways in their order, the match that counts when they fail, and what stands before.
type Entered = (Vec<Way>, Option<Slots>, Before);

/// All that slots hold in some state, once each.
#[derive(Default)]
struct Contents {
    numbers: FxHashMap<Rc<[Held]>, Slots>,
    all: Vec<Rc<[Held]>>,
}

impl Contents {
    fn of(&self, slots: Slots) -> Rc<[Held]> {
        self.all[slots].clone()
    }
    /// The number of what each slot of others becomes, by its number.
    fn each(&mut self, slots: Slots, mut after: impl FnMut(usize, Held) -> Held) -> Slots {
        let held: SmallVec<[Held; 8]> = self.all[slots].iter().enumerate().map(|(i, held)| after(i, *held)).collect();
        self.number(&held)
    }
    fn number(&mut self, held: &[Held]) -> Slots {
        if let Some(number) = self.numbers.get(held) {
            return *number;
        }
        let held: Rc<[Held]> = held.into();
        self.numbers.insert(held.clone(), self.all.len());
        self.all.push(held);
        self.all.len() - 1
    }
    /// Seen from the next position.
    fn behind(&mut self, slots: Slots) -> Slots {
        self.each(slots, |_, held| if let Held::Ago(bytes) = held { Held::Ago(bytes + 1) } else { held })
    }
    /// Whether nothing began before the position.
    fn are_new(&self, slots: Slots) -> bool {
        self.all[slots].iter().all(|held| matches!(held, Held::Nothing | Held::Ago(0)))
    }
}

struct Builder<'n> {
    nfa: &'n Nfa,
    asks: Asks,
    aheads: Vec<Ahead>,
    /// A byte of each kind that the pattern tells apart, and its kind.
    kinds: Vec<(u8, ByteSet)>,
    contents: Contents,
    numbers: FxHashMap<Rc<Key>, usize>,
    keys: Vec<Rc<Key>>,
    registers: Vec<usize>,
    /// Where ways lead that were followed before: most states have them in common with others.
    entered: FxHashMap<Entered, Next>,
    work: usize,
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
        let mut builder = Builder {
            nfa,
            asks,
            aheads,
            kinds,
            contents: Contents::default(),
            numbers: FxHashMap::default(),
            keys: Vec::new(),
            registers: Vec::new(),
            entered: FxHashMap::default(),
            work: 0,
        };
        let slots = builder.contents.number(&vec![Held::Nothing; nfa.slots]);
        let mut starts: Vec<(Before, Next)> = Vec::new();
        for byte in std::iter::once(None).chain((0..=u8::MAX).map(Some)) {
            let before = asks.before(byte);
            if starts.iter().all(|(known, _)| *known != before) {
                let next = builder.enter((vec![Way { place: nfa.start, slots }], None, before))?;
                starts.push((before, next));
            }
        }
        let mut states = Vec::new();
        while let Some(key) = builder.keys.get(states.len()).cloned() {
            let state = builder.state(&key, states.len())?;
            states.push(state);
        }
        Some(Automaton { states, asks, starts, kinds: builder.kinds.into_iter().map(|(_, kind)| kind).collect() })
    }
}

/// Bytes that no set of the pattern and no anchor tells apart.
fn kinds(nfa: &Nfa, asks: Asks) -> Vec<(u8, ByteSet)> {
    let mut sets: FxHashSet<ByteSet> = FxHashSet::default();
    for place in &nfa.places {
        if let Place::Byte(ways) = place {
            sets.extend(ways.iter().map(|(set, _)| *set));
        }
    }
    if asks.word {
        sets.insert(words());
    }
    if asks.newline_before || asks.newline || asks.last {
        sets.insert(ByteSet::of([b'\n']));
    }
    let mut kinds: FxHashMap<Vec<bool>, Vec<u8>> = FxHashMap::default();
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
        let are_new = |way: &Way| self.contents.are_new(way.slots);
        let idle = key.iter().all(|list| list.found.is_none() && list.ways.iter().all(are_new));
        let mut state = State { registers: self.registers[number], idle, ..State::default() };
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
        let found = self.list(key, self.asks.ahead(None, false)).and_then(|list| list.found);
        state.end = Some(self.outcome(found));
        Some(state)
    }

    /// What a text ends with.
    fn outcome(&self, found: Option<Slots>) -> Next {
        found.map_or(Next::Nothing, |found| Next::Found(self.contents.of(found).to_vec()))
    }

    /// Where a byte leads.
    fn next(&mut self, key: &Key, byte: u8, last: bool) -> Option<Next> {
        let list = self.list(key, self.asks.ahead(Some(byte), last))?;
        self.work += list.ways.len();
        let mut ways: Vec<Way> = Vec::new();
        for way in &list.ways {
            if let Place::Byte(nexts) = &self.nfa.places[way.place]
                && let Some((_, next)) = nexts.iter().find(|(set, _)| set.contains(byte))
            {
                ways.push(Way { place: *next, slots: self.contents.behind(way.slots) });
            }
        }
        let found = list.found.map(|found| self.contents.behind(found));
        self.enter((ways, found, self.asks.before(Some(byte))))
    }

    fn enter(&mut self, entered: Entered) -> Option<Next> {
        if let Some(next) = self.entered.get(&entered) {
            return Some(next.clone());
        }
        let next = self.follow(&entered)?;
        self.entered.insert(entered, next.clone());
        Some(next)
    }

    /// The state of ways.
    fn follow(&mut self, (ways, found, before): &Entered) -> Option<Next> {
        let mut key = Key::new();
        for at in 0..self.aheads.len() {
            key.push(self.close(ways, *found, *before, self.aheads[at]));
        }
        if self.work > MAX_WORK.max(MAX_WORK_PER_PLACE * self.nfa.places.len()) {
            return None;
        }
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
            return Some(self.outcome(first.found));
        }
        let mut sources: Vec<Held> = Vec::new();
        for list in &mut key {
            let ways = list.ways.iter_mut().map(|way| (&mut way.slots, self.nfa.fixed[way.place]));
            for (slots, fixed) in ways.chain(list.found.as_mut().map(|slots| (slots, 0))) {
                let numbered = |slot, held| number(&mut sources, held, fixed >> slot & 1 != 0);
                *slots = self.contents.each(*slots, numbered);
            }
        }
        if sources.len() > MAX_REGISTERS {
            return None;
        }
        let state = match self.numbers.get(&key) {
            Some(state) => *state,
            None => {
                let state = self.keys.len();
                if state == MAX_STATES || (state + 1) * (self.kinds.len() + 2) > MAX_ENTRIES {
                    return None;
                }
                let key = Rc::new(key);
                self.numbers.insert(key.clone(), state);
                self.keys.push(key);
                self.registers.push(sources.len());
                state
            }
        };
        Some(Next::State(state, sources))
    }

    /// Follows ways to their next bytes.
    fn close(&mut self, ways: &[Way], found: Option<Slots>, before: Before, ahead: Ahead) -> List {
        let mut list = List::default();
        let mut seen: FxHashSet<(usize, u32)> = FxHashSet::default();
        let mut stack: Vec<(usize, u32, Slots)> = ways.iter().rev().map(|way| (way.place, 0, way.slots)).collect();
        while let Some((at, marks, slots)) = stack.pop() {
            self.work += 1;
            let place = &self.nfa.places[at];
            // Marks do not outlive a byte.
            let marks = if matches!(place, Place::Byte(_)) { 0 } else { marks };
            if !seen.insert((at, marks)) {
                continue;
            }
            match place {
                // What comes after it in the order never counts.
                Place::Accept => {
                    list.found = Some(slots);
                    return list;
                }
                Place::Byte(_) => {
                    let live = self.nfa.live[at];
                    let needed = |slot, held| if live >> slot & 1 != 0 { held } else { Held::Nothing };
                    list.ways.push(Way { place: at, slots: self.contents.each(slots, needed) });
                }
                Place::Split(ways) => stack.extend(ways.iter().rev().map(|way| (*way, marks, slots))),
                Place::Save { slot, next } => {
                    let saved = |at, held| if at == *slot { Held::Ago(0) } else { held };
                    stack.push((*next, marks, self.contents.each(slots, saved)));
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

/// The register that holds a value, a new one where none does; none for what the place says.
fn number(sources: &mut Vec<Held>, held: Held, fixed: bool) -> Held {
    if fixed && matches!(held, Held::Ago(_)) || matches!(held, Held::Nothing | Held::Ago(0)) {
        return held;
    }
    Held::Register(sources.iter().position(|known| *known == held).unwrap_or_else(|| {
        sources.push(held);
        sources.len() - 1
    }))
}
