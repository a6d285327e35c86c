//! Patterns as CPython's `re` reads them (3.13, bytes patterns), to a tree.
//!
//! **The syntax, its meaning, its errors and their positions are CPython's.** A pattern in an attribute is text of
//! which every character is one byte (Latin-1). What has no native matcher (backreferences, lookaround, atomic groups,
//! possessive repeats, locale) is read too, so that a mistake behind it is found, and then refused with its position.

use super::bytes::ByteSet;
use super::parser::Parser;
use super::source::Token;
use std::fmt;

/// `re.IGNORECASE`.
pub const IGNORECASE: i64 = 2;
/// `re.LOCALE`, refused.
pub const LOCALE: i64 = 4;
/// `re.MULTILINE`.
pub const MULTILINE: i64 = 8;
/// `re.DOTALL`.
pub const DOTALL: i64 = 16;
/// `re.UNICODE`, which is not for bytes.
pub const UNICODE: i64 = 32;
/// `re.VERBOSE`.
pub const VERBOSE: i64 = 64;
/// `re.DEBUG`, which changes no match.
pub const DEBUG: i64 = 128;
/// `re.ASCII`, which bytes patterns always are.
pub const ASCII: i64 = 256;

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// One byte of a set.
    Byte(ByteSet),
    At(Anchor),
    /// All of them, in order.
    Concat(Vec<Node>),
    /// One of them, the first that leads to a match.
    Alternate(Vec<Node>),
    /// `min` times, or more up to `max`: as often as possible, or as seldom.
    Repeat {
        body: Box<Node>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
    /// The group with this number, from 1 on.
    Group(usize, Box<Node>),
}

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Anchor {
    /// `^`, `\A`: the beginning.
    Start,
    /// `^` of several lines: the beginning, or after a newline.
    LineStart,
    /// `$`: the end, or before a newline that ends it.
    End,
    /// `$` of several lines: the end, or before a newline.
    LineEnd,
    /// `\Z`: the end.
    TextEnd,
    /// `\b`: between a word's byte and another. Nowhere in an empty text.
    Boundary,
    /// `\B`: where `\b` is not. Nowhere in an empty text.
    NotBoundary,
}

/// A pattern that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub root: Node,
    /// How many groups, the whole match not counted.
    pub groups: usize,
}

/// Why a pattern has no matcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// CPython refuses it too, in these words.
    Syntax { message: String, position: Option<usize> },
    /// CPython matches it, native code does not.
    Unsupported { construct: &'static str, position: Option<usize> },
    /// A character of the attribute is no byte.
    NotBytes { character: char, position: usize },
}

impl Node {
    /// Whether it may match the empty text.
    pub fn nullable(&self) -> bool {
        match self {
            Node::Byte(_) => false,
            Node::At(_) => true,
            Node::Concat(parts) => parts.iter().all(Node::nullable),
            Node::Alternate(parts) => parts.iter().any(Node::nullable),
            Node::Repeat { body, min, .. } => *min == 0 || body.nullable(),
            Node::Group(_, body) => body.nullable(),
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Syntax { message, position: Some(position) } => {
                write!(f, "the pattern does not parse: {message} at position {position}")
            }
            PatternError::Syntax { message, position: None } => write!(f, "the pattern does not parse: {message}"),
            PatternError::Unsupported { construct, position } => {
                write!(f, "{construct}")?;
                if let Some(position) = position {
                    write!(f, " at position {position}")?;
                }
                f.write_str(" has no native matcher: leave the function on Python, or write the pattern without it")
            }
            PatternError::NotBytes { character, position } => write!(
                f,
                "the pattern is for bytes and has {character:?} at position {position}: a byte is a character from \
                 \\u0000 to \\u00ff"
            ),
        }
    }
}

pub(super) type Parsed<T> = Result<T, PatternError>;

/// The bytes of a pattern's text.
pub fn bytes_of(text: &str) -> Parsed<Vec<u8>> {
    let byte = |(position, character): (usize, char)| {
        u8::try_from(u32::from(character)).map_err(|_| PatternError::NotBytes { character, position })
    };
    text.chars().enumerate().map(byte).collect()
}

/// Reads a pattern with the flags given to `re.compile`.
pub fn parse(text: &str, flags: i64) -> Parsed<Pattern> {
    let bytes = bytes_of(text)?;
    flags_of_bytes(flags)?;
    let mut parser = Parser::new(&bytes, flags);
    parser.source.advance()?;
    let root = parser.alternatives(flags, 0)?;
    if parser.source.next != Token::End {
        return Err(parser.source.error("unbalanced parenthesis", 0));
    }
    let groups = parser.groups.len();
    if let Some((group, position)) = parser.conditions.iter().find(|(group, _)| *group >= groups as u64) {
        let message = format!("invalid group reference {group}");
        return Err(PatternError::Syntax { message, position: Some(*position) });
    }
    if let Some((construct, position)) = parser.unsupported {
        return Err(PatternError::Unsupported { construct, position: Some(position) });
    }
    flags_of_bytes(parser.flags)?;
    Ok(Pattern { root, groups: groups - 1 })
}

/// Which flags a bytes pattern has.
fn flags_of_bytes(flags: i64) -> Parsed<()> {
    let syntax = |message: &str| Err(PatternError::Syntax { message: message.to_owned(), position: None });
    if flags & UNICODE != 0 {
        return syntax("cannot use UNICODE flag with a bytes pattern");
    }
    if flags & LOCALE != 0 && flags & ASCII != 0 {
        return syntax("ASCII and LOCALE flags are incompatible");
    }
    if flags & LOCALE != 0 {
        return Err(PatternError::Unsupported { construct: "the flag re.LOCALE", position: None });
    }
    match flags & !(IGNORECASE | MULTILINE | DOTALL | VERBOSE | DEBUG | ASCII) {
        0 => Ok(()),
        other => syntax(&format!("{other} is no flag of re")),
    }
}

/// `\d`.
pub(super) fn digits() -> ByteSet {
    ByteSet::which(|byte| byte.is_ascii_digit())
}
/// `\s`.
pub(super) fn spaces() -> ByteSet {
    ByteSet::which(is_space)
}
/// `\w`.
pub fn words() -> ByteSet {
    ByteSet::which(is_word)
}
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 9..=13 | b' ')
}
