//! What a function's graph is called: the digest of every block's label, terminator and successors.
//!
//! It is ppy's own, so that a profile that either recorded serves both: BLAKE2b of 8 bytes over a line per block,
//! `label|terminator|successor,successor`.

use blake2b_simd::{Params, State};

/// A digest in progress.
pub struct Digest(State);

impl Default for Digest {
    fn default() -> Self {
        Digest(Params::new().hash_length(8).to_state())
    }
}

impl Digest {
    /// Adds the next block. The terminator has its `.ppyir` name.
    pub fn block<'s>(&mut self, label: &str, terminator: &str, successors: impl Iterator<Item = &'s str>) {
        let successors: Vec<&str> = successors.collect();
        self.0.update(format!("{label}|{terminator}|{}\n", successors.join(",")).as_bytes());
    }

    /// 16 hexadecimal digits.
    pub fn finish(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_ppy() {
        let mut digest = Digest::default();
        digest.block("entry", "core.ret", [].into_iter());
        assert_eq!(digest.finish(), "d36443f949503439");
        let mut digest = Digest::default();
        let (jump, branch) = ("core.br", "core.cond_br");
        for (label, terminator, successors) in [
            ("entry", jump, &["for.guards1"][..]),
            ("for.guards1", jump, &["for.setup2"]),
            ("for.setup2", jump, &["for.head3"]),
            ("for.head3", branch, &["for.body4", "for.end6"]),
            ("for.body4", branch, &["then7", "else8"]),
            ("for.latch5", jump, &["for.head3"]),
            ("for.end6", "core.ret", &[]),
            ("then7", jump, &["endif9"]),
            ("else8", branch, &["then10", "else11"]),
            ("endif9", jump, &["for.latch5"]),
            ("then10", jump, &["endif12"]),
            ("else11", jump, &["endif12"]),
            ("endif12", jump, &["endif9"]),
        ] {
            digest.block(label, terminator, successors.iter().copied());
        }
        assert_eq!(digest.finish(), "bd3429c521fe0bc0");
    }
}
