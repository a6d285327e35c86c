//! `ppy-run`: one function, with arguments, by the JIT or the interpreter.

use super::{
    Failure, args,
    link::{Files, Program},
    output,
    passes::PassOptions,
    profile::{self, Recording},
    version,
};
use crate::say::say;
use crate::{
    context,
    emit::llvm::{self, EmitError, Jit, JitError, Level, keep_reached},
    interp::{Interpreter, Limits},
    mlir::llvm::open_library,
    passes::{
        default_pipeline::{DefaultPipeline, Until},
        sanitize::Sanitizer,
    },
    ppyir::ast,
    profile::Legend,
    semantics::value::Value,
};
use clap::{Parser, ValueEnum};
use melior::Context;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What runs the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Machine code for this machine, in a child process
    Jit,
    /// The reference interpreter; it says which check failed, and where, and finds what is undefined
    Interp,
}

/// Runs a function of a ppy module (.ppyir, .mlir or bytecode) and prints {"status", "results", "buffers"} as JSON.
#[derive(Debug, Parser)]
#[command(name = "ppy-run", disable_version_flag = true, max_term_width = 100)]
pub struct Options {
    /// What runs the function
    #[arg(long, value_enum, default_value = "jit")]
    pub engine: Engine,
    /// How much the JIT optimizes: -O0 to -O3; -O2 without it
    #[arg(short = 'O', value_name = "LEVEL", value_parser = level)]
    pub level: Option<Level>,
    #[command(flatten)]
    pub passes: PassOptions,
    /// What to guard before it runs: bounds (status 2), overflow (3), pointer (4), alignment (5)
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', value_parser = Sanitizer::parse)]
    pub sanitize: Vec<Sanitizer>,
    /// Count what runs, and add it to a profile: FILE.ppyprof, for --use-profile
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Shared libraries that define what the module calls
    #[arg(long, value_name = "FILE,...", value_delimiter = ',')]
    pub shared_libs: Vec<String>,
    /// Call it N times from the same arguments and add "best_ns", the shortest time of a call
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub repeat: Option<u32>,
    /// Stop after so many seconds; without it compiled code may run for ever
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Option<Duration>,
    /// Operations that the interpreter may execute; 2000000000 without it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub fuel: Option<u64>,
    /// Bytes that an interpreted program may hold; 1073741824 without it
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// Calls inside calls that the interpreter allows; 100000 without it
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub depth: Option<usize>,
    /// More modules of the program, to link with it; the documents of one file are linked too
    #[arg(long, value_name = "FILE,...", value_delimiter = ',')]
    pub link: Vec<String>,
    /// The module, - for the standard input
    pub file: String,
    /// The function, by its name, its native symbol, or its Python name with or without the module's
    pub function: String,
    /// A JSON list: numbers, "nan", "inf", {"buf": [...]}, {"ptr": [...]}, null, lists for tuples, structs and vectors
    #[arg(default_value = "[]")]
    pub arguments: String,
}

pub(super) fn level(digit: &str) -> Result<Level, String> {
    Level::parse(digit).ok_or_else(|| "the levels are 0, 1, 2 and 3".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if limit > Duration::ZERO => Ok(limit),
        _ => Err("a number of seconds above 0".into()),
    }
}

/// Parses a tool's command line; help and version are printed here, and then there is nothing left to do.
pub(super) fn parse<T: Parser>(tool: &str, arguments: Vec<std::ffi::OsString>) -> Result<Option<T>, Failure> {
    if arguments.iter().skip(1).take_while(|a| *a != "--").any(|a| a == "--version" || a == "-V") {
        output::write(None, version::table(tool).as_bytes(), output::Kind::Text)?;
        return Ok(None);
    }
    match T::try_parse_from(arguments) {
        Ok(options) => Ok(Some(options)),
        Err(error) if !error.use_stderr() => {
            output::write(None, error.render().to_string().as_bytes(), output::Kind::Text)?;
            Ok(None)
        }
        Err(error) => Err(Failure::Input(error.render().to_string().trim_end().to_owned())),
    }
}

/// The tool.
pub fn main(arguments: Vec<std::ffi::OsString>) -> Result<(), Failure> {
    let Some(options) = parse::<Options>("ppy-run", arguments)? else { return Ok(()) };
    let line = run(&options)?;
    output::write(None, format!("{line}\n").as_bytes(), output::Kind::Text)
}

/// Runs the function and answers the line to print.
pub fn run(options: &Options) -> Result<String, Failure> {
    options.agree()?;
    let level = options.level.unwrap_or(Level::O2);
    let mut passes = options.passes.pipeline(level.number())?;
    let context = context();
    let mut program = program(options, &context)?;
    program.sanitize(&options.sanitize)?;
    let recording = options.profile.as_ref().map(|path| Recording::open(path, &options.file, &program.tree));
    let recording = recording.transpose()?;
    if recording.is_some() {
        passes.with.push("instrument-profile".to_owned());
    }
    let ran = match options.engine {
        Engine::Interp => {
            if recording.is_some() || options.passes.use_profile.is_some() {
                let (_, function) =
                    args::function(std::slice::from_ref(&program.tree), &options.function).map_err(Failure::User)?;
                // As the other engine: a profile has the functions that the one called reaches.
                keep_reached(program.module.as_operation(), &program.tree, &function.symbol);
                program.prepare(DefaultPipeline { until: Until::instrumented(), ..passes })?;
            }
            interpret(options, &program.tree)?
        }
        Engine::Jit => compile(options, level, passes, program)?,
    };
    if let Some(recording) = recording {
        recording.finish(&ran.legend, &ran.counters)?;
    }
    let line = ran.line;
    Ok(match options.repeat {
        // Before the closing brace.
        Some(_) => format!("{}, \"best_ns\": {}}}", line.strip_suffix('}').unwrap_or(&line), ran.best.as_nanos()),
        None => line,
    })
}

impl Options {
    /// Refuses options that the engine does not look at.
    fn agree(&self) -> Result<(), Failure> {
        // The interpreter runs the program as it is read; of the passes it needs those of profiles alone.
        let jit = [
            ("-O", self.level.is_some()),
            ("--shared-libs", !self.shared_libs.is_empty()),
            ("--with", !self.passes.with.is_empty()),
            ("--stage-pass", !self.passes.stage_pass.is_empty()),
            ("--passes-level", self.passes.passes_level.is_some()),
            ("--until", self.passes.until != Until::End),
            ("--load-pass-plugin", !self.passes.load_pass_plugin.is_empty()),
            ("--ppy-report", self.passes.ppy_report.is_some()),
        ];
        let interp =
            [("--fuel", self.fuel.is_some()), ("--memory", self.memory.is_some()), ("--depth", self.depth.is_some())];
        let (other, unheeded) = match self.engine {
            Engine::Jit => ("interp", &interp[..]),
            Engine::Interp => ("jit", &jit[..]),
        };
        match unheeded.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::User(format!("{option} is for --engine={other} alone"))),
            None => Ok(()),
        }
    }

    fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits {
            fuel: self.fuel.unwrap_or(default.fuel),
            memory: self.memory.unwrap_or(default.memory),
            depth: self.depth.unwrap_or(default.depth),
            deadline: self.timeout.map(|timeout| Instant::now() + timeout),
        }
    }
}

/// The file's module, or what its documents and the other files are when linked.
fn program<'c>(options: &Options, context: &'c Context) -> Result<Program<'c>, Failure> {
    let mut names = vec![options.file.clone()];
    names.extend(options.link.iter().cloned());
    Files::open(&names)?.program(context, "linked")
}

/// What a run came to.
struct Ran {
    line: String,
    best: Duration,
    counters: Vec<u64>,
    legend: Legend,
}

fn compile(options: &Options, level: Level, passes: DefaultPipeline, program: Program<'_>) -> Result<Ran, Failure> {
    let Program { tree, mut module } = program;
    let (function, values) = request(options, &tree)?;
    for library in &options.shared_libs {
        open_library(library).map_err(Failure::User)?;
    }
    keep_reached(module.as_operation(), &tree, &function.symbol);
    let code = llvm::Options { passes, report: options.passes.report(), ..llvm::Options::at(level) };
    let report = code.report.clone();
    let jit = Jit::with(&mut module, code);
    options.passes.write(report.as_ref())?;
    let jit = jit.map_err(failure)?;
    let compiled = jit.function(function).map_err(failure)?;
    let times = options.repeat.unwrap_or(1);
    let outcome = compiled.measure(&values, times, options.timeout).map_err(failure)?;
    Ok(Ran {
        line: args::render(outcome.status, &outcome.results, &outcome.memory),
        best: outcome.best,
        counters: outcome.counters,
        legend: jit.legend().cloned().unwrap_or_default(),
    })
}

/// The function to call, and its arguments.
fn request<'t>(options: &Options, tree: &'t ast::Module) -> Result<(&'t ast::Function, Vec<Value>), Failure> {
    let (_, function) = args::function(std::slice::from_ref(tree), &options.function).map_err(Failure::User)?;
    let values = args::arguments(function, &options.arguments).map_err(Failure::User)?;
    Ok((function, values))
}

fn interpret(options: &Options, tree: &ast::Module) -> Result<Ran, Failure> {
    let (function, values) = request(options, tree)?;
    let limits = options.limits();
    let trouble = |error: crate::interp::InterpError| Failure::User(error.to_string());
    let mut ran =
        Ran { line: String::new(), best: Duration::MAX, counters: Vec::new(), legend: profile::legend_of(tree)? };
    for _ in 0..options.repeat.unwrap_or(1) {
        let mut interpreter = Interpreter::new(tree, limits).map_err(trouble)?;
        let start = Instant::now();
        let outcome = interpreter.call(&function.symbol, &values).map_err(trouble)?;
        ran.best = ran.best.min(start.elapsed());
        if let Some(failure) = outcome.failure.as_ref().filter(|_| ran.line.is_empty()) {
            let site = failure.site.as_ref().map(|site| format!("{site}: ")).unwrap_or_default();
            say(format_args!("note: status {}: {site}{}", outcome.status, failure.what));
        }
        ran.line = args::render(outcome.status, &outcome.results, &outcome.memory);
        let counted = interpreter.counters();
        ran.counters.resize(counted.len().max(ran.counters.len()), 0);
        ran.counters.iter_mut().zip(counted).for_each(|(sum, count)| *sum = sum.wrapping_add(*count));
    }
    Ok(ran)
}

impl From<EmitError> for Failure {
    fn from(error: EmitError) -> Failure {
        match error {
            EmitError::Target(message) => Failure::User(message),
            EmitError::Lowering(lines) => Failure::Input(lines),
            EmitError::Internal(_) => Failure::Internal(error.to_string()),
        }
    }
}

fn failure(error: JitError) -> Failure {
    match error {
        JitError::Emit(error) => error.into(),
        error => Failure::User(error.to_string()),
    }
}
