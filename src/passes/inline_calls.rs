//! `inline-calls`: upstream's inliner, with a policy for what is worth it.
//!
//! What may be inlined at all is `dialects/core/inliner.inc`'s to say. A callee is worth its size: a few operations
//! always, more where a profile says that the call is hot or where nothing else calls it, none where the call is cold.
//! A caller that has grown large takes no more, so that time stays linear in the program.
//!
//! A profile speaks of calls by the counts of their blocks: one hot function has hot calls and cold ones. How hot the
//! callee is as a whole counts only where the caller has no counts, because it has changed since they were taken.

use super::{
    functions::{flag, functions, walk},
    generated::InlineCallsOptions,
};
use crate::{
    dialects::{core::verify_symbols::lends_what_leaves, prof::notes},
    mlir::{
        attribute_view::{AttributeView, view},
        hooks::PassFailure,
        op::operations,
        prelude::*,
        program::{Site, inline_calls},
    },
    profile::coverage::coverage,
};
use std::collections::{HashMap, HashSet};

/// A call itself costs about so many operations.
const CALL: usize = 4;
/// The callee of a hot call may be so many times larger: the time that inlining saves is saved all the time, and the
/// code grows at the few calls that are hot only.
const HOT_CALL: usize = 8;
/// A hot callee may be so many times larger where nothing is known of the call itself. Less, because every call of it
/// takes the body in, those that hardly run too.
const HOT_CALLEE: usize = 4;
/// The calls in the blocks that have this share of all counts, in millionths, are hot. It is LLVM's share, so that both
/// inliners mean the same calls.
const HOT_SHARE: u32 = 990_000;
/// What ran less often is not hot, however little else ran.
const HOT_COUNT: u64 = 2;
/// A call that fewer than one in so many runs of its function get to is cold: its body would be in the way of the
/// others.
const COLD: u64 = 50;
/// The only call of a private function, which goes with it, may be so many times larger.
const ONLY: usize = 8;
/// A caller of more operations takes in `ppy.inline` only, and of `MOST` nothing.
const LARGE: usize = 4_000;
const MOST: usize = 40_000;

pub fn run(module: Op, options: &InlineCallsOptions) -> Result<(), PassFailure> {
    let budget = usize::try_from(options.budget)
        .map_err(|_| format!("the budget {} is negative: give a number of operations, 0 for none", options.budget))?;
    let mut uses = uses(module);
    let private = functions(module).filter(|f| f.0.str_attribute("sym_visibility") == Some("private"));
    let once = private.filter_map(|f| f.sym_name()).filter(|name| uses.remove(*name) == Some(1));
    let hottest = coverage(notes::counts(module), &[HOT_SHARE]);
    let mut policy = Policy {
        budget,
        once: once.map(str::to_owned).collect(),
        hot: hottest.first().map_or(u64::MAX, |blocks| blocks.least.max(HOT_COUNT)),
        sizes: HashMap::new(),
    };
    match inline_calls(module, |site| policy.worth(&site)) {
        true => Ok(()),
        false => Err(PassFailure::Reported),
    }
}

struct Policy {
    budget: usize,
    /// Private functions that one call refers to and nothing else.
    once: HashSet<String>,
    /// A call that ran this often is hot.
    hot: u64,
    /// The operations of callers, with what was inlined into them; by [`OpExt::key`].
    sizes: HashMap<usize, usize>,
}

impl Policy {
    fn worth(&mut self, site: &Site) -> bool {
        let demanded = flag(site.callee, "ppy.inline");
        let limit = if demanded { MOST } else { self.limit(site) };
        let Some(cost) = cost(site.callee, limit) else { return false };
        if lends_what_leaves(site.call, site.callee) {
            return false;
        }
        let size = self.sizes.entry(site.caller.key()).or_insert_with(|| cost_of(site.caller));
        if *size + cost > if demanded { MOST } else { LARGE } {
            return false;
        }
        *size += cost;
        true
    }

    /// The most operations that a callee may have here.
    fn limit(&self, site: &Site) -> usize {
        let only = self.once.contains(site.callee.str_attribute("sym_name").unwrap_or_default());
        match self.profiled(site) {
            0 => self.budget.min(CALL),
            factor => self.budget.saturating_mul(factor.max(if only { ONLY } else { 1 })),
        }
    }

    /// How many times the budget a call is worth to a profile; 0 where it is cold.
    fn profiled(&self, Site { call, caller, callee }: &Site) -> usize {
        let entered = notes::calls(*caller).unwrap_or(0);
        match call.block().and_then(notes::count) {
            _ if flag(*callee, notes::COLD) => 0,
            Some(ran) if ran == 0 || ran.saturating_mul(COLD) < entered => 0,
            Some(ran) if ran >= self.hot => HOT_CALL,
            None if flag(*callee, notes::HOT) => HOT_CALLEE,
            _ => 1,
        }
    }
}

/// The operations of a function that cost something; `None` where there are more than the limit.
fn cost(function: Op, limit: usize) -> Option<usize> {
    let mut cost = 0;
    for block in function.blocks(0) {
        cost += operations(block).filter(|op| !is_free(*op)).count();
        if cost > limit {
            return None;
        }
    }
    Some(cost)
}

fn cost_of(function: Op) -> usize {
    let mut count = 0;
    walk(function, &mut |op| count += usize::from(!is_free(op)));
    count
}

/// Constants and slots are no code.
fn is_free(op: Op) -> bool {
    matches!(op.op_name(), "ppy_core.const" | "ppy_core.alloca" | "ppy_core.ret")
}

/// How often each symbol is called or referred to.
fn uses(module: Op) -> HashMap<String, usize> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    let mut count = |attribute: Attribute| {
        let mut pending = vec![attribute];
        while let Some(attribute) = pending.pop() {
            match view(attribute) {
                AttributeView::Symbol(name) => *uses.entry(name.to_owned()).or_default() += 1,
                AttributeView::Array(items) => pending.extend(items),
                AttributeView::Dict(entries) => pending.extend(entries.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    };
    walk(module, &mut |op| {
        for name in ["callee", "value"] {
            op.inherent(name).into_iter().for_each(&mut count);
        }
        op.discardables().into_iter().for_each(|(_, value)| count(value));
    });
    uses
}
