//! The JIT, and the interpreter after passes, as engines of the tests.

use super::{Answer, Engine, Interpreted};
use melior::Context;
use ppy_mlir::driver::args;
use ppy_mlir::emit::llvm::{Function, Jit, Level, Options, keep_reached};
use ppy_mlir::passes::{default_pipeline::DefaultPipeline, pipeline};
use ppy_mlir::ppyir::{
    self,
    ast::{self, Module},
};
use ppy_mlir::registry::{PHASES, Syntax};
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

/// Modules kept lowered: the files of one directory are asked in turn.
const KEPT: usize = 16;

/// No row takes as long. Only under `PPY_ISOLATE`.
const LIMIT: Duration = Duration::from_secs(60);

/// Compiles the functions it is asked for and calls them. With `PPY_ISOLATE=1` in the environment every call has a
/// process of its own, so that a crash names its row.
pub struct Compiled {
    context: Context,
    options: Options,
    /// What runs before the default pipeline.
    pipeline: Option<&'static str>,
    isolated: bool,
    /// By the module's text.
    lowered: RefCell<HashMap<String, Unit>>,
}

/// A lowered module and its functions compiled so far.
struct Unit {
    /// `None` where the whole does not lower.
    jit: Option<Jit>,
    functions: HashMap<String, Result<Function, String>>,
}

/// The passes that make core operations of dialects: what the default pipeline does at every level.
fn necessary() -> String {
    let lowerings = PHASES.iter().filter(|phase| matches!(phase.name, "generation" | "lowering"));
    let steps = lowerings.flat_map(|phase| phase.steps).filter(|step| step.level == 0 && !step.optional);
    let passes: Vec<&str> = steps.map(|step| step.pass).collect();
    format!("builtin.module({})", passes.join(","))
}

impl Compiled {
    pub fn new(options: Options) -> Compiled {
        let isolated = std::env::var_os("PPY_ISOLATE").is_some();
        Compiled { context: ppy_mlir::context(), options, pipeline: None, isolated, lowered: RefCell::default() }
    }

    /// The shared passes of one level, LLVM's optimizer at another.
    pub fn at(passes: u32, level: Level) -> Compiled {
        Compiled::new(Options { passes: DefaultPipeline::at(passes), ..Options::at(level) })
    }

    /// As it is written, without any pass but those that code generation needs.
    pub fn plain() -> Compiled {
        Compiled::new(Options { passes: DefaultPipeline::nothing(), ..Options::at(Level::O0) })
    }

    /// After a pipeline alone.
    pub fn after(pipeline: &'static str) -> Compiled {
        Compiled { pipeline: Some(pipeline), ..Compiled::plain() }
    }

    /// Lowers a module: only what one function reaches, or all of it.
    fn lower(&self, text: &str, only: Option<(&Module, &str)>) -> Result<Jit, String> {
        let mut modules = ppyir::read(&self.context, text.as_bytes(), "printed").map_err(|e| e.to_string())?;
        if let Some((tree, symbol)) = only {
            keep_reached(modules[0].as_operation(), tree, symbol);
        }
        pipeline::run(&mut modules[0], &necessary())?;
        if let Some(pipeline) = self.pipeline {
            pipeline::run(&mut modules[0], pipeline)?;
        }
        Jit::with(&mut modules[0], self.options.clone()).map_err(|e| e.to_string())
    }

    /// Compiles a function. A module that does not lower as a whole may still have functions that do.
    fn compile(
        &self,
        text: &str,
        whole: Option<&Jit>,
        tree: &Module,
        function: &ast::Function,
    ) -> Result<Function, String> {
        let part = match whole {
            Some(_) => None,
            None => Some(self.lower(text, Some((tree, &function.symbol)))?),
        };
        let jit = whole.or(part.as_ref()).ok_or("nothing is lowered")?;
        jit.function(function).map_err(|e| e.to_string())
    }

    pub fn call(&self, module: &Module, function: &str, arguments: &Json) -> Answer {
        let (_, function) = args::function(std::slice::from_ref(module), function)?;
        let values = args::arguments(function, &arguments.to_string())?;
        let mut lowered = self.lowered.borrow_mut();
        let text = ppyir::print_module(module, &Syntax).map_err(|e| e.to_string())?;
        if lowered.len() >= KEPT && !lowered.contains_key(&text) {
            lowered.clear();
        }
        let unit = lowered
            .entry(text.clone())
            .or_insert_with(|| Unit { jit: self.lower(&text, None).ok(), functions: HashMap::new() });
        let Unit { jit, functions } = unit;
        let compiled = functions
            .entry(function.symbol.to_string())
            .or_insert_with(|| self.compile(&text, jit.as_ref(), module, function));
        let compiled = compiled.as_ref().map_err(|e| e.clone())?;
        let outcome = match self.isolated {
            true => compiled.call(&values, Some(LIMIT)),
            // A crash fails the test as well, only without saying where.
            false => unsafe { compiled.call_here(&values) },
        };
        let outcome = outcome.map_err(|e| e.to_string())?;
        let line = args::render(outcome.status, &outcome.results, &outcome.memory);
        serde_json::from_str(&line).map_err(|e| format!("{line}: {e}"))
    }
}

/// The interpreter on modules that the default pipeline of a level has gone over.
pub struct Optimized {
    context: Context,
    pipeline: String,
    /// By the module's text.
    modules: RefCell<HashMap<String, Result<Module, String>>>,
}

impl Optimized {
    pub fn at(level: u32) -> Optimized {
        let text = DefaultPipeline::at(level).text().expect("a level that there is");
        let pipeline = format!("builtin.module({text})");
        Optimized { context: ppy_mlir::context(), pipeline, modules: RefCell::default() }
    }

    fn optimize(&self, text: &str) -> Result<Module, String> {
        let mut modules = ppyir::read(&self.context, text.as_bytes(), "printed").map_err(|e| e.to_string())?;
        pipeline::run(&mut modules[0], &self.pipeline)?;
        ppyir::export(modules[0].as_operation()).map_err(|error| error.message)
    }

    pub fn call(&self, module: &Module, function: &str, arguments: &Json) -> Answer {
        let text = ppyir::print_module(module, &Syntax).map_err(|e| e.to_string())?;
        let mut modules = self.modules.borrow_mut();
        if modules.len() >= KEPT && !modules.contains_key(&text) {
            modules.clear();
        }
        let optimized = modules.entry(text).or_insert_with_key(|text| self.optimize(text));
        Interpreted(optimized.as_ref().map_err(|error| error.clone())?).call(function, arguments)
    }
}
