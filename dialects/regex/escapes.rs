//! Escapes and classes of a pattern.

use super::bytes::ByteSet;
use super::parser::{Code, Group, Parser};
use super::source::{Token, text};
use super::syntax::*;

impl Parser<'_> {
    /// An escape outside a class.
    pub(super) fn escape(&mut self, byte: u8) -> Parsed<Code> {
        if let Some(code) = category(byte) {
            return Ok(code);
        }
        match byte {
            b'0' => {
                let digits = self.source.run(2, is_octal)?;
                Ok(Code::Literal(octal(&digits) as u8))
            }
            b'1'..=b'9' => {
                let mut digits = vec![byte];
                if let Token::Plain(second) = self.source.next
                    && second.is_ascii_digit()
                {
                    digits.push(second);
                    self.source.advance()?;
                    if let Token::Plain(third) = self.source.next
                        && digits.iter().all(|digit| is_octal(*digit))
                        && is_octal(third)
                    {
                        digits.push(third);
                        self.source.advance()?;
                        return self.octal_literal(&digits);
                    }
                }
                self.reference(&digits)
            }
            _ => self.simple_escape(byte),
        }
    }

    pub(super) fn octal_literal(&self, digits: &[u8]) -> Parsed<Code> {
        match u8::try_from(octal(digits)) {
            Ok(byte) => Ok(Code::Literal(byte)),
            Err(_) => {
                let message = format!("octal escape value \\{} outside of range 0-0o377", text(digits));
                Err(self.source.error(message, digits.len() + 1))
            }
        }
    }

    pub(super) fn reference(&mut self, digits: &[u8]) -> Parsed<Code> {
        let group = digits.iter().fold(0usize, |n, d| n * 10 + usize::from(d - b'0'));
        match self.groups.get(group) {
            Some(Group::Closed) => {
                self.refuse("a backreference", self.source.tell() - digits.len() - 1);
                Ok(Code::Reference)
            }
            Some(Group::Open) => Err(self.source.error("cannot refer to an open group", digits.len() + 1)),
            None => Err(self.source.error(format!("invalid group reference {group}"), digits.len())),
        }
    }

    /// An escape that means one byte, inside a class or outside.
    pub(super) fn simple_escape(&mut self, byte: u8) -> Parsed<Code> {
        Ok(Code::Literal(match byte {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'x' => {
                let digits = self.source.run(2, |byte| byte.is_ascii_hexdigit())?;
                if digits.len() != 2 {
                    let message = format!("incomplete escape \\x{}", text(&digits));
                    return Err(self.source.error(message, digits.len() + 2));
                }
                digits.iter().fold(0, |n, d| n * 16 + char::from(*d).to_digit(16).unwrap_or(0) as u8)
            }
            letter if letter.is_ascii_alphabetic() => {
                return Err(self.source.error(format!("bad escape \\{}", text(&[letter])), 2));
            }
            other => other,
        }))
    }

    /// An escape inside a class.
    pub(super) fn class_escape(&mut self, byte: u8) -> Parsed<Code> {
        if let Some(code @ Code::Set(_)) = category(byte) {
            return Ok(code);
        }
        match byte {
            octal if is_octal(octal) => {
                let mut digits = vec![octal];
                digits.extend(self.source.run(2, is_octal)?);
                self.octal_literal(&digits)
            }
            b'8' | b'9' => Err(self.source.error(format!("bad escape \\{}", char::from(byte)), 2)),
            _ => self.simple_escape(byte),
        }
    }

    /// A class, its `[` read already.
    pub(super) fn class(&mut self, flags: i64) -> Parsed<ByteSet> {
        let here = self.source.tell() - 1;
        let mut set = ByteSet::EMPTY;
        let mut started = false;
        let negate = self.source.eat(b'^')?;
        let unterminated = |parser: &Self| Err(parser.source.error_at("unterminated character set", here));
        loop {
            let this = self.source.get()?;
            let code = match this {
                Token::End => return unterminated(self),
                Token::Plain(b']') if started => break,
                Token::Plain(byte) => Code::Literal(byte),
                Token::Escape(byte) => self.class_escape(byte)?,
            };
            started = true;
            if !self.source.eat(b'-')? {
                set = set.union(member(&code));
                continue;
            }
            let that = self.source.get()?;
            let last = match that {
                Token::End => return unterminated(self),
                Token::Plain(b']') => {
                    set = set.union(member(&code)).union(ByteSet::of([b'-']));
                    break;
                }
                Token::Plain(byte) => Code::Literal(byte),
                Token::Escape(byte) => self.class_escape(byte)?,
            };
            match (code, last) {
                (Code::Literal(low), Code::Literal(high)) if low <= high => {
                    set = set.union(ByteSet::of(low..=high));
                }
                _ => {
                    let message = format!("bad character range {}-{}", this.text(), that.text());
                    return Err(self.source.error(message, this.len() + 1 + that.len()));
                }
            }
        }
        let set = if flags & IGNORECASE != 0 { set.any_case() } else { set };
        Ok(if negate { set.complement() } else { set })
    }
}

fn member(code: &Code) -> ByteSet {
    match code {
        Code::Literal(byte) => ByteSet::of([*byte]),
        Code::Set(set) => *set,
        Code::At(_) | Code::Reference => ByteSet::EMPTY,
    }
}

pub(super) fn literal(byte: u8, flags: i64) -> Node {
    let set = ByteSet::of([byte]);
    Node::Byte(if flags & IGNORECASE != 0 { set.any_case() } else { set })
}
/// Escapes for classes of bytes and for places.
fn category(byte: u8) -> Option<Code> {
    Some(match byte {
        b'A' => Code::At(Anchor::Start),
        b'b' => Code::At(Anchor::Boundary),
        b'B' => Code::At(Anchor::NotBoundary),
        b'Z' => Code::At(Anchor::TextEnd),
        b'd' => Code::Set(digits()),
        b'D' => Code::Set(digits().complement()),
        b's' => Code::Set(spaces()),
        b'S' => Code::Set(spaces().complement()),
        b'w' => Code::Set(words()),
        b'W' => Code::Set(words().complement()),
        _ => return None,
    })
}

fn is_octal(byte: u8) -> bool {
    (b'0'..=b'7').contains(&byte)
}

fn octal(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |n, d| n * 8 + u32::from(d - b'0'))
}
