//! Diagnostics of MLIR in the words of `.ppyir`: operations, types and values as that text writes them.

use super::ast::{Function, Operation};
use crate::registry;

/// `'ppy_core.add' op ... !ppy_core.ptr<i1>` as `'core.add' op ... ptr<bool>`. Text in double quotes stays as it is.
pub(super) fn in_ppyir(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            let end = quoted(rest);
            // A struct's name is in quotes in MLIR only.
            let name = rest[..end].trim_matches('"');
            let text = if out.ends_with("struct<") { name } else { &rest[..end] };
            out.push_str(text);
            rest = &rest[end..];
        } else if word_before(&out) || !(c.is_ascii_alphabetic() || c == '!') {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            rest = word(rest, &mut out);
        }
    }
    out
}

/// The length of the string that `text` begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return index + 1,
            byte => escaped = byte == b'\\' && !escaped,
        }
    }
    text.len()
}

/// Whether what comes next continues a word, or is a name: of a value, a block, a symbol or an attribute.
fn word_before(out: &str) -> bool {
    out.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '%' | '^' | '#' | '$'))
}

/// Rewrites the word that `text` begins with; answers what follows it.
fn word<'t>(text: &'t str, out: &mut String) -> &'t str {
    let bare = text.strip_prefix('!').unwrap_or(text);
    for dialect in registry::DIALECTS {
        if let Some(rest) = bare.strip_prefix(dialect.name).filter(|rest| rest.starts_with('.')) {
            // The types of core have no dialect's name.
            let typed = text.starts_with('!') && dialect.ppyir == "core";
            if !typed {
                out.push_str(dialect.ppyir);
                out.push('.');
            }
            return plain(&rest[1..], out);
        }
    }
    if let Some((lanes, element, rest)) = vector(text) {
        out.push_str(&format!("vector<{}, {lanes}>", in_ppyir(element)));
        return rest;
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '!')).unwrap_or(text.len()).max(1);
    out.push_str(match &text[..end] {
        "i1" => "bool",
        "ui8" => "u8",
        "ui16" => "u16",
        "ui32" => "u32",
        "ui64" => "u64",
        "bb" => "block",
        other => other,
    });
    &text[end..]
}

/// Copies the letters, digits and `_` that `text` begins with.
fn plain<'t>(text: &'t str, out: &mut String) -> &'t str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    out.push_str(&text[..end]);
    &text[end..]
}

/// The parts of `vector<4xi64>...`.
fn vector(text: &str) -> Option<(&str, &str, &str)> {
    let inside = text.strip_prefix("vector<")?;
    let (lanes, element) = inside.split_once('x').filter(|(lanes, _)| lanes.bytes().all(|b| b.is_ascii_digit()))?;
    let mut depth = 0usize;
    for (index, c) in element.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth == 0 => return Some((lanes, &element[..index], &element[index + 1..])),
            '>' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `operand #1` as `operand #1 (%b)`, and results likewise.
pub(super) fn with_names(message: &str, function: &Function, op: &Operation) -> String {
    let arguments = op.successors.iter().flat_map(|s| s.args.iter());
    let operands: Vec<_> = op.operands.iter().chain(arguments).collect();
    let results: Vec<_> = op.results.iter().collect();
    let mut out = message.to_owned();
    for (what, values) in [("operand #", operands), ("result #", results)] {
        let Some(at) = out.find(what) else { continue };
        let digits = &out[at + what.len()..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let name = (digits[..end].parse::<usize>().ok())
            .and_then(|index| function.values.get(values.get(index)?.0 as usize))
            .filter(|value| !value.name.is_empty());
        if let Some(value) = name {
            out.insert_str(at + what.len() + end, &format!(" (%{})", value.name));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::in_ppyir;

    #[test]
    fn types_and_operations_are_those_of_the_text() {
        for (mlir, ppyir) in [
            ("'ppy_core.add' op has 'i1' and 'ui8'", "'core.add' op has 'bool' and 'u8'"),
            ("!ppy_core.ptr<i64, stack> in tuple<i1, f64>", "ptr<i64, stack> in tuple<bool, f64>"),
            ("!ppy_core.struct<\"P\", x: i1>", "struct<P, x: bool>"),
            ("vector<4xi1> of vector<2x!ppy_core.ptr<ui8>>.", "vector<bool, 4> of vector<ptr<u8>, 2>."),
            ("@i1 and %ui8 and ^bb and \"i1 \\\" ui8\" and ui8x", "@i1 and %ui8 and ^bb and \"i1 \\\" ui8\" and ui8x"),
            ("ppy_core.ownership, !llvm.ptr, vector<4", "core.ownership, !llvm.ptr, vector<4"),
            ("argument of bb argument #0", "argument of block argument #0"),
            ("", ""),
            ("\"open", "\"open"),
            ("ä!", "ä!"),
        ] {
            assert_eq!(in_ppyir(mlir), ppyir);
        }
    }
}
