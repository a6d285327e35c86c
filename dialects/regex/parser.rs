//! Patterns from their bytes: alternatives, repeats, groups, inline flags. `escapes.rs` has escapes and classes.

use super::bytes::ByteSet;
use super::escapes::literal;
use super::source::{Source, Token, quoted};
use super::syntax::*;
use std::collections::HashMap;

/// The flags that `a`, `L` and `u` spell, of which one holds.
const KINDS: i64 = ASCII | LOCALE | UNICODE;

/// Groups inside groups. CPython's own limit, its recursion, is about twice that.
const MAX_DEPTH: usize = 200;
/// `_sre.MAXREPEAT`.
const MAX_REPEAT: u64 = u32::MAX as u64;
/// Where `_sre.MAXGROUPS` ends group numbers.
const MAX_GROUPS: u64 = i32::MAX as u64 / 2;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Open,
    Closed,
}

/// What an escape or a class member is.
pub(super) enum Code {
    Literal(u8),
    Set(ByteSet),
    At(Anchor),
    /// A group that must match again.
    Reference,
}

/// What may follow an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Item,
    Anchor,
    Repeat,
}

/// What the letters after `(?` say.
pub(super) enum Flags {
    Global,
    Scoped { add: i64, remove: i64 },
}

pub(super) struct Parser<'p> {
    pub(super) source: Source<'p>,
    pub(super) flags: i64,
    /// Group 0 and those opened so far.
    pub(super) groups: Vec<Group>,
    names: HashMap<Vec<u8>, usize>,
    /// Groups that conditions ask for, and where.
    pub(super) conditions: Vec<(u64, usize)>,
    /// The first construct without a matcher.
    pub(super) unsupported: Option<(&'static str, usize)>,
}

impl<'p> Parser<'p> {
    pub(super) fn new(bytes: &'p [u8], flags: i64) -> Self {
        Parser {
            source: Source::new(bytes),
            flags,
            groups: vec![Group::Closed],
            names: HashMap::new(),
            conditions: Vec::new(),
            unsupported: None,
        }
    }

    pub(super) fn refuse(&mut self, construct: &'static str, position: usize) {
        self.unsupported.get_or_insert((construct, position));
    }

    /// `a|b|c`. Flags at the start of the whole pattern hold in all of it.
    pub(super) fn alternatives(&mut self, mut flags: i64, depth: usize) -> Parsed<Node> {
        if depth > MAX_DEPTH {
            let construct = "a group inside more than 200 others";
            return Err(PatternError::Unsupported { construct, position: Some(self.source.tell()) });
        }
        let mut items = Vec::new();
        loop {
            items.push(self.sequence(flags, depth, depth == 0 && items.is_empty())?);
            if !self.source.eat(b'|')? {
                break;
            }
            if depth == 0 {
                flags = self.flags;
            }
        }
        let byte = |node: &Node| if let Node::Byte(set) = node { Some(*set) } else { None };
        Ok(match items.iter().map(byte).collect::<Option<Vec<ByteSet>>>() {
            Some(sets) => Node::Byte(sets.into_iter().fold(ByteSet::EMPTY, ByteSet::union)),
            None if items.len() == 1 => items.remove(0),
            None => Node::Alternate(items),
        })
    }

    pub(super) fn sequence(&mut self, mut flags: i64, depth: usize, first: bool) -> Parsed<Node> {
        let mut items: Vec<(Kind, Node)> = Vec::new();
        loop {
            let this = self.source.next;
            if this == Token::End || this.is(|byte| matches!(byte, b'|' | b')')) {
                break;
            }
            self.source.advance()?;
            if flags & VERBOSE != 0 && self.skipped(this)? {
                continue;
            }
            match this {
                Token::End => break,
                Token::Escape(byte) => match self.escape(byte)? {
                    Code::Literal(byte) => items.push((Kind::Item, literal(byte, flags))),
                    Code::Set(set) => items.push((Kind::Item, Node::Byte(set))),
                    Code::At(anchor) => items.push((Kind::Anchor, Node::At(anchor))),
                    Code::Reference => items.push((Kind::Item, Node::Concat(Vec::new()))),
                },
                Token::Plain(b'[') => items.push((Kind::Item, Node::Byte(self.class(flags)?))),
                Token::Plain(quantifier @ (b'*' | b'+' | b'?' | b'{')) => match self.bounds(quantifier)? {
                    None => items.push((Kind::Item, literal(quantifier, flags))),
                    Some((min, max, here)) => {
                        let Some((kind @ (Kind::Item | Kind::Repeat), _)) = items.last() else {
                            return Err(self.source.error_at("nothing to repeat", here - 1));
                        };
                        if *kind == Kind::Repeat {
                            return Err(self.source.error_at("multiple repeat", here - 1));
                        }
                        let lazy = self.source.eat(b'?')?;
                        if !lazy && self.source.eat(b'+')? {
                            self.refuse("a possessive repeat", here - 1);
                        }
                        if let Some((kind, node)) = items.last_mut() {
                            let body = Box::new(std::mem::replace(node, Node::Concat(Vec::new())));
                            (*kind, *node) = (Kind::Repeat, Node::Repeat { body, min, max, greedy: !lazy });
                        }
                    }
                },
                Token::Plain(b'.') => {
                    let newline = ByteSet::of([b'\n']);
                    let set = if flags & DOTALL != 0 { ByteSet::ALL } else { newline.complement() };
                    items.push((Kind::Item, Node::Byte(set)));
                }
                Token::Plain(b'(') => {
                    let node = self.group(flags, depth, first && items.is_empty())?;
                    match node {
                        Some(node) => items.push((Kind::Item, node)),
                        // A comment, or flags of the whole.
                        None if first => flags = self.flags,
                        None => {}
                    }
                }
                Token::Plain(b'^') => items.push((
                    Kind::Anchor,
                    Node::At(if flags & MULTILINE != 0 { Anchor::LineStart } else { Anchor::Start }),
                )),
                Token::Plain(b'$') => items
                    .push((Kind::Anchor, Node::At(if flags & MULTILINE != 0 { Anchor::LineEnd } else { Anchor::End }))),
                Token::Plain(byte) => items.push((Kind::Item, literal(byte, flags))),
            }
        }
        let mut nodes: Vec<Node> = items.into_iter().map(|(_, node)| node).collect();
        Ok(match nodes.len() {
            1 => nodes.remove(0),
            _ => Node::Concat(nodes),
        })
    }

    /// White space and comments of verbose patterns.
    pub(super) fn skipped(&mut self, this: Token) -> Parsed<bool> {
        if this.is(is_space) {
            return Ok(true);
        }
        if this != Token::Plain(b'#') {
            return Ok(false);
        }
        while !matches!(self.source.get()?, Token::End | Token::Plain(b'\n')) {}
        Ok(true)
    }

    /// How often: the least, the most, and where the quantifier's first byte ends. `None` for a `{` that is none.
    #[allow(clippy::type_complexity)]
    pub(super) fn bounds(&mut self, quantifier: u8) -> Parsed<Option<(u32, Option<u32>, usize)>> {
        let here = self.source.tell();
        match quantifier {
            b'?' => return Ok(Some((0, Some(1), here))),
            b'*' => return Ok(Some((0, None, here))),
            b'+' => return Ok(Some((1, None, here))),
            _ => {}
        }
        if self.source.next == Token::Plain(b'}') {
            return Ok(None);
        }
        let low = self.source.run(usize::MAX, |byte| byte.is_ascii_digit())?;
        let high = match self.source.eat(b',')? {
            true => self.source.run(usize::MAX, |byte| byte.is_ascii_digit())?,
            false => low.clone(),
        };
        if !self.source.eat(b'}')? {
            self.source.seek(here)?;
            return Ok(None);
        }
        let number = |digits: &[u8]| match digits {
            [] => Ok(None),
            digits => {
                let value = digits.iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0')));
                match u32::try_from(value) {
                    Ok(value) if u64::from(value) < MAX_REPEAT => Ok(Some(value)),
                    _ => Err(PatternError::Syntax {
                        message: "the repetition number is too large".to_owned(),
                        position: None,
                    }),
                }
            }
        };
        let (min, max) = (number(&low)?.unwrap_or(0), number(&high)?);
        if max.is_some_and(|max| max < min) {
            return Err(self.source.error_at("min repeat greater than max repeat", here));
        }
        Ok(Some((min, max, here)))
    }

    /// What follows a `(`. `None` for a comment or flags, which are no item.
    pub(super) fn group(&mut self, flags: i64, depth: usize, first: bool) -> Parsed<Option<Node>> {
        let start = self.source.tell() - 1;
        let (mut capture, mut name) = (true, None);
        let mut inner = flags;
        if self.source.eat(b'?')? {
            let kind = self.source.get()?;
            match kind {
                Token::End => return Err(self.source.error("unexpected end of pattern", 0)),
                Token::Plain(b'P') => match self.python_extension(start)? {
                    Some(group) => name = Some(group),
                    None => return Ok(Some(Node::Concat(Vec::new()))),
                },
                Token::Plain(b':') => capture = false,
                Token::Plain(b'#') => loop {
                    if self.source.next == Token::End {
                        return Err(self.source.error_at("missing ), unterminated comment", start));
                    }
                    if self.source.get()? == Token::Plain(b')') {
                        return Ok(None);
                    }
                },
                Token::Plain(ahead @ (b'=' | b'!' | b'<')) => {
                    let construct = if ahead == b'<' { "lookbehind" } else { "lookahead" };
                    if ahead == b'<' {
                        match self.source.get()? {
                            Token::End => return Err(self.source.error("unexpected end of pattern", 0)),
                            Token::Plain(b'=' | b'!') => {}
                            other => {
                                let message = format!("unknown extension ?<{}", other.text());
                                return Err(self.source.error(message, other.len() + 2));
                            }
                        }
                    }
                    self.refuse(construct, start);
                    self.alternatives(flags, depth + 1)?;
                    self.close(start)?;
                    return Ok(Some(Node::Concat(Vec::new())));
                }
                Token::Plain(b'(') => {
                    self.refuse("a conditional backreference", start);
                    self.condition()?;
                    self.sequence(flags, depth + 1, false)?;
                    if self.source.eat(b'|')? {
                        self.sequence(flags, depth + 1, false)?;
                        if self.source.next == Token::Plain(b'|') {
                            return Err(self.source.error("conditional backref with more than two branches", 0));
                        }
                    }
                    self.close(start)?;
                    return Ok(Some(Node::Concat(Vec::new())));
                }
                Token::Plain(b'>') => {
                    self.refuse("an atomic group", start);
                    capture = false;
                }
                Token::Plain(letter) if letter == b'-' || flag(letter).is_some() => {
                    match self.inline_flags(letter, start)? {
                        Flags::Global if !first => {
                            let message = "global flags not at the start of the expression";
                            return Err(self.source.error_at(message, start));
                        }
                        Flags::Global => return Ok(None),
                        Flags::Scoped { add, remove } => {
                            capture = false;
                            inner = (flags | add) & !remove;
                        }
                    }
                }
                other => {
                    let message = format!("unknown extension ?{}", other.text());
                    return Err(self.source.error(message, other.len() + 1));
                }
            }
        }
        let number = self.groups.len();
        if capture {
            if let Some(name) = name {
                let back = name.len() + 1;
                if let Some(old) = self.names.insert(name.clone(), number) {
                    let name = quoted(&name);
                    let message = format!("redefinition of group name {name} as group {number}; was group {old}");
                    return Err(self.source.error(message, back));
                }
            }
            self.groups.push(Group::Open);
        }
        let body = self.alternatives(inner, depth + 1)?;
        self.close(start)?;
        if !capture {
            return Ok(Some(body));
        }
        if let Some(group) = self.groups.get_mut(number) {
            *group = Group::Closed;
        }
        Ok(Some(Node::Group(number, Box::new(body))))
    }

    pub(super) fn close(&mut self, start: usize) -> Parsed<()> {
        match self.source.eat(b')')? {
            true => Ok(()),
            false => Err(self.source.error_at("missing ), unterminated subpattern", start)),
        }
    }

    /// What follows `(?P`: a group's name, or a backreference by name (`None`).
    pub(super) fn python_extension(&mut self, start: usize) -> Parsed<Option<Vec<u8>>> {
        if self.source.eat(b'<')? {
            let name = self.source.until(b'>', "group name")?;
            self.source.check_name(&name)?;
            return Ok(Some(name));
        }
        if !self.source.eat(b'=')? {
            let other = self.source.get()?;
            if other == Token::End {
                return Err(self.source.error("unexpected end of pattern", 0));
            }
            let message = format!("unknown extension ?P{}", other.text());
            return Err(self.source.error(message, other.len() + 2));
        }
        let name = self.source.until(b')', "group name")?;
        self.source.check_name(&name)?;
        let Some(group) = self.names.get(&name) else {
            return Err(self.source.error(format!("unknown group name {}", quoted(&name)), name.len() + 1));
        };
        if self.groups.get(*group) != Some(&Group::Closed) {
            return Err(self.source.error("cannot refer to an open group", name.len() + 1));
        }
        self.refuse("a backreference", start);
        Ok(None)
    }

    /// The group that a condition asks for.
    pub(super) fn condition(&mut self) -> Parsed<()> {
        let name = self.source.until(b')', "group name")?;
        let back = name.len() + 1;
        if !name.iter().all(u8::is_ascii_digit) {
            self.source.check_name(&name)?;
            return match self.names.contains_key(&name) {
                true => Ok(()),
                false => Err(self.source.error(format!("unknown group name {}", quoted(&name)), back)),
            };
        }
        let group = name.iter().fold(0u64, |n, d| n.saturating_mul(10).saturating_add(u64::from(d - b'0')));
        if group == 0 {
            return Err(self.source.error("bad group number", back));
        }
        if group >= MAX_GROUPS {
            return Err(self.source.error(format!("invalid group reference {group}"), back));
        }
        self.conditions.push((group, self.source.tell() - back));
        Ok(())
    }

    /// Letters after `(?`, the first of them read already.
    pub(super) fn inline_flags(&mut self, letter: u8, start: usize) -> Parsed<Flags> {
        let (mut add, mut remove) = (0, 0);
        let mut end = Token::Plain(letter);
        if letter != b'-' {
            let mut letter = letter;
            loop {
                let bit = flag(letter).unwrap_or(0);
                if letter == b'u' {
                    let message = "bad inline flags: cannot use 'u' flag with a bytes pattern";
                    return Err(self.source.error(message, 0));
                }
                add |= bit;
                if bit & KINDS != 0 && add & KINDS != bit {
                    let message = "bad inline flags: flags 'a', 'u' and 'L' are incompatible";
                    return Err(self.source.error(message, 0));
                }
                if letter == b'L' {
                    self.refuse("the inline flag L", start);
                }
                end = self.source.get()?;
                letter = match self.flag_or(end, "missing -, : or )", |byte| matches!(byte, b')' | b'-' | b':'))? {
                    Some(letter) => letter,
                    None => break,
                };
            }
        }
        if end == Token::Plain(b')') {
            self.flags |= add;
            return Ok(Flags::Global);
        }
        if end == Token::Plain(b'-') {
            let mut next = self.source.get()?;
            let Some(mut letter) = self.flag_or(next, "missing flag", |_| false)? else {
                return Err(self.source.error("missing flag", 0));
            };
            loop {
                let bit = flag(letter).unwrap_or(0);
                if bit & KINDS != 0 {
                    let message = "bad inline flags: cannot turn off flags 'a', 'u' and 'L'";
                    return Err(self.source.error(message, 0));
                }
                remove |= bit;
                next = self.source.get()?;
                letter = match self.flag_or(next, "missing :", |byte| byte == b':')? {
                    Some(letter) => letter,
                    None => break,
                };
            }
        }
        if add & remove != 0 {
            return Err(self.source.error("bad inline flags: flag turned on and off", 1));
        }
        Ok(Flags::Scoped { add, remove })
    }

    /// The letter of a flag; `None` for what ends the letters.
    pub(super) fn flag_or(&self, token: Token, missing: &str, ends: impl Fn(u8) -> bool) -> Parsed<Option<u8>> {
        match token {
            Token::End => Err(self.source.error(missing, 0)),
            Token::Plain(byte) if ends(byte) => Ok(None),
            Token::Plain(byte) if flag(byte).is_some() => Ok(Some(byte)),
            // `isalpha` is asked of the Latin-1 character, or of a backslash and another.
            Token::Plain(byte) if char::from(byte).is_alphabetic() => Err(self.source.error("unknown flag", 1)),
            other => Err(self.source.error(missing, other.len())),
        }
    }
}

/// The letters of `(?...)`.
fn flag(letter: u8) -> Option<i64> {
    Some(match letter {
        b'i' => IGNORECASE,
        b'L' => LOCALE,
        b'm' => MULTILINE,
        b's' => DOTALL,
        b'x' => VERBOSE,
        b'a' => ASCII,
        b'u' => UNICODE,
        _ => return None,
    })
}
