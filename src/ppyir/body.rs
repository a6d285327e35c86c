//! Reading function bodies: blocks, operations, values, nested regions.
//!
//! Values and labels may be used before they are defined. A name gets its slot when it is first met; a function that
//! used one early is renumbered at its end, so that ids follow the definitions of the text.

use super::ast::{
    Attr, Attrs, Block, BlockId, Function, Loc, Operation, Param, Region, Span, Successor, Type, ValueDef, ValueId,
};
use super::attrs::{begins_attr, read_attr, read_dict};
use super::error::{ErrorKind, RawError};
use super::lexer::{Cursor, Read, is_word_char};
use super::parse::{ITEM_WORDS, NamedParam, OpName, Parser, span};
use super::suggest;
use super::types::{MAX_DEPTH, too_deep};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::SmolStr;
use std::collections::hash_map::Entry;

/// What an operation is made of.
const ORDER: &str = "the order is: %results = name operands, ^successors {attributes} : types loc(...) { regions }";

/// Reads `{ ... }` into `function`, the cursor on the brace.
pub(super) fn read_body<'a>(parser: &mut Parser<'a>, function: &mut Function, params: Vec<NamedParam<'a>>) -> Read<()> {
    let start = parser.cursor.pos;
    let mut body = Body {
        parser,
        symbol: function.symbol.clone(),
        values: Values::default(),
        pending: SmallVec::new(),
        failed: Vec::new(),
        ended: false,
    };
    let mut arguments = Vec::with_capacity(params.len());
    for param in params {
        let Some(name) = param.name else {
            let message = format!("a parameter of @{} has no name, but the function has a body", function.symbol);
            let error = RawError::new(ErrorKind::Syntax, param.at, 1, message);
            return Err(error.with_help(format!("write `%name: {}`", param.ty)));
        };
        let value = body.define(name, param.at, param.ty.clone());
        arguments.push(value);
        function.params.push(Param { value: Some(value), ty: param.ty, attrs: param.attrs });
    }
    body.cursor().lists_cross_lines = false;
    let mut region = body.region(Some(arguments), 0);
    body.cursor().lists_cross_lines = true;
    if region.blocks.is_empty() && !body.ended {
        let message = format!("function @{} has a body without a block", function.symbol);
        let error = RawError::new(ErrorKind::Syntax, start, 1, message);
        let help = "begin the body with `^entry:`, or declare the function with `extern func` and no body";
        body.parser.report(error.with_help(help));
    }
    let Body { parser, values, failed, ended, .. } = body;
    values.finish(parser, &failed, function, &mut region);
    function.body = Some(region);
    if !ended && !parser.cursor.at_line_end() && !parser.full {
        return Err(parser.cursor.expected("the end of the line after the function"));
    }
    Ok(())
}

struct Body<'p, 'a> {
    parser: &'p mut Parser<'a>,
    symbol: SmolStr,
    values: Values<'a>,
    /// Result names of the operation being read, not yet defined.
    pending: SmallVec<[(&'a str, usize); 2]>,
    /// Where what failed to read begins.
    failed: Vec<usize>,
    /// The text ended inside the body; said once.
    ended: bool,
}

/// The labels of one region.
#[derive(Default)]
struct Labels<'a> {
    by_name: FxHashMap<&'a str, u32>,
    slots: Vec<Label<'a>>,
}

struct Label<'a> {
    name: &'a str,
    /// Where it was first met.
    at: usize,
    /// Its block and the place of its definition.
    block: Option<(u32, usize)>,
}

impl<'a> Labels<'a> {
    fn slot(&mut self, name: &'a str, at: usize) -> u32 {
        let slots = &mut self.slots;
        *self.by_name.entry(name).or_insert_with(|| {
            slots.push(Label { name, at, block: None });
            slots.len() as u32 - 1
        })
    }
}

impl<'a> Body<'_, 'a> {
    #[inline]
    fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.parser.cursor
    }

    /// Reads blocks up to `}`. `arguments` are the entry block's when its label does not name them.
    fn region(&mut self, mut arguments: Option<Vec<ValueId>>, depth: usize) -> Region {
        let opened = self.cursor().pos;
        self.cursor().pos += 1;
        let mut region = Region::default();
        let mut labels = Labels::default();
        let mut branches: Vec<(u32, u32)> = Vec::new();
        // The operations of the current block, moved into it when it ends.
        let mut ops: Vec<Operation> = Vec::new();
        let mut locations = Locations::default();
        while !self.parser.full {
            self.cursor().skip_space();
            if self.ended || self.cursor().at_end() || self.at_item() {
                self.unclosed(opened);
                break;
            }
            let start = self.cursor().pos;
            let current = (region.blocks.len() as u32).saturating_sub(1);
            let read = match self.cursor().peek() {
                b'}' => {
                    self.cursor().pos += 1;
                    break;
                }
                b'^' => {
                    locations = Locations::default();
                    close(&mut region, &mut ops);
                    self.label(&mut region, &mut labels, &mut arguments)
                }
                _ => self.operation(&mut labels, depth).map(|(mut op, explicit)| {
                    if region.blocks.is_empty() {
                        self.parser.report(homeless(&op));
                        region.blocks.push(unnamed(&mut arguments));
                    }
                    locations.place(&mut op, explicit, &mut ops);
                    if !op.successors.is_empty() {
                        branches.push((current, ops.len() as u32));
                    }
                    ops.push(op);
                }),
            };
            if let Err(error) = read {
                self.parser.report(error);
                self.failed.push(start);
                self.define_pending();
                self.recover(start);
                // Whatever was meant to begin the first block is reported; what follows need not be.
                if region.blocks.is_empty() {
                    region.blocks.push(unnamed(&mut arguments));
                }
            }
        }
        close(&mut region, &mut ops);
        self.resolve_branches(&mut region, &labels, &branches);
        region
    }

    /// Whether the next item or document begins here, as no operation does.
    #[inline]
    fn at_item(&mut self) -> bool {
        matches!(self.cursor().peek(), b'e' | b'f' | b'g' | b'm' | b'p')
            && ITEM_WORDS.contains(&self.cursor().clone().dotted())
    }

    #[cold]
    fn unclosed(&mut self, opened: usize) {
        if !std::mem::replace(&mut self.ended, true) {
            let at = self.cursor().pos;
            let what = if self.cursor().at_end() { "the text ends" } else { "an item begins" };
            let message = format!("{what} inside function @{}: a `}}` is missing", self.symbol);
            self.parser.report(RawError::new(ErrorKind::Syntax, at, 1, message).with_opened(opened));
        }
    }

    /// After an error in what began at `start`: goes to the end of the line, past the nested region that it may open.
    fn recover(&mut self, start: usize) {
        let cursor = self.cursor();
        let indented = cursor.text[..start].ends_with([' ', '\t']);
        let mut open = 0usize;
        loop {
            let end = cursor.line_end();
            let line = cursor.text[cursor.pos..end].trim_ascii();
            if line.starts_with('}') && open > 0 {
                open -= 1;
            }
            open += usize::from(line.ends_with('{'));
            cursor.pos = end;
            // A brace at the margin ends the function, unless the text is not indented at all.
            if open == 0 || cursor.at_end() || (indented && cursor.text[end..].starts_with("\n}")) {
                return;
            }
            cursor.pos += 1;
        }
    }

    /// `^name(%a: type, ...):`
    fn label(
        &mut self,
        region: &mut Region,
        labels: &mut Labels<'a>,
        arguments: &mut Option<Vec<ValueId>>,
    ) -> Read<()> {
        let start = self.cursor().pos;
        self.cursor().pos += 1;
        let name = self.cursor().expect_dotted("the label's name after `^`")?;
        let slot = labels.slot(name, start);
        let index = region.blocks.len() as u32;
        let label = &mut labels.slots[slot as usize];
        match label.block {
            Some((_, first)) => {
                let message = format!("^{name} is defined twice in @{}", self.symbol);
                let error = RawError::new(ErrorKind::Redefined, start, name.len() + 1, message);
                self.parser.report(error.with_first(first));
            }
            None => label.block = Some((index, start)),
        }
        let args = if region.blocks.is_empty() { arguments.take() } else { None };
        region.blocks.push(Block { name: name.into(), args: Vec::new(), ops: Vec::new(), span: span(start) });
        self.cursor().skip_blank();
        let at = self.cursor().pos;
        let mut own = Vec::new();
        if self.cursor().take(b'(') {
            if args.is_some() {
                let message = format!("^{name}: the entry block's arguments are the function's parameters");
                let error = RawError::new(ErrorKind::Syntax, at, 1, message);
                return Err(error.with_help(format!("write `^{name}:`")));
            }
            self.block_args(&mut own)?;
            self.cursor().skip_blank();
        }
        if let Some(block) = region.blocks.last_mut() {
            block.args = args.unwrap_or(own);
        }
        self.cursor().expect(b':', "`:` after the block's label")
    }

    fn block_args(&mut self, args: &mut Vec<ValueId>) -> Read<()> {
        loop {
            self.cursor().skip_blank();
            if self.cursor().take(b')') {
                return Ok(());
            }
            let at = self.cursor().pos;
            self.cursor().expect(b'%', "a block argument (`%name: type`)")?;
            let name = self.cursor().expect_word("the argument's name after `%`")?;
            self.cursor().skip_blank();
            self.cursor().expect(b':', "`:` and the argument's type")?;
            self.cursor().skip_blank();
            let ty = self.parser.ty()?;
            args.push(self.define(name, at, ty));
            if self.cursor().take_past(b')') {
                return Ok(());
            }
            self.cursor().expect_past(b',', "`,` or `)`")?;
        }
    }

    /// One operation up to the end of its line, and whether its location is written out.
    fn operation(&mut self, labels: &mut Labels<'a>, depth: usize) -> Read<(Operation, bool)> {
        self.pending.clear();
        let start = self.cursor().pos;
        if self.cursor().peek() == b'%' {
            self.result_names()?;
        }
        let name_at = self.cursor().pos;
        let raw = self.cursor().expect_dotted("an operation (`dialect.name`)")?;
        if matches!(self.cursor().peek(), b':' | b'(') && self.pending.is_empty() {
            let error = self.cursor().expected("a blank or the end of the line after the operation's name");
            return Err(error.with_help(format!("a block's label is written `^{raw}:`")));
        }
        let (name, variant, inline) = {
            let OpName { name, variant, inline } = self.op_name(raw, name_at)?;
            (name.clone(), variant.clone(), *inline)
        };
        let mut op = Operation {
            name,
            operands: SmallVec::new(),
            results: SmallVec::new(),
            attrs: Attrs::default(),
            successors: Vec::new(),
            regions: Vec::new(),
            loc: None,
            span: span(start),
        };
        self.cursor().skip_blank();
        let mut inline_value = None;
        if let Some(key) = inline
            && self.cursor().peek() != b'{'
            && begins_attr(self.cursor())
        {
            inline_value = Some((key, read_attr(self.cursor(), 0)?));
            self.cursor().skip_blank();
        }
        self.operands(&mut op, labels)?;
        if self.cursor().peek() == b'{' && !self.at_region() {
            let at = self.cursor().pos;
            op.attrs = read_dict(self.cursor(), 0)?;
            self.cursor().skip_blank();
            for key in [variant.as_ref().map(|(key, _)| *key), inline_value.as_ref().map(|(key, _)| *key)] {
                if let Some(key) = key.filter(|key| op.attrs.get(key).is_some()) {
                    let message = format!("{}: `{key}` is given both after the name and in the braces", op.name);
                    return Err(RawError::new(ErrorKind::Redefined, at, 1, message));
                }
            }
        }
        if let Some((key, value)) = variant {
            op.attrs.insert(SmolStr::new_static(key), Attr::Str(value));
        }
        if let Some((key, value)) = inline_value {
            op.attrs.insert(SmolStr::new_static(key), value);
        }
        self.result_types(&mut op, name_at)?;
        let loc = self.parser.loc()?;
        let explicit = loc.is_some();
        op.loc = loc;
        self.cursor().skip_blank();
        while self.cursor().peek() == b'{' {
            let at = self.cursor().pos;
            if !self.at_region() {
                let error = self.cursor().expected("a region or the end of the line");
                return Err(error.with_help("attributes stand after the operands, before `:` and the types"));
            }
            if depth >= MAX_DEPTH {
                return Err(too_deep(at, "regions"));
            }
            let region = self.region(None, depth + 1);
            op.regions.push(region);
            self.cursor().skip_blank();
        }
        if !self.cursor().at_line_end() && self.cursor().peek() != b'}' {
            return Err(self.cursor().expected("the end of the line after the operation").with_help(ORDER));
        }
        Ok((op, explicit))
    }

    /// Whether the `{` at the cursor opens a region: the line ends after it, or a label follows.
    fn at_region(&mut self) -> bool {
        let mut ahead = *self.cursor();
        ahead.pos += 1;
        ahead.at_line_end() || ahead.peek() == b'^'
    }

    /// `%a, %b =`
    fn result_names(&mut self) -> Read<()> {
        loop {
            let at = self.cursor().pos;
            self.cursor().expect(b'%', "a result's name (`%name`)")?;
            let name = self.cursor().expect_word("the result's name after `%`")?;
            self.pending.push((name, at));
            self.cursor().skip_blank();
            if !self.cursor().take(b',') {
                break;
            }
            self.cursor().skip_blank();
        }
        self.cursor().expect(b'=', "`=` after the results")?;
        self.cursor().skip_blank();
        Ok(())
    }

    /// `%a, %b, ^block(%c), ^block`
    #[inline]
    fn operands(&mut self, op: &mut Operation, labels: &mut Labels<'a>) -> Read<()> {
        loop {
            match self.cursor().peek() {
                b'%' if op.successors.is_empty() => {
                    let value = self.operand()?;
                    op.operands.push(value);
                }
                b'^' => {
                    let successor = self.successor(labels)?;
                    op.successors.push(successor);
                }
                b'%' => return Err(self.cursor().expected("`^`: operands stand before the successors")),
                _ if op.operands.is_empty() && op.successors.is_empty() => return Ok(()),
                _ => return Err(self.cursor().expected("an operand or a successor after `,`")),
            }
            self.cursor().skip_blank();
            if !self.cursor().take(b',') {
                return Ok(());
            }
            self.cursor().skip_blank();
        }
    }

    #[inline]
    fn operand(&mut self) -> Read<ValueId> {
        let at = self.cursor().pos;
        self.cursor().expect(b'%', "a value (`%name`)")?;
        let name = self.cursor().expect_word("the value's name after `%`")?;
        Ok(self.values.operand(name, at))
    }

    fn successor(&mut self, labels: &mut Labels<'a>) -> Read<Successor> {
        let at = self.cursor().pos;
        self.cursor().pos += 1;
        let name = self.cursor().expect_dotted("the label's name after `^`")?;
        let block = BlockId(labels.slot(name, at));
        let mut args = SmallVec::new();
        self.cursor().skip_blank();
        if self.cursor().take(b'(') {
            loop {
                self.cursor().skip_blank();
                if args.is_empty() && self.cursor().take(b')') {
                    break;
                }
                args.push(self.operand()?);
                if self.cursor().take_past(b')') {
                    break;
                }
                self.cursor().expect_past(b',', "`,` or `)`")?;
            }
        }
        Ok(Successor { block, args })
    }

    /// `: type, type`, as many as there are result names.
    #[inline]
    fn result_types(&mut self, op: &mut Operation, name_at: usize) -> Read<()> {
        let mut types: SmallVec<[Type; 2]> = SmallVec::new();
        if self.cursor().take(b':') {
            loop {
                self.cursor().skip_blank();
                types.push(self.parser.ty()?);
                self.cursor().skip_blank();
                if !self.cursor().take(b',') {
                    break;
                }
            }
        }
        if types.len() != self.pending.len() {
            let stray = types.is_empty() && !self.cursor().at_line_end();
            if stray && !matches!(self.cursor().peek(), b'{' | b'}') && !self.cursor().rest().starts_with("loc(") {
                let mut error = self.cursor().expected("operands, `{attributes}` or `: types`");
                error.message = format!("{}: {}", op.name, error.message);
                return Err(error.with_help(ORDER));
            }
            let (names, count) = (self.pending.len(), types.len());
            let message = format!("{} names {names} result(s) but gives {count} type(s)", op.name);
            let error = RawError::new(ErrorKind::Syntax, name_at, op.name.len(), message);
            return Err(error.with_help("each result has one type: `%a, %b = dialect.name ... : type, type`"));
        }
        let names = std::mem::take(&mut self.pending);
        for ((name, at), ty) in names.iter().zip(types) {
            let value = self.define(name, *at, ty);
            op.results.push(value);
        }
        Ok(())
    }

    /// Defines the results of an operation that failed, so that their uses are not errors too.
    #[cold]
    fn define_pending(&mut self) {
        for (name, at) in std::mem::take(&mut self.pending) {
            self.define(name, at, Type::Void);
        }
    }

    #[inline]
    fn define(&mut self, name: &'a str, at: usize, ty: Type) -> ValueId {
        match self.values.define(name, at, ty) {
            Ok(value) => value,
            Err((value, first)) => {
                let message = format!("%{name} is defined twice in @{}", self.symbol);
                let error = RawError::new(ErrorKind::Redefined, at, name.len() + 1, message);
                self.parser.report(error.with_first(first));
                value
            }
        }
    }

    /// How to read an operation's name, with a variant split off.
    #[inline]
    fn op_name(&mut self, raw: &'a str, at: usize) -> Read<&OpName> {
        match self.parser.op_names.entry(raw) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let name = resolve_name(raw, at, self.parser.table, &self.parser.declared)?;
                Ok(entry.insert(name))
            }
        }
    }

    /// Replaces label slots by block indices in the branches of a region.
    fn resolve_branches(&mut self, region: &mut Region, labels: &Labels<'a>, branches: &[(u32, u32)]) {
        for label in labels.slots.iter().filter(|label| label.block.is_none()) {
            if self.parser.full {
                break;
            }
            let message = format!("^{} is not a block of this region of @{}", label.name, self.symbol);
            let error = RawError::new(ErrorKind::Undefined, label.at, label.name.len() + 1, message);
            let known = labels.slots.iter().filter(|known| known.block.is_some()).map(|known| known.name);
            self.parser.report(match suggest::closest(label.name, known.take(1000)) {
                Some(name) => error.with_help(format!("did you mean `^{name}`?")),
                None => error,
            });
        }
        for &(block, op) in branches {
            let op = region.blocks.get_mut(block as usize).and_then(|block| block.ops.get_mut(op as usize));
            for successor in op.into_iter().flat_map(|op| op.successors.iter_mut()) {
                let label = labels.slots.get(successor.block.0 as usize).and_then(|label| label.block);
                successor.block = BlockId(label.map_or(0, |(block, _)| block));
            }
        }
    }
}

#[cold]
fn homeless(op: &Operation) -> Box<RawError> {
    let message = format!("{} stands before the first block of its region", op.name);
    let error = RawError::new(ErrorKind::Syntax, op.span.0 as usize, op.name.len(), message);
    error.with_help("begin the region with a label: `^entry:`")
}

/// Stands in for the block whose label failed.
#[cold]
fn unnamed(arguments: &mut Option<Vec<ValueId>>) -> Block {
    let args = arguments.take().unwrap_or_default();
    Block { name: SmolStr::default(), args, ops: Vec::new(), span: Span::NONE }
}

/// Moves the operations read so far into the last block, in a vector of just their size.
fn close(region: &mut Region, ops: &mut Vec<Operation>) {
    if let Some(block) = region.blocks.last_mut() {
        block.ops.reserve_exact(ops.len());
        block.ops.append(ops);
    }
}

#[cold]
fn resolve_name(raw: &str, at: usize, table: &dyn super::syntax::SyntaxTable, declared: &[SmolStr]) -> Read<OpName> {
    let error = |kind, message| RawError::new(kind, at, raw.len(), message);
    let Some((dialect, rest)) = raw.split_once('.').filter(|(dialect, rest)| !dialect.is_empty() && !rest.is_empty())
    else {
        return Err(error(ErrorKind::Syntax, format!("`{raw}` is not an operation: one is written `dialect.name`")));
    };
    if !declared.iter().any(|name| name == dialect) {
        return Err(match table.dialect_version(dialect) {
            Some(version) => error(ErrorKind::Dialect, format!("{raw}: the module does not list dialect `{dialect}`"))
                .with_help(format!("add the line `dialect {dialect} {version}` to the header")),
            None => error(ErrorKind::Dialect, format!("{raw}: there is no dialect `{dialect}` here")),
        });
    }
    if let Some(syntax) = table.op(raw) {
        return Ok(OpName { name: raw.into(), variant: None, inline: syntax.inline_attribute });
    }
    if let Some((base, variant)) = raw.rsplit_once('.')
        && let Some(syntax) = table.op(base)
        && let Some(key) = syntax.variant_attribute
    {
        if syntax.variants.contains(&variant) {
            return Ok(OpName {
                name: base.into(),
                variant: Some((key, variant.into())),
                inline: syntax.inline_attribute,
            });
        }
        let help = match suggest::closest(variant, syntax.variants.iter().copied()) {
            Some(close) => format!("did you mean `{base}.{close}`?"),
            None => format!("the variants are {}", syntax.variants.join(", ")),
        };
        let message = format!("{base} has no variant `{variant}`");
        return Err(error(ErrorKind::Unknown, message).with_help(help));
    }
    let unknown = error(ErrorKind::Unknown, format!("dialect `{dialect}` has no operation `{rest}`"));
    Err(match suggest::closest(raw, table.ops(dialect)) {
        Some(close) => unknown.with_help(format!("did you mean `{close}`?")),
        None => unknown,
    })
}

/// The running location of a block: an operation without a location has that of the one before it.
#[derive(Default)]
struct Locations {
    running: Option<Loc>,
    /// Whether the operation before inherited its location.
    inherited: bool,
}

impl Locations {
    /// Gives `op` its location. A location that repeats the running one says that the operation before had none, else
    /// it would not have been written.
    #[inline]
    fn place(&mut self, op: &mut Operation, explicit: bool, before: &mut [Operation]) {
        if !explicit {
            op.loc = self.running.clone();
        } else if op.loc != self.running {
            self.running = op.loc.clone();
        } else if self.inherited
            && let Some(last) = before.last_mut()
        {
            last.loc = None;
        }
        self.inherited = !explicit;
    }
}

/// The values of one function.
#[derive(Default)]
struct Values<'a> {
    by_name: FxHashMap<&'a str, u32>,
    defs: Vec<ValueDef>,
    /// Where each slot was defined, or first used.
    places: Vec<u32>,
    /// Slots in definition order.
    order: Vec<u32>,
    /// Slots used and not yet defined.
    open: FxHashSet<u32>,
    forward: bool,
}

impl<'a> Values<'a> {
    /// The id of a new definition, or of the earlier one and its place.
    #[inline]
    fn define(&mut self, name: &'a str, at: usize, ty: Type) -> Result<ValueId, (ValueId, usize)> {
        let place = at as u32;
        match self.by_name.entry(name) {
            Entry::Vacant(entry) => {
                let slot = self.defs.len() as u32;
                entry.insert(slot);
                self.defs.push(ValueDef { name: name.into(), ty });
                self.places.push(place);
                self.order.push(slot);
                Ok(ValueId(slot))
            }
            Entry::Occupied(entry) => {
                let slot = *entry.get();
                if !self.open.remove(&slot) {
                    return Err((ValueId(slot), self.places[slot as usize] as usize));
                }
                self.defs[slot as usize].ty = ty;
                self.places[slot as usize] = place;
                self.order.push(slot);
                Ok(ValueId(slot))
            }
        }
    }

    #[inline]
    fn operand(&mut self, name: &'a str, at: usize) -> ValueId {
        match self.by_name.entry(name) {
            Entry::Occupied(entry) => ValueId(*entry.get()),
            Entry::Vacant(entry) => {
                let slot = self.defs.len() as u32;
                entry.insert(slot);
                self.defs.push(ValueDef { name: name.into(), ty: Type::Void });
                self.places.push(at as u32);
                self.open.insert(slot);
                self.forward = true;
                ValueId(slot)
            }
        }
    }

    /// Reports what stayed undefined, brings ids into definition order, and hands the values to the function.
    fn finish(self, parser: &mut Parser<'a>, failed: &[usize], function: &mut Function, region: &mut Region) {
        let mut undefined: Vec<u32> = self.open.into_iter().collect();
        undefined.sort_unstable();
        for slot in &undefined {
            if parser.full {
                break;
            }
            let name = &self.defs[*slot as usize].name;
            if failed.iter().any(|start| names_value(parser.cursor.text, *start, name)) {
                continue;
            }
            let message = format!("%{name} is not defined in @{}", function.symbol);
            let at = self.places[*slot as usize] as usize;
            let error = RawError::new(ErrorKind::Undefined, at, name.len() + 1, message);
            let known = self.order.iter().map(|known| self.defs[*known as usize].name.as_str());
            parser.report(match suggest::closest(name, known.take(1000)) {
                Some(close) => error.with_help(format!("did you mean `%{close}`?")),
                None => error,
            });
        }
        if !self.forward || !undefined.is_empty() {
            function.values = self.defs;
            return;
        }
        let mut ids = vec![ValueId(0); self.defs.len()];
        for (id, slot) in self.order.iter().enumerate() {
            ids[*slot as usize] = ValueId(id as u32);
        }
        let mut defs: Vec<Option<ValueDef>> = self.defs.into_iter().map(Some).collect();
        function.values = self.order.iter().filter_map(|slot| defs[*slot as usize].take()).collect();
        let rename = |value: &mut ValueId| *value = ids[value.0 as usize];
        function.params.iter_mut().filter_map(|param| param.value.as_mut()).for_each(rename);
        rename_region(region, &rename);
    }
}

/// Whether the line from `start` has the word `name`: it may be the definition that failed to read.
#[cold]
fn names_value(text: &str, start: usize, name: &str) -> bool {
    let line = text[start..].lines().next().unwrap_or("");
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.into_iter().chain(after).any(is_word_char)
    })
}

fn rename_region(region: &mut Region, rename: &impl Fn(&mut ValueId)) {
    for block in &mut region.blocks {
        block.args.iter_mut().for_each(rename);
        for op in &mut block.ops {
            op.operands.iter_mut().for_each(rename);
            op.results.iter_mut().for_each(rename);
            op.successors.iter_mut().flat_map(|successor| successor.args.iter_mut()).for_each(rename);
            op.regions.iter_mut().for_each(|region| rename_region(region, rename));
        }
    }
}
