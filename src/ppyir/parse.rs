//! Reading `.ppyir` text: documents, headers, globals and function signatures. `body.rs` reads what is in the braces.
//!
//! Invariants: time is linear in the text; whatever the input, the answer is a tree or errors, never a panic or an
//! exhausted stack. After an error the reader goes on at the next line or item, so that one run reports them all.
//! Text is taken leniently in blanks, comments (`//`) and CRLF line ends, and strictly in everything else. Source: spec
//! `ir.txt`, section Text.

use super::ast::{Attr, Attrs, Function, Global, Item, Loc, Module, Param, SCHEMA, Span, Type};
use super::attrs::{read_attr, read_dict};
use super::error::{ErrorKind, Errors, MAX_ERRORS, RawError, resolve};
use super::lexer::{Cursor, Read};
use super::syntax::SyntaxTable;
use super::types::read_type;
use super::{body, suggest};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Reads every document of `bytes`; bytes that are not UTF-8 are an error with their place.
pub fn parse_bytes(bytes: &[u8], file: &str, table: &dyn SyntaxTable) -> Result<Vec<Module>, Errors> {
    parse_documents(text(bytes, file)?, file, table)
}

/// The text that bytes are.
pub(super) fn text<'b>(bytes: &'b [u8], file: &str) -> Result<&'b str, Errors> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let message = match bytes {
            [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => "the file is UTF-16, not UTF-8".to_owned(),
            _ => format!("the byte 0x{:02x} is not UTF-8 text", bytes.get(at).copied().unwrap_or(0)),
        };
        let text = String::from_utf8_lossy(bytes);
        let raw = RawError::new(ErrorKind::Encoding, at, 1, message);
        let raw = raw.with_help("a .ppyir file is UTF-8; bytes in a string are written as escapes (`\\u0080`)");
        resolve(&text, file, vec![*raw], false)
    })
}

/// Reads every document of `text`: one module per `ppyir N` header.
///
/// `file` only names the text in errors.
pub fn parse_documents(text: &str, file: &str, table: &dyn SyntaxTable) -> Result<Vec<Module>, Errors> {
    let mut parser = Parser::new(text, table);
    let mut modules = Vec::new();
    while let Some(header) = parser.next_header() {
        let items = std::iter::from_fn(|| parser.next_item()).collect();
        modules.push(Module { items, ..header });
    }
    parser.finish(file).map(|()| modules)
}

/// How an operation name of the text is to be read, worked out once per distinct name.
#[derive(Clone)]
pub(super) struct OpName {
    pub name: SmolStr,
    pub variant: Option<(&'static str, SmolStr)>,
    pub inline: Option<&'static str>,
}

pub(super) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    pub table: &'a dyn SyntaxTable,
    pub errors: Vec<RawError>,
    /// Set when the error limit is reached: everything unwinds.
    pub full: bool,
    /// Until the first document.
    first: bool,
    /// The name of the document's module, what its items define, and where.
    module: SmolStr,
    symbols: FxHashMap<SmolStr, usize>,
    /// The dialects of the document's header.
    pub declared: Vec<SmolStr>,
    pub op_names: FxHashMap<&'a str, OpName>,
    /// Types with arguments by their text, so that equal types share one allocation.
    types: FxHashMap<&'a str, Type>,
    last_file: Option<(&'a str, SmolStr)>,
}

/// The words that begin an item, or the next document.
pub(super) const ITEM_WORDS: [&str; 6] = ["func", "private", "extern", "global", "mutable", "ppyir"];

#[derive(Clone, Copy, PartialEq)]
enum Linkage {
    Public,
    Private,
    Extern,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, table: &'a dyn SyntaxTable) -> Self {
        let mut parser = Parser {
            cursor: Cursor::new(text),
            table,
            errors: Vec::new(),
            full: false,
            first: true,
            module: SmolStr::default(),
            symbols: FxHashMap::default(),
            declared: Vec::new(),
            op_names: FxHashMap::default(),
            types: FxHashMap::default(),
            last_file: None,
        };
        // Places are 32-bit numbers.
        if u32::try_from(text.len()).is_err() {
            parser.cursor.text = "";
            parser.first = false;
            parser.errors.push(*RawError::new(ErrorKind::Limit, 0, 1, "the file is larger than 4 GiB".into()));
        }
        parser
    }

    /// Keeps an error; past the limit the reader stops.
    #[cold]
    #[expect(clippy::boxed_local, reason = "errors travel boxed")]
    pub fn report(&mut self, error: Box<RawError>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(*error);
        } else {
            self.full = true;
        }
    }

    /// The header of the next document; `None` behind the last one. The items come by [`Parser::next_item`].
    pub(super) fn next_header(&mut self) -> Option<Module> {
        self.cursor.skip_space();
        while !self.full {
            let first = std::mem::replace(&mut self.first, false);
            if self.cursor.at_end() {
                if first {
                    self.report(self.no_header("the file is empty"));
                }
                return None;
            }
            match self.header() {
                Ok(module) => return Some(module),
                Err(error) => {
                    self.report(error);
                    self.next_document();
                }
            }
            self.cursor.skip_space();
        }
        None
    }

    /// The next item of the document whose header was read last.
    pub(super) fn next_item(&mut self) -> Option<Item> {
        while !self.full {
            self.cursor.skip_space();
            if self.cursor.at_end() || self.cursor.clone().take_word("ppyir") {
                break;
            }
            let start = self.cursor.pos;
            match self.item() {
                Ok((item, at)) => {
                    let symbol = match &item {
                        Item::Global(global) => &global.symbol,
                        Item::Function(function) => &function.symbol,
                    };
                    let Some(&first) = self.symbols.get(symbol) else {
                        self.symbols.insert(symbol.clone(), at);
                        return Some(item);
                    };
                    let message = format!("@{symbol} is defined twice in module @{}", self.module);
                    let error = RawError::new(ErrorKind::Redefined, at, symbol.len() + 1, message);
                    self.report(error.with_first(first));
                }
                Err(error) => {
                    self.report(error);
                    self.next_item_line(start);
                }
            }
        }
        None
    }

    /// Whether anything was wrong so far.
    pub(super) fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    /// All that was wrong in the text.
    pub(super) fn finish(self, file: &str) -> Result<(), Errors> {
        if self.errors.is_empty() { Ok(()) } else { Err(resolve(self.cursor.text, file, self.errors, self.full)) }
    }

    /// Goes to the next line that begins a document, after a header that failed: reading on without knowing the
    /// dialects would make an error of every operation.
    fn next_document(&mut self) {
        let rest = self.cursor.rest().as_bytes();
        let next = memchr::memmem::find(rest, b"\nppyir ").map_or(rest.len(), |at| at + 1);
        self.cursor.pos += next;
    }

    #[cold]
    fn no_header(&self, what: &str) -> Box<RawError> {
        let help = if self.cursor.rest().starts_with('\u{feff}') {
            "save it as UTF-8 without one".to_owned()
        } else {
            format!("a .ppyir document begins with the line `ppyir {SCHEMA}`")
        };
        RawError::new(ErrorKind::Schema, self.cursor.pos, 1, format!("not a .ppyir file: {what}")).with_help(help)
    }

    /// The lines before the items.
    fn header(&mut self) -> Read<Module> {
        self.schema()?;
        let mut module = Module::default();
        if !self.cursor.take_word("module") {
            return Err(self.cursor.expected("`module @name` after the schema line"));
        }
        self.cursor.skip_blank();
        let name = self.cursor.symbol().map_err(|error| error.with_help("a module has a name: module @name"))?;
        module.name = name.into();
        self.module = module.name.clone();
        self.end_line("the module's name")?;
        self.declared.clear();
        self.op_names.clear();
        self.symbols.clear();
        let before = self.errors.len();
        while self.cursor.take_word("dialect") {
            if let Err(error) = self.dialect(&mut module) {
                self.report(error);
                self.cursor.pos = self.cursor.line_end();
                self.cursor.skip_space();
            }
        }
        if self.cursor.take_word("attrs") {
            self.cursor.skip_space();
            module.attrs = Some(read_dict(&mut self.cursor, 0)?);
            self.end_line("the module's attributes")?;
        }
        if !self.cursor.at_end() && !ITEM_WORDS.contains(&self.cursor.clone().dotted()) {
            return Err(self.no_item());
        }
        if self.errors.len() > before {
            self.next_document();
        }
        Ok(module)
    }

    /// The line `ppyir N`.
    fn schema(&mut self) -> Read<()> {
        if !self.cursor.take_word("ppyir") {
            return Err(self.no_header(match self.cursor.rest().starts_with('\u{feff}') {
                true => "it begins with a byte-order mark",
                false => "it does not begin with `ppyir`",
            }));
        }
        self.cursor.skip_blank();
        let start = self.cursor.pos;
        let schema: u32 = self.cursor.unsigned("the schema number after `ppyir`").map_err(|error| {
            let message = error.message.clone();
            RawError::new(ErrorKind::Schema, error.at, error.len, format!("not a .ppyir file: {message}"))
        })?;
        if schema != SCHEMA {
            let message = format!("the document is .ppyir schema {schema}; this reader has schema {SCHEMA}");
            let error = RawError::new(ErrorKind::Schema, start, self.cursor.pos - start, message);
            return Err(error.with_help("emit the file again with the compiler that belongs to this reader"));
        }
        self.end_line("the schema number")
    }

    /// Goes past the end of a line that has nothing more.
    fn end_line(&mut self, after: &str) -> Read<()> {
        if !self.cursor.at_line_end() {
            return Err(self.cursor.expected(&format!("the end of the line after {after}")));
        }
        self.cursor.skip_space();
        Ok(())
    }

    /// `name version`, after the word `dialect`.
    fn dialect(&mut self, module: &mut Module) -> Read<()> {
        self.cursor.skip_blank();
        let start = self.cursor.pos;
        let name = self.cursor.expect_word("a dialect's name")?;
        self.cursor.skip_blank();
        let version: u32 = self.cursor.unsigned(&format!("the version of dialect `{name}`"))?;
        let error = |message: String| RawError::new(ErrorKind::Dialect, start, self.cursor.pos - start, message);
        let Some(known) = self.table.dialect_version(name) else {
            let error = error(format!("the module uses dialect `{name}` version {version}, which is not here"));
            let dialects = self.table.dialects();
            return Err(match suggest::closest(name, dialects.iter().copied()) {
                Some(close) => error.with_help(format!("did you mean `{close}`?")),
                None if dialects.is_empty() => error,
                None => error.with_help(format!("the dialects here are {}", dialects.join(", "))),
            });
        };
        if version == 0 {
            return Err(error(format!("dialect `{name}` has version 0; versions start at 1")));
        }
        if version > known {
            let message = format!("the module uses dialect `{name}` version {version}; version {known} is here");
            return Err(error(message).with_help("update this compiler, or emit the module with one of its age"));
        }
        if self.declared.iter().any(|declared| declared == name) {
            return Err(error(format!("dialect `{name}` is listed twice")).with_help("remove one of the two lines"));
        }
        self.declared.push(name.into());
        module.dialects.push((name.into(), version));
        self.end_line("the dialect's version")
    }

    /// After a failed item: goes to the next line that begins one.
    fn next_item_line(&mut self, start: usize) {
        self.cursor.pos = self.cursor.pos.max(start);
        while !self.cursor.at_end() {
            self.cursor.pos = (self.cursor.line_end() + 1).min(self.cursor.text.len());
            let ahead = self.cursor.clone().word();
            if ITEM_WORDS.contains(&ahead) {
                return;
            }
        }
    }

    /// A global or a function, with the offset of its symbol.
    fn item(&mut self) -> Read<(Item, usize)> {
        let start = self.cursor.pos;
        let mut ahead = self.cursor;
        let linkage = match ahead.word() {
            "private" => Linkage::Private,
            "extern" => Linkage::Extern,
            _ => Linkage::Public,
        };
        if linkage != Linkage::Public {
            self.cursor = ahead;
            self.cursor.skip_space();
        }
        let at = self.cursor.pos;
        match self.cursor.word() {
            "func" => self.function(linkage, start),
            _ if linkage == Linkage::Extern => {
                self.cursor.pos = at;
                let help = "`extern` begins a function declaration: extern func @name(i64) -> i64";
                Err(self.cursor.expected("`func` after `extern`").with_help(help))
            }
            "mutable" => {
                self.cursor.skip_blank();
                if !self.cursor.take_word("global") {
                    return Err(self.cursor.expected("`global` after `mutable`"));
                }
                self.global(linkage, true, start)
            }
            "global" => self.global(linkage, false, start),
            _ => {
                self.cursor.pos = at;
                Err(self.no_item())
            }
        }
    }

    #[cold]
    fn no_item(&self) -> Box<RawError> {
        let error = self.cursor.expected("`func` or `global`");
        match self.cursor.clone().dotted() {
            word @ ("dialect" | "attrs" | "module") => {
                error.with_help(format!("`{word}` belongs to the header, in the order module, dialect, attrs"))
            }
            word => match suggest::closest(word, ITEM_WORDS.into_iter().chain(["module", "dialect", "attrs"])) {
                Some(close) => error.with_help(format!("did you mean `{close}`?")),
                None => error,
            },
        }
    }

    /// `@name : type = value`
    fn global(&mut self, linkage: Linkage, mutable: bool, start: usize) -> Read<(Item, usize)> {
        self.cursor.skip_blank();
        let at = self.cursor.pos;
        let symbol = SmolStr::new(self.cursor.symbol()?);
        self.cursor.skip_blank();
        self.cursor.expect(b':', "`:` and the global's type")?;
        self.cursor.skip_blank();
        let ty = self.ty()?;
        let mut value: Option<Attr> = None;
        self.cursor.skip_blank();
        if self.cursor.take(b'=') {
            self.cursor.skip_blank();
            value = Some(read_attr(&mut self.cursor, 0)?);
        }
        if !self.cursor.at_line_end() {
            return Err(self.cursor.expected("`=` and a value, or the end of the line"));
        }
        let private = linkage == Linkage::Private;
        let span = span(start);
        Ok((Item::Global(Global { symbol, private, mutable, ty, value, loc: None, span }), at))
    }

    /// `@name(params) -> results attrs {...} loc(...) { body }`
    fn function(&mut self, linkage: Linkage, start: usize) -> Read<(Item, usize)> {
        self.cursor.skip_blank();
        let at = self.cursor.pos;
        let symbol = SmolStr::new(self.cursor.symbol()?);
        let names = self.params()?;
        self.cursor.skip_blank();
        if !(self.cursor.take(b'-') && self.cursor.take(b'>')) {
            return Err(self.cursor.expected("`->` and the result types").with_help("no results are written `-> ()`"));
        }
        let results = self.results()?;
        self.cursor.skip_blank();
        let mut attrs = None;
        if self.cursor.take_word("attrs") {
            self.cursor.skip_blank();
            attrs = Some(read_dict(&mut self.cursor, 0)?);
            self.cursor.skip_blank();
        }
        let loc = self.loc()?;
        let private = linkage == Linkage::Private;
        let mut function = Function {
            symbol,
            private,
            body: None,
            params: Vec::new(),
            results,
            attrs,
            loc,
            values: Vec::new(),
            span: span(start),
        };
        let mut ahead = self.cursor;
        ahead.skip_space();
        if ahead.peek() == b'{' {
            if linkage == Linkage::Extern {
                let message = format!("extern function @{} has a body", function.symbol);
                let error = RawError::new(ErrorKind::Syntax, ahead.pos, 1, message);
                return Err(error.with_help("remove `extern`, or the body"));
            }
            self.cursor = ahead;
            body::read_body(self, &mut function, names)?;
        } else {
            if linkage == Linkage::Public && names.iter().any(|param| param.name.is_some()) {
                let message = format!("function @{} has no body", function.symbol);
                let error = RawError::new(ErrorKind::Syntax, at, function.symbol.len() + 1, message);
                return Err(error.with_help(match ahead.peek() {
                    b',' => "several results are written `-> (i64, f64)`",
                    _ => "a declaration is written `extern func`",
                }));
            }
            function.params = names.into_iter().map(|p| Param { value: None, ty: p.ty, attrs: p.attrs }).collect();
        }
        Ok((Item::Function(function), at))
    }

    /// `(%name: type {attrs}, ...)`; a declaration leaves the names out.
    fn params(&mut self) -> Read<Vec<NamedParam<'a>>> {
        self.cursor.skip_blank();
        self.cursor.expect(b'(', "`(` and the parameters")?;
        let mut params = Vec::new();
        loop {
            self.cursor.skip_space();
            if self.cursor.take(b')') {
                return Ok(params);
            }
            let at = self.cursor.pos;
            let mut name = None;
            if self.cursor.take(b'%') {
                name = Some(self.cursor.expect_word("the parameter's name after `%`")?);
                self.cursor.skip_blank();
                self.cursor.expect(b':', "`:` and the parameter's type")?;
                self.cursor.skip_blank();
            }
            let ty = self.ty()?;
            self.cursor.skip_blank();
            let mut attrs = Attrs::default();
            if self.cursor.peek() == b'{' {
                attrs = read_dict(&mut self.cursor, 0)?;
            }
            params.push(NamedParam { name, at, ty, attrs });
            if self.cursor.take_past(b')') {
                return Ok(params);
            }
            self.cursor.expect_past(b',', "`,` or `)`")?;
        }
    }

    /// One type, or any number in parentheses; `void` is none.
    fn results(&mut self) -> Read<Vec<Type>> {
        self.cursor.skip_blank();
        if !self.cursor.take(b'(') {
            let ty = self.ty()?;
            return Ok(if ty == Type::Void { Vec::new() } else { vec![ty] });
        }
        let mut results = Vec::new();
        loop {
            self.cursor.skip_space();
            if self.cursor.take(b')') {
                return Ok(results);
            }
            results.push(self.ty()?);
            if self.cursor.take_past(b')') {
                return Ok(results);
            }
            self.cursor.expect_past(b',', "`,` or `)`")?;
        }
    }

    /// A type, from the cache when its text was read before.
    #[inline]
    pub fn ty(&mut self) -> Read<Type> {
        let start = self.cursor.pos;
        let end = compound_end(&self.cursor);
        if let Some(end) = end
            && let Some(ty) = self.types.get(&self.cursor.text[start..end])
        {
            self.cursor.pos = end;
            return Ok(ty.clone());
        }
        let ty = read_type(&mut self.cursor, 0)?;
        if end.is_some() {
            self.check_dialects(&ty, start)?;
            self.types.insert(&self.cursor.text[start..self.cursor.pos], ty.clone());
        }
        Ok(ty)
    }

    /// Every dialect that a type names has to be one that is here.
    fn check_dialects(&self, ty: &Type, at: usize) -> Read<()> {
        let mut missing = None;
        super::ast::walk_type(ty, &mut |ty| {
            if let Type::Dialect(ty) = ty
                && self.table.dialect_version(&ty.dialect).is_none()
            {
                missing.get_or_insert_with(|| ty.clone());
            }
        });
        match missing {
            None => Ok(()),
            Some(ty) => {
                let message = format!("type `{}.{}`: there is no dialect `{}` here", ty.dialect, ty.name, ty.dialect);
                Err(RawError::new(ErrorKind::Dialect, at, self.cursor.pos - at, message))
            }
        }
    }

    /// `loc("file":line:column)` when it is next.
    #[inline]
    pub fn loc(&mut self) -> Read<Option<Loc>> {
        if self.cursor.peek() != b'l' || !self.cursor.take_word("loc") {
            return Ok(None);
        }
        self.cursor.skip_blank();
        self.cursor.expect(b'(', "`(` after `loc`")?;
        self.cursor.skip_blank();
        let start = self.cursor.pos;
        // Nearly every location names the file of the one before.
        let file = match &self.last_file {
            Some((text, file)) if self.cursor.rest().starts_with(text) => {
                self.cursor.pos += text.len();
                file.clone()
            }
            _ => {
                let file = self.cursor.string()?;
                self.last_file = Some((&self.cursor.text[start..self.cursor.pos], file.clone()));
                file
            }
        };
        self.cursor.skip_blank();
        self.cursor.expect(b':', "`:` and the line")?;
        self.cursor.skip_blank();
        let line = self.cursor.unsigned("the line of the location")?;
        self.cursor.skip_blank();
        let column = self.cursor.expect(b':', "`:` and the column");
        column.map_err(|error| error.with_help("a location is loc(\"file\":line:column)"))?;
        self.cursor.skip_blank();
        let column = self.cursor.unsigned("the column of the location")?;
        self.cursor.skip_blank();
        self.cursor.expect(b')', "`)` to end the location")?;
        Ok(Some(Loc { file, line, column }))
    }
}

/// A parameter before its value has an id.
pub(super) struct NamedParam<'a> {
    pub name: Option<&'a str>,
    pub at: usize,
    pub ty: Type,
    pub attrs: Attrs,
}

pub(super) fn span(at: usize) -> Span {
    u32::try_from(at).map_or(Span::NONE, Span)
}

/// The end of a type with arguments, by its brackets alone; `None` for one without, or when the line ends first.
#[inline]
fn compound_end(cursor: &Cursor<'_>) -> Option<usize> {
    let bytes = cursor.text.as_bytes();
    let mut at = cursor.pos;
    let mut open = 0usize;
    loop {
        match bytes.get(at)? {
            b'<' => open += 1,
            b'>' if open == 0 => return None,
            b'>' => {
                open -= 1;
                if open == 0 {
                    return Some(at + 1);
                }
            }
            b'\n' | b'"' => return None,
            b'_' | b'.' | 0x80.. => {}
            byte if open == 0 && !byte.is_ascii_alphanumeric() => return None,
            _ => {}
        }
        at += 1;
    }
}
