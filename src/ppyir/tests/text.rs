//! What reads, and how it prints.

use super::super::ast::{Attr, Item, Loc, Type};
use super::super::{LineIndex, parse_bytes, parse_type, print_module};
use super::{Table, body, document, print, prints, read, same};

#[test]
fn every_construct_is_a_fixpoint() {
    same("ppyir 1\nmodule @a.b\n");
    same(&document(
        r#"private global @text : buffer<u8> = "a\"b\\\n\u00e9\ud83d\ude00\u007f"
mutable global @counter : i64 = 0
private mutable global @table : array<i32, 2, 3> = [1, -2, [], {k = !ptr<i64, stack>}]
global @bare : f64

extern func @sin(f64 {noalias = true}, i64) -> f64 attrs {ppy.external = true}

private func @hidden() -> ()

func @f(%x: i64 {ownership = "borrowed"}, %c: bool) -> (i64, f64) attrs {effects = []} loc("p.ppy":3:0) {
^entry:
    %zero = core.const 0 : i64 loc("p.ppy":4:8)
    %1 = core.cmp.lt %x, %zero : bool
    core.cond_br %1, ^neg, ^join.1(%x, %zero)
^neg:
    %a, %b = core.call %x {callee = @g} : i64, tensor.tensor<f64, N, (N + (2 * M)), -3>
    core.br ^join.1(%a, %x)
^join.1(%y: i64, %z: i64):
    %r = tensor.fused %y {axes = [0]} : i64 loc("p.ppy":9:1) {
    ^body(%e: f64):
        %g = tensor.fused : f64 {
        ^body(%h: f64):
            tensor.yield
        } {

        }
        core.br ^next
    ^next:
        tensor.yield %e
    }
    core.ret %r
}
"#,
    ));
}

#[test]
fn documents_follow_each_other() {
    let text = "ppyir 1\nmodule @a\ndialect core 1\n\nextern func @f() -> ()\nppyir 1\nmodule @b\nattrs {k = 1}\n";
    same(text);
    assert_eq!(read(text).len(), 2);
}

#[test]
fn blanks_comments_and_line_ends_do_not_matter() {
    let text = body("    core.ret %x\n");
    prints(&text.replace('\n', "\r\n"), &text);
    prints(&text.replace("    ", "\t").replace('\n', "  // note\n\n"), &text);
    prints(&text.replace(", ", ",\n        ").replace("{\n^entry", "\n{\n\n^entry"), &text);
    prints(text.trim_end(), &text);
}

#[test]
fn other_spellings_print_as_the_usual_one() {
    for (other, usual) in [
        ("func @f(%x: i64,) -> (i64,) {", "func @f(%x: i64) -> i64 {"),
        ("func @f(%x: i64) -> void {", "func @f(%x: i64) -> () {"),
        ("func @f(%x: ptr<i64, const>) -> (void) {", "func @f(%x: ptr<i64, generic, const>) -> (void) {"),
        ("func @f(%x: ptr< i64 ,generic , mut >) -> () {", "func @f(%x: ptr<i64>) -> () {"),
        ("func @f(%x: tensor.x<>) -> () attrs {b=1,a=2,} {", "func @f(%x: tensor.x) -> () attrs {a = 2, b = 1} {"),
    ] {
        let rest = "\n^entry:\n    core.unreachable\n}\n";
        prints(&document(&format!("{other}{rest}")), &document(&format!("{usual}{rest}")));
    }
    prints(&document("extern func @f(%x: i64) -> i64\n"), &document("extern func @f(i64) -> i64\n"));
    prints(&document("func @f(i64) -> i64\n"), &document("extern func @f(i64) -> i64\n"));
    for (other, usual) in [
        ("%r = core.cmp %x, %x {predicate = \"eq\"} : bool", "%r = core.cmp.eq %x, %x : bool"),
        ("%r = core.const {value = 3} : i64", "%r = core.const 3 : i64"),
        ("core.br ^entry()", "core.br ^entry"),
        ("core.unreachable {}", "core.unreachable"),
    ] {
        prints(&body(&format!("    {other}\n")), &body(&format!("    {usual}\n")));
    }
}

#[test]
fn attributes_outside_the_braces_only_where_they_read_back() {
    same(&body("    %r = core.cmp %x, %x {predicate = \"odd\"} : bool\n"));
    same(&body("    %r = core.cmp %x, %x {predicate = 3} : bool\n"));
    same(&body("    %r = core.const {value = {a = 1}} : i64\n"));
    same(&body("    %r = core.const !i64 {a = 1} : i64\n"));
    same(&body("    %r = core.const : i64\n"));
}

#[test]
fn numbers_are_exact() {
    let value = |text: &str| match read(&document(&format!("global @g : i64 = {text}\n")))[0].items.pop() {
        Some(Item::Global(global)) => global.value.expect("a value"),
        other => panic!("{other:?}"),
    };
    assert_eq!(value("-0.0"), Attr::Float(-0.0));
    assert_ne!(value("-0.0"), Attr::Float(0.0));
    assert_eq!(value("170141183460469231731687303715884105727"), Attr::Int(i128::MAX));
    assert_eq!(value("-170141183460469231731687303715884105728"), Attr::Int(i128::MIN));
    for (text, printed) in [
        ("007", "7"),
        ("-0", "0"),
        ("1.", "1.0"),
        (".5", "0.5"),
        ("1E5", "100000.0"),
        ("1e16", "1e+16"),
        ("9999999999999998.0", "9999999999999998.0"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("1.5e300", "1.5e+300"),
        ("5e-324", "5e-324"),
        ("1e999", "inf"),
        ("-1e999", "-inf"),
        ("nan", "nan"),
        ("-inf", "-inf"),
        ("123456789.125", "123456789.125"),
        ("2.2250738585072014e-308", "2.2250738585072014e-308"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("100.0", "100.0"),
        ("1234567890123456.0", "1234567890123456.0"),
        ("-0.00012", "-0.00012"),
        // Exactly between two decimals: the even one.
        ("1801514316094494.25", "1801514316094494.2"),
        ("1801514316094494.75", "1801514316094494.8"),
        ("-2000723712327223.25", "-2000723712327223.2"),
        ("5.9604644775390625e-08", "5.960464477539063e-08"),
    ] {
        assert_eq!(value(text).to_string(), printed, "{text}");
        assert_eq!(value(printed), value(text));
    }
}

/// The location of each operation of a body.
fn lines(text: &str) -> Vec<Option<u32>> {
    let modules = read(&body(text));
    let Item::Function(function) = &modules[0].items[0] else { panic!() };
    let blocks = &function.body.as_ref().expect("a body").blocks;
    blocks.iter().flat_map(|block| &block.ops).map(|op| op.loc.as_ref().map(|loc| loc.line)).collect()
}

#[test]
fn locations_run_through_a_block() {
    let at = |line: u32| format!(" loc(\"p.ppy\":{line}:0)");
    let op = "    core.unreachable";
    let text = format!("{op}\n{op}{}\n{op}\n{op}\n{op}{}\n^next:\n{op}\n", at(1), at(2));
    same(&body(&text));
    assert_eq!(lines(&text), [None, Some(1), Some(1), Some(1), Some(2), None]);
    // A repeated location: the operation before it had none.
    let text = format!("{op}{}\n{op}\n{op}\n{op}{}\n{op}\n", at(1), at(1));
    same(&body(&text));
    assert_eq!(lines(&text), [Some(1), Some(1), None, Some(1), Some(1)]);
    // Written out where the printer would not have, it is simply not needed.
    let text = format!("{op}{}\n{op}{}\n", at(1), at(1));
    prints(&body(&text), &body(&format!("{op}{}\n{op}\n", at(1))));
}

#[test]
fn values_keep_their_names_or_are_numbered() {
    let mut modules = read(&body(
        "    %a = core.const 0 : i64\n    %b = core.const 1 : i64\n    %5 = core.const 2 : i64\n    \
         %d = core.const 3 : i64\n",
    ));
    let Item::Function(function) = &mut modules[0].items[0] else { panic!() };
    for (value, name) in function.values.iter_mut().zip(["x", "x", "1", "x", "", "a b"]) {
        value.name = name.into();
    }
    let lines = "    %1 = core.const 0 : i64\n    %2 = core.const 1 : i64\n    %3 = core.const 2 : i64\n    \
                 %a_b = core.const 3 : i64\n";
    let expected = body(lines).replace("%c: bool", "%0: bool");
    assert_eq!(print(&modules), expected);
    let Item::Function(function) = &mut modules[0].items[0] else { panic!() };
    function.renumber();
    assert_eq!(print(&modules), expected);
}

#[test]
fn equal_labels_are_told_apart() {
    let mut modules = read(&body("    core.br ^b\n^b:\n    core.br ^c\n^c:\n    core.br ^b\n"));
    let Item::Function(function) = &mut modules[0].items[0] else { panic!() };
    function.body.as_mut().expect("a body").blocks[2].name = "b".into();
    same(&body("    core.br ^b\n^b:\n    core.br ^b0\n^b0:\n    core.br ^b\n"));
    assert_eq!(print(&modules), body("    core.br ^b\n^b:\n    core.br ^b0\n^b0:\n    core.br ^b\n"));
}

#[test]
fn ids_follow_the_definitions() {
    let text = body(
        "    core.br ^late\n^early:\n    %u = core.add %late, %x {overflow = \"wrap\"} : i64\n    \
         core.ret %u\n^late:\n    %late = core.const 1 : i64\n    core.br ^early\n",
    );
    same(&text);
    let modules = read(&text);
    let Item::Function(function) = &modules[0].items[0] else { panic!() };
    let names: Vec<&str> = function.values.iter().map(|value| value.name.as_str()).collect();
    assert_eq!(names, ["x", "c", "u", "late"]);
    assert_eq!(function.values[3].ty, Type::Int { width: 64, signed: true });
    let blocks = &function.body.as_ref().expect("a body").blocks;
    assert_eq!(blocks[0].ops[0].successors[0].block.0, 2);
    assert_eq!(blocks[1].ops[0].operands.as_slice(), [blocks[2].ops[0].results[0], function.params[0].value.unwrap()]);
}

#[test]
fn types_print_as_they_read() {
    for text in [
        "void",
        "bf16",
        "ptr<ptr<u8, stack>, moon.far, const>",
        "buffer<buffer<i64>>",
        "vector<bool, 4>",
        "tuple<>",
        "tuple<i64, tuple<f64>>",
        "struct<P>",
        "struct<a.b, x: i64, y: struct<Q, z: index>>",
        "array<f32, 2, 3>",
        "future<void>",
        "x.y",
        "x.y.z<i64, N, -5, (a + (b)), mut, columnar.column<f64, nullable>, ptr>",
    ] {
        assert_eq!(parse_type(text).unwrap_or_else(|errors| panic!("{errors}")).to_string(), text);
    }
    for text in [
        "",
        "i65",
        "i1",
        "ptr",
        "ptr<>",
        "ptr<i64, stack, odd>",
        "i64<i64>",
        "vector<i64, 0>",
        "vector<i64>",
        "vector<i64, -1>",
        "vector<tuple<>, 2>",
        "array<void, 2>",
        "array<i64, 99999999999999999999>",
        "struct<>",
        "struct<P, x>",
        "struct<P, x: i64, x: f64>",
        "tuple<i64,>",
        ".x",
        "x.",
        "x.y<",
        "x.y<(>",
        "x.y<1.5>",
        "x.y<\"s\">",
        "i64 i64",
        "é",
    ] {
        assert!(parse_type(text).is_err(), "{text}");
    }
}

#[test]
fn what_no_text_can_spell_does_not_print() {
    let refused = |edit: &dyn Fn(&mut super::super::ast::Module), why: &str| {
        let mut module = read(&body("    core.ret %x\n")).remove(0);
        edit(&mut module);
        let error = print_module(&module, &Table).expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    };
    refused(&|module| module.name = "a b".into(), "the module name \"a b\" has no spelling");
    refused(
        &|module| {
            let Item::Function(function) = &mut module.items[0] else { return };
            function.values.truncate(1);
        },
        "@f: value 1 is used, and nothing defines it",
    );
    refused(
        &|module| {
            let Item::Function(function) = &mut module.items[0] else { return };
            function.loc = Some(Loc { file: "x".into(), line: 1, column: 1 });
            function.results = vec![(0..200).fold(Type::Index, |inner, _| Type::Buffer(inner.into()))];
        },
        "types nest deeper than 128 levels",
    );
}

#[test]
fn spans_lead_back_to_the_text() {
    let text = document("extern func @f() -> ()\n\nfunc @é() -> () {\n^entry:\n    core.unreachable\n}\n");
    let modules = read(&text);
    let Item::Function(function) = &modules[0].items[1] else { panic!() };
    let block = &function.body.as_ref().expect("a body").blocks[0];
    let index = LineIndex::new(&text);
    let place = |span: super::super::ast::Span| index.position(span.0 as usize);
    assert_eq!([place(function.span), place(block.span), place(block.ops[0].span)], [(8, 1), (9, 1), (10, 5)]);
    assert_eq!(index.position(usize::MAX), (12, 1));
    assert!(parse_bytes(text.as_bytes(), "t", &Table).is_ok());
}
