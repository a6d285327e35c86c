//! Which blocks most of the time goes to: the most frequent ones, that have a share of all counts together.

/// The most frequent blocks of a program that have a share of its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// In millionths.
    pub share: u32,
    /// The count of the least frequent of them.
    pub least: u64,
    pub blocks: usize,
}

/// The blocks that have each of the shares, which ascend. Nothing where nothing ran.
pub fn coverage(mut counts: Vec<u64>, shares: &[u32]) -> Vec<Coverage> {
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let total: u128 = counts.iter().map(|count| u128::from(*count)).sum();
    let mut counts = counts.into_iter().take_while(|count| *count > 0);
    let (mut reached, mut blocks, mut least) = (0u128, 0, 0);
    let mut found = Vec::new();
    for share in shares {
        // Rounded up, so that the last share is every block that ran.
        let wanted = (total * u128::from(*share)).div_ceil(1_000_000);
        while reached < wanted
            && let Some(count) = counts.next()
        {
            (reached, blocks, least) = (reached + u128::from(count), blocks + 1, count);
        }
        if blocks > 0 {
            found.push(Coverage { share: *share, least, blocks });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: &[u64], share: u32) -> Option<(u64, usize)> {
        coverage(counts.to_vec(), &[share]).first().map(|found| (found.least, found.blocks))
    }

    #[test]
    fn shares_are_of_the_most_frequent_blocks() {
        let counts = [1, 0, 900, 99];
        assert_eq!(of(&counts, 900_000), Some((900, 1)));
        assert_eq!(of(&counts, 990_000), Some((99, 2)));
        assert_eq!(of(&counts, 999_999), Some((1, 3)));
        assert_eq!(coverage(counts.to_vec(), &[900_000, 999_000]).iter().map(|c| c.blocks).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn nothing_that_ran_has_no_shares() {
        assert_eq!(of(&[0, 0], 990_000), None);
        assert_eq!(of(&[], 990_000), None);
        assert_eq!(of(&[u64::MAX, u64::MAX], 990_000), Some((u64::MAX, 2)));
    }
}
