//! The summary of a profile that LLVM reads beside the counts: from which count on a block is hot, up to which cold.
//!
//! Without it LLVM's inliner has no hot calls, and none of its passes cold blocks.

use super::notes::{calls, counted, counts};
use crate::{
    mlir::{builder::Parts, prelude::*},
    profile::coverage::{Coverage, coverage},
};
use std::fmt::Write;

/// The shares of all counts, in millionths, that LLVM wants to know the most frequent blocks of.
const CUTOFFS: [u32; 16] = [
    10_000, 100_000, 200_000, 300_000, 400_000, 500_000, 600_000, 700_000, 800_000, 900_000, 950_000, 990_000, 999_000,
    999_900, 999_990, 999_999,
];

/// Adds the summary to a module that has a profile's notes.
pub fn summary(module: Op) -> Result<(), String> {
    let Some(body) = module.blocks(0).first().copied() else { return Ok(()) };
    let most = counted(module).filter_map(calls).max().unwrap_or(0);
    let Some(text) = text(counts(module), most, counted(module).count()) else { return Ok(()) };
    let context = module.context_ref();
    let flags = Attribute::parse(context, &text).ok_or("a summary that LLVM's dialect does not read")?;
    let mut parts = Parts::new(context);
    parts.attribute("flags", flags);
    body.append_operation(parts.create("llvm.module_flags", module.loc()));
    Ok(())
}

/// The flag as the LLVM dialect spells it; `None` where nothing ran.
fn text(counts: Vec<u64>, calls: u64, functions: usize) -> Option<String> {
    let total: u128 = counts.iter().map(|count| u128::from(*count)).sum();
    let total = u64::try_from(total).unwrap_or(u64::MAX).min(i64::MAX as u64);
    let max = counts.iter().copied().max().filter(|max| *max > 0)?;
    let count = counts.len();
    let mut detailed = String::new();
    for Coverage { share, least, blocks } in coverage(counts, &CUTOFFS) {
        let comma = if detailed.is_empty() { "" } else { ", " };
        let _ = write!(detailed, "{comma}<cut_off = {share}, min_count = {least}, num_counts = {blocks}>");
    }
    Some(format!(
        "[#llvm.mlir.module_flag<error, \"ProfileSummary\", #llvm.profile_summary<format = InstrProf, \
         total_count = {total}, max_count = {max}, max_internal_count = {max}, max_function_count = {calls}, \
         num_counts = {count}, num_functions = {functions}, detailed_summary = {detailed}>>]"
    ))
}

#[cfg(test)]
mod tests {
    use super::{CUTOFFS, text};

    #[test]
    fn the_flag_has_every_share() {
        let text = text(vec![1, 0, 900, 99], 7, 2).unwrap();
        assert!(text.contains("total_count = 1000, max_count = 900, max_internal_count = 900, max_function_count = 7"));
        assert!(text.contains("<cut_off = 900000, min_count = 900, num_counts = 1>"), "{text}");
        assert_eq!(text.matches("cut_off").count(), CUTOFFS.len());
    }

    #[test]
    fn nothing_that_ran_has_no_summary() {
        assert_eq!(text(vec![0, 0], 0, 1), None);
        assert_eq!(text(Vec::new(), 0, 0), None);
        assert!(text(vec![u64::MAX, u64::MAX], u64::MAX, 1).is_some());
    }
}
