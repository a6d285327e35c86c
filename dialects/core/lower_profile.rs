//! What `annotate-profile` noted, as LLVM has it: how often a function is entered, whether it is hot or cold, and which
//! way a branch goes.

use crate::{
    dialects::prof::notes::{CALLS, COLD, HOT, WEIGHTS},
    mlir::{
        attribute_view::{AttributeView, view},
        op::{Op, OpExt},
    },
};
use melior::ir::{
    Attribute,
    attribute::{ArrayAttribute, DenseI32ArrayAttribute, StringAttribute},
};

/// Notes of a function on its `llvm.func`.
pub(super) fn function(op: Op, new: Op) {
    let context = op.context_ref();
    if let Some(calls) = op.discardable(CALLS) {
        new.set("function_entry_count", calls);
    }
    let flag = |name: &str| matches!(op.discardable(name).map(view), Some(AttributeView::Bool(true)));
    let word = match (flag(HOT), flag(COLD)) {
        (true, _) => "hot",
        (_, true) => "cold",
        _ => return,
    };
    let word: Attribute = StringAttribute::new(context, word).into();
    new.set("passthrough", ArrayAttribute::new(context, &[word]).into());
}

/// The weights of a branch on its `llvm.cond_br`.
pub(super) fn branch(op: Op, new: Op) {
    let Some(AttributeView::Array(weights)) = op.discardable(WEIGHTS).map(view) else { return };
    let counts: Vec<u64> = weights
        .into_iter()
        .filter_map(|weight| match view(weight) {
            AttributeView::Int { value, .. } => u64::try_from(value).ok(),
            _ => None,
        })
        .collect();
    // A branch that never ran says nothing.
    if let [taken, not] = counts[..]
        && (taken, not) != (0, 0)
    {
        let scaled = scaled([taken, not]);
        new.set("branch_weights", DenseI32ArrayAttribute::new(op.context_ref(), &scaled).into());
    }
}

/// Counts as weights of 31 bits in the same proportion; what happened keeps at least 1.
fn scaled(counts: [u64; 2]) -> [i32; 2] {
    let bits = u64::BITS - counts[0].max(counts[1]).leading_zeros();
    let shift = bits.saturating_sub(31);
    counts.map(|count| ((count >> shift) as i32).max(i32::from(count > 0)))
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn weights_fit_and_keep_their_proportion() {
        assert_eq!(scaled([3, 0]), [3, 0]);
        assert_eq!(scaled([u64::MAX, 1]), [i32::MAX, 1]);
        assert_eq!(scaled([1 << 40, 1 << 39]), [1 << 30, 1 << 29]);
    }
}
