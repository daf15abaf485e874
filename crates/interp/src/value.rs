//! Values of lanes, with the bits that nobody wrote.

use std::array;

/// The maximum number of lanes of an instruction.
pub const MAX_LANES: usize = 32;

/// The bits of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The bits; those above the size of the element are zero.
    pub bits: u64,
    /// The bits that depend on something that nobody wrote.
    pub undefined: u64,
}

impl Value {
    /// Returns a value whose bits are all defined.
    pub fn defined(bits: u64) -> Value {
        Value { bits, undefined: 0 }
    }

    /// Returns whether all bits are defined.
    pub fn is_defined(self) -> bool {
        self.undefined == 0
    }
}

/// The values of the lanes of an operand, from the first lane of the instruction on.
pub type Lanes = [Value; MAX_LANES];

/// Computes a value for each lane.
pub fn lanes(value: impl FnMut(usize) -> Value) -> Lanes {
    array::from_fn(value)
}

/// Returns the indices of the bits that are set.
pub fn set_bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (lane < 32).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}
