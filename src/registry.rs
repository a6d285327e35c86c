//! What TableGen knows, as tables: dialects with their operations and types, and passes.

use crate::ppyir::{OpSyntax, SyntaxTable};
use std::{collections::HashMap, sync::LazyLock};

/// A dialect.
#[derive(Debug)]
pub struct DialectInfo {
    /// MLIR namespace, `ppy_core`.
    pub name: &'static str,
    /// Name in `.ppyir`, `core`.
    pub ppyir: &'static str,
    pub version: u32,
    pub summary: &'static str,
    pub description: &'static str,
    /// Address spaces it gives pointers.
    pub address_spaces: &'static [&'static str],
    /// (mnemonic, summary, description)
    pub types: &'static [(&'static str, &'static str, &'static str)],
    pub ops: &'static [OpInfo],
}

/// An operation.
#[derive(Debug)]
pub struct OpInfo {
    /// MLIR name, `ppy_core.add`.
    pub name: &'static str,
    /// `.ppyir` name, `core.add`.
    pub ppyir: &'static str,
    pub summary: &'static str,
    /// Markdown, with an example in an `mlir` block.
    pub description: &'static str,
    /// How many operands; `None` is any number.
    pub operands: Option<usize>,
    pub results: Option<usize>,
    pub successors: usize,
    pub regions: usize,
    pub terminator: bool,
    /// Reads and writes nothing.
    pub pure: bool,
    pub commutative: bool,
    /// Defines a symbol of the module (a function or a global).
    pub symbol: bool,
    /// The attribute that a suffix of the `.ppyir` name spells; empty for none.
    pub variant_attribute: &'static str,
    pub variants: &'static [&'static str],
    /// The attribute written without braces in `.ppyir`; empty for none.
    pub inline_attribute: &'static str,
    pub hooks: Hooks,
    pub attributes: &'static [AttributeInfo],
}

/// Which hooks an operation has in its dialect's Rust.
#[derive(Debug)]
pub struct Hooks {
    pub verify: bool,
    pub fold: bool,
    pub canonicalize: bool,
}

/// An attribute an operation declares.
#[derive(Debug)]
pub struct AttributeInfo {
    pub name: &'static str,
    pub optional: bool,
    pub kind: AttributeKind,
}

#[derive(Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// A word of a fixed set.
    Enum(&'static [&'static str]),
    Str,
    I64,
    Bool,
    Unit,
    Symbol,
    Type,
    Array,
    Other,
}

/// A pass.
#[derive(Debug)]
pub struct PassInfo {
    pub argument: &'static str,
    pub summary: &'static str,
    pub description: &'static str,
    /// The operation it runs on, `ppy_core.func`; empty for any.
    pub anchor: &'static str,
    /// C++ classes of the analyses that its body gets.
    pub requires: &'static [&'static str],
    /// C++ classes of the analyses that hold after it as before.
    pub preserves: &'static [&'static str],
    /// (name, C++ type, default, description)
    pub options: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// (name, description)
    pub statistics: &'static [(&'static str, &'static str)],
}

/// A part of the default pipeline, with its passes in order.
#[derive(Debug)]
pub struct PhaseInfo {
    pub name: &'static str,
    /// Whether others may add passes here, by its name.
    pub stage: bool,
    pub summary: &'static str,
    pub steps: &'static [StepInfo],
}

/// A pass in the default pipeline.
#[derive(Debug)]
pub struct StepInfo {
    /// As in the text of a pipeline, options included.
    pub pass: &'static str,
    /// The operation that a pass for any operation is run on; empty for the pass's own.
    pub anchor: &'static str,
    /// The lowest level at which it runs.
    pub level: u32,
    /// Runs only when it is asked for.
    pub optional: bool,
}

include!(concat!(env!("OUT_DIR"), "/registry.rs"));

static BY_PPYIR: LazyLock<HashMap<&'static str, &'static OpInfo>> =
    LazyLock::new(|| DIALECTS.iter().flat_map(|d| d.ops).map(|op| (op.ppyir, op)).collect());
static BY_NAME: LazyLock<HashMap<&'static str, &'static OpInfo>> =
    LazyLock::new(|| DIALECTS.iter().flat_map(|d| d.ops).map(|op| (op.name, op)).collect());

/// The operation with this `.ppyir` name.
pub fn op_by_ppyir(name: &str) -> Option<&'static OpInfo> {
    BY_PPYIR.get(name).copied()
}

/// The operation with this MLIR name.
pub fn op_by_name(name: &str) -> Option<&'static OpInfo> {
    BY_NAME.get(name).copied()
}

/// The dialect with this `.ppyir` name.
pub fn dialect_by_ppyir(name: &str) -> Option<&'static DialectInfo> {
    DIALECTS.iter().find(|d| d.ppyir == name)
}

/// The registry as the codec's table.
pub struct Syntax;

impl SyntaxTable for Syntax {
    fn dialect_version(&self, dialect: &str) -> Option<u32> {
        dialect_by_ppyir(dialect).map(|d| d.version)
    }
    fn op(&self, name: &str) -> Option<OpSyntax> {
        let some = |s: &'static str| (!s.is_empty()).then_some(s);
        op_by_ppyir(name).filter(|op| !op.symbol).map(|op| OpSyntax {
            variant_attribute: some(op.variant_attribute),
            variants: op.variants,
            inline_attribute: some(op.inline_attribute),
        })
    }
    fn dialects(&self) -> Vec<&'static str> {
        DIALECTS.iter().map(|d| d.ppyir).collect()
    }
    fn ops(&self, dialect: &str) -> Vec<&'static str> {
        dialect_by_ppyir(dialect).map_or(Vec::new(), |d| d.ops.iter().filter(|o| !o.symbol).map(|o| o.ppyir).collect())
    }
}
