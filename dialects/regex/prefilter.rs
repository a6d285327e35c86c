//! Skipping text in which no match begins, 32 bytes at a time: by the bytes that every match has at some offsets, or by
//! a byte that ends the run that every match begins with, as `@` does in an address.

use super::bytes::ByteSet;
use super::lanes::{Lanes, WIDTH};
use super::nfa::{Nfa, Place};
use super::syntax::{Node, Pattern};
use super::writer::{Block, Writer};
use crate::dialects::core::enums::Predicate;
use melior::ir::Value;
use std::collections::HashSet;

/// Offsets of a match that are looked into.
const DEPTH: usize = 8;
/// Tests of one place.
const MAX_TESTS: usize = 3;
/// Ranges of bytes that one test compares with.
const MAX_RANGES: usize = 4;
/// Of 10,000 places, those that may pass all tests: more and skipping costs more than it saves.
const MAX_PASSING: u64 = 600;
/// Where another test is not worth its time.
const FEW: u64 = 20;

/// How many of 10,000 bytes of an English text with some data in it are this one, roughly.
fn weight(byte: u8) -> u64 {
    match byte {
        b' ' => 1500,
        b'e' => 950,
        b't' => 700,
        b'a' | b'o' | b'i' | b'n' => 570,
        b's' | b'r' | b'h' => 480,
        b'l' | b'd' => 320,
        b'u' | b'c' | b'm' => 220,
        b'f' | b'w' | b'g' | b'y' | b'p' => 160,
        b'b' | b'v' | b'k' | b'\n' | b',' | b'.' => 100,
        b'0'..=b'9' | b'A'..=b'Z' => 30,
        b'a'..=b'z' | b'!'..=b'~' => 15,
        _ => 2,
    }
}

/// Tests that a place where a match begins passes.
#[derive(Debug)]
pub struct Prefilter {
    /// Sets by their offsets, the rarest first.
    tests: Vec<(i64, ByteSet)>,
    /// The bytes that the shortest match has, of those looked into.
    length: i64,
    /// What passes is not where a match begins but where its run of such bytes ends, at least so many of them.
    run: Option<(ByteSet, i64)>,
}

impl Prefilter {
    /// `None` where too many places pass, or where the place of a match is given.
    pub fn new(pattern: &Pattern, nfa: &Nfa) -> Option<Prefilter> {
        let mut sets = Vec::new();
        let mut places = vec![nfa.searched?];
        while sets.len() < DEPTH {
            let Some((set, next)) = first(nfa, &places) else { break };
            sets.push(set);
            places = next;
        }
        let length = sets.len() as i64;
        let mut tests: Vec<(i64, ByteSet)> = (0..).zip(sets).collect();
        tests.retain(|(_, set)| set.ranges().len() <= MAX_RANGES);
        tests.sort_by_key(|(_, set)| share(*set));
        let mut passing = 10_000;
        let mut taken = 0;
        for (_, set) in tests.iter().take(MAX_TESTS) {
            if passing <= FEW || share(*set) > 5_000 {
                break;
            }
            passing = passing * share(*set) / 10_000;
            taken += 1;
        }
        tests.truncate(taken);
        if taken > 0 && passing <= MAX_PASSING {
            return Some(Prefilter { tests, length, run: None });
        }
        let (run, min, end) = leading_run(&pattern.root)?;
        let rare = run.intersection(end).is_empty() && end.ranges().len() <= MAX_RANGES && share(end) <= MAX_PASSING;
        rare.then(|| Prefilter { tests: vec![(0, end)], length: 1, run: Some((run, min)) })
    }
}

/// How many of 10,000 bytes are in a set.
fn share(set: ByteSet) -> u64 {
    set.iter().map(weight).sum::<u64>().clamp(1, 10_000)
}

/// A run of a set, its least length and the set of the byte after it, where a pattern begins so.
fn leading_run(root: &Node) -> Option<(ByteSet, i64, ByteSet)> {
    let Node::Concat(parts) = root else { return None };
    let [first, Node::Byte(end), ..] = &parts[..] else { return None };
    let mut first = first;
    while let Node::Group(_, body) = first {
        first = body;
    }
    match first {
        Node::Repeat { body, min, max: None, .. } => match **body {
            Node::Byte(run) => Some((run, (*min).into(), *end)),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes that may come next from places, and the places behind them; `None` where a match may end.
fn first(nfa: &Nfa, places: &[usize]) -> Option<(ByteSet, Vec<usize>)> {
    let mut set = ByteSet::EMPTY;
    let (mut next, mut seen, mut stack) = (Vec::new(), HashSet::new(), places.to_vec());
    while let Some(place) = stack.pop() {
        if !seen.insert(place) {
            continue;
        }
        match &nfa.places[place] {
            Place::Accept => return None,
            Place::Byte(ways) => {
                set = ways.iter().fold(set, |set, (bytes, _)| set.union(*bytes));
                next.extend(ways.iter().map(|(_, after)| *after));
            }
            other => stack.extend(other.nexts()),
        }
    }
    Some((set, next))
}

/// Writes the block that skips from its position to the next place that passes, or to `nothing`.
pub fn write<'c: 'a, 'a>(
    w: &mut Writer<'c, 'a, '_>,
    lanes: &mut Lanes<'c, 'a>,
    prefilter: &Prefilter,
    skip: Block<'c, 'a>,
    end: Value<'c, 'a>,
    candidate: Block<'c, 'a>,
    nothing: Block<'c, 'a>,
) {
    let (many, look, one) = (w.block(2), w.block(0), w.block(2));
    w.at(skip);
    let from = w.argument(skip, 0);
    w.jump(many, &[from, from]);
    w.at(many);
    let (at, from) = (w.argument(many, 0), w.argument(many, 1));
    let reach = w.add(at, prefilter.length - 1 + WIDTH);
    let room = w.compare(Predicate::Le, reach, end);
    w.branch(room, (look, &[]), (one, &[at, from]));
    w.at(look);
    let mut all = None;
    for (offset, set) in &prefilter.tests {
        let place = w.add(at, *offset);
        let bytes = lanes.load(w, place);
        let is = lanes.within(w, bytes, *set);
        all = Some(all.map_or(is, |all| lanes.both(w, all, is)));
    }
    let any = match all {
        Some(all) => lanes.any(w, all),
        None => w.bool(true),
    };
    let after = w.add(at, WIDTH);
    w.branch(any, (one, &[at, from]), (many, &[after, from]));

    w.at(one);
    let (at, from) = (w.argument(one, 0), w.argument(one, 1));
    let reach = w.add(at, prefilter.length);
    let room = w.compare(Predicate::Le, reach, end);
    w.unless_to(room, (nothing, &[]));
    let next = w.block(0);
    for (offset, set) in &prefilter.tests {
        let place = w.add(at, *offset);
        let byte = w.load(place);
        let is = w.is_in(byte, *set);
        w.unless_to(is, (next, &[]));
    }
    match prefilter.run {
        None => w.jump(candidate, &[at]),
        Some((run, min)) => {
            // Back to where the run begins, but not to before the search.
            let (back, begin) = (w.block(1), w.block(1));
            w.jump(back, &[at]);
            w.at(back);
            let start = w.argument(back, 0);
            let more = w.compare(Predicate::Gt, start, from);
            w.unless_to(more, (begin, &[start]));
            let before = w.add(start, -1);
            let byte = w.load(before);
            let is = w.is_in(byte, run);
            w.branch(is, (back, &[before]), (begin, &[start]));
            w.at(begin);
            let start = w.argument(begin, 0);
            let least = w.add(start, min);
            let enough = w.compare(Predicate::Le, least, at);
            let after = w.add(at, 1);
            w.branch(enough, (candidate, &[start]), (many, &[after, from]));
        }
    }
    w.at(next);
    let after = w.add(at, 1);
    w.jump(one, &[after, from]);
}
