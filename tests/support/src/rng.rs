//! A seeded random number generator, SplitMix64, which a fuzzer can control.

/// A random number generator.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
    /// The bytes that choices are made of before the state is.
    data: std::vec::IntoIter<u8>,
}

impl Rng {
    /// Creates one of the generators of a seed.
    pub fn new(seed: u64, number: u64) -> Rng {
        let mut rng = Rng::from_state(seed);
        rng.state = rng.bits() ^ number;
        rng
    }

    fn from_state(state: u64) -> Rng {
        Rng { state, data: Vec::new().into_iter() }
    }

    /// Creates a generator whose first choices are the bytes of an input, so that a fuzzer can change each
    /// of them.
    pub fn from_data(data: &[u8]) -> Rng {
        Rng { state: 0, data: Vec::from(data).into_iter() }
    }

    /// Returns the bytes of the input that have not been used.
    pub fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.data).collect()
    }

    /// Creates a generator that is independent of later calls of this one.
    pub fn fork(&mut self) -> Rng {
        Rng::from_state(self.bits())
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        if let Some(bits) = self.data_bits(8) {
            return bits;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Returns a number of the next bytes of the input; `None` at its end.
    fn data_bits(&mut self, len: usize) -> Option<u64> {
        let bytes = self.data.by_ref().take(len);
        bytes.fold(None, |bits, byte| Some(bits.unwrap_or(0) << 8 | u64::from(byte)))
    }

    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        // A choice of few is one byte of the input.
        let len = if bound <= 256 { 1 } else { 3 };
        let bits = self.data_bits(len).unwrap_or_else(|| self.bits());
        (bits % bound as u64) as usize
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
