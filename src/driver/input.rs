//! Reading a tool's input, and checks on what is about to go to MLIR's own parser, which trusts it more than we do.

use super::{Failure, named};
use crate::{
    mlir::{
        diagnostic::{self, Severity, emit},
        op::{OpExt, operations},
        parse, verify,
    },
    passes::{
        pipeline,
        sanitize::{self, Sanitizer},
    },
    ppyir::{self, ast, parse_bytes},
    registry,
};
use melior::{
    Context,
    ir::{Location, Module},
};
use std::{
    io::{IsTerminal, Read},
    os::unix::fs::FileTypeExt,
    path::Path,
};

/// Bytes that a file may have; places in it are 32-bit numbers.
const MAX_BYTES: u64 = u32::MAX as u64 - 1;

/// The format of a file, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Ppyir,
    Mlir,
    Bytecode,
}

/// Whether a path can be a file of ours: it is there, and neither a folder nor a device, some of which have no end.
pub fn openable(path: &Path) -> Result<(), String> {
    let found = std::fs::metadata(path).map_err(|error| error.to_string())?;
    let device = found.file_type().is_char_device() || found.file_type().is_block_device();
    match () {
        () if found.is_dir() => Err("it is a folder; name a .ppyir, .mlir or bytecode file".into()),
        () if device && !std::fs::File::open(path).is_ok_and(|file| file.is_terminal()) => {
            Err("it is a device; name a .ppyir, .mlir or bytecode file".into())
        }
        () => Ok(()),
    }
}

/// A file in memory.
pub struct Source {
    pub name: String,
    pub bytes: Vec<u8>,
    pub format: Format,
}

impl Source {
    /// Reads a file, or the standard input for `-`.
    pub fn open(path: &str) -> Result<Source, Failure> {
        let name = if path == "-" { "<stdin>" } else { path };
        let problem = |why: String| Failure::User(format!("cannot read {}: {why}", named(name)));
        let mut bytes = Vec::new();
        let read = if path == "-" {
            std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
        } else {
            openable(path.as_ref()).map_err(problem)?;
            std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        };
        read.map_err(|error| problem(error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(problem(format!("it is larger than {MAX_BYTES} bytes; split the module")));
        }
        if bytes.trim_ascii().is_empty() {
            return Err(problem("it is empty; a .ppyir file begins with 'ppyir 1', an .mlir file has a module".into()));
        }
        let format = match () {
            () if bytes.starts_with(parse::BYTECODE) => Format::Bytecode,
            () if ppyir::is_ppyir(&bytes, name) => Format::Ppyir,
            () => Format::Mlir,
        };
        Ok(Source { name: name.to_owned(), bytes, format })
    }

    /// The `.ppyir` text; `None` in other formats.
    pub fn text(&self) -> Option<&str> {
        (self.format == Format::Ppyir).then(|| std::str::from_utf8(&self.bytes).ok()).flatten()
    }

    /// The modules of the file, verified.
    pub fn modules<'c>(&self, context: &'c Context) -> Result<Vec<Module<'c>>, Failure> {
        if self.format == Format::Ppyir {
            return ppyir::read(context, &self.bytes, &self.name).map_err(|errors| Failure::Input(errors.to_string()));
        }
        let (module, reports) = diagnostic::capture_reports(context, |context| {
            let accepted = self.format == Format::Bytecode || accept_mlir(context, &self.bytes, &self.name);
            let module = accepted.then(|| parse::module(context, &self.bytes, &self.name)).flatten()?;
            verify::verify(module.as_operation()).then_some(module)
        });
        match module {
            Some(module) => Ok(apart(module)),
            None if reports.is_empty() => Err(Failure::User(format!("{} is no MLIR module", self.name))),
            None => Err(Failure::Input(diagnostic::errors_of(&reports))),
        }
    }

    /// The trees of the modules, for the interpreter and for signatures.
    pub fn trees(&self, modules: &[Module<'_>]) -> Result<Vec<ast::Module>, Failure> {
        if self.format == Format::Ppyir {
            let parsed = parse_bytes(&self.bytes, &self.name, &registry::Syntax);
            return parsed.map_err(|errors| Failure::Input(errors.to_string()));
        }
        modules.iter().map(exported).collect()
    }
}

/// The modules of a file of MLIR: where there are several, the parser has put them into a module of its own.
fn apart(module: Module<'_>) -> Vec<Module<'_>> {
    let outer = module.as_operation();
    let inner: Vec<_> = outer.blocks(0).into_iter().flat_map(operations).collect();
    let around = outer.str_attribute("sym_name").is_none() && outer.discardables().is_empty();
    if !around || inner.is_empty() || inner.iter().any(|op| !op.is("builtin.module")) {
        return vec![module];
    }
    inner.into_iter().filter_map(|op| Module::from_operation((*op).clone())).collect()
}

/// Puts the guards of sanitizers into modules; whether any kind is asked for.
pub fn sanitize(modules: &mut [Module<'_>], kinds: &[Sanitizer]) -> Result<bool, Failure> {
    if kinds.is_empty() {
        return Ok(false);
    }
    let pipeline = format!("builtin.module({})", sanitize::pass(kinds));
    modules.iter_mut().try_for_each(|module| pipeline::run(module, &pipeline)).map_err(Failure::Internal)?;
    Ok(true)
}

/// The tree of a module that may have changed since it was read.
pub fn exported(module: &Module<'_>) -> Result<ast::Module, Failure> {
    let operation = module.as_operation();
    let (tree, reports) = diagnostic::capture_reports(operation.context_ref(), |_| {
        ppyir::export::export(operation).map_err(|error| error.emit()).ok()
    });
    tree.ok_or_else(|| Failure::Input(diagnostic::errors_of(&reports)))
}

/// Brackets may nest this deep; MLIR's parser recurses, and a deeper file would run out of stack.
const MAX_DEPTH: usize = 1000;

/// Digits of a number outside strings; MLIR's parser takes time quadratic in them.
const MAX_DIGITS: usize = 10_000;

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
    match excess(bytes) {
        None => true,
        Some((offset, excess)) => {
            let message = match excess {
                Excess::Nesting => {
                    format!("brackets nest deeper than {MAX_DEPTH}; split the type or region into smaller ones")
                }
                Excess::Digits => format!("a number has more than {MAX_DIGITS} digits; no type holds that many"),
            };
            emit(at(offset), Severity::Error, &message, &[]);
            false
        }
    }
}

/// What MLIR's parser would not survive in reasonable time or space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excess {
    Nesting,
    Digits,
}

/// Where the nesting of brackets, or the digits of a number, outside strings and comments first exceed their limit.
fn excess(bytes: &[u8]) -> Option<(usize, Excess)> {
    let (mut depth, mut i) = (0usize, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'0'..=b'9' => {
                let digits = bytes[i..].iter().take_while(|b| b.is_ascii_hexdigit() || **b == b'x').count();
                if digits > MAX_DIGITS {
                    return Some((i, Excess::Digits));
                }
                i += digits;
                continue;
            }
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
                    return Some((i, Excess::Nesting));
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
        assert_eq!(excess("{".repeat(MAX_DEPTH).as_bytes()), None);
        assert_eq!(excess("<".repeat(MAX_DEPTH + 1).as_bytes()), Some((MAX_DEPTH, Excess::Nesting)));
        assert_eq!(excess(format!("\"{}\"", "<".repeat(5000)).as_bytes()), None);
        assert_eq!(excess(format!("//{}\n", "<".repeat(5000)).as_bytes()), None);
        assert_eq!(excess("<->".repeat(900).as_bytes()), None);
    }

    #[test]
    fn long_numbers_are_found_outside_strings() {
        let number = "9".repeat(MAX_DIGITS + 1);
        assert_eq!(excess(format!("a = {number}").as_bytes()), Some((4, Excess::Digits)));
        assert_eq!(excess(format!("a = \"{number}\" 0x1F").as_bytes()), None);
    }
}
