//! The bytes of a pattern as CPython's tokenizer gives them, and errors with their positions.

use super::syntax::{Parsed, PatternError};

/// What the tokenizer gives: a byte, or a backslash with the one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Plain(u8),
    Escape(u8),
}

impl Token {
    pub(super) fn len(self) -> usize {
        match self {
            Token::End => 0,
            Token::Plain(_) => 1,
            Token::Escape(_) => 2,
        }
    }
    /// As messages show it.
    pub(super) fn text(self) -> String {
        match self {
            Token::End => String::new(),
            Token::Plain(byte) => text(&[byte]),
            Token::Escape(byte) => text(&[b'\\', byte]),
        }
    }
    pub(super) fn is(self, condition: impl Fn(u8) -> bool) -> bool {
        matches!(self, Token::Plain(byte) if condition(byte))
    }
}

/// Bytes as CPython's messages show them.
pub(super) fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| if byte.is_ascii() { char::from(*byte).to_string() } else { format!("\\x{byte:02x}") })
        .collect()
}

/// Bytes as `repr` of a `str` shows them.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for byte in bytes {
        match *byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte if char::from(byte) == quote => out.extend(['\\', quote]),
            byte @ b' '..=b'~' => out.push(char::from(byte)),
            byte => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push(quote);
    out
}

pub(super) struct Source<'p> {
    bytes: &'p [u8],
    index: usize,
    pub(super) next: Token,
}

impl<'p> Source<'p> {
    pub(super) fn new(bytes: &'p [u8]) -> Self {
        Source { bytes, index: 0, next: Token::End }
    }
    pub(super) fn advance(&mut self) -> Parsed<()> {
        self.next = match self.bytes.get(self.index) {
            None => Token::End,
            Some(b'\\') => match self.bytes.get(self.index + 1) {
                Some(byte) => Token::Escape(*byte),
                None => {
                    let message = "bad escape (end of pattern)".to_owned();
                    return Err(PatternError::Syntax { message, position: Some(self.bytes.len() - 1) });
                }
            },
            Some(byte) => Token::Plain(*byte),
        };
        self.index += self.next.len();
        Ok(())
    }
    pub(super) fn get(&mut self) -> Parsed<Token> {
        let token = self.next;
        self.advance()?;
        Ok(token)
    }
    pub(super) fn eat(&mut self, byte: u8) -> Parsed<bool> {
        let found = self.next == Token::Plain(byte);
        if found {
            self.advance()?;
        }
        Ok(found)
    }
    /// Up to `limit` bytes of a kind.
    pub(super) fn run(&mut self, limit: usize, kind: impl Fn(u8) -> bool) -> Parsed<Vec<u8>> {
        let mut run = Vec::new();
        while let Token::Plain(byte) = self.next
            && run.len() < limit
            && kind(byte)
        {
            run.push(byte);
            self.advance()?;
        }
        Ok(run)
    }
    /// Up to a terminator, which is read too.
    pub(super) fn until(&mut self, terminator: u8, name: &str) -> Parsed<Vec<u8>> {
        let mut found = Vec::new();
        loop {
            match self.get()? {
                Token::End if found.is_empty() => return Err(self.error(format!("missing {name}"), 0)),
                Token::End => {
                    let message = format!("missing {}, unterminated name", char::from(terminator));
                    return Err(self.error(message, found.len()));
                }
                Token::Plain(byte) if byte == terminator && found.is_empty() => {
                    return Err(self.error(format!("missing {name}"), 1));
                }
                Token::Plain(byte) if byte == terminator => return Ok(found),
                Token::Plain(byte) => found.push(byte),
                Token::Escape(byte) => found.extend([b'\\', byte]),
            }
        }
    }
    pub(super) fn tell(&self) -> usize {
        self.index - self.next.len()
    }
    pub(super) fn seek(&mut self, index: usize) -> Parsed<()> {
        self.index = index;
        self.advance()
    }
    /// An error so many bytes before the next token.
    pub(super) fn error(&self, message: impl Into<String>, back: usize) -> PatternError {
        PatternError::Syntax { message: message.into(), position: Some(self.tell().saturating_sub(back)) }
    }
    /// An error at a position.
    pub(super) fn error_at(&self, message: &str, position: usize) -> PatternError {
        PatternError::Syntax { message: message.to_owned(), position: Some(position) }
    }
    pub(super) fn check_name(&self, name: &[u8]) -> Parsed<()> {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        match name.iter().all(word) && !name.first().is_some_and(u8::is_ascii_digit) {
            true => Ok(()),
            false => Err(self.error(format!("bad character in group name {}", quoted(name)), name.len() + 1)),
        }
    }
}
