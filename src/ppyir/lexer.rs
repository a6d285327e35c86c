//! A byte-level cursor over `.ppyir` text: blanks, words, punctuation, strings and numbers, borrowed where possible.
//!
//! The text is line-structured: [`Cursor::skip_blank`] stays on the line, [`Cursor::skip_space`] crosses lines. A
//! carriage return counts as blank only right before a newline. Source: spec `ir.txt`, section Text.

use super::ast::Attr;
use super::error::{ErrorKind, RawError};
use smol_str::{SmolStr, SmolStrBuilder};

/// Result of reading something; the error is boxed to keep the good path small.
pub(super) type Read<T> = Result<T, Box<RawError>>;

#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub pos: usize,
    /// Whether lists may go on in the next line: in headers and signatures, not in function bodies.
    pub lists_cross_lines: bool,
}

/// ASCII bytes that continue a word (`[A-Za-z0-9_]`).
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// A character that a name may hold, outside ASCII too.
pub(super) fn is_word_char(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Cursor { text, pos: 0, lists_cross_lines: true }
    }

    /// The byte at the cursor; 0 at the end.
    #[inline]
    pub fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.pos).copied().unwrap_or(0)
    }

    #[inline]
    pub fn peek_at(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    pub fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    pub fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or("")
    }

    /// Skips blanks and a `//` comment, staying before the newline.
    #[inline]
    pub fn skip_blank(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.pos += 1,
                b'\r' if self.peek_at(1) == b'\n' => self.pos += 1,
                b'/' if self.peek_at(1) == b'/' => self.pos = self.line_end(),
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines.
    #[inline]
    pub fn skip_space(&mut self) {
        loop {
            self.skip_blank();
            if self.peek() != b'\n' {
                return;
            }
            self.pos += 1;
        }
    }

    /// Skips what may stand between the items of a list.
    #[inline]
    pub fn skip_in_list(&mut self) {
        if self.lists_cross_lines { self.skip_space() } else { self.skip_blank() }
    }

    /// The offset of the newline that ends this line, or of the end of the text.
    pub fn line_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.pos..).unwrap_or(&[]);
        memchr::memchr(b'\n', rest).map_or(self.text.len(), |at| self.pos + at)
    }

    /// Whether only blanks remain before the newline or the end; leaves the cursor there.
    pub fn at_line_end(&mut self) -> bool {
        self.skip_blank();
        self.at_end() || self.peek() == b'\n'
    }

    /// Takes `byte` when it is next.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && !self.at_end();
        self.pos += usize::from(found);
        found
    }

    #[inline]
    pub fn expect(&mut self, byte: u8, what: &str) -> Read<()> {
        if self.take(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Takes `byte` of a list when it is next, skipping what may stand before it; otherwise stays.
    #[inline]
    pub fn take_past(&mut self, byte: u8) -> bool {
        let start = self.pos;
        self.skip_in_list();
        let found = self.take(byte);
        if !found {
            self.pos = start;
        }
        found
    }

    /// Like [`Cursor::take_past`]; the error is on the line where the list stopped, not on the next one.
    #[inline]
    pub fn expect_past(&mut self, byte: u8, what: &str) -> Read<()> {
        if self.take_past(byte) {
            return Ok(());
        }
        self.skip_blank();
        Err(self.expected(what))
    }

    /// Takes `word` when it is next and no word character follows.
    pub fn take_word(&mut self, word: &str) -> bool {
        if self.rest().starts_with(word) {
            let mut after = *self;
            after.pos += word.len();
            if after.word_end(true) == after.pos {
                *self = after;
                return true;
            }
        }
        false
    }

    /// Where the word at the cursor ends; the cursor itself when there is none.
    #[inline]
    fn word_end(&self, dots: bool) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = self.pos;
        while let Some(&byte) = bytes.get(end) {
            if WORD[byte as usize] || (dots && byte == b'.') {
                end += 1;
            } else if byte < 0x80 {
                break;
            } else {
                match self.text.get(end..).and_then(|rest| rest.chars().next()) {
                    Some(c) if is_word_char(c) => end += c.len_utf8(),
                    _ => break,
                }
            }
        }
        end
    }

    #[inline]
    fn take_to(&mut self, end: usize) -> &'a str {
        let word = &self.text[self.pos..end];
        self.pos = end;
        word
    }

    /// A name without dots; empty when none is next.
    #[inline]
    pub fn word(&mut self) -> &'a str {
        self.take_to(self.word_end(false))
    }

    /// A name that may hold dots; empty when none is next.
    #[inline]
    pub fn dotted(&mut self) -> &'a str {
        self.take_to(self.word_end(true))
    }

    #[inline]
    pub fn expect_word(&mut self, what: &str) -> Read<&'a str> {
        let word = self.word();
        if word.is_empty() { Err(self.expected(what)) } else { Ok(word) }
    }

    #[inline]
    pub fn expect_dotted(&mut self, what: &str) -> Read<&'a str> {
        let word = self.dotted();
        if word.is_empty() { Err(self.expected(what)) } else { Ok(word) }
    }

    /// `@name`
    pub fn symbol(&mut self) -> Read<&'a str> {
        self.expect(b'@', "a symbol (`@name`)")?;
        self.expect_dotted("the symbol's name after `@`")
    }

    /// An error at the cursor that says what was expected and what is there.
    #[cold]
    pub fn expected(&self, what: &str) -> Box<RawError> {
        let (found, len) = self.found();
        RawError::new(ErrorKind::Syntax, self.pos, len, format!("expected {what}, found {found}"))
    }

    /// What is at the cursor, in words, with its length.
    #[cold]
    fn found(&self) -> (String, usize) {
        let Some(c) = self.rest().chars().next() else { return ("the end of the text".into(), 1) };
        let word = self.clone().dotted();
        match c {
            '\n' => ("the end of the line".into(), 1),
            '\r' => ("a carriage return without a newline".into(), 1),
            _ if !word.is_empty() => {
                let shown: String = word.chars().take(40).collect();
                (format!("`{shown}`"), word.len())
            }
            c if c.is_control() || c == '\u{feff}' => (format!("the character U+{:04X}", c as u32), c.len_utf8()),
            c => (format!("`{c}`"), c.len_utf8()),
        }
    }

    /// A string literal in JSON's spelling.
    pub fn string(&mut self) -> Read<SmolStr> {
        let start = self.pos;
        self.expect(b'"', "a string")?;
        let bytes = self.text.as_bytes();
        let mut built = None;
        let mut plain = self.pos;
        loop {
            match bytes.get(self.pos).copied() {
                Some(b'"') => {
                    let tail = &self.text[plain..self.pos];
                    self.pos += 1;
                    return Ok(match built {
                        None => SmolStr::new(tail),
                        Some(builder) => finish(builder, tail),
                    });
                }
                Some(b'\\') => {
                    let builder = built.get_or_insert_with(SmolStrBuilder::new);
                    builder.push_str(&self.text[plain..self.pos]);
                    builder.push(self.escape()?);
                    plain = self.pos;
                }
                Some(b'\n') | None => {
                    let error = RawError::new(
                        ErrorKind::Syntax,
                        start,
                        self.pos - start,
                        "the string is not closed on its line".into(),
                    );
                    return Err(error.with_help("end it with `\"`; a newline inside a string is written `\\n`"));
                }
                Some(byte) if byte < 0x20 => {
                    let message = format!("a string cannot hold the raw control character U+{byte:04X}");
                    let error = RawError::new(ErrorKind::Syntax, self.pos, 1, message);
                    return Err(error.with_help(format!("write it `\\u{byte:04x}`")));
                }
                Some(_) => self.pos += 1,
            }
        }
    }

    /// One escape, the cursor on its backslash.
    #[cold]
    fn escape(&mut self) -> Read<char> {
        let start = self.pos;
        let plain = match self.peek_at(1) {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => {
                let shown: String = self.rest().chars().take(2).collect();
                let message = format!("`{}` is not an escape of a string", shown.trim_end());
                let error = RawError::new(ErrorKind::Syntax, start, 2, message);
                return Err(error.with_help("the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uhhhh"));
            }
        };
        self.pos += 2;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Read<char> {
        let start = self.pos;
        let first = self.code_unit()?;
        let code = match first {
            0xD800..=0xDBFF if self.rest().starts_with("\\u") => match self.code_unit()? {
                second @ 0xDC00..=0xDFFF => 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00),
                _ => first,
            },
            _ => first,
        };
        char::from_u32(code).ok_or_else(|| {
            let message = format!("`\\u{first:04x}` is half of a surrogate pair and not a character by itself");
            RawError::new(ErrorKind::Syntax, start, 6, message)
        })
    }

    /// `\uhhhh`
    fn code_unit(&mut self) -> Read<u32> {
        let digits = self.text.get(self.pos + 2..self.pos + 6).unwrap_or("");
        if digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            self.pos += 6;
            return Ok(u32::from_str_radix(digits, 16).unwrap_or(0));
        }
        Err(RawError::new(ErrorKind::Syntax, self.pos, 2, "`\\u` takes four hexadecimal digits".into()))
    }

    fn digits(&mut self) -> usize {
        let start = self.pos;
        while self.peek().is_ascii_digit() {
            self.pos += 1;
        }
        self.pos - start
    }

    /// A number: an exact integer, a float, `inf`, `-inf` or `nan`.
    pub fn number(&mut self) -> Read<Attr> {
        let start = self.pos;
        let negative = self.take(b'-');
        if self.take_word("inf") {
            return Ok(Attr::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
        }
        if !negative && self.take_word("nan") {
            return Ok(Attr::Float(f64::NAN));
        }
        let mut digits = self.digits();
        let mut float = false;
        if self.take(b'.') {
            float = true;
            digits += self.digits();
        }
        if digits > 0 && matches!(self.peek(), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek_at(1), b'+' | b'-'));
            if self.peek_at(1 + sign).is_ascii_digit() {
                float = true;
                self.pos += 1 + sign;
                self.digits();
            }
        }
        let literal = &self.text[start..self.pos];
        if digits == 0 || self.word_end(true) != self.pos {
            self.pos = start + usize::from(negative);
            let end = self.word_end(true).max(start + 1);
            return Err(self.bad_number(start, end));
        }
        if float {
            literal.parse().map(Attr::Float).map_err(|_| self.bad_number(start, self.pos))
        } else {
            literal.parse().map(Attr::Int).map_err(|_| self.too_wide(start, self.pos))
        }
    }

    /// A whole number without sign of at most `T`'s range.
    pub fn unsigned<T: std::str::FromStr>(&mut self, what: &str) -> Read<T> {
        let start = self.pos;
        if self.digits() == 0 {
            return Err(self.expected(what));
        }
        if self.word_end(false) != self.pos {
            let end = self.word_end(true);
            return Err(self.bad_number(start, end));
        }
        self.text[start..self.pos].parse().map_err(|_| self.too_wide(start, self.pos))
    }

    #[cold]
    fn bad_number(&self, start: usize, end: usize) -> Box<RawError> {
        let shown: String = self.text[start..end].chars().take(40).collect();
        let message = format!("`{shown}` is not a number");
        RawError::new(ErrorKind::Syntax, start, end - start, message)
            .with_help("numbers are decimal: 12, -3, 0.5, 1e-05, inf, -inf, nan")
    }

    #[cold]
    fn too_wide(&self, start: usize, end: usize) -> Box<RawError> {
        let shown: String = self.text[start..end].chars().take(40).collect();
        let message = format!("the integer {shown} is out of range here");
        RawError::new(ErrorKind::Limit, start, end - start, message)
            .with_help("attribute integers are kept in 128 bits, counts in 64, lines and columns in 32")
    }
}

fn finish(mut builder: SmolStrBuilder, tail: &str) -> SmolStr {
    builder.push_str(tail);
    builder.finish()
}
