//! A seeded random number generator, SplitMix64.

/// A random number generator.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates one of the generators of a seed.
    pub fn new(seed: u64, number: u64) -> Rng {
        let mut rng = Rng(seed);
        rng.0 = rng.bits() ^ number;
        rng
    }

    /// Creates a generator that is independent of later calls of this one.
    pub fn fork(&mut self) -> Rng {
        Rng(self.bits())
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Returns `true` with the probability 1 / `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns one of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
