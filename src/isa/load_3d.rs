//! 3D_LOAD, 0x6e, and 3D_GATHER4, 0x6f: relatives of 3D_SAMPLE (format-facts 4.5).

use super::record::encode_gated;
use super::sample_3d::{
    OpField, Params, SampleFlags, decode_paired, has_paired_surface, skip_message,
};
use super::{FieldSpec, operands};
use crate::error::Result;
use crate::operand::{Aoffimmi, ChannelMask, Exec, Pred, Raw, SamplerId, SurfaceId, code};
use crate::wire::{Reader, Trace, Wire, Writer};

code! {
    /// The operation of [`Load3d`] and [`Gather4`]. Five bits wide in 3.x, eight in 4.x. Readers
    /// pass on whatever they find.
    pub struct SamplerOp(max 255) {
        /// Load.
        LOAD = 0x07 "load_3d",
        /// Gather.
        GATHER4 = 0x08 "sample4",
        /// Gather with comparison.
        GATHER4_C = 0x10 "sample4_c",
        /// Gather with offsets.
        GATHER4_PO = 0x11 "sample4_po",
        /// Gather with offsets and comparison.
        GATHER4_PO_C = 0x12 "sample4_po_c",
        /// Load with LOD zero.
        LOAD_LZ = 0x1a "load_lz",
        /// Load from a multisampled surface.
        LOAD_2DMS_W = 0x1c "load_2dms_w",
        /// Load multisample control.
        LOAD_MCS = 0x1d "load_mcs",
    }
}

/// Decodes the operation's field.
fn decode_op<T: Trace>(
    r: &mut Reader<'_, T>,
    op: &mut SamplerOp,
    flags: &mut SampleFlags,
) -> Result<()> {
    let mut field = OpField::default();
    r.field("op", &mut field)?;
    *op = SamplerOp::from_low_bits(field.op);
    *flags = field.flags;
    Ok(())
}

macro_rules! sampler_message {
    (
        $(#[$doc:meta])*
        $name:ident {
            $(#[$channel_doc:meta])* $channel:ident: $channel_ty:ty,
            $(sampler: $sampler_ty:ident,)?
            states: $states:literal,
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct $name {
            /// The operation.
            pub op: SamplerOp,
            /// The three flags that share the operation's field.
            pub flags: SampleFlags,
            /// Size and mask.
            pub exec: Exec,
            /// The predicate.
            pub pred: Pred,
            $(#[$channel_doc])*
            pub $channel: $channel_ty,
            /// Offsets of the texel address.
            pub aoffimmi: Aoffimmi,
            $(
                /// The sampler.
                pub sampler: $sampler_ty,
            )?
            /// The surface.
            pub surface: SurfaceId,
            /// Where the texels go.
            pub dst: Raw,
            /// The surface paired with [`surface`](Self::surface): `Some` exactly in `Igc2026` from
            /// 3.8 on.
            pub paired_surface: Option<Raw>,
            /// The parameters, by position.
            pub params: Params,
        }

        impl $name {
            /// The fields in the order of their bytes.
            pub const FIELDS: &'static [FieldSpec] = &[
                FieldSpec::always("op", "u8 in 3.x, u16 in 4.x"),
                FieldSpec::always("exec", "Exec"),
                FieldSpec::always("pred", "Pred"),
                FieldSpec::always(stringify!($channel), stringify!($channel_ty)),
                FieldSpec::always("aoffimmi", "Scalar since V3_4, else u16"),
                $(FieldSpec::always("sampler", stringify!($sampler_ty)),)?
                FieldSpec::always("surface", "SurfaceId"),
                FieldSpec::always("dst", "Raw"),
                FieldSpec::when("paired_surface", "Raw", "igc2026 since V3_8"),
                FieldSpec::always("num_params", "u8"),
                FieldSpec::when("param", "Raw", "num_params times"),
            ];
        }

        operands!($name, |i| [
            exec, pred, aoffimmi, $(sampler: $sampler_ty,)? surface, dst: RawDst, paired_surface, params,
        ]);

        impl Wire for $name {
            fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
                decode_op(r, &mut self.op, &mut self.flags)?;
                r.field("exec", &mut self.exec)?;
                r.field("pred", &mut self.pred)?;
                r.field(stringify!($channel), &mut self.$channel)?;
                r.field("aoffimmi", &mut self.aoffimmi)?;
                $(r.field::<$sampler_ty>("sampler", &mut self.sampler)?;)?
                r.field("surface", &mut self.surface)?;
                r.field("dst", &mut self.dst)?;
                decode_paired(r, &mut self.paired_surface)?;
                self.params.decode_named(r, &[])
            }

            fn encode(&self, w: &mut Writer) -> Result<()> {
                w.field("op", &OpField { op: self.op.bits(), flags: self.flags, name: None })?;
                w.field("exec", &self.exec)?;
                w.field("pred", &self.pred)?;
                w.field(stringify!($channel), &self.$channel)?;
                w.field("aoffimmi", &self.aoffimmi)?;
                $(w.field::<$sampler_ty>("sampler", &self.sampler)?;)?
                w.field("surface", &self.surface)?;
                w.field("dst", &self.dst)?;
                let paired = self.paired_surface.as_ref();
                encode_gated(w, "paired_surface", has_paired_surface(w.format()), paired)?;
                self.params.encode_named(w, &[])
            }

            fn skip(r: &mut Reader<'_>) -> Result<()> {
                skip_message(r, $states)
            }
        }
    };
}

sampler_message! {
    /// 3D_LOAD, 0x6e: loads texels without a sampler.
    Load3d {
        /// The channels returned.
        channels: ChannelMask,
        states: 1,
    }
}

sampler_message! {
    /// 3D_GATHER4, 0x6f (3D_SAMPLE4 in the documents): gathers one channel of four texels.
    Gather4 {
        /// The channel gathered, 0 to 3 for R, G, B and A.
        channel: u8,
        sampler: SamplerId,
        states: 2,
    }
}
