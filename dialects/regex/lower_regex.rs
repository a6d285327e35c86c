//! `--lower-regex`: each distinct pattern becomes a private function of core operations, each operation a call of one.

use super::automaton::Automaton;
use super::emit_automaton::{self, Corners};
use super::emit_backtrack;
use super::emit_table::Table;
use super::nfa::Nfa;
use super::ops::{FullmatchOp, MatchAtOp, SearchOp};
use super::prefilter::Prefilter;
use super::program::{Mode, Program};
use super::syntax::{self, Pattern};
use super::writer::{Tables, Writer};
use crate::dialects::core::ops::CallOp;
use crate::mlir::builder::replace_all_uses;
use crate::mlir::op::{operations, operations_named};
use crate::mlir::transform::erase;
use crate::mlir::{
    hooks::{Changed, PassFailure},
    prelude::*,
};
use crate::passes::generated::LowerRegexOptions;
use std::collections::{HashMap, HashSet};

/// How patterns become functions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Engine {
    /// An automaton where it has one of bearable size.
    Auto,
    /// The same, as a table even where it is small.
    Table,
    /// The backtracking matcher everywhere.
    Backtrack,
}

pub fn run(module: Op, options: &LowerRegexOptions) -> Result<Changed, PassFailure> {
    let engine = match options.engine.as_str() {
        "auto" => Engine::Auto,
        "table" => Engine::Table,
        "backtrack" => Engine::Backtrack,
        other => return Err(format!("--lower-regex has no engine '{other}': it is auto, table or backtrack").into()),
    };
    let matches = operations_named(module, &[SearchOp::NAME, MatchAtOp::NAME, FullmatchOp::NAME]);
    if matches.is_empty() {
        return Ok(Changed::No);
    }
    let mut lowering = Lowering::new(module, engine);
    for op in matches {
        let function = lowering.function(op)?;
        let operands = op.all_operands();
        let types: Vec<Type> = (0..op.result_len()).map(|i| op.result_at(i).r#type()).collect();
        let call = CallOp::build(op.context_ref(), &operands, &function, None, &types, op.loc());
        let block = op.block().ok_or_else(|| PassFailure::from("a match outside a block".to_owned()))?;
        let call = block.insert_operation_before(op, call);
        for i in 0..op.result_len() {
            replace_all_uses(op.result_at(i), call.result_at(i));
        }
        erase(op);
    }
    lowering.insert();
    Ok(Changed::Yes)
}

/// The functions made so far.
struct Lowering<'c, 'a> {
    module: Op<'c, 'a>,
    engine: Engine,
    /// Symbols of the module.
    taken: HashSet<String>,
    made: HashMap<(Mode, String, i64), String>,
    functions: Vec<Operation<'c>>,
    tables: Tables,
}

impl<'c: 'a, 'a> Lowering<'c, 'a> {
    fn new(module: Op<'c, 'a>, engine: Engine) -> Self {
        let symbols = module.blocks(0).into_iter().flat_map(operations);
        let taken = symbols.filter_map(|op| op.str_attribute("sym_name")).map(str::to_owned).collect();
        let mut lowering =
            Lowering { module, engine, taken, made: HashMap::new(), functions: Vec::new(), tables: Tables::default() };
        // One name that no table of an earlier run has.
        let prefix = lowering.unused("ppy.regex.bytes");
        lowering.tables = Tables::new(&prefix);
        lowering
    }

    /// A symbol that is not there yet.
    fn unused(&mut self, stem: &str) -> String {
        let free = (0..)
            .map(|n| format!("{stem}.{n}"))
            .find(|name| !self.taken.iter().any(|taken| taken == name || taken.starts_with(&format!("{name}."))));
        let name = free.unwrap_or_else(|| stem.to_owned());
        self.taken.insert(name.clone());
        name
    }

    /// The name of the function for an operation.
    fn function(&mut self, op: Op<'c, 'a>) -> Result<String, PassFailure> {
        let view = SearchOp(op);
        let (text, flags) = (view.pattern().unwrap_or_default(), view.flags().unwrap_or(0));
        let mode = Mode::parse(op.op_name()).ok_or_else(|| format!("{} is no match", op.op_name()))?;
        let key = (mode, text.to_owned(), flags);
        if let Some(name) = self.made.get(&key) {
            return Ok(name.clone());
        }
        // The verifier has read it before.
        let pattern = syntax::parse(text, flags).map_err(|error| error.to_string())?;
        let name = self.unused("ppy.regex");
        let origin = format!("regex.{}", mode.name());
        let function = self.write(op, &pattern, mode, &name, &[("ppy.regex", text), ("ppy.synthesized", &origin)])?;
        self.functions.push(function);
        self.made.insert(key, name.clone());
        Ok(name)
    }

    fn write(
        &mut self,
        op: Op<'c, 'a>,
        pattern: &Pattern,
        mode: Mode,
        name: &str,
        attributes: &[(&str, &str)],
    ) -> Result<Operation<'c>, PassFailure> {
        let location = Location::unknown(op.context_ref());
        let mut writer = Writer::new(op.context_ref(), location, &mut self.tables)
            .ok_or_else(|| "the core dialect makes no buffer of bytes".to_owned())?;
        let program = Program::new(pattern, mode);
        let nfa = match self.engine {
            Engine::Auto | Engine::Table => Nfa::new(pattern, mode),
            Engine::Backtrack => None,
        };
        let automaton = nfa.as_ref().and_then(Automaton::new);
        let prefilter = nfa.as_ref().and_then(|nfa| Prefilter::new(pattern, nfa));
        let large = |automaton: &Automaton| self.engine == Engine::Table || Table::suits(automaton);
        let automaton = automaton.and_then(|automaton| match large(&automaton) {
            true => Table::new(&automaton, prefilter.is_some()).map(|table| (automaton, Some(table))),
            false => Some((automaton, None)),
        });
        match automaton.zip(Corners::new(&program, mode)) {
            Some(((automaton, table), corners)) => {
                let (table, prefilter) = (table.as_ref(), prefilter.as_ref());
                emit_automaton::write(&mut writer, &automaton, table, &corners, prefilter, 2 * program.groups);
            }
            None => emit_backtrack::write(&mut writer, &program, mode),
        }
        Ok(writer.finish(name, 2 * program.groups, attributes))
    }

    /// Puts the functions and their tables at the end of the module.
    fn insert(self) {
        let context = self.module.context_ref();
        let Some(block) = self.module.blocks(0).first().copied() else { return };
        for op in self.tables.globals(context, Location::unknown(context)).into_iter().chain(self.functions) {
            block.append_operation(op);
        }
    }
}
