//! A pattern's steps as a function of core operations: [`backtrack`](super::backtrack), step for step.
//!
//! A block per step takes the position. Variables are stack slots of their own, the stack of entries one array: where
//! to resume, a position, and a second word.

use super::bytes::ByteSet;
use super::program::{Loop, Mode, Program, STACK, Step};
use super::syntax::{Anchor, words};
use super::writer::{Block, Writer};
use crate::dialects::core::enums::Predicate;
use melior::ir::Value;

/// Words of an entry.
const ENTRY: i64 = 3;

/// What popping an entry does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resume {
    At(usize),
    Shorter(usize),
    Longer(usize),
    More(usize),
    Held(usize),
}

struct Matcher<'w, 'p, 'c, 'a, 't> {
    w: &'w mut Writer<'c, 'a, 't>,
    program: &'p Program,
    mode: Mode,
    end: Value<'c, 'a>,
    stack: Value<'c, 'a>,
    depth: Value<'c, 'a>,
    start: Value<'c, 'a>,
    variables: Vec<Value<'c, 'a>>,
    steps: Vec<Block<'c, 'a>>,
    /// Where a failing step goes.
    fail: Block<'c, 'a>,
    /// Where it goes on from there, with entries on the stack.
    pop: Block<'c, 'a>,
    resumes: Vec<Resume>,
}

/// Writes the matcher of a program.
pub fn write<'c: 'a, 'a>(w: &mut Writer<'c, 'a, '_>, program: &Program, mode: Mode) {
    let (pos, end) = bounds(w);
    let (stack, depth, start) = (w.slots(ENTRY * STACK as i64), w.slots(1), w.slots(1));
    let variables = (0..program.variables).map(|_| w.slots(1)).collect();
    let steps = program.steps.iter().map(|_| w.block(1)).collect();
    let (fail, pop) = (w.block(0), w.block(0));
    let resumes = Vec::new();
    let mut matcher = Matcher { w, program, mode, end, stack, depth, start, variables, steps, fail, pop, resumes };
    matcher.attempts(pos);
    for label in 0..program.steps.len() {
        matcher.step(label);
    }
    matcher.pops();
}

/// Where the match may begin and where the text ends, as Python clamps them.
pub fn bounds<'c: 'a, 'a>(w: &mut Writer<'c, 'a, '_>) -> (Value<'c, 'a>, Value<'c, 'a>) {
    let (length, zero) = (w.length(), w.int(0));
    let clamp = |value: Value<'c, 'a>| {
        let negative = w.compare(Predicate::Lt, value, zero);
        w.min(w.select(negative, zero, value), length)
    };
    (clamp(w.pos), clamp(w.endpos))
}

/// Whether an anchor holds at a position.
pub fn holds<'c: 'a, 'a>(
    w: &mut Writer<'c, 'a, '_>,
    anchor: Anchor,
    at: Value<'c, 'a>,
    end: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let newline = ByteSet::of([b'\n']);
    let zero = w.int(0);
    match anchor {
        Anchor::Start => w.compare(Predicate::Eq, at, zero),
        Anchor::LineStart => {
            let first = w.compare(Predicate::Eq, at, zero);
            let before = w.neighbour(at, None, newline);
            w.or(first, before)
        }
        Anchor::TextEnd => w.compare(Predicate::Eq, at, end),
        Anchor::LineEnd => {
            // Python looks on behind the end, where a match may begin.
            let last = w.compare(Predicate::Eq, at, end);
            let length = w.length();
            let here = w.neighbour(at, Some(length), newline);
            w.or(last, here)
        }
        Anchor::End => {
            let last = w.compare(Predicate::Eq, at, end);
            let next = w.add(at, 1);
            let before_last = w.compare(Predicate::Eq, next, end);
            let here = w.neighbour(at, Some(end), newline);
            let here = w.and(before_last, here);
            w.or(last, here)
        }
        Anchor::Boundary | Anchor::NotBoundary => {
            let some = w.compare(Predicate::Ne, end, zero);
            let (before, here) = (w.neighbour(at, None, words()), w.neighbour(at, Some(end), words()));
            let predicate = if anchor == Anchor::Boundary { Predicate::Ne } else { Predicate::Eq };
            let edge = w.compare(predicate, before, here);
            w.and(some, edge)
        }
    }
}

impl<'c: 'a, 'a> Matcher<'_, '_, 'c, 'a, '_> {
    /// The loop over the starts, and what ends it.
    fn attempts(&mut self, pos: Value<'c, 'a>) {
        let (attempt, nothing) = (self.w.block(1), self.w.block(0));
        match self.mode {
            Mode::Search => {
                let late = self.w.compare(Predicate::Gt, pos, self.end);
                self.w.branch(late, (nothing, &[]), (attempt, &[pos]));
            }
            Mode::Match | Mode::Fullmatch => self.w.jump(attempt, &[pos]),
        }
        self.w.at(nothing);
        let (no, none, zero) = (self.w.bool(false), self.w.int(-1), self.w.int(0));
        self.w.ret(no, &vec![none; 2 * self.program.groups]);

        self.w.at(attempt);
        let at = self.w.argument(attempt, 0);
        self.w.put(at, self.start);
        self.w.put(zero, self.depth);
        for variable in 0..2 * self.program.groups {
            self.w.put(none, self.variables[variable]);
        }
        self.w.jump(self.steps[self.program.start], &[at]);

        self.w.at(self.fail);
        let depth = self.w.get(self.depth);
        let empty = self.w.compare(Predicate::Eq, depth, zero);
        let exhausted = self.w.block(0);
        self.w.branch(empty, (exhausted, &[]), (self.pop, &[]));
        self.w.at(exhausted);
        match self.mode {
            Mode::Search => {
                let start = self.w.get(self.start);
                let next = self.w.add(start, 1);
                let late = self.w.compare(Predicate::Gt, next, self.end);
                self.w.branch(late, (nothing, &[]), (attempt, &[next]));
            }
            Mode::Match | Mode::Fullmatch => self.w.jump(nothing, &[]),
        }
    }

    /// The number that an entry names a way to resume by.
    fn number(&mut self, resume: Resume) -> i64 {
        let known = self.resumes.iter().position(|known| *known == resume);
        known.unwrap_or_else(|| {
            self.resumes.push(resume);
            self.resumes.len() - 1
        }) as i64
    }

    fn push(&mut self, resume: Resume, first: Value<'c, 'a>, second: Option<Value<'c, 'a>>) {
        let number = self.number(resume);
        let depth = self.w.get(self.depth);
        let limit = self.w.int(STACK as i64);
        let room = self.w.compare(Predicate::Lt, depth, limit);
        self.w.guard_stack(room);
        let number = self.w.int(number);
        for (offset, word) in [(0, Some(number)), (1, Some(first)), (2, second)] {
            if let Some(word) = word {
                let slot = self.w.slot(self.stack, depth, ENTRY, offset);
                self.w.put(word, slot);
            }
        }
        let depth = self.w.add(depth, 1);
        self.w.put(depth, self.depth);
    }

    /// Sets a variable; with nothing to come back to, what it held does not matter.
    fn set(&mut self, variable: usize, value: Value<'c, 'a>) {
        let depth = self.w.get(self.depth);
        let zero = self.w.int(0);
        let empty = self.w.compare(Predicate::Eq, depth, zero);
        let (keep, next) = (self.w.block(0), self.w.block(0));
        self.w.branch(empty, (next, &[]), (keep, &[]));
        self.w.at(keep);
        let held = self.w.get(self.variables[variable]);
        self.push(Resume::Held(variable), held, None);
        self.w.jump(next, &[]);
        self.w.at(next);
        self.w.put(value, self.variables[variable]);
    }

    /// Goes on where the byte at a position is in the set, and fails elsewhere.
    fn take(&mut self, at: Value<'c, 'a>, set: ByteSet, otherwise: Block<'c, 'a>, with: &[Value<'c, 'a>]) {
        let inside = self.w.compare(Predicate::Lt, at, self.end);
        self.w.unless_to(inside, (otherwise, with));
        let byte = self.w.load(at);
        let is = self.w.is_in(byte, set);
        self.w.unless_to(is, (otherwise, with));
    }

    fn step(&mut self, label: usize) {
        let block = self.steps[label];
        self.w.at(block);
        let at = self.w.argument(block, 0);
        match self.program.steps[label] {
            Step::Accept => self.accept(at),
            Step::Byte { set, next } => {
                self.take(at, set, self.fail, &[]);
                let after = self.w.add(at, 1);
                self.w.jump(self.steps[next], &[after]);
            }
            Step::Run { set, min, max, greedy, next } => self.run(label, at, set, (min, max), greedy, next),
            Step::Split { first, second } => {
                self.push(Resume::At(second), at, None);
                self.w.jump(self.steps[first], &[at]);
            }
            Step::Save { variable, next } => {
                self.set(variable, at);
                self.w.jump(self.steps[next], &[at]);
            }
            Step::At { anchor, next } => {
                let is = holds(self.w, anchor, at, self.end);
                self.w.branch(is, (self.steps[next], &[at]), (self.fail, &[]));
            }
            Step::Enter { looped, under_way, next } => {
                let Loop { count, last, .. } = self.program.loops[looped];
                if let Some(count) = count {
                    let under_way = self.w.int(under_way.into());
                    self.set(count, under_way);
                }
                if let Some(last) = last {
                    let none = self.w.int(-1);
                    self.set(last, none);
                }
                self.w.jump(self.steps[next], &[at]);
            }
            Step::Again { looped } => self.again(looped, at),
        }
    }

    fn accept(&mut self, at: Value<'c, 'a>) {
        let mut ends = vec![self.w.get(self.start), at];
        for variable in 2..2 * self.program.groups {
            ends.push(self.w.get(self.variables[variable]));
        }
        let yes = self.w.bool(true);
        self.w.ret(yes, &ends);
    }

    fn run(
        &mut self,
        label: usize,
        at: Value<'c, 'a>,
        set: ByteSet,
        (min, max): (u32, Option<u32>),
        greedy: bool,
        next: usize,
    ) {
        let least = self.w.add(at, min.into());
        let fits = self.w.compare(Predicate::Le, least, self.end);
        self.w.unless_to(fits, (self.fail, &[]));
        let most = match max {
            Some(max) => {
                let most = self.w.add(at, max.into());
                self.w.min(most, self.end)
            }
            None => self.end,
        };
        let limit = if greedy { most } else { least };
        let (scan, scanned) = (self.w.block(1), self.w.block(1));
        self.w.jump(scan, &[at]);
        self.w.at(scan);
        let q = self.w.argument(scan, 0);
        let more = self.w.compare(Predicate::Lt, q, limit);
        self.w.unless_to(more, (scanned, &[q]));
        let byte = self.w.load(q);
        let is = self.w.is_in(byte, set);
        let after = self.w.add(q, 1);
        self.w.branch(is, (scan, &[after]), (scanned, &[q]));
        self.w.at(scanned);
        let q = self.w.argument(scanned, 0);
        let enough = self.w.compare(Predicate::Ge, q, least);
        self.w.unless_to(enough, (self.fail, &[]));
        let (keep, next) = (self.w.block(0), self.steps[next]);
        let other =
            if greedy { self.w.compare(Predicate::Gt, q, least) } else { self.w.compare(Predicate::Lt, q, most) };
        self.w.branch(other, (keep, &[]), (next, &[q]));
        self.w.at(keep);
        match greedy {
            true => self.push(Resume::Shorter(label), q, Some(least)),
            false => self.push(Resume::Longer(label), q, Some(most)),
        }
        self.w.jump(next, &[q]);
    }

    fn again(&mut self, looped: usize, at: Value<'c, 'a>) {
        let program = self.program;
        let l = &program.loops[looped];
        let (exit, body) = (self.steps[l.exit], self.steps[l.body]);
        if let Some(variable) = l.count {
            let count = self.w.get(self.variables[variable]);
            if l.min > 1 {
                let min = self.w.int(l.min.into());
                let enough = self.w.compare(Predicate::Ge, count, min);
                let (on, next) = (self.w.block(0), self.w.block(0));
                self.w.branch(enough, (next, &[]), (on, &[]));
                self.w.at(on);
                let more = self.w.add(count, 1);
                self.set(variable, more);
                self.w.jump(body, &[at]);
                self.w.at(next);
            }
            if let Some(max) = l.max {
                let max = self.w.int(max.into());
                let room = self.w.compare(Predicate::Lt, count, max);
                self.w.unless_to(room, (exit, &[at]));
            }
        }
        if let Some(last) = l.last {
            let last = self.w.get(self.variables[last]);
            let some = self.w.compare(Predicate::Ne, last, at);
            self.w.unless_to(some, (exit, &[at]));
        }
        if l.greedy {
            self.push(Resume::At(l.exit), at, None);
            self.iterate(looped, at);
        } else {
            self.push(Resume::More(looped), at, None);
            self.w.jump(exit, &[at]);
        }
    }

    /// Begins an iteration that needs not be.
    fn iterate(&mut self, looped: usize, at: Value<'c, 'a>) {
        let Loop { count, last, body, .. } = self.program.loops[looped];
        if let Some(last) = last {
            self.set(last, at);
        }
        if let Some(variable) = count {
            let count = self.w.get(self.variables[variable]);
            let more = self.w.add(count, 1);
            self.set(variable, more);
        }
        self.w.jump(self.steps[body], &[at]);
    }

    /// Undoes the newest entry: a binary search for what it says.
    fn pops(&mut self) {
        self.w.at(self.pop);
        let depth = self.w.get(self.depth);
        let depth = self.w.add(depth, -1);
        self.w.put(depth, self.depth);
        let words: Vec<Value> = (0..ENTRY)
            .map(|offset| {
                let slot = self.w.slot(self.stack, depth, ENTRY, offset);
                if offset == 2 { slot } else { self.w.get(slot) }
            })
            .collect();
        let [number, first, second] = words[..] else { return };
        let place = self.w.slot(self.stack, depth, ENTRY, 1);
        let mut ways: Vec<Block> = Vec::new();
        let mut written = 0;
        // A way may push entries that resume by ways not seen before.
        while written < self.resumes.len() {
            let way = self.w.block(0);
            ways.push(way);
            self.w.at(way);
            self.resume(self.resumes[written], first, second, place);
            written += 1;
        }
        self.w.at(self.pop);
        match ways.is_empty() {
            // Nothing is pushed, so nothing is popped.
            true => self.w.jump(self.fail, &[]),
            false => self.dispatch(number, &ways, 0),
        }
    }

    fn dispatch(&mut self, number: Value<'c, 'a>, ways: &[Block<'c, 'a>], first: i64) {
        if let [way] = ways {
            self.w.jump(*way, &[]);
            return;
        }
        let (low, high) = ways.split_at(ways.len() / 2);
        let middle = first + low.len() as i64;
        let (below, above) = (self.w.block(0), self.w.block(0));
        let bound = self.w.int(middle);
        let is_below = self.w.compare(Predicate::Lt, number, bound);
        self.w.branch(is_below, (below, &[]), (above, &[]));
        self.w.at(below);
        self.dispatch(number, low, first);
        self.w.at(above);
        self.dispatch(number, high, middle);
    }

    /// What an entry with these words leads to; `second` and `place` are slots.
    fn resume(&mut self, resume: Resume, first: Value<'c, 'a>, second: Value<'c, 'a>, place: Value<'c, 'a>) {
        match resume {
            Resume::At(label) => self.w.jump(self.steps[label], &[first]),
            Resume::Held(variable) => {
                self.w.put(first, self.variables[variable]);
                self.w.jump(self.fail, &[]);
            }
            Resume::More(looped) => self.iterate(looped, first),
            Resume::Shorter(label) => {
                let Step::Run { next, .. } = self.program.steps[label] else { return };
                let at = self.w.add(first, -1);
                let low = self.w.get(second);
                let more = self.w.compare(Predicate::Gt, at, low);
                self.keep(more, at, place, self.steps[next]);
            }
            Resume::Longer(label) => {
                let Step::Run { set, next, .. } = self.program.steps[label] else { return };
                let byte = self.w.load(first);
                let is = self.w.is_in(byte, set);
                self.w.unless_to(is, (self.fail, &[]));
                let at = self.w.add(first, 1);
                let high = self.w.get(second);
                let more = self.w.compare(Predicate::Lt, at, high);
                self.keep(more, at, place, self.steps[next]);
            }
        }
    }

    /// Goes on at a step with a position; where there is more to try, the entry stays with that position.
    fn keep(&mut self, more: Value<'c, 'a>, at: Value<'c, 'a>, place: Value<'c, 'a>, next: Block<'c, 'a>) {
        let keep = self.w.block(0);
        self.w.branch(more, (keep, &[]), (next, &[at]));
        self.w.at(keep);
        self.w.put(at, place);
        let depth = self.w.get(self.depth);
        let depth = self.w.add(depth, 1);
        self.w.put(depth, self.depth);
        self.w.jump(next, &[at]);
    }
}
