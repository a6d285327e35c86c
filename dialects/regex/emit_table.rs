//! A large automaton as one loop over a table, with as much code for any number of states.
//!
//! An entry of the table has where the next state is, and an **act**: a list of moves between the registers and what
//! comes after them, in a second table. Most edges move nothing; theirs is act 0, and the loop goes on at once.
//! Entries stand by what is read first and by the state then, so that of one entry only the state is needed to find the
//! next; states near the beginning, in which most of a text is read, are neighbours.

use super::automaton::{Automaton, Held, Next, State};
use super::emit_automaton::{Form, Matcher};
use super::writer::{DIGIT, Writer, digits};
use crate::dialects::core::enums::Predicate;
use melior::ir::Value;
use std::collections::HashMap;

/// States and edges of automata that are code.
const MAX_BLOCKS: usize = 150;
const MAX_EDGES: usize = 1500;

/// Digits of an entry: where the next state is, and where its act begins.
const TARGET: usize = 3;
const ACT: usize = 2;
const ENTRY: usize = TARGET + ACT;

/// Digits of a move: the slot that it writes, the slot that it reads, and what it takes away.
const MOVE: usize = 2 + ACT;
/// In place of a slot, the end of an act, with what comes after it: to this is added a [`Then`].
const STOP: usize = 120;

/// What comes after the moves of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Then {
    /// The next state.
    Go,
    /// On to where a match may begin.
    Skip,
    Found,
    Nothing,
}

impl Then {
    fn code(self) -> u8 {
        (STOP + self as usize) as u8
    }
}

/// What a slot gets. All of an act happens at once.
type Moves = Vec<(usize, Held)>;

/// The table of an automaton.
pub struct Table {
    registers: usize,
    states: usize,
    /// By byte.
    columns: Vec<u8>,
    /// Where the text ends, and where a newline is its last byte, if that matters.
    end: usize,
    last: Option<usize>,
    entries: Vec<u8>,
    /// Where each act begins, and their moves.
    acts: HashMap<(Moves, Then), usize>,
    moves: Vec<u8>,
}

impl Table {
    /// Whether an automaton is too much to be code.
    pub fn suits(automaton: &Automaton) -> bool {
        let edges = |state: &State| state.edges.len();
        let states = &automaton.states;
        states.len() > MAX_BLOCKS
            || states.iter().map(edges).sum::<usize>() > MAX_EDGES
            || states.iter().any(|state| edges(state) >= DIGIT)
    }

    /// `None` where there are more moves than an entry has numbers for. A search may skip from states that are idle.
    pub fn new(automaton: &Automaton, skips: bool) -> Option<Table> {
        let (states, kinds) = (&automaton.states, &automaton.kinds);
        let column = |byte| kinds.iter().position(|kind| kind.contains(byte)).unwrap_or(0) as u8;
        let (end, last) = (kinds.len(), automaton.asks.last.then_some(kinds.len() + 1));
        let mut table = Table {
            registers: states.iter().map(|state| state.registers).max().unwrap_or(0),
            states: states.len(),
            columns: (0..=u8::MAX).map(column).collect(),
            end,
            last,
            entries: vec![0; (last.unwrap_or(end) + 1) * states.len() * ENTRY],
            acts: HashMap::new(),
            moves: Vec::new(),
        };
        // The first is the one that does nothing.
        table.act(Moves::new(), Then::Go)?;
        let newline = usize::from(table.columns[usize::from(b'\n')]);
        let examples: Vec<u8> = kinds.iter().filter_map(|kind| kind.iter().next()).collect();
        for (number, state) in states.iter().enumerate() {
            for (bytes, next) in &state.edges {
                let entry = table.entry(automaton, next, skips)?;
                for (column, _) in examples.iter().enumerate().filter(|(_, byte)| bytes.contains(**byte)) {
                    table.put(column, number, entry);
                }
            }
            let entry = table.entry(automaton, state.end.as_ref().unwrap_or(&Next::Nothing), skips)?;
            table.put(end, number, entry);
            if let Some(last) = last {
                let entry = match &state.last_newline {
                    Some(next) => table.entry(automaton, next, skips)?,
                    None => table.get(newline, number),
                };
                table.put(last, number, entry);
            }
        }
        Some(table)
    }

    fn place(&self, column: usize, state: usize) -> std::ops::Range<usize> {
        let at = (column * self.states + state) * ENTRY;
        at..at + ENTRY
    }
    fn put(&mut self, column: usize, state: usize, entry: [u8; ENTRY]) {
        let place = self.place(column, state);
        self.entries[place].copy_from_slice(&entry);
    }
    fn get(&self, column: usize, state: usize) -> [u8; ENTRY] {
        let mut entry = [0; ENTRY];
        entry.copy_from_slice(&self.entries[self.place(column, state)]);
        entry
    }

    /// The entry of an edge.
    fn entry(&mut self, automaton: &Automaton, next: &Next, skips: bool) -> Option<[u8; ENTRY]> {
        let moves = |first: usize, held: &[Held]| {
            let moves = (first..).zip(held.iter().copied());
            moves.filter(|(slot, held)| *held != Held::Register(*slot)).collect()
        };
        let (state, act) = match next {
            Next::Nothing => (0, self.act(Moves::new(), Then::Nothing)?),
            Next::Found(ends) => (0, self.act(moves(self.ends(), ends), Then::Found)?),
            Next::State(state, _) if skips && automaton.states[*state].idle => {
                (*state, self.act(Moves::new(), Then::Skip)?)
            }
            Next::State(state, sources) => (*state, self.act(moves(0, sources), Then::Go)?),
        };
        let mut entry = [0; ENTRY];
        entry[..TARGET].copy_from_slice(&digits::<TARGET>(state * ENTRY)?);
        entry[TARGET..].copy_from_slice(&digits::<ACT>(act)?);
        Some(entry)
    }

    // Slots: the registers, these three, and the ends of the match that was found.
    fn here(&self) -> usize {
        self.registers
    }
    fn nothing(&self) -> usize {
        self.registers + 1
    }
    fn spare(&self) -> usize {
        self.registers + 2
    }
    fn ends(&self) -> usize {
        self.registers + 3
    }

    /// Where an act begins.
    fn act(&mut self, moves: Moves, then: Then) -> Option<usize> {
        let key = (moves, then);
        if let Some(act) = self.acts.get(&key) {
            return Some(*act);
        }
        let act = self.moves.len() / MOVE;
        for (slot, held) in one_by_one(key.0.clone(), self.spare()) {
            let (from, ago) = match held {
                Held::Nothing => (self.nothing(), 0),
                Held::Register(register) => (register, 0),
                Held::Ago(bytes) => (self.here(), bytes),
            };
            self.moves.extend([slot as u8, from as u8]);
            self.moves.extend(digits::<ACT>(ago)?);
        }
        self.moves.extend([then.code(), 0, 0, 0]);
        self.acts.insert(key, act);
        Some(act)
    }

    /// What the loop knows a state by.
    pub fn place_of(state: usize) -> i64 {
        (state * ENTRY) as i64
    }

    /// Makes the slots, for so many ends of groups.
    pub fn slots<'c: 'a, 'a>(&self, w: &mut Writer<'c, 'a, '_>, ends: usize) -> Value<'c, 'a> {
        let slots = w.slots((self.ends() + ends) as i64);
        let (none, nothing) = (w.int(-1), w.nth(slots, self.nothing()));
        w.put(none, nothing);
        slots
    }

    /// Writes the loop.
    pub(super) fn write(&self, m: &mut Matcher) {
        let Form::Table { step, slots } = m.form else { return };
        let column = |column: usize| (column * self.states * ENTRY) as i64;
        let (look, done, fetch) = (m.w.block(0), m.w.block(0), m.w.block(2));
        m.w.at(step);
        let entries = m.w.data(self.entries.clone());
        let (here, state) = (m.w.argument(step, 0), m.w.argument(step, 1));
        let more = m.w.compare(Predicate::Lt, here, m.end);
        m.w.branch(more, (look, &[]), (done, &[]));
        m.w.at(done);
        let end = m.w.int(column(self.end));
        m.w.jump(fetch, &[end, here]);
        m.w.at(look);
        let byte = m.w.load(here);
        let after = m.w.add(here, 1);
        let kind = m.w.table(self.columns.clone(), byte);
        let kind = m.w.widened(kind);
        let mut read = m.w.scaled(kind, column(1));
        if let Some(last) = self.last {
            let is_last = m.w.compare(Predicate::Eq, after, m.end);
            let newline = m.w.is_byte(byte, b'\n');
            let (both, last) = (m.w.and(is_last, newline), m.w.int(column(last)));
            read = m.w.select(both, last, read);
        }
        m.w.jump(fetch, &[read, after]);

        m.w.at(fetch);
        let (read, at) = (m.w.argument(fetch, 0), m.w.argument(fetch, 1));
        let entry = m.w.sum(read, state);
        let target = m.w.number::<TARGET>(entries, entry);
        let act = m.w.add(entry, TARGET as i64);
        let act = m.w.number::<ACT>(entries, act);
        let (zero, perform) = (m.w.int(0), m.w.block(0));
        let plain = m.w.compare(Predicate::Eq, act, zero);
        m.w.branch(plain, (step, &[at, target]), (perform, &[]));

        m.w.at(perform);
        let then = self.perform(m, slots, act, at);
        let found = m.w.block(0);
        let skip = m.skip.map(|skip| (Then::Skip, skip, vec![at]));
        let leaves = [(Then::Found, found, Vec::new()), (Then::Nothing, m.nothing, Vec::new())];
        for (leave, block, arguments) in leaves.into_iter().chain(skip) {
            let is = m.w.is_byte(then, leave.code());
            let other = m.w.block(0);
            m.w.branch(is, (block, &arguments), (other, &[]));
            m.w.at(other);
        }
        m.w.jump(step, &[at, target]);
        m.w.at(found);
        let mut ends = Vec::new();
        for slot in 0..m.ends {
            let end = m.w.nth(slots, self.ends() + slot);
            ends.push(m.w.get(end));
        }
        let yes = m.w.bool(true);
        m.w.ret(yes, &ends);
    }

    /// Makes the moves of an act at a position, and gives the code of what comes then.
    fn perform<'c: 'a, 'a>(
        &self,
        m: &mut Matcher<'_, '_, 'c, 'a, '_>,
        slots: Value<'c, 'a>,
        act: Value<'c, 'a>,
        at: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let (next, one, stop) = (m.w.block(1), m.w.block(0), m.w.block(0));
        let moves = m.w.data(self.moves.clone());
        let here = m.w.nth(slots, self.here());
        m.w.put(at, here);
        m.w.jump(next, &[act]);
        m.w.at(next);
        let number = m.w.argument(next, 0);
        let place = m.w.scaled(number, MOVE as i64);
        let slot = m.w.byte_of(moves, place);
        let goes_on = m.w.is_below(slot, STOP as u8);
        m.w.branch(goes_on, (one, &[]), (stop, &[]));
        m.w.at(one);
        let from = m.w.add(place, 1);
        let from = m.w.number::<1>(moves, from);
        let ago = m.w.add(place, 2);
        let ago = m.w.number::<ACT>(moves, ago);
        let from = m.w.slot(slots, from, 1, 0);
        let value = m.w.get(from);
        let value = m.w.difference(value, ago);
        let to = m.w.widened(slot);
        let to = m.w.slot(slots, to, 1, 0);
        m.w.put(value, to);
        let following = m.w.add(number, 1);
        m.w.jump(next, &[following]);
        m.w.at(stop);
        slot
    }
}

/// The same moves in an order in which none overwrites what a later one reads.
fn one_by_one(mut moves: Moves, spare: usize) -> Moves {
    let mut ordered = Moves::new();
    while let Some((first, _)) = moves.first().copied() {
        let read = |slot: usize| moves.iter().any(|(to, held)| *to != slot && *held == Held::Register(slot));
        match moves.iter().position(|(slot, _)| !read(*slot)) {
            Some(free) => ordered.push(moves.remove(free)),
            // All go round in circles: one is cut.
            None => {
                ordered.push((spare, Held::Register(first)));
                for (_, held) in moves.iter_mut().filter(|(_, held)| *held == Held::Register(first)) {
                    *held = Held::Register(spare);
                }
            }
        }
    }
    ordered
}
