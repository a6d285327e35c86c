//! The regex operations have no form in the LLVM dialect: `--lower-regex` makes functions of them before.

use crate::mlir::conversion::ConversionPatterns;

/// Adds the refusal of every regex operation.
pub fn to_llvm(patterns: &mut ConversionPatterns) {
    for name in ["ppy_regex.search", "ppy_regex.match", "ppy_regex.fullmatch"] {
        patterns.add(name, |_, _, _| Err("its pattern becomes a function before: run --lower-regex".into()));
    }
}
