//! Sets of flags.

use core::fmt;

use super::lsc::LscFlags;
use crate::error::{ErrorKind, Result};
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// Implements [`Wire`] for `bitflags` that fill a byte or word. Unknown bits must be zero.
macro_rules! wire_flags {
    ($($name:ident: $ty:ident, $read:ident;)*) => {$(
        impl Default for $name {
            fn default() -> Self {
                $name::empty()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if self.is_empty() {
                    return f.write_str("-");
                }
                bitflags::parser::to_writer(self, f)
            }
        }

        impl Describe for $name {}

        impl Wire for $name {
            const LENGTH: Length = Length::Fixed(size_of::<$ty>() as u8);

            #[inline]
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                let bits = r.$read()?;
                *self = $name::from_bits(bits).ok_or_else(|| {
                    let bits = u32::from(bits & !$name::all().bits());
                    r.error_back(size_of::<$ty>(), ErrorKind::ReservedBits { bits })
                })?;
                Ok(())
            }

            #[inline]
            fn encode(&self, w: &mut Writer) -> Result<()> {
                w.$read(self.bits());
                Ok(())
            }
        }

        #[cfg(feature = "proptest")]
        impl crate::generate::Generate for $name {
            fn strategy(_: crate::format::Format) -> proptest::strategy::BoxedStrategy<Self> {
                use proptest::strategy::Strategy;
                proptest::arbitrary::any::<$ty>().prop_map($name::from_bits_truncate).boxed()
            }
        }
    )*};
}

bitflags::bitflags! {
    /// The modifiers of FENCE.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct FenceFlags: u8 {
        /// `E`: earlier writes are globally observable when the fence completes.
        const COMMIT = 1;
        /// `I`: flush the instruction cache.
        const INSTRUCTION = 1 << 1;
        /// `S`: flush the sampler cache.
        const SAMPLER = 1 << 2;
        /// `C`: flush the constant cache.
        const CONSTANT = 1 << 3;
        /// `R`: flush the read-write cache.
        const READ_WRITE = 1 << 4;
        /// Fence shared local memory instead of global memory.
        const LOCAL = 1 << 5;
        /// `L1`: flush the read-only data cache.
        const L1 = 1 << 6;
        /// A barrier for the instruction scheduler only, without a fence.
        const SOFTWARE = 1 << 7;
    }

    /// The modifiers of RAW_SEND, RAW_SENDS and RAW_SENDG.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SendFlags: u8 {
        /// `sendc`, the conditional send.
        const SENDC = 1;
        /// The thread ends with this message. RAW_SEND.md does not mention this bit.
        const EOT = 1 << 1;
    }

    /// The modifiers of IFCALL, in dialect `Igc2026`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct IfcallFlags: u8 {
        /// The address is the same in all lanes.
        const UNIFORM = 1;
        /// The callee does not return.
        const NO_RETURN = 1 << 1;
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_flags! {
    FenceFlags: u8;
    SendFlags: u8;
    IfcallFlags: u8;
    LscFlags: u8;
}

wire_flags! {
    FenceFlags: u8, u8;
    SendFlags: u8, u8;
    IfcallFlags: u8, u8;
    LscFlags: u8, u8;
}
