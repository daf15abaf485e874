//! Rules for 3D_LOAD and 3D_GATHER4 (3D_LOAD.md, 3D_SAMPLE4.md).

use super::sample_3d::offset_types;
use crate::format::Format;
use crate::isa::sampler::operations::{Message, OperationRow};
use crate::isa::{Gather4, Load3d, Params, SampleFlags, SamplerOp};
use crate::operand::{Aoffimmi, DataType, Exec, ExecSize, Raw};
use crate::verify::field::{Field, field};
use crate::verify::messages::data_port::require_channel;
use crate::verify::rule::{rules, subject};
use crate::verify::types::Types;

/// The types of the texels of LOAD_3D and GATHER4_3D.
const TEXELS: Types =
    Types::of(&[DataType::HF, DataType::F, DataType::W, DataType::UW, DataType::D, DataType::UD]);

/// The common fields of LOAD_3D and GATHER4_3D.
pub(in crate::verify) struct Texels<'i> {
    exec: Exec,
    flags: SampleFlags,
    aoffimmi: &'i Aoffimmi,
    dst: Raw,
    paired_surface: Option<Raw>,
    params: usize,
}

subject! { Texels<'i>: Load3d dst, Gather4 dst => |i, _data| Texels {
    exec: i.exec,
    flags: i.flags,
    aoffimmi: &i.aoffimmi,
    dst: i.dst,
    paired_surface: i.paired_surface,
    params: i.params.len(),
} }

rules! { texels for Texels<'_>;
    /// The execution size of LOAD_3D and GATHER4_3D is 8, 16 or 32.
    fn exec_size "load-3d-exec-size" (Accepts, ANY, "3D_LOAD.md, Exec_size") |i, c| {
        if i.exec.size < ExecSize::S8 {
            c.fail(field!(Sample3d.exec), i.exec.size.lanes(), "8, 16 or 32 lanes");
        }
    }

    /// The pixel null mask of LOAD_3D and GATHER4_3D exists since SKL.
    fn flags "load-3d-null-mask" (RefusedIn2022, before(Skl), "IGC") |i, c| {
        if !i.flags.is_empty() {
            c.report(field!(Sample3d.flags), "the pixel null mask is not available before SKL");
        }
    }

    /// Paired surfaces of LOAD_3D and GATHER4_3D exist since Xe2.
    fn paired_surface "load-3d-paired-surface" (Refuses, before(Xe2), "IGC") |i, c| {
        if i.paired_surface.is_some_and(|paired| !paired.is_null()) {
            c.report(field!(Sample3d.paired_surface), "paired surfaces are not available before Xe2");
        }
    }

    /// The texel offsets of LOAD_3D and GATHER4_3D have type UW, in 4.2 also UD.
    fn aoffimmi_type "load-3d-aoffimmi-type" (Accepts, ANY, "3D_LOAD.md, Aoffimmi") |i, c| {
        c.require_scalar_type(field!(Sample3d.aoffimmi), &i.aoffimmi.0, offset_types(c.format()));
    }

    /// Bits 12 to 15 of the texel offsets of LOAD_3D and GATHER4_3D are zero.
    fn aoffimmi "load-3d-aoffimmi-reserved" (Accepts, ANY, "3D_LOAD.md, Aoffimmi") |i, c| {
        let word = i.aoffimmi.0.as_imm().filter(|imm| imm.ty() == DataType::UW);
        if let Some(imm) = word.filter(|_| i.aoffimmi.reserved() != 0) {
            let expected = "zero in bits 12 to 15";
            c.fail(field!(Sample3d.aoffimmi), format_args!("{:#x}", imm.bits()), expected);
        }
    }

    /// The destination of LOAD_3D and GATHER4_3D has type HF, F, W, UW, D or UD.
    fn dst_type "load-3d-dst-type" (Accepts, ANY, "3D_LOAD.md, Dst") |i, c| {
        c.require_type(field!(Sample3d.dst), i.dst, TEXELS);
    }

    /// LOAD_3D and GATHER4_3D have at least one parameter.
    fn params "load-3d-params" (Refuses, ANY, "3D_LOAD.md, NumParams") |i, c| {
        if i.params == 0 {
            c.fail(field!(Sample3d.params), "none", "at least one parameter");
        }
    }
}

/// Returns the parameters with their names, which depend on the operation.
#[inline(always)]
fn named_params(params: &Params, op: SamplerOp) -> impl Iterator<Item = (Field, Raw)> + '_ {
    params.named(op.params()).map(|(name, raw)| (Field::of_param(name), raw))
}

rules! { load for Load3d;
    /// The operation of LOAD_3D is a load.
    fn op "load-3d-op" (Refuses, ANY, "3D_LOAD.md, Op") |i, c| {
        let is_load = |row: &OperationRow| row.message == Message::Load && row.is_in(c.format());
        if !i.op.row().is_some_and(is_load) {
            c.report(field!(Load3d.op), format_args!("operation {} is not a load", i.op));
        }
    }

    /// LOAD_3D returns at least one channel.
    fn channels "load-3d-channels" (Refuses, ANY, "3D_LOAD.md, ReturnedChannels") |i, c| {
        require_channel(i.channels, c);
    }

    /// The parameters of LOAD_3D all have type UD or D (in 4.2 also F), or all have type UW.
    fn param_types "load-3d-param-types" (Accepts, ANY, "3D_LOAD.md, Notes") |i, c| {
        const INTEGERS: Types = Types::of(&[DataType::UD, DataType::D, DataType::UW]);
        const WITH_F: Types = Types::of(&[DataType::UD, DataType::D, DataType::UW, DataType::F]);
        let legal = if c.format() == Format::V4_2 { WITH_F } else { INTEGERS };
        let mut size = None;
        for (field, param) in named_params(&i.params, i.op) {
            let Some(ty) = c.raw_ty(param) else { continue };
            if !legal.contains(ty) {
                c.fail(field, ty, legal);
            } else if *size.get_or_insert(ty.size()) != ty.size() {
                c.report(field, format_args!("{ty} has another size than the first parameter"));
            }
        }
    }

    /// The parameters of LOAD_3D have type UD or UW.
    // Shipped compilers use parameters of type D.
    fn param_sign "load-3d-param-sign" (Accepts, ANY, "3D_LOAD.md, Notes") |i, c| {
        for (field, param) in named_params(&i.params, i.op) {
            if c.raw_ty(param) == Some(DataType::D) {
                c.fail(field, DataType::D, DataType::UD);
            }
        }
    }
}

rules! { gather4 for Gather4;
    /// The operation of GATHER4_3D is a gather.
    fn op "gather4-3d-op" (Refuses, ANY, "3D_SAMPLE4.md, Op") |i, c| {
        // Only 4.2 has the codes of Xe2.
        let is_gather = |row: &OperationRow| {
            row.message == Message::Gather
                && row.is_in(c.format())
                && (row.code == i.op.bits() || c.format() == Format::V4_2)
        };
        if !i.op.row().is_some_and(is_gather) {
            c.report(field!(Gather4.op), format_args!("operation {} is not a gather", i.op));
        }
    }

    /// The channel of GATHER4_3D is 0 to 3.
    fn channel "gather4-3d-channel" (Refuses, ANY, "3D_SAMPLE4.md, Src_channel") |i, c| {
        if i.channel > 3 {
            c.fail(field!(Gather4.channel), i.channel, "0 to 3");
        }
    }

    /// GATHER4_3D has at most 7 parameters.
    fn params "gather4-3d-params" (Accepts, ANY, "IGC") |i, c| {
        if i.params.len() > 7 {
            c.fail(field!(Gather4.params), i.params.len(), "at most 7 parameters");
        }
    }

    /// The parameters of GATHER4_3D have type F or HF. With texel offsets, D is legal too.
    fn param_type "gather4-3d-param-type" (Accepts, ANY, "3D_SAMPLE4.md, Notes") |i, c| {
        const F_OR_HF: Types = Types::of(&[DataType::F, DataType::HF]);
        const WITH_OFFSETS: Types = Types::of(&[DataType::F, DataType::HF, DataType::D]);
        let has_offsets = i.op.row().is_some_and(|row| row.has_offsets);
        for (field, param) in named_params(&i.params, i.op) {
            c.require_type(field, param, if has_offsets { WITH_OFFSETS } else { F_OR_HF });
        }
    }

    /// Before ICLLP, the parameters of GATHER4_3D do not have type HF.
    fn half "gather4-3d-param-half" (Accepts, before(Icllp), "3D_SAMPLE4.md, Notes") |i, c| {
        for (field, param) in named_params(&i.params, i.op) {
            if c.raw_ty(param) == Some(DataType::HF) {
                c.fail(field, DataType::HF, DataType::F);
            }
        }
    }
}
