//! The functions that `lower-parallel` makes, as MLIR text: what splits a range, what a spawned chunk of a reduction
//! runs, and the loop of a map.

use super::enums::Reduction;
use super::folding::{Folding, folding};
use crate::dialects::core::ops::{AddOp, MulOp, SubOp};
use crate::mlir::prelude::*;
use std::fmt::Write;

/// What is done with a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    For,
    Map,
    Reduce { op: Reduction, reassociate: bool },
}

/// What an operation asks for; equal ones share their functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    pub kind: Kind,
    pub body: String,
    /// The operands' types: captures, begin, end, and the accumulator or pointer.
    types: Vec<String>,
    folding: Folding,
}

impl Split {
    pub fn new(kind: Kind, body: &str, types: Vec<String>, function: Option<Op<'_, '_>>) -> Split {
        let mut split = Split { kind, body: body.to_owned(), types, folding: Folding::Plain };
        if let Kind::Reduce { op, reassociate } = kind {
            split.folding = match op {
                // Another order of floats is another number.
                _ if split.is_float() => {
                    if reassociate {
                        Folding::Plain
                    } else {
                        Folding::Never
                    }
                }
                Reduction::Add => folding(&[AddOp::NAME, SubOp::NAME], function),
                Reduction::Mul => folding(&[MulOp::NAME], function),
                Reduction::Min | Reduction::Max => Folding::Plain,
            };
        }
        split
    }

    pub fn may_be_split(&self) -> bool {
        self.folding != Folding::Never
    }

    fn captures(&self) -> usize {
        self.types.len().saturating_sub(if self.kind == Kind::For { 2 } else { 3 })
    }

    /// The type of the accumulator, or of the pointer that a map stores through.
    fn last(&self) -> &str {
        self.types.last().map_or("", String::as_str)
    }

    fn is_float(&self) -> bool {
        self.last().starts_with(['f', 'b'])
    }

    /// `%c0: T, ..., %begin: i64, %end: i64, %last: T`
    fn parameters(&self) -> String {
        let typed = self.values("%begin", "%end", "%last").into_iter().zip(&self.types);
        typed.map(|(name, ty)| format!("{name}: {ty}")).collect::<Vec<_>>().join(", ")
    }

    /// The operands with these bounds and this last one.
    fn values(&self, begin: &str, end: &str, last: &str) -> Vec<String> {
        let mut values: Vec<String> = (0..self.captures()).map(|i| format!("%c{i}")).collect();
        values.extend([begin.to_owned(), end.to_owned()]);
        if self.kind != Kind::For {
            values.push(last.to_owned());
        }
        values
    }

    /// ` -> T` of a reduction.
    fn results(&self) -> String {
        match self.kind {
            Kind::Reduce { .. } => format!(" -> {}", self.last()),
            _ => String::new(),
        }
    }

    fn called(&self) -> String {
        match self.kind {
            Kind::Reduce { .. } => self.last().to_owned(),
            _ => "()".to_owned(),
        }
    }
}

fn header(name: &str, parameters: &str, results: &str) -> String {
    format!(
        "ppy_core.func private @\"{name}\"({parameters}){results} attributes {{ppy.synthesized = \"parallel\"}} {{\n"
    )
}

/// What a spawned chunk of a reduction runs: the body, whose result goes to memory of the thread that folds.
pub fn task_text(split: &Split, name: &str) -> String {
    let (ty, values) = (split.last(), split.values("%begin", "%end", "%last").join(", "));
    header(name, &format!("{}, %out: !ppy_core.ptr<{ty}, stack>", split.parameters()), "")
        + &format!(
            "  %0 = ppy_core.call @\"{}\"({values}) : ({}) -> {ty}\n  \
             ppy_core.store %0, %out : !ppy_core.ptr<{ty}, stack>\n  ppy_core.ret\n}}\n",
            split.body,
            split.types.join(", ")
        )
}

/// The loop of a map: the body of every number, stored.
pub fn loop_text(split: &Split, name: &str) -> String {
    let pointer = split.last();
    // `!ppy_core.ptr<T>` or `!ppy_core.ptr<T, space>`: the parser gives the result of a load that type.
    let mut values: Vec<String> = (0..split.captures()).map(|i| format!("%c{i}")).collect();
    values.push("%i".into());
    let types = split.types.get(..split.captures() + 1).unwrap_or_default().join(", ");
    header(name, &split.parameters(), "")
        + &format!(
            "  %one = ppy_core.const 1 : i64\n  ppy_core.br ^head(%begin : i64)\n^head(%i: i64):\n  \
             %more = ppy_core.cmp lt, %i, %end : i64\n  ppy_core.cond_br %more, ^body, ^end\n^body:\n  \
             %v = ppy_core.call @\"{}\"({}) : ({types}) -> {}\n  \
             %p = ppy_core.ptr_offset %last, %i : {pointer}, i64\n  ppy_core.store %v, %p : {pointer}\n  \
             %next = ppy_core.add %i, %one overflow<proven> : i64\n  ppy_core.br ^head(%next : i64)\n^end:\n  \
             ppy_core.ret\n}}\n",
            split.body,
            values.join(", "),
            pointee(pointer),
        )
}

/// The `T` of `!ppy_core.ptr<T, space>`: up to a comma outside brackets.
fn pointee(pointer: &str) -> &str {
    let inside = pointer.split_once('<').map_or("", |(_, rest)| rest.strip_suffix('>').unwrap_or(rest));
    let mut depth = 0;
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if inside[..at].ends_with('-') => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return &inside[..at],
            _ => {}
        }
    }
    inside
}

/// What changes nothing when it is folded with a number, as MLIR writes it.
fn identity(op: Reduction, ty: &str) -> String {
    let (signed, width) = match ty {
        "index" => (true, 64),
        _ => (ty.starts_with('i'), ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(64)),
    };
    let integer = |least: bool| match (least, signed) {
        (true, true) => (-1i128 << (width - 1)).to_string(),
        (true, false) => "0".into(),
        (false, true) => ((1i128 << (width - 1)) - 1).to_string(),
        (false, false) => ((1i128 << width) - 1).to_string(),
    };
    // Infinities are written by their bits.
    let infinity = |negative: bool| match (ty, negative) {
        ("f16", false) => "0x7C00",
        ("f16", true) => "0xFC00",
        ("bf16", false) => "0x7F80",
        ("bf16", true) => "0xFF80",
        ("f32", false) => "0x7F800000",
        ("f32", true) => "0xFF800000",
        (_, false) => "0x7FF0000000000000",
        (_, true) => "0xFFF0000000000000",
    };
    match (op, ty.starts_with('f') || ty == "bf16") {
        (Reduction::Add, false) => "0".into(),
        // 0.0 would make 0.0 of -0.0.
        (Reduction::Add, true) => "-0.0".into(),
        (Reduction::Mul, false) => "1".into(),
        (Reduction::Mul, true) => "1.0".into(),
        (Reduction::Min, false) => integer(false),
        (Reduction::Max, false) => integer(true),
        (Reduction::Min, true) => infinity(false).into(),
        (Reduction::Max, true) => infinity(true).into(),
    }
}

/// The function that splits a range: a short one is one chunk; of a longer one the first chunk runs here and the others
/// are spawned. All are joined before a failure of any is one of this function.
pub fn split_text(split: &Split, name: &str, chunk: &str, task: &str, threads: usize, minimum: i64) -> String {
    let (types, gives) = (split.types.join(", "), split.called());
    let ty = split.last();
    let fold = match split.kind {
        Kind::Reduce { op, .. } => Some(op),
        _ => None,
    };
    let whole = split.values("%begin", "%end", "%last").join(", ");
    let (bound, returned) = match fold {
        Some(_) => ("%whole = ", format!(" %whole : {ty}")),
        None => ("", String::new()),
    };
    let mut text = header(name, &split.parameters(), &split.results());
    let mut line = |words: std::fmt::Arguments| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {words}");
    };
    line(format_args!("%count = ppy_core.sub %end, %begin overflow<wrap> : i64"));
    line(format_args!("%minimum = ppy_core.const {minimum} : i64"));
    // An empty range whose bounds are far apart has a count that wraps.
    line(format_args!("%empty = ppy_core.cmp le, %end, %begin : i64"));
    line(format_args!("%less = ppy_core.cmp lt, %count, %minimum : i64"));
    line(format_args!("%few = ppy_core.or %empty, %less : i1"));
    line(format_args!("ppy_core.cond_br %few, ^serial, ^split\n^serial:"));
    line(format_args!("{bound}ppy_core.call @\"{chunk}\"({whole}) : ({types}) -> {gives}"));
    line(format_args!("ppy_core.ret{returned}\n^split:"));
    line(format_args!("%threads = ppy_core.const {threads} : i64"));
    line(format_args!("%size = ppy_core.div %count, %threads overflow<wrap> rounding<trunc> : i64"));
    for i in 1..threads {
        let before = if i == 1 { "%begin".to_owned() } else { format!("%b{}", i - 1) };
        line(format_args!("%b{i} = ppy_core.add {before}, %size overflow<wrap> : i64"));
    }
    if let Some(op) = fold {
        line(format_args!("%identity = ppy_core.const {} : {ty}", identity(op, ty)));
    }
    for i in 1..threads {
        let end = if i + 1 == threads { "%end".to_owned() } else { format!("%b{}", i + 1) };
        let mut values = split.values(&format!("%b{i}"), &end, if fold.is_some() { "%identity" } else { "%last" });
        let mut passed = types.clone();
        if fold.is_some() {
            line(format_args!("%p{i} = ppy_core.alloca : !ppy_core.ptr<{ty}, stack>"));
            values.push(format!("%p{i}"));
            passed += &format!(", !ppy_core.ptr<{ty}, stack>");
        }
        line(format_args!("%h{i} = ppy_concurrency.spawn @\"{task}\"({}) : ({passed})", values.join(", ")));
    }
    let first = split.values("%begin", "%b1", "%last").join(", ");
    let (bound, gives) = match fold {
        Some(_) => ("%r0, %s0", format!("({ty}, i64)")),
        None => ("%s0", "i64".to_owned()),
    };
    line(format_args!(
        "{bound} = ppy_core.call @\"{chunk}\"({first}) {{capture_status = true}} : ({types}) -> {gives}"
    ));
    for i in 1..threads {
        line(format_args!("%j{i} = ppy_concurrency.join %h{i}"));
        line(format_args!("%s{i} = ppy_core.or %s{}, %j{i} : i64", i - 1));
    }
    line(format_args!("%zero = ppy_core.const 0 : i64"));
    line(format_args!("%ok = ppy_core.cmp eq, %s{}, %zero : i64", threads - 1));
    line(format_args!("ppy_core.guard %ok, contract {{message = \"a parallel chunk failed\"}}"));
    let Some(op) = fold else {
        line(format_args!("ppy_core.ret\n}}"));
        return text;
    };
    for i in 1..threads {
        let (done, part, next) = (format!("%r{}", i - 1), format!("%v{i}"), format!("%r{i}"));
        line(format_args!("{part} = ppy_core.load %p{i} : !ppy_core.ptr<{ty}, stack>"));
        let mode = match split.folding {
            Folding::Mode(mode) => format!(" overflow<{mode}>"),
            Folding::Plain | Folding::Never => String::new(),
        };
        match op {
            Reduction::Add => line(format_args!("{next} = ppy_core.add {done}, {part}{mode} : {ty}")),
            Reduction::Mul => line(format_args!("{next} = ppy_core.mul {done}, {part}{mode} : {ty}")),
            Reduction::Min | Reduction::Max => {
                let less = if op == Reduction::Min { "lt" } else { "gt" };
                line(format_args!("%less{i} = ppy_core.cmp {less}, {part}, {done} : {ty}"));
                line(format_args!("{next} = ppy_core.select %less{i}, {part}, {done} : i1, {ty}"));
            }
        }
    }
    line(format_args!("ppy_core.ret %r{} : {ty}\n}}", threads - 1));
    text
}
