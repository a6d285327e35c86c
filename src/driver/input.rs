//! Checks on input that is about to go to MLIR's own parser, which trusts it more than we do.

use crate::mlir::diagnostic::{Severity, emit};
use melior::{Context, ir::Location};

/// Brackets may nest this deep; MLIR's parser recurses, and a deeper file would run out of stack.
const MAX_DEPTH: usize = 1000;

/// Whether the bytes may go to MLIR's text parser; an error has been emitted where not.
pub fn accept_mlir(context: &Context, bytes: &[u8], name: &str) -> bool {
    let at = |offset: usize| {
        let before = &bytes[..offset];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let column = offset - before.iter().rposition(|b| *b == b'\n').map_or(0, |p| p + 1) + 1;
        Location::new(context, name, line, column)
    };
    if let Err(error) = std::str::from_utf8(bytes) {
        let location = at(error.valid_up_to());
        emit(location, Severity::Error, "the file is not UTF-8 text; MLIR text and .ppyir are", &[]);
        return false;
    }
    match too_deep(bytes) {
        None => true,
        Some(offset) => {
            let message = format!("brackets nest deeper than {MAX_DEPTH}; split the type or region into smaller ones");
            emit(at(offset), Severity::Error, &message, &[]);
            false
        }
    }
}

/// Where the nesting of brackets outside strings and comments first exceeds the limit.
fn too_deep(bytes: &[u8]) -> Option<usize> {
    let (mut depth, mut i) = (0usize, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'"' => {
                i += 1;
                while i < bytes.len() && bytes[i] != b'"' && bytes[i] != b'\n' {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    i += 1;
                }
            }
            b'(' | b'[' | b'{' | b'<' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(i);
                }
            }
            // `->` closes nothing.
            b'>' if i > 0 && bytes[i - 1] == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_counts_brackets_only() {
        assert_eq!(too_deep("{".repeat(MAX_DEPTH).as_bytes()), None);
        assert_eq!(too_deep("<".repeat(MAX_DEPTH + 1).as_bytes()), Some(MAX_DEPTH));
        assert_eq!(too_deep(format!("\"{}\"", "<".repeat(5000)).as_bytes()), None);
        assert_eq!(too_deep(format!("//{}\n", "<".repeat(5000)).as_bytes()), None);
        assert_eq!(too_deep("<->".repeat(900).as_bytes()), None);
    }
}
