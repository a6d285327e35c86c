//! The interpreter on small programs: statuses, control, memory, calls, limits, and misuse.

use super::*;
use crate::driver::args;
use crate::ppyir::ast::{Item, Module, ValueId};
use crate::ppyir::parse_documents;
use crate::registry::Syntax;
use crate::semantics::Scalar;
use crate::semantics::value::Value;

fn module(text: &str) -> Module {
    let text = format!("ppyir 1\nmodule @t\ndialect core 1\ndialect math 1\n\n{text}\n");
    match parse_documents(&text, "t.ppyir", &Syntax) {
        Ok(mut modules) => modules.remove(0),
        Err(errors) => panic!("{errors}"),
    }
}

const SMALL: Limits = Limits { fuel: 100_000, memory: 1 << 20, depth: 200, deadline: None };

/// Calls a function and shows what came of it as one line.
fn run(text: &str, function: &str, arguments: &str) -> String {
    let module = module(text);
    let (_, target) = args::function(std::slice::from_ref(&module), function).expect("the function is there");
    let values = args::arguments(target, arguments).expect("the arguments fit");
    let outcome = Interpreter::new(&module, SMALL).and_then(|mut interpreter| interpreter.call(function, &values));
    match outcome {
        Ok(outcome) => {
            let line = args::render(outcome.status, &outcome.results, &outcome.memory);
            match outcome.failure {
                Some(failure) => format!("{line} {}", failure.what),
                None => line,
            }
        }
        Err(error) => error.to_string(),
    }
}

/// A program with one function, whose body is given.
fn body(signature: &str, lines: &str) -> String {
    format!("func @f{signature} {{\n^entry:\n{lines}\n}}")
}

#[test]
fn statuses_of_guards() {
    let with = |label: &str| {
        let text = body(
            "(%c: bool) -> i64",
            &format!(
                "core.guard %c {{kind = \"bounds\", message = \"m\"{label}}}\n%r = core.const 7 : i64\ncore.ret %r"
            ),
        );
        run(&text, "f", "[false]")
    };
    assert_eq!(with(""), r#"{"status": 1, "buffers": []} the bounds guard failed: m"#);
    for (label, status) in [("raised", -1), ("sanitize:bounds", 2), ("sanitize:alignment", 5), ("regex.stack.ok", 1)] {
        assert!(with(&format!(", label = \"{label}\"")).starts_with(&format!("{{\"status\": {status},")), "{label}");
    }
}

#[test]
fn a_failed_call_is_a_fallback_unless_it_is_captured() {
    let text = r#"
private func @g(%c: bool, %p: ptr<i64>) -> i64 {
^entry:
    %one = core.const 1 : i64
    core.store %one, %p
    core.guard %c {kind = "contract", label = "raised"}
    core.ret %one
}
func @plain(%c: bool, %p: ptr<i64>) -> i64 {
^entry:
    %r = core.call %c, %p {callee = @g} : i64
    core.ret %r
}
func @captured(%c: bool, %p: ptr<i64>) -> (i64, i64) {
^entry:
    %r, %s = core.call %c, %p {callee = @g, capture_status = true} : i64, i64
    core.ret %r, %s
}"#;
    assert_eq!(run(text, "plain", r#"[true, {"ptr": [0]}]"#), r#"{"status": 0, "results": [1], "buffers": [[1]]}"#);
    let failed = r#"{"status": 1, "buffers": [[1]]} the contract guard failed"#;
    assert_eq!(run(text, "plain", r#"[false, {"ptr": [0]}]"#), failed);
    let captured = r#"{"status": 0, "results": [0, -1], "buffers": [[1]]}"#;
    assert_eq!(run(text, "captured", r#"[false, {"ptr": [0]}]"#), captured);
}

#[test]
fn block_arguments_pass_in_parallel() {
    let text = r#"
func @f(%n: i64) -> (i64, i64) {
^entry:
    %zero = core.const 0 : i64
    %one = core.const 1 : i64
    core.br ^head(%n, %zero, %one)
^head(%i: i64, %a: i64, %b: i64):
    %more = core.cmp.gt %i, %zero : bool
    %next = core.sub %i, %one {overflow = "python"} : i64
    core.cond_br %more, ^head(%next, %b, %a), ^out
^out:
    core.ret %a, %b
}"#;
    assert_eq!(run(text, "f", "[3]"), r#"{"status": 0, "results": [1, 0], "buffers": []}"#);
}

#[test]
fn arithmetic_reports_what_was_promised_away() {
    let add = |mode: &str| {
        let text = body(
            "(%a: i8, %b: i8) -> i8",
            &format!("%r = core.add %a, %b {{overflow = \"{mode}\"}} : i8\ncore.ret %r"),
        );
        run(&text, "f", "[127, 1]")
    };
    assert_eq!(add("wrap"), r#"{"status": 0, "results": [-128], "buffers": []}"#);
    assert_eq!(add("python"), r#"{"status": 1, "buffers": []} the result does not fit its type"#);
    assert_eq!(
        add("proven"),
        "@f ^entry core.add: undefined behaviour: the result does not fit its type, on 127 and 1 of i8 under proven"
    );
}

#[test]
fn misuse_of_memory_is_reported_with_its_place() {
    let read = |lines: &str| {
        run(
            &body("(%p: ptr<i64>, %b: buffer<i64>, %n: i64) -> i64", lines),
            "f",
            "[{\"ptr\": [5, 6]}, {\"buf\": [1]}, 2]",
        )
    };
    let cases = [
        (
            "%q = core.ptr_offset %p, %n : ptr<i64>\n%r = core.load %q : i64\ncore.ret %r",
            "reads 8 bytes at offset 16 of 16",
        ),
        ("%z = core.const 0 : ptr<i64>\n%r = core.load %z : i64\ncore.ret %r", "reads through the null pointer"),
        ("%r = core.buffer_load %b, %n : i64\ncore.ret %r", "index 2 of a buffer of 1 elements"),
        (
            "%c = core.cast %p : ptr<i8>\n%d = core.ptr_offset %c, %n : ptr<i8>\n%e = core.cast %d : ptr<i64>\n\
             %r = core.load %e : i64\ncore.ret %r",
            "not aligned to 8",
        ),
        ("core.call_extern %p {abi = \"c\", callee = \"free\"}\ncore.ret %n", "frees memory passed by the caller"),
        ("core.unreachable", "it said it never does"),
        ("%r = core.call_indirect %n : i64\ncore.ret %r", "no function's address"),
    ];
    for (lines, problem) in cases {
        let found = read(lines);
        assert!(found.starts_with("@f ^entry core.") && found.contains(problem), "{found}");
    }
}

#[test]
fn stack_memory_dies_with_its_function() {
    let text = r#"
private func @g() -> i64 {
^entry:
    %p = core.alloca : ptr<i64, stack>
    %a = core.cast %p : i64
    core.ret %a
}
func @f() -> i64 {
^entry:
    %a = core.call {callee = @g} : i64
    %p = core.cast %a : ptr<i64>
    %r = core.load %p : i64
    core.ret %r
}"#;
    assert!(run(text, "f", "[]").contains("stack memory of a function that has returned"));
}

#[test]
fn stack_memory_is_zero_each_time() {
    let text = r#"
func @f(%n: i64) -> i64 {
^entry:
    %zero = core.const 0 : i64
    %one = core.const 1 : i64
    core.br ^head(%n, %zero)
^head(%i: i64, %sum: i64):
    %p = core.alloca {count = 2} : ptr<i64, stack>
    %q = core.ptr_offset %p, %one : ptr<i64, stack>
    %old = core.load %q : i64
    core.store %n, %q
    %total = core.add %sum, %old {overflow = "python"} : i64
    %next = core.sub %i, %one {overflow = "python"} : i64
    %more = core.cmp.gt %next, %zero : bool
    core.cond_br %more, ^head(%next, %total), ^out
^out:
    core.ret %total
}"#;
    assert_eq!(run(text, "f", "[100]"), r#"{"status": 0, "results": [0], "buffers": []}"#);
}

#[test]
fn aggregates_and_vectors() {
    let text = r#"
func @cell(%m: ptr<array<i32, 2, 3>>, %r: i64, %i: i64, %j: i64) -> i32 {
^entry:
    %0 = core.ptr_index %m, %r, %i, %j : ptr<i32>
    %1 = core.load %0 : i32
    core.ret %1
}
func @fields(%s: struct<P, x: i8, t: tuple<f64, bool>>) -> (bool, f64, i8) {
^entry:
    %p = core.alloca : ptr<struct<P, x: i8, t: tuple<f64, bool>>, stack>
    core.store %s, %p
    %v = core.load %p : struct<P, x: i8, t: tuple<f64, bool>>
    %x = core.struct_extract %v {field = "x"} : i8
    %t = core.struct_extract %v {field = "t"} : tuple<f64, bool>
    %f = core.tuple_extract %t {index = 0} : f64
    %b = core.tuple_extract %t {index = 1} : bool
    core.ret %b, %f, %x
}
func @lanes(%a: vector<i64, 2>, %b: vector<i64, 2>) -> (vector<i64, 2>, vector<f64, 2>) {
^entry:
    %less = core.cmp.lt %a, %b : vector<bool, 2>
    %small = core.select %less, %a, %b : vector<i64, 2>
    %sum = core.add %small, %b {overflow = "wrap"} : vector<i64, 2>
    %f = core.cast %sum : vector<f64, 2>
    %root = math.sqrt %f : vector<f64, 2>
    core.ret %sum, %root
}"#;
    let cells = r#"[{"ptr": [0,1,2,3,4,5, 6,7,8,9,10,11]}, 1, 0, 2]"#;
    assert!(run(text, "cell", cells).starts_with(r#"{"status": 0, "results": [8]"#));
    assert!(run(text, "fields", "[[-3, [0.5, true]]]").contains("[true, 0.5, -3]"));
    assert!(run(text, "lanes", "[[1, 9], [3, 7]]").contains("[4, 14, 2.0, 3.7416573867739413]"));
}

#[test]
fn calls_by_address_globals_and_c() {
    let text = r#"
private global @text : buffer<u8> = "hi"
mutable global @count : i64 = 41
private func @twice(%x: i64) -> i64 {
^entry:
    %r = core.add %x, %x {overflow = "python"} : i64
    core.ret %r
}
func @f(%x: i64) -> (i64, u8, i64, bool, f64) {
^entry:
    %a = core.call_intrinsic {callee = @twice, intrinsic = "ppy.function_address"} : i64
    %r = core.call_indirect %a, %x : i64
    %s = core.call_intrinsic {intrinsic = "ppy.string_data", symbol = "text"} : ptr<u8>
    %two = core.const 2 : i64
    %b = core.call_intrinsic %s, %two {intrinsic = "ppy.buffer_from_parts"} : buffer<u8>
    %one = core.const 1 : i64
    %c = core.buffer_load %b, %one : u8
    %m = core.call_intrinsic {intrinsic = "ppy.string_data", symbol = "count"} : ptr<u8>
    %p = core.cast %m : ptr<i64>
    %old = core.load %p : i64
    %new, %over = core.call_intrinsic %old, %one {intrinsic = "ppy.checked_add"} : i64, bool
    core.store %new, %p
    %f = core.cast %new : f64
    %g = core.call_extern %f {abi = "c", callee = "cbrt"} : f64
    core.ret %r, %c, %new, %over, %g
}
func @missing(%x: i64) -> i64 {
^entry:
    core.call_extern %x {abi = "c", callee = "launch"}
    %r = core.call_extern %x {abi = "c", callee = "abort_mission"} : i64
    core.ret %r
}
func @heap() -> i64 {
^entry:
    %n = core.const 16 : i64
    %p = core.call_extern %n {abi = "c", callee = "malloc"} : ptr<u8>
    core.call_extern %p {abi = "c", callee = "free"}
    core.call_extern %p {abi = "c", callee = "free"}
    core.ret %n
}"#;
    assert!(run(text, "f", "[21]").contains("[42, 105, 42, false, 3.4760266448864496]"));
    let missing = "@missing reaches functions that are not here: C function `abort_mission`, C function `launch`";
    assert_eq!(run(text, "missing", "[1]"), missing);
    assert!(run(text, "heap", "[]").contains("freed already"));
}

#[test]
fn limits_end_what_would_not() {
    let looping = "func @f() -> () {\n^entry:\n    core.br ^again\n^again:\n    core.br ^again\n}";
    assert!(run(looping, "f", "[]").contains("fuel of 100000 operations is used up"));
    let recursive = body("() -> ()", "core.call {callee = @f}\ncore.ret");
    assert!(run(&recursive, "f", "[]").contains("call depth limit of 200"));
    let huge = body("() -> ()", "%p = core.alloca {count = 1000000000000} : ptr<i64, stack>\ncore.ret");
    assert!(run(&huge, "f", "[]").contains("out of memory"));
    let wide = body("(%x: i64) -> ()", "%p = core.alloca {count = 200000} : ptr<i64, stack>\ncore.ret");
    assert!(run(&wide, "f", "[1]").contains("out of memory"));
}

#[test]
fn what_the_interpreter_cannot_run_is_named() {
    let mut unknown = module(&body("(%x: i64) -> i64", "%r = core.cast %x : i64\ncore.ret %r"));
    if let Item::Function(function) = &mut unknown.items[0] {
        function.body.as_mut().expect("there is a body").blocks[0].ops[0].name = "other.thing".into();
    }
    let one = Value::Scalar(Scalar::i64(1));
    let error = Interpreter::new(&unknown, SMALL).and_then(|mut interpreter| interpreter.call("f", &[one]));
    let error = error.expect_err("there is no such operation");
    assert_eq!(error.to_string(), "@f ^entry other.thing: the interpreter has no rule for it");
    let call = body("(%x: i64) -> i64", "%r = core.call %x {callee = @g} : i64\ncore.ret %r");
    let declared = format!("extern func @g(i64) -> i64\n{call}");
    assert!(run(&declared, "f", "[1]").contains("@g (declared here, defined in another module)"));
    let mut interpreter = Interpreter::new(&unknown, SMALL).expect("the module is fine");
    let error = interpreter.call("nothing", &[]).expect_err("there is no such function");
    assert_eq!(error.kind, ErrorKind::Request);
}

/// An invalid module gives an error or an outcome, never a panic: every operation with its operands turned around,
/// dropped, and replaced.
#[test]
fn damaged_modules_do_not_panic() {
    let text = r#"
func @g(%t: tuple<i64, f64>, %b: buffer<i64>) -> i64 {
^entry:
    %x = core.tuple_extract %t {index = 0} : i64
    %y = core.buffer_load %b, %x : i64
    %v = core.add %x, %y {overflow = "python"} : i64
    %c = core.cmp.lt %v, %y : bool
    core.cond_br %c, ^one(%v, %t), ^two
^one(%w: i64, %u: tuple<i64, f64>):
    %p = core.alloca : ptr<tuple<i64, f64>, stack>
    core.store %u, %p
    %k = core.load %p : tuple<i64, f64>
    %r = core.call %k, %b {callee = @g} : i64
    core.ret %r
^two:
    %f = core.tuple_extract %t {index = 1} : f64
    %q = math.pow %f, %f : f64
    %i = core.cast %q : i64
    %s = core.select %c, %i, %x : i64
    core.guard %c {kind = "assert"}
    core.br ^one(%s, %t)
}"#;
    let original = module(text);
    let mut seed = 7u64;
    let mut random = |bound: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % bound.max(1)
    };
    for _ in 0..3000 {
        let mut damaged = original.clone();
        let Item::Function(function) = &mut damaged.items[0] else { continue };
        let values = function.values.len();
        let Some(region) = &mut function.body else { continue };
        for _ in 0..1 + random(3) {
            let block = random(region.blocks.len());
            let block = &mut region.blocks[block];
            let op = random(block.ops.len());
            let other = block.ops[random(block.ops.len())].clone();
            let Some(op) = block.ops.get_mut(op) else { continue };
            match random(8) {
                0 => op.operands.reverse(),
                1 => drop(op.operands.pop()),
                2 => op.operands.push(ValueId(random(values + 2) as u32)),
                3 => op.name = other.name,
                4 => op.results = other.results,
                5 => op.attrs = other.attrs,
                6 => op.successors = other.successors,
                _ => block.args.push(ValueId(random(values + 2) as u32)),
            }
        }
        let Ok((_, target)) = args::function(std::slice::from_ref(&damaged), "g") else { continue };
        let Ok(arguments) = args::arguments(target, r#"[[1, 2.5], {"buf": [1, 2, 3]}]"#) else { continue };
        if let Ok(mut interpreter) = Interpreter::new(&damaged, SMALL) {
            let _ = interpreter.call("g", &arguments);
        }
    }
}
