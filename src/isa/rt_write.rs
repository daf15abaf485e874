//! RT_WRITE, 0x71 (RT_WRITE.md; format-facts 4.3).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{FieldSpec, operands};
use crate::error::{ErrorKind, Expected, Place, Result};
use crate::format::Format;
use crate::operand::{Exec, Pred, Raw, Scalar, SurfaceId, Vector};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// RT_WRITE, 0x71: writes colours, depth and stencil to a render target.
///
/// | Field | Bytes | Legal values | There |
/// |---|---|---|---|
/// | [`exec`](Self::exec) | ub: bits 0..3 size, 4..7 mask | 8 or 16 lanes, any mask | always |
/// | [`pred`](Self::pred) | uw | | always |
/// | mode | uw, see below | bits 0, 1 and 13 to 15 zero | always |
/// | [`surface`](Self::surface) | ub | an index in the surface table | always |
/// | [`header`](Self::header) | raw operand | may be null | always |
/// | [`sample_index`](Self::sample_index) | vector operand | | mode bit 11, SI |
/// | [`cps_counter`](Self::cps_counter) | vector operand | | mode bit 8, CPS |
/// | [`rt_index`](Self::rt_index) | scalar | UB, 0 to 7 | mode bit 2, RTI |
/// | NumParams | ub | the number of raw operands that follow, 4 to 8 | `Manual` only |
/// | [`s0a`](Self::s0a) | raw operand | type HF or F | mode bit 3 |
/// | [`omask`](Self::omask) | raw operand | type UW | mode bit 4 |
/// | [`r`](Self::r), [`g`](Self::g), [`b`](Self::b), [`a`](Self::a) | raw operands | type HF or F, all alike | always |
/// | [`depth`](Self::depth) | raw operand | type F | mode bit 5 |
/// | [`stencil`](Self::stencil) | raw operand | type UB | mode bit 6 |
///
/// The mode's presence bits follow from which operands are `Some`; its other bits are the
/// [`flags`](Self::flags). The layout is the same in every version.
///
/// Source: RT_WRITE.md for `Manual`; format-facts 4.3 for the readers, none of which knows
/// NumParams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RtWrite {
    /// Size and mask, one byte. RT_WRITE.md: 8 or 16 lanes.
    pub exec: Exec,
    /// The predicate, one word.
    pub pred: Pred,
    /// The bits of the mode that bring no operand.
    pub flags: RtWriteFlags,
    /// The surface, one byte.
    pub surface: SurfaceId,
    /// The header of the message.
    pub header: Raw,
    /// SI, the sample index.
    pub sample_index: Option<Vector>,
    /// CPS, the counter of coarse pixel shading.
    pub cps_counter: Option<Vector>,
    /// RTI, the index of the render target; 0 if absent. Type UB.
    pub rt_index: Option<Scalar>,
    /// The alpha of source 0. Type HF or F.
    pub s0a: Option<Raw>,
    /// The mask of samples. Type UW.
    pub omask: Option<Raw>,
    /// Red. Type HF or F.
    pub r: Raw,
    /// Green. Type HF or F.
    pub g: Raw,
    /// Blue. Type HF or F.
    pub b: Raw,
    /// Alpha. Type HF or F.
    pub a: Raw,
    /// The depth of the source. Type F.
    pub depth: Option<Raw>,
    /// Stencil values. Type UB.
    pub stencil: Option<Raw>,
}

bitflags::bitflags! {
    /// The bits of RT_WRITE's mode that bring no operand.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct RtWriteFlags: u16 {
        /// Bit 7: the last write to the render target.
        const LRTW = 1 << 7;
        /// Bit 9: per sample.
        const PS = 1 << 9;
        /// Bit 10: coarse mode.
        const CM = 1 << 10;
        /// Bit 12: the null render target.
        const NULL_RT = 1 << 12;
    }

    /// RT_WRITE's mode word: which operands are there, and the flags. Bits 0, 1 and 13 to 15 must
    /// be zero.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct RtWriteMode: u16 {
        /// Bit 2: the index of the render target is there.
        const RTI = 1 << 2;
        /// Bit 3: the alpha of source 0 is there.
        const S0A = 1 << 3;
        /// Bit 4: oMask is there.
        const OMASK = 1 << 4;
        /// Bit 5: depth is there.
        const Z = 1 << 5;
        /// Bit 6: stencil is there.
        const STENCIL = 1 << 6;
        /// Bit 7: the last write to the render target.
        const LRTW = 1 << 7;
        /// Bit 8: the CPS counter is there.
        const CPS = 1 << 8;
        /// Bit 9: per sample.
        const PS = 1 << 9;
        /// Bit 10: coarse mode.
        const CM = 1 << 10;
        /// Bit 11: the sample index is there.
        const SI = 1 << 11;
        /// Bit 12: the null render target.
        const NULL_RT = 1 << 12;
    }
}

#[cfg(feature = "serde")]
crate::serial::as_flags! {
    RtWriteFlags: u16;
    RtWriteMode: u16;
}

impl Default for RtWriteFlags {
    fn default() -> Self {
        RtWriteFlags::empty()
    }
}

impl RtWriteMode {
    /// What each presence bit switches on, in the order of the operands.
    const OPERANDS: [(RtWriteMode, &'static str); 7] = [
        (RtWriteMode::SI, "sample_index"),
        (RtWriteMode::CPS, "cps_counter"),
        (RtWriteMode::RTI, "rt_index"),
        (RtWriteMode::S0A, "s0a"),
        (RtWriteMode::OMASK, "omask"),
        (RtWriteMode::Z, "depth"),
        (RtWriteMode::STENCIL, "stencil"),
    ];

    /// The flags alone.
    pub const fn flags(self) -> RtWriteFlags {
        RtWriteFlags::from_bits_truncate(self.bits())
    }

    /// The number of raw operands behind NumParams: R, G, B, A and those switched on.
    pub const fn num_params(self) -> u8 {
        let raw = RtWriteMode::S0A
            .union(RtWriteMode::OMASK)
            .union(RtWriteMode::Z)
            .union(RtWriteMode::STENCIL);
        4 + self.intersection(raw).bits().count_ones() as u8
    }
}

impl Default for RtWriteMode {
    fn default() -> Self {
        RtWriteMode::empty()
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
        for (bit, operand) in Self::OPERANDS {
            let names = bit.iter_names().filter(|_| self.contains(bit));
            parts.extend(names.map(|(name, _)| format!("{name} adds {operand}")));
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

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        r.advance(2)
    }
}

impl RtWrite {
    /// The fields in the order of their bytes.
    pub const FIELDS: &'static [FieldSpec] = &[
        FieldSpec::always("exec", "Exec"),
        FieldSpec::always("pred", "Pred"),
        FieldSpec::always("mode", "RtWriteMode"),
        FieldSpec::always("surface", "SurfaceId"),
        FieldSpec::always("header", "Raw"),
        FieldSpec::when("sample_index", "Vector", "mode has SI"),
        FieldSpec::when("cps_counter", "Vector", "mode has CPS"),
        FieldSpec::when("rt_index", "Scalar", "mode has RTI"),
        FieldSpec::when("num_params", "u8", "manual"),
        FieldSpec::when("s0a", "Raw", "mode has S0A"),
        FieldSpec::when("omask", "Raw", "mode has OMASK"),
        FieldSpec::always("r", "Raw"),
        FieldSpec::always("g", "Raw"),
        FieldSpec::always("b", "Raw"),
        FieldSpec::always("a", "Raw"),
        FieldSpec::when("depth", "Raw", "mode has Z"),
        FieldSpec::when("stencil", "Raw", "mode has STENCIL"),
    ];

    /// The mode word: the flags, and a bit for each optional operand that is there.
    pub fn mode(&self) -> RtWriteMode {
        let mut mode = RtWriteMode::from_bits_truncate(self.flags.bits());
        mode.set(RtWriteMode::SI, self.sample_index.is_some());
        mode.set(RtWriteMode::CPS, self.cps_counter.is_some());
        mode.set(RtWriteMode::RTI, self.rt_index.is_some());
        mode.set(RtWriteMode::S0A, self.s0a.is_some());
        mode.set(RtWriteMode::OMASK, self.omask.is_some());
        mode.set(RtWriteMode::Z, self.depth.is_some());
        mode.set(RtWriteMode::STENCIL, self.stencil.is_some());
        mode
    }
}

/// Decodes an operand whose presence bit is `present`.
fn optional<V: Wire + Describe, T: Trace>(
    r: &mut Reader<'_, T>,
    name: &'static str,
    present: bool,
    slot: &mut Option<V>,
) -> Result<()> {
    *slot = None;
    if present { r.field(name, slot.insert(V::default())) } else { Ok(()) }
}

operands!(RtWrite, |i| [
    exec, pred, surface, header, sample_index, cps_counter, rt_index: Scalar, s0a, omask, r, g, b, a,
    depth, stencil,
]);

impl Wire for RtWrite {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        r.field("exec", &mut self.exec)?;
        r.field("pred", &mut self.pred)?;
        let mut mode = RtWriteMode::default();
        r.field("mode", &mut mode)?;
        self.flags = mode.flags();
        r.field("surface", &mut self.surface)?;
        r.field("header", &mut self.header)?;
        optional(r, "sample_index", mode.contains(RtWriteMode::SI), &mut self.sample_index)?;
        optional(r, "cps_counter", mode.contains(RtWriteMode::CPS), &mut self.cps_counter)?;
        optional(r, "rt_index", mode.contains(RtWriteMode::RTI), &mut self.rt_index)?;
        if r.format().is_manual() {
            let mut found = 0u8;
            r.field("num_params", &mut found)?;
            if found != mode.num_params() {
                let expected = Expected::Exactly(mode.num_params().into());
                let error = ErrorKind::BadCount { found: found.into(), expected };
                return Err(r.error_back(1, error).within(Place::Field("num_params")));
            }
        }
        optional(r, "s0a", mode.contains(RtWriteMode::S0A), &mut self.s0a)?;
        optional(r, "omask", mode.contains(RtWriteMode::OMASK), &mut self.omask)?;
        r.field("r", &mut self.r)?;
        r.field("g", &mut self.g)?;
        r.field("b", &mut self.b)?;
        r.field("a", &mut self.a)?;
        optional(r, "depth", mode.contains(RtWriteMode::Z), &mut self.depth)?;
        optional(r, "stencil", mode.contains(RtWriteMode::STENCIL), &mut self.stencil)
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("exec", &self.exec)?;
        w.field("pred", &self.pred)?;
        let mode = self.mode();
        w.field("mode", &mode)?;
        w.field("surface", &self.surface)?;
        w.field("header", &self.header)?;
        let vectors = [
            ("sample_index", &self.sample_index),
            ("cps_counter", &self.cps_counter),
            ("rt_index", &self.rt_index),
        ];
        for (name, operand) in vectors {
            if let Some(operand) = operand {
                w.field(name, operand)?;
            }
        }
        if w.format().is_manual() {
            w.u8(mode.num_params());
        }
        let raws = [
            ("s0a", self.s0a.as_ref()),
            ("omask", self.omask.as_ref()),
            ("r", Some(&self.r)),
            ("g", Some(&self.g)),
            ("b", Some(&self.b)),
            ("a", Some(&self.a)),
            ("depth", self.depth.as_ref()),
            ("stencil", self.stencil.as_ref()),
        ];
        for (name, operand) in raws {
            if let Some(operand) = operand {
                w.field(name, operand)?;
            }
        }
        Ok(())
    }

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        // exec, pred
        r.advance(3)?;
        let mode = RtWriteMode::from_bits_truncate(r.u16()?);
        SurfaceId::skip(r)?;
        Raw::skip(r)?;
        for bit in [RtWriteMode::SI, RtWriteMode::CPS, RtWriteMode::RTI] {
            if mode.contains(bit) {
                Vector::skip(r)?;
            }
        }
        if r.format().is_manual() {
            r.advance(1)?;
        }
        for _ in 0..mode.num_params() {
            Raw::skip(r)?;
        }
        Ok(())
    }
}
