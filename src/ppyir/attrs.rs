//! The text of attribute values and `{key = value}` lists.
//!
//! Spelling: strings as in JSON with everything outside ASCII escaped, exact integers, floats as in Python, symbols as
//! `@name`, types as `!type`. Source: spec `ir.txt`, section Text.

use super::ast::{Attr, Attrs};
use super::error::{ErrorKind, RawError};
use super::lexer::{Cursor, Read};
use super::num::write_float;
use super::types::{MAX_DEPTH, read_type, separated, too_deep};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::fmt::{self, Write};

/// Whether an attribute value begins at the cursor.
pub(super) fn begins_attr(cursor: &Cursor<'_>) -> bool {
    match cursor.peek() {
        b'0'..=b'9' | b'-' | b'.' | b'"' | b'@' | b'[' | b'{' | b'!' => true,
        b't' | b'f' | b'i' | b'n' => matches!(cursor.clone().dotted(), "true" | "false" | "inf" | "nan"),
        _ => false,
    }
}

/// Reads one attribute value at the cursor.
pub(super) fn read_attr(cursor: &mut Cursor<'_>, depth: usize) -> Read<Attr> {
    if depth > MAX_DEPTH {
        return Err(too_deep(cursor.pos, "attributes"));
    }
    if !begins_attr(cursor) {
        return Err(bad_value(cursor));
    }
    match cursor.peek() {
        b'"' => cursor.string().map(Attr::Str),
        b'@' => cursor.symbol().map(|name| Attr::Symbol(name.into())),
        b'[' => read_list(cursor, depth).map(Attr::List),
        b'{' => read_dict(cursor, depth).map(Attr::Dict),
        b'!' => {
            cursor.pos += 1;
            read_type(cursor, depth).map(Attr::Type)
        }
        b't' | b'f' => Ok(Attr::Bool(cursor.dotted() == "true")),
        _ => cursor.number(),
    }
}

#[cold]
fn bad_value(cursor: &Cursor<'_>) -> Box<RawError> {
    let error = cursor.expected("an attribute value");
    match cursor.clone().dotted() {
        "True" | "False" | "None" | "null" => error.with_help("truth values are `true` and `false`; there is no null"),
        "" if cursor.peek() == b'(' => error.with_help("a list is written `[1, 2]`"),
        "" if cursor.peek() == b'\'' => error.with_help("a string is written with double quotes"),
        word if read_type(&mut Cursor::new(word), 0).is_ok() || cursor.rest()[word.len()..].starts_with('<') => {
            error.with_help("a type as a value is written with `!` before it")
        }
        _ => error.with_help("a value is a number, \"text\", true, false, @symbol, !type, [list] or {key = value}"),
    }
}

fn read_list(cursor: &mut Cursor<'_>, depth: usize) -> Read<Vec<Attr>> {
    cursor.pos += 1;
    let mut items = Vec::new();
    loop {
        cursor.skip_in_list();
        if cursor.take(b']') {
            return Ok(items);
        }
        items.push(read_attr(cursor, depth + 1)?);
        if cursor.take_past(b']') {
            return Ok(items);
        }
        cursor.expect_past(b',', "`,` or `]`")?;
    }
}

/// Reads `{key = value, ...}`, the cursor on the brace.
pub(super) fn read_dict(cursor: &mut Cursor<'_>, depth: usize) -> Read<Attrs> {
    cursor.expect(b'{', "`{`")?;
    // Collected on the stack, so that the list kept is exactly as large as needed.
    let mut entries: SmallVec<[(SmolStr, Attr); 4]> = SmallVec::new();
    let start = cursor.pos;
    let mut sorted = true;
    loop {
        cursor.skip_in_list();
        if cursor.take(b'}') {
            break;
        }
        let key = cursor.expect_dotted("an attribute's name or `}`")?;
        cursor.skip_blank();
        cursor.expect(b'=', "`=` after the attribute's name")?;
        cursor.skip_blank();
        let value = read_attr(cursor, depth + 1)?;
        sorted &= entries.last().is_none_or(|(last, _)| last.as_str() < key);
        entries.push((key.into(), value));
        if cursor.take_past(b'}') {
            break;
        }
        cursor.expect_past(b',', "`,` or `}`")?;
    }
    if !sorted {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let message = format!("the attribute `{}` is given twice", pair[0].0);
            return Err(RawError::new(ErrorKind::Redefined, start, 1, message));
        }
    }
    Ok(Attrs(entries.into_vec()))
}

impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attr::Bool(value) => write!(f, "{value}"),
            Attr::Int(value) => write!(f, "{value}"),
            Attr::Float(value) => write_float(f, *value),
            Attr::Str(text) => write_string(f, text),
            Attr::Symbol(name) => write!(f, "@{name}"),
            Attr::Type(ty) => write!(f, "!{ty}"),
            Attr::List(items) => {
                f.write_char('[')?;
                separated(f, items.iter(), |f, item| write!(f, "{item}"))?;
                f.write_char(']')
            }
            Attr::Dict(attrs) => write!(f, "{attrs}"),
        }
    }
}

impl fmt::Display for Attrs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        separated(f, self.0.iter(), |f, (key, value)| write!(f, "{key} = {value}"))?;
        f.write_char('}')
    }
}

/// Writes `text` as a JSON string in ASCII.
pub(super) fn write_string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut plain = 0;
    for (at, c) in text.char_indices() {
        if (' '..='~').contains(&c) && c != '"' && c != '\\' {
            continue;
        }
        out.write_str(&text[plain..at])?;
        plain = at + c.len_utf8();
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            '\u{8}' => out.write_str("\\b")?,
            '\u{c}' => out.write_str("\\f")?,
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
    }
    out.write_str(&text[plain..])?;
    out.write_char('"')
}
