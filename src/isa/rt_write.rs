//! The mode of RT_WRITE (RT_WRITE.md; docs/format.md, 4.3).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::record::Packed;
use super::{Layout, RtWrite};
use crate::error::{ErrorKind, Result};
use crate::format::Format;
use crate::operand::Visit;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

bitflags::bitflags! {
    /// The mode of [`RtWrite`]: the operands that are present, and the flags. Two bytes; bits 0, 1
    /// and 13 to 15 must be zero.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct RtWriteMode: u16 {
        /// Bit 2: the index of the render target is present.
        const RTI = 1 << 2;
        /// Bit 3: the alpha of source 0 is present.
        const S0A = 1 << 3;
        /// Bit 4: the oMask is present.
        const OMASK = 1 << 4;
        /// Bit 5: the depth is present.
        const Z = 1 << 5;
        /// Bit 6: the stencil is present.
        const STENCIL = 1 << 6;
        /// Bit 7: this is the last write to the render target.
        const LRTW = 1 << 7;
        /// Bit 8: the CPS counter is present.
        const CPS = 1 << 8;
        /// Bit 9: the write is per sample.
        const PS = 1 << 9;
        /// Bit 10: the write is in coarse mode.
        const CM = 1 << 10;
        /// Bit 11: the sample index is present.
        const SI = 1 << 11;
        /// Bit 12: the render target is null.
        const NULL_RT = 1 << 12;
    }

    /// The bits of [`RtWriteMode`] that do not add an operand.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct RtWriteFlags: u16 {
        /// Bit 7: this is the last write to the render target.
        const LRTW = RtWriteMode::LRTW.bits();
        /// Bit 9: the write is per sample.
        const PS = RtWriteMode::PS.bits();
        /// Bit 10: the write is in coarse mode.
        const CM = RtWriteMode::CM.bits();
        /// Bit 12: the render target is null.
        const NULL_RT = RtWriteMode::NULL_RT.bits();
    }
}

#[cfg(feature = "serde")]
crate::serde_impls::as_flags! {
    RtWriteFlags: u16;
    RtWriteMode: u16;
}

impl Visit for RtWriteFlags {}

impl Default for RtWriteFlags {
    fn default() -> Self {
        RtWriteFlags::empty()
    }
}

impl Default for RtWriteMode {
    fn default() -> Self {
        RtWriteMode::empty()
    }
}

impl From<RtWriteFlags> for RtWriteMode {
    fn from(flags: RtWriteFlags) -> Self {
        RtWriteMode::from_bits_truncate(flags.bits())
    }
}

impl From<RtWriteMode> for RtWriteFlags {
    fn from(mode: RtWriteMode) -> Self {
        mode.flags()
    }
}

impl RtWriteMode {
    /// Returns the flags.
    pub const fn flags(self) -> RtWriteFlags {
        RtWriteFlags::from_bits_truncate(self.bits())
    }

    /// Returns the value of NumParams in dialect `Manual`: the number of raw operands after it.
    /// These are R, G, B, A, and source 0 alpha, oMask, depth and stencil if they are present: 4 to
    /// 8.
    ///
    /// RT_WRITE.md calls NumParams "Number of operands in to RT Write" and does not define which
    /// operands count. According to its notes, the mode enables the operands "after NumParams".
    /// This agrees with 3D_SAMPLE.md, whose NumParams is also the number of operands that follow.
    /// The header, the sample index, the CPS counter and the index of the render target precede
    /// NumParams.
    pub const fn num_params(self) -> u8 {
        let raw = RtWriteMode::S0A
            .union(RtWriteMode::OMASK)
            .union(RtWriteMode::Z)
            .union(RtWriteMode::STENCIL);
        4 + self.intersection(raw).bits().count_ones() as u8
    }
}

impl RtWrite {
    /// Returns the mode: the flags, and a bit for each optional operand that is present.
    pub fn mode(&self) -> RtWriteMode {
        self.packed()
    }
}

impl fmt::Display for RtWriteMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}", self.bits())
    }
}

impl Describe for RtWriteMode {
    fn meaning(&self, _: Format) -> String {
        let mut parts = Vec::new();
        for field in RtWrite::FIELDS {
            let flag = field.when.and_then(|when| when.strip_prefix("if mode has "));
            let present =
                flag.filter(|flag| Self::from_name(flag).is_some_and(|f| self.contains(f)));
            parts.extend(present.map(|flag| format!("{flag} adds {}", field.name)));
        }
        parts.extend(self.flags().iter_names().map(|(name, _)| name.into()));
        if parts.is_empty() { "no optional operand".into() } else { parts.join(", ") }
    }
}

impl Wire for RtWriteMode {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let bits = r.u16()?;
        *self = RtWriteMode::from_bits(bits).ok_or_else(|| {
            let reserved = u32::from(bits & !RtWriteMode::all().bits());
            r.error_back(2, ErrorKind::ReservedBits { bits: reserved })
        })?;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u16(self.bits());
        Ok(())
    }
}

#[cfg(feature = "proptest")]
impl crate::generate::Generate for RtWriteMode {
    fn strategy(_: Format) -> proptest::strategy::BoxedStrategy<Self> {
        use proptest::prelude::{Strategy, any};
        any::<u16>().prop_map(RtWriteMode::from_bits_truncate).boxed()
    }
}
