//! `--lower-parallel`: a parallel operation becomes a call, of its body or of a function that splits the range.
//!
//! The functions that it needs are written as MLIR text (`split.rs`) and read by MLIR's parser.

use super::ops::{ForOp, MapOp, ReduceOp};
use super::split::{Kind, Split, loop_text, split_text, task_text};
use crate::dialects::core::lower_target::Target;
use crate::dialects::core::ops::{CallOp, FuncOp};
use crate::mlir::{
    attribute_view::{AttributeView, view},
    builder,
    hooks::{Changed, PassFailure},
    op::{modules, operations, operations_named},
    parse,
    prelude::*,
    transform::{canonicalize, erase},
};
use crate::passes::generated::LowerParallelOptions;
use melior::ir::attribute::ArrayAttribute;
use rustc_hash::FxHashSet;
use std::num::NonZero;

/// What runs the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Threads,
    Serial,
    /// The operations stay.
    OpenMp,
}

/// As many chunks as anyone can use.
const MAX_THREADS: i64 = 256;

/// How ranges are split.
#[derive(Clone, Copy, Debug)]
struct Plan {
    threads: usize,
    minimum: i64,
}

pub fn run(module: Op, options: &LowerParallelOptions) -> Result<Changed, PassFailure> {
    let backend = match options.backend.as_str() {
        "threads" => Backend::Threads,
        "serial" => Backend::Serial,
        "openmp" => Backend::OpenMp,
        other => {
            return Err(PassFailure::Message(format!(
                "lower-parallel has no backend \"{other}\": it is threads, serial or openmp"
            )));
        }
    };
    if !(0..=MAX_THREADS).contains(&options.threads) {
        return Err(PassFailure::Message(format!(
            "lower-parallel cannot split for {} threads: it is 1 to {MAX_THREADS}, or 0 for this machine's processors",
            options.threads
        )));
    }
    if backend == Backend::OpenMp || operations_named(module, &[ForOp::NAME, MapOp::NAME, ReduceOp::NAME]).is_empty() {
        return Ok(Changed::No);
    }
    let processors = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = match usize::try_from(options.threads) {
        Ok(0) | Err(_) => processors().min(MAX_THREADS as usize),
        Ok(threads) => threads,
    };
    for module in modules(module) {
        let alone = backend == Backend::Serial || threads < 2 || Target::of(module).threads().is_err();
        let plan = (!alone).then_some(Plan { threads, minimum: options.minimum.max(1) });
        Lowering::of(module).run(plan)?;
    }
    Ok(Changed::Yes)
}

/// The lowering of one module.
struct Lowering<'c, 'a> {
    module: Op<'c, 'a>,
    /// The names that are taken.
    symbols: FxHashSet<String>,
    /// The functions made so far, by what they do.
    made: Vec<(Split, String)>,
}

impl<'c: 'a, 'a> Lowering<'c, 'a> {
    fn of(module: Op<'c, 'a>) -> Self {
        let all = module.blocks(0).into_iter().flat_map(operations);
        let symbols = all.filter_map(|op| op.str_attribute("sym_name")).map(str::to_owned).collect();
        Lowering { module, symbols, made: Vec::new() }
    }

    fn run(mut self, plan: Option<Plan>) -> Result<(), PassFailure> {
        let functions: Vec<FuncOp> = self.functions().collect();
        let (before, mut written) = (functions.len(), Vec::new());
        let mut spawns = false;
        for FuncOp(function) in functions {
            for block in function.blocks(0) {
                let all: Vec<Op> = operations(block).filter(|op| kind_of(*op).is_some()).collect();
                if !all.is_empty() && written.last() != Some(&function) {
                    written.push(function);
                }
                for op in all {
                    let split = self.split_of(op)?;
                    let threads = plan.filter(|_| split.may_be_split());
                    spawns |= threads.is_some();
                    let callee = self.function(split, threads, op)?;
                    self.replace(op, block, &callee);
                }
            }
        }
        if spawns {
            self.require_pthreads();
        }
        // Those that were made are at the end of the module.
        canonicalize(written.into_iter().chain(self.functions().skip(before).map(|made| made.0)))
    }

    fn functions(&self) -> impl Iterator<Item = FuncOp<'c, 'a>> + use<'c, 'a> {
        self.module.blocks(0).into_iter().flat_map(operations).filter_map(FuncOp::cast)
    }

    fn split_of(&self, op: Op<'c, 'a>) -> Result<Split, PassFailure> {
        let kind = kind_of(op).ok_or_else(|| PassFailure::Message("no parallel operation".into()))?;
        let body = op.symbol_attribute("callee").unwrap_or_default();
        let function = self.functions().find(|f| f.sym_name() == Some(body));
        let types = op.all_operands().iter().map(|value| value.r#type().to_string()).collect();
        Ok(Split::new(kind, body, types, function.map(|f| f.0)))
    }

    /// The function to call for an operation: its body where the range is one chunk, or one that is made.
    fn function(&mut self, split: Split, plan: Option<Plan>, op: Op<'c, 'a>) -> Result<String, PassFailure> {
        if plan.is_none() && split.kind != Kind::Map {
            return Ok(split.body);
        }
        if let Some((_, name)) = self.made.iter().find(|(made, _)| *made == split) {
            return Ok(name.clone());
        }
        // What runs one chunk.
        let chunk = match split.kind {
            Kind::Map => {
                let name = self.fresh(&format!("{}__map", split.body));
                self.add(&loop_text(&split, &name), op)?;
                name
            }
            _ => split.body.clone(),
        };
        let name = match plan {
            None => chunk,
            Some(plan) => {
                let task = match split.kind {
                    Kind::Reduce { .. } => {
                        let name = self.fresh(&format!("{}__task", split.body));
                        self.add(&task_text(&split, &name), op)?;
                        name
                    }
                    _ => chunk.clone(),
                };
                let name = self.fresh(&format!("{}__split", split.body));
                self.add(&split_text(&split, &name, &chunk, &task, plan.threads, plan.minimum), op)?;
                name
            }
        };
        self.made.push((split, name.clone()));
        Ok(name)
    }

    /// The name, or one like it that is free.
    fn fresh(&mut self, name: &str) -> String {
        let numbered = (1..).map(|n| format!("{name}{n}"));
        let free = std::iter::once(name.to_owned()).chain(numbered).find(|name| !self.symbols.contains(name));
        let free = free.unwrap_or_else(|| name.to_owned());
        self.symbols.insert(free.clone());
        free
    }

    /// Adds the function of a text to the module, at the place of the operation that it is for.
    fn add(&self, text: &str, op: Op<'c, 'a>) -> Result<(), PassFailure> {
        let source = parse::module(op.context_ref(), text.as_bytes(), "lower-parallel").ok_or(PassFailure::Reported)?;
        let body = self.module.blocks(0).first().copied().ok_or(PassFailure::Reported)?;
        for function in source.as_operation().blocks(0).into_iter().flat_map(operations) {
            let function = builder::clone(function);
            builder::relocate(&function, op.loc());
            body.append_operation(function);
        }
        Ok(())
    }

    fn replace(&self, op: Op<'c, 'a>, block: BlockRef<'c, 'a>, callee: &str) {
        let context = op.context_ref();
        let results: Vec<Type> = (0..op.result_len()).map(|i| op.result_at(i).r#type()).collect();
        let call = CallOp::build(context, &op.all_operands(), callee, None, &results, op.loc());
        let call = block.insert_operation_before(op, call);
        for i in 0..results.len() {
            builder::replace_all_uses(op.result_at(i), call.result_at(i));
        }
        erase(op);
    }

    /// Says in the module that the linker needs pthreads.
    fn require_pthreads(&self) {
        const LIBRARIES: &str = "ppy.libraries";
        let context = self.module.context_ref();
        let mut list = match self.module.discardable(LIBRARIES).map(view) {
            Some(AttributeView::Array(list)) => list,
            _ => Vec::new(),
        };
        if !list.iter().any(|library| matches!(view(*library), AttributeView::Str("pthread"))) {
            list.push(StringAttribute::new(context, "pthread").into());
            self.module.set(LIBRARIES, ArrayAttribute::new(context, &list).into());
        }
    }
}

fn kind_of(op: Op) -> Option<Kind> {
    match op.op_name() {
        ForOp::NAME => Some(Kind::For),
        MapOp::NAME => Some(Kind::Map),
        ReduceOp::NAME => {
            let reassociate = op.bool_attribute("reassociate") == Some(true);
            Some(Kind::Reduce { op: ReduceOp(op).op()?, reassociate })
        }
        _ => None,
    }
}
