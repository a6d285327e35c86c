//! The backtracking matcher: what a pattern means, on plain bytes.
//!
//! **This is the law**: alternatives in order, a greedy repeat gives back one iteration at a time, a lazy one takes one
//! more, a group keeps its last iteration, an iteration that took nothing is the last one tried. Time is limited by
//! fuel, memory by the stack of [`STACK`] entries.

use super::program::{Loop, Mode, Program, STACK, Step};
use super::syntax::{Anchor, is_word};

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The start and the end of every group, -1 for one that took no part.
    Spans(Vec<i64>),
    Nothing,
    /// The stack is full.
    Overflow,
    /// The fuel is used up.
    Endless,
}

/// Whether an anchor holds at a position of a text that ends at `end`, which may be before the position.
pub fn holds(anchor: Anchor, text: &[u8], end: usize, at: usize) -> bool {
    let before = || at.checked_sub(1).and_then(|i| text.get(i)).copied();
    let here = || text.get(..end).and_then(|text| text.get(at)).copied();
    let word = |byte: Option<u8>| byte.is_some_and(is_word);
    match anchor {
        Anchor::Start => at == 0,
        Anchor::LineStart => at == 0 || before() == Some(b'\n'),
        Anchor::End => at == end || at + 1 == end && here() == Some(b'\n'),
        // Behind the end, where a match may begin, Python looks on.
        Anchor::LineEnd => at == end || text.get(at) == Some(&b'\n'),
        Anchor::TextEnd => at == end,
        // Python up to 3.13 finds neither in an empty text.
        Anchor::Boundary => end != 0 && word(before()) != word(here()),
        Anchor::NotBoundary => end != 0 && word(before()) == word(here()),
    }
}

/// A place to come back to, or what to undo.
#[derive(Clone, Copy)]
enum Entry {
    /// Go on at a step.
    Resume { label: usize, at: usize },
    /// A greedy run gives a byte back, down to a place.
    Shorter { label: usize, at: usize, low: usize },
    /// A lazy run takes another byte, up to a place.
    Longer { label: usize, at: usize, high: usize },
    /// A lazy loop takes another iteration.
    More { looped: usize, at: usize },
    /// A variable held this.
    Held { variable: usize, value: i64 },
}

struct Matcher<'p> {
    program: &'p Program,
    text: &'p [u8],
    end: usize,
    stack: Vec<Entry>,
    variables: Vec<i64>,
    fuel: u64,
}

/// Runs a program: over `text` from `pos` on, with `endpos` as its end, both as Python clamps them.
pub fn run(program: &Program, mode: Mode, text: &[u8], pos: i64, endpos: i64, fuel: u64) -> Found {
    let clamp = |index: i64| usize::try_from(index).unwrap_or(0).min(text.len());
    let (pos, end) = (clamp(pos), clamp(endpos));
    // A match begins behind the end where nothing stands in its way, as in Python; a search does not.
    let last = if mode == Mode::Search { end } else { pos };
    let variables = vec![-1; program.variables];
    let mut matcher = Matcher { program, text, end, stack: Vec::new(), variables, fuel };
    for start in pos..=last {
        match matcher.attempt(start) {
            Found::Nothing => {}
            found => return found,
        }
    }
    Found::Nothing
}

impl Matcher<'_> {
    fn attempt(&mut self, start: usize) -> Found {
        self.variables.fill(-1);
        self.stack.clear();
        let (mut label, mut at) = (self.program.start, start);
        loop {
            if self.fuel == 0 {
                return Found::Endless;
            }
            self.fuel -= 1;
            match self.step(label, &mut at) {
                Ok(Some(next)) => label = next,
                Ok(None) => {
                    let mut spans = self.variables[..2 * self.program.groups].to_vec();
                    if let [first, second, ..] = spans.as_mut_slice() {
                        (*first, *second) = (start as i64, at as i64);
                    }
                    // A group that began and did not end took no part.
                    for span in spans.chunks_exact_mut(2).filter(|span| span.contains(&-1)) {
                        span.fill(-1);
                    }
                    return Found::Spans(spans);
                }
                Err(Fail::Overflow) => return Found::Overflow,
                Err(Fail::Here) => match self.pop(&mut at) {
                    Some(Ok(next)) => label = next,
                    Some(Err(())) => return Found::Overflow,
                    None => return Found::Nothing,
                },
            }
        }
    }

    fn push(&mut self, entry: Entry) -> Result<(), Fail> {
        if self.stack.len() >= STACK {
            return Err(Fail::Overflow);
        }
        self.stack.push(entry);
        Ok(())
    }

    /// Sets a variable; with nothing to come back to, what it held does not matter.
    fn set(&mut self, variable: usize, value: i64) -> Result<(), Fail> {
        if !self.stack.is_empty() {
            self.push(Entry::Held { variable, value: self.variables[variable] })?;
        }
        self.variables[variable] = value;
        Ok(())
    }

    fn run_length(&self, set: super::bytes::ByteSet, from: usize, limit: usize) -> usize {
        let text = self.text.get(from..limit).unwrap_or_default();
        text.iter().position(|byte| !set.contains(*byte)).unwrap_or(text.len())
    }

    /// The next step; `None` after a match.
    fn step(&mut self, label: usize, at: &mut usize) -> Result<Option<usize>, Fail> {
        let next = match &self.program.steps[label] {
            Step::Accept => return Ok(None),
            Step::Byte { set, next } => match self.text[..self.end].get(*at) {
                Some(byte) if set.contains(*byte) => {
                    *at += 1;
                    *next
                }
                _ => return Err(Fail::Here),
            },
            Step::Run { set, min, max, greedy, next } => {
                let least = at.saturating_add(*min as usize);
                let most = max.map_or(self.end, |max| at.saturating_add(max as usize).min(self.end));
                if least > self.end {
                    return Err(Fail::Here);
                }
                let from = *at;
                *at += self.run_length(*set, from, if *greedy { most } else { least });
                if *at < least {
                    return Err(Fail::Here);
                }
                match greedy {
                    true if *at > least => self.push(Entry::Shorter { label: *next, at: *at, low: least })?,
                    false if *at < most => self.push(Entry::Longer { label, at: *at, high: most })?,
                    _ => {}
                }
                *next
            }
            Step::Split { first, second } => {
                self.push(Entry::Resume { label: *second, at: *at })?;
                *first
            }
            Step::Save { variable, next } => {
                self.set(*variable, *at as i64)?;
                *next
            }
            Step::At { anchor, next } => match holds(*anchor, self.text, self.end, *at) {
                true => *next,
                false => return Err(Fail::Here),
            },
            Step::Enter { looped, under_way, next } => {
                let Loop { count, last, .. } = &self.program.loops[*looped];
                if let Some(count) = count {
                    self.set(*count, i64::from(*under_way))?;
                }
                if let Some(last) = last {
                    self.set(*last, -1)?;
                }
                *next
            }
            Step::Again { looped } => self.again(*looped, *at)?,
        };
        Ok(Some(next))
    }

    fn again(&mut self, looped: usize, at: usize) -> Result<usize, Fail> {
        let l = &self.program.loops[looped];
        let count = l.count.map(|count| self.variables[count]);
        if let (Some(variable), Some(count)) = (l.count, count)
            && count < i64::from(l.min)
        {
            self.set(variable, count + 1)?;
            return Ok(l.body);
        }
        let full = l.max.zip(count).is_some_and(|(max, count)| count >= i64::from(max));
        let nothing = l.last.is_some_and(|last| self.variables[last] == at as i64);
        if full || nothing {
            return Ok(l.exit);
        }
        if !l.greedy {
            self.push(Entry::More { looped, at })?;
            return Ok(l.exit);
        }
        self.push(Entry::Resume { label: l.exit, at })?;
        self.iterate(looped, at)
    }

    /// Begins an iteration that needs not be.
    fn iterate(&mut self, looped: usize, at: usize) -> Result<usize, Fail> {
        let l = &self.program.loops[looped];
        if let Some(last) = l.last {
            self.set(last, at as i64)?;
        }
        if let Some(count) = l.count {
            self.set(count, self.variables[count] + 1)?;
        }
        Ok(l.body)
    }

    /// Where the newest entry leads; `None` when there is none, an error when the stack is full.
    fn pop(&mut self, at: &mut usize) -> Option<Result<usize, ()>> {
        loop {
            self.fuel = self.fuel.saturating_sub(1);
            match self.stack.pop()? {
                Entry::Held { variable, value } => self.variables[variable] = value,
                Entry::Resume { label, at: place } => {
                    *at = place;
                    return Some(Ok(label));
                }
                Entry::Shorter { label, at: place, low } => {
                    *at = place - 1;
                    if *at > low {
                        self.stack.push(Entry::Shorter { label, at: *at, low });
                    }
                    return Some(Ok(label));
                }
                Entry::Longer { label, at: place, high } => {
                    let Step::Run { set, next, .. } = &self.program.steps[label] else { continue };
                    if !self.text.get(place).is_some_and(|byte| set.contains(*byte)) {
                        continue;
                    }
                    *at = place + 1;
                    if *at < high {
                        self.stack.push(Entry::Longer { label, at: *at, high });
                    }
                    return Some(Ok(*next));
                }
                Entry::More { looped, at: place } => {
                    *at = place;
                    return Some(self.iterate(looped, place).map_err(|_| ()));
                }
            }
        }
    }
}

/// Why a step does not go on.
enum Fail {
    /// The text is not as the step needs it.
    Here,
    /// The stack is full.
    Overflow,
}
