//! `ppyprof`, and recording a profile while a program runs.

use super::{
    Failure,
    output::{self, Kind},
    run::parse,
};
use crate::say::say;
use crate::{
    ppyir::ast::{Attr, Item, Module},
    profile::{FunctionProfile, Legend, Profile, ProfileError, legend},
};
use clap::{Parser, Subcommand};
use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

/// Merges and shows profiles: the .ppyprof files that ppy-run --profile records.
#[derive(Debug, Parser)]
#[command(name = "ppyprof", disable_version_flag = true, max_term_width = 100)]
pub struct Options {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do with profiles.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// One profile of several: counts of the same graph add up, those of a later graph replace the earlier ones
    Merge {
        /// Where to write; the standard output without it. It may be one of the files
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The profiles, in the order they were recorded
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// The functions of a profile, the most called first
    Show {
        /// Only the first N functions
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        top: Option<usize>,
        /// The profile
        file: PathBuf,
        /// A function, by its name in the profile, to show its blocks and branches
        function: Option<String>,
    },
}

/// The tool.
pub fn main(arguments: Vec<std::ffi::OsString>) -> Result<(), Failure> {
    let Some(options) = parse::<Options>("ppyprof", arguments)? else { return Ok(()) };
    match options.command {
        Command::Merge { output, files } => {
            let mut all = Profile::default();
            for file in &files {
                all.merge(Profile::load(file)?);
            }
            output::write(output.as_deref(), all.text().as_bytes(), Kind::Text)
        }
        Command::Show { top, file, function } => {
            let profile = Profile::load(&file)?;
            let text = match function {
                Some(name) => show_function(&profile, &file, &name)?,
                None => show(&profile, &file, top.unwrap_or(usize::MAX)),
            };
            output::write(None, text.as_bytes(), Kind::Text)
        }
    }
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn show(profile: &Profile, file: &Path, top: usize) -> String {
    let mut functions: Vec<(&String, &FunctionProfile)> = profile.functions.iter().collect();
    functions.sort_by(|(a, f), (b, g)| g.calls.cmp(&f.calls).then_with(|| a.cmp(b)));
    let heading = format!(
        "{}: {} of {}, by {}, {}\n",
        file.display(),
        plural(profile.runs, "run"),
        if profile.program.is_empty() { "an unnamed program" } else { &profile.program },
        if profile.compiler.is_empty() { "an unnamed compiler" } else { &profile.compiler },
        plural(functions.len() as u64, "function")
    );
    let mut text = heading + "       calls  warmth  block runs  function\n";
    for (name, function) in functions.into_iter().take(top) {
        let ran = function.blocks.values().fold(0u64, |sum, count| sum.saturating_add(*count));
        let warmth = profile.warmth(function.calls).as_str();
        let _ = writeln!(text, "{:>12}  {warmth:<6}  {ran:>10}  {name}", function.calls);
    }
    text
}

fn show_function(profile: &Profile, file: &Path, name: &str) -> Result<String, Failure> {
    let Some(function) = profile.functions.get(name) else {
        let known = profile.functions.keys().map(String::as_str);
        let hint = crate::ppyir::closest(name, known).map_or(String::new(), |near| format!(" (did you mean {near}?)"));
        return Err(Failure::User(format!("{} has no function {name}{hint}", file.display())));
    };
    let warmth = profile.warmth(function.calls).as_str();
    let mut text = format!("{name}: {}, {warmth}; graph {}\n", plural(function.calls, "call"), function.cfg);
    for (block, count) in &function.blocks {
        let branch = function.branches.get(block).map_or(String::new(), |(taken, not)| {
            let all = taken.saturating_add(*not).max(1);
            format!("  {taken} taken, {not} not ({:.1} %)", *taken as f64 * 100.0 / all as f64)
        });
        let _ = writeln!(text, "{count:>12}  {block}{branch}");
    }
    Ok(text)
}

/// A profile that is being recorded into a file, with what the file held before.
pub struct Recording {
    path: PathBuf,
    before: Option<Profile>,
    program: String,
}

impl Recording {
    /// Reads what the file holds, before anything runs: a file that is no profile, or another program's, is not
    /// written over.
    pub fn open(path: &Path, program: &str, module: &Module) -> Result<Recording, Failure> {
        let before = match Profile::load(path) {
            Ok(profile) => Some(profile),
            Err(ProfileError::Missing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(before) = &before
            && let Some(first) = before.functions.keys().next()
            && !names(module).any(|name| before.functions.contains_key(name))
        {
            return Err(ProfileError::OtherProgram {
                path: path.display().to_string(),
                program: before.program.clone(),
                functions: before.functions.len(),
                first: first.clone(),
                module: module.name.to_string(),
            }
            .into());
        }
        Ok(Recording { path: path.to_owned(), before, program: program.to_owned() })
    }

    /// Adds a run's counters to the file.
    pub fn finish(self, legend: &Legend, counters: &[u64]) -> Result<(), Failure> {
        if legend.functions.is_empty() {
            return Err(Failure::User("nothing was counted: --until stops before the counters are put in".into()));
        }
        let run = Profile {
            program: self.program,
            compiler: concat!("ppy-mlir ", env!("CARGO_PKG_VERSION")).to_owned(),
            ..legend.profile(counters)
        };
        let mut profile = self.before.unwrap_or_default();
        profile.merge(run);
        output::write(Some(&self.path), profile.text().as_bytes(), Kind::Text)?;
        let (functions, runs) = (profile.functions.len() as u64, profile.runs);
        say(format_args!("note: {}: {}, {}", self.path.display(), plural(functions, "function"), plural(runs, "run")));
        Ok(())
    }
}

/// What a profile calls the functions of a module.
fn names(module: &Module) -> impl Iterator<Item = &str> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(match function.attrs.as_ref().and_then(|a| a.get("ppy.qualname")) {
            Some(Attr::Str(name)) if !name.is_empty() => name.as_str(),
            _ => function.symbol.as_str(),
        }),
        Item::Global(_) => None,
    })
}

/// The legend of an instrumented module.
pub fn legend_of(module: &Module) -> Result<Legend, Failure> {
    match module.attrs.as_ref().and_then(|attrs| attrs.get(legend::ATTRIBUTE)) {
        Some(Attr::Str(text)) => Legend::parse(text)
            .map_err(|why| Failure::User(format!("the module's {} is no legend: {why}", legend::ATTRIBUTE))),
        _ => Ok(Legend::default()),
    }
}

impl From<ProfileError> for Failure {
    fn from(error: ProfileError) -> Failure {
        Failure::User(error.to_string())
    }
}
