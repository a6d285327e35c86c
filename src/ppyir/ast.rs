//! The ppy IR as plain Rust data: what `.ppyir` text parses to and prints from, and what the interpreter executes.
//!
//! Invariants: names are resolved (an operand is a [`ValueId`], a branch target a [`BlockId`]), every value carries
//! exactly one type, and nothing here knows what an operation means. The tree is independent of MLIR; `import.rs` and
//! `export.rs` translate it to and from the `ppy_*` dialects. Source: spec `ir.txt`, sections Shape, Types, Text.

use smallvec::SmallVec;
use smol_str::SmolStr;
use std::sync::Arc;

/// The schema number this codec reads and writes (`ppyir 1`).
pub const SCHEMA: u32 = 1;

/// A byte offset into the text the node was read from; `NONE` for nodes that were built.
///
/// Every span equals every other, so that `==` on the tree compares what a module says, not where it was written.
#[derive(Clone, Copy, Debug)]
pub struct Span(pub u32);

impl Span {
    pub const NONE: Span = Span(u32::MAX);

    /// The offset; `None` for a node that was built. Comparing with `NONE` tells nothing.
    pub fn offset(self) -> Option<usize> {
        (self.0 != Self::NONE.0).then_some(self.0 as usize)
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Span {}

/// One document: a module with its header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    pub name: SmolStr,
    /// Every dialect used with its version, in the order written.
    pub dialects: Vec<(SmolStr, u32)>,
    /// `None` when the module has no `attrs` line.
    pub attrs: Option<Attrs>,
    /// Globals and functions in the order written.
    pub items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Global(Global),
    Function(Function),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub symbol: SmolStr,
    pub private: bool,
    /// `mutable` globals are variables; the others are constants.
    pub mutable: bool,
    pub ty: Type,
    pub value: Option<Attr>,
    pub loc: Option<Loc>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub symbol: SmolStr,
    pub private: bool,
    /// `None` is a declaration (`extern func`).
    pub body: Option<Region>,
    /// Parameter attributes by position; the parameters themselves are the entry block's arguments.
    pub params: Vec<Param>,
    pub results: Vec<Type>,
    /// `None` when the function has no `attrs`.
    pub attrs: Option<Attrs>,
    pub loc: Option<Loc>,
    /// Every value of the function, nested regions included, in definition order of the text.
    pub values: Vec<ValueDef>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// `None` in a declaration, whose parameters have no names.
    pub value: Option<ValueId>,
    pub ty: Type,
    pub attrs: Attrs,
}

impl Function {
    /// Clears the names that are only numbers, so that the printer numbers those values anew.
    pub fn renumber(&mut self) {
        for value in &mut self.values {
            if value.is_numbered() {
                value.name = SmolStr::default();
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

#[derive(Clone, Debug, PartialEq)]
pub struct ValueDef {
    /// The name without `%`. The printer keeps it unless an earlier value of the function took it; an empty name is
    /// numbered. `Function::renumber` clears the names that are only numbers.
    pub name: SmolStr,
    pub ty: Type,
}

impl ValueDef {
    /// Whether the name is only a number, or there is none.
    pub fn is_numbered(&self) -> bool {
        self.name.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// Index of a block within its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The label without `^`.
    pub name: SmolStr,
    pub args: Vec<ValueId>,
    pub ops: Vec<Operation>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Full name without a variant suffix: `core.cmp`, with `predicate` among the attributes.
    pub name: SmolStr,
    pub operands: SmallVec<[ValueId; 3]>,
    pub results: SmallVec<[ValueId; 1]>,
    pub attrs: Attrs,
    pub successors: Vec<Successor>,
    pub regions: Vec<Region>,
    /// As written, or inherited from the previous operation of the block. The operation right before a repeated
    /// location has none: only so can the printer have written the location again.
    pub loc: Option<Loc>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Successor {
    pub block: BlockId,
    pub args: SmallVec<[ValueId; 2]>,
}

/// `loc("file":line:column)`; line is 1-based, column as the frontend wrote it (0-based).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loc {
    // The numbers first: they tell locations of one file apart.
    pub line: u32,
    pub column: u32,
    pub file: SmolStr,
}

/// Attributes, sorted by key, keys unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attrs(pub Vec<(SmolStr, Attr)>);

impl Attrs {
    pub fn get(&self, key: &str) -> Option<&Attr> {
        self.0.binary_search_by(|(k, _)| k.as_str().cmp(key)).ok().map(|i| &self.0[i].1)
    }
    /// Inserts keeping the order; answers the value it replaced.
    pub fn insert(&mut self, key: SmolStr, value: Attr) -> Option<Attr> {
        match self.0.binary_search_by(|(k, _)| k.cmp(&key)) {
            Ok(i) => Some(std::mem::replace(&mut self.0[i].1, value)),
            Err(i) => {
                // Most operations have one; a vector's own growth begins at four.
                if self.0.is_empty() {
                    self.0.reserve_exact(1);
                }
                self.0.insert(i, (key, value));
                None
            }
        }
    }
    pub fn remove(&mut self, key: &str) -> Option<Attr> {
        let at = self.0.binary_search_by(|(k, _)| k.as_str().cmp(key)).ok()?;
        Some(self.0.remove(at).1)
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Attr)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v))
    }
}

/// An attribute value. `PartialEq` compares floats by their bits, so `-0.0` and `nan` keep their identity.
#[derive(Clone, Debug)]
pub enum Attr {
    Bool(bool),
    /// Exact; what does not fit `i128` is refused by the reader.
    Int(i128),
    Float(f64),
    Str(SmolStr),
    /// `@name`
    Symbol(SmolStr),
    Type(Type),
    List(Vec<Attr>),
    Dict(Attrs),
}

impl PartialEq for Attr {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Attr::Bool(a), Attr::Bool(b)) => a == b,
            (Attr::Int(a), Attr::Int(b)) => a == b,
            (Attr::Float(a), Attr::Float(b)) => a.to_bits() == b.to_bits(),
            (Attr::Str(a), Attr::Str(b)) | (Attr::Symbol(a), Attr::Symbol(b)) => a == b,
            (Attr::Type(a), Attr::Type(b)) => a == b,
            (Attr::List(a), Attr::List(b)) => a == b,
            (Attr::Dict(a), Attr::Dict(b)) => a == b,
            _ => false,
        }
    }
}

/// A type; compares by content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Bool,
    /// Width in bits: 8, 16, 32, 64.
    Int {
        width: u8,
        signed: bool,
    },
    F16,
    F32,
    F64,
    Bf16,
    Index,
    Ptr(Arc<PtrType>),
    Buffer(Arc<Type>),
    Vector(Arc<Type>, u64),
    Tuple(Arc<[Type]>),
    Struct(Arc<StructType>),
    /// Row-major, outermost dimension first.
    Array(Arc<Type>, Arc<[u64]>),
    Future(Arc<Type>),
    /// `dialect.name<args>`, arguments as written.
    Dialect(Arc<DialectType>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PtrType {
    pub pointee: Type,
    /// `generic` when none is written.
    pub space: SmolStr,
    pub constant: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    pub name: SmolStr,
    pub fields: Vec<(SmolStr, Type)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DialectType {
    pub dialect: SmolStr,
    pub name: SmolStr,
    pub args: Vec<TypeArg>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeArg {
    Type(Type),
    Int(i128),
    /// A bare word or a parenthesized dimension expression, as written.
    Word(SmolStr),
}

/// Calls `visit` for `ty` and every type in it.
pub fn walk_type(ty: &Type, visit: &mut impl FnMut(&Type)) {
    visit(ty);
    match ty {
        Type::Ptr(pointer) => walk_type(&pointer.pointee, visit),
        Type::Buffer(inner) | Type::Future(inner) | Type::Vector(inner, _) | Type::Array(inner, _) => {
            walk_type(inner, visit);
        }
        Type::Tuple(items) => items.iter().for_each(|item| walk_type(item, visit)),
        Type::Struct(structure) => structure.fields.iter().for_each(|(_, field)| walk_type(field, visit)),
        Type::Dialect(dialect) => {
            for arg in &dialect.args {
                if let TypeArg::Type(arg) = arg {
                    walk_type(arg, visit);
                }
            }
        }
        _ => {}
    }
}
