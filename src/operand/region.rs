//! Regions: which elements of a variable an operand names (format-facts 3.4).

use core::fmt;

use super::code::code;
use crate::error::{ErrorKind, Result};
use crate::wire::{Reader, Trace};

code! {
    /// One of a region's three numbers, in their shared code. 8 to 15 have no meaning.
    pub struct Stride(max 15) {
        /// Not given: the rows of a destination, or of a multi-address indirect source.
        NULL = 0 "null",
        /// 0 elements.
        S0 = 1 "0",
        /// 1 element.
        S1 = 2 "1",
        /// 2 elements.
        S2 = 3 "2",
        /// 4 elements.
        S4 = 4 "4",
        /// 8 elements.
        S8 = 5 "8",
        /// 16 elements.
        S16 = 6 "16",
        /// 32 elements.
        S32 = 7 "32",
    }
}

impl Stride {
    /// The number of elements; `None` for null and for codes without a meaning.
    pub const fn elements(self) -> Option<usize> {
        match self.bits() {
            1 => Some(0),
            code @ 2..=7 => Some(1 << (code - 2)),
            _ => None,
        }
    }

    /// The code for a number of elements, if it has one.
    pub const fn from_elements(elements: usize) -> Option<Stride> {
        match elements {
            0 => Some(Stride::S0),
            1 | 2 | 4 | 8 | 16 | 32 => Stride::from_bits(elements.trailing_zeros() as u8 + 2),
            _ => None,
        }
    }
}

/// A region `<v;w,h>`: rows of `w` elements `h` apart, each row `v` elements after the last.
///
/// A word: bits 0 to 3 the vertical stride, 4 to 7 the width, 8 to 11 the horizontal stride; bits
/// 12 to 15 must be zero. A destination has a horizontal stride only.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Region(u16);

impl Region {
    /// `<0;1,0>`: one element for all lanes.
    pub const SCALAR: Region = Region::new(Stride::S0, Stride::S1, Stride::S0);

    const RESERVED: u16 = 0xf000;

    /// The source region `<v;w,h>`.
    pub const fn new(vertical: Stride, width: Stride, horizontal: Stride) -> Region {
        let (v, w, h) = (vertical.bits(), width.bits(), horizontal.bits());
        Region(v as u16 | (w as u16) << 4 | (h as u16) << 8)
    }

    /// The destination region `<h>`.
    pub const fn dst(horizontal: Stride) -> Region {
        Region::new(Stride::NULL, Stride::NULL, horizontal)
    }

    /// The word's region, or `None` where one of its reserved bits is set.
    pub const fn from_bits(bits: u16) -> Option<Region> {
        if bits & Self::RESERVED == 0 { Some(Region(bits)) } else { None }
    }

    /// The word.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The distance of two rows.
    pub const fn vertical(self) -> Stride {
        Stride::from_low_bits(self.0 as u8)
    }

    /// The elements of a row.
    pub const fn width(self) -> Stride {
        Stride::from_low_bits((self.0 >> 4) as u8)
    }

    /// The distance of two elements of a row.
    pub const fn horizontal(self) -> Stride {
        Stride::from_low_bits((self.0 >> 8) as u8)
    }

    /// The region of the word that was just read.
    #[inline(always)]
    pub(crate) fn from_word<T: Trace>(word: u16, r: &Reader<'_, T>) -> Result<Region> {
        Region::from_bits(word).ok_or_else(|| {
            let bits = u32::from(word & Self::RESERVED);
            r.error_back(2, ErrorKind::ReservedBits { bits })
                .within(crate::error::PathSegment::Field("region"))
        })
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_bits!(Region: u16, "a region word, whose bits 12 to 15 are zero");

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.vertical(), self.width()) {
            (Stride::NULL, Stride::NULL) => write!(f, "<{}>", self.horizontal()),
            (Stride::NULL, w) => write!(f, "<{w},{}>", self.horizontal()),
            (v, w) => write!(f, "<{v};{w},{}>", self.horizontal()),
        }
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region{self}")
    }
}

impl crate::wire::Describe for Region {}
