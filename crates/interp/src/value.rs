//! Values of lanes, with the bits that nobody wrote.

use genvisa::operand::DataType;

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
#[derive(Clone, Debug)]
pub struct Lanes {
    bits: [u64; MAX_LANES],
    /// The bits that depend on something that nobody wrote; `None` if there are none.
    undefined: Option<Box<[u64; MAX_LANES]>>,
}

impl Lanes {
    /// No values.
    pub const ZERO: Lanes = Lanes { bits: [0; MAX_LANES], undefined: None };

    /// Returns values that are defined.
    pub fn defined(bits: [u64; MAX_LANES]) -> Lanes {
        Lanes { bits, undefined: None }
    }

    /// Sets the values of all lanes.
    pub fn fill(&mut self, value: Value) {
        self.bits.fill(value.bits);
        self.undefined = match value.undefined {
            0 => None,
            undefined => Some(Box::new([undefined; MAX_LANES])),
        };
    }

    /// Returns whether all bits of all lanes are defined.
    pub fn are_defined(&self) -> bool {
        self.undefined.is_none()
    }

    /// Returns the bits of all lanes.
    pub fn bits(&self) -> &[u64; MAX_LANES] {
        &self.bits
    }

    /// Returns the bits of all lanes, to set those of defined values.
    pub fn bits_mut(&mut self) -> &mut [u64; MAX_LANES] {
        &mut self.bits
    }

    /// Returns the value of a lane.
    #[inline]
    pub fn get(&self, lane: usize) -> Value {
        let undefined = self.undefined.as_ref().map_or(0, |undefined| undefined[lane]);
        Value { bits: self.bits[lane], undefined }
    }

    /// Sets the value of a lane.
    #[inline]
    pub fn set(&mut self, lane: usize, value: Value) {
        self.bits[lane] = value.bits;
        if value.undefined != 0 || self.undefined.is_some() {
            let undefined = self.undefined.get_or_insert_with(|| Box::new([0; MAX_LANES]));
            undefined[lane] = value.undefined;
        }
    }

    /// Cuts all values to a number of bits.
    pub fn cut(&mut self, count: u32) {
        let width = low_bits(count);
        self.map(|bits| bits & width);
    }

    /// Extends integers of a type to 64 bits by their sign, or by zeros.
    pub fn extend(&mut self, ty: DataType) {
        match ty.size() {
            _ if !ty.is_signed_integer() => {}
            1 => self.map(|bits| bits as i8 as u64),
            2 => self.map(|bits| bits as i16 as u64),
            4 => self.map(|bits| bits as i32 as u64),
            _ => {}
        }
    }

    /// Changes the bits of all lanes, and the undefined bits, by a function that moves bits.
    fn map(&mut self, function: impl Fn(u64) -> u64) {
        self.bits.iter_mut().for_each(|bits| *bits = function(*bits));
        if let Some(undefined) = &mut self.undefined {
            undefined.iter_mut().for_each(|bits| *bits = function(*bits));
        }
    }
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

/// Returns the number of lanes up to the last one in a mask.
#[inline]
pub fn up_to_last(mask: u32) -> usize {
    (u32::BITS - mask.leading_zeros()) as usize
}

/// Returns the number of lanes in a mask, if they are the first ones.
#[inline]
pub fn first_lanes(mask: u32) -> Option<usize> {
    let count = mask.trailing_ones() as usize;
    (count == up_to_last(mask)).then_some(count)
}

/// Returns the number that at most eight bytes are.
#[inline]
pub fn word(bytes: &[u8]) -> u64 {
    // The usual sizes are faster than a copy of any size.
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        _ => {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        }
    }
}

/// Writes the low bytes of a number.
#[inline]
pub fn set_word(bytes: &mut [u8], word: u64) {
    match bytes {
        [byte] => *byte = word as u8,
        [_, _] => bytes.copy_from_slice(&(word as u16).to_le_bytes()),
        [_, _, _, _] => bytes.copy_from_slice(&(word as u32).to_le_bytes()),
        _ => bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]),
    }
}

/// Returns a mask of the low bits.
#[inline]
pub fn low_bits(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
