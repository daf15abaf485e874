//! Regions, which select the elements of a variable (docs/format.md, 3.4).

use core::fmt;

use super::code::code;
use crate::error::{ErrorKind, Result};
use crate::wire::{Reader, Trace};

code! {
    /// A stride or the width of a region, in elements. Four bits; 8 to 15 have no meaning.
    pub struct Stride(max 15) {
        /// None: the vertical stride and width of a destination, and the vertical stride of an
        /// indirect source with an address per row.
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
    /// Returns the number of elements; `None` for null and for codes without a meaning.
    pub const fn elements(self) -> Option<usize> {
        match self.bits() {
            1 => Some(0),
            code @ 2..=7 => Some(1 << (code - 2)),
            _ => None,
        }
    }

    /// Returns the stride of a number of elements: 0, 1, 2, 4, 8, 16 or 32; `None` for others.
    pub const fn from_elements(elements: usize) -> Option<Stride> {
        match elements {
            0 => Some(Stride::S0),
            1 | 2 | 4 | 8 | 16 | 32 => Stride::from_bits(elements.trailing_zeros() as u8 + 2),
            _ => None,
        }
    }
}

/// The region `<v;w,h>` of an operand: the elements of a variable that its lanes access.
///
/// The elements are in rows of `w`. Adjacent elements of a row are `h` elements apart, and rows are
/// `v` elements apart. A destination has a horizontal stride only.
///
/// Two bytes: bits 0 to 3 the vertical stride, 4 to 7 the width, 8 to 11 the horizontal stride.
/// Bits 12 to 15 must be zero.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Region(u16);

impl Region {
    /// `<0;1,0>`: one element for all lanes.
    pub const SCALAR: Region = Region::new(Stride::S0, Stride::S1, Stride::S0);

    const RESERVED: u16 = 0xf000;

    /// Returns the source region `<v;w,h>`.
    pub const fn new(vertical: Stride, width: Stride, horizontal: Stride) -> Region {
        let (v, w, h) = (vertical.bits(), width.bits(), horizontal.bits());
        Region(v as u16 | (w as u16) << 4 | (h as u16) << 8)
    }

    /// Returns the destination region `<h>`.
    pub const fn dst(horizontal: Stride) -> Region {
        Region::new(Stride::NULL, Stride::NULL, horizontal)
    }

    /// Returns the region with a word, or `None` if one of the reserved bits is set.
    pub const fn from_bits(bits: u16) -> Option<Region> {
        if bits & Self::RESERVED == 0 { Some(Region(bits)) } else { None }
    }

    /// Returns the word.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the distance between rows.
    pub const fn vertical(self) -> Stride {
        Stride::from_low_bits(self.0 as u8)
    }

    /// Returns the number of elements of a row.
    pub const fn width(self) -> Stride {
        Stride::from_low_bits((self.0 >> 4) as u8)
    }

    /// Returns the distance between elements of a row.
    pub const fn horizontal(self) -> Stride {
        Stride::from_low_bits((self.0 >> 8) as u8)
    }

    /// Decodes a word that was read last.
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
