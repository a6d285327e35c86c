//! Random modules that verify and, on the arguments of `rows.rs`, do nothing undefined.

use crate::body::{Body, Callee};
use crate::control::{MAX_DEPTH, statements};
use crate::dice::Dice;
use crate::rows::{POINTED, param_type, value_type};
use crate::workers::{self, Place, Worker};
use ppy_mlir::ppyir::ast::*;
use smol_str::{SmolStr, format_smolstr};

/// Whether the module of a case has no branches.
pub fn is_straight(seed: u64) -> bool {
    seed.is_multiple_of(6)
}

const DIALECTS: &[&str] = &["atomic", "concurrency", "core", "cpu", "math", "parallel", "prof", "simd", "special"];

/// The module of a case.
pub fn module(seed: u64) -> Module {
    let dice = &mut Dice::new(seed, 1);
    let straight = is_straight(seed);
    let dialects = DIALECTS.iter().map(|name| ((*name).into(), 1)).collect();
    let mut module = Module { name: "fuzz".into(), dialects, ..Module::default() };
    let mut strings = Vec::new();
    for index in 0..dice.below(3) {
        let text: String = (0..dice.within(1, 9)).map(|_| (b'a' + dice.below(26) as u8) as char).collect();
        let symbol = format_smolstr!("s{index}");
        strings.push((symbol.clone(), text.len() as u64));
        module.items.push(Item::Global(Global {
            symbol,
            private: dice.chance(50),
            mutable: false,
            ty: Type::Buffer(crate::rows::U8.into()),
            value: Some(Attr::Str(text.into())),
            loc: None,
            span: Span::NONE,
        }));
    }
    let mut callees: Vec<Callee> = Vec::new();
    let mut workers: Vec<Worker> = Vec::new();
    // Of a stream of its own, so that the other modules are the same without it.
    let threads = &mut Dice::new(seed, 3);
    let threaded = !straight && threads.chance(30);
    let count = dice.within(1, 4);
    for index in 0..count {
        let made = if threaded { threads.within(1, 2) } else { 0 };
        for _ in 0..made {
            let symbol = format_smolstr!("w{}", workers.len());
            let (functions, worker) =
                workers::make(Place { dice: threads, callees: &callees, strings: &strings, symbol });
            module.items.extend(functions.into_iter().map(Item::Function));
            workers.push(worker);
        }
        let (function, callee) = function(dice, straight, index, index + 1 < count, &callees, &strings, &workers);
        module.items.push(Item::Function(function));
        callees.push(callee);
    }
    module
}

fn function(
    dice: &mut Dice,
    straight: bool,
    index: usize,
    may_hide: bool,
    callees: &[Callee],
    strings: &[(SmolStr, u64)],
    workers: &[Worker],
) -> (Function, Callee) {
    let strict = dice.chance(35);
    let params: Vec<Type> = (0..dice.within(1, 5)).map(|_| param_type(dice)).collect();
    let results: Vec<Type> = (0..dice.within(1, 3)).map(|_| value_type(dice)).collect();
    let symbol = format_smolstr!("f{index}");
    let private = may_hide && dice.chance(40);
    let callee = Callee { symbol: symbol.clone(), params: params.clone(), results: results.clone(), strict };
    let mut body = Body::new(dice, callees, strings, workers, results.clone(), strict);
    for ty in &params {
        let id = body.value(ty);
        if let Type::Ptr(ptr) = ty {
            body.set_reach(id, POINTED, !ptr.constant);
        }
        body.blocks[0].args.push(id);
    }
    body.enter(0);
    // As deep as it gets: nothing more may nest.
    body.depth = if straight { MAX_DEPTH } else { 0 };
    statements(&mut body);
    body.ret();
    let (region, values) = body.finish();
    (assemble(symbol, private, params, results, region, values), callee)
}

/// A function of its parts.
pub fn assemble(
    symbol: SmolStr,
    private: bool,
    params: Vec<Type>,
    results: Vec<Type>,
    region: Region,
    values: Vec<ValueDef>,
) -> Function {
    let params = (0..).zip(params).map(|(index, ty)| {
        let mut attrs = Attrs::default();
        if matches!(ty, Type::Buffer(_)) {
            attrs.insert("ownership".into(), Attr::Str("mut".into()));
        }
        Param { value: Some(ValueId(index)), ty, attrs }
    });
    let params = params.collect();
    let (body, attrs, loc, span) = (Some(region), None, None, Span::NONE);
    Function { symbol, private, body, params, results, attrs, loc, values, span }
}

/// The functions that a caller can name.
pub fn entries(module: &Module) -> impl Iterator<Item = &Function> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) if !function.private && function.body.is_some() => Some(function),
        _ => None,
    })
}
