//! Tests of the codec: round trips, errors, limits, and random modules and texts.

mod errors;
mod random;
mod text;

use super::{OpSyntax, SyntaxTable, ast::Module, parse_documents, print_documents};

/// A small dialect world: enough to write every construct of the text.
pub(super) struct Table;

const OPS: &[(&str, OpSyntax)] = {
    const PLAIN: OpSyntax = OpSyntax { variant_attribute: None, variants: &[], inline_attribute: None };
    &[
        ("core.add", PLAIN),
        ("core.br", PLAIN),
        ("core.call", PLAIN),
        (
            "core.cmp",
            OpSyntax { variant_attribute: Some("predicate"), variants: &["eq", "lt"], inline_attribute: None },
        ),
        ("core.cond_br", PLAIN),
        ("core.const", OpSyntax { variant_attribute: None, variants: &[], inline_attribute: Some("value") }),
        ("core.ret", PLAIN),
        ("core.unreachable", PLAIN),
        ("tensor.fused", PLAIN),
        ("tensor.yield", PLAIN),
    ]
};

impl SyntaxTable for Table {
    fn dialect_version(&self, dialect: &str) -> Option<u32> {
        match dialect {
            "core" => Some(1),
            "tensor" => Some(2),
            _ => None,
        }
    }
    fn op(&self, name: &str) -> Option<OpSyntax> {
        OPS.iter().find(|(op, _)| *op == name).map(|(_, syntax)| *syntax)
    }
    fn dialects(&self) -> Vec<&'static str> {
        vec!["core", "tensor"]
    }
    fn ops(&self, dialect: &str) -> Vec<&'static str> {
        OPS.iter().map(|(op, _)| *op).filter(|op| op.split('.').next() == Some(dialect)).collect()
    }
}

const HEADER: &str = "ppyir 1\nmodule @t\ndialect core 1\ndialect tensor 2\n";

/// A document of the header and `items`.
fn document(items: &str) -> String {
    format!("{HEADER}\n{items}")
}

/// A document of one function with these lines after `^entry:`.
fn body(lines: &str) -> String {
    document(&format!("func @f(%x: i64, %c: bool) -> i64 {{\n^entry:\n{lines}}}\n"))
}

fn read(text: &str) -> Vec<Module> {
    parse_documents(text, "t.ppyir", &Table).unwrap_or_else(|errors| panic!("{errors}\nin\n{text}"))
}

fn print(modules: &[Module]) -> String {
    print_documents(modules, &Table).unwrap_or_else(|error| panic!("{error}"))
}

/// The text is a fixpoint, and its tree survives printing.
#[track_caller]
fn same(text: &str) {
    prints(text, text);
}

/// `text` reads and prints as `expected`, which is a fixpoint.
#[track_caller]
fn prints(text: &str, expected: &str) {
    let modules = read(text);
    let printed = print(&modules);
    assert_eq!(printed, expected);
    assert_eq!(read(&printed), modules, "the tree changed by printing\n{printed}");
}
