//! The properties of LIFETIME (docs/format.md, 5.1).

use core::fmt;

use super::code::code;
use crate::error::Result;
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// The properties of LIFETIME. One byte; bits 1 to 3 must be zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LifetimeProperties {
    /// Whether the lifetime ends here rather than starts. Bit 0.
    pub end: bool,
    /// The table of the variable. Bits 4 to 7.
    pub class: LifetimeClass,
}

code! {
    /// The table of the variable of LIFETIME.
    pub struct LifetimeClass(max 15) {
        /// General variables.
        GENERAL = 0 "general",
        /// Address variables.
        ADDRESS = 1 "address",
        /// Predicate variables.
        PREDICATE = 2 "predicate",
    }
}

impl fmt::Display for LifetimeProperties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.class, if self.end { "end" } else { "start" })
    }
}

impl Describe for LifetimeProperties {}

impl Wire for LifetimeProperties {
    const LENGTH: Length = Length::Fixed(1);

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let byte = r.byte_without(0x0e)?;
        self.end = byte & 1 != 0;
        self.class = LifetimeClass::from_low_bits(byte >> 4);
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(u8::from(self.end) | self.class.bits() << 4);
        Ok(())
    }
}
