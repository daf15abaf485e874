//! The only source of chance: a seeded generator of numbers, SplitMix64.

/// Choices that a seed decides.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The choices for one of the things that a seed decides.
    pub fn new(seed: u64, number: u64) -> Dice {
        let mut dice = Dice(seed);
        dice.0 = dice.bits() ^ number;
        dice
    }

    /// Choices that do not depend on how many are made here later.
    pub fn fork(&mut self) -> Dice {
        Dice(self.bits())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
