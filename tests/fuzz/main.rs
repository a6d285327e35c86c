//! Fuzzing: random modules keep their meaning under any order of passes, and damaged input never crashes anything.
//!
//! `cargo test --test fuzz` runs 10,000 cases; `PPY_FUZZ_CASES` and `PPY_FUZZ_SEED` choose others. A case is a number:
//! the failure names it with the command that repeats it.

#![allow(clippy::type_complexity, reason = "tables of closures are what a generator is")]

mod arithmetic;
mod bad_input;
mod body;
mod campaign;
mod control;
mod damage;
mod dice;
mod generate;
mod instrument;
mod lanes;
mod machine;
mod meaning;
mod memory;
mod minimize;
mod mlir;
mod mutate;
mod native;
mod passes;
mod regressions;
mod rows;
mod together;
mod workers;

use campaign::{Campaign, conduct};

const CAMPAIGNS: &[Campaign] = &[
    Campaign {
        name: "random_modules_round_trip",
        share: 10,
        case: passes::round_trips,
        input: |_, seed| (passes::input(seed).unwrap_or_default().into_bytes(), "ppyir"),
        detail: |_| String::new(),
        crash: |_, _| String::new(),
    },
    Campaign {
        name: "passes_keep_the_meaning",
        share: 27,
        case: passes::keep_meaning,
        input: |_, seed| (passes::input(seed).unwrap_or_default().into_bytes(), "ppyir"),
        detail: |seed| format!("builtin.module({})", passes::pipeline(seed).join(",")),
        crash: passes::minimal_crash,
    },
    Campaign {
        name: "compiled_code_agrees",
        share: 3,
        case: native::agrees,
        input: |_, seed| (passes::input(seed).unwrap_or_default().into_bytes(), "ppyir"),
        detail: |_| String::new(),
        crash: |_, _| String::new(),
    },
    Campaign {
        name: "damaged_ppyir_ends_well",
        share: 35,
        case: damage::ppyir,
        input: |_, seed| (damage::ppyir_input(seed), "ppyir"),
        detail: |_| String::new(),
        crash: |_, _| String::new(),
    },
    Campaign {
        name: "damaged_mlir_ends_well",
        share: 25,
        case: damage::mlir,
        input: |context, seed| (damage::mlir_input(context, seed), "mlir"),
        detail: |_| String::new(),
        crash: |_, _| String::new(),
    },
];

/// What the children run; without their environment it has nothing to do.
#[test]
fn child() {
    campaign::work(CAMPAIGNS);
}

#[test]
fn random_modules_round_trip() {
    conduct(&CAMPAIGNS[0]);
}

#[test]
fn passes_keep_the_meaning() {
    conduct(&CAMPAIGNS[1]);
}

#[test]
fn compiled_code_agrees() {
    conduct(&CAMPAIGNS[2]);
}

#[test]
fn damaged_ppyir_ends_well() {
    conduct(&CAMPAIGNS[3]);
}

#[test]
fn damaged_mlir_ends_well() {
    conduct(&CAMPAIGNS[4]);
}
