//! Statements with blocks: branches, counted loops, machines of blocks with any edges, and dead ends.

use crate::body::{Body, int_of, text};
use crate::memory::{carried, rounds};
use crate::rows::int_type;
use crate::{arithmetic, lanes, machine, memory, together};
use ppy_mlir::ppyir::ast::{Type, ValueId};

const CONTROL: &[(usize, fn(&mut Body))] =
    &[(10, branch), (7, counted_loop), (3, machine), (2, both_ways), (2, raise), (2, leave)];

/// Branches and loops nest this deep.
pub const MAX_DEPTH: usize = 3;

/// Statements until the budget is spent, or by chance fewer.
pub fn statements(body: &mut Body) {
    while body.budget > 0 {
        body.budget -= 1;
        let total = |table: &[(usize, fn(&mut Body))]| table.iter().map(|entry| entry.0).sum::<usize>();
        let control = if body.depth < MAX_DEPTH { total(CONTROL) } else { 0 };
        let tables = [
            arithmetic::STATEMENTS,
            memory::STATEMENTS,
            lanes::STATEMENTS,
            machine::STATEMENTS,
            CONTROL,
            together::STATEMENTS,
        ];
        let beside = if body.workers.is_empty() { 0 } else { total(together::STATEMENTS) };
        let share = |table: usize| total(tables[table]) * body.shares[table] / 100;
        let weights = [share(0), share(1), share(2), share(3), control, beside];
        let table = tables[body.dice.weighted(&weights)];
        let own: Vec<usize> = table.iter().map(|entry| entry.0).collect();
        let statement = table[body.dice.weighted(&own)].1;
        statement(body);
        if (1..MAX_DEPTH).contains(&body.depth) && body.dice.chance(22) {
            break;
        }
    }
}

/// Statements of an arm or a loop's body; what they define goes out of scope with them.
fn inside(body: &mut Body) {
    body.depth += 1;
    statements(body);
    body.depth -= 1;
}

fn branch(body: &mut Body) {
    let types = carried(body);
    let condition = body.condition();
    let (yes, no, join) = (body.block(&[]), body.block(&[]), body.block(&types));
    body.cond_br(condition, (yes, &[]), (no, &[]));
    let scope = body.scope.len();
    for (arm, may_return) in [(yes, body.may_return), (no, false)] {
        body.enter(arm);
        inside(body);
        if may_return && body.dice.chance(12) {
            body.ret();
        } else {
            let values = body.arguments(&types);
            body.br(join, &values);
        }
        body.scope.truncate(scope);
    }
    body.enter(join);
}

/// One block reached both ways with different arguments.
fn both_ways(body: &mut Body) {
    let types = carried(body);
    let condition = body.condition();
    let (yes, no) = (body.arguments(&types), body.arguments(&types));
    let join = body.block(&types);
    body.cond_br(condition, (join, &yes), (join, &no));
    body.enter(join);
}

pub fn compare(body: &mut Body, predicate: &str, a: ValueId, b: ValueId) -> ValueId {
    body.one("core.cmp", &[a, b], &Type::Bool, &[("predicate", text(predicate))])
}

fn counted_loop(body: &mut Body) {
    let counter = int_type(body.dice);
    let types = carried(body);
    let (low, high) = (body.int(&counter, 0), rounds(body, &counter));
    let most = body.range(high).1;
    let mut initial = vec![low];
    initial.extend(body.arguments(&types));
    let mut header_types = vec![counter.clone()];
    header_types.extend(types.iter().cloned());
    let (header, inner, exit) = (body.block(&header_types), body.block(&[]), body.block(&types));
    body.br(header, &initial);
    body.enter(header);
    let args = body.blocks[header].args.clone();
    body.set_range(args[0], (0, most));
    let more = compare(body, "lt", args[0], high);
    body.cond_br(more, (inner, &[]), (exit, &args[1..]));
    let scope = body.scope.len();
    body.enter(inner);
    inside(body);
    if body.dice.chance(25) {
        let out = body.condition();
        let (values, rest) = (body.arguments(&types), body.block(&[]));
        body.cond_br(out, (exit, &values), (rest, &[]));
        body.enter(rest);
        inside(body);
    }
    let one = body.int(&counter, 1);
    let fits = int_of(&counter).is_some_and(|int| most < int.max());
    let mode = if fits { *body.dice.pick(&["proven", "wrap", "python", "checked", "native"]) } else { "wrap" };
    let mut next = vec![body.one("core.add", &[args[0], one], &counter, &[("overflow", text(mode))])];
    next.extend(body.arguments(&types));
    body.br(header, &next);
    body.scope.truncate(scope);
    body.enter(exit);
}

/// Blocks with any edges between them, which may be irreducible; fuel in an argument ends it.
fn machine(body: &mut Body) {
    let fuel = int_type(body.dice);
    let types = carried(body);
    let mut all = vec![fuel.clone()];
    all.extend(types.iter().cloned());
    let count = body.dice.within(2, 4);
    let states: Vec<usize> = (0..count).map(|_| body.block(&all)).collect();
    let exit = body.block(&types);
    let amount = body.dice.within(1, 6) as i128;
    let mut first = vec![body.int(&fuel, amount)];
    first.extend(body.arguments(&types));
    // Entered in two places, so that no block need dominate the others.
    let condition = body.condition();
    let (a, b) = (*body.dice.pick(&states), *body.dice.pick(&states));
    body.cond_br(condition, (a, &first), (b, &first));
    let scope = body.scope.len();
    for state in &states {
        body.enter(*state);
        let args = body.blocks[*state].args.clone();
        body.set_range(args[0], (0, amount));
        let (zero, work) = (body.int(&fuel, 0), body.block(&[]));
        let empty = compare(body, "le", args[0], zero);
        body.cond_br(empty, (exit, &args[1..]), (work, &[]));
        body.enter(work);
        body.depth += 2;
        if body.budget > 0 {
            statements(body);
        }
        body.depth -= 2;
        let one = body.int(&fuel, 1);
        let left = body.one("core.sub", &[args[0], one], &fuel, &[("overflow", text("wrap"))]);
        let condition = body.condition();
        let (mut yes, mut no) = (vec![left], vec![left]);
        yes.extend(body.arguments(&types));
        no.extend(body.arguments(&types));
        let (a, b) = (*body.dice.pick(&states), *body.dice.pick(&states));
        body.cond_br(condition, (a, &yes), (b, &no));
        body.scope.truncate(scope);
    }
    body.enter(exit);
}

/// A way that fails without condition.
fn raise(body: &mut Body) {
    let condition = arithmetic::likely(body);
    let (rest, fails) = (body.block(&[]), body.block(&[]));
    body.cond_br(condition, (rest, &[]), (fails, &[]));
    let scope = body.scope.len();
    body.enter(fails);
    let never = body.one("core.const", &[], &Type::Bool, &[("value", ppy_mlir::ppyir::ast::Attr::Bool(false))]);
    let attrs = [("kind", text("contract")), ("label", text("raised"))];
    let labelled = body.dice.chance(50);
    body.none("core.guard", &[never], if labelled { &attrs } else { &attrs[..1] });
    body.none("core.unreachable", &[], &[]);
    body.scope.truncate(scope);
    body.enter(rest);
}

/// A block that nothing reaches, which still goes on to a live one.
fn leave(body: &mut Body) {
    let types = carried(body);
    let values = body.arguments(&types);
    let (dead, join) = (body.block(&[]), body.block(&types));
    body.br(join, &values);
    let scope = body.scope.len();
    body.enter(dead);
    inside(body);
    let values = body.arguments(&types);
    body.br(join, &values);
    body.scope.truncate(scope);
    body.enter(join);
}
