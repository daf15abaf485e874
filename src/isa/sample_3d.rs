//! 3D_SAMPLE, 0x6d (3D_SAMPLE.md; format-facts 4.5), and what its relatives 3D_LOAD and 3D_GATHER4
//! share with it.

use alloc::string::String;
use core::fmt;
use core::ops::{Deref, DerefMut};
use core::str::FromStr;

use super::record::encode_gated;
use super::{FieldSpec, operands};
use crate::error::{ErrorKind, Expected, Place, Result};
use crate::format::{Dialect, Format, Version};
use crate::operand::{
    Aoffimmi, ChannelMask, Exec, Pred, Raw, SamplerId, Slot, SurfaceId, Visit, Visitor, VisitorMut,
    code,
};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// 3D_SAMPLE, 0x6d: samples a surface.
///
/// | Field | Bytes | Legal values | There |
/// |---|---|---|---|
/// | [`op`](Self::op), [`flags`](Self::flags) | `Manual`, 3.x: ub, bits 0..4 the operation, 5 pixel null mask, 6 CPS LOD compensation, 7 non-uniform sampler; 4.x: uw, bits 0..7 the operation, 8, 9 and 10 the same flags, 11..15 zero | [`SampleOp`] | always |
/// | [`exec`](Self::exec) | ub: bits 0..3 size, 4..7 mask | 8 or 16 lanes, any mask | always |
/// | [`pred`](Self::pred) | uw | | always |
/// | [`channels`](Self::channels) | ub: bits 0..3 R, G, B, A | not empty | always |
/// | [`aoffimmi`](Self::aoffimmi) | `Manual`, from 3.4 on: scalar of type UW; before: uw | [`Aoffimmi`] | always |
/// | [`sampler`](Self::sampler) | ub | an index in the sampler table, or 31 | always |
/// | [`surface`](Self::surface) | ub | an index in the surface table | always |
/// | [`dst`](Self::dst) | raw operand | type HF, F, W, UW, D or UD | always |
/// | [`paired_surface`](Self::paired_surface) | raw operand | | `Igc2026` from 3.8 on |
/// | NumParams | ub | `Manual`: 1 to 15; Igc: 0 to 15 | always |
/// | [`params`](Self::params) | NumParams raw operands | all of one type, F or HF | |
///
/// The parameters come in the order of the operation's row in the manual's table; trailing ones
/// may be missing and count as zero. [`param`](Self::param) finds one by its name.
///
/// Source: 3D_SAMPLE.md for `Manual`; format-facts 4.5 for the readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Sample3d {
    /// The operation: it names the parameters.
    pub op: SampleOp,
    /// The three flags that share the operation's field.
    pub flags: SampleFlags,
    /// Size and mask, one byte. 3D_SAMPLE.md: 8 or 16 lanes.
    pub exec: Exec,
    /// The predicate, one word.
    pub pred: Pred,
    /// The channels returned, one byte.
    pub channels: ChannelMask,
    /// Offsets of the texel address.
    pub aoffimmi: Aoffimmi,
    /// The sampler, one byte.
    pub sampler: SamplerId,
    /// The surface, one byte.
    pub surface: SurfaceId,
    /// Where the samples go, each channel from a register of its own.
    pub dst: Raw,
    /// The surface paired with [`surface`](Self::surface): `Some` exactly in `Igc2026` from 3.8 on,
    /// where it is usually null.
    pub paired_surface: Option<Raw>,
    /// The parameters, by position.
    pub params: Params,
}

bitflags::bitflags! {
    /// The flags that share a byte or word with a sampler operation. The bits are those of the byte
    /// form.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct SampleFlags: u8 {
        /// A pixel null mask is returned behind the samples.
        const PIXEL_NULL_MASK = 1 << 5;
        /// CPS LOD compensation.
        const CPS = 1 << 6;
        /// The sampler may differ between lanes.
        const NON_UNIFORM_SAMPLER = 1 << 7;
    }
}

#[cfg(feature = "serde")]
crate::serial::as_flags! {
    SampleFlags: u8;
}

impl Default for SampleFlags {
    fn default() -> Self {
        SampleFlags::empty()
    }
}

code! {
    /// The operation of [`Sample3d`]. Five bits wide in 3.x and in the manual, eight in 4.x.
    ///
    /// The manual's eleven have names and parameters; dialect `Manual` accepts no other. Readers
    /// pass on whatever they find, and so do the Igc dialects here.
    pub struct SampleOp(max 255) {
        /// Plain.
        SAMPLE = 0x00 "sample",
        /// With a bias on the LOD.
        SAMPLE_B = 0x01 "sample_b",
        /// With the LOD given.
        SAMPLE_L = 0x02 "sample_l",
        /// With comparison.
        SAMPLE_C = 0x03 "sample_c",
        /// With gradients.
        SAMPLE_D = 0x04 "sample_d",
        /// With a bias and comparison.
        SAMPLE_B_C = 0x05 "sample_b_c",
        /// With the LOD given and comparison.
        SAMPLE_L_C = 0x06 "sample_l_c",
        /// No sample: the LOD itself.
        LOD = 0x09 "lod",
        /// With gradients and comparison.
        SAMPLE_D_C = 0x14 "sample_d_c",
        /// With LOD zero.
        SAMPLE_LZ = 0x18 "sample_lz",
        /// With LOD zero and comparison.
        SAMPLE_C_LZ = 0x19 "sample_c_lz",
    }
}

/// The name of a parameter of [`Sample3d`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Param {
    /// The x coordinate, normalized.
    U,
    /// The y coordinate, normalized, or the array index of a 1D array.
    V,
    /// The z coordinate, normalized, or the array index of a 2D array.
    R,
    /// The array index of a cube array.
    Ai,
    /// The reference value that the red channel is compared with.
    Ref,
    /// The bias of the LOD, -16.0 to 16.0.
    Bias,
    /// The LOD.
    Lod,
    /// A gradient of u.
    Dudx,
    /// A gradient of u.
    Dudy,
    /// A gradient of v.
    Dvdx,
    /// A gradient of v.
    Dvdy,
    /// A gradient of r.
    Drdx,
    /// A gradient of r.
    Drdy,
}

impl Param {
    /// Every parameter.
    pub const ALL: [Param; 13] = {
        use Param::*;
        [U, V, R, Ai, Ref, Bias, Lod, Dudx, Dudy, Dvdx, Dvdy, Drdx, Drdy]
    };

    /// The name in the manual's table.
    pub const fn name(self) -> &'static str {
        match self {
            Param::U => "u",
            Param::V => "v",
            Param::R => "r",
            Param::Ai => "ai",
            Param::Ref => "ref",
            Param::Bias => "bias",
            Param::Lod => "lod",
            Param::Dudx => "dudx",
            Param::Dudy => "dudy",
            Param::Dvdx => "dvdx",
            Param::Dvdy => "dvdy",
            Param::Drdx => "drdx",
            Param::Drdy => "drdy",
        }
    }
}

impl FromStr for Param {
    type Err = ErrorKind;

    fn from_str(s: &str) -> Result<Param, ErrorKind> {
        let expected = "a sampler parameter such as u, ref or dudx";
        Param::ALL.into_iter().find(|p| p.name() == s).ok_or(ErrorKind::Unparsable { expected })
    }
}

impl SampleOp {
    /// The parameters in their order: the operation's row in the table of 3D_SAMPLE.md, or nothing
    /// for an operation that the table does not have.
    pub const fn params(self) -> &'static [Param] {
        use Param::*;
        match self {
            SampleOp::SAMPLE | SampleOp::LOD | SampleOp::SAMPLE_LZ => &[U, V, R, Ai],
            SampleOp::SAMPLE_B => &[Bias, U, V, R, Ai],
            SampleOp::SAMPLE_L => &[Lod, U, V, R, Ai],
            SampleOp::SAMPLE_C | SampleOp::SAMPLE_C_LZ => &[Ref, U, V, R, Ai],
            SampleOp::SAMPLE_D => &[U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai],
            SampleOp::SAMPLE_B_C => &[Ref, Bias, U, V, R, Ai],
            SampleOp::SAMPLE_L_C => &[Ref, Lod, U, V, R, Ai],
            SampleOp::SAMPLE_D_C => &[Ref, U, Dudx, Dudy, V, Dvdx, Dvdy, R, Drdx, Drdy, Ai],
            _ => &[],
        }
    }
}

/// The parameters of a sampler message: up to fifteen raw operands, in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Params {
    len: u8,
    /// Those behind `len` are null, so that equality can be derived.
    items: [Raw; Params::MAX],
}

impl Params {
    /// The most that there can be.
    pub const MAX: usize = 15;

    /// No parameters.
    pub const EMPTY: Params = Params { len: 0, items: [Raw::NULL; Params::MAX] };

    /// The parameters by position, or `None` for more than fifteen.
    pub fn new(params: &[Raw]) -> Option<Params> {
        let mut new = Params::EMPTY;
        new.items.get_mut(..params.len())?.copy_from_slice(params);
        new.len = params.len() as u8;
        Some(new)
    }
}

#[cfg(feature = "serde")]
crate::serial::as_list!(Params of Raw, "at most 15 parameters");

impl Default for Params {
    fn default() -> Self {
        Params::EMPTY
    }
}

impl Deref for Params {
    type Target = [Raw];

    fn deref(&self) -> &[Raw] {
        self.items.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl DerefMut for Params {
    fn deref_mut(&mut self) -> &mut [Raw] {
        self.items.get_mut(..usize::from(self.len)).unwrap_or_default()
    }
}

/// NumParams, which `Manual` wants to be at least 1.
#[derive(Clone, Copy, Default)]
struct NumParams(u8);

impl NumParams {
    fn check(self, format: Format) -> Result<(), ErrorKind> {
        let least = usize::from(format.is_manual());
        let found = usize::from(self.0);
        if (least..=Params::MAX).contains(&found) {
            return Ok(());
        }
        Err(ErrorKind::BadCount { found, expected: Expected::Between(least, Params::MAX) })
    }
}

impl fmt::Display for NumParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Describe for NumParams {}

impl Wire for NumParams {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0 = r.u8()?;
        self.check(r.format()).map_err(|kind| r.error_back(1, kind))
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        self.check(w.format()).map_err(|kind| w.error(kind))?;
        w.u8(self.0);
        Ok(())
    }
}

impl Params {
    /// Decodes NumParams and the parameters, each under the name that the operation gives it.
    pub(super) fn decode_named<T: Trace>(
        &mut self,
        r: &mut Reader<'_, T>,
        names: &[Param],
    ) -> Result<()> {
        let mut count = NumParams::default();
        r.field("num_params", &mut count)?;
        *self = Params::EMPTY;
        self.len = count.0;
        let used = self.items.iter_mut().take(usize::from(count.0));
        for (i, param) in used.enumerate() {
            r.field(name_at(names, i), param)?;
        }
        Ok(())
    }

    pub(super) fn encode_named(&self, w: &mut Writer, names: &[Param]) -> Result<()> {
        w.field("num_params", &NumParams(self.len))?;
        self.iter().enumerate().try_for_each(|(i, param)| w.field(name_at(names, i), param))
    }

    pub(super) fn skip(r: &mut Reader<'_>) -> Result<()> {
        let count = NumParams::decode(r)?;
        r.advance(usize::from(count.0) * if r.wide_ids() { 6 } else { 4 })
    }
}

/// Parameters under the names that the operation gives them.
struct Named<'p>(&'p Params, &'static [Param]);

impl Visit for Named<'_> {
    fn visit<V: Visitor + ?Sized>(&self, slot: Slot, visitor: &mut V) {
        for (i, param) in self.0.iter().enumerate() {
            visitor.raw(Slot { field: name_at(self.1, i), ..slot }, *param);
        }
    }
}

/// [`Named`] parameters that can be changed.
struct NamedMut<'p>(&'p mut Params, &'static [Param]);

impl Visit for NamedMut<'_> {
    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, slot: Slot, visitor: &mut V) {
        for (i, param) in self.0.iter_mut().enumerate() {
            visitor.raw(Slot { field: name_at(self.1, i), ..slot }, param);
        }
    }
}

impl Visit for Params {
    fn visit<V: Visitor + ?Sized>(&self, slot: Slot, visitor: &mut V) {
        Named(self, &[]).visit(slot, visitor);
    }

    fn visit_mut<V: VisitorMut + ?Sized>(&mut self, slot: Slot, visitor: &mut V) {
        NamedMut(self, &[]).visit_mut(slot, visitor);
    }
}

/// The name of a parameter by its position, for errors and explanations.
#[inline]
pub(crate) fn name_at(names: &[Param], position: usize) -> &'static str {
    names.get(position).map_or("param", |name| name.name())
}

/// The operation's field of 3D_SAMPLE, 3D_LOAD and 3D_GATHER4: a byte with flags in its upper
/// bits, or since 4.0, but not in the manual, a word.
#[derive(Clone, Copy, Default)]
pub(super) struct OpField {
    pub(super) op: u8,
    pub(super) flags: SampleFlags,
    /// The operation's name, for tracing.
    pub(super) name: Option<&'static str>,
}

impl OpField {
    const NARROW_OP: u8 = 0x1f;
    /// From the flags' bits in the byte to those in the word.
    const WIDE_SHIFT: u16 = 3;
    const WIDE_RESERVED: u16 = 0xf800;

    fn is_wide(format: Format) -> bool {
        !format.is_manual() && format.version >= Version::V4_0
    }
}

impl fmt::Display for OpField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => f.write_str(name),
            None => write!(f, "{:#x}", self.op),
        }
    }
}

impl Describe for OpField {
    fn meaning(&self, _: Format) -> String {
        let mut text = String::new();
        for (flag, _) in self.flags.iter_names() {
            text += if text.is_empty() { "flags: " } else { ", " };
            text += &flag.to_lowercase();
        }
        text
    }
}

impl Wire for OpField {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        if Self::is_wide(r.format()) {
            let word = r.u16()?;
            let reserved = word & Self::WIDE_RESERVED;
            if reserved != 0 {
                return Err(r.error_back(2, ErrorKind::ReservedBits { bits: reserved.into() }));
            }
            self.op = word as u8;
            let flags = (word & 0xff00) >> Self::WIDE_SHIFT;
            self.flags = SampleFlags::from_bits_truncate(flags as u8);
        } else {
            let byte = r.u8()?;
            self.op = byte & Self::NARROW_OP;
            self.flags = SampleFlags::from_bits_truncate(byte);
        }
        self.name = SampleOp::from_low_bits(self.op).name();
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        if Self::is_wide(w.format()) {
            w.u16(u16::from(self.op) | u16::from(self.flags.bits()) << Self::WIDE_SHIFT);
        } else if self.op > Self::NARROW_OP {
            return Err(w.out_of_range(self.op, Self::NARROW_OP));
        } else {
            w.u8(self.op | self.flags.bits());
        }
        Ok(())
    }

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        r.advance(if Self::is_wide(r.format()) { 2 } else { 1 })
    }
}

/// Whether a format has the paired surface.
pub(crate) fn has_paired_surface(format: Format) -> bool {
    format.dialect == Dialect::Igc2026 && format.version >= Version::V3_8
}

/// Decodes the paired surface where the format has it.
pub(super) fn decode_paired<T: Trace>(r: &mut Reader<'_, T>, slot: &mut Option<Raw>) -> Result<()> {
    *slot = None;
    if has_paired_surface(r.format()) {
        r.field("paired_surface", slot.insert(Raw::NULL))?;
    }
    Ok(())
}

/// Skips from the operation to the parameters; `states` is the number of sampler and surface bytes.
pub(super) fn skip_message(r: &mut Reader<'_>, states: usize) -> Result<()> {
    OpField::skip(r)?;
    // exec, pred and channels
    r.advance(4)?;
    Aoffimmi::skip(r)?;
    r.advance(states)?;
    Raw::skip(r)?;
    if has_paired_surface(r.format()) {
        Raw::skip(r)?;
    }
    Params::skip(r)
}

impl Sample3d {
    /// The fields in the order of their bytes.
    pub const FIELDS: &'static [FieldSpec] = &[
        FieldSpec::always("op", "u8 in manual and 3.x, u16 in 4.x"),
        FieldSpec::always("exec", "Exec"),
        FieldSpec::always("pred", "Pred"),
        FieldSpec::always("channels", "ChannelMask"),
        FieldSpec::always("aoffimmi", "Scalar since V3_4, else u16"),
        FieldSpec::always("sampler", "SamplerId"),
        FieldSpec::always("surface", "SurfaceId"),
        FieldSpec::always("dst", "Raw"),
        FieldSpec::when("paired_surface", "Raw", "igc2026 since V3_8"),
        FieldSpec::always("num_params", "u8"),
        FieldSpec::when("param", "Raw", "num_params times, named by op"),
    ];

    /// A parameter by its name; `None` if the operation has no such parameter, or if it is one of
    /// the trailing ones that are missing, which count as zero.
    pub fn param(&self, name: Param) -> Option<Raw> {
        let position = self.op.params().iter().position(|param| *param == name)?;
        self.params.get(position).copied()
    }

    fn check_op(&self, format: Format) -> Result<(), ErrorKind> {
        if format.is_manual() && self.op.name().is_none() {
            let (what, value) = ("sampler operation", self.op.bits().into());
            return Err(ErrorKind::UnknownSubOpcode { what, value });
        }
        Ok(())
    }
}

operands!(Sample3d, |i| [
    exec,
    pred,
    aoffimmi,
    sampler,
    surface,
    dst: RawDst,
    paired_surface,
    params = Named(&i.params, i.op.params()) => &mut NamedMut(&mut i.params, i.op.params()),
]);

impl Wire for Sample3d {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let mut field = OpField::default();
        r.field("op", &mut field)?;
        self.op = SampleOp::from_low_bits(field.op);
        self.flags = field.flags;
        let checked = self.check_op(r.format());
        checked.map_err(|kind| r.error_back(1, kind).within(Place::Field("op")))?;
        r.field("exec", &mut self.exec)?;
        r.field("pred", &mut self.pred)?;
        r.field("channels", &mut self.channels)?;
        r.field("aoffimmi", &mut self.aoffimmi)?;
        r.field("sampler", &mut self.sampler)?;
        r.field("surface", &mut self.surface)?;
        r.field("dst", &mut self.dst)?;
        decode_paired(r, &mut self.paired_surface)?;
        self.params.decode_named(r, self.op.params())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        let checked = self.check_op(w.format());
        checked.map_err(|kind| w.error(kind).within(Place::Field("op")))?;
        w.field("op", &OpField { op: self.op.bits(), flags: self.flags, name: None })?;
        w.field("exec", &self.exec)?;
        w.field("pred", &self.pred)?;
        w.field("channels", &self.channels)?;
        w.field("aoffimmi", &self.aoffimmi)?;
        w.field("sampler", &self.sampler)?;
        w.field("surface", &self.surface)?;
        w.field("dst", &self.dst)?;
        let paired = self.paired_surface.as_ref();
        encode_gated(w, "paired_surface", has_paired_surface(w.format()), paired)?;
        self.params.encode_named(w, self.op.params())
    }

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        skip_message(r, 2)
    }
}
