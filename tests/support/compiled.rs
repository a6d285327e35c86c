//! The JIT as an engine of the tests.

use super::Answer;
use melior::Context;
use ppy_mlir::driver::args;
use ppy_mlir::emit::llvm::{Function, Jit, Level};
use ppy_mlir::ppyir::{self, ast::Module};
use ppy_mlir::registry::Syntax;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

/// Modules kept lowered: the files of one directory are asked in turn.
const KEPT: usize = 16;

/// No row takes as long.
const LIMIT: Duration = Duration::from_secs(60);

/// Compiles the functions it is asked for, in this process, and calls each in a child.
pub struct Compiled {
    context: Context,
    level: Level,
    /// By the module's text.
    lowered: RefCell<HashMap<String, Result<Unit, String>>>,
}

/// A lowered module and its functions compiled so far.
struct Unit {
    jit: Jit,
    functions: HashMap<String, Result<Function, String>>,
}

impl Compiled {
    pub fn new(level: Level) -> Compiled {
        Compiled { context: ppy_mlir::context(), level, lowered: RefCell::default() }
    }

    fn lower(&self, text: &str) -> Result<Unit, String> {
        let mut modules = ppyir::read(&self.context, text.as_bytes(), "printed").map_err(|e| e.to_string())?;
        let jit = Jit::new(&mut modules[0], self.level).map_err(|e| e.to_string())?;
        Ok(Unit { jit, functions: HashMap::new() })
    }

    pub fn call(&self, module: &Module, function: &str, arguments: &Json) -> Answer {
        let (_, function) = args::function(std::slice::from_ref(module), function)?;
        let values = args::arguments(function, &arguments.to_string())?;
        let mut lowered = self.lowered.borrow_mut();
        let text = ppyir::print_module(module, &Syntax).map_err(|e| e.to_string())?;
        if lowered.len() >= KEPT && !lowered.contains_key(&text) {
            lowered.clear();
        }
        let unit = lowered.entry(text).or_insert_with_key(|text| self.lower(text));
        let Unit { jit, functions } = unit.as_mut().map_err(|e| e.clone())?;
        let compiled = functions
            .entry(function.symbol.to_string())
            .or_insert_with(|| jit.function(function).map_err(|e| e.to_string()));
        let compiled = compiled.as_ref().map_err(|e| e.clone())?;
        let outcome = compiled.call(&values, Some(LIMIT)).map_err(|e| e.to_string())?;
        let line = args::render(outcome.status, &outcome.results, &outcome.memory);
        serde_json::from_str(&line).map_err(|e| format!("{line}: {e}"))
    }
}
