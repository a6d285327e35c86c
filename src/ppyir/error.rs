//! What the reader says about bad text: structured errors that render as `file:line:column: error: ...` with the line
//! and a caret.
//!
//! While reading, errors hold byte offsets ([`RawError`]); lines and columns are counted once, at the end.

use std::fmt;

/// What kind of rule the text broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The bytes are not UTF-8 text.
    Encoding,
    /// The file does not begin with `ppyir N`, or `N` is a schema that this reader does not have.
    Schema,
    /// A dialect or dialect version that this reader does not have, or that the header does not list.
    Dialect,
    /// The text does not follow the grammar.
    Syntax,
    /// An operation, variant or type that does not exist.
    Unknown,
    /// A name that nothing defines.
    Undefined,
    /// A name that is defined twice.
    Redefined,
    /// The verifier refuses what the text says.
    Invalid,
    /// Too deep, too wide or too large for the reader.
    Limit,
}

/// One error of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: ErrorKind,
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The line, tabs as spaces, cut around the caret when it is very long.
    pub source: String,
    /// Characters of `source` before the caret.
    pub caret: usize,
    /// Characters underlined, at least 1.
    pub caret_len: usize,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}:{}: error: {}", self.file, self.line, self.column, self.message)?;
        writeln!(f, "{}", self.source)?;
        write!(f, "{:caret$}^{:~<tail$}", "", "", caret = self.caret, tail = self.caret_len.saturating_sub(1))?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

/// Every error of a text, in the order of the text; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    pub list: Vec<SyntaxError>,
    /// Reading stopped at [`MAX_ERRORS`].
    pub truncated: bool,
}

/// The reader stops after this many errors.
pub const MAX_ERRORS: usize = 100;

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        if self.truncated {
            write!(f, "\nstopped after {} errors", self.list.len())?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}
impl std::error::Error for Errors {}

/// An error by byte offsets.
#[derive(Debug)]
pub(super) struct RawError {
    pub kind: ErrorKind,
    pub at: usize,
    pub len: usize,
    pub message: String,
    pub help: Option<String>,
    /// Another place of the text that the help line names: words, and the offset whose line follows them.
    pub other: Option<(&'static str, usize)>,
}

impl RawError {
    #[cold]
    pub fn new(kind: ErrorKind, at: usize, len: usize, message: String) -> Box<Self> {
        Box::new(RawError { kind, at, len, message, help: None, other: None })
    }

    pub fn with_help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    pub fn with_first(mut self: Box<Self>, first: usize) -> Box<Self> {
        self.other = Some(("the first one is on line", first));
        self
    }

    pub fn with_opened(mut self: Box<Self>, brace: usize) -> Box<Self> {
        self.other = Some(("the brace that it closes is on line", brace));
        self
    }
}

/// Turns byte offsets of a text into lines and columns.
pub struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        LineIndex { text, starts }
    }

    /// The 1-based line and column (in characters) of a byte offset; past the end means the end.
    pub fn position(&self, offset: usize) -> (u32, u32) {
        let (line, start) = self.line_of(offset);
        let column = self.text.get(start..self.floor(offset)).unwrap_or("").chars().count() + 1;
        (saturate(line + 1), saturate(column))
    }

    /// The 0-based line of an offset and where it starts.
    fn line_of(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        (line, self.starts.get(line).copied().unwrap_or(0))
    }

    fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Characters of a line that an error shows at most.
const SHOWN: usize = 120;

/// Resolves raw errors of `text` to lines, columns and carets.
pub(super) fn resolve(text: &str, file: &str, mut raw: Vec<RawError>, truncated: bool) -> Errors {
    raw.sort_by_key(|error| error.at);
    let index = LineIndex::new(text);
    let list = raw.into_iter().map(|error| resolve_one(&index, file, error)).collect();
    Errors { list, truncated }
}

fn resolve_one(index: &LineIndex<'_>, file: &str, error: RawError) -> SyntaxError {
    let at = index.floor(error.at);
    let (line, start) = index.line_of(at);
    let text = index.text.get(start..).unwrap_or("");
    let text = text.split('\n').next().unwrap_or("").trim_end_matches('\r');
    let before = text.get(..at - start).unwrap_or(text).chars().count();
    let after = text.get(at - start..).unwrap_or("");
    let under = after.get(..error.len.min(after.len())).unwrap_or("").chars().count().max(1);
    let skip = if before + 40 <= SHOWN { 0 } else { before - 60 };
    let mut source: String =
        text.chars().skip(skip).take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut caret = before - skip;
    if text.chars().nth(skip + SHOWN).is_some() {
        source.push('…');
    }
    if skip > 0 {
        source.insert(0, '…');
        caret += 1;
    }
    let help = match error.other {
        Some((words, place)) => Some(format!("{words} {}", index.position(place).0)),
        None => error.help,
    };
    SyntaxError {
        kind: error.kind,
        file: file.to_owned(),
        line: saturate(line + 1),
        column: saturate(before + 1),
        message: error.message,
        help,
        source,
        caret,
        caret_len: under.min(SHOWN.saturating_sub(caret).max(1)),
    }
}
