//! What is refused, where the error points, and what it says.

use super::super::{ErrorKind, MAX_DEPTH, MAX_ERRORS, parse_bytes, parse_documents};
use super::{HEADER, Table, body, document};

/// The errors of `text` as `line:column: message`.
fn errors(text: &str) -> Vec<String> {
    match parse_documents(text, "t.ppyir", &Table) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            errors.list.iter().map(|error| format!("{}:{}: {}", error.line, error.column, error.message)).collect()
        }
    }
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(errors(text), expected, "{text}");
}

#[test]
fn an_error_shows_file_line_column_line_caret_and_help() {
    let text = body("    %r = core.cmp.lq %x, %x : bool\n\tcore.ret %ghost\n");
    let shown = parse_documents(&text, "t.ppyir", &Table).expect_err("two errors").to_string();
    assert_eq!(
        shown,
        "t.ppyir:8:10: error: core.cmp has no variant `lq`\n    %r = core.cmp.lq %x, %x : bool\n         \
         ^~~~~~~~~~~\nhelp: the variants are eq, lt\n\
         t.ppyir:9:11: error: %ghost is not defined in @f\n core.ret %ghost\n          ^~~~~~"
    );
}

#[test]
fn a_long_line_is_cut_around_the_caret() {
    let text = body(&format!("    core.ret {}%ghost{}\n", "%x, ".repeat(5000), ", %x".repeat(5000)));
    let errors = parse_documents(&text, "t.ppyir", &Table).expect_err("an error");
    let error = &errors.list[0];
    assert!(error.source.starts_with('…') && error.source.ends_with('…') && error.source.chars().count() < 130);
    assert_eq!(error.source.chars().skip(error.caret).take(error.caret_len).collect::<String>(), "%ghost");
}

#[test]
fn headers() {
    refused("", &["1:1: not a .ppyir file: the file is empty"]);
    refused("\n \n", &["3:1: not a .ppyir file: the file is empty"]);
    refused("module @t\n", &["1:1: not a .ppyir file: it does not begin with `ppyir`"]);
    refused("\u{feff}ppyir 1\n", &["1:1: not a .ppyir file: it begins with a byte-order mark"]);
    refused(
        "ppyir\n",
        &["1:6: not a .ppyir file: expected the schema number after `ppyir`, found the end of the line"],
    );
    refused("ppyir 2\nmodule @t\n", &["1:7: the document is .ppyir schema 2; this reader has schema 1"]);
    refused("ppyir 1 module @t", &["1:9: expected the end of the line after the schema number, found `module`"]);
    refused("ppyir 1", &["1:8: expected `module @name` after the schema line, found the end of the text"]);
    refused("ppyir 1\nmodule t\n", &["2:8: expected a symbol (`@name`), found `t`"]);
    refused(
        "ppyir 1\nmodule @t\ndialect quantum 7\ndialect core 9\ndialect core 1\ndialect core 1\ndialect cor\n",
        &[
            "3:9: the module uses dialect `quantum` version 7, which is not here",
            "4:9: the module uses dialect `core` version 9; version 1 is here",
            "6:9: dialect `core` is listed twice",
            "7:12: expected the version of dialect `cor`, found the end of the line",
        ],
    );
    // A header that failed does not make errors of its operations, and the next document is still read.
    refused(
        "ppyir 1\nmodule @t\ndialect odd 1\n\nfunc @f() -> () {\n^e:\n    odd.op\n}\nppyir 1\nmodule\n",
        &[
            "3:9: the module uses dialect `odd` version 1, which is not here",
            "10:7: expected a symbol (`@name`), found the end of the line",
        ],
    );
}

#[test]
fn items() {
    for (items, error) in [
        ("fun @f() -> ()\n", "6:1: expected `func` or `global`, found `fun`"),
        ("global @g : i64\ndialect core 1\n", "7:1: expected `func` or `global`, found `dialect`"),
        ("extern global @g : i64\n", "6:8: expected `func` after `extern`, found `global`"),
        ("mutable func @f() -> ()\n", "6:9: expected `global` after `mutable`, found `func`"),
        ("global @g i64\n", "6:11: expected `:` and the global's type, found `i64`"),
        ("global @g : i64 = \n", "6:19: expected an attribute value, found the end of the line"),
        ("global @g : i64 = 1 2\n", "6:21: expected `=` and a value, or the end of the line, found `2`"),
        ("global @g : i65\n", "6:13: unknown type `i65`"),
        ("global @g : other.kind<i64>\n", "6:13: type `other.kind`: there is no dialect `other` here"),
        ("func @f() {\n", "6:11: expected `->` and the result types, found `{`"),
        ("func @f(%x i64) -> ()\n", "6:12: expected `:` and the parameter's type, found `i64`"),
        (
            "func @f(i64) -> () {\n^e:\n    core.ret\n}\n",
            "6:9: a parameter of @f has no name, but the function has a body",
        ),
        ("func @f(%x: i64) -> ()\n", "6:6: function @f has no body"),
        ("func @f() -> () {\n}\n", "6:17: function @f has a body without a block"),
        ("extern func @f() -> () {\n^e:\n    core.ret\n}\n", "6:24: extern function @f has a body"),
        ("extern func @f() -> ()\n\nglobal @f : i64\n", "8:8: @f is defined twice in module @t"),
        ("func @f(%a: i64, %a: i64) -> () {\n^e:\n    core.ret\n}\n", "6:18: %a is defined twice in @f"),
        ("extern func @f(i64\n\nextern func @g() -> ()\n", "6:19: expected `,` or `)`, found the end of the line"),
        ("func @f() -> () {\n^e:\n    core.ret\n", "9:1: the text ends inside function @f: a `}` is missing"),
        ("extern func @f() -> () loc(\"x\":1)\n", "6:33: expected `:` and the column, found `)`"),
        ("extern func @f() -> () loc(\"x\":1:-1)\n", "6:34: expected the column of the location, found `-`"),
    ] {
        refused(&document(items), &[error]);
    }
}

#[test]
fn operations() {
    for (line, error) in [
        ("core.rotate %x", "8:5: dialect `core` has no operation `rotate`"),
        ("core.cmp.near %x", "8:5: core.cmp has no variant `near`"),
        ("math.sqrt %x", "8:5: math.sqrt: there is no dialect `math` here"),
        ("add %x", "8:5: `add` is not an operation: one is written `dialect.name`"),
        ("%r = %x", "8:10: expected an operation (`dialect.name`), found `%`"),
        ("%r core.ret", "8:8: expected `=` after the results, found `core.ret`"),
        ("%r = core.add %x", "8:10: core.add names 1 result(s) but gives 0 type(s)"),
        ("%r = core.call @f(%x) : i64", "8:20: core.call: expected operands, `{attributes}` or `: types`, found `@`"),
        ("core.add %x : i64", "8:5: core.add names 0 result(s) but gives 1 type(s)"),
        ("core.add %x %x", "8:17: expected the end of the line after the operation, found `%`"),
        ("core.add %x,", "8:17: expected an operand or a successor after `,`, found the end of the line"),
        ("core.br ^entry, %x", "8:21: expected `^`: operands stand before the successors, found `%`"),
        ("core.br ^entry(%x", "8:22: expected `,` or `)`, found the end of the line"),
        ("core.br ^ghost", "8:13: ^ghost is not a block of this region of @f"),
        ("core.ret %ghost", "8:14: %ghost is not defined in @f"),
        ("core.ret; core.ret", "8:13: expected the end of the line after the operation, found `;`"),
        ("core.ret core.ret", "8:14: expected the end of the line after the operation, found `core.ret`"),
        ("%x = core.const 1 : i64", "8:5: %x is defined twice in @f"),
        (
            "%r = core.const 1 {value = 2} : i64",
            "8:23: core.const: `value` is given both after the name and in the braces",
        ),
        ("core.ret {a = 1, a = 2}", "8:15: the attribute `a` is given twice"),
        ("core.ret {a = }", "8:19: expected an attribute value, found `}`"),
        ("core.ret {a = True}", "8:19: expected an attribute value, found `True`"),
        ("core.ret {a = (1, 2)}", "8:19: expected an attribute value, found `(`"),
        ("core.ret {a = i64}", "8:19: expected an attribute value, found `i64`"),
        ("core.ret {a = [1 2]}", "8:22: expected `,` or `]`, found `2`"),
        ("core.ret {a = 1", "8:20: expected `,` or `}`, found the end of the line"),
        ("core.ret {a = 0x10}", "8:19: `0x10` is not a number"),
        ("core.ret {a = -nan}", "8:19: `-nan` is not a number"),
        ("core.ret {a = 1e}", "8:19: `1e` is not a number"),
        ("core.ret {a = \"x", "8:19: the string is not closed on its line"),
        ("core.ret {a = \"\\x41\"}", "8:20: `\\x` is not an escape of a string"),
        ("core.ret {a = \"\\ud800!\"}", "8:20: `\\ud800` is half of a surrogate pair and not a character by itself"),
        ("core.ret {a = \"\u{1}\"}", "8:20: a string cannot hold the raw control character U+0001"),
        (
            "core.ret {a = 999999999999999999999999999999999999999999}",
            "8:19: the integer 9999999999999999999999999999999999999999 is out of range here",
        ),
        ("%r = core.const 1 : i64 {a = 1}", "8:29: expected a region or the end of the line, found `{`"),
        (
            "core.ret \r x",
            "8:14: expected the end of the line after the operation, found a carriage return without a newline",
        ),
        ("core.ret \u{0}", "8:14: expected the end of the line after the operation, found the character U+0000"),
        ("^entry:", "8:5: ^entry is defined twice in @f"),
        ("^next(%x: i64):", "8:11: %x is defined twice in @f"),
        ("^next", "8:10: expected `:` after the block's label, found the end of the line"),
    ] {
        refused(&body(&format!("    {line}\n")), &[error]);
    }
    refused(
        &document("func @f() -> () {\n    core.ret\n}\n"),
        &["7:5: core.ret stands before the first block of its region"],
    );
    refused(
        &document("func @f(%x: i64) -> () {\n^entry(%y: i64):\n    core.ret\n}\n"),
        &["7:7: ^entry: the entry block's arguments are the function's parameters"],
    );
    refused(
        &body("    tensor.fused {\n    ^body:\n        core.br ^entry\n    }\n"),
        &["10:17: ^entry is not a block of this region of @f"],
    );
}

#[test]
fn an_undeclared_dialect_is_named_with_its_version() {
    let text = body("    tensor.yield\n").replace("dialect tensor 2\n", "");
    let errors = parse_documents(&text, "t", &Table).expect_err("an error");
    assert_eq!(errors.list[0].message, "tensor.yield: the module does not list dialect `tensor`");
    assert_eq!(errors.list[0].help.as_deref(), Some("add the line `dialect tensor 2` to the header"));
    assert_eq!(errors.list[0].kind, ErrorKind::Dialect);
}

#[test]
fn one_run_reports_every_error_and_none_that_follows_from_another() {
    let text = format!(
        "{}\nfunc @g(%a: i64) -> () {{\n^e:\n    core.ret %b\n}}\n",
        body(
            "    %r = core.rotate %x : i64\n    core.ret %r\n    tensor.bogus %x {\n    ^body(%k: i64):\n        \
             core.ret %k\n    }\n    %s = core.add %x, : i64\n    core.ret %s, %t\n^b:\n    core.br ^c\n"
        )
    );
    refused(
        &text,
        &[
            "8:10: dialect `core` has no operation `rotate`",
            "10:5: dialect `tensor` has no operation `bogus`",
            "14:23: expected an operand or a successor after `,`, found `:`",
            "15:18: %t is not defined in @f",
            "17:13: ^c is not a block of this region of @f",
            "22:14: %b is not defined in @g",
        ],
    );
}

#[test]
fn a_mistake_in_a_label_or_brace_makes_no_errors_of_what_follows() {
    let next = "func @g() -> () {\n^e:\n    core.rotate\n}\n";
    let rotate = "dialect `core` has no operation `rotate`";
    for (lines, error) in [
        (
            "entry:\n    core.ret %x\n    core.ret %x\n}\n",
            "7:6: expected a blank or the end of the line after the operation's name, found `:`",
        ),
        (
            "^entry\n    core.ret %x\n    core.ret %x\n}\n",
            "7:7: expected `:` after the block's label, found the end of the line",
        ),
        (
            "^e:\n    core.br ^b(%x)\n^b(y: i64):\n    core.ret %y\n}\n",
            "9:4: expected a block argument (`%name: type`), found `y`",
        ),
        ("^e:\n    core.br ^b(%x)\n^b(%y: i65):\n    core.ret %y\n}\n", "9:8: unknown type `i65`"),
        (
            "^e:\n    r = core.const 1 : i64\n    core.ret %r\n}\n",
            "8:5: `r` is not an operation: one is written `dialect.name`",
        ),
        ("^e:\n    core.ret %x\n    core.ret\n\n", "11:1: an item begins inside function @f: a `}` is missing"),
    ] {
        let text = document(&format!("func @f(%x: i64) -> () {{\n{lines}{next}"));
        let line = text.lines().count() - 1;
        refused(&text, &[error, &format!("{line}:5: {rotate}")]);
    }
}

#[test]
fn errors_stop_at_the_limit() {
    let text = body(&"    core.rotate\n".repeat(3 * MAX_ERRORS));
    let errors = parse_documents(&text, "t", &Table).expect_err("errors");
    assert!(errors.truncated && errors.list.len() == MAX_ERRORS);
    assert!(errors.to_string().ends_with("stopped after 100 errors"));
}

#[test]
fn every_truncation_of_a_text_is_read_or_refused() {
    let text = body(
        "    %r = core.const \"a\\u00e9\" {k = [1, {a = !ptr<i64, stack>}]} : tuple<i64, f64> loc(\"p\":1:2)\n    \
         tensor.fused %x, ^entry(%x) {\n    ^b(%y: i64):\n        core.ret\n    }\n",
    );
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let _ = parse_documents(&text[..end], "t", &Table);
    }
}

#[test]
fn deep_nesting_is_an_error_and_costs_no_stack() {
    for depth in [MAX_DEPTH - 1, MAX_DEPTH + 10, 10_000] {
        let (open, close) = ("tensor.fused {\n^b:\n".repeat(depth), "}\n".repeat(depth));
        let nested =
            |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
        for text in [
            body(&format!("{open}{close}")),
            document(&format!("extern func @f({}) -> ()\n", nested("ptr<", "i64", ">"))),
            document(&format!("extern func @f({}) -> ()\n", nested("x.y<", "i64", ">")).replace("x.y", "core.y")),
            document(&format!("global @g : i64 = {}\n", nested("[", "1", "]"))),
            document(&format!("global @g : i64 = {}\n", nested("{a = ", "1", "}"))),
        ] {
            let found = errors(&text);
            match depth < MAX_DEPTH {
                true => assert_eq!(found, [""; 0]),
                false => assert!(found.len() == 1 && found[0].contains("nest deeper than"), "{found:?}"),
            }
        }
    }
}

#[test]
fn bytes_that_are_not_text() {
    let say = |bytes: &[u8]| parse_bytes(bytes, "t", &Table).expect_err("an error").list.remove(0);
    let error = say(&[HEADER.as_bytes(), b"global @g : i64 = \"\xe9\"\n"].concat());
    assert_eq!((error.kind, error.line, error.column), (ErrorKind::Encoding, 5, 20));
    assert_eq!(error.message, "the byte 0xe9 is not UTF-8 text");
    assert_eq!(say(b"\xff\xfep\0").message, "the file is UTF-16, not UTF-8");
}
