//! `.ppyir` bytes to verified MLIR modules, and back.

use super::{
    ast::{self, Item, Span},
    error::{ErrorKind, Errors, LineIndex, MAX_ERRORS, RawError, resolve},
    export::{ExportError, export_each},
    import::{Imported, import},
    location,
    parse::{self, Parser, parse_bytes},
    print::{PrintError, Printer},
    wording::{in_ppyir, with_names},
};
use crate::{
    mlir::{
        diagnostic::{Severity, emit, emit_error},
        op::{Op, OpExt},
        verify,
    },
    registry::Syntax,
};
use melior::{
    Context,
    ir::{Location, Module},
};
use rustc_hash::FxHashMap;

/// Whether bytes of a file of that name are `.ppyir`: they begin with the word `ppyir` (after blanks and comments), or
/// the name says so.
pub fn is_ppyir(bytes: &[u8], name: &str) -> bool {
    let mut bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    while bytes.starts_with(b"//") {
        let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
        bytes = bytes[end..].trim_ascii_start();
    }
    bytes.strip_prefix(b"ppyir").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
        || name.ends_with(".ppyir")
}

/// Whether what was read is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    Verify,
    /// For modules known to be valid; passes may crash on others.
    Trust,
}

/// Reads and verifies every document. Errors have their place in the file, and the frontend's where it recorded one.
pub fn read<'c>(context: &'c Context, bytes: &[u8], file: &str) -> Result<Vec<Module<'c>>, Errors> {
    read_checked(context, bytes, file, Check::Verify)
}

/// Text for which another thread is worth its start.
const BYTES_PER_THREAD: usize = 400_000;

/// Operations for which another thread is worth its start.
const OPS_PER_THREAD: usize = 10_000;

/// Reads every document; [`read`] verifies too.
pub fn read_checked<'c>(
    context: &'c Context,
    bytes: &[u8],
    file: &str,
    check: Check,
) -> Result<Vec<Module<'c>>, Errors> {
    let text = parse::text(bytes, file)?;
    let mut parser = Parser::new(text, &Syntax);
    crate::load_dialects(context);
    let lines = LineIndex::new(text);
    let (mut modules, mut errors, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(header) = parser.next_header() {
        // Each item is MLIR before the next is read, so that a large module is in memory once.
        let items = std::iter::from_fn(|| parser.next_item());
        let threads = text.len() / BYTES_PER_THREAD + 1;
        let imported = import(context, &header, items, threads, file, Some(&lines), &mut errors);
        if check == Check::Verify && !parser.failed() {
            verify_imported(&imported, &mut invalid);
        }
        modules.push(imported.module);
    }
    parser.finish(file)?;
    if errors.is_empty() && invalid.is_empty() {
        return Ok(modules);
    }
    errors.extend(name_values(invalid, bytes, file));
    errors.sort_by_key(|error| error.at);
    let truncated = errors.len() > MAX_ERRORS;
    errors.truncate(MAX_ERRORS);
    Err(resolve(text, file, errors, truncated))
}

/// The verified MLIR module of a tree that was not read from one text. An error has no place but the function's.
pub fn build<'c>(context: &'c Context, tree: &ast::Module) -> Result<Module<'c>, Vec<String>> {
    crate::load_dialects(context);
    let mut errors = Vec::new();
    let threads = tree.items.iter().map(size).sum::<usize>() / OPS_PER_THREAD + 1;
    let imported = import(context, tree, tree.items.iter(), threads, "", None, &mut errors);
    if errors.is_empty() {
        let invalid = verify::errors(imported.module.as_operation());
        if invalid.is_empty() {
            return Ok(imported.module);
        }
        return Err(invalid
            .iter()
            .map(|error| match in_ppyir(&verify::place(error.op)) {
                place if place.is_empty() => in_ppyir(&error.message),
                place => format!("{} ({place})", in_ppyir(&error.message)),
            })
            .collect());
    }
    Err(errors.into_iter().map(|error| error.message).collect())
}

/// How many operations an item has.
fn size(item: &Item) -> usize {
    match item {
        Item::Function(function) => function.body.iter().flat_map(|body| &body.blocks).map(|b| b.ops.len()).sum(),
        Item::Global(_) => 1,
    }
}

/// An error of the verifier, and where its operation begins in the text.
struct Invalid {
    span: Span,
    error: Box<RawError>,
}

fn verify_imported(imported: &Imported<'_>, invalid: &mut Vec<Invalid>) {
    // Without one of its symbols every use of it would be an error.
    if imported.incomplete {
        return;
    }
    let found = verify::errors(imported.module.as_operation());
    if found.is_empty() {
        return;
    }
    let places: FxHashMap<usize, Span> = imported.places.iter().copied().collect();
    for error in found {
        let function = error.op.ancestor("ppy_core.func").unwrap_or(error.op);
        if error.structural && imported.broken.contains(&function.key()) {
            continue;
        }
        // A block argument's error is where its block begins.
        let own = places.get(&(error.location.to_raw().ptr as usize));
        let span = own.or_else(|| places.get(&error.op.key())).copied().unwrap_or(Span::NONE);
        let mut raw = RawError::new(ErrorKind::Invalid, span.offset().unwrap_or(0), 1, in_ppyir(&error.message));
        let mut help = in_ppyir(&verify::place(error.op));
        if let Some(loc) = location::frontend(error.op.loc()) {
            let comma = if help.is_empty() { "" } else { ", " };
            help = format!("{help}{comma}from {}:{}:{}", loc.file, loc.line, loc.column);
        }
        if !help.is_empty() {
            raw = raw.with_help(help);
        }
        invalid.push(Invalid { span, error: raw });
    }
}

/// Names the values in the errors. The tree has gone into the module, so the text is read once more: errors are rare.
fn name_values(mut invalid: Vec<Invalid>, bytes: &[u8], file: &str) -> Vec<RawError> {
    if let Some(documents) = (!invalid.is_empty()).then(|| parse_bytes(bytes, file, &Syntax).ok()).flatten() {
        let functions = documents.iter().flat_map(|d| &d.items).filter_map(|item| match item {
            Item::Function(function) => Some(function),
            Item::Global(_) => None,
        });
        let mut ops = FxHashMap::default();
        for function in functions {
            for block in function.body.iter().flat_map(|body| &body.blocks) {
                ops.extend(block.ops.iter().map(|op| (op.span.0, (function, op))));
            }
        }
        for one in &mut invalid {
            if let Some((function, op)) = ops.get(&one.span.0) {
                one.error.message = with_names(&one.error.message, function, op);
            }
        }
    }
    invalid.into_iter().map(|one| *one.error).collect()
}

/// The `.ppyir` text of a `builtin.module`.
pub fn write<'c>(module: Op<'c, '_>) -> Result<String, ExportError<'c>> {
    let unprintable = |error: PrintError| ExportError { location: module.loc(), message: error.to_string() };
    let mut printer = Printer::new(&Syntax);
    let header = export_each(module, |item| printer.item(&item).map_err(unprintable))?;
    printer.finish(&header).map_err(unprintable)
}

impl ExportError<'_> {
    pub fn emit(&self) {
        emit_error(self.location, &self.message);
    }
}

impl Errors {
    /// Emits each as a diagnostic at its place, for a driver that prints the line and a caret.
    pub fn emit(&self, context: &Context) {
        for error in &self.list {
            let location = Location::new(context, &error.file, error.line as usize, error.column as usize);
            let help = error.help.as_deref().map(|h| (None, h));
            emit(location, Severity::Error, &error.message, help.as_slice());
        }
        if self.truncated {
            emit_error(Location::unknown(context), &format!("stopped after {} errors", self.list.len()));
        }
    }
}
