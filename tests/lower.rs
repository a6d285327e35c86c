//! Every scalar operation, type and mode, on edge values: compiled code answers what the interpreter answers, bit for
//! bit. Where the interpreter says "undefined" compiled code is not asked.

use ppy_mlir::{
    context,
    emit::llvm::{Jit, Level},
    interp::{Interpreter, Limits},
    ppyir::{self, ast, parse_bytes},
    registry::Syntax,
    semantics::{
        FloatType, Scalar, ScalarType,
        value::{Data, Value},
    },
};
use std::fmt::Write;

const INTS: &[&str] = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "index"];
const FLOATS: &[&str] = &["f64", "f32", "f16", "bf16"];
const MODES: &[&str] = &["python", "checked", "wrap", "proven", "native"];

/// An operation under test: `%a` and `%b` are its operands, `%r` its result.
struct Case {
    text: String,
    result: String,
}

fn ast_type(name: &str) -> ast::Type {
    let text = format!("ppyir 1\nmodule @m\ndialect core 1\n\nextern func @f(%x: {name}) -> {name}\n");
    let documents = parse_bytes(text.as_bytes(), "type", &Syntax).unwrap_or_else(|e| panic!("{e}"));
    match &documents[0].items[0] {
        ast::Item::Function(function) => function.params[0].ty.clone(),
        other => panic!("{other:?} is no function"),
    }
}

fn scalar_of(name: &str) -> ScalarType {
    ScalarType::of(&ast_type(name)).expect("a scalar type")
}

fn edges(name: &str) -> Vec<u64> {
    match scalar_of(name) {
        ScalarType::Float(ty) => {
            let mut values = vec![0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 3.0, -3.0, 7.25, -7.25, 0.1, 255.5, 256.0];
            values.extend([65504.0, 65520.0, -70000.0, 2147483648.0, -2147483649.0, 9.3e18, -9.3e18, 1.8e19, 1.9e19]);
            values.extend([1e-8, -1e-40, 5e-324, 3.4e38, 1e300, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
            let mut bits: Vec<u64> = values.into_iter().map(|v| Scalar::float(ty, v).bits).collect();
            bits.dedup();
            bits
        }
        ty => {
            let int = ty.as_int().expect("an integer type");
            let (min, max) = (int.min(), int.max());
            let mut values = vec![min, min + 1, min / 2, max / 2, max / 2 + 1, max - 1, max];
            values.extend([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 31, 32, 63, 64, 100, 127]);
            values.extend([-1, -2, -3, -4, -5, -7, -8, -10, -64, -128]);
            if int.width == 64 {
                // Where a conversion to a small float rounds in two ways.
                let half = (1i128 << 60) + (1 << 52);
                values.extend([half, half + 1, half - 1, -half, -half - 1, (1 << 53) + 1, (1 << 54) + 3]);
            }
            let mut bits: Vec<u64> = values.into_iter().filter_map(|v| int.fit(v)).collect();
            bits.sort_unstable();
            bits.dedup();
            bits
        }
    }
}

fn cases(ty: &str) -> Vec<Case> {
    let mut list = Vec::new();
    let mut add = |text: String, result: &str| list.push(Case { text, result: result.to_owned() });
    for predicate in ["eq", "ne", "lt", "le", "gt", "ge"] {
        add(format!("%r = core.cmp.{predicate} %a, %b : bool"), "bool");
    }
    for to in INTS.iter().chain(FLOATS).chain(&["bool"]) {
        add(format!("%r = core.cast %a : {to}"), to);
    }
    add(format!("%c = core.cmp.lt %a, %b : bool\n    %r = core.select %c, %a, %b : {ty}"), ty);
    if FLOATS.contains(&ty) {
        for op in ["add", "sub", "mul", "div", "mod"] {
            add(format!("%r = core.{op} %a, %b : {ty}"), ty);
        }
        for op in ["div", "mod"] {
            for rounding in ["floor", "trunc"] {
                add(format!("%r = core.{op} %a, %b {{rounding = \"{rounding}\"}} : {ty}"), ty);
            }
        }
        add(format!("%r = core.neg %a : {ty}"), ty);
        for op in ["sqrt", "floor", "ceil", "trunc", "abs"] {
            add(format!("%r = math.{op} %a : {ty}"), ty);
        }
        add(format!("%r = core.call_intrinsic %a {{intrinsic = \"math.fabs\"}} : {ty}"), ty);
        return list;
    }
    for op in ["and", "or", "xor", "shr"] {
        add(format!("%r = core.{op} %a, %b : {ty}"), ty);
    }
    for which in ["add", "sub", "mul"] {
        let call = format!("core.call_intrinsic %a, %b {{intrinsic = \"ppy.checked_{which}\"}} : {ty}, bool");
        add(format!("%r, %o = {call}"), ty);
        add(format!("%v, %r = {call}"), "bool");
    }
    let int = scalar_of(ty).as_int().expect("an integer type");
    for mode in MODES {
        for op in ["add", "sub", "mul", "shl"] {
            add(format!("%r = core.{op} %a, %b {{overflow = \"{mode}\"}} : {ty}"), ty);
        }
        add(format!("%r = core.neg %a {{overflow = \"{mode}\"}} : {ty}"), ty);
        for rounding in ["floor", "trunc"] {
            for op in ["div", "mod"] {
                let attrs = format!("{{overflow = \"{mode}\", rounding = \"{rounding}\"}} : {ty}");
                add(format!("%r = core.{op} %a, %b {attrs}"), ty);
                for divisor in [-8i128, -3, -1, 0, 1, 2, 3, 8, 64, int.min(), int.max()] {
                    if int.fit(divisor).is_some() {
                        add(format!("%k = core.const {divisor} : {ty}\n    %r = core.{op} %a, %k {attrs}"), ty);
                    }
                }
            }
        }
        for amount in [0, 1, u32::from(int.width) - 1, int.width.into()] {
            let attrs = format!("{{overflow = \"{mode}\"}} : {ty}");
            add(format!("%k = core.const {amount} : {ty}\n    %r = core.shl %a, %k {attrs}"), ty);
        }
    }
    for amount in [0, 1, u32::from(int.width) - 1, int.width.into()] {
        add(format!("%k = core.const {amount} : {ty}\n    %r = core.shr %a, %k : {ty}"), ty);
    }
    list
}

/// A module with every case as a function, and one that runs all of them over the pairs of `n` operands, but the
/// masked ones: statuses and 8-byte results case by case.
fn module(ty: &str, cases: &[Case]) -> String {
    let mut text = String::from("ppyir 1\nmodule @m\ndialect core 1\ndialect math 1\n");
    let mut calls = String::new();
    for (k, case) in cases.iter().enumerate() {
        let result = &case.result;
        write!(
            text,
            "
func @op{k}(%a: {ty}, %b: {ty}) -> {result} {{
^entry:
    {}
    core.ret %r
}}

func @drive{k}(%xs: ptr<{ty}>, %ys: ptr<{ty}>, %mask: ptr<bool>, %statuses: ptr<i64>, %results: ptr<i64>, %n: i64) -> () {{
^entry:
    %zero = core.const 0 : i64
    %one = core.const 1 : i64
    core.br ^head(%zero)
^head(%i: i64):
    %more = core.cmp.lt %i, %n : bool
    core.cond_br %more, ^look, ^done
^look:
    %pm = core.ptr_offset %mask, %i : ptr<bool>
    %wanted = core.load %pm : bool
    core.cond_br %wanted, ^body, ^next
^body:
    %px = core.ptr_offset %xs, %i : ptr<{ty}>
    %x = core.load %px : {ty}
    %py = core.ptr_offset %ys, %i : ptr<{ty}>
    %y = core.load %py : {ty}
    %r, %s = core.call %x, %y {{callee = @op{k}, capture_status = true}} : {result}, i64
    %ps = core.ptr_offset %statuses, %i : ptr<i64>
    core.store %s, %ps
    %pw = core.ptr_offset %results, %i : ptr<i64>
    %pr = core.cast %pw : ptr<{result}>
    core.store %r, %pr
    core.br ^next
^next:
    %j = core.add %i, %one {{overflow = \"wrap\"}} : i64
    core.br ^head(%j)
^done:
    core.ret
}}
",
            case.text
        )
        .expect("text grows");
        write!(
            calls,
            "    %k{k} = core.const {k} : i64
    %o{k} = core.mul %k{k}, %n {{overflow = \"wrap\"}} : i64
    %m{k} = core.ptr_offset %mask, %o{k} : ptr<bool>
    %s{k} = core.ptr_offset %statuses, %o{k} : ptr<i64>
    %r{k} = core.ptr_offset %results, %o{k} : ptr<i64>
    core.call %xs, %ys, %m{k}, %s{k}, %r{k}, %n {{callee = @drive{k}}}
"
        )
        .expect("text grows");
    }
    write!(
        text,
        "
func @all(%xs: ptr<{ty}>, %ys: ptr<{ty}>, %mask: ptr<bool>, %statuses: ptr<i64>, %results: ptr<i64>, %n: i64) -> () {{
^entry:
{calls}    core.ret
}}
"
    )
    .expect("text grows");
    text
}

fn same(ty: ScalarType, a: u64, b: u64) -> bool {
    let nan = |bits: u64| match ty {
        ScalarType::Float(FloatType::F64) => f64::from_bits(bits).is_nan(),
        ScalarType::Float(FloatType::F32) => f32::from_bits(bits as u32).is_nan(),
        ScalarType::Float(FloatType::F16) => bits & 0x7fff > 0x7c00,
        ScalarType::Float(FloatType::Bf16) => bits & 0x7fff > 0x7f80,
        _ => false,
    };
    a == b || nan(a) && nan(b)
}

fn check(ty: &str, level: Level) {
    let mut cases = cases(ty);
    // Types between the narrowest and the widest share their code with them: every third case.
    if ["i16", "i32", "u16", "u32", "index", "bf16"].contains(&ty) {
        let mut number = 0;
        cases.retain(|_| {
            number += 1;
            number % 3 == 0
        });
    }
    let text = module(ty, &cases);
    let documents = parse_bytes(text.as_bytes(), "cases", &Syntax).unwrap_or_else(|e| panic!("{e}"));
    let scalar = scalar_of(ty);
    let edges = edges(ty);
    // Every value with the notable ones, and a third of the rest.
    let notable = [0, u64::MAX, scalar.as_int().map_or(0, |int| int.wrap(int.min()))];
    let mut pairs = Vec::new();
    for (i, a) in edges.iter().enumerate() {
        let partners = edges.iter().enumerate().filter(|(j, b)| (i + j) % 3 == 0 || notable.contains(b));
        pairs.extend(partners.map(|(_, b)| (*a, *b)));
    }

    let mut interpreter = Interpreter::new(&documents[0], Limits::default()).expect("a valid module");
    let mut expected = Vec::new();
    for k in 0..cases.len() {
        for (a, b) in &pairs {
            let value = |bits: &u64| Value::Scalar(Scalar { ty: scalar, bits: *bits });
            let outcome = interpreter.call(&format!("op{k}"), &[value(a), value(b)]);
            expected.push(outcome.ok().map(|outcome| {
                let bits = outcome.results.first().map_or(0, |value| match value {
                    Value::Scalar(scalar) => scalar.bits,
                    other => panic!("{other:?} is no scalar"),
                });
                (outcome.status, bits)
            }));
        }
    }

    let pack = |name: &str, bits: Vec<u64>| {
        let scalars: Vec<Scalar> = bits.into_iter().map(|bits| Scalar { ty: scalar_of(name), bits }).collect();
        Value::Memory(Data::pack(ast_type(name), &scalars).expect("scalars pack"))
    };
    let arguments = [
        pack(ty, pairs.iter().map(|(a, _)| *a).collect()),
        pack(ty, pairs.iter().map(|(_, b)| *b).collect()),
        pack("bool", expected.iter().map(|e| u64::from(e.is_some())).collect()),
        pack("i64", vec![0; expected.len()]),
        pack("i64", vec![0; expected.len()]),
        Value::Scalar(Scalar::i64(pairs.len() as i64)),
    ];
    let context = context();
    let mut modules = ppyir::read(&context, text.as_bytes(), "cases.ppyir").unwrap_or_else(|e| panic!("{e}"));
    let jit = Jit::new(&mut modules[0], level).unwrap_or_else(|e| panic!("{e}"));
    let all = documents[0].items.iter().find_map(|item| match item {
        ast::Item::Function(function) if function.symbol == "all" => Some(function),
        _ => None,
    });
    let compiled = jit.function(all.expect("it is written above")).unwrap_or_else(|e| panic!("{e}"));
    let outcome = compiled.call(&arguments, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(outcome.status, 0);
    let (statuses, results) = (outcome.memory[3].leaves().expect("i64"), outcome.memory[4].leaves().expect("i64"));
    let mut wrong = Vec::new();
    for (index, expected) in expected.iter().enumerate() {
        let Some((status, bits)) = expected else { continue };
        let case = &cases[index / pairs.len()];
        let result = scalar_of(&case.result);
        let mask = if result.size() == 8 { u64::MAX } else { (1 << (8 * u32::from(result.size()))) - 1 };
        let got = (statuses[index].bits as i32, results[index].bits & mask);
        if got.0 != *status || !same(result, got.1, bits & mask) {
            let (a, b) = pairs[index % pairs.len()];
            wrong.push(format!(
                "{} of {ty} {a:#x}, {b:#x}: status {} and {:#x}, the interpreter says {status} and {:#x}",
                case.text,
                got.0,
                got.1,
                bits & mask
            ));
        }
    }
    let shown = wrong.iter().step_by((wrong.len() / 40).max(1)).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{ty}: {} of {} differ\n{shown}", wrong.len(), expected.len());
}

#[test]
fn integers() {
    for ty in INTS {
        check(ty, Level::O2);
    }
}

#[test]
fn integers_unoptimized() {
    for ty in ["i8", "u64"] {
        check(ty, Level::O0);
    }
}

#[test]
fn floats() {
    for ty in FLOATS {
        check(ty, Level::O2);
    }
}
