//! What the reader and printer must know about operations: the dialects with their versions, and for each operation
//! the attributes that are written outside the braces.

/// How one operation is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpSyntax {
    /// The string attribute written as a suffix of the name: `predicate` in `core.cmp.lt`.
    pub variant_attribute: Option<&'static str>,
    /// The values that the suffix may have.
    pub variants: &'static [&'static str],
    /// The attribute written right after the name: `value` in `core.const 0`.
    pub inline_attribute: Option<&'static str>,
}

/// The dialects that a reader or printer knows.
pub trait SyntaxTable: Sync {
    /// The version of `dialect` that is here; `None` when the dialect is not.
    fn dialect_version(&self, dialect: &str) -> Option<u32>;

    /// The syntax of the operation with this full name (`core.cmp`, without a variant).
    fn op(&self, name: &str) -> Option<OpSyntax>;

    /// The dialects that are here, for messages.
    fn dialects(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The operations of a dialect by full name, for suggestions.
    fn ops(&self, dialect: &str) -> Vec<&'static str> {
        let _ = dialect;
        Vec::new()
    }
}
