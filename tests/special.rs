//! The special functions against exact values (`tests/special/table.json`), within the bounds that the dialect states,
//! and the same bits from every engine.

mod support;

use ppy_mlir::emit::llvm::{Level, Options};
use ppy_mlir::ppyir::{ast::Module, parse_bytes};
use ppy_mlir::registry::Syntax;
use serde_json::{Value as Json, json};
use support::{Compiled, Engine, Interpreted, Tally, folder, json};

/// How far a result may be from the exact one: in units in its last place, or in absolute terms.
fn bounds(name: &str, x: f64) -> (f64, f64) {
    match name {
        "erf" | "erfc" => (4.0, 0.0),
        "gamma" => (6.0, 0.0),
        "gammaln" => (5.0, 2f64.powi(-50)),
        "ndtr" => (4.0 + 2.0 * x * x, 0.0),
        "logit" => (4.0, 2f64.powi(-52)),
        "bessel_jn" | "bessel_yn" => (64.0, 2f64.powi(-46)),
        _ => (9.0, 2f64.powi(-50)),
    }
}

/// The distance to the next float away from zero.
fn ulp(value: f64) -> f64 {
    let magnitude = value.abs();
    f64::from_bits(magnitude.to_bits() + 1) - magnitude
}

/// A function for each of the table's; C's have their names.
fn module(table: &serde_json::Map<String, Json>) -> Module {
    let mut text = "ppyir 1\nmodule @special\ndialect core 1\ndialect special 1\n".to_owned();
    for (name, rows) in table {
        let (params, operands) = match rows[0].as_array().map_or(0, Vec::len) {
            3 => ("%n: i64, %x: f64", "%n, %x"),
            _ => ("%x: f64", "%x"),
        };
        text += &format!(
            "\nfunc @of_{name}({params}) -> f64 {{\n^entry:\n    %0 = special.{name} {operands} : f64\n    core.ret %0\n}}\n"
        );
    }
    parse_bytes(text.as_bytes(), "special", &Syntax).unwrap_or_else(|errors| panic!("{errors}")).remove(0)
}

fn float(bits: &Json) -> f64 {
    f64::from_bits(bits.as_u64().expect("the bits of a float"))
}

#[test]
fn results_are_within_their_bounds_on_every_engine() {
    let table = json(&folder("special").join("table.json"));
    let table = table.as_object().expect("a list per function");
    let module = module(table);
    let engines = [Level::O0, Level::O2].map(|level| Compiled::new(Options::at(level)));
    let mut tally = Tally::default();
    for (name, row) in
        table.iter().flat_map(|(name, rows)| rows.as_array().into_iter().flatten().map(move |r| (name, r)))
    {
        let row = row.as_array().expect("a list");
        let (order, x, exact) = (&row[..row.len() - 2], float(&row[row.len() - 2]), float(&row[row.len() - 1]));
        let function = format!("of_{name}");
        let arguments = Json::Array(order.iter().cloned().chain([json!(x)]).collect());
        let answer = Interpreted(&module).call(&function, &arguments).unwrap_or_else(|error| panic!("{name}: {error}"));
        let result = answer["results"][0].as_f64().unwrap_or(if answer["results"][0] == "inf" {
            f64::INFINITY
        } else {
            f64::NAN
        });
        let (ulps, absolute) = bounds(name, x);
        let off = (result - exact).abs();
        match off <= ulps * ulp(exact) || off <= absolute || result == exact {
            true => tally.passed += 1,
            false => {
                tally.failed.push(format!("{name}({arguments}) is {result:e}, not {exact:e}: {} ulp", off / ulp(exact)))
            }
        }
        for engine in &engines {
            match engine.call(&module, &function, &arguments) {
                Ok(compiled) if compiled == answer => tally.passed += 1,
                other => tally.failed.push(format!("{name}({arguments}): {other:?}, interpreted {answer}")),
            }
        }
    }
    tally.finish("special functions");
}
