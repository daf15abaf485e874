//! INFO, 0x70 (INFO.md; format-facts 4.1).

use core::fmt;

use super::{FieldSpec, operands};
use crate::error::{ErrorKind, Place, Result};
use crate::operand::{ChannelMask, Exec, Raw, SurfaceId};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// INFO, 0x70: facts about a surface.
///
/// | Field | Bytes | Legal values | There |
/// |---|---|---|---|
/// | op | `Manual`: uw, bits 0..7 the operation, 8..15 zero; Igc: ub | 0x0a resinfo, 0x0b sampleinfo | always |
/// | [`exec`](Self::exec) | ub: bits 0..3 size, 4..7 mask | 8, 16 or 32 lanes, any mask | always |
/// | [`channels`](Self::channels) | ub: bits 0..3 R, G, B, A | any | Igc only; `Manual` means RGBA |
/// | [`surface`](Self::surface) | ub | an index in the surface table | always |
/// | LOD | raw operand | type UD | resinfo only |
/// | [`dst`](Self::dst) | raw operand | type UD | always |
///
/// Source: INFO.md for `Manual`; format-facts 4.1 for the readers, all of which read a byte for
/// the operation and a channel mask that the page does not have. There is no predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Info {
    /// What is asked, with the LOD where it takes one.
    pub op: InfoOp,
    /// Size and mask, one byte. INFO.md: 8, 16 or 32 lanes.
    pub exec: Exec,
    /// The channels returned, one byte. `Manual` has no bytes for it and implies RGBA.
    pub channels: ChannelMask,
    /// The surface, one byte.
    pub surface: SurfaceId,
    /// Where the answer goes: `exec.size` elements a channel, of type UD.
    pub dst: Raw,
}

/// The operation of [`Info`]. It selects the layout, so there are no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub enum InfoOp {
    /// 0x0a: the dimensions of a surface at a level of detail, and its number of levels.
    ResInfo {
        /// The level of detail. Type UD.
        lod: Raw,
    },
    /// 0x0b: the number of samples of a surface and their palette.
    SampleInfo,
}

impl InfoOp {
    /// The code of resinfo.
    pub const RESINFO: u8 = 0x0a;
    /// The code of sampleinfo.
    pub const SAMPLEINFO: u8 = 0x0b;

    /// The operation's code.
    pub const fn code(self) -> u8 {
        match self {
            InfoOp::ResInfo { .. } => Self::RESINFO,
            InfoOp::SampleInfo => Self::SAMPLEINFO,
        }
    }

    /// The level of detail, if the operation takes one.
    pub const fn lod(self) -> Option<Raw> {
        match self {
            InfoOp::ResInfo { lod } => Some(lod),
            InfoOp::SampleInfo => None,
        }
    }

    fn lod_mut(&mut self) -> Option<&mut Raw> {
        match self {
            InfoOp::ResInfo { lod } => Some(lod),
            InfoOp::SampleInfo => None,
        }
    }
}

impl Default for InfoOp {
    fn default() -> Self {
        InfoOp::ResInfo { lod: Raw::NULL }
    }
}

impl Info {
    /// The fields in the order of their bytes.
    pub const FIELDS: &'static [FieldSpec] = &[
        FieldSpec::always("op", "u16 in manual, else u8"),
        FieldSpec::always("exec", "Exec"),
        FieldSpec::when("channels", "ChannelMask", "not manual"),
        FieldSpec::always("surface", "SurfaceId"),
        FieldSpec::when("lod", "Raw", "op is resinfo"),
        FieldSpec::always("dst", "Raw"),
    ];
}

/// The operation's field: it decides whether there is a LOD.
#[derive(Clone, Copy, Default)]
struct Code(u8);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 == InfoOp::RESINFO { "resinfo" } else { "sampleinfo" })
    }
}

impl Describe for Code {
    fn meaning(&self, _: crate::format::Format) -> alloc::string::String {
        let lod = if self.0 == InfoOp::RESINFO { "a LOD follows" } else { "no LOD" };
        lod.into()
    }
}

impl Wire for Code {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0 = r.u8()?;
        if !matches!(self.0, InfoOp::RESINFO | InfoOp::SAMPLEINFO) {
            let (what, value) = ("info operation", self.0.into());
            return Err(r.error_back(1, ErrorKind::UnknownSubOpcode { what, value }));
        }
        if r.format().is_manual() {
            let high = r.u8()?;
            if high != 0 {
                let bits = u32::from(high) << 8;
                return Err(r.error_back(2, ErrorKind::ReservedBits { bits }));
            }
        }
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.u8(self.0);
        if w.format().is_manual() {
            w.u8(0);
        }
        Ok(())
    }
}

operands!(Info, |i| [exec, surface, lod = i.op.lod() => &mut i.op.lod_mut(), dst: RawDst]);

impl Wire for Info {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let mut code = Code::default();
        r.field("op", &mut code)?;
        r.field("exec", &mut self.exec)?;
        self.channels = ChannelMask::RGBA;
        if !r.format().is_manual() {
            r.field("channels", &mut self.channels)?;
        }
        r.field("surface", &mut self.surface)?;
        self.op = InfoOp::SampleInfo;
        if code.0 == InfoOp::RESINFO {
            let mut lod = Raw::NULL;
            r.field("lod", &mut lod)?;
            self.op = InfoOp::ResInfo { lod };
        }
        r.field("dst", &mut self.dst)
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        w.field("op", &Code(self.op.code()))?;
        w.field("exec", &self.exec)?;
        if !w.format().is_manual() {
            w.field("channels", &self.channels)?;
        } else if self.channels != ChannelMask::RGBA {
            let error = w.inexpressible("a channel mask other than RGBA");
            return Err(error.within(Place::Field("channels")));
        }
        w.field("surface", &self.surface)?;
        if let InfoOp::ResInfo { lod } = &self.op {
            w.field("lod", lod)?;
        }
        w.field("dst", &self.dst)
    }

    fn skip(r: &mut Reader<'_>) -> Result<()> {
        let code = Code::decode(r)?;
        // exec, channels, surface
        r.advance(if r.format().is_manual() { 2 } else { 3 })?;
        if code.0 == InfoOp::RESINFO {
            Raw::skip(r)?;
        }
        Raw::skip(r)
    }
}
