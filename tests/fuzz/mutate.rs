//! Damaged texts: bytes and tokens dropped, doubled, swapped and replaced.

use crate::dice::Dice;

/// Words that mean something somewhere.
const WORDS: &[&str] = &[
    "i1",
    "i8",
    "i64",
    "ui64",
    "u8",
    "bool",
    "f16",
    "bf16",
    "f32",
    "f64",
    "index",
    "void",
    "ptr<i64>",
    "ptr<i64, stack>",
    "buffer<u8>",
    "tuple<>",
    "tuple<i64, f64>",
    "vector<i64, 4>",
    "vector<4xi64>",
    "vector<0xi64>",
    "vector<[4]xi64>",
    "struct<P, x: i64>",
    "array<i32, 2, 3>",
    "array<i32, 0>",
    "future<i64>",
    "tensor<?xf64>",
    "memref<4xi64>",
    "none",
    "()",
    "!ppy_core.ptr<i64>",
    "!ppy_core.ptr<i64, stack>",
    "!ppy_core.ptr<i64, generic, const>",
    "!ppy_core.buffer<i8>",
    "!ppy_core.struct<\"P\", x: i64>",
    "!ppy_core.array<i32, 2, 3>",
    "!ppy_core.void",
    "!ppy_core.future<i64>",
    "complex<f32>",
    "i65536",
    "i0",
    "f8E4M3FN",
    "opaque<\"a\", \"b\">",
    "dense<0>",
    "dense<\"0xFF\">",
    "unit",
    "true",
    "false",
    "@f",
    "@main",
    "%0",
    "%1",
    "^entry",
    "^bb0",
    "-1",
    "0",
    "1",
    "127",
    "128",
    "-9223372036854775808",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1.0",
    "-0.0",
    "1e999",
    "nan",
    "inf",
    "0x7FF0000000000000",
    "0xFF",
    "\"\"",
    "\"python\"",
    "\"wrap\"",
    "\"floor\"",
    "overflow",
    "rounding",
    "value",
    "kind",
    "callee",
    "capture_status",
    "operandSegmentSizes",
    "sym_name",
    "function_type",
    "core.add",
    "core.div",
    "core.br",
    "core.cond_br",
    "core.ret",
    "core.call",
    "core.const",
    "core.guard",
    "core.load",
    "core.cmp.lt",
    "math.sin",
    "ppy_core.add",
    "ppy_core.br",
    "ppy_core.cond_br",
    "ppy_core.call",
    "ppy_core.func",
    "ppy_core.const",
    "ppy_core.load",
    "ppy_core.tuple_extract",
    "builtin.module",
    "func.func",
    "arith.constant",
    "loc(\"a\":1:2)",
    "loc(unknown)",
    "loc(fused[])",
    "attrs {}",
    "private",
    "extern",
    "mutable",
    "func",
    "global",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    ",",
    ":",
    "=",
    "->",
    "#ppy_core.null",
    "array<i32: 1, 2>",
    "affine_map<(d0) -> (d0)>",
];

/// Splits into words, numbers, strings, runs of blanks, and single marks.
fn tokens(text: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    let class = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'%' | b'^' | b'@' | b'!' | b'#' => 1,
        b' ' => 2,
        _ => 0,
    };
    for byte in text {
        match tokens.last_mut() {
            Some(last) if class(*byte) != 0 && last.last().is_some_and(|b| class(*b) == class(*byte)) => {
                last.push(*byte)
            }
            _ => tokens.push(vec![*byte]),
        }
    }
    tokens
}

/// A damaged copy; the number of wounds is small, so that most of the text still reads.
pub fn damage(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..*dice.pick(&[1, 1, 1, 2, 3]) {
        text = if dice.chance(75) { damage_tokens(&text, dice) } else { damage_bytes(text, dice) };
    }
    text
}

fn damage_tokens(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut tokens = tokens(text);
    if tokens.is_empty() {
        return Vec::new();
    }
    let (a, b) = (dice.below(tokens.len()), dice.below(tokens.len()));
    match dice.weighted(&[8, 6, 10, 25, 8, 4, 4, 35]) {
        7 => exchange_alike(&mut tokens, a, dice),
        0 => drop(tokens.remove(a)),
        1 => {
            let copy = tokens[a].clone();
            tokens.insert(a, copy);
        }
        2 => tokens.swap(a, b),
        3 => {
            // A word where a word stands.
            let a = (0..tokens.len())
                .map(|i| (a + i) % tokens.len())
                .find(|i| tokens[*i].len() > 1 && tokens[*i][0] != b' ');
            if let Some(a) = a {
                tokens[a] = dice.pick(WORDS).as_bytes().to_vec();
            }
        }
        4 => tokens[a] = tokens[b].clone(),
        5 => {
            let end = (a + dice.within(1, 40)).min(tokens.len());
            let copy = tokens[a..end].to_vec();
            tokens.splice(b..b, copy);
        }
        _ => {
            let end = (a + dice.within(1, 40)).min(tokens.len());
            tokens.drain(a..end);
        }
    }
    tokens.concat()
}

/// A word for another of its kind: a value for a value, a number for a number.
fn exchange_alike(tokens: &mut [Vec<u8>], at: usize, dice: &mut Dice) {
    let kind = |token: &[u8]| match token {
        [b'%' | b'^' | b'@' | b'!' | b'#', ..] => token[0],
        [b'0'..=b'9', ..] => b'0',
        [b'a'..=b'z' | b'A'..=b'Z', ..] if token.contains(&b'.') => b'.',
        [b'a'..=b'z' | b'A'..=b'Z', ..] => b'a',
        _ => 0,
    };
    let Some(at) = (0..tokens.len()).map(|i| (at + i) % tokens.len()).find(|i| kind(&tokens[*i]) != 0) else { return };
    let alike: Vec<usize> = (0..tokens.len()).filter(|i| kind(&tokens[*i]) == kind(&tokens[at])).collect();
    tokens[at] = tokens[*dice.pick(&alike)].clone();
}

/// A few bytes otherwise, or a line or the end.
pub fn damage_bytes(mut text: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    const BYTES: &[u8] = b"{}()<>[]^%@!#\"\\,:=-.\n \t\r/01eE_ax\0\xff\x80\xe2";
    let at = dice.below(text.len());
    match dice.below(6) {
        0 => text.insert(at, *dice.pick(BYTES)),
        1 if !text.is_empty() => drop(text.remove(at)),
        2 if !text.is_empty() => text[at] ^= 1 << dice.below(8),
        3 if !text.is_empty() => text[at] = *dice.pick(BYTES),
        4 => text.truncate(at),
        _ => {
            // A line goes elsewhere.
            let mut lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
            let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
            if dice.chance(50) {
                lines.swap(a, b);
            } else {
                lines.insert(a, lines[b]);
            }
            text = lines.join(&b'\n');
        }
    }
    text
}
