//! Cases in child processes: a case that crashes or hangs kills its child, and the parent knows which one it was.
//!
//! The child is this test binary, told by environment variables which cases to run. It says each case's number before
//! it starts, so that the last one said is the one to blame.

use crate::mlir;
use crate::passes::Counts;
use melior::Context;
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long one case may take.
const CASE_LIMIT: Duration = Duration::from_secs(30);

/// Cases of one process: MLIR's contexts only grow.
const BATCH: u64 = 500;

/// How the message of a crash begins.
const CRASH: &str = "the process died";

/// Failures after which a campaign has said enough.
const MAX_FAILURES: usize = 8;

/// The default of PPY_FUZZ_CASES.
const CASES: u64 = 10_000;

type Case = fn(&Context, u64, &mut Counts) -> Result<(), String>;

/// A property over cases. Its test has its name.
pub struct Campaign {
    pub name: &'static str,
    /// Of 100 cases.
    pub share: u64,
    pub case: Case,
    /// The text that the case is about, and its extension.
    pub input: fn(&Context, u64) -> (Vec<u8>, &'static str),
    /// What is done to it, in a few words.
    pub detail: fn(u64) -> String,
    /// The case made smaller, after a crash.
    pub crash: fn(&Context, u64) -> String,
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.replace('_', "").parse().ok()
}

/// The child's part: runs the cases that the environment names, if it names any.
pub fn work(campaigns: &[Campaign]) {
    let (Ok(name), Some(first), Some(count)) =
        (std::env::var("PPY_FUZZ_CHILD"), variable("PPY_FUZZ_FIRST"), variable("PPY_FUZZ_COUNT"))
    else {
        return;
    };
    let campaign = campaigns.iter().find(|campaign| campaign.name == name).expect("a known campaign");
    std::thread::scope(|scope| {
        // As much stack as a tool's main thread has.
        let thread = std::thread::Builder::new().stack_size(8 << 20);
        thread.spawn_scoped(scope, || run(campaign, first, count)).expect("a thread").join().expect("a finished batch");
    });
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The parent may have given up on us.
    let _ = writeln!(out, "@{line}").and_then(|()| out.flush());
}

fn run(campaign: &Campaign, first: u64, count: u64) {
    let context = mlir::context();
    let mut counts = Counts::new();
    for seed in first..first + count {
        say(&format!("case {seed}"));
        let ended = catch_unwind(AssertUnwindSafe(|| (campaign.case)(&context, seed, &mut counts)));
        let message = match ended {
            Ok(Ok(())) => continue,
            Ok(Err(message)) => message,
            Err(payload) => format!("panic: {}", ppy_mlir::mlir::hooks::panic_message(&*payload)),
        };
        say(&format!("fail {seed} {}", message.replace('\n', "\\n")));
    }
    for (what, number) in counts {
        say(&format!("count {number} {what}"));
    }
    say("done");
}

/// The parent's part: runs the campaign's share of the cases, and panics with every failure.
pub fn conduct(campaign: &Campaign) {
    let seed = variable("PPY_FUZZ_SEED").unwrap_or(1);
    let single = std::env::var_os("PPY_FUZZ_CASES").is_some_and(|cases| cases == "1");
    let cases = if single { 1 } else { variable("PPY_FUZZ_CASES").unwrap_or(CASES) * campaign.share / 100 };
    let mut failures: Vec<(u64, String)> = Vec::new();
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    let (mut next, end) = (seed, seed + cases);
    while next < end && failures.len() < MAX_FAILURES {
        next = batch(campaign, next, (end - next).min(BATCH), &mut failures, &mut counts);
    }
    let counted: Vec<String> = counts.iter().map(|(what, number)| format!("{number} {what}")).collect();
    println!("{}: {} cases; {}", campaign.name, next - seed, counted.join(", "));
    if failures.is_empty() {
        return;
    }
    let context = mlir::context();
    let mut report = format!("{}: {} failures in {} cases", campaign.name, failures.len(), next - seed);
    for (seed, message) in &failures {
        let (text, extension) = (campaign.input)(&context, *seed);
        let path = keep(&format!("{}-{seed}.{extension}", campaign.name), &text);
        let smaller = if message.starts_with(CRASH) { (campaign.crash)(&context, *seed) } else { String::new() };
        report += &format!(
            "\n\n== seed {seed}: {message}{smaller}\n   input: {path} {}\n   again: PPY_FUZZ_SEED={seed} PPY_FUZZ_CASES=1 cargo test \
             --test fuzz {} -- --exact --nocapture",
            (campaign.detail)(*seed),
            campaign.name
        );
    }
    panic!("{report}\n\nA fixed case stays: move its input to tests/fuzz/regressions.");
}

/// Writes an input for who looks into a failure.
fn keep(name: &str, text: &[u8]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let path = folder.join(name);
    match std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, text)) {
        Ok(()) => path.display().to_string(),
        Err(error) => format!("{} cannot be written: {error}", path.display()),
    }
}

/// One child; answers the case to go on with.
fn batch(
    campaign: &Campaign,
    first: u64,
    count: u64,
    failures: &mut Vec<(u64, String)>,
    counts: &mut std::collections::BTreeMap<String, u64>,
) -> u64 {
    let mut child = Command::new(std::env::current_exe().expect("this test's path"))
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env("PPY_FUZZ_CHILD", campaign.name)
        .env("PPY_FUZZ_FIRST", first.to_string())
        .env("PPY_FUZZ_COUNT", count.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child process");
    let (sender, lines) = channel();
    let stdout = child.stdout.take().expect("a pipe");
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            // After the harness' own words on the line of the first.
            if let Some(said) = line.split_once('@').map(|(_, said)| said.to_owned())
                && sender.send(said).is_err()
            {
                break;
            }
        }
    });
    let stderr = child.stderr.take().expect("a pipe");
    let complaints = std::thread::spawn(move || {
        let mut tail = std::collections::VecDeque::new();
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            tail.push_back(String::from_utf8_lossy(&line).into_owned());
            if tail.len() > 12 {
                tail.pop_front();
            }
        }
        Vec::from(tail).join("\n")
    });
    let (mut current, mut blame) = (first, None);
    loop {
        match lines.recv_timeout(CASE_LIMIT) {
            Ok(line) => {
                let mut words = line.splitn(3, ' ');
                match (words.next(), words.next().and_then(|word| word.parse().ok()), words.next()) {
                    (Some("case"), Some(seed), _) => current = seed,
                    (Some("fail"), Some(seed), Some(message)) => failures.push((seed, message.replace("\\n", "\n"))),
                    (Some("count"), Some(number), Some(what)) => *counts.entry(what.to_owned()).or_default() += number,
                    (Some("done"), ..) => break,
                    _ => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                blame = Some(format!("{CRASH}: no end after {} seconds", CASE_LIMIT.as_secs()));
                break;
            }
            Err(RecvTimeoutError::Disconnected) => {
                blame = Some(CRASH.into());
                break;
            }
        }
    }
    if blame.is_some() {
        // It may be gone already.
        let _ = child.kill();
    }
    let status = child.wait();
    let tail = complaints.join().unwrap_or_default();
    match blame {
        None => first + count,
        Some(blame) => {
            failures.push((current, format!("{blame} ({status:?})\n{tail}")));
            current + 1
        }
    }
}
