//! From the tree of a `.ppyir` document to an MLIR module of the `ppy_*` dialects.
//!
//! Invariant: what the text says is kept: names and locations (`location.rs`), the order of dialects, attributes that
//! no operation declares. What MLIR could not hold (a constant that does not fit, a word that is none of an enum's, a
//! type that a dialect refuses) is an error here, with its place; everything else is the verifier's business.

use super::{
    ast::{self, Attr, Attrs, Item, Span, Type as Ty},
    dialect_type,
    error::{ErrorKind, LineIndex, RawError},
    location,
    names::counts_up,
    suggest,
};
use crate::{
    dialects::core::type_views::{ArrayType, BufferType, FutureType, PtrType, StructType, VoidType},
    mlir::{
        attribute::null_attribute,
        attribute::{bool_attribute, enum_attribute, float_value, i64_attribute, integer_attribute, segment_sizes},
        builder::{OpName, Parts, append_block, first_result, key_of, replace_all_uses},
        op::{OpExt, ScalarType, scalar_type},
        parallel,
    },
    registry::{self, AttributeInfo, AttributeKind, OpInfo},
};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, Module, Operation, Region, Type, Value,
        attribute::{
            ArrayAttribute, DictionaryAttribute, FlatSymbolRefAttribute, FloatAttribute, StringAttribute, TypeAttribute,
        },
        r#type::{FunctionType, IntegerType, TupleType},
    },
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::{borrow::Borrow, sync::Mutex};

/// The module attribute that lists the dialects of the header, `["core 1", "math 1"]`.
pub const DIALECTS_ATTRIBUTE: &str = "ppy_core.dialects";

/// Attributes of ours that MLIR's form of an operation uses and `.ppyir` cannot spell.
const RESERVED: &[&str] =
    &["sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs", "operandSegmentSizes", "is_mutable"];

/// An imported module with the place in the text of each operation.
pub(super) struct Imported<'c> {
    pub module: Module<'c>,
    /// By [`OpExt::key`], and of block arguments by the address of their location.
    pub places: Vec<(usize, Span)>,
    /// Functions that lack an operation, by [`OpExt::key`]: it was an error.
    pub broken: Vec<usize>,
    /// A function or global is missing: it was an error.
    pub incomplete: bool,
}

type Read<T> = Result<T, Box<RawError>>;

/// Held while a dialect checks a type: its words would reach the handler of another thread too.
static CHECKING: Mutex<()> = Mutex::new(());

/// Imports one document: the header of a module, and its items, which may be read while others are imported, on up to
/// that many threads.
pub(super) fn import<'c, I: Borrow<Item> + Send>(
    context: &'c Context,
    header: &ast::Module,
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    file: &str,
    lines: Option<&LineIndex<'_>>,
    errors: &mut Vec<RawError>,
) -> Imported<'c> {
    let mut importer = Importer::new(context, file, lines);
    let module = Module::new(importer.unknown);
    importer.header(&module, header);
    errors.append(&mut importer.errors);
    let mut imported = Imported { module, places: importer.places, broken: Vec::new(), incomplete: false };
    let make = |importer: &mut Importer<'c, '_>, item: I| {
        let op = importer.item(item.borrow());
        (op, std::mem::take(&mut importer.errors))
    };
    let (made, importers) =
        parallel::build(context, threads, items, |context| Importer::new(context, file, lines), make);
    let body = imported.module.body();
    for (op, found) in made {
        errors.extend(found);
        match op {
            Ok(op) => _ = body.append_operation(op),
            Err(error) => {
                errors.push(*error);
                imported.incomplete = true;
            }
        }
    }
    for importer in importers {
        imported.places.extend(importer.places);
        imported.broken.extend(importer.broken);
    }
    imported
}

struct Importer<'c, 't> {
    context: &'c Context,
    file: &'t str,
    /// Of the text; `None` where the tree is of no text, or of several.
    lines: Option<&'t LineIndex<'t>>,
    /// Of the item that is being imported.
    errors: Vec<RawError>,
    places: Vec<(usize, Span)>,
    broken: Vec<usize>,
    types: FxHashMap<Ty, Type<'c>>,
    known: FxHashMap<SmolStr, usize>,
    ops: Vec<Known<'c>>,
    identifiers: FxHashMap<SmolStr, Identifier<'c>>,
    last_loc: Option<(ast::Loc, Location<'c>)>,
    /// Whether names that are only numbers are left out: the printer will give these numbers again.
    counts_up: bool,
    i64: Type<'c>,
    unknown: Location<'c>,
}

/// An operation of the module, by name, and the names of the attributes that it declares.
struct Known<'c> {
    info: &'static OpInfo,
    name: OpName<'c>,
    attributes: Vec<Identifier<'c>>,
}

fn error(span: Span, message: String) -> Box<RawError> {
    RawError::new(ErrorKind::Syntax, span.offset().unwrap_or(0), 1, message)
}

impl<'c, 't> Importer<'c, 't> {
    fn new(context: &'c Context, file: &'t str, lines: Option<&'t LineIndex<'t>>) -> Self {
        Importer {
            context,
            file,
            lines,
            errors: Vec::new(),
            places: Vec::new(),
            broken: Vec::new(),
            types: FxHashMap::default(),
            known: FxHashMap::default(),
            ops: Vec::new(),
            identifiers: FxHashMap::default(),
            last_loc: None,
            counts_up: false,
            i64: IntegerType::new(context, 64).into(),
            unknown: Location::unknown(context),
        }
    }
}

impl<'c: 'a, 'a> Importer<'c, '_> {
    /// Puts what the header says on the module.
    fn header(&mut self, target: &Module<'c>, header: &ast::Module) {
        let op = target.as_operation();
        self.places.push((op.key(), Span::NONE));
        let set = |name: &str, value: Attribute<'c>| op.set(name, value);
        set("sym_name", StringAttribute::new(self.context, &header.name).into());
        let dialects: Vec<Attribute> = (header.dialects.iter())
            .map(|(name, version)| StringAttribute::new(self.context, &format!("{name} {version}")).into())
            .collect();
        set(DIALECTS_ATTRIBUTE, ArrayAttribute::new(self.context, &dialects).into());
        for (name, value) in header.attrs.iter().flat_map(Attrs::iter) {
            match self.attr(value, Span::NONE) {
                Ok(value) => set(&prefixed(name), value),
                Err(error) => self.errors.push(*error),
            }
        }
    }

    fn item(&mut self, item: &Item) -> Read<Operation<'c>> {
        match item {
            Item::Global(global) => self.global(global),
            Item::Function(function) => self.function(function),
        }
    }

    fn global(&mut self, global: &ast::Global) -> Read<Operation<'c>> {
        let span = global.span;
        let ty = self.ty(&global.ty, span)?;
        let mut parts = Parts::new(self.context);
        parts.attribute("sym_name", StringAttribute::new(self.context, &global.symbol).into());
        parts.attribute("type", TypeAttribute::new(ty).into());
        if global.private {
            parts.attribute("sym_visibility", StringAttribute::new(self.context, "private").into());
        }
        if global.mutable {
            parts.attribute("is_mutable", Attribute::unit(self.context));
        }
        if let Some(value) = &global.value {
            let what = format!("global @{}", global.symbol);
            let value = match (value, &global.ty) {
                // Bytes of a string, in a buffer of bytes.
                (Attr::Str(_), Ty::Buffer(_)) => self.attr(value, span)?,
                _ => self.constant(value, &global.ty, &what, span)?,
            };
            parts.attribute("value", value);
        }
        let location = self.location(global.loc.as_ref(), span);
        let op = parts.create("ppy_core.global", location);
        self.places.push((key_of(&op), span));
        Ok(op)
    }

    fn function(&mut self, function: &ast::Function) -> Read<Operation<'c>> {
        let span = function.span;
        self.counts_up = counts_up(function);
        let mut parts = Parts::new(self.context);
        let inputs = function.params.iter().map(|p| self.ty(&p.ty, span)).collect::<Read<Vec<_>>>()?;
        let outputs = function.results.iter().map(|r| self.ty(r, span)).collect::<Read<Vec<_>>>()?;
        parts.attribute("sym_name", StringAttribute::new(self.context, &function.symbol).into());
        parts.attribute(
            "function_type",
            TypeAttribute::new(FunctionType::new(self.context, &inputs, &outputs).into()).into(),
        );
        // MLIR demands it of declarations.
        if function.private || function.body.is_none() {
            parts.attribute("sym_visibility", StringAttribute::new(self.context, "private").into());
        }
        if function.params.iter().any(|p| !p.attrs.is_empty()) {
            let list =
                function.params.iter().map(|p| self.dictionary(&p.attrs, span, prefixed)).collect::<Read<Vec<_>>>()?;
            parts.attribute("arg_attrs", ArrayAttribute::new(self.context, &list).into());
        }
        for (name, value) in function.attrs.iter().flat_map(Attrs::iter) {
            if RESERVED.contains(&name) {
                return Err(reserved(name, &format!("function @{}", function.symbol), span));
            }
            if name == "effects" && !matches!(value, Attr::List(_)) {
                let what = format!("function @{} has effects = {value}", function.symbol);
                return Err(error(span, format!("{what}: effects are a list of names, like [\"io\"]")));
            }
            let value = self.attr(value, span)?;
            parts.attribute(name, value);
        }
        let errors = self.errors.len();
        let region = match &function.body {
            Some(body) => self.body(function, body, &inputs, span)?,
            None => Region::new(),
        };
        parts.region(region);
        let location = self.location(function.loc.as_ref(), span);
        let op = parts.create("ppy_core.func", location);
        if self.errors.len() > errors {
            self.broken.push(key_of(&op));
        }
        self.places.push((key_of(&op), span));
        Ok(op)
    }

    fn body(
        &mut self,
        function: &ast::Function,
        body: &ast::Region,
        inputs: &[Type<'c>],
        span: Span,
    ) -> Read<Region<'c>> {
        let region = Region::new();
        let mut values = Values::new(function.values.len());
        let mut blocks: Vec<BlockRef<'c, 'a>> = Vec::with_capacity(body.blocks.len());
        for (index, block) in body.blocks.iter().enumerate() {
            // The entry's arguments are the parameters, whatever the tree says twice.
            let entry = index == 0;
            let ids: Vec<ast::ValueId> = if entry && block.args.is_empty() {
                function.params.iter().filter_map(|p| p.value).collect()
            } else {
                block.args.clone()
            };
            let mut arguments = Vec::with_capacity(ids.len());
            let place = if entry { self.unknown } else { self.location(None, block.span) };
            for (i, id) in ids.iter().enumerate() {
                let ty = match inputs.get(i).filter(|_| entry) {
                    Some(ty) => *ty,
                    None => self.value_type(function, *id, block.span)?,
                };
                let location = self.named(place, self.value_name(function, *id));
                if !entry {
                    self.places.push((location.to_raw().ptr as usize, block.span));
                }
                arguments.push((ty, location));
            }
            let target = append_block(&region, Block::new(&arguments));
            for (i, id) in ids.iter().enumerate() {
                let argument: Value = target.argument(i).map_err(|e| error(span, e.to_string()))?.into();
                values.define(*id, argument);
            }
            blocks.push(target);
        }
        let mut parts = Parts::new(self.context);
        for (block, target) in body.blocks.iter().zip(&blocks) {
            if block.ops.is_empty() {
                let message = "it needs a terminator: a core.br, core.cond_br, core.ret or core.unreachable";
                self.errors.push(*error(block.span, format!("block ^{} is empty; {message}", block.name)));
            }
            let last = block.ops.len().saturating_sub(1);
            for (index, op) in block.ops.iter().enumerate() {
                let label = (index == last).then_some(block.name.as_str());
                match self.operation(function, op, label, &blocks, &mut values, &mut parts) {
                    Ok(new) => {
                        let new = target.append_operation(new);
                        self.places.push((new.key(), op.span));
                        for (i, id) in op.results.iter().enumerate() {
                            values.define(*id, new.result_at(i));
                        }
                    }
                    Err(error) => {
                        parts = Parts::new(self.context);
                        self.errors.push(*error);
                        // Its readers are not at fault: they get placeholders.
                    }
                }
            }
        }
        // Only after an error: an operation that is still read must be in a block when the module is dropped.
        for (_, placeholder) in values.placeholders.drain() {
            if let Some(entry) = blocks.first() {
                entry.insert_operation(0, placeholder);
            }
        }
        Ok(region)
    }

    #[allow(clippy::too_many_arguments)]
    fn operation(
        &mut self,
        function: &ast::Function,
        op: &ast::Operation,
        label: Option<&str>,
        blocks: &[BlockRef<'c, 'a>],
        values: &mut Values<'c, 'a>,
        parts: &mut Parts<'c, 'a>,
    ) -> Read<Operation<'c>> {
        let span = op.span;
        let index = self.known(&op.name, span)?;
        let info = self.ops[index].info;
        self.check_shape(info, op)?;
        for operand in &op.operands {
            parts.operand(values.get(self, function, *operand, span)?);
        }
        for successor in &op.successors {
            for argument in &successor.args {
                parts.operand(values.get(self, function, *argument, span)?);
            }
            let block =
                blocks.get(successor.block.0 as usize).ok_or_else(|| error(span, "a branch to no block".into()))?;
            parts.successor(*block);
        }
        if op.successors.len() > 1 {
            let mut sizes = vec![op.operands.len() as i32];
            sizes.extend(op.successors.iter().map(|s| s.args.len() as i32));
            let (name, value) = segment_sizes(self.context, &sizes);
            parts.attribute(name, value);
        }
        for result in &op.results {
            parts.result(self.value_type(function, *result, span)?);
        }
        let mut missing = info.attributes.iter().filter(|a| !a.optional).count();
        for (name, value) in &op.attrs.0 {
            let Some(at) = info.attributes.iter().position(|a| a.name == name) else {
                let value = self.undeclared(info, name, value, span)?;
                parts.named(self.identifier(name), value);
                continue;
            };
            let declared = &info.attributes[at];
            missing = missing.saturating_sub(usize::from(!declared.optional));
            let value = match op.name == "core.const" && declared.name == "value" {
                true => {
                    let id = op.results.first().ok_or_else(|| error(span, "'core.const' op has no result".into()))?;
                    let ty = &function.values.get(id.0 as usize).ok_or_else(|| error(span, "no such value".into()))?.ty;
                    self.constant(value, ty, "'core.const' op", span)?
                }
                false => self.declared(info, declared, value, span)?,
            };
            parts.named(self.ops[index].attributes[at], value);
        }
        let lacking = |a: &&AttributeInfo| !a.optional && op.attrs.get(a.name).is_none();
        if missing > 0
            && let Some(attribute) = info.attributes.iter().find(lacking)
        {
            return Err(lacks(info, attribute, span));
        }
        let mut location = self.location(op.loc.as_ref(), span);
        if let Some(label) = label.filter(|_| info.terminator) {
            location = Location::name(self.context, &format!("^{label}"), location);
        } else {
            location = self.named_results(function, op, location);
        }
        Ok(parts.create_named(self.ops[index].name, location))
    }

    /// The index of an operation's name.
    fn known(&mut self, name: &SmolStr, span: Span) -> Read<usize> {
        if let Some(index) = self.known.get(name) {
            return Ok(*index);
        }
        let info = registry::op_by_ppyir(name).filter(|i| !i.symbol);
        let info = info.ok_or_else(|| error(span, format!("'{name}' is no operation of a dialect that is here")))?;
        let attributes = info.attributes.iter().map(|a| Identifier::new(self.context, a.name)).collect();
        let index = self.ops.len();
        self.ops.push(Known { info, name: OpName::new(self.context, info.name), attributes });
        self.known.insert(name.clone(), index);
        Ok(index)
    }

    fn identifier(&mut self, name: &SmolStr) -> Identifier<'c> {
        let context = self.context;
        *self.identifiers.entry(name.clone()).or_insert_with(|| Identifier::new(context, name))
    }

    /// Arity, which MLIR's own check reports only after it was read.
    fn check_shape(&self, info: &OpInfo, op: &ast::Operation) -> Read<()> {
        let name = info.ppyir;
        // A branch's arguments are operands of the MLIR operation, so its own count is that of the condition.
        let expected = if info.successors > 0 { Some(info.successors - 1) } else { info.operands };
        let count = |what: &str, found: usize, expected: usize| {
            let s = if found == 1 { "" } else { "s" };
            let remedy = if found < expected { "add what is missing" } else { "remove what is too much" };
            error(op.span, format!("'{name}' op has {found} {what}{s}; it has {expected} by definition: {remedy}"))
        };
        if let Some(n) = expected.filter(|n| *n != op.operands.len()) {
            return Err(count("operand", op.operands.len(), n));
        }
        if let Some(n) = info.results.filter(|n| *n != op.results.len()) {
            return Err(count("result", op.results.len(), n));
        }
        if info.successors != op.successors.len() {
            return Err(count("branch target", op.successors.len(), info.successors));
        }
        if info.regions != op.regions.len() {
            return Err(count("region", op.regions.len(), info.regions));
        }
        Ok(())
    }

    //===- types ------------------------------------------------------------------===//

    fn value_type(&mut self, function: &ast::Function, id: ast::ValueId, span: Span) -> Read<Type<'c>> {
        let def =
            function.values.get(id.0 as usize).ok_or_else(|| error(span, "a value that is not defined".into()))?;
        self.ty(&def.ty, span)
    }

    fn ty(&mut self, ty: &Ty, span: Span) -> Read<Type<'c>> {
        if matches!(ty, Ty::Int { width: 64, signed: true }) {
            return Ok(self.i64);
        }
        if let Some(known) = self.types.get(ty) {
            return Ok(*known);
        }
        let made = self.make_type(ty, span)?;
        self.types.insert(ty.clone(), made);
        Ok(made)
    }

    fn make_type(&mut self, ty: &Ty, span: Span) -> Read<Type<'c>> {
        let context = self.context;
        let refused = |why: String| error(span, format!("the type {ty}: {why}"));
        Ok(match ty {
            Ty::Void => return self.checked(span, ty, |c| VoidType::get(c).map(Into::into)),
            Ty::Bool => IntegerType::new(context, 1).into(),
            Ty::Int { width, signed: true } => IntegerType::new(context, (*width).into()).into(),
            Ty::Int { width, signed: false } => IntegerType::unsigned(context, (*width).into()).into(),
            Ty::F16 => Type::float16(context),
            Ty::F32 => Type::float32(context),
            Ty::F64 => Type::float64(context),
            Ty::Bf16 => Type::bfloat16(context),
            Ty::Index => Type::index(context),
            Ty::Ptr(ptr) => {
                let spaces: Vec<&str> = registry::DIALECTS.iter().flat_map(|d| d.address_spaces).copied().collect();
                if !spaces.contains(&ptr.space.as_str()) {
                    return Err(refused(format!(
                        "there is no address space '{}'; there are {}",
                        ptr.space,
                        spaces.join(", ")
                    )));
                }
                let pointee = self.ty(&ptr.pointee, span)?;
                return self.checked(span, ty, |c| PtrType::get(c, pointee, &ptr.space, ptr.constant).map(Into::into));
            }
            Ty::Buffer(element) => {
                let element = self.ty(element, span)?;
                return self.checked(span, ty, |c| BufferType::get(c, element).map(Into::into));
            }
            Ty::Future(value) => {
                let value = self.ty(value, span)?;
                return self.checked(span, ty, |c| FutureType::get(c, value).map(Into::into));
            }
            Ty::Vector(element, lanes) => {
                let lanes = i64::try_from(*lanes).ok().filter(|n| (1..=1 << 16).contains(n));
                let lanes = lanes.ok_or_else(|| refused("a vector has 1 to 65536 lanes".into()))?;
                let scalar = self.ty(element, span)?;
                if scalar_type(scalar).is_none() && PtrType::cast(scalar).is_none() {
                    return Err(refused("a vector's lanes are numbers, bools or pointers".into()));
                }
                Type::vector(&[lanes as u64], scalar)
            }
            Ty::Tuple(elements) => {
                let elements = elements.iter().map(|e| self.element(e, ty, span)).collect::<Read<Vec<_>>>()?;
                TupleType::new(context, &elements).into()
            }
            Ty::Struct(record) => {
                let names: Vec<&str> = record.fields.iter().map(|(n, _)| n.as_str()).collect();
                let types = record.fields.iter().map(|(_, t)| self.ty(t, span)).collect::<Read<Vec<_>>>()?;
                return self.checked(span, ty, |c| StructType::get(c, &record.name, &names, &types).map(Into::into));
            }
            Ty::Array(element, shape) => {
                let element = self.ty(element, span)?;
                let extents: Option<Vec<i64>> = shape.iter().map(|n| i64::try_from(*n).ok()).collect();
                let extents = extents.ok_or_else(|| refused("an extent does not fit 64 bits".into()))?;
                return self.checked(span, ty, |c| ArrayType::get(c, element, &extents).map(Into::into));
            }
            Ty::Dialect(d) => {
                let Some(dialect) = registry::dialect_by_ppyir(&d.dialect) else {
                    return Err(refused(format!("it needs dialect '{}', which is not here", d.dialect)));
                };
                if !dialect.types.iter().any(|(name, _, _)| d.name == *name) {
                    return Err(refused(format!("dialect '{}' has no type '{}'", d.dialect, d.name)));
                }
                let text = dialect_type::in_mlir(d, dialect.name, |ty| self.ty(ty, span))?;
                return self.checked(span, ty, |c| Type::parse(c, &text));
            }
        })
    }

    fn element(&mut self, element: &Ty, whole: &Ty, span: Span) -> Read<Type<'c>> {
        if *element == Ty::Void {
            return Err(error(span, format!("the type {whole}: void is the type of no value; leave it out")));
        }
        self.ty(element, span)
    }

    /// Makes a type that its dialect checks, with the dialect's own words as the error.
    fn checked(&mut self, span: Span, ty: &Ty, make: impl FnOnce(&'c Context) -> Option<Type<'c>>) -> Read<Type<'c>> {
        let alone = CHECKING.lock();
        let (made, messages) = crate::mlir::diagnostic::capture(self.context, make);
        drop(alone);
        made.ok_or_else(|| error(span, format!("the type {ty}: {}", messages.join("; "))))
    }

    //===- attributes ---------------------------------------------------------------===//

    /// A constant of a type, exactly; what does not fit is an error.
    fn constant(&mut self, value: &Attr, ty: &Ty, what: &str, span: Span) -> Read<Attribute<'c>> {
        let target = self.ty(ty, span)?;
        let refused = |why: String| Err(error(span, format!("{what} cannot be {value} : {ty}: {why}")));
        match (scalar_type(target), value) {
            (Some(ScalarType::Bool), Attr::Bool(b)) => Ok(bool_attribute(self.context, *b)),
            (Some(ScalarType::Bool), _) => refused("a bool is true or false".into()),
            (Some(ScalarType::Int { width, signed }), Attr::Int(i)) => {
                let (low, high) = if signed {
                    (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
                } else {
                    (0, (1i128 << width) - 1)
                };
                if *i < low || *i > high {
                    return refused(format!("{ty} holds {low} to {high}; use a wider type"));
                }
                Ok(integer_attribute(target, *i as i64))
            }
            (Some(ScalarType::Int { .. }), Attr::Bool(b)) => {
                refused(format!("a bool is no integer; write {}", i32::from(*b)))
            }
            (Some(ScalarType::Int { .. }), _) => {
                refused("an integer constant is written without a point, like 42".into())
            }
            (Some(_), Attr::Float(f)) => {
                let rounded: Attribute = FloatAttribute::new(self.context, target, *f).into();
                match f.is_finite() && float_value(rounded).is_some_and(f64::is_infinite) {
                    true => refused(format!("it is beyond the largest {ty}; use a wider type, or inf")),
                    false => Ok(rounded),
                }
            }
            (Some(_), _) => refused("a float constant is written with a point or exponent, like 1.0".into()),
            (None, Attr::Int(0)) if PtrType::cast(target).is_some() => Ok(null_attribute(target)),
            (None, _) if PtrType::cast(target).is_some() => {
                refused("the only pointer constant is 0, the null pointer".into())
            }
            (None, _) => refused("only numbers, bools and pointers have constants; build it from parts".into()),
        }
    }

    /// An attribute that the operation declares, by its kind.
    fn declared(&mut self, info: &OpInfo, declared: &AttributeInfo, value: &Attr, span: Span) -> Read<Attribute<'c>> {
        let expected =
            |what: &str| error(span, format!("'{}' op has {} = {value}; expected {what}", info.ppyir, declared.name));
        match (&declared.kind, value) {
            (AttributeKind::Enum(words), Attr::Str(word)) => match words.iter().position(|w| w == word) {
                Some(number) => Ok(enum_attribute(self.context, number as i64)),
                None => {
                    let hint = suggest::closest(word, words.iter().copied())
                        .map_or(String::new(), |w| format!(" (did you mean {w}?)"));
                    Err(expected(&format!("one of {}{hint}", words.join(", "))))
                }
            },
            (AttributeKind::Enum(words), _) => Err(expected(&format!("a string, one of {}", words.join(", ")))),
            (AttributeKind::I64, Attr::Int(i)) => match i64::try_from(*i) {
                Ok(i) => Ok(i64_attribute(self.context, i)),
                Err(_) => Err(expected("an integer of 64 bits")),
            },
            (AttributeKind::I64, _) => Err(expected("an integer")),
            (AttributeKind::Str, Attr::Str(text)) => Ok(StringAttribute::new(self.context, text).into()),
            (AttributeKind::Str, _) => Err(expected("a string in quotes")),
            (AttributeKind::Bool, Attr::Bool(b)) => Ok(bool_attribute(self.context, *b)),
            (AttributeKind::Bool, _) => Err(expected("true or false")),
            (AttributeKind::Symbol, Attr::Symbol(name)) => Ok(FlatSymbolRefAttribute::new(self.context, name).into()),
            (AttributeKind::Symbol, _) => Err(expected("a symbol like @f")),
            (AttributeKind::Unit, _) => Err(expected("no such attribute: it cannot be written in .ppyir")),
            (AttributeKind::Type | AttributeKind::Array | AttributeKind::Other, _) => self.attr(value, span),
        }
    }

    /// An attribute that the operation does not declare.
    fn undeclared(&mut self, info: &OpInfo, name: &str, value: &Attr, span: Span) -> Read<Attribute<'c>> {
        if RESERVED.contains(&name) {
            return Err(reserved(name, &format!("'{}' op", info.ppyir), span));
        }
        match value {
            Attr::Str(symbol) if names_symbol(info, name) => {
                Ok(FlatSymbolRefAttribute::new(self.context, symbol).into())
            }
            _ => self.attr(value, span),
        }
    }

    fn attr(&mut self, value: &Attr, span: Span) -> Read<Attribute<'c>> {
        let context = self.context;
        Ok(match value {
            Attr::Bool(b) => bool_attribute(context, *b),
            Attr::Int(i) => match i64::try_from(*i) {
                Ok(i) => i64_attribute(context, i),
                // Wider integers keep their value in a wider attribute.
                Err(_) => Attribute::parse(context, &format!("{i} : i128"))
                    .ok_or_else(|| error(span, format!("the integer {i} does not fit 128 bits")))?,
            },
            Attr::Float(f) => FloatAttribute::new(context, Type::float64(context), *f).into(),
            Attr::Str(text) => StringAttribute::new(context, text).into(),
            Attr::Symbol(name) => FlatSymbolRefAttribute::new(context, name).into(),
            Attr::Type(ty) => TypeAttribute::new(self.ty(ty, span)?).into(),
            Attr::List(items) => {
                let items = items.iter().map(|i| self.attr(i, span)).collect::<Read<Vec<_>>>()?;
                ArrayAttribute::new(context, &items).into()
            }
            Attr::Dict(attrs) => self.dictionary(attrs, span, |name| name.into())?,
        })
    }

    fn dictionary(
        &mut self,
        attrs: &Attrs,
        span: Span,
        rename: impl Fn(&str) -> std::borrow::Cow<'_, str>,
    ) -> Read<Attribute<'c>> {
        let mut entries = Vec::with_capacity(attrs.0.len());
        for (name, value) in attrs.iter() {
            entries.push((Identifier::new(self.context, &rename(name)), self.attr(value, span)?));
        }
        Ok(DictionaryAttribute::new(self.context, &entries).into())
    }

    //===- locations ------------------------------------------------------------------===//

    fn location(&mut self, loc: Option<&ast::Loc>, span: Span) -> Location<'c> {
        match loc {
            Some(loc) => {
                if let Some((last, location)) = &self.last_loc
                    && last == loc
                {
                    return *location;
                }
                let location = Location::new(self.context, &loc.file, loc.line as usize, loc.column as usize);
                self.last_loc = Some((loc.clone(), location));
                location
            }
            None => match (span.offset(), self.lines) {
                (Some(offset), Some(lines)) => {
                    let (line, column) = lines.position(offset);
                    location::own(self.context, self.file, line, column)
                }
                _ => self.unknown,
            },
        }
    }

    fn named(&self, location: Location<'c>, name: &str) -> Location<'c> {
        if name.is_empty() { location } else { Location::name(self.context, name, location) }
    }

    /// The name that a value keeps.
    fn value_name<'f>(&self, function: &'f ast::Function, id: ast::ValueId) -> &'f str {
        let kept = function.values.get(id.0 as usize).filter(|value| !(self.counts_up && value.is_numbered()));
        kept.map_or("", |value| value.name.as_str())
    }

    fn named_results(&self, function: &ast::Function, op: &ast::Operation, location: Location<'c>) -> Location<'c> {
        match &op.results[..] {
            [] => location,
            [one] => self.named(location, self.value_name(function, *one)),
            several => {
                let names: Vec<&str> = several.iter().map(|r| self.value_name(function, *r)).collect();
                if names.iter().all(|n| n.is_empty()) { location } else { self.named(location, &names.join(",")) }
            }
        }
    }
}

fn reserved(name: &str, what: &str, span: Span) -> Box<RawError> {
    error(span, format!("{what} has the attribute {name}, which MLIR's form of it needs; rename it"))
}

/// The error of an operation without an attribute.
fn lacks(info: &OpInfo, attribute: &AttributeInfo, span: Span) -> Box<RawError> {
    let kind = match attribute.kind {
        AttributeKind::Enum(words) => format!("one of {}", words.join(", ")),
        AttributeKind::Symbol => "a symbol like @f".into(),
        AttributeKind::I64 => "an integer".into(),
        AttributeKind::Str => "a string".into(),
        _ => "a value".into(),
    };
    error(span, format!("'{}' op needs the attribute {}: {kind}", info.ppyir, attribute.name))
}

/// Whether `.ppyir` names a symbol of the module by a string here. MLIR holds a reference: else `symbol-dce` would not
/// see the use.
pub(super) fn names_symbol(info: &OpInfo, attribute: &str) -> bool {
    info.ppyir == "core.call_intrinsic" && attribute == "symbol"
}

/// MLIR wants a dialect's prefix on attributes of arguments and modules: `ownership` becomes `ppy_core.ownership`.
fn prefixed(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains('.') { name.into() } else { format!("ppy_core.{name}").into() }
}

/// The values of a function by id; a use before its definition in the text gets a placeholder.
struct Values<'c, 'a> {
    known: Vec<Option<Value<'c, 'a>>>,
    placeholders: FxHashMap<u32, Operation<'c>>,
}

impl<'c: 'a, 'a> Values<'c, 'a> {
    fn new(count: usize) -> Self {
        Values { known: vec![None; count], placeholders: FxHashMap::default() }
    }

    fn define(&mut self, id: ast::ValueId, value: Value<'c, 'a>) {
        if let Some(slot) = self.known.get_mut(id.0 as usize) {
            *slot = Some(value);
        }
        if let Some(placeholder) = self.placeholders.remove(&id.0) {
            replace_all_uses(first_result(&placeholder), value);
        }
    }

    fn get(
        &mut self,
        importer: &mut Importer<'c, '_>,
        function: &ast::Function,
        id: ast::ValueId,
        span: Span,
    ) -> Read<Value<'c, 'a>> {
        if let Some(Some(value)) = self.known.get(id.0 as usize) {
            return Ok(*value);
        }
        let ty = importer.value_type(function, id, span)?;
        let placeholder = self.placeholders.entry(id.0).or_insert_with(|| {
            let mut parts = Parts::new(importer.context);
            parts.result(ty);
            parts.create("builtin.unrealized_conversion_cast", importer.unknown)
        });
        Ok(first_result(placeholder))
    }
}
