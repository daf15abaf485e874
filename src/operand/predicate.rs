//! The predicate word (docs/format.md, 3.5).

use alloc::string::String;
use core::fmt;

use super::code::code;
use super::ids::PredId;
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

code! {
    /// How the bits of a predicate are combined. Bits 13 and 14 of the predicate word; 3 is
    /// reserved.
    pub struct PredControl(max 3) {
        /// Each lane runs if its bit is set.
        NONE = 0 "none",
        /// All lanes run if any bit is set.
        ANY = 1 "any",
        /// All lanes run if all bits are set.
        ALL = 2 "all",
    }
}

/// The predicate of an instruction, which selects the lanes that run; or no predicate.
///
/// Two bytes: bits 0 to 11 the variable, 13 and 14 the [control](PredControl), 15 inverts the bits.
/// Bit 12 must be zero. 0 means no predicate.
///
/// ```
/// use genvisa::operand::{Pred, PredControl, PredId};
///
/// let pred = Pred::new(PredId(1)).expect("a small id").inverted().with_control(PredControl::ANY);
/// assert_eq!(pred.bits(), 0xa001);
/// assert_eq!(pred.to_string(), "(!P1.any)");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pred(u16);

impl Pred {
    /// No predicate.
    pub const NONE: Pred = Pred(0);

    const ID: u16 = 0x0fff;
    const RESERVED: u16 = 0x1000;
    const CONTROL_SHIFT: u16 = 13;
    const INVERSE: u16 = 0x8000;

    /// Returns a predicate of a variable, or `None` if the id is above 4095, which has no binary
    /// form.
    pub const fn new(id: PredId) -> Option<Pred> {
        if id.0 <= Self::ID { Some(Pred(id.0)) } else { None }
    }

    /// Returns the predicate with a word, or `None` if the reserved bit 12 is set.
    pub const fn from_bits(bits: u16) -> Option<Pred> {
        if bits & Self::RESERVED == 0 { Some(Pred(bits)) } else { None }
    }

    /// Returns the word.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Inverts the bits; a second call restores them.
    #[must_use]
    pub const fn inverted(self) -> Pred {
        Pred(self.0 ^ Self::INVERSE)
    }

    /// Sets the control.
    #[must_use]
    pub const fn with_control(self, control: PredControl) -> Pred {
        let control_bits = 3 << Self::CONTROL_SHIFT;
        Pred(self.0 & !control_bits | (control.bits() as u16) << Self::CONTROL_SHIFT)
    }

    /// Returns whether there is no predicate.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns the predicate variable. It has no meaning if there is [no predicate](Self::is_none).
    pub const fn id(self) -> PredId {
        PredId(self.0 & Self::ID)
    }

    /// Returns how the bits are combined.
    pub const fn control(self) -> PredControl {
        PredControl::from_low_bits((self.0 >> Self::CONTROL_SHIFT) as u8)
    }

    /// Returns whether the bits are inverted, after they are combined.
    pub const fn is_inverted(self) -> bool {
        self.0 & Self::INVERSE != 0
    }

    #[inline(always)]
    pub(crate) fn from_word<T: Trace>(word: u16, r: &Reader<'_, T>) -> Result<Pred> {
        Pred::from_bits(word).ok_or_else(|| {
            let bits = u32::from(word & Self::RESERVED);
            r.error_back(2, ErrorKind::ReservedBits { bits })
        })
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_bits!(Pred: u16, "a predicate word, whose bit 12 is zero");

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("-");
        }
        write!(f, "({}{}", if self.is_inverted() { "!" } else { "" }, self.id())?;
        match self.control() {
            PredControl::NONE => f.write_str(")"),
            control => write!(f, ".{control})"),
        }
    }
}

impl fmt::Debug for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pred{self}")
    }
}

impl Describe for Pred {
    fn meaning(&self, _: Format) -> String {
        let inverted = self.is_inverted();
        match (self.is_none(), self.control()) {
            (true, _) => "no predicate",
            (_, PredControl::NONE) if inverted => "lanes whose bit is clear",
            (_, PredControl::NONE) => "lanes whose bit is set",
            (_, PredControl::ANY) if inverted => "all lanes, if no bit is set",
            (_, PredControl::ANY) => "all lanes, if any bit is set",
            (_, PredControl::ALL) if inverted => "all lanes, unless all bits are set",
            (_, PredControl::ALL) => "all lanes, if all bits are set",
            _ => "reserved control",
        }
        .into()
    }
}

impl Wire for Pred {
    const LENGTH: Length = Length::Fixed(2);

    #[inline(always)]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let word = r.u16()?;
        *self = Pred::from_word(word, r)?;
        Ok(())
    }

    #[inline(always)]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u16(self.0);
        Ok(())
    }
}
