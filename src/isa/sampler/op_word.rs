//! The flags of sampler messages, and the word that contains them and the operation.

use alloc::string::String;
use core::fmt;

use super::operations::Operation;
use crate::error::{ErrorKind, Result};
use crate::format::{Format, Version};
use crate::operand::Visit;
#[cfg(feature = "text")]
use crate::wire::NamedValue;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

bitflags::bitflags! {
    /// The flags of a sampler message: bits 5 to 7 of the byte that also contains the operation. In
    /// 4.x, they are bits 8 to 10 of a word.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SampleFlags: u8 {
        /// The message returns a pixel null mask after the samples.
        const PIXEL_NULL_MASK = 1 << 5;
        /// The LOD is compensated for coarse pixel shading (CPS).
        const CPS = 1 << 6;
        /// The sampler may differ between lanes.
        const NON_UNIFORM_SAMPLER = 1 << 7;
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_flags! {
    SampleFlags: u8;
}

impl Visit for SampleFlags {}

impl Default for SampleFlags {
    fn default() -> Self {
        SampleFlags::empty()
    }
}

/// An operation and its flags: a byte with the flags in bits 5 to 7, or, in the Igc dialects since
/// 4.0, a word with the flags in bits 8 to 10.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpWord<O> {
    op: O,
    flags: SampleFlags,
}

impl<O> From<(O, SampleFlags)> for OpWord<O> {
    fn from((op, flags): (O, SampleFlags)) -> Self {
        OpWord { op, flags }
    }
}

impl<O> From<OpWord<O>> for (O, SampleFlags) {
    fn from(word: OpWord<O>) -> Self {
        (word.op, word.flags)
    }
}

impl<O: Operation> OpWord<O> {
    const NARROW_OP: u8 = 0x1f;
    /// The distance between the flags in the byte and in the word, in bits.
    const WIDE_SHIFT: u16 = 3;
    const WIDE_RESERVED: u16 = 0xf800;

    fn is_wide(format: Format) -> bool {
        !format.is_manual() && format.version >= Version::V4_0
    }

    /// Returns an error if the dialect is `Manual`, which does not have the operation.
    fn check(self, format: Format) -> Result<(), ErrorKind> {
        if format.is_manual() && !self.op.is_in_manual() {
            let (what, value) = ("sampler operation", self.op.bits().into());
            return Err(ErrorKind::UnknownSubOpcode { what, value });
        }
        Ok(())
    }
}

impl<O: Operation> fmt::Display for OpWord<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.op, f)
    }
}

impl<O: Operation> Describe for OpWord<O> {
    fn meaning(&self, _: Format) -> String {
        let mut text = String::new();
        for (flag, _) in self.flags.iter_names() {
            text += if text.is_empty() { "flags: " } else { ", " };
            text += &flag.to_lowercase();
        }
        text
    }
}

impl<O: Operation> Wire for OpWord<O> {
    #[cfg(feature = "text")]
    const VALUES: &'static [NamedValue] = O::VALUES;

    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if Self::is_wide(r.format()) {
            let word = r.u16()?;
            let reserved = word & Self::WIDE_RESERVED;
            if reserved != 0 {
                return Err(r.error_back(2, ErrorKind::ReservedBits { bits: reserved.into() }));
            }
            self.op = O::from_low_bits(word as u8);
            let flags = (word & 0xff00) >> Self::WIDE_SHIFT;
            self.flags = SampleFlags::from_bits_truncate(flags as u8);
        } else {
            let byte = r.u8()?;
            self.op = O::from_low_bits(byte & Self::NARROW_OP);
            self.flags = SampleFlags::from_bits_truncate(byte);
        }
        self.check(r.format()).map_err(|kind| r.error_back(1, kind))
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        self.check(w.format()).map_err(|kind| w.error(kind))?;
        let op = self.op.bits();
        if Self::is_wide(w.format()) {
            w.u16(u16::from(op) | u16::from(self.flags.bits()) << Self::WIDE_SHIFT);
        } else if op > Self::NARROW_OP {
            return Err(w.out_of_range(op, Self::NARROW_OP));
        } else {
            w.u8(op | self.flags.bits());
        }
        Ok(())
    }
}

#[cfg(feature = "proptest")]
impl<O: Operation + 'static> crate::generate::Generate for OpWord<O> {
    fn strategy(format: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::prelude::{Strategy, any};
        let bits = if Self::is_wide(format) { u8::MAX } else { Self::NARROW_OP };
        (0..=bits, any::<u8>())
            .prop_map(|(op, flags)| {
                let flags = SampleFlags::from_bits_truncate(flags);
                OpWord { op: O::from_low_bits(op), flags }
            })
            .prop_filter("an operation of the format", move |word| word.check(format).is_ok())
            .boxed()
    }
}
