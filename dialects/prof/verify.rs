//! Verification rules of the prof dialect.

use crate::mlir::prelude::*;
use crate::profile::legend::MAX_COUNTERS;

/// prof_c1: a counter is a number that an array of counters can have.
pub fn counter(op: Op) -> Verdict {
    match op.int_attribute("counter") {
        Some(counter) if u64::try_from(counter).is_ok_and(|counter| counter < MAX_COUNTERS) => Ok(()),
        counter => Err(format!(
            "counts in counter {}; counters are numbered from 0 to {}",
            counter.map_or("none".to_owned(), |counter| counter.to_string()),
            MAX_COUNTERS - 1
        )),
    }
}
