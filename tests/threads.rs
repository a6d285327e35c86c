//! Atomics and threads: litmus tests on real threads, many rounds each, and random atomic programs on every engine.
//!
//! A litmus test has threads that run through arrays of cells, one cell for each round, so that one call is thousands
//! of rounds. What an order forbids must not happen in any; the interpreter runs the same programs, and what it answers
//! is among what is allowed.

mod support;

use ppy_mlir::{
    emit::llvm::Level,
    ppyir::{ast::Module, parse_bytes},
    registry::Syntax,
};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use support::{Compiled, Engine, Interpreted};

const ROUNDS: usize = 20_000;
/// Levels of our passes and of LLVM's.
const LEVELS: [(u32, Level); 2] = [(0, Level::O0), (2, Level::O2)];
/// The interpreter is no place for many.
const FEW: usize = 300;

fn module(text: &str) -> Module {
    let text = format!("ppyir 1\nmodule @litmus\ndialect atomic 1\ndialect concurrency 1\ndialect core 1\n\n{text}");
    parse_bytes(text.as_bytes(), "litmus", &Syntax).unwrap_or_else(|errors| panic!("{errors}\n{text}")).remove(0)
}

/// A function of a thread: `body` runs for every round, on the cells `%x0`, `%x1`, ... of the round. The threads begin
/// together, or one would be through before the other one starts.
fn thread(name: &str, arrays: usize, body: &str) -> String {
    let parameters: String = (0..arrays).map(|i| format!("%a{i}: ptr<i64>, ")).collect();
    let cells: String = (0..arrays).map(|i| format!("    %x{i} = core.ptr_offset %a{i}, %i : ptr<i64>\n")).collect();
    let body: String = body.lines().map(|line| format!("    {}\n", line.trim())).collect();
    format!(
        "func @{name}({parameters}%gate: ptr<i64>, %threads: i64, %n: i64) -> () {{\n^entry:\n    \
         concurrency.barrier %gate, %threads\n    %zero = core.const 0 : i64\n    %one = core.const 1 : \
         i64\n    core.br ^head(%zero)\n^head(%i: i64):\n    %more = core.cmp.lt %i, %n : bool\n    core.cond_br %more, \
         ^body, ^end\n^body:\n{cells}{body}    %next = core.add %i, %one {{overflow = \"proven\"}} : i64\n    core.br \
         ^head(%next)\n^end:\n    core.ret\n}}\n\n"
    )
}

/// The function that starts the threads and waits for them.
fn start(threads: &[&str], arrays: usize) -> String {
    let parameters: String = (0..arrays).map(|i| format!("%a{i}: ptr<i64>, ")).collect();
    let arguments: String = (0..arrays).map(|i| format!("%a{i}, ")).collect();
    let mut text = format!("func @run({parameters}%gate: ptr<i64>, %n: i64) -> () {{\n^entry:\n");
    writeln!(text, "    %threads = core.const {} : i64", threads.len()).expect("a string");
    for (i, name) in threads.iter().enumerate() {
        writeln!(text, "    %h{i} = concurrency.spawn {arguments}%gate, %threads, %n {{callee = @{name}}} : i64")
            .expect("a string");
    }
    for i in 0..threads.len() {
        writeln!(text, "    %s{i} = concurrency.join %h{i} : i64").expect("a string");
    }
    text + "    core.ret\n}\n"
}

/// Runs the threads over arrays of zeros on every engine, and hands each round's cells to `check`.
fn litmus(threads: &[(&str, &str)], arrays: usize, check: impl Fn(&[i64]) -> bool) {
    let names: Vec<&str> = threads.iter().map(|(name, _)| *name).collect();
    let text: String = threads.iter().map(|(name, body)| thread(name, arrays, body)).collect();
    let module = module(&(text + &start(&names, arrays)));
    let verify = |answer: support::Answer, rounds: usize, engine: &str| {
        let answer = answer.unwrap_or_else(|error| panic!("{engine}: {error}"));
        assert_eq!(answer["status"], 0, "{engine}");
        for round in 0..rounds {
            let cells: Vec<i64> =
                (0..arrays).map(|a| answer["buffers"][a][round].as_i64().expect("an integer")).collect();
            assert!(check(&cells), "{engine}: round {round} came to {cells:?}");
        }
    };
    let arguments = |rounds: usize| {
        let mut list = vec![json!({"ptr": vec![0; rounds], "elem": "q"}); arrays];
        list.extend([json!({"ptr": [0, 0], "elem": "q"}), json!(rounds)]);
        Json::Array(list)
    };
    verify(Interpreted(&module).call("run", &arguments(FEW)), FEW, "interpreter");
    for (passes, level) in LEVELS {
        let engine = Compiled::at(passes, level);
        for _ in 0..5 {
            verify(engine.call(&module, "run", &arguments(ROUNDS)), ROUNDS, &format!("JIT {level:?}"));
        }
    }
}

/// Who sees a message's flag sees the message: release and acquire, and fences with relaxed accesses.
#[test]
fn messages_arrive_whole() {
    let write = "%v = core.add %i, %one {overflow = \"wrap\"} : i64\ncore.store %v, %x0\n";
    // The message is read where the flag is up, from a cell that nobody writes otherwise.
    let read = "%up = core.cmp.eq %f, %one : bool\n%from = core.select %up, %x0, %x3 : ptr<i64>\n\
                %m = core.load %from : i64\ncore.store %f, %x2\ncore.store %m, %x4\n";
    let pairs = [
        ("atomic.store %one, %x1 {order = \"release\"}\n", "%f = atomic.load %x1 {order = \"acquire\"} : i64\n"),
        ("atomic.store %one, %x1 {order = \"seq_cst\"}\n", "%f = atomic.load %x1 {order = \"seq_cst\"} : i64\n"),
        (
            "atomic.fence {order = \"release\"}\natomic.store %one, %x1 {order = \"relaxed\"}\n",
            "%f = atomic.load %x1 {order = \"relaxed\"} : i64\natomic.fence {order = \"acquire\"}\n",
        ),
    ];
    for (publish, look) in pairs {
        let threads = [("send", format!("{write}{publish}")), ("receive", format!("{look}{read}"))];
        litmus(&[(threads[0].0, &threads[0].1), (threads[1].0, &threads[1].1)], 5, |cells| {
            let [message, _, flag, _, read] = *cells else { return false };
            flag == 0 && read == 0 || flag == 1 && read == message && message != 0
        });
    }
}

/// Two threads that each write their own and read the other's cannot both read the old one, if all is seq_cst.
#[test]
fn store_buffers_are_not_seen_under_seq_cst() {
    let bodies =
        |access: &dyn Fn(&str, &str, &str) -> String| [access("%x0", "%x1", "%x2"), access("%x1", "%x0", "%x3")];
    let atomic = bodies(&|own, other, out| {
        format!(
            "atomic.store %one, {own} {{order = \"seq_cst\"}}\n%r = atomic.load {other} {{order = \"seq_cst\"}} : i64\n\
             core.store %r, {out}"
        )
    });
    let fenced = bodies(&|own, other, out| {
        format!(
            "atomic.store %one, {own} {{order = \"relaxed\"}}\natomic.fence {{order = \"seq_cst\"}}\n\
             %r = atomic.load {other} {{order = \"relaxed\"}} : i64\ncore.store %r, {out}"
        )
    });
    let exchanged = bodies(&|own, other, out| {
        format!(
            "%o = atomic.exchange {own}, %one {{order = \"seq_cst\"}} : i64\n\
             %r = atomic.load {other} {{order = \"seq_cst\"}} : i64\ncore.store %r, {out}"
        )
    });
    for [first, second] in [atomic, fenced, exchanged] {
        litmus(&[("first", &first), ("second", &second)], 4, |cells| cells[2] == 1 || cells[3] == 1);
    }
}

/// One location has one history: who has seen the new value does not see the old one again.
#[test]
fn one_location_has_one_history() {
    let write = "atomic.store %one, %x0 {order = \"relaxed\"}";
    let read = "%p = atomic.load %x0 {order = \"relaxed\"} : i64\n%q = atomic.load %x0 {order = \"relaxed\"} : i64\n\
                core.store %p, %x1\ncore.store %q, %x2";
    litmus(&[("write", write), ("read", read)], 3, |cells| cells[1] <= cells[2]);
}

/// Two readers of two independent seq_cst writes agree on which came first.
#[test]
fn readers_agree_under_seq_cst() {
    let write = |at: usize| format!("atomic.store %one, %x{at} {{order = \"seq_cst\"}}");
    let read = |first: usize, second: usize, out: usize| {
        format!(
            "%p = atomic.load %x{first} {{order = \"seq_cst\"}} : i64\n%q = atomic.load %x{second} {{order = \
             \"seq_cst\"}} : i64\ncore.store %p, %x{out}\ncore.store %q, %x{}",
            out + 1
        )
    };
    let (a, b, c, d) = (write(0), write(1), read(0, 1, 2), read(1, 0, 4));
    litmus(&[("a", &a), ("b", &b), ("c", &c), ("d", &d)], 6, |cells| cells[2..6] != [1, 0, 1, 0]);
}

/// Four threads count in one cell, each in its own way; nothing is lost but where it may be.
#[test]
fn increments_race() {
    let at_first = "%c = core.ptr_offset %a0, %zero : ptr<i64>\n";
    let add = "%o = atomic.fetch_add %c, %one {order = \"relaxed\"} : i64";
    let torn = "%o = atomic.load %c {order = \"relaxed\"} : i64\n%p = core.add %o, %one {overflow = \"wrap\"} : i64\n\
                atomic.store %p, %c {order = \"relaxed\"}";
    let locked = "concurrency.mutex_lock %a1\n%o = core.load %c : i64\n\
                  %p = core.add %o, %one {overflow = \"wrap\"} : i64\ncore.store %p, %c\nconcurrency.mutex_unlock %a1";
    let names = ["a", "b", "c", "d"];
    for (way, exact) in [(add, true), (locked, true), (torn, false)] {
        let text: String = names.iter().map(|name| thread(name, 2, &format!("{at_first}{way}"))).collect();
        let module = module(&(text + &start(&names, 2)));
        let check = |answer: support::Answer, rounds: usize| {
            let total = answer.expect("it runs")["buffers"][0][0].as_u64().expect("an integer") as usize;
            // A cell that is read and then written back may forget what others did in between.
            assert!(if exact { total == 4 * rounds } else { (1..=4 * rounds).contains(&total) }, "{total} of {rounds}");
        };
        let arguments = |rounds: usize| {
            let cells = json!({"ptr": vec![0; rounds], "elem": "q"});
            json!([cells, cells, {"ptr": [0, 0], "elem": "q"}, rounds])
        };
        check(Interpreted(&module).call("run", &arguments(FEW)), FEW);
        for (passes, level) in LEVELS {
            check(Compiled::at(passes, level).call(&module, "run", &arguments(ROUNDS)), ROUNDS);
        }
    }
}

/// A generator of numbers that look random, the same ones in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }
}

const ORDERS: &[&str] = &["relaxed", "acquire", "release", "acq_rel", "seq_cst"];

/// A function of a random sequence of atomic operations on two cells of one type.
fn random_program(random: &mut Random, ty: &str) -> String {
    let float = ty.starts_with('f');
    let mut text = format!("func @f(%p: ptr<{ty}>, %q: ptr<{ty}>, %v0: {ty}, %v1: {ty}) -> ({ty}, {ty}) {{\n^entry:\n");
    let mut values = 2;
    for step in 0..24 {
        let at = random.of(&["%p", "%q"]);
        let (x, y) = (format!("%v{}", random.below(values)), format!("%v{}", random.below(values)));
        let order = random.of(ORDERS);
        let line = match random.below(8) {
            0 => format!("%v{values} = atomic.load {at} {{order = \"{}\"}} : {ty}", random.of(&["relaxed", "acquire"])),
            1 => format!("atomic.store {x}, {at} {{order = \"{}\"}}", random.of(&["relaxed", "release", "seq_cst"])),
            2 => format!("%v{values} = atomic.exchange {at}, {x} {{order = \"{order}\"}} : {ty}"),
            3 => format!(
                "%v{values}, %b{step} = atomic.compare_exchange {at}, {x}, {y} {{failure = \"relaxed\", success = \
                 \"{order}\"}} : {ty}, bool"
            ),
            4 => format!("atomic.fence {{order = \"{}\"}}", random.of(&ORDERS[1..])),
            5 => format!("core.store {x}, {at}"),
            6 => format!("%v{values} = core.load {at} : {ty}"),
            _ if float => format!("%v{values} = core.add {x}, {y} : {ty}"),
            _ => {
                let op = random.of(&["add", "sub", "and", "or", "xor"]);
                format!("%v{values} = atomic.fetch_{op} {at}, {x} {{order = \"{order}\"}} : {ty}")
            }
        };
        values += usize::from(line.starts_with("%v"));
        writeln!(text, "    {line}").expect("a string");
    }
    writeln!(text, "    core.ret %v{}, %v{}\n}}", values - 1, random.below(values)).expect("a string");
    text
}

#[test]
fn random_atomic_programs_agree() {
    let types = [("i8", "b"), ("u16", "H"), ("i32", "i"), ("i64", "q"), ("u64", "Q"), ("f32", "f"), ("f64", "d")];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let engines = [
        Compiled::at(0, Level::O0),
        Compiled::at(2, Level::O2),
        Compiled::after("builtin.module(canonicalize,cse,mem2reg,simplify-cfg,dce)"),
    ];
    for seed in 0..60 {
        let (ty, elem) = types[seed % types.len()];
        let module = module(&random_program(&mut random, ty));
        let mut number = || random.below(100);
        let arguments = json!([
            {"ptr": [number()], "elem": elem}, {"ptr": [number()], "elem": elem}, number(), number()
        ]);
        let expected = Interpreted(&module).call("f", &arguments).unwrap_or_else(|error| panic!("{seed}: {error}"));
        for (engine, level) in engines.iter().zip(["-O0", "-O2", "after passes"]) {
            assert_eq!(engine.call(&module, "f", &arguments).as_ref(), Ok(&expected), "program {seed}, {level}");
        }
    }
}
