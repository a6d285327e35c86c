//! The linker: what it makes of the modules of a program, and what it refuses.

mod support;

use ppy_mlir::{
    link::{Input, LinkErrors, Linked, link},
    passes::pipeline,
    ppyir::{self, ast::Module, parse_bytes, print_module},
    registry::Syntax,
};
use support::{Compiled, Engine, Interpreted, folder, meets, read, rows};

/// Links texts, each a file `a.ppyir`, `b.ppyir`, ... with all its documents.
fn try_link(texts: &[&str]) -> Result<Linked, LinkErrors> {
    let files: Vec<String> = (0..texts.len()).map(|i| format!("{}.ppyir", (b'a' + i as u8) as char)).collect();
    let documents: Vec<Vec<Module>> = texts
        .iter()
        .zip(&files)
        .map(|(text, file)| parse_bytes(text.as_bytes(), file, &Syntax).unwrap_or_else(|e| panic!("{e}")))
        .collect();
    let inputs = documents
        .into_iter()
        .zip(texts.iter().zip(&files))
        .flat_map(|(list, (text, file))| list.into_iter().map(move |module| Input { module, file, text: Some(text) }))
        .collect();
    link(inputs, "program")
}

fn linked(texts: &[&str]) -> Module {
    try_link(texts).and_then(Linked::complete).unwrap_or_else(|errors| panic!("{errors}"))
}

fn text(module: &Module) -> String {
    print_module(module, &Syntax).expect("a linked module prints")
}

/// A module of that name with these items.
fn module(name: &str, items: &str) -> String {
    format!("ppyir 1\nmodule @{name}\ndialect core 1\n\n{items}")
}

/// `func @name` that returns what `op` computes of `%x`.
fn function(head: &str, op: &str) -> String {
    format!("{head} {{\n^entry:\n    %r = {op}\n    core.ret %r\n}}\n")
}

const TWICE: &str = "core.add %x, %x {overflow = \"wrap\"} : i64";
const SQUARE: &str = "core.mul %x, %x {overflow = \"wrap\"} : i64";

#[track_caller]
fn answers(
    module: &Module,
    function: &str,
    argument: impl Into<serde_json::Value>,
    expected: impl Into<serde_json::Value>,
) {
    let (argument, expected) = (argument.into(), expected.into());
    let wanted = serde_json::json!({"status": 0, "results": [expected]});
    let arguments = serde_json::json!([argument]);
    for answer in [
        Interpreted(module).call(function, &arguments),
        Compiled::at(0, ppy_mlir::emit::llvm::Level::O0).call(module, function, &arguments),
    ] {
        let answer = answer.unwrap_or_else(|error| panic!("{error}\n{}", text(module)));
        assert!(meets(&wanted, &answer), "{answer} for {wanted}\n{}", text(module));
    }
}

#[test]
fn the_programs_of_the_frontend_link_as_the_frontend_links_them() {
    for (home, first) in [("cross_module", "001.shapes"), ("exc_across", "001.lib")] {
        let home = folder("exec/call").join(home);
        let files = [home.join(format!("run/{first}.after.ppyir")), home.join("prog.opt.ppyir")];
        let modules = files.iter().flat_map(|file| read(file));
        let inputs = modules.map(|module| Input { module, file: "prog", text: None }).collect();
        let linked = link(inputs, "linked").and_then(Linked::complete).expect("it links");
        let expected = std::fs::read_to_string(home.join("linked.ppyir")).expect("a readable file");
        assert_eq!(text(&linked), expected, "{}", home.display());
        for row in rows(&home.join("expect.json")) {
            let name = row["func"].as_str().expect("a name");
            if row.get("needs_runtime").is_none() {
                let answer = Interpreted(&linked).call(name, &row["args"]).expect("it runs");
                assert!(meets(&row, &answer), "{answer} for {row}");
            }
        }
    }
}

#[test]
fn definitions_answer_declarations_also_in_cycles() {
    let even = "func @even(%n: i64) -> bool {
^entry:
    %zero = core.const 0 : i64
    %done = core.cmp.eq %n, %zero : bool
    core.cond_br %done, ^yes, ^no
^yes:
    core.ret %done
^no:
    %one = core.const 1 : i64
    %m = core.sub %n, %one {overflow = \"wrap\"} : i64
    %r = core.call %m {callee = @odd} : bool
    core.ret %r
}
extern func @odd(i64) -> bool attrs {ppy.external = true}
";
    let odd = even
        .replace("even", "?")
        .replace("odd", "even")
        .replace('?', "odd")
        .replace("    core.ret %done\n", "    %not = core.cmp.ne %n, %zero : bool\n    core.ret %not\n");
    let linked = linked(&[&module("a", even), &module("b", &odd)]);
    assert!(!text(&linked).contains("extern"), "{}", text(&linked));
    answers(&linked, "even", 10, true);
    answers(&linked, "odd", 10, false);
}

#[test]
fn private_names_that_are_taken_get_their_modules_name_and_every_reference_follows() {
    let user = |name: &str| {
        format!(
            "func @{name}(%x: i64) -> i64 {{
^entry:
    %0 = core.call_intrinsic {{intrinsic = \"ppy.function_address\", callee = @helper}} : i64
    %1 = core.call_indirect %0, %x : i64
    %2 = core.call %1 {{callee = @helper}} : i64
    %3 = core.call_intrinsic {{intrinsic = \"ppy.string_data\", symbol = \"text\"}} : ptr<u8>
    %4 = core.load %3 : u8
    %5 = core.cast %4 : i64
    %6 = core.add %2, %5 {{overflow = \"wrap\", note = [@helper, {{at = @text}}]}} : i64
    core.ret %6
}}
"
        )
    };
    let helper = |op| function("private func @helper(%x: i64) -> i64", op);
    let a = module("a", &format!("private global @text : buffer<u8> = \"a\"\n{}{}", helper(TWICE), user("f")));
    let b = module("b", &format!("private global @text : buffer<u8> = \"b\"\n{}{}", helper(SQUARE), user("g")));
    // A public name goes before a private one, wherever it is.
    let c = module("c", &function("func @b__helper(%x: i64) -> i64", TWICE));
    let program = linked(&[&a, &b, &c]);
    answers(&program, "f", 3, 12 + 97);
    answers(&program, "g", 3, 81 + 98);
    let printed = text(&program);
    assert!(printed.contains("note = [@b__helper_2, {at = @b__text}]"), "{printed}");
    let public = module("p", &function("func @helper(%x: i64) -> i64", TWICE));
    let printed = text(&linked(&[&a, &public]));
    assert!(printed.contains("private func @a__helper("), "{printed}");
    assert!(printed.contains("\nfunc @helper("), "{printed}");
}

#[test]
fn names_of_native_code_are_kept_apart() {
    let private = |op| function("private func @helper(%x: i64) -> i64 attrs {ppy.symbol = \"native\"}", op);
    let user = |name: &str| function(&format!("func @{name}(%x: i64) -> i64"), "core.call %x {callee = @helper} : i64");
    let a = module("a", &format!("{}{}", private(TWICE), user("f")));
    let b = module("b", &format!("{}{}", private(SQUARE), user("g")));
    let program = linked(&[&a, &b]);
    assert!(text(&program).contains("ppy.symbol = \"b__native\""), "{}", text(&program));
    answers(&program, "f", 3, 6);
    answers(&program, "g", 3, 9);
    // The C library's `labs` is not a private function of that name.
    let own =
        format!("{}{}", function("private func @labs(%x: i64) -> i64", TWICE), user("f").replace("helper", "labs"));
    let outer = "core.call_extern %x {callee = \"labs\", abi = \"c\"} : i64";
    let outer = function("func @outer(%x: i64) -> i64", outer);
    let program = linked(&[&module("a", &own), &module("b", &outer)]);
    answers(&program, "f", -3, -6);
    answers(&program, "outer", -3, 3);
}

const INSTANCE: &str =
    "func @gen__int(%x: i64) -> i64 attrs {ppy.generic = \"lib.gen\", ppy.type_arguments = [\"int\"]}";

/// An instance that calls a private function of its module, whose name and values' names are its own.
fn instance(helper: &str, value: &str, op: &str) -> String {
    let body = format!("core.call %x {{callee = @{helper}}} : i64");
    let instance = function(INSTANCE, &body).replace("%r", value);
    instance + &function(&format!("private func @{helper}(%x: i64) -> i64"), op)
}

#[test]
fn generic_instances_are_kept_once() {
    let a = module("a", &instance("h", "%r", TWICE));
    let b = module("b", &instance("other", "%named", TWICE));
    let program = linked(&[&a, &b]);
    assert_eq!(text(&program).matches("func @gen__int").count(), 1, "{}", text(&program));
    answers(&program, "gen__int", 3, 6);
    let c = module("c", &instance("h", "%r", SQUARE));
    let error = try_link(&[&a, &c]).expect_err("another body").to_string();
    assert!(error.starts_with("b.ppyir:5: error: @gen__int, the instance lib.gen for [\"int\"]"), "{error}");
    assert!(error.contains("@h has `%1 = core.mul %0, %0"), "{error}");
    assert!(error.contains("for `%1 = core.add %0, %0"), "{error}");
}

#[test]
fn headers_become_one() {
    let a = "ppyir 1\nmodule @a\ndialect math 1\nattrs {ppy.libraries = [\"m\", \"pthread\"], ppy.standalone = true}\n";
    let b = "ppyir 1\nmodule @b\ndialect core 1\nattrs {ppy.exceptions = true, ppy.libraries = [\"lapack\", \"m\"]}\n";
    let expected = "ppyir 1\nmodule @program\ndialect core 1\ndialect math 1\n\
         attrs {ppy.exceptions = true, ppy.libraries = [\"m\", \"pthread\", \"lapack\"], ppy.standalone = true}\n";
    assert_eq!(text(&linked(&[a, b])), expected);
    let legend = |name: &str, count: u32| {
        let map = format!(
            r#"{{"counters":{count},"functions":{{"{name}":{{"blocks":{{"entry":0}},"cfg":"0","edges":{{"entry":1}},"#
        ) + r#""entry":"entry","qualname":""}}}"#;
        let hits = "func @NAME(%c: bool) -> () {\n^entry:\n    prof.hit {counter = 0}\n    prof.hit_if %c {counter = 1}\n    \
                    core.ret\n}\n";
        let head =
            format!("ppyir 1\nmodule @{name}\ndialect core 1\ndialect prof 1\nattrs {{ppy.profile.map = {map:?}}}\n\n");
        head + &hits.replace("NAME", name)
    };
    let counted = text(&linked(&[&legend("f", 2), &legend("g", 3)]));
    for (f, from) in [("f", 0), ("g", 2)] {
        let expected = format!(r#""{f}":{{"blocks":{{"entry":{from}}},"cfg":"0","edges":{{"entry":{}}}"#, from + 1);
        assert!(counted.contains(&expected.replace('"', "\\\"")), "{counted}");
        assert!(counted.contains(&format!("prof.hit {{counter = {from}}}")), "{counted}");
    }
    assert!(counted.contains("\\\"counters\\\":5") && counted.contains("prof.hit_if %c {counter = 3}"), "{counted}");
}

/// Texts, and the words of each error, in order.
type Refusal = (&'static str, Vec<String>, &'static [&'static [&'static str]]);

fn refusals() -> Vec<Refusal> {
    let f = || function("func @f(%x: i64) -> i64", TWICE);
    let declared = |head: &str| format!("extern func @{head}\n");
    let external = "attrs {ppy.external = true, ppy.qualname = \"lib.g\"}";
    vec![
        ("no module", vec![], &[&["error: there is no module to link"]]),
        (
            "a public name twice",
            vec![module("a", &f()), module("b", &f())],
            &[&["b.ppyir:5: error: @f is defined twice", "a.ppyir:5: note: it is defined here too"]],
        ),
        (
            "another signature",
            vec![module("a", &f()), module("b", &declared("f(f64) -> i64"))],
            &[&[
                "b.ppyir:5: error: @f is declared as (f64) -> i64: declare it as it is defined",
                "a.ppyir:5: note: it is defined as (i64) -> i64",
            ]],
        ),
        (
            "another signature of a C function",
            vec![module("a", &declared("labs(i64) -> i64")), module("b", &declared("labs(i64) -> (i64, i64)"))],
            &[&["@labs is declared as (i64) -> (i64, i64): declare it as it is declared", "as (i64) -> i64"]],
        ),
        (
            "another ABI",
            vec![
                module("a", &function("func @f(%x: i64) -> i64 attrs {ppy.abi = \"ppy\"}", TWICE)),
                module("b", &declared("f(i64) -> i64 attrs {ppy.abi = \"canonical\"}")),
            ],
            &[&["@f is declared with ppy.abi = \"canonical\"", "it is defined with ppy.abi = \"ppy\""]],
        ),
        (
            "a function and a global",
            vec![module("a", "global @f : i64 = 1\n"), module("b", &declared("f(i64) -> i64"))],
            &[&["b.ppyir:5: error: @f is declared as a function and is a global", "a.ppyir:5: note: the global"]],
        ),
        (
            "all that is unresolved",
            vec![
                module("a", &declared(&format!("g(i64) -> i64 {external}"))),
                module("b", &format!("extern func @h(i64) -> i64 {external}\n{}", f().replace("func", "private func"))),
                module("c", &declared(&format!("f(i64) -> i64 {external}"))),
            ],
            &[
                &["a.ppyir:5: error: @g is declared as a function of another module", "link the module @lib"],
                &["b.ppyir:5: error: @h"],
                &["c.ppyir:5: error: @f", "b.ppyir:6: note: this @f is private"],
            ],
        ),
        (
            "a definition that does more than its declaration states",
            vec![
                module("a", "extern func @f(i64) -> i64 attrs {effects = [\"pure\"]}\n"),
                module("b", &function("func @f(%x: i64) -> i64 attrs {effects = [\"io\", \"may_raise\"]}", TWICE)),
            ],
            &[&[
                "a.ppyir:5: error: @f is declared with the effects none: declare it as it is defined",
                "b.ppyir:5: note: it is defined with the effects io, may_raise",
            ]],
        ),
        (
            "one name in native code",
            vec![
                module("a", &function("func @f(%x: i64) -> i64 attrs {ppy.symbol = \"n\"}", TWICE)),
                module("b", &function("func @g(%x: i64) -> i64 attrs {ppy.export = \"n\"}", TWICE)),
            ],
            &[&[
                "b.ppyir:5: error: @g and @f have one name in native code, \"n\": change ppy.export of one",
                "a.ppyir:5",
            ]],
        ),
        (
            "modules built differently",
            vec![
                "ppyir 1\nmodule @a\ndialect core 1\nattrs {ppy.source_int_width = 32}\n".into(),
                "ppyir 1\nmodule @b\ndialect core 1\nattrs {ppy.source_int_width = 64}\n".into(),
            ],
            &[&[
                "b.ppyir (module @b): error: the module has ppy.source_int_width = 64",
                "a.ppyir (module @a): note: this one has ppy.source_int_width = 32",
            ]],
        ),
        (
            "a legend that is none",
            vec!["ppyir 1\nmodule @a\ndialect core 1\nattrs {ppy.profile.map = \"{}\"}\n".into()],
            &[&["a.ppyir (module @a): error: ppy.profile.map is no legend of counters"]],
        ),
    ]
}

#[test]
fn every_error_names_both_places() {
    for (what, texts, expected) in refusals() {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let errors = try_link(&texts).and_then(Linked::complete).expect_err(what);
        assert_eq!(errors.0.len(), expected.len(), "{what}:\n{errors}");
        for (error, words) in errors.0.iter().map(ToString::to_string).zip(expected) {
            assert!(words.iter().all(|word| error.contains(word)), "{what}: {words:?} are not all in\n{error}");
        }
    }
}

#[test]
fn what_is_unresolved_can_be_left_to_the_caller() {
    let text = module("a", "extern func @g(i64) -> i64 attrs {ppy.external = true}\n");
    let linked = try_link(&[&text]).expect("it links");
    assert_eq!(linked.unresolved.len(), 1);
    assert!(self::text(&linked.module).contains("extern func @g"));
}

/// Module `a` was optimized when all that was known of `@next` is what its declaration states; `@next` counts.
#[test]
fn what_was_inferred_of_a_declaration_ends_with_it() {
    let call = "core.call %p {callee = @next, ppy.effects = []} : i64";
    let twice = format!(
        "extern func @next(ptr<i64>) -> i64 attrs {{effects = [\"pure\"]}}\n
func @f(%p: ptr<i64>) -> i64 {{
^entry:
    %a = {call}
    %b = {call}
    %r = core.add %a, %b {{overflow = \"wrap\"}} : i64
    core.ret %r
}}
"
    );
    let counter = "func @next(%p: ptr<i64>) -> i64 {
^entry:
    %old = core.load %p : i64
    %one = core.const 1 : i64
    %new = core.add %old, %one {overflow = \"wrap\"} : i64
    core.store %new, %p
    core.ret %new
}
";
    let linked = linked(&[&module("a", &twice), &module("b", counter)]);
    assert!(!text(&linked).contains("ppy.effects"), "{}", text(&linked));
    let context = ppy_mlir::context();
    let mut hosted = ppyir::build(&context, &linked).unwrap_or_else(|errors| panic!("{}", errors.join("\n")));
    pipeline::run(&mut hosted, "builtin.module(ppy_core.func(cse),dce)").expect("passes that do not fail");
    let tree = ppyir::export::export(hosted.as_operation()).expect("a module with a text");
    answers(&tree, "f", serde_json::json!({"ptr": [5], "elem": "q"}), 6 + 7);
}

#[test]
fn instances_are_alike_whatever_was_inferred_of_their_callees() {
    let instance = |marks: &str| {
        let head = "func @twice(%x: i64) -> i64 attrs {ppy.generic = \"lib.twice\", ppy.type_arguments = [\"int\"]}";
        function(head, &format!("core.call %x {{callee = @g{marks}}} : i64")) + "extern func @g(i64) -> i64\n"
    };
    let texts = ["", ", ppy.effects = []", ", ppy.effects = [\"io\"]"].map(instance);
    let [a, b, c] = [0, 1, 2].map(|at| module(["a", "b", "c"][at], &texts[at]));
    let once = try_link(&[&b, &a, &c]).expect("it links").module;
    assert_eq!(text(&once).matches("func @twice").count(), 1, "{}", text(&once));
}

/// Two modules that were instrumented and optimized alone: each has counters and effects of its own.
#[test]
fn instances_are_alike_under_any_profile_and_inferred_effects() {
    let copy = |name: &str, effects: &str, first: u32, marks: &str| {
        let legend = format!(
            r#"{{\"counters\":{},\"functions\":{{\"gen\":{{\"blocks\":{{\"entry\":{first}}},\"cfg\":\"{name}\",\"edges\":{{}},\"entry\":\"entry\",\"qualname\":\"lib.gen\"}}}}}}"#,
            first + 1
        );
        format!(
            "ppyir 1\nmodule @{name}\ndialect core 1\ndialect prof 1\nattrs {{ppy.profile.map = \"{legend}\"}}\n
func @gen(%x: i64) -> i64 attrs {{{effects}ppy.generic = \"lib.gen\", ppy.type_arguments = [\"int\"]{marks}}} {{
^entry:
    prof.hit {{counter = {first}}}
    core.ret %x
}}
"
        )
    };
    let a = copy("a", "", 2, "");
    let b = copy("b", "effects = [], ", 0, ", ppy.profile.hot = true");
    let program = text(&linked(&[&a, &b]));
    assert_eq!(program.matches("func @gen").count(), 1, "{program}");
    // The legend is the kept copy's, whose counters come first.
    assert!(program.contains("{counter = 2}"), "{program}");
    assert!(program.contains(r#"\"blocks\":{\"entry\":2},\"cfg\":\"a\""#), "{program}");
    assert!(program.contains(r#"{\"counters\":4,"#), "{program}");
}

#[test]
fn private_instances_are_kept_once_and_others_apart() {
    let head = |name: &str| {
        format!(
            "private func @{name}(%x: i64) -> i64 attrs {{ppy.generic = \"lib.gen\", ppy.type_arguments = [\"int\"]}}"
        )
    };
    let user = |name: &str, callee: &str| {
        function(&format!("func @{name}(%x: i64) -> i64"), &format!("core.call %x {{callee = @{callee}}} : i64"))
    };
    let public = module("p", &function("func @gen(%x: i64) -> i64", SQUARE));
    let a = module("a.b", &(function(&head("gen"), TWICE) + &user("f", "gen")));
    let b = module("b", &(function(&head("other"), TWICE) + &user("g", "other")));
    let c = module("c", &(function(&head("gen"), SQUARE) + &user("h", "gen")));
    let program = linked(&[&public, &a, &b, &c]);
    let printed = text(&program);
    assert_eq!(printed.matches("private func").count(), 2, "{printed}");
    assert!(printed.contains("private func @a_b__gen(") && printed.contains("private func @c__gen("), "{printed}");
    for (name, expected) in [("gen", 9), ("f", 6), ("g", 6), ("h", 9)] {
        answers(&program, name, 3, expected);
    }
}

#[test]
fn what_is_unresolved_is_said_with_the_other_errors() {
    let a = module(
        "a",
        &(function("func @f(%x: i64) -> i64", TWICE) + "extern func @g(i64) -> i64 attrs {ppy.external = true}\n"),
    );
    let b = module("b", &function("func @f(%x: i64) -> i64", SQUARE));
    let errors = try_link(&[&a, &b]).expect_err("@f is there twice").to_string();
    assert!(
        errors.contains("@f is defined twice") && errors.contains("@g is declared as a function of another"),
        "{errors}"
    );
}
