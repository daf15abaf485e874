//! Random choices.

use proptest::prelude::RngCore;
use proptest::test_runner::TestRng;

/// Random choices of a generator.
pub(super) struct Choices<'r>(pub(super) &'r mut TestRng);

impl Choices<'_> {
    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `bound`, which is not zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Returns `true` with the probability 1 / `n`.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
