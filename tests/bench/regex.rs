//! Regular expressions: our compiled patterns next to CPython's `re` and the Rust crate `regex`, over one text, in one
//! run. `cargo bench --bench regex [-- MEGABYTES]` prints the table; it asserts that all three find the same. Times are
//! the processor's, so that other programs disturb them less.

use ppy_mlir::emit::llvm::{Jit, Level, Options};
use ppy_mlir::ppyir::{self, ast::Item, parse_bytes};
use ppy_mlir::registry::Syntax;
use ppy_mlir::semantics::value::{Data, Value};
use ppy_mlir::semantics::{IntType, Scalar, ScalarType};
use regex::bytes::{Regex, RegexBuilder};
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

/// A pattern, or what stands for [`keywords`].
struct Case {
    name: &'static str,
    pattern: &'static str,
    groups: usize,
}

const CASES: &[Case] = &[
    Case { name: "literal", pattern: "Sherlock Holmes", groups: 0 },
    Case { name: "alternation", pattern: "Sherlock|Watson|Moriarty|Adler", groups: 0 },
    Case { name: "dates", pattern: r"(\d{4})-(\d{2})-(\d{2})", groups: 3 },
    Case { name: "e-mail", pattern: r"[\w.+-]+@[\w-]+\.[\w.-]+", groups: 0 },
    Case { name: "key=value", pattern: r"(\w+)=(\w+)", groups: 2 },
    Case { name: "any case", pattern: r"(?i)\bmoriarty\b", groups: 0 },
    Case { name: "dense", pattern: "[a-z]{3}", groups: 0 },
    Case { name: "nested", pattern: r"((?:[a-z]+ )+)([a-z]+)\.", groups: 2 },
    Case { name: "300 words", pattern: "{words}", groups: 0 },
    Case { name: "300 keys", pattern: r"\b({words})\b,? (\w+)", groups: 2 },
];

impl Case {
    fn pattern(&self) -> String {
        self.pattern.replace("{words}", &keywords(300))
    }
}

/// So many words to look for: some are in the text, most are like those that are.
fn keywords(count: usize) -> String {
    const STEMS: &[&str] = &[
        "morn", "lett", "str", "wind", "carri", "sing", "gent", "rem", "bus", "poss", "quest", "noth", "litt", "matt",
        "Lon",
    ];
    const ENDINGS: &[&str] = &[
        "ing", "er", "eet", "ow", "age", "ular", "leman", "arkable", "iness", "ibly", "ion", "hing", "le", "don", "ed",
        "ings", "ers", "ness", "ment", "s",
    ];
    let words = STEMS.iter().flat_map(|stem| ENDINGS.iter().map(move |ending| format!("{stem}{ending}")));
    words.take(count).collect::<Vec<_>>().join("|")
}

/// Rounds of each engine; the best counts.
const ROUNDS: u32 = 3;

/// Searches of the text in one call of ours, beside the first.
const SEARCHES: u32 = 40;

/// How many matches there are, and the sum of their ends.
type Answer = (i64, i64);

fn main() {
    let argument = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let text = text(argument.unwrap_or(16) << 20);
    println!("{} MiB, best of {ROUNDS} rounds, milliseconds\n", text.len() >> 20);
    println!("| pattern | matches | re | regex | ours | re/ours | ours/regex |\n|---|---|---|---|---|---|---|");
    let (mut python, mut ours_by_crate) = (0.0, 0.0);
    let path = std::env::temp_dir().join(format!("ppy-bench-regex-{}", std::process::id()));
    std::fs::write(&path, &text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for case in CASES {
        let (expected, re) = cpython(case, &path);
        let (found, library) = library(case, &text);
        assert_eq!(found, expected, "{}: the crate differs from CPython", case.name);
        let (found, own) = own(case, &text);
        assert_eq!(found, expected, "{}: ours differs from CPython", case.name);
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
        println!(
            "| {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.2} |",
            case.name,
            expected.0,
            milliseconds(re),
            milliseconds(library),
            milliseconds(own),
            ratio(re, own),
            ratio(own, library)
        );
        python += ratio(re, own).ln();
        ours_by_crate += ratio(own, library).ln();
    }
    let mean = |sum: f64| (sum / CASES.len() as f64).exp();
    println!("| geometric mean | | | | | {:.1} | {:.2} |", mean(python), mean(ours_by_crate));
    // The system's temporary folder is not ours to keep.
    let _ = std::fs::remove_file(&path);
}

/// A text of words with names, dates, addresses and settings in it, the same in every run.
fn text(size: usize) -> Vec<u8> {
    const WORDS: &[&str] = &[
        "the",
        "of",
        "and",
        "a",
        "to",
        "in",
        "he",
        "was",
        "that",
        "it",
        "his",
        "her",
        "with",
        "as",
        "had",
        "for",
        "she",
        "not",
        "at",
        "but",
        "be",
        "on",
        "they",
        "have",
        "him",
        "which",
        "said",
        "from",
        "all",
        "this",
        "there",
        "would",
        "when",
        "what",
        "morning",
        "letter",
        "street",
        "window",
        "carriage",
        "singular",
        "gentleman",
        "remarkable",
        "business",
        "possibly",
        "question",
        "nothing",
        "upon",
        "little",
        "matter",
    ];
    const RARE: &[&str] = &[
        "Sherlock Holmes",
        "Doctor Watson",
        "Irene Adler",
        "Professor Moriarty",
        "MORIARTY",
        "on 1891-05-04",
        "between 1887-03-20 and 1894-04-05",
        "write to john.watson@baker-street.co.uk",
        "colour=red size=12",
        "room 221",
        "retries=3",
        "London",
        "Mycroft",
        "Mrs. Hudson",
    ];
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut dice = move |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    let mut text = String::with_capacity(size + 256);
    while text.len() < size {
        let words = 4 + dice(14);
        for i in 0..words {
            let word = if dice(40) == 0 { RARE[dice(RARE.len())] } else { WORDS[dice(WORDS.len())] };
            match i {
                0 => {
                    text.push(char::from(word.as_bytes()[0].to_ascii_uppercase()));
                    text.push_str(&word[1..]);
                }
                _ => text.push_str(word),
            }
            let last = i + 1 == words;
            text.push_str(if last {
                "."
            } else if dice(9) == 0 {
                ", "
            } else {
                " "
            });
        }
        text.push_str(if dice(6) == 0 { "\n" } else { " " });
    }
    text.truncate(size);
    text.into_bytes()
}

/// The processor's time of this process.
fn processor() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0, "a clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// CPython's best time, `finditer` with the groups' values at hand, as our operation has them.
fn cpython(case: &Case, text: &std::path::Path) -> (Answer, Duration) {
    const PROGRAM: &str = "
import re, sys, time
text = open(sys.argv[1], 'rb').read()
pattern = re.compile(sys.argv[2].encode())
best = 1e9
for _ in range(int(sys.argv[3])):
    start = time.process_time()
    n = ends = 0
    for match in pattern.finditer(text):
        n += 1
        ends += match.end()
    best = min(best, time.process_time() - start)
print(n, ends, best)
";
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let done = Command::new(&python)
        .args(["-c", PROGRAM])
        .arg(text)
        .args([&case.pattern(), &ROUNDS.to_string()])
        .output()
        .unwrap_or_else(|e| panic!("{python}: {e}"));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [n, ends, seconds] = words[..] else { panic!("{python}: {}", String::from_utf8_lossy(&done.stderr)) };
    let number = |word: &str| word.parse().unwrap_or_else(|e| panic!("{word}: {e}"));
    let seconds: f64 = seconds.parse().unwrap_or_else(|e| panic!("{seconds}: {e}"));
    ((number(n), number(ends)), Duration::from_secs_f64(seconds))
}

/// The crate's best time: `find_iter`, or `captures_iter` where there are groups.
fn library(case: &Case, text: &[u8]) -> (Answer, Duration) {
    let regex: Regex =
        RegexBuilder::new(&case.pattern()).unicode(false).build().unwrap_or_else(|e| panic!("{}: {e}", case.name));
    let mut best = (Answer::default(), Duration::MAX);
    for _ in 0..ROUNDS {
        let start = processor();
        let mut answer = Answer::default();
        let mut count = |end: usize| answer = (answer.0 + 1, answer.1 + end as i64);
        match case.groups {
            0 => regex.find_iter(text).for_each(|found| count(found.end())),
            _ => regex.captures_iter(text).filter_map(|found| found.get(0)).for_each(|found| count(found.end())),
        }
        best = (answer, best.1.min(processor() - start));
    }
    best
}

/// Our best time: a loop of searches, as a program would write it.
fn own(case: &Case, text: &[u8]) -> (Answer, Duration) {
    let ends = 2 * (case.groups + 1);
    let types = vec!["i64"; ends].join(", ");
    let values: Vec<String> = (0..ends).map(|i| format!("%v{i}")).collect();
    let mut module = String::from("ppyir 1\nmodule @bench\ndialect core 1\ndialect regex 1\n");
    let pattern = serde_json::Value::from(case.pattern());
    let values = values.join(", ");
    write!(
        module,
        "
func @count(%b: buffer<u8>, %times: i64) -> (i64, i64) {{
^entry:
    %zero = core.const 0 : i64
    %one = core.const 1 : i64
    %length = core.buffer_len %b : index
    %end = core.cast %length : i64
    core.br ^round(%one)
^round(%time: i64):
    core.br ^search(%zero, %zero, %zero)
^search(%pos: i64, %n: i64, %sum: i64):
    %found, {values} = regex.search %b, %pos, %end {{pattern = {pattern}}} : bool, {types}
    core.cond_br %found, ^more, ^done
^more:
    %n2 = core.add %n, %one {{overflow = \"wrap\"}} : i64
    %sum2 = core.add %sum, %v1 {{overflow = \"wrap\"}} : i64
    core.br ^search(%v1, %n2, %sum2)
^done:
    %time2 = core.add %time, %one {{overflow = \"wrap\"}} : i64
    %again = core.cmp.lt %time, %times : bool
    core.cond_br %again, ^round(%time2), ^end
^end:
    core.ret %n, %sum
}}
"
    )
    .expect("a string takes all");
    let trees = parse_bytes(module.as_bytes(), "bench", &Syntax).unwrap_or_else(|e| panic!("{e}"));
    let context = ppy_mlir::context();
    let mut modules = ppyir::read(&context, module.as_bytes(), "bench").unwrap_or_else(|e| panic!("{e}"));
    let jit = Jit::with(&mut modules[0], Options::at(Level::O3)).unwrap_or_else(|e| panic!("{e}"));
    let element = ppyir::ast::Type::Int { width: 8, signed: false };
    let Some(Item::Function(function)) = trees[0].items.first() else { panic!("the module has a function") };
    let compiled = jit.function(function).unwrap_or_else(|e| panic!("{e}"));
    let data = Value::Memory(Data { element, bytes: text.to_vec(), len: text.len() as u64 });
    let word = |value: u32| Value::Scalar(Scalar { ty: ScalarType::Int(IntType::I64), bits: value.into() });
    let timed = |times: u32| {
        let arguments = [data.clone(), word(times)];
        let run = |_| {
            let start = processor();
            let outcome = unsafe { compiled.call_here(&arguments) }.unwrap_or_else(|e| panic!("{e}"));
            (processor() - start, outcome)
        };
        (0..ROUNDS).map(run).min_by_key(|(time, _)| *time).unwrap_or_else(|| panic!("no rounds"))
    };
    // Passing the text costs time too, once however often it is searched.
    let ((once, _), (often, outcome)) = (timed(1), timed(1 + SEARCHES));
    let time = often.saturating_sub(once) / SEARCHES;
    let number = |i: usize| match outcome.results.get(i) {
        Some(Value::Scalar(scalar)) => scalar.bits as i64,
        other => panic!("{}: status {}, {other:?}", case.name, outcome.status),
    };
    ((number(0), number(1)), time)
}
