//! Types that a dialect other than core owns, in both languages: `demo.box<f64, 2, N>` is `!ppy_demo.box<f64, 2, "N">`.
//!
//! Invariant: their assembly in MLIR is the list of their arguments in `.ppyir`, where a word is a string. So one rule
//! serves every dialect's types.

use super::ast::{DialectType, Type as Ty, TypeArg};
use crate::registry;
use melior::{Context, ir::Type};
use std::fmt::Write;

/// The text of the type in MLIR; `each` gives the MLIR type of an argument.
pub(super) fn in_mlir<'c, E>(
    ty: &DialectType,
    dialect: &str,
    mut each: impl FnMut(&Ty) -> Result<Type<'c>, E>,
) -> Result<String, E> {
    let mut text = format!("!{dialect}.{}", ty.name);
    for (index, arg) in ty.args.iter().enumerate() {
        text.push_str(if index == 0 { "<" } else { ", " });
        match arg {
            TypeArg::Type(ty) => text += &each(ty)?.to_string(),
            TypeArg::Int(n) => text += &n.to_string(),
            TypeArg::Word(word) => quote(word, &mut text),
        }
    }
    if !ty.args.is_empty() {
        text.push('>');
    }
    Ok(text)
}

/// The type as `.ppyir` spells it; `None` where it is no dialect's of ours, or its assembly no list of arguments.
pub(super) fn in_ppyir<'c, E>(
    context: &'c Context,
    ty: Type<'c>,
    mut each: impl FnMut(Type<'c>) -> Result<Ty, E>,
) -> Result<Option<DialectType>, E> {
    let text = ty.to_string();
    let Some((dialect, rest)) = text.strip_prefix('!').and_then(|text| text.split_once('.')) else { return Ok(None) };
    let Some(dialect) = registry::DIALECTS.iter().find(|d| d.name == dialect) else { return Ok(None) };
    let (name, list) = match rest.split_once('<') {
        None => (rest, None),
        Some((name, list)) => match list.strip_suffix('>') {
            Some(list) => (name, Some(list)),
            None => return Ok(None),
        },
    };
    let mut args = Vec::new();
    for item in list.map_or(Vec::new(), split) {
        args.push(match (item.strip_prefix('"'), item.parse::<i128>()) {
            (Some(quoted), _) => TypeArg::Word(unquote(quoted).into()),
            (_, Ok(n)) => TypeArg::Int(n),
            _ => match crate::mlir::diagnostic::capture(context, |c| Type::parse(c, item)) {
                (Some(ty), _) => TypeArg::Type(each(ty)?),
                (None, _) => return Ok(None),
            },
        });
    }
    Ok(Some(DialectType { dialect: dialect.ppyir.into(), name: name.into(), args }))
}

fn quote(word: &str, text: &mut String) {
    text.push('"');
    for byte in word.bytes() {
        match byte {
            b'"' | b'\\' | ..=0x1f | 0x7f.. => drop(write!(text, "\\{byte:02X}")),
            plain => text.push(plain.into()),
        }
    }
    text.push('"');
}

/// What stood between quotes, of what follows the first.
fn unquote(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => break,
            b'\\' => match rest.next() {
                Some(escaped @ (b'"' | b'\\')) => bytes.push(escaped),
                Some(high) => {
                    let digit = |b: u8| char::from(b).to_digit(16).unwrap_or(0) as u8;
                    bytes.push(digit(high) << 4 | rest.next().map_or(0, digit));
                }
                None => {}
            },
            plain => bytes.push(plain),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The items of a list, at its commas outside brackets and strings.
fn split(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0usize, false);
    let mut bytes = list.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' if quoted => drop(bytes.next()),
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // Of an arrow no bracket.
            b'>' if list[..at].ends_with('-') => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                items.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(list[start..].trim());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_outside_brackets_and_strings() {
        assert_eq!(
            split(r#"f64, "a, \"b", !x<i64, (i8) -> i8>, 3"#),
            ["f64", r#""a, \"b""#, "!x<i64, (i8) -> i8>", "3"]
        );
    }

    #[test]
    fn words_survive_their_quotes() {
        for word in ["N", "(N * M)", "a\"b\\c", "größe", ""] {
            let mut text = String::new();
            quote(word, &mut text);
            assert_eq!(unquote(&text[1..]), word);
            assert!(text.is_ascii());
        }
    }
}
