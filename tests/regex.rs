//! Patterns against this machine's CPython (`tests/regex/generate.py`): what parses, with which error where, and the
//! spans of every group, from the matcher itself and from compiled code of both kinds.

mod support;

use ppy_mlir::dialects::regex::{
    automaton::Automaton,
    backtrack::{self, Found},
    emit_table::Table,
    nfa::Nfa,
    program::{Mode, Program},
    syntax::{self, Pattern, PatternError},
};
use ppy_mlir::driver::args;
use ppy_mlir::emit::llvm::{Jit, Level, Options};
use ppy_mlir::passes::{default_pipeline::DefaultPipeline, pipeline};
use ppy_mlir::ppyir::{self, ast::Item, parse_bytes};
use ppy_mlir::registry::Syntax;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::process::Command;
use support::{Compiled, Engine, Interpreted, Tally, folder};

/// Another seed than the usual one, to look for more.
const SEED: &str = "PPY_REGEX_SEED";
/// Steps of one match, more than any of the texts needs.
const FUEL: u64 = 10_000_000;
/// Patterns of one module.
const TOGETHER: usize = 50;

/// Lines of the generator: so many patterns with so many texts, and what the texts are lengthened by.
fn lines(patterns: usize, texts: usize, padding: usize) -> Vec<Json> {
    generated(&[patterns.to_string(), texts.to_string(), padding.to_string()])
}

/// Lines of patterns that many states belong to: hundreds of words, counted repeats.
fn large_lines(patterns: usize, texts: usize) -> Vec<Json> {
    generated(&[patterns.to_string(), texts.to_string(), "0".into(), "large".into()])
}

fn generated(arguments: &[String]) -> Vec<Json> {
    let seed = std::env::var(SEED).unwrap_or_else(|_| "1".into());
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let done = Command::new(&python)
        .arg(folder("regex").join("generate.py"))
        .arg(seed)
        .args(arguments)
        .output()
        .unwrap_or_else(|e| panic!("{python}: {e}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

fn word<'j>(json: &'j Json, key: &str) -> &'j str {
    json[key].as_str().unwrap_or_else(|| panic!("{key} of {json} is a string"))
}

fn number(json: &Json, key: &str) -> i64 {
    json[key].as_i64().unwrap_or_else(|| panic!("{key} of {json} is a number"))
}

fn cases(line: &Json) -> &[Json] {
    line["cases"].as_array().map_or(&[], Vec::as_slice)
}

fn shown(line: &Json) -> String {
    format!("{} of {} with flags {}", line["op"], line["pattern"], line["flags"])
}

/// Whether a pattern that CPython refuses is refused in the same words.
fn refused_alike(line: &Json) -> Result<(), String> {
    match syntax::parse(word(line, "pattern"), number(line, "flags")) {
        Err(PatternError::Syntax { message, position }) => {
            let alike = message == word(line, "error") && position.map(|p| p as u64) == line["position"].as_u64();
            if alike { Ok(()) } else { Err(format!("{message} at {position:?} for {line}")) }
        }
        Err(error) => Err(format!("{error} for {line}")),
        Ok(_) => Err(format!("parses: {line}")),
    }
}

/// The pattern of a line; `None` for one that only CPython matches.
fn pattern(line: &Json) -> Result<Option<Pattern>, String> {
    match syntax::parse(word(line, "pattern"), number(line, "flags")) {
        Ok(pattern) => Ok(Some(pattern)),
        Err(PatternError::Unsupported { .. }) => Ok(None),
        Err(error) => Err(format!("{error}: {}", shown(line))),
    }
}

/// The answer of the matcher itself.
fn matched(pattern: &Pattern, line: &Json, case: &Json) -> Result<Json, String> {
    let mode = Mode::parse(word(line, "op")).expect("an operation");
    let text = syntax::bytes_of(word(case, "text")).expect("Latin-1");
    let program = Program::new(pattern, mode);
    match backtrack::run(&program, mode, &text, number(case, "pos"), number(case, "endpos"), FUEL) {
        Found::Spans(spans) => Ok(Json::from(spans)),
        Found::Nothing => Ok(Json::Null),
        other => Err(format!("{other:?}")),
    }
}

#[test]
fn the_matcher_agrees_with_cpython() {
    let (mut tally, mut refused) = (Tally::default(), 0);
    for line in lines(2500, 10, 0) {
        if line.get("error").is_some() {
            match refused_alike(&line) {
                Ok(()) => tally.passed += 1,
                Err(error) => tally.failed.push(error),
            }
            continue;
        }
        match pattern(&line) {
            Ok(Some(pattern)) => {
                for case in cases(&line) {
                    match matched(&pattern, &line, case) {
                        Ok(answer) if answer == case["spans"] => tally.passed += 1,
                        other => tally.failed.push(format!("{other:?}: {}, {case}", shown(&line))),
                    }
                }
            }
            Ok(None) => refused += 1,
            Err(error) => tally.failed.push(error),
        }
    }
    // The damage of the generator makes a few possessive repeats.
    assert!(refused < 50, "{refused} patterns are refused");
    tally.finish("patterns");
}

/// A module with a function for each line, by its number.
fn module(lines: &[Json]) -> String {
    let mut text = String::from("ppyir 1\nmodule @patterns\ndialect core 1\ndialect regex 1\n");
    for (i, line) in lines.iter().enumerate() {
        let ends = 2 * (number(line, "groups") as usize + 1);
        let types = vec!["i64"; ends].join(", ");
        let values: Vec<String> = (0..=ends).map(|i| format!("%v{i}")).collect();
        let (values, op, flags) = (values.join(", "), word(line, "op"), number(line, "flags"));
        // `.ppyir` strings are JSON's.
        let pattern = &line["pattern"];
        write!(
            text,
            "\nfunc @f{i}(%b: buffer<u8>, %p: i64, %e: i64) -> (bool, {types}) {{\n^entry:\n    {values} = regex.{op} \
             %b, %p, %e {{flags = {flags}, pattern = {pattern}}} : bool, {types}\n    core.ret {values}\n}}\n"
        )
        .expect("a string takes all");
    }
    text
}

/// Every case on compiled code. In long texts a few matches need more than the stack.
fn compiled_agrees(what: &str, engine: &str, level: Level, lines: Vec<Json>, long: bool) {
    let supported = |line: &Json| line.get("cases").is_some() && matches!(pattern(line), Ok(Some(_)));
    let lines: Vec<Json> = lines.into_iter().filter(supported).collect();
    let context = ppy_mlir::context();
    let (mut tally, mut fallbacks) = (Tally::default(), 0);
    for lines in lines.chunks(TOGETHER) {
        let text = module(lines);
        let trees = parse_bytes(text.as_bytes(), "patterns", &Syntax).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut modules = ppyir::read(&context, text.as_bytes(), "patterns").unwrap_or_else(|e| panic!("{e}"));
        pipeline::run(&mut modules[0], &format!("builtin.module(lower-regex{{engine={engine}}})"))
            .unwrap_or_else(|e| panic!("{e}"));
        let options = Options { passes: DefaultPipeline::nothing(), ..Options::at(level) };
        let jit = Jit::with(&mut modules[0], options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let functions = trees[0].items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function),
            Item::Global(_) => None,
        });
        for (line, function) in lines.iter().zip(functions) {
            let compiled = jit.function(function).unwrap_or_else(|e| panic!("{e}"));
            for case in cases(line) {
                let text = syntax::bytes_of(word(case, "text")).expect("Latin-1");
                let arguments = json!([{"buf": text, "elem": "B"}, case["pos"], case["endpos"]]);
                let values = args::arguments(function, &arguments.to_string()).unwrap_or_else(|e| panic!("{e}"));
                let outcome = unsafe { compiled.call_here(&values) }.unwrap_or_else(|e| panic!("{e}"));
                let answer = args::render(outcome.status, &outcome.results, &[]);
                let answer: Json = serde_json::from_str(&answer).expect("JSON");
                let expected: Vec<Json> = match case["spans"].as_array() {
                    Some(spans) => std::iter::once(json!(true)).chain(spans.iter().cloned()).collect(),
                    None => {
                        let none = vec![json!(-1); 2 * (number(line, "groups") as usize + 1)];
                        std::iter::once(json!(false)).chain(none).collect()
                    }
                };
                match answer["status"].as_i64() {
                    Some(0) if answer["results"] == json!(expected) => tally.passed += 1,
                    Some(1) if long => fallbacks += 1,
                    _ => tally.failed.push(format!("{answer}: {}, {case}", shown(line))),
                }
            }
        }
    }
    assert!(fallbacks * 100 <= tally.passed, "{what}: {fallbacks} cases fell back");
    tally.finish(what);
}

#[test]
fn the_backtracking_matcher_agrees_with_cpython() {
    compiled_agrees("backtracking", "backtrack", Level::O0, lines(200, 10, 0), false);
}

#[test]
fn the_automaton_agrees_with_cpython() {
    compiled_agrees("automaton", "auto", Level::O0, lines(500, 10, 0), false);
}

#[test]
fn small_tables_agree_with_cpython() {
    compiled_agrees("tables", "table", Level::O0, lines(200, 10, 0), false);
}

#[test]
fn the_automaton_skips_as_cpython_does() {
    for (engine, patterns) in [("auto", 150), ("table", 50)] {
        compiled_agrees("long texts", engine, Level::O1, lines(patterns, 6, 120), true);
    }
}

#[test]
fn large_patterns_agree_with_cpython() {
    compiled_agrees("large patterns", "auto", Level::O0, large_lines(40, 12), false);
}

/// The answer of one pattern's search of a text: by the interpreter, and compiled.
fn both(pattern: &str, groups: usize, text: &[u8]) -> (Json, Json) {
    let line = json!({"pattern": pattern, "flags": 0, "groups": groups, "op": "search"});
    let source = module(std::slice::from_ref(&line));
    let arguments = json!([{"buf": text, "elem": "B"}, 0, text.len()]);
    let trees = parse_bytes(source.as_bytes(), "pattern", &Syntax).unwrap_or_else(|e| panic!("{e}"));
    let interpreted = Interpreted(&trees[0]).call("f0", &arguments).unwrap_or_else(|e| panic!("{e}"));
    let compiled = Compiled::at(0, Level::O0).call(&trees[0], "f0", &arguments).unwrap_or_else(|e| panic!("{e}"));
    (interpreted, compiled)
}

#[test]
fn nested_repeats_take_as_long_as_the_text() {
    let mut text = vec![b'a'; 100_000];
    let line = json!({"pattern": "(a+)+b", "flags": 0, "groups": 1, "op": "search"});
    let source = module(std::slice::from_ref(&line));
    let trees = parse_bytes(source.as_bytes(), "pattern", &Syntax).unwrap_or_else(|e| panic!("{e}"));
    let engine = Compiled::at(0, Level::O0);
    let search = |text: &[u8]| {
        let arguments = json!([{"buf": text, "elem": "B"}, 0, text.len()]);
        engine.call(&trees[0], "f0", &arguments).unwrap_or_else(|e| panic!("{e}"))
    };
    let answer = search(&text);
    assert_eq!((&answer["status"], &answer["results"]), (&json!(0), &json!([false, -1, -1, -1, -1])));
    text.push(b'b');
    let answer = search(&text);
    assert_eq!((&answer["status"], &answer["results"]), (&json!(0), &json!([true, 0, 100_001, 0, 100_000])));
}

/// Patterns that a backtracking matcher needs exponential time for, with what it tries in vain on a text of `a`s.
const EXPLOSIVE: [(&str, usize); 6] =
    [("(a+)+b", 1), ("(a|a)*b", 1), ("(a*)*b", 1), ("(a|aa)+b", 1), ("(.*)*x", 1), (r"(\w+\s?)*:", 1)];

#[test]
fn what_explodes_when_tried_in_order_is_answered_at_once() {
    let text = vec![b'a'; 100_000];
    let engine = Compiled::at(0, Level::O0);
    for (pattern, groups) in EXPLOSIVE {
        for op in ["search", "match", "fullmatch"] {
            let line = json!({"pattern": pattern, "flags": 0, "groups": groups, "op": op});
            let source = module(std::slice::from_ref(&line));
            let trees = parse_bytes(source.as_bytes(), "pattern", &Syntax).unwrap_or_else(|e| panic!("{e}"));
            let arguments = json!([{"buf": text, "elem": "B"}, 0, text.len()]);
            let answer = engine.call(&trees[0], "f0", &arguments).unwrap_or_else(|e| panic!("{e}"));
            let none = json!([false, -1, -1, -1, -1]);
            assert_eq!((&answer["status"], &answer["results"]), (&json!(0), &none), "{op} of {pattern}");
        }
    }
}

/// 300 words of which many begin as others do, are what others begin with, or both.
fn keywords() -> Vec<String> {
    let stems =
        ["in", "int", "inter", "pre", "press", "con", "cont", "st", "stat", "ar", "an", "ant", "re", "rest", "be"];
    let ends =
        ["", "er", "ern", "al", "ally", "ion", "e", "es", "ess", "ing", "i", "t", "ted", "o", "on", "s", "a", "l"];
    let later = ["ure", "ive"];
    let words = stems.iter().flat_map(|stem| ends.iter().chain(&later).map(move |end| format!("{stem}{end}")));
    // The order decides which of two words is found, so it is neither that of length nor that of letters.
    let mut words: Vec<String> = words.collect();
    words.sort_by_key(|word| word.bytes().fold(7_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)));
    words
}

/// Asserts that the automaton of a pattern is a table.
fn table(pattern: &str, mode: Mode) {
    let parsed = syntax::parse(pattern, 0).unwrap_or_else(|e| panic!("{e}"));
    let nfa = Nfa::new(&parsed, mode).unwrap_or_else(|| panic!("the graph of {pattern} is too large"));
    let automaton = Automaton::new(&nfa).unwrap_or_else(|| panic!("the automaton of {pattern} is too large"));
    assert!(Table::suits(&automaton), "{} states of {pattern}", automaton.states.len());
}

/// Lines with what the matcher itself answers, for each operation.
fn judged(patterns: &[(&str, usize)], texts: &[(Vec<u8>, i64, i64)]) -> Vec<Json> {
    let mut lines = Vec::new();
    for (pattern, groups) in patterns {
        let parsed = syntax::parse(pattern, 0).unwrap_or_else(|e| panic!("{e}"));
        for op in ["search", "match", "fullmatch"] {
            let mut line = json!({"pattern": pattern, "flags": 0, "groups": groups, "op": op});
            let case = |(text, pos, endpos): &(Vec<u8>, i64, i64)| {
                let text: String = text.iter().map(|byte| char::from(*byte)).collect();
                let mut case = json!({"text": text, "pos": pos, "endpos": endpos});
                case["spans"] = matched(&parsed, &line, &case).unwrap_or_else(|e| panic!("{e}"));
                case
            };
            line["cases"] = texts.iter().map(case).collect();
            lines.push(line);
        }
    }
    lines
}

#[test]
fn three_hundred_words_are_one_table() {
    let words = keywords();
    assert_eq!(words.len(), 300);
    let either = words.join("|");
    let [end, groups, pair] = [
        format!("(?:{either})(?:[^a-z]|$)"),
        format!(r"\b(?:({either})|(x+))\b(=?)$"),
        format!("({either})({either})"),
    ];
    let patterns = [(end.as_str(), 0), (groups.as_str(), 3), (pair.as_str(), 2)];
    for (pattern, _) in patterns {
        for mode in [Mode::Search, Mode::Match, Mode::Fullmatch] {
            table(pattern, mode);
        }
    }
    let texts =
        ["", "internal", "xx interstate", "pressing=\n", "an anti-constant", "xxx", "contestants=", "interpression\n"];
    let places = texts.iter().flat_map(|text| {
        let (text, end) = (text.as_bytes().to_vec(), text.len() as i64);
        [(0, end), (1, end), (0, end - 1), (3, 2)].map(|(pos, endpos)| (text.clone(), pos, endpos))
    });
    let lines = judged(&patterns, &places.collect::<Vec<_>>());
    compiled_agrees("words", "auto", Level::O0, lines.clone(), false);

    // The interpreter runs the tables too.
    let context = ppy_mlir::context();
    for line in &lines {
        let source = module(std::slice::from_ref(line));
        let mut modules = ppyir::read(&context, source.as_bytes(), "words").unwrap_or_else(|e| panic!("{e}"));
        pipeline::run(&mut modules[0], "builtin.module(lower-regex)").unwrap_or_else(|e| panic!("{e}"));
        let lowered = ppyir::write(modules[0].as_operation()).unwrap_or_else(|e| panic!("{e:?}"));
        let lowered = parse_bytes(lowered.as_bytes(), "words", &Syntax).unwrap_or_else(|e| panic!("{e}"));
        for case in cases(line) {
            let arguments = json!([{"buf": word(case, "text").as_bytes(), "elem": "B"}, case["pos"], case["endpos"]]);
            let answer = Interpreted(&lowered[0]).call("f0", &arguments).unwrap_or_else(|e| panic!("{e}"));
            let found = answer["results"].as_array().and_then(|results| results.split_first());
            let (found, spans) = found.unwrap_or_else(|| panic!("{answer}"));
            let spans = if *found == json!(true) { json!(spans) } else { Json::Null };
            assert_eq!(spans, case["spans"], "{} in {case}", line["op"]);
        }
    }
}

#[test]
fn words_in_a_repeat_before_the_end_are_a_table() {
    let mut dice = 1_u32;
    let mut letter = || {
        dice = dice.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
        char::from(b'a' + (dice >> 16) as u8 % 26)
    };
    let words: Vec<String> = (0..1000).map(|at| (0..3 + at % 8).map(|_| letter()).collect()).collect();
    let pattern = format!("({})+$", words.join("|"));
    table(&pattern, Mode::Search);
}

#[test]
fn large_patterns_take_as_long_as_the_text() {
    let either = keywords().join("|");
    let (mut near, mut states) = (b"interna.prestatio.".repeat(5600), b"ab".repeat(50_000));
    near.extend(b"restive=ants!");
    let at = near.len() as i64;
    let words = format!("({either})=({either})!");
    let last = "(a|b)*a(a|b){12}";
    let none = |ends: usize| vec![-1; ends];
    let tried = [
        (words.as_str(), 2, &near, vec![at - 13, at, at - 13, at - 6, at - 5, at - 1]),
        (last, 2, &states, vec![0, 99_999, 99_985, 99_986, 99_998, 99_999]),
        ("((a|b)*)a(a|b){12}c", 3, &states, none(8)),
    ];
    let search = |pattern: &str, groups: usize, text: &[u8], expected: &[i64]| {
        table(pattern, Mode::Search);
        let line = json!({"pattern": pattern, "flags": 0, "groups": groups, "op": "search"});
        let source = module(std::slice::from_ref(&line));
        let trees = parse_bytes(source.as_bytes(), "pattern", &Syntax).unwrap_or_else(|e| panic!("{e}"));
        let arguments = json!([{"buf": text, "elem": "B"}, 0, text.len()]);
        let answer = Compiled::at(0, Level::O0).call(&trees[0], "f0", &arguments).unwrap_or_else(|e| panic!("{e}"));
        let found = json!(expected[0] >= 0);
        let results: Vec<Json> = std::iter::once(found).chain(expected.iter().map(|end| json!(end))).collect();
        assert_eq!((&answer["status"], &answer["results"]), (&json!(0), &json!(results)), "{pattern:.40}");
    };
    for (pattern, groups, text, expected) in &tried {
        search(pattern, *groups, text, expected);
    }
    states.push(b'c');
    search("((a|b)*)a(a|b){12}c", 3, &states, &[-1; 8]);
}

/// Every text of up to so many of these letters.
fn texts(letters: &[u8], most: usize) -> Vec<Vec<u8>> {
    let mut texts = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let to = texts.len();
        for i in from..to {
            texts.extend(letters.iter().map(|letter| [texts[i].clone(), vec![*letter]].concat()).collect::<Vec<_>>());
        }
        from = to;
    }
    texts
}

#[test]
fn alternatives_that_begin_alike_keep_their_order() {
    let patterns = [
        ("ab|a|abc|ac", 0),
        ("(?:a|ab|abc)c", 0),
        ("(?:abc|ab|a)(c*)", 1),
        ("(?:[ab]c|ac|[bc]b|bcb|a)(b?)", 1),
        ("(?:a[bc]|ab|ac|abc|[ab]bc)b", 0),
        ("(?:ab(c)|ab|(a)bcc|ab(b|c)c)c?", 3),
        ("(?:ab|abc|ab|)+c", 0),
        ("(?:aa|a|b|aab)*?c", 0),
        ("(?:|a|ab)(?:c|bc)", 0),
    ];
    let texts: Vec<(Vec<u8>, i64, i64)> =
        texts(b"abc", 5).into_iter().map(|text| (text.clone(), 0, text.len() as i64)).collect();
    let lines = judged(&patterns, &texts);
    compiled_agrees("alternatives", "auto", Level::O0, lines, false);
}

#[test]
fn a_match_that_needs_more_than_the_stack_falls_back() {
    // Too many states for an automaton: both engines push the same entries.
    let pattern = "((a|b)*)a(a|b){20}c";
    let parsed = syntax::parse(pattern, 0).expect("a pattern");
    assert!(Nfa::new(&parsed, Mode::Search).is_some_and(|nfa| Automaton::new(&nfa).is_none()));
    let (interpreted, compiled) = both(pattern, 3, &b"ab".repeat(2500));
    assert_eq!((&interpreted["status"], &compiled["status"]), (&json!(1), &json!(1)));
    let (interpreted, compiled) = both(pattern, 3, &[b"ab".repeat(20), b"c".to_vec()].concat());
    assert_eq!(interpreted["status"], json!(0));
    assert_eq!(interpreted["results"], compiled["results"]);
    // An automaton has the answer that the backtracking matcher falls back for.
    let (interpreted, compiled) = both("(?:(a)|bc)*d", 1, &b"bc".repeat(5000));
    assert_eq!((&interpreted["status"], &compiled["status"]), (&json!(1), &json!(0)));
}

#[test]
fn no_pattern_is_too_much() {
    let deep = ["(".repeat(5000), ")".repeat(5000)].concat();
    let refusal = syntax::parse(&deep, 0).expect_err("too deep").to_string();
    assert!(refusal.contains("more than 200 others at position 201"), "{refusal}");
    // Nested counts multiply: the graph is given up before it is large.
    let counts = "(?:".repeat(20) + "a" + &"){9,99}".repeat(20);
    let pattern = syntax::parse(&counts, 0).expect("a pattern");
    assert!(Nfa::new(&pattern, Mode::Search).is_none());
    // Random patterns parse or are refused, and what parses runs.
    let pieces =
        ["(", ")", "[", "]", "a", "b", "*", "+", "?", "{2,}", "|", "\\", "^", "$", "(?", "-", ":", "i", "\u{e9}"];
    let mut state = 1_u64;
    let mut dice = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    let mut parsed = 0;
    for _ in 0..20_000 {
        let source: String = (0..1 + dice(10)).map(|_| pieces[dice(pieces.len())]).collect();
        let Ok(pattern) = syntax::parse(&source, 0) else { continue };
        parsed += 1;
        backtrack::run(&Program::new(&pattern, Mode::Search), Mode::Search, b"abba\xe9", 0, 5, 10_000);
    }
    assert!(parsed > 1000, "{parsed} patterns parse");
}
