//! The text of types: one parser, one spelling.
//!
//! Invariant: a type that parses is well formed by itself (positive extents, scalar elements of vectors and arrays,
//! distinct fields); what a dialect's own type may hold is that dialect's rule. Source: spec `ir.txt`, section Types.

use super::ast::{DialectType, PtrType, StructType, Type, TypeArg};
use super::error::{ErrorKind, Errors, RawError, resolve};
use super::lexer::{Cursor, Read};
use smol_str::SmolStr;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Regions, attributes and types may nest this deep; deeper text is refused.
pub const MAX_DEPTH: usize = 128;

/// The types without arguments.
pub(super) const SCALARS: [(&str, Type); 16] = [
    ("void", Type::Void),
    ("bool", Type::Bool),
    ("i8", Type::Int { width: 8, signed: true }),
    ("i16", Type::Int { width: 16, signed: true }),
    ("i32", Type::Int { width: 32, signed: true }),
    ("i64", Type::Int { width: 64, signed: true }),
    ("u8", Type::Int { width: 8, signed: false }),
    ("u16", Type::Int { width: 16, signed: false }),
    ("u32", Type::Int { width: 32, signed: false }),
    ("u64", Type::Int { width: 64, signed: false }),
    ("f16", Type::F16),
    ("f32", Type::F32),
    ("f64", Type::F64),
    ("bf16", Type::Bf16),
    ("index", Type::Index),
    ("i1", Type::Bool),
];

/// The type constructors of the core, for error messages and to tell a bare word from a type.
const CONSTRUCTORS: [&str; 7] = ["ptr", "buffer", "vector", "tuple", "struct", "array", "future"];

/// The type that `text` spells, and nothing else around it.
pub fn parse_type(text: &str) -> Result<Type, Errors> {
    let mut cursor = Cursor::new(text);
    cursor.skip_blank();
    let parsed = read_type(&mut cursor, 0).and_then(|ty| {
        cursor.skip_blank();
        if cursor.at_end() { Ok(ty) } else { Err(cursor.expected("the end of the type")) }
    });
    parsed.map_err(|error| resolve(text, "<type>", vec![*error], false))
}

pub(super) fn too_deep(at: usize, what: &str) -> Box<RawError> {
    RawError::new(ErrorKind::Limit, at, 1, format!("{what} nest deeper than {MAX_DEPTH} levels"))
}

/// A word that is a type by itself.
pub(super) fn scalar(word: &str) -> Option<Type> {
    SCALARS[..15].iter().find(|(name, _)| *name == word).map(|(_, ty)| ty.clone())
}

/// Reads one type at the cursor.
pub(super) fn read_type(cursor: &mut Cursor<'_>, depth: usize) -> Read<Type> {
    let start = cursor.pos;
    if depth > MAX_DEPTH {
        return Err(too_deep(start, "types"));
    }
    let word = cursor.expect_dotted("a type")?;
    if let Some(ty) = scalar(word) {
        return match cursor.peek() {
            b'<' => Err(RawError::new(ErrorKind::Syntax, start, word.len(), format!("`{word}` takes no arguments"))),
            _ => Ok(ty),
        };
    }
    if let Some((dialect, name)) = word.split_once('.') {
        if dialect.is_empty() || name.is_empty() {
            let message = format!("`{word}` is not a type: a dialect's type is written `dialect.name`");
            return Err(RawError::new(ErrorKind::Syntax, start, word.len(), message));
        }
        let args = if cursor.take(b'<') { list(cursor, |cursor| type_arg(cursor, depth + 1))? } else { Vec::new() };
        return Ok(Type::Dialect(Arc::new(DialectType { dialect: dialect.into(), name: name.into(), args })));
    }
    if !CONSTRUCTORS.contains(&word) {
        return Err(unknown(start, word));
    }
    cursor.expect(b'<', &format!("`<` after `{word}`"))?;
    if word == "tuple" {
        return Ok(Type::Tuple(list(cursor, |cursor| read_type(cursor, depth + 1))?.into()));
    }
    cursor.skip_blank();
    let ty = match word {
        "struct" => structure(cursor, depth)?,
        "ptr" => pointer(cursor, depth)?,
        "buffer" => Type::Buffer(Arc::new(read_type(cursor, depth + 1)?)),
        "future" => Type::Future(Arc::new(read_type(cursor, depth + 1)?)),
        "vector" => {
            let element = element(cursor, depth, "vector")?;
            Type::Vector(Arc::new(element), extent(cursor, "the vector's number of lanes")?)
        }
        _ => array(cursor, depth)?,
    };
    cursor.skip_blank();
    cursor.expect(b'>', &format!("`>` to end `{word}<...`"))?;
    Ok(ty)
}

#[cold]
fn unknown(at: usize, word: &str) -> Box<RawError> {
    let shown: String = word.chars().take(40).collect();
    let error = RawError::new(ErrorKind::Unknown, at, word.len(), format!("unknown type `{shown}`"));
    match word {
        "i1" => error.with_help("the type of truth values is `bool`"),
        _ => {
            let known = SCALARS[..15].iter().map(|(name, _)| *name).chain(CONSTRUCTORS);
            match super::suggest::closest(word, known) {
                Some(name) => error.with_help(format!("did you mean `{name}`?")),
                None => error.with_help(
                    "the types are void, bool, i8 to i64, u8 to u64, f16, f32, f64, bf16, index, ptr, buffer, vector, \
                     tuple, struct, array, future and `dialect.name`",
                ),
            }
        }
    }
}

/// Comma-separated items up to `>`; none at all is fine.
fn list<T>(cursor: &mut Cursor<'_>, mut item: impl FnMut(&mut Cursor<'_>) -> Read<T>) -> Read<Vec<T>> {
    let mut items = Vec::new();
    cursor.skip_blank();
    if cursor.take(b'>') {
        return Ok(items);
    }
    loop {
        cursor.skip_blank();
        items.push(item(cursor)?);
        cursor.skip_blank();
        if cursor.take(b'>') {
            return Ok(items);
        }
        cursor.expect(b',', "`,` or `>`")?;
    }
}

fn comma(cursor: &mut Cursor<'_>) -> bool {
    cursor.skip_blank();
    let found = cursor.take(b',');
    if found {
        cursor.skip_blank();
    }
    found
}

fn pointer(cursor: &mut Cursor<'_>, depth: usize) -> Read<Type> {
    let pointee = read_type(cursor, depth + 1)?;
    let mut pointer = PtrType { pointee, space: SmolStr::new_static("generic"), constant: false };
    if comma(cursor) {
        let word = cursor.expect_dotted("an address space or `const`")?;
        match word {
            "const" => pointer.constant = true,
            "mut" => {}
            space => {
                pointer.space = space.into();
                if comma(cursor) {
                    let at = cursor.pos;
                    match cursor.expect_dotted("`const` or `mut`")? {
                        "const" => pointer.constant = true,
                        "mut" => {}
                        other => {
                            let message = format!("a pointer's third argument is `const` or `mut`, not `{other}`");
                            return Err(RawError::new(ErrorKind::Syntax, at, other.len(), message));
                        }
                    }
                }
            }
        }
    }
    Ok(Type::Ptr(Arc::new(pointer)))
}

fn structure(cursor: &mut Cursor<'_>, depth: usize) -> Read<Type> {
    let name = SmolStr::new(cursor.expect_dotted("the struct's name")?);
    let mut fields: Vec<(SmolStr, Type)> = Vec::new();
    while comma(cursor) {
        let at = cursor.pos;
        let field = cursor.expect_word("a field's name")?;
        cursor.skip_blank();
        cursor.expect(b':', "`:` after the field's name")?;
        cursor.skip_blank();
        let ty = read_type(cursor, depth + 1)?;
        // Quadratic only in the fields of one struct, and with a limit that no program reaches.
        if fields.len() > 4096 {
            return Err(RawError::new(ErrorKind::Limit, at, 1, "a struct has at most 4096 fields".into()));
        }
        if fields.iter().any(|(known, _)| known == field) {
            let message = format!("struct {name} has two fields `{field}`");
            return Err(RawError::new(ErrorKind::Redefined, at, field.len(), message));
        }
        fields.push((field.into(), ty));
    }
    Ok(Type::Struct(Arc::new(StructType { name, fields })))
}

/// The element of a vector or an array: a scalar.
fn element(cursor: &mut Cursor<'_>, depth: usize, what: &str) -> Read<Type> {
    let start = cursor.pos;
    let mut ahead = *cursor;
    match scalar(ahead.dotted()) {
        Some(ty) if ty != Type::Void => {
            *cursor = ahead;
            Ok(ty)
        }
        _ => {
            // The whole type, for the message.
            let found = read_type(cursor, depth + 1)?;
            let message = format!("the element of {what}<...> is a scalar, not {found}");
            Err(RawError::new(ErrorKind::Syntax, start, cursor.pos - start, message))
        }
    }
}

fn extent(cursor: &mut Cursor<'_>, what: &str) -> Read<u64> {
    if !comma(cursor) {
        return Err(cursor.expected(&format!("`,` and {what}")));
    }
    let start = cursor.pos;
    match cursor.unsigned(what)? {
        0 => Err(RawError::new(ErrorKind::Syntax, start, cursor.pos - start, format!("{what} is at least 1, not 0"))),
        n => Ok(n),
    }
}

fn array(cursor: &mut Cursor<'_>, depth: usize) -> Read<Type> {
    let element = element(cursor, depth, "array")?;
    let mut extents = vec![extent(cursor, "the array's extent")?];
    loop {
        cursor.skip_blank();
        if cursor.peek() != b',' {
            return Ok(Type::Array(Arc::new(element), extents.into()));
        }
        extents.push(extent(cursor, "the array's extent")?);
    }
}

/// An argument of a dialect's type: a type, an integer, a word, or a parenthesized expression kept as written.
fn type_arg(cursor: &mut Cursor<'_>, depth: usize) -> Read<TypeArg> {
    let start = cursor.pos;
    match cursor.peek() {
        b'(' => expression(cursor),
        b'-' | b'0'..=b'9' => match cursor.number()? {
            super::ast::Attr::Int(n) => Ok(TypeArg::Int(n)),
            _ => {
                let message = "a number in a type is an integer".into();
                Err(RawError::new(ErrorKind::Syntax, start, cursor.pos - start, message))
            }
        },
        _ => {
            let mut ahead = *cursor;
            let word = ahead.expect_dotted("a type, an integer or a word")?;
            let typed = word.contains('.') || scalar(word).is_some() || ahead.peek() == b'<';
            if typed {
                return read_type(cursor, depth).map(TypeArg::Type);
            }
            *cursor = ahead;
            Ok(TypeArg::Word(word.into()))
        }
    }
}

/// `( ... )` with balanced parentheses on one line.
fn expression(cursor: &mut Cursor<'_>) -> Read<TypeArg> {
    let start = cursor.pos;
    let line = &cursor.text[start..cursor.line_end()];
    let mut open = 0usize;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => {
                open -= 1;
                if open == 0 {
                    cursor.pos = start + at + 1;
                    return Ok(TypeArg::Word(line[..=at].into()));
                }
            }
            byte if byte < 0x20 => break,
            _ => {}
        }
    }
    Err(RawError::new(ErrorKind::Syntax, start, 1, "this `(` of a type is not closed on its line".into()))
}

/// Whether `word` reads back as the word it is.
pub(super) fn is_type_word(word: &str) -> bool {
    let mut cursor = Cursor::new(word);
    matches!(type_arg(&mut cursor, 0), Ok(TypeArg::Word(read)) if read == word && cursor.at_end())
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => f.write_str("void"),
            Type::Bool => f.write_str("bool"),
            Type::Int { width, signed } => write!(f, "{}{width}", if *signed { 'i' } else { 'u' }),
            Type::F16 => f.write_str("f16"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::Bf16 => f.write_str("bf16"),
            Type::Index => f.write_str("index"),
            Type::Ptr(pointer) => {
                write!(f, "ptr<{}", pointer.pointee)?;
                if pointer.space != "generic" || pointer.constant {
                    write!(f, ", {}", pointer.space)?;
                }
                f.write_str(if pointer.constant { ", const>" } else { ">" })
            }
            Type::Buffer(element) => write!(f, "buffer<{element}>"),
            Type::Vector(element, lanes) => write!(f, "vector<{element}, {lanes}>"),
            Type::Tuple(items) => {
                f.write_str("tuple<")?;
                separated(f, items.iter(), |f, item| write!(f, "{item}"))?;
                f.write_char('>')
            }
            Type::Struct(structure) => {
                write!(f, "struct<{}", structure.name)?;
                for (name, ty) in &structure.fields {
                    write!(f, ", {name}: {ty}")?;
                }
                f.write_char('>')
            }
            Type::Array(element, extents) => {
                write!(f, "array<{element}")?;
                for extent in extents.iter() {
                    write!(f, ", {extent}")?;
                }
                f.write_char('>')
            }
            Type::Future(value) => write!(f, "future<{value}>"),
            Type::Dialect(ty) => {
                write!(f, "{}.{}", ty.dialect, ty.name)?;
                if ty.args.is_empty() {
                    return Ok(());
                }
                f.write_char('<')?;
                separated(f, ty.args.iter(), |f, arg| write!(f, "{arg}"))?;
                f.write_char('>')
            }
        }
    }
}

impl fmt::Display for TypeArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeArg::Type(ty) => write!(f, "{ty}"),
            TypeArg::Int(n) => write!(f, "{n}"),
            TypeArg::Word(word) => f.write_str(word),
        }
    }
}

/// Writes items with `, ` between them.
pub(super) fn separated<W: Write, T>(
    out: &mut W,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut W, T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    Ok(())
}
