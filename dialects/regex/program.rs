//! A pattern as the steps of a backtracking matcher: what the interpreter runs and the lowering spells in core
//! operations.
//!
//! The matcher has a position, variables (the ends of the groups, and what loops remember) and a stack. An entry is a
//! place to resume with a position, or what a variable held: popping undoes one thing. **Both engines push the same
//! entries in the same order**, so that they overflow on the same texts.

use super::bytes::ByteSet;
use super::syntax::{Anchor, Node, Pattern};

/// Entries the stack holds.
pub const STACK: usize = 4096;

/// The number of a step.
pub type Label = usize;

/// Which operation runs the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// At `pos` or after it.
    Search,
    /// At `pos`.
    Match,
    /// From `pos` to `endpos`.
    Fullmatch,
}

impl Mode {
    /// By an operation's name, with its dialect or without.
    pub fn parse(name: &str) -> Option<Mode> {
        Some(match name.rsplit('.').next()? {
            "search" => Mode::Search,
            "match" => Mode::Match,
            "fullmatch" => Mode::Fullmatch,
            _ => return None,
        })
    }
    pub fn name(self) -> &'static str {
        match self {
            Mode::Search => "search",
            Mode::Match => "match",
            Mode::Fullmatch => "fullmatch",
        }
    }
}

/// A step. Variables are numbered: those of the groups first, two each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Takes one byte of the set, or fails.
    Byte {
        set: ByteSet,
        next: Label,
    },
    /// Takes bytes of the set: as many as there are and gives them back one at a time, or as few as are asked for and
    /// takes more one at a time.
    Run {
        set: ByteSet,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        next: Label,
    },
    /// Goes on at `first`, and at `second` if that fails.
    Split {
        first: Label,
        second: Label,
    },
    /// The position becomes a variable.
    Save {
        variable: usize,
        next: Label,
    },
    At {
        anchor: Anchor,
        next: Label,
    },
    /// A loop begins, with so many iterations under way.
    Enter {
        looped: usize,
        under_way: u32,
        next: Label,
    },
    /// An iteration of a loop ended, or none has begun.
    Again {
        looped: usize,
    },
    /// A match.
    Accept,
}

/// A loop over more than one byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    pub min: u32,
    pub max: Option<u32>,
    pub greedy: bool,
    pub body: Label,
    pub exit: Label,
    /// The variable that counts iterations, where it matters how many there were.
    pub count: Option<usize>,
    /// The variable with the place where the last iteration that needed not be began, where one may take nothing: such
    /// an iteration is the last one tried.
    pub last: Option<usize>,
}

/// A pattern's steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub steps: Vec<Step>,
    pub loops: Vec<Loop>,
    pub start: Label,
    /// Groups, the whole match counted.
    pub groups: usize,
    /// Variables, those of the groups counted.
    pub variables: usize,
}

impl Program {
    pub fn new(pattern: &Pattern, mode: Mode) -> Program {
        let groups = pattern.groups + 1;
        let mut program = Program { steps: Vec::new(), loops: Vec::new(), start: 0, groups, variables: 2 * groups };
        let accept = program.push(Step::Accept);
        let end = match mode {
            Mode::Fullmatch => program.push(Step::At { anchor: Anchor::TextEnd, next: accept }),
            Mode::Search | Mode::Match => accept,
        };
        program.start = program.node(&pattern.root, end);
        program
    }

    fn push(&mut self, step: Step) -> Label {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn variable(&mut self, wanted: bool) -> Option<usize> {
        wanted.then(|| {
            self.variables += 1;
            self.variables - 1
        })
    }

    /// Where a part begins that goes on at `next`.
    fn node(&mut self, node: &Node, next: Label) -> Label {
        match node {
            Node::Byte(set) => self.push(Step::Byte { set: *set, next }),
            Node::At(anchor) => self.push(Step::At { anchor: *anchor, next }),
            Node::Concat(parts) => parts.iter().rev().fold(next, |next, part| self.node(part, next)),
            Node::Alternate(parts) => {
                let mut places = parts.iter().map(|part| self.node(part, next)).collect::<Vec<_>>().into_iter().rev();
                let last = places.next().unwrap_or(next);
                places.fold(last, |second, first| self.push(Step::Split { first, second }))
            }
            Node::Group(group, body) => {
                let end = self.push(Step::Save { variable: 2 * group + 1, next });
                let body = self.node(body, end);
                self.push(Step::Save { variable: 2 * group, next: body })
            }
            Node::Repeat { body, min, max, greedy } => self.repeat(body, *min, *max, *greedy, next),
        }
    }

    fn repeat(&mut self, body: &Node, min: u32, max: Option<u32>, greedy: bool, next: Label) -> Label {
        if let Node::Byte(set) = body {
            return self.push(Step::Run { set: *set, min, max, greedy, next });
        }
        match (min, max) {
            (_, Some(0)) => return next,
            (1, Some(1)) => return self.node(body, next),
            (0, Some(1)) => {
                let body = self.node(body, next);
                let (first, second) = if greedy { (body, next) } else { (next, body) };
                return self.push(Step::Split { first, second });
            }
            _ => {}
        }
        let looped = self.loops.len();
        let again = self.push(Step::Again { looped });
        let count = self.variable(min > 1 || max.is_some());
        let last = self.variable(body.nullable());
        self.loops.push(Loop { min, max, greedy, body: again, exit: next, count, last });
        let body = self.node(body, again);
        if let Some(looped) = self.loops.get_mut(looped) {
            looped.body = body;
        }
        // The first iteration must be: no need to ask.
        let (under_way, next) = if min == 0 { (0, again) } else { (1, body) };
        self.push(Step::Enter { looped, under_way, next })
    }
}
