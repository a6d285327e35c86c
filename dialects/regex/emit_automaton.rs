//! An automaton as a function of core operations: a block for each state, which takes the position and its registers,
//! or, where that is too much code, one block for all with a table ([`emit_table`](super::emit_table)).

use super::automaton::{Automaton, Before, Held, Next, State};
use super::backtrack::{self, Found};
use super::bytes::ByteSet;
use super::emit_backtrack::bounds;
use super::emit_table::Table;
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

/// How states are spelled.
pub(super) enum Form<'c, 'a> {
    /// A block for each.
    Blocks(Vec<Block<'c, 'a>>),
    /// One block for all, which takes where the state is after the position; registers are slots.
    Table { step: Block<'c, 'a>, slots: Value<'c, 'a> },
}

pub(super) struct Matcher<'w, 'm, 'c, 'a, 't> {
    pub w: &'w mut Writer<'c, 'a, 't>,
    automaton: &'m Automaton,
    /// Ends of groups.
    pub ends: usize,
    pub end: Value<'c, 'a>,
    pub form: Form<'c, 'a>,
    /// Where a search goes on from a position at which no match is under way.
    pub skip: Option<Block<'c, 'a>>,
    pub nothing: Block<'c, 'a>,
}

/// Writes the matcher of an automaton with so many ends of groups: with its table, or with a block for each state.
pub fn write<'c: 'a, 'a>(
    w: &mut Writer<'c, 'a, '_>,
    automaton: &Automaton,
    table: Option<&Table>,
    corners: &Corners,
    prefilter: Option<&Prefilter>,
    ends: usize,
) {
    let (pos, end) = bounds(w);
    let slots = table.map(|table| table.slots(w, ends));
    let lanes = prefilter.map(|_| Lanes::begin(w));
    let nothing = w.block(0);
    let form = match slots {
        Some(slots) => Form::Table { step: w.block(2), slots },
        None => Form::Blocks(automaton.states.iter().map(|state| w.block(1 + state.registers)).collect()),
    };
    let skip = prefilter.map(|_| w.block(1));
    let mut matcher = Matcher { w, automaton, ends, end, form, skip, nothing };
    matcher.begin(pos, corners);
    if let Some(((prefilter, mut lanes), skip)) = prefilter.zip(lanes).zip(skip) {
        let candidate = matcher.w.block(1);
        prefilter::write(matcher.w, &mut lanes, prefilter, skip, end, candidate, nothing);
        lanes.finish(matcher.w);
        matcher.w.at(candidate);
        let at = matcher.w.argument(candidate, 0);
        // What was skipped to is looked at.
        matcher.skip = None;
        matcher.enter(at);
        matcher.skip = Some(skip);
    }
    match table {
        Some(table) => table.write(&mut matcher),
        None => (0..automaton.states.len()).for_each(|number| matcher.state(number)),
    }
    matcher.w.at(nothing);
    let (no, none) = (matcher.w.bool(false), matcher.w.int(-1));
    matcher.w.ret(no, &vec![none; ends]);
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
        let mut starts = self.automaton.starts.iter();
        let Some((_, last)) = starts.next_back() else { return };
        for (before, next) in starts {
            let is = self.stands_before(pos, *before);
            let (way, other) = (self.w.block(0), self.w.block(0));
            self.w.branch(is, (way, &[]), (other, &[]));
            self.w.at(way);
            self.go(next, &[], pos);
            self.w.at(other);
        }
        self.go(last, &[], pos);
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

    /// What is held after an edge to a position from a state with these registers.
    pub fn values(&mut self, held: &[Held], registers: &[Value<'c, 'a>], here: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
        let value = |held: &Held| match held {
            Held::Nothing => self.w.int(-1),
            Held::Register(register) => registers.get(*register).copied().unwrap_or(here),
            Held::Ago(bytes) => self.w.add(here, -(*bytes as i64)),
        };
        held.iter().map(value).collect()
    }

    /// Returns a match with these ends.
    pub fn found(&mut self, ends: &[Held], registers: &[Value<'c, 'a>], here: Value<'c, 'a>) {
        let ends = self.values(ends, registers, here);
        let found = self.w.bool(true);
        self.w.ret(found, &ends[..self.ends.min(ends.len())]);
    }

    /// Goes where an edge leads from the current block, to a position.
    fn go(&mut self, next: &Next, registers: &[Value<'c, 'a>], here: Value<'c, 'a>) {
        match next {
            Next::Nothing => self.w.jump(self.nothing, &[]),
            Next::Found(ends) => self.found(ends, registers, here),
            Next::State(state, sources) => {
                if let Some(skip) = self.skip.filter(|_| self.automaton.states[*state].idle) {
                    return self.w.jump(skip, &[here]);
                }
                match &self.form {
                    Form::Blocks(blocks) => {
                        let block = blocks[*state];
                        let mut arguments = vec![here];
                        arguments.extend(self.values(sources, registers, here));
                        self.w.jump(block, &arguments);
                    }
                    // Only where nothing is under way: there are no registers yet.
                    Form::Table { step, .. } => {
                        let (step, state) = (*step, self.w.int(Table::place_of(*state)));
                        self.w.jump(step, &[here, state]);
                    }
                }
            }
        }
    }

    fn state(&mut self, number: usize) {
        let State { registers, edges, last_newline, end, .. } = &self.automaton.states[number];
        let Form::Blocks(blocks) = &self.form else { return };
        let block = blocks[number];
        self.w.at(block);
        let here = self.w.argument(block, 0);
        let from: Vec<Value> = (1..=*registers).map(|i| self.w.argument(block, i)).collect();
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
        from: &[Value<'c, 'a>],
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
