//! GATHER4_TYPED, 0x4b, and its mirror image SCATTER4_TYPED, 0x4c (GATHER4_TYPED.md;
//! format-facts 4.4).

use alloc::string::String;
use core::fmt;

use super::{FieldSpec, operands};
use crate::error::{ErrorKind, Place, Result};
use crate::format::{Format, Version};
use crate::operand::{ChannelMask, Exec, ExecSize, Pred, Raw, RawDst, SurfaceId};
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// Whether a format has the short form of before 3.2: channels (inverted) and exec change places,
/// the execution size is 8 but coded as 0, and there is neither predicate nor LOD.
fn is_short(format: Format) -> bool {
    !format.since(Version::V3_2)
}

macro_rules! typed4 {
    ($(#[$doc:meta])* $name:ident { $(#[$data_doc:meta])* $data:ident: $data_ty:ident }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct $name {
            /// Size and mask, one byte. Before 3.2 only 8 lanes can be said.
            pub exec: Exec,
            /// The predicate, one word. Before 3.2 there is none.
            pub pred: Pred,
            /// The channels, one byte; stored inverted before 3.2.
            pub channels: ChannelMask,
            /// The surface, one byte. Not T0 (SLM) or T5 (stateless).
            pub surface: SurfaceId,
            /// The U offsets. Type UD.
            pub u: Raw,
            /// The V offsets, null for 1D surfaces. Type UD.
            pub v: Raw,
            /// The R offsets, null for 1D and 2D surfaces. Type UD.
            pub r: Raw,
            /// The level of detail. Type UD. Before 3.2 there is none, which reads as null.
            pub lod: Raw,
            $(#[$data_doc])*
            pub $data: $data_ty,
        }

        impl $name {
            /// The fields in the order of their bytes.
            pub const FIELDS: &'static [FieldSpec] = &[
                FieldSpec::when("channels", "inverted ChannelMask", "before V3_2"),
                FieldSpec::always("exec", "Exec"),
                FieldSpec::when("pred", "Pred", "since V3_2"),
                FieldSpec::when("channels", "ChannelMask", "since V3_2"),
                FieldSpec::always("surface", "SurfaceId"),
                FieldSpec::always("u", "Raw"),
                FieldSpec::always("v", "Raw"),
                FieldSpec::always("r", "Raw"),
                FieldSpec::when("lod", "Raw", "since V3_2"),
                FieldSpec::always(stringify!($data), "Raw"),
            ];
        }

        operands!($name, |i| [exec, pred, surface, u, v, r, lod, $data: $data_ty]);

        impl Wire for $name {
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                let short = is_short(r.format());
                if short {
                    decode_short_head(r, &mut self.channels, &mut self.exec)?;
                    self.pred = Pred::NONE;
                } else {
                    r.field("exec", &mut self.exec)?;
                    r.field("pred", &mut self.pred)?;
                    r.field("channels", &mut self.channels)?;
                }
                r.field("surface", &mut self.surface)?;
                r.field("u", &mut self.u)?;
                r.field("v", &mut self.v)?;
                r.field("r", &mut self.r)?;
                self.lod = Raw::NULL;
                if !short {
                    r.field("lod", &mut self.lod)?;
                }
                r.field(stringify!($data), &mut self.$data)
            }

            fn encode(&self, w: &mut Writer) -> Result<()> {
                let short = is_short(w.format());
                if short {
                    encode_short_head(w, self.channels, self.exec, self.pred, self.lod)?;
                } else {
                    w.field("exec", &self.exec)?;
                    w.field("pred", &self.pred)?;
                    w.field("channels", &self.channels)?;
                }
                w.field("surface", &self.surface)?;
                w.field("u", &self.u)?;
                w.field("v", &self.v)?;
                w.field("r", &self.r)?;
                if !short {
                    w.field("lod", &self.lod)?;
                }
                w.field(stringify!($data), &self.$data)
            }

            fn skip(r: &mut Reader<'_>) -> Result<()> {
                // exec, channels and surface, and from 3.2 on the predicate
                let (head, raws) = if is_short(r.format()) { (3, 4) } else { (5, 5) };
                r.advance(head)?;
                for _ in 0..raws {
                    Raw::skip(r)?;
                }
                Ok(())
            }
        }
    };
}

typed4! {
    /// GATHER4_TYPED, 0x4b: reads up to four channels a lane from a typed surface.
    ///
    /// | Field | Bytes | Legal values | There |
    /// |---|---|---|---|
    /// | [`exec`](Self::exec) | ub: bits 0..3 size, 4..7 mask | 8 lanes, any mask | always |
    /// | [`pred`](Self::pred) | uw | | from 3.2 on, and in `Manual` |
    /// | [`channels`](Self::channels) | ub: bits 0..3 R, G, B, A | not empty | always |
    /// | [`surface`](Self::surface) | ub | 1D, 2D or 3D, not T0 (SLM) or T5 (stateless) | always |
    /// | [`u`](Self::u), [`v`](Self::v), [`r`](Self::r) | raw operands | type UD | always |
    /// | [`lod`](Self::lod) | raw operand | type UD | from 3.2 on, and in `Manual` |
    /// | [`dst`](Self::dst) | raw operand | type UD, D or F | always |
    ///
    /// Before 3.2 the order is channels, exec, surface, U, V, R, dst; a set bit of channels
    /// disables; the size is coded as 0 and means 8.
    ///
    /// Source: GATHER4_TYPED.md; format-facts 4.4 for the form of before 3.2.
    Gather4Typed {
        /// Where the channels go, each from a register of its own. Type UD, D or F.
        dst: RawDst
    }
}

typed4! {
    /// SCATTER4_TYPED, 0x4c: writes up to four channels a lane to a typed surface.
    ///
    /// The layout is that of [`Gather4Typed`] (format-facts 4.4).
    Scatter4Typed {
        /// The channels to write, each from a register of its own.
        src: Raw
    }
}

/// A channel mask as the short form stores it: in the low four bits, set where disabled.
#[derive(Clone, Copy, Default)]
struct Inverted(ChannelMask);

impl fmt::Display for Inverted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Describe for Inverted {
    fn meaning(&self, _: Format) -> String {
        "a set bit disables".into()
    }
}

impl Wire for Inverted {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0.decode_into(r)?;
        self.0 = self.0.complement();
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        self.0.complement().encode(w)
    }
}

/// The exec byte of the short form: the size is coded as 0 and means 8.
#[derive(Clone, Copy, Default)]
struct ShortExec(Exec);

impl fmt::Display for ShortExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Describe for ShortExec {
    fn meaning(&self, format: Format) -> String {
        self.0.meaning(format)
    }
}

impl Wire for ShortExec {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        self.0.decode_into(r)?;
        if self.0.size != ExecSize::S1 {
            let value = self.0.size as u32;
            let expected = "the size code 0, the only one before 3.2";
            return Err(r.error_back(1, ErrorKind::InvalidValue { value, expected }));
        }
        self.0.size = ExecSize::S8;
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        Exec::new(ExecSize::S1, self.0.mask).encode(w)
    }
}

fn decode_short_head<T: Trace>(
    r: &mut Reader<'_, T>,
    channels: &mut ChannelMask,
    exec: &mut Exec,
) -> Result<()> {
    let (mut inverted, mut short) = (Inverted::default(), ShortExec::default());
    r.field("channels", &mut inverted)?;
    r.field("exec", &mut short)?;
    (*channels, *exec) = (inverted.0, short.0);
    Ok(())
}

fn encode_short_head(
    w: &mut Writer,
    channels: ChannelMask,
    exec: Exec,
    pred: Pred,
    lod: Raw,
) -> Result<()> {
    let unsaid = if exec.size != ExecSize::S8 {
        Some(("exec", "a size other than 8"))
    } else if !pred.is_none() {
        Some(("pred", "a predicate"))
    } else if lod != Raw::NULL {
        Some(("lod", "a level of detail"))
    } else {
        None
    };
    if let Some((field, what)) = unsaid {
        return Err(w.inexpressible(what).within(Place::Field(field)));
    }
    w.field("channels", &Inverted(channels))?;
    w.field("exec", &ShortExec(exec))
}
