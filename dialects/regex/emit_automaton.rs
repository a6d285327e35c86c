//! An automaton as a function of core operations: a block for each state, which takes the position and its registers.

use super::automaton::{Automaton, Before, Held, Next, State};
use super::backtrack::{self, Found};
use super::bytes::ByteSet;
use super::emit_backtrack::bounds;
use super::lanes::Lanes;
use super::prefilter::{self, Prefilter};
use super::program::{Mode, Program};
use super::writer::{Block, Writer};
use crate::dialects::core::enums::Predicate;
use melior::ir::Value;

/// Steps to find out what a pattern does with no text at all.
const FUEL: u64 = 100_000;

/// What a match finds where the automaton does not run: with the ends relative to `pos`, `None` for nothing.
pub struct Corners {
    /// In an empty text.
    empty: Option<Vec<i64>>,
    /// Behind the end, where `re.match` looks too.
    behind: Option<Vec<i64>>,
}

impl Corners {
    /// `None` where it depends on more than the pattern.
    pub fn new(program: &Program, mode: Mode) -> Option<Corners> {
        let found = |text: &[u8], pos: usize, end: i64| {
            let answer = match backtrack::run(program, mode, text, pos as i64, end, FUEL) {
                Found::Spans(ends) => Some(ends),
                Found::Nothing => None,
                Found::Overflow | Found::Endless => return None,
            };
            Some(answer.map(|ends| ends.into_iter().map(|at| if at < 0 { at } else { at - pos as i64 }).collect()))
        };
        let empty = found(b"", 0, 0)?;
        // A word's byte, a newline and another before and at the position, with some text before the end and none.
        let mut answers: Vec<Option<Vec<i64>>> = Vec::new();
        for before in *b"a\n." {
            for at in *b"a\n." {
                for end in 0..2 {
                    answers.push(found(&[b'.', before, at], 2, end)?);
                }
            }
            answers.push(found(&[b'.', before], 2, 0)?);
        }
        answers.dedup();
        match &answers[..] {
            [behind] => Some(Corners { empty, behind: behind.clone() }),
            _ => None,
        }
    }
}

struct Matcher<'w, 'm, 'c, 'a, 't> {
    w: &'w mut Writer<'c, 'a, 't>,
    automaton: &'m Automaton,
    slots: usize,
    end: Value<'c, 'a>,
    blocks: Vec<Block<'c, 'a>>,
    /// Where a state begins that comes from skipping, which is not to skip again; its own block otherwise.
    stays: Vec<Block<'c, 'a>>,
    nothing: Block<'c, 'a>,
}

/// Writes the matcher of an automaton with so many ends of groups.
pub fn write<'c: 'a, 'a>(
    w: &mut Writer<'c, 'a, '_>,
    automaton: &Automaton,
    corners: &Corners,
    prefilter: Option<&Prefilter>,
    slots: usize,
) {
    let (pos, end) = bounds(w);
    let lanes = prefilter.map(|_| Lanes::begin(w));
    let nothing = w.block(0);
    let blocks: Vec<Block> = automaton.states.iter().map(|state| w.block(1 + state.registers)).collect();
    // With no register no match is under way: nothing but where the next one begins is of interest.
    let states = automaton.states.iter().zip(&blocks);
    let stays = states.map(|(state, block)| if skips(state, prefilter) { w.block(1) } else { *block }).collect();
    let mut matcher = Matcher { w, automaton, slots, end, blocks, stays, nothing };
    matcher.begin(pos, corners);
    if let Some((prefilter, mut lanes)) = prefilter.zip(lanes) {
        let (skip, candidate) = (matcher.w.block(1), matcher.w.block(1));
        prefilter::write(matcher.w, &mut lanes, prefilter, skip, end, candidate, nothing);
        lanes.finish(matcher.w);
        for (number, state) in automaton.states.iter().enumerate() {
            if skips(state, Some(prefilter)) {
                matcher.w.at(matcher.blocks[number]);
                let at = matcher.w.argument(matcher.blocks[number], 0);
                matcher.w.jump(skip, &[at]);
            }
        }
        matcher.w.at(candidate);
        let at = matcher.w.argument(candidate, 0);
        let skipping = std::mem::replace(&mut matcher.blocks, matcher.stays.clone());
        matcher.enter(at);
        matcher.blocks = skipping;
    }
    for number in 0..automaton.states.len() {
        matcher.state(number);
    }
    matcher.w.at(nothing);
    let (no, none) = (matcher.w.bool(false), matcher.w.int(-1));
    matcher.w.ret(no, &vec![none; slots]);
}

/// Where an edge comes from: the state's position and registers.
struct Origin<'c, 'a> {
    position: Value<'c, 'a>,
    registers: Vec<Value<'c, 'a>>,
}

/// Whether a state skips to where a match may begin.
fn skips(state: &State, prefilter: Option<&Prefilter>) -> bool {
    prefilter.is_some() && state.registers == 0
}

impl<'c: 'a, 'a> Matcher<'_, '_, 'c, 'a, '_> {
    /// Goes on unless the condition holds, where the answer is known.
    fn corner(&mut self, condition: Value<'c, 'a>, pos: Value<'c, 'a>, ends: &Option<Vec<i64>>) {
        let (yes, no) = (self.w.block(0), self.w.block(0));
        self.w.branch(condition, (yes, &[]), (no, &[]));
        self.w.at(yes);
        match ends {
            None => self.w.jump(self.nothing, &[]),
            Some(ends) => {
                let ends: Vec<Value> =
                    ends.iter().map(|at| if *at < 0 { self.w.int(-1) } else { self.w.add(pos, *at) }).collect();
                let found = self.w.bool(true);
                self.w.ret(found, &ends);
            }
        }
        self.w.at(no);
    }

    /// From the entry to the first state, which depends on what stands before the position.
    fn begin(&mut self, pos: Value<'c, 'a>, corners: &Corners) {
        let behind = self.w.compare(Predicate::Gt, pos, self.end);
        self.corner(behind, pos, &corners.behind);
        if self.automaton.asks.word {
            let zero = self.w.int(0);
            let empty = self.w.compare(Predicate::Eq, self.end, zero);
            self.corner(empty, pos, &corners.empty);
        }
        self.enter(pos);
    }

    /// To the state at a position where nothing is under way.
    fn enter(&mut self, pos: Value<'c, 'a>) {
        let from = Origin { position: pos, registers: Vec::new() };
        let mut starts = self.automaton.starts.iter();
        let Some((_, last)) = starts.next_back() else { return };
        for (before, next) in starts {
            let is = self.stands_before(pos, *before);
            let (way, other) = (self.w.block(0), self.w.block(0));
            self.w.branch(is, (way, &[]), (other, &[]));
            self.w.at(way);
            self.go(next, &from, pos);
            self.w.at(other);
        }
        self.go(last, &from, pos);
    }

    /// Whether that stands before a position. The states are asked in order, the beginning first.
    fn stands_before(&mut self, pos: Value<'c, 'a>, before: Before) -> Value<'c, 'a> {
        let zero = self.w.int(0);
        if before.start {
            return self.w.compare(Predicate::Eq, pos, zero);
        }
        let asks = self.automaton.asks;
        let set = ByteSet::which(|byte| asks.before(Some(byte)) == before);
        let is = self.w.neighbour(pos, None, set);
        // Without a question for the beginning it is as any byte that is nothing special.
        match before == Before::default() {
            true => {
                let start = self.w.compare(Predicate::Eq, pos, zero);
                self.w.or(start, is)
            }
            false => is,
        }
    }

    fn values(&mut self, held: &[Held], from: &Origin<'c, 'a>, here: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        held.iter()
            .map(|held| match held {
                Held::Nothing => self.w.int(-1),
                Held::Register(register) => from.registers.get(*register).copied().unwrap_or(here),
                Held::There => from.position,
                Held::Here => here,
            })
            .collect()
    }

    /// Goes where an edge leads from the current block, to a position.
    fn go(&mut self, next: &Next, from: &Origin<'c, 'a>, here: Value<'c, 'a>) {
        match next {
            Next::Nothing => self.w.jump(self.nothing, &[]),
            Next::Found(ends) => {
                let ends = self.values(ends, from, here);
                let found = self.w.bool(true);
                self.w.ret(found, &ends[..self.slots.min(ends.len())]);
            }
            Next::State(state, sources) => {
                let mut arguments = vec![here];
                arguments.extend(self.values(sources, from, here));
                self.w.jump(self.blocks[*state], &arguments);
            }
        }
    }

    fn state(&mut self, number: usize) {
        let State { registers, edges, last_newline, end } = &self.automaton.states[number];
        let block = self.stays[number];
        self.w.at(block);
        let here = self.w.argument(block, 0);
        let registers = (1..=*registers).map(|i| self.w.argument(block, i)).collect();
        let from = Origin { position: here, registers };
        let (look, done) = (self.w.block(0), self.w.block(0));
        let more = self.w.compare(Predicate::Lt, here, self.end);
        self.w.branch(more, (look, &[]), (done, &[]));
        self.w.at(done);
        self.go(end.as_ref().unwrap_or(&Next::Nothing), &from, here);
        self.w.at(look);
        let byte = self.w.load(here);
        let after = self.w.add(here, 1);
        if let Some(last) = last_newline {
            let is_last = self.w.compare(Predicate::Eq, after, self.end);
            let newline = self.w.is_byte(byte, b'\n');
            let both = self.w.and(is_last, newline);
            let (way, other) = (self.w.block(0), self.w.block(0));
            self.w.branch(both, (way, &[]), (other, &[]));
            self.w.at(way);
            self.go(last, &from, after);
            self.w.at(other);
        }
        self.dispatch(byte, edges, &from, after);
    }

    /// Tells the edges apart by a byte: by comparing it where there are two, by a table where there are more.
    fn dispatch(
        &mut self,
        byte: Value<'c, 'a>,
        edges: &[(ByteSet, Next)],
        from: &Origin<'c, 'a>,
        after: Value<'c, 'a>,
    ) {
        let mut edges: Vec<&(ByteSet, Next)> = edges.iter().collect();
        // The rarest first, so that what is left over is the most of all bytes.
        edges.sort_by_key(|(set, _)| set.len());
        let Some(((_, rest), special)) = edges.split_last() else { return };
        let number = (special.len() > 1).then(|| {
            let table = (0..=u8::MAX).map(|byte| special.iter().position(|(set, _)| set.contains(byte)));
            let table = table.map(|at| at.unwrap_or(special.len()) as u8).collect();
            self.w.table(table, byte)
        });
        for (i, (set, next)) in special.iter().enumerate() {
            let is = match number {
                Some(number) => self.w.is_byte(number, i as u8),
                None => self.w.is_in(byte, *set),
            };
            let (way, other) = (self.w.block(0), self.w.block(0));
            self.w.branch(is, (way, &[]), (other, &[]));
            self.w.at(way);
            self.go(next, from, after);
            self.w.at(other);
        }
        self.go(rest, from, after);
    }
}
