//! Every pattern, executed: the functions of `tests/patterns` run in the interpreter before and after `canonicalize`
//! (or the pipeline that their attribute `pipeline` names), on edge and random values, and end alike, bit for bit.
//!
//! `expect = "-core.neg +core.sub 1core.add +core.const_5"` says what is gone, what is there (a constant by its value),
//! and how often; `0overflow_=_python` is of the attribute. `python_may_succeed` allows that a call which fell back has
//! a result now (docs/fallback.md).

mod support;

use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use ppy_mlir::interp::{self, ErrorKind, InterpError, Interpreter, Limits, Outcome};
use ppy_mlir::ppyir::ast::{self, Attr, Function, Item, Type};
use ppy_mlir::ppyir::{self, print_module};
use ppy_mlir::registry::Syntax;
use ppy_mlir::semantics::value::{Data, Value};
use ppy_mlir::semantics::{Scalar, ScalarType, float};
use std::collections::BTreeSet;
use support::{Tally, files, folder};

/// Calls per function beyond the edge values.
const RANDOM_CALLS: usize = 60;
/// Calls per function at most.
const MAX_CALLS: usize = 400;

/// A generator of numbers, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// The values of a scalar type where something happens.
fn edges(ty: ScalarType) -> Vec<u64> {
    match ty {
        ScalarType::Bool => vec![0, 1],
        ScalarType::Float(float) => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -2.5,
            3.0,
            255.0,
            65504.0,
            1e-7,
            5e-324,
            1e300,
            -1e300,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]
        .iter()
        .map(|value| float::encode(float, *value))
        .collect(),
        ty => {
            let Some(int) = ty.as_int() else { return vec![0] };
            let (min, max) = (int.min(), int.max());
            let near = [0, 1, 2, 3, 5, 7, 8, -1, -2, -3, 63, 100, -100, min, min + 1, max, max - 1, max / 2, min / 2];
            let mut list: Vec<u64> = near.iter().map(|value| int.wrap(*value)).collect();
            list.dedup();
            list
        }
    }
}

fn random_scalar(ty: ScalarType, random: &mut Random) -> u64 {
    let edges = edges(ty);
    match random.below(3) {
        0 => edges[random.below(edges.len())],
        _ => match ty {
            ScalarType::Bool => random.next() & 1,
            ScalarType::Float(float) => {
                float::encode(float, (random.next() as i64 as f64) / (1u64 << random.below(64)) as f64)
            }
            ty => ty.as_int().map_or(0, |int| int.wrap(i128::from(random.next() as i64 >> random.below(64)))),
        },
    }
}

fn random_value(ty: &Type, random: &mut Random) -> Value {
    match ty {
        Type::Buffer(element) => memory(element, 4, random),
        Type::Ptr(pointer) => memory(&pointer.pointee, 4, random),
        Type::Tuple(items) => Value::Group(items.iter().map(|item| random_value(item, random)).collect()),
        Type::Struct(record) => {
            Value::Group(record.fields.iter().map(|(_, field)| random_value(field, random)).collect())
        }
        Type::Vector(lane, lanes) => Value::Group((0..*lanes).map(|_| random_value(lane, random)).collect()),
        ty => {
            let ty = ScalarType::of(ty).expect("a scalar parameter");
            Value::Scalar(Scalar { ty, bits: random_scalar(ty, random) })
        }
    }
}

fn memory(element: &Type, len: usize, random: &mut Random) -> Value {
    let ty = ScalarType::of(element).expect("elements that are scalars");
    let scalars: Vec<Scalar> = (0..len).map(|_| Scalar { ty, bits: random_scalar(ty, random) }).collect();
    Value::Memory(Data::pack(element.clone(), &scalars).expect("elements with a layout"))
}

/// The argument lists to call a function with: every combination of edges where there are few, and random ones.
fn calls(function: &Function, random: &mut Random) -> Vec<Vec<Value>> {
    let mut lists: Vec<Vec<Value>> = vec![vec![]];
    for param in &function.params {
        let Some(ty) = ScalarType::of(&param.ty).filter(|_| !matches!(param.ty, Type::Ptr(_))) else {
            lists.iter_mut().for_each(|list| list.push(random_value(&param.ty, random)));
            continue;
        };
        let edges = edges(ty);
        let longer = |list: &Vec<Value>, bits: &u64| {
            let mut list = list.clone();
            list.push(Value::Scalar(Scalar { ty, bits: *bits }));
            list
        };
        lists = match lists.len() * edges.len() <= MAX_CALLS {
            true => lists.iter().flat_map(|list| edges.iter().map(move |bits| longer(list, bits))).collect(),
            false => lists.iter().map(|list| longer(list, &edges[random.below(edges.len())])).collect(),
        };
    }
    let more = |random: &mut Random| function.params.iter().map(|param| random_value(&param.ty, random)).collect();
    lists.extend((0..RANDOM_CALLS).map(|_| more(random)));
    lists
}

/// Equal bits, or both a NaN: its payload is the machine's.
fn same(a: &Value, b: &Value) -> bool {
    let (a, b) = (a.scalars(), b.scalars());
    let nan = |scalar: &Scalar| scalar.as_f64().is_some_and(f64::is_nan);
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || a.ty == b.ty && nan(a) && nan(b))
}

fn same_memory(a: &[Data], b: &[Data]) -> bool {
    let leaves = |data: &Data| Value::Group(data.leaves().unwrap_or_default().into_iter().map(Value::Scalar).collect());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(&leaves(a), &leaves(b)))
}

/// Why the second run of a function is not the first, if it is not.
fn difference(
    before: &Result<Outcome, InterpError>,
    after: &Result<Outcome, InterpError>,
    may_succeed: bool,
) -> Option<String> {
    let (before, after) = match (before, after) {
        // What is undefined may become anything.
        (Err(error), _) if error.kind == ErrorKind::Undefined => return None,
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) => return Some(format!("before: {error}")),
        (_, Err(error)) => return Some(format!("after: {error}")),
    };
    if before.status == interp::FALLBACK && after.status == interp::OK && may_succeed {
        return None;
    }
    let results = before.results.len() == after.results.len()
        && before.results.iter().zip(&after.results).all(|(a, b)| same(a, b));
    let alike = before.status == after.status && results && same_memory(&before.memory, &after.memory);
    (!alike).then(|| format!("{before:?} became {after:?}"))
}

fn attribute<'m>(function: &'m Function, name: &str) -> Option<&'m Attr> {
    function.attrs.as_ref()?.get(name)
}

fn text<'m>(function: &'m Function, name: &str) -> Option<&'m str> {
    match attribute(function, name) {
        Some(Attr::Str(text)) => Some(text.as_str()),
        _ => None,
    }
}

fn functions(module: &ast::Module) -> impl Iterator<Item = &Function> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) if function.body.is_some() => Some(function),
        _ => None,
    })
}

/// What the function's text does not have as its `expect` says.
fn unmet(function: &str, expect: &str) -> Option<String> {
    for word in expect.split_whitespace() {
        let (how, what) = word.split_at(1);
        let name = what.replace("core.const_", "core.const ").replace("_=_", " = \"");
        let count = function
            .match_indices(&name)
            .filter(|(at, _)| !function[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            .count();
        let met = match how {
            "-" => count == 0,
            "+" => count > 0,
            exactly => Some(count) == exactly.parse().ok(),
        };
        if !met {
            return Some(format!("{word} is not met in\n{function}"));
        }
    }
    None
}

fn run_passes(context: &Context, module: &mut Module, pipeline: &str) {
    let passes = PassManager::new(context);
    parse_pass_pipeline(passes.as_operation_pass_manager(), &format!("builtin.module({pipeline})"))
        .unwrap_or_else(|error| panic!("{pipeline}: {error}"));
    passes.run(module).unwrap_or_else(|error| panic!("{pipeline}: {error}"));
}

fn exported(module: &Module) -> ast::Module {
    ppyir::export(module.as_operation()).unwrap_or_else(|error| panic!("{}", error.message))
}

/// The functions of a printed module, by name.
fn texts(module: &ast::Module) -> Vec<(String, String)> {
    let printed = print_module(module, &Syntax).expect("what was read prints");
    let parts = printed.split("\nfunc @").skip(1);
    parts.filter_map(|part| Some((part.split_once('(')?.0.to_owned(), part.split_once("{\n")?.1.to_owned()))).collect()
}

#[test]
fn patterns_keep_the_meaning() {
    melior::utility::register_all_passes();
    let context = ppy_mlir::context();
    let mut tally = Tally::default();
    for path in files(&folder("patterns"), "ppyir") {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.display().to_string();
        let read = || ppyir::read(&context, &bytes, &name).unwrap_or_else(|errors| panic!("{errors}")).remove(0);
        let before = exported(&read());
        let pipelines: BTreeSet<&str> =
            functions(&before).map(|f| text(f, "pipeline").unwrap_or("canonicalize")).collect();
        for pipeline in pipelines {
            let mut module = read();
            run_passes(&context, &mut module, pipeline);
            let after = exported(&module);
            let texts = texts(&after);
            let mut random = Random(0x9e37_79b9_7f4a_7c15);
            let mut first = Interpreter::new(&before, Limits::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let mut second = Interpreter::new(&after, Limits::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
            for function in functions(&before) {
                if text(function, "pipeline").unwrap_or("canonicalize") != pipeline {
                    continue;
                }
                let symbol = function.symbol.as_str();
                let shown = texts.iter().find(|(name, _)| name == symbol).map_or("", |(_, text)| text);
                let problem = text(function, "expect").and_then(|expect| unmet(shown, expect)).or_else(|| {
                    let may_succeed = matches!(attribute(function, "python_may_succeed"), Some(Attr::Bool(true)));
                    calls(function, &mut random).into_iter().find_map(|arguments| {
                        difference(&first.call(symbol, &arguments), &second.call(symbol, &arguments), may_succeed)
                            .map(|problem| format!("{arguments:?}: {problem}\n{shown}"))
                    })
                });
                match problem {
                    None => tally.passed += 1,
                    Some(problem) => tally.failed.push(format!("{name}: @{symbol}: {problem}")),
                }
            }
        }
    }
    tally.finish("patterns");
}

/// The pipelines that programs go through, each as one string of passes.
const PIPELINES: &[&str] =
    &["canonicalize", "canonicalize,mem2reg,simplify-cfg,cse,dce", "inline,mem2reg,sccp,canonicalize"];

#[test]
fn programs_keep_their_answers() {
    let context = ppy_mlir::context();
    melior::utility::register_all_passes();
    let mut tally = Tally::default();
    for expectations in files(&folder("exec"), "json").into_iter().filter(|path| path.ends_with("expect.json")) {
        let home = expectations.parent().expect("a file has a folder");
        let rows: Vec<_> =
            support::rows(&expectations).into_iter().filter(|row| row.get("needs_runtime").is_none()).collect();
        let paths = files(home, "ppyir");
        for path in paths.iter().filter(|path| !path.to_string_lossy().ends_with(".reprint.ppyir")) {
            let bytes = std::fs::read(path).expect("a readable file");
            let name = path.display().to_string();
            for pipeline in PIPELINES {
                let modules = ppyir::read(&context, &bytes, &name).unwrap_or_else(|errors| panic!("{errors}"));
                let modules: Vec<ast::Module> = modules
                    .into_iter()
                    .map(|mut module| {
                        run_passes(&context, &mut module, pipeline);
                        exported(&module)
                    })
                    .collect();
                let local = path.strip_prefix(home).expect("below").to_string_lossy().into_owned();
                for row in &rows {
                    let symbol = row["func"].as_str().expect("a row names its function");
                    let chosen = row["files"].as_array().is_none_or(|chosen| chosen.iter().any(|c| *c == *local));
                    let Some(module) = modules.iter().find(|m| chosen && support::defines(m, symbol)) else { continue };
                    match support::Engine::call(&mut support::Interpreted(module), symbol, &row["args"]) {
                        Ok(answer) if support::meets(row, &answer) => tally.passed += 1,
                        Ok(answer) => tally.failed.push(format!("{name} after {pipeline}: {answer} for {row}")),
                        Err(error) => tally.failed.push(format!("{name} after {pipeline}: {error} for {row}")),
                    }
                }
            }
        }
    }
    tally.finish("programs after passes");
}
