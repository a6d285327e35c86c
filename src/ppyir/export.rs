//! From an MLIR module of the `ppy_*` dialects to the tree of a `.ppyir` document.
//!
//! Invariant: `export(import(m)) == m` up to the numbers of unnamed values. An operation of another dialect, or an
//! attribute or type that `.ppyir` cannot spell, is an error that names it.

use super::{
    ast::{self, Attr, Attrs, Span, Type as Ty},
    dialect_type,
    export_lanes::Lanes,
    import::{DIALECTS_ATTRIBUTE, names_symbol},
    location,
};
use crate::{
    dialects::core::type_views::{ArrayType, BufferType, FutureType, PtrType, StructType, VoidType},
    mlir::{
        attribute::{float_value, is_null_attribute},
        attribute_view::{AttributeView, view},
        op::{Op, OpExt, ScalarType, ValueExt, element_or_self, operations, scalar_type, vector_lanes},
    },
    registry::{self, AttributeKind, OpInfo},
};
use melior::ir::{
    Attribute, BlockLike, BlockRef, Location, Type, TypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{FunctionType, TupleType},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::{SmolStr, format_smolstr};
use std::{collections::BTreeMap, sync::Arc};

/// Why a module has no `.ppyir` form.
#[derive(Debug)]
pub struct ExportError<'c> {
    pub location: Location<'c>,
    pub message: String,
}

type Export<'c, T> = Result<T, ExportError<'c>>;

fn refuse<'c, T>(op: Op<'c, '_>, message: String) -> Export<'c, T> {
    Err(ExportError { location: op.loc(), message: format!("'{}' op has no .ppyir form: {message}", op.op_name()) })
}

/// The tree of a `builtin.module`.
pub fn export<'c>(module: Op<'c, '_>) -> Export<'c, ast::Module> {
    let mut items = Vec::new();
    let header = export_each(module, |item| {
        items.push(item);
        Ok(())
    })?;
    Ok(ast::Module { items, ..header })
}

/// Hands over each function and global of a `builtin.module`, so that not all are in memory at once. Answers the rest
/// of the document: which dialects it names is known at its end.
pub(super) fn export_each<'c>(
    module: Op<'c, '_>,
    take: impl FnMut(ast::Item) -> Export<'c, ()>,
) -> Export<'c, ast::Module> {
    if !module.is("builtin.module") {
        return refuse(module, "a document is a builtin.module".into());
    }
    let mut exporter =
        Exporter { types: FxHashMap::default(), infos: FxHashMap::default(), used: FxHashSet::default() };
    exporter.module(module, take)
}

struct Exporter<'c> {
    types: FxHashMap<usize, Ty>,
    infos: FxHashMap<&'c str, &'static OpInfo>,
    /// Dialects of the operations met, by their `.ppyir` names.
    used: FxHashSet<&'static str>,
}

impl<'c: 'a, 'a> Exporter<'c> {
    fn module(
        &mut self,
        module: Op<'c, 'a>,
        mut take: impl FnMut(ast::Item) -> Export<'c, ()>,
    ) -> Export<'c, ast::Module> {
        let mut result =
            ast::Module { name: module.str_attribute("sym_name").unwrap_or("module").into(), ..ast::Module::default() };
        let mut attrs = Attrs::default();
        for (name, value) in module.discardables() {
            if name == DIALECTS_ATTRIBUTE {
                if let AttributeView::Array(items) = view(value) {
                    for item in items {
                        if let AttributeView::Str(text) = view(item)
                            && let Some((dialect, version)) = text.rsplit_once(' ')
                            && let Ok(version) = version.parse()
                        {
                            result.dialects.push((dialect.into(), version));
                        }
                    }
                }
                continue;
            }
            let value = self.attr(module, value)?;
            attrs.insert(unprefixed(name).into(), value);
        }
        result.attrs = (!attrs.is_empty()).then_some(attrs);
        for block in module.blocks(0) {
            for op in operations(block) {
                match op.op_name() {
                    "ppy_core.func" => take(ast::Item::Function(self.function(op)?))?,
                    "ppy_core.global" => take(ast::Item::Global(self.global(op)?))?,
                    _ => return refuse(
                        op,
                        "functions and globals of the ppy dialects stand in it; MLIR text and bytecode hold all others"
                            .into(),
                    ),
                }
            }
        }
        // A pass may have brought in a dialect that the header did not have.
        let mut added: BTreeMap<&str, u32> = BTreeMap::new();
        for dialect in registry::DIALECTS.iter().filter(|d| self.used.contains(d.ppyir)) {
            if !result.dialects.iter().any(|(name, _)| name == dialect.ppyir) {
                added.insert(dialect.ppyir, dialect.version);
            }
        }
        for (name, version) in added {
            let at =
                result.dialects.iter().position(|(other, _)| other.as_str() > name).unwrap_or(result.dialects.len());
            result.dialects.insert(at, (name.into(), version));
        }
        Ok(result)
    }

    fn global(&mut self, op: Op<'c, 'a>) -> Export<'c, ast::Global> {
        self.used.insert("core");
        let Some(ty) = op.type_attribute("type") else { return refuse(op, "it has no type".into()) };
        Ok(ast::Global {
            symbol: op.str_attribute("sym_name").unwrap_or_default().into(),
            private: op.str_attribute("sym_visibility") == Some("private"),
            mutable: op.inherent("is_mutable").is_some(),
            ty: self.ty(op, ty)?,
            value: op.inherent("value").map(|v| self.constant(op, v)).transpose()?,
            loc: location::frontend(op.loc()),
            span: Span::NONE,
        })
    }

    fn function(&mut self, op: Op<'c, 'a>) -> Export<'c, ast::Function> {
        self.used.insert("core");
        let signature = op.type_attribute("function_type").and_then(|t| FunctionType::try_from(t).ok());
        let Some(signature) = signature else { return refuse(op, "it has no signature".into()) };
        let types = |n: usize, at: &dyn Fn(usize) -> Option<Type<'c>>| (0..n).filter_map(at).collect::<Vec<_>>();
        let inputs = types(signature.input_count(), &|i| signature.input(i).ok());
        let outputs = types(signature.result_count(), &|i| signature.result(i).ok());
        let mut attrs = Attrs::default();
        if let Some(effects) = op.inherent("effects") {
            attrs.insert("effects".into(), self.attr(op, effects)?);
        }
        for (name, value) in op.discardables() {
            attrs.insert(name.into(), self.attr(op, value)?);
        }
        let argument_attrs: Vec<Attribute> = match op.inherent("arg_attrs").map(view) {
            Some(AttributeView::Array(items)) => items,
            _ => Vec::new(),
        };
        let mut params = Vec::with_capacity(inputs.len());
        for (i, input) in inputs.iter().enumerate() {
            let mut own = Attrs::default();
            if let Some(AttributeView::Dict(entries)) = argument_attrs.get(i).map(|a| view(*a)) {
                for (name, value) in entries {
                    own.insert(unprefixed(name).into(), self.attr(op, value)?);
                }
            }
            params.push(ast::Param { value: None, ty: self.ty(op, *input)?, attrs: own });
        }
        let blocks = op.blocks(0);
        let declaration = blocks.is_empty();
        let mut function = ast::Function {
            symbol: op.str_attribute("sym_name").unwrap_or_default().into(),
            private: !declaration && op.str_attribute("sym_visibility") == Some("private"),
            body: None,
            params,
            results: outputs.iter().map(|t| self.ty(op, *t)).collect::<Export<_>>()?,
            attrs: (!attrs.is_empty()).then_some(attrs),
            loc: location::frontend(op.loc()),
            values: Vec::new(),
            span: Span::NONE,
        };
        if !declaration {
            let body = self.body(op, &blocks, &mut function)?;
            function.body = Some(body);
        }
        Ok(function)
    }

    fn body(
        &mut self,
        op: Op<'c, 'a>,
        blocks: &[BlockRef<'c, 'a>],
        function: &mut ast::Function,
    ) -> Export<'c, ast::Region> {
        let mut ids: FxHashMap<usize, u32> = FxHashMap::default();
        let block_ids: FxHashMap<usize, u32> = (0..).zip(blocks).map(|(i, b)| (b.to_raw().ptr as usize, i)).collect();
        let labels = labels(blocks);
        let mut constants: FxHashMap<usize, Lanes<'c>> = FxHashMap::default();
        // Values first: a branch may carry one that is defined further down.
        let mut args_of: Vec<Vec<ast::ValueId>> = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.iter().enumerate() {
            let mut args = Vec::with_capacity(block.argument_count());
            for i in 0..block.argument_count() {
                let Ok(argument) = block.argument(i) else { continue };
                let argument: Value = argument.into();
                let name = location::name_of(argument.location()).unwrap_or_default();
                let id = self.value(op, argument, name, function, &mut ids)?;
                args.push(id);
                if index == 0
                    && let Some(param) = function.params.get_mut(i)
                {
                    param.value = Some(id);
                }
            }
            args_of.push(args);
            for inner in operations(*block) {
                let count = inner.result_len();
                if let Some(lanes) = Lanes::of(inner) {
                    let vector = self.ty(inner, inner.result_type())?;
                    let hidden = lanes.hidden(&vector).into_iter();
                    function.values.extend(hidden.map(|ty| ast::ValueDef { name: SmolStr::default(), ty }));
                    constants.insert(inner.key(), lanes);
                }
                let name = if count == 0 { "" } else { location::name_of(inner.loc()).unwrap_or_default() };
                let mut names = name.split(',');
                for i in 0..count {
                    let name = if count == 1 { name } else { names.next().unwrap_or_default() };
                    self.value(inner, inner.result_at(i), name, function, &mut ids)?;
                }
            }
        }
        let mut region = ast::Region { blocks: Vec::with_capacity(blocks.len()) };
        for ((block, label), args) in blocks.iter().zip(labels).zip(args_of) {
            let mut ops = Vec::new();
            for inner in operations(*block) {
                match constants.get(&inner.key()) {
                    Some(lanes) => {
                        let Some(id) = ids.get(&inner.result_value().value_key()) else {
                            return refuse(inner, "its result has no number".into());
                        };
                        self.used.extend(["core", "simd"]);
                        ops.extend(lanes.write(inner, ast::ValueId(*id), |lane| self.constant(inner, lane))?);
                    }
                    None => ops.push(self.operation(inner, &ids, &block_ids)?),
                }
            }
            region.blocks.push(ast::Block { name: label, args, ops, span: Span::NONE });
        }
        Ok(region)
    }

    fn value(
        &mut self,
        op: Op<'c, 'a>,
        value: Value<'c, 'a>,
        name: &str,
        function: &mut ast::Function,
        ids: &mut FxHashMap<usize, u32>,
    ) -> Export<'c, ast::ValueId> {
        let id = function.values.len() as u32;
        ids.insert(value.value_key(), id);
        function.values.push(ast::ValueDef { name: name.into(), ty: self.ty(op, value.r#type())? });
        Ok(ast::ValueId(id))
    }

    fn info(&mut self, op: Op<'c, 'a>) -> Export<'c, &'static OpInfo> {
        let name = op.op_name();
        if let Some(info) = self.infos.get(name) {
            return Ok(info);
        }
        let Some(info) = registry::op_by_name(name).filter(|i| !i.symbol) else {
            return refuse(op, "it is of no ppy dialect; write this module with --emit=mlir".into());
        };
        self.infos.insert(name, info);
        if let Some(dialect) =
            registry::DIALECTS.iter().find(|d| name.strip_prefix(d.name).is_some_and(|r| r.starts_with('.')))
        {
            self.used.insert(dialect.ppyir);
        }
        Ok(info)
    }

    fn operation(
        &mut self,
        op: Op<'c, 'a>,
        ids: &FxHashMap<usize, u32>,
        blocks: &FxHashMap<usize, u32>,
    ) -> Export<'c, ast::Operation> {
        let info = self.info(op)?;
        let id = |value: Value<'c, 'a>| match ids.get(&value.value_key()) {
            Some(id) => Ok(ast::ValueId(*id)),
            None => refuse(op, "it reads a value of another function".into()),
        };
        let mut attrs = Attrs::default();
        for declared in info.attributes {
            let Some(value) = op.inherent(declared.name) else { continue };
            let value = match &declared.kind {
                AttributeKind::Enum(words) => match op.int_attribute(declared.name).and_then(|n| words.get(n as usize))
                {
                    Some(word) => Attr::Str(SmolStr::new_static(word)),
                    None => {
                        return refuse(op, format!("its attribute {} is none of {}", declared.name, words.join(", ")));
                    }
                },
                _ if info.inline_attribute == declared.name => self.constant(op, value)?,
                _ => self.attr(op, value)?,
            };
            attrs.insert(SmolStr::new_static(declared.name), value);
        }
        for (name, value) in op.discardables() {
            let value = match self.attr(op, value)? {
                Attr::Symbol(symbol) if names_symbol(info, name) => Attr::Str(symbol),
                value => value,
            };
            attrs.insert(name.into(), value);
        }
        let mut operands: SmallVec<[ast::ValueId; 3]> = SmallVec::new();
        let mut successors = Vec::new();
        if info.successors == 0 {
            for i in 0..op.operand_len() {
                operands.push(id(op.value(i))?);
            }
        } else {
            // The operands are the condition's, then each target's arguments.
            let groups: Vec<Vec<Value>> = if info.successors == 1 {
                vec![Vec::new(), op.all_operands().to_vec()]
            } else {
                (0..=info.successors).map(|i| op.segment(i).to_vec()).collect()
            };
            for value in &groups[0] {
                operands.push(id(*value)?);
            }
            for (index, group) in groups[1..].iter().enumerate() {
                let Ok(block) = op.successor(index) else { return refuse(op, "a branch target is missing".into()) };
                let Some(block) = blocks.get(&(block.to_raw().ptr as usize)) else {
                    return refuse(op, "it branches out of its function".into());
                };
                let args = group.iter().map(|v| id(*v)).collect::<Export<_>>()?;
                successors.push(ast::Successor { block: ast::BlockId(*block), args });
            }
        }
        let results = (0..op.result_len()).map(|i| id(op.result_at(i))).collect::<Export<_>>()?;
        Ok(ast::Operation {
            name: SmolStr::new_static(info.ppyir),
            operands,
            results,
            attrs,
            successors,
            regions: Vec::new(),
            loc: location::frontend(op.loc()),
            span: Span::NONE,
        })
    }

    //===- attributes ---------------------------------------------------------------===//

    /// The value of a constant or global, whose type stands beside it.
    fn constant(&mut self, op: Op<'c, 'a>, value: Attribute<'c>) -> Export<'c, Attr> {
        if is_null_attribute(value) {
            return Ok(Attr::Int(0));
        }
        match view(value) {
            AttributeView::Float(_) => Ok(Attr::Float(float_value(value).unwrap_or_default())),
            AttributeView::Int { value, .. } => Ok(Attr::Int(value)),
            AttributeView::Bool(b) => Ok(Attr::Bool(b)),
            AttributeView::Str(text) => Ok(Attr::Str(text.into())),
            _ => refuse(op, format!("the constant {value} is no number, bool, string or null")),
        }
    }

    fn attr(&mut self, op: Op<'c, 'a>, value: Attribute<'c>) -> Export<'c, Attr> {
        Ok(match view(value) {
            AttributeView::Bool(b) => Attr::Bool(b),
            AttributeView::Unit => Attr::Bool(true),
            AttributeView::Int { value, .. } => Attr::Int(value),
            AttributeView::Float(f) => Attr::Float(f),
            AttributeView::Str(text) => Attr::Str(text.into()),
            AttributeView::Symbol(name) => Attr::Symbol(name.into()),
            AttributeView::Type(ty) => Attr::Type(self.ty(op, ty)?),
            AttributeView::Array(items) => {
                Attr::List(items.into_iter().map(|i| self.attr(op, i)).collect::<Export<_>>()?)
            }
            AttributeView::Dict(entries) => {
                let mut attrs = Attrs::default();
                for (name, value) in entries {
                    attrs.insert(name.into(), self.attr(op, value)?);
                }
                Attr::Dict(attrs)
            }
            AttributeView::Other => return refuse(op, format!("the attribute {value} has no .ppyir spelling")),
        })
    }

    //===- types ------------------------------------------------------------------===//

    fn ty(&mut self, op: Op<'c, 'a>, ty: Type<'c>) -> Export<'c, Ty> {
        let key = ty.to_raw().ptr as usize;
        if let Some(known) = self.types.get(&key) {
            return Ok(known.clone());
        }
        let made = self.make_type(op, ty)?;
        self.types.insert(key, made.clone());
        Ok(made)
    }

    fn make_type(&mut self, op: Op<'c, 'a>, ty: Type<'c>) -> Export<'c, Ty> {
        if ty.is_index() {
            return Ok(Ty::Index);
        }
        if let Some(scalar) = scalar_type(ty) {
            return Ok(match scalar {
                ScalarType::Bool => Ty::Bool,
                ScalarType::Int { width, signed } => Ty::Int { width: width as u8, signed },
                ScalarType::F16 => Ty::F16,
                ScalarType::Bf16 => Ty::Bf16,
                ScalarType::F32 => Ty::F32,
                ScalarType::F64 => Ty::F64,
            });
        }
        if let Some(lanes) = vector_lanes(ty) {
            return Ok(Ty::Vector(Arc::new(self.ty(op, element_or_self(ty))?), lanes));
        }
        if let Ok(tuple) = TupleType::try_from(ty) {
            let elements = (0..tuple.type_count()).filter_map(|i| tuple.r#type(i).ok());
            let elements = elements.map(|t| self.ty(op, t)).collect::<Export<Vec<_>>>()?;
            return Ok(Ty::Tuple(elements.into()));
        }
        if let Some(ptr) = PtrType::cast(ty) {
            let pointee = self.ty(op, ptr.pointee())?;
            return Ok(Ty::Ptr(Arc::new(ast::PtrType {
                pointee,
                space: ptr.space().into(),
                constant: ptr.constant(),
            })));
        }
        if let Some(buffer) = BufferType::cast(ty) {
            return Ok(Ty::Buffer(Arc::new(self.ty(op, buffer.element())?)));
        }
        if let Some(record) = StructType::cast(ty) {
            let types = record.types().into_iter().map(|t| self.ty(op, t)).collect::<Export<Vec<_>>>()?;
            let fields = record.fields().into_iter().map(SmolStr::new).zip(types).collect();
            return Ok(Ty::Struct(Arc::new(ast::StructType { name: record.name().into(), fields })));
        }
        if let Some(array) = ArrayType::cast(ty) {
            let shape: Vec<u64> = array.shape().into_iter().map(|n| n as u64).collect();
            return Ok(Ty::Array(Arc::new(self.ty(op, array.element())?), shape.into()));
        }
        if let Some(future) = FutureType::cast(ty) {
            return Ok(Ty::Future(Arc::new(self.ty(op, future.value())?)));
        }
        if VoidType::cast(ty).is_some() {
            return Ok(Ty::Void);
        }
        match dialect_type::in_ppyir(op.context_ref(), ty, |ty| self.ty(op, ty))? {
            Some(owned) => {
                self.used.extend(registry::dialect_by_ppyir(&owned.dialect).map(|d| d.ppyir));
                Ok(Ty::Dialect(Arc::new(owned)))
            }
            None => refuse(op, format!("the type {ty} has no .ppyir spelling")),
        }
    }
}

/// The inverse of import's prefixing.
fn unprefixed(name: &str) -> &str {
    name.strip_prefix("ppy_core.").unwrap_or(name)
}

/// A label for every block: the one it was read with, `entry` for an entry without, else `bb<index>`; made unique.
pub(crate) fn labels(blocks: &[BlockRef<'_, '_>]) -> Vec<SmolStr> {
    let mut taken: FxHashSet<SmolStr> = FxHashSet::default();
    let wanted = blocks.iter().enumerate().map(|(index, block)| match location::block_label(*block) {
        Some(label) if !label.is_empty() => SmolStr::new(label),
        _ if index == 0 => SmolStr::new_static("entry"),
        _ => format_smolstr!("bb{index}"),
    });
    wanted
        .map(|label| {
            let mut unique = label.clone();
            let mut number = 1;
            while !taken.insert(unique.clone()) {
                unique = format_smolstr!("{label}_{number}");
                number += 1;
            }
            unique
        })
        .collect()
}
