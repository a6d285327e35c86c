//! The examples of the operations' descriptions (`mlir` blocks), completed to modules.
//!
//! An example shows operations, not what surrounds them. Here it gets a function whose parameters are the values it
//! uses without defining them, blocks for its successors and declarations for the functions it calls. The parameters'
//! types are the parser's own word: it says what type a use expects when it is given another.

#![allow(dead_code, reason = "each test crate uses a part")]

use melior::Context;
use ppy_mlir::mlir::{diagnostic::capture_reports, parse};
use std::collections::BTreeSet;

/// The `mlir` blocks of a description.
pub fn blocks(description: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = description;
    while let Some((_, after)) = rest.split_once("```mlir\n") {
        let (block, after) = after.split_once("```").unwrap_or((after, ""));
        found.push(block.to_owned());
        rest = after;
    }
    found
}

/// The names that follow `sigil` in the text, without it.
fn names(text: &str, sigil: char) -> BTreeSet<String> {
    let word = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    text.split(sigil).skip(1).map(word).filter(|name| !name.is_empty()).collect()
}

/// What stands between the bracket that `text` begins with and its partner, and the rest.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with(['(', '<', '[']) {
        return None;
    }
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            '>' if text[..i].ends_with('-') => {}
            ')' | '>' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[1..i], &text[i + 1..]));
        }
    }
    None
}

/// A module around the example.
pub fn module(context: &Context, example: &str) -> Result<String, String> {
    let first = example.trim_start();
    if ["ppy_core.func", "ppy_core.global", "module"].iter().any(|word| first.starts_with(word)) {
        return Ok(example.to_owned());
    }
    let defined: BTreeSet<String> = example
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('%')?.split_once([' ', ':', ',']))
        .map(|(name, _)| name.to_owned())
        .collect();
    let mut parameters: Vec<(String, String)> =
        names(example, '%').difference(&defined).map(|name| (name.clone(), "i1".to_owned())).collect();
    // One type is learnt from each refusal.
    for _ in 0..=parameters.len() {
        let text = complete(example, &parameters);
        let (parsed, reports) = capture_reports(context, |c| parse::module(c, text.as_bytes(), "example").map(drop));
        if parsed.is_some() {
            return Ok(text);
        }
        let message = reports.iter().map(|r| r.text.as_str()).collect::<Vec<_>>().join("\n");
        let learnt = message.split_once("use of value '%").and_then(|(_, rest)| {
            let (name, rest) = rest.split_once("' expects different type than prior uses: '")?;
            Some((name.to_owned(), rest.split_once("' vs '")?.0.to_owned()))
        });
        let Some((name, ty)) = learnt else { return Err(format!("{message}\n{text}")) };
        for parameter in parameters.iter_mut().filter(|p| p.0 == name) {
            parameter.1.clone_from(&ty);
        }
    }
    Err(format!("the types of its values are not found: {parameters:?}"))
}

fn complete(example: &str, parameters: &[(String, String)]) -> String {
    let mut declarations = String::new();
    for name in names(example, '@') {
        let signature = example.split_once(&format!("@{name}(")).and_then(|(_, rest)| rest.split_once(" : "));
        if let Some((inputs, rest)) = signature.and_then(|(_, ty)| bracketed(ty)) {
            let results = rest.lines().next().unwrap_or_default();
            declarations += &format!("  ppy_core.func private @{name}({inputs}){results}\n");
        }
    }
    let parameters: Vec<String> = parameters.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect();
    let last = example.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let results = match last.strip_prefix("ppy_core.ret ").and_then(|rest| rest.split_once(" : ")) {
        Some((_, types)) => format!(" -> ({types})"),
        None => String::new(),
    };
    let mut blocks = String::new();
    for name in names(example, '^') {
        let after = example.split_once(&format!("^{name}")).map_or("", |(_, rest)| rest);
        let types = bracketed(after).and_then(|(inside, _)| inside.split_once(" : "));
        let arguments: Vec<String> = types
            .into_iter()
            .flat_map(|(_, t)| t.split(", "))
            .enumerate()
            .map(|(i, t)| format!("%{name}{i}: {t}"))
            .collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        blocks += &format!("  ^{name}{arguments}:\n    ppy_core.unreachable\n");
    }
    let ends = ["ppy_core.br ", "ppy_core.cond_br ", "ppy_core.ret", "ppy_core.unreachable"];
    let end = if ends.iter().any(|op| last.starts_with(op)) { "" } else { "    ppy_core.unreachable\n" };
    let body: String = example.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "module {{\n{declarations}  ppy_core.func @example({}){results} {{\n{body}{end}{blocks}  }}\n}}\n",
        parameters.join(", ")
    )
}
