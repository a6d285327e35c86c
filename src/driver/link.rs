//! Several modules as one program: what `--link` reads.

use super::{
    Failure,
    input::{self, Source},
};
use crate::{
    context,
    link::{self, Input},
    passes::{default_pipeline::DefaultPipeline, pipeline, sanitize::Sanitizer},
    ppyir::{self, ast},
};
use melior::{Context, ir::Module};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// A program in both of its forms.
pub struct Program<'c> {
    pub tree: ast::Module,
    pub module: Module<'c>,
}

impl Program<'_> {
    /// Puts the guards of sanitizers in.
    pub fn sanitize(&mut self, kinds: &[Sanitizer]) -> Result<(), Failure> {
        if input::sanitize(std::slice::from_mut(&mut self.module), kinds)? {
            self.tree = input::exported(&self.module)?;
        }
        Ok(())
    }

    /// Runs the passes of a pipeline, in both forms.
    pub fn prepare(&mut self, passes: DefaultPipeline) -> Result<(), Failure> {
        let text = passes.text().map_err(Failure::User)?;
        pipeline::run(&mut self.module, &format!("builtin.module({text})")).map_err(Failure::Input)?;
        self.tree = input::exported(&self.module)?;
        Ok(())
    }
}

/// Files that were read, each with its documents.
pub struct Files(Vec<(Source, Vec<ast::Module>)>);

impl Files {
    /// Reads the files, several at a time. The errors of all of them are the answer.
    pub fn open(names: &[String]) -> Result<Files, Failure> {
        once(names)?;
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<_>> = Mutex::new(names.iter().map(|_| None).collect());
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(name) = names.get(index) else { break };
                let result = parse(name);
                if let Ok(mut done) = done.lock() {
                    done[index] = Some(result);
                }
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from).min(names.len());
        thread::scope(|scope| {
            for _ in 1..threads {
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
            work();
        });
        let lost = || Err(Failure::Internal("a file was not read to its end".into()));
        let results = done.into_inner().unwrap_or_default();
        let (mut files, mut failed) = (Vec::new(), Vec::new());
        for result in results {
            match result.unwrap_or_else(lost) {
                Ok(file) => files.push(file),
                Err(failure) => failed.push(failure),
            }
        }
        if failed.is_empty() { Ok(Files(files)) } else { Err(Failure::all(failed)) }
    }

    /// The program: the only module there is, or all modules linked into one of that name. It is verified.
    pub fn program<'c>(mut self, context: &'c Context, name: &str) -> Result<Program<'c>, Failure> {
        if let [(source, documents)] = &mut self.0[..]
            && documents.len() == 1
            && let (Some(tree), Some(module)) = (documents.pop(), source.modules(context)?.pop())
        {
            return Ok(Program { tree, module });
        }
        self.link(context, name)
    }

    /// Links every document of the files into a module of that name, and verifies it.
    pub fn link<'c>(self, context: &'c Context, name: &str) -> Result<Program<'c>, Failure> {
        self.link_and(context, name, |_| ()).map(|(program, ())| program)
    }

    /// The same, and does something with the tree while the module is made of it.
    pub fn link_and<'c, T: Send>(
        self,
        context: &'c Context,
        name: &str,
        aside: impl Fn(&ast::Module) -> T + Sync,
    ) -> Result<(Program<'c>, T), Failure> {
        let (sources, documents): (Vec<Source>, Vec<_>) = self.0.into_iter().unzip();
        let inputs = sources.iter().zip(documents).flat_map(|(source, modules)| {
            let text = source.text();
            modules.into_iter().map(move |module| Input { module, file: &source.name, text })
        });
        let linked = link::link(inputs.collect(), name).and_then(link::Linked::complete);
        let tree = linked.map_err(|errors| alone(&sources, Failure::Input(errors.to_string())))?;
        let (module, done) = thread::scope(|scope| {
            let other = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || aside(&tree));
            let module = ppyir::build(context, &tree);
            (module, other.map_or_else(|_| Some(aside(&tree)), |other| other.join().ok()))
        });
        let module = module.map_err(|messages| {
            let lines: Vec<String> = messages.iter().map(|message| format!("error: {message}")).collect();
            alone(&sources, Failure::Input(lines.join("\n")))
        })?;
        let done = done.ok_or_else(|| Failure::Internal("a thread was lost".into()))?;
        Ok((Program { tree, module }, done))
    }
}

/// What files lack by themselves, which is said first, and with its place; else why linking failed.
fn alone(sources: &[Source], linking: Failure) -> Failure {
    let context = context();
    let alone: Vec<Failure> = sources.iter().filter_map(|source| source.modules(&context).err()).collect();
    if alone.is_empty() { linking } else { Failure::all(alone) }
}

/// A thread's stack: MLIR's parser recurses.
const STACK: usize = 256 << 20;

fn parse(name: &str) -> Result<(Source, Vec<ast::Module>), Failure> {
    let source = Source::open(name)?;
    let trees = match source.text() {
        Some(_) => source.trees(&[])?,
        None => {
            let context = context();
            let modules = source.modules(&context)?;
            source.trees(&modules)?
        }
    };
    Ok((source, trees))
}

/// A file that is named twice would define everything twice.
fn once(files: &[String]) -> Result<(), Failure> {
    let mut seen: HashMap<PathBuf, &str> = HashMap::new();
    for file in files {
        let path = std::fs::canonicalize(file).unwrap_or_else(|_| file.into());
        if let Some(first) = seen.insert(path, file) {
            let also = if first == file { String::new() } else { format!(", also as {first}") };
            return Err(Failure::User(format!("{file} is given twice{also}; name every file once")));
        }
    }
    Ok(())
}
