//! Rules for 3D_SAMPLE (3D_SAMPLE.md).

use crate::format::{Dialect, Format, Version};
use crate::isa::payload::sampler::NULL_MASK;
use crate::isa::sampler::operations::{Operation, OperationRow, Since};
use crate::isa::{Sample3d, SampleFlags, SampleOp};
use crate::operand::{ChannelMask, DataType, ExecSize, Raw};
use crate::platform::Platform::*;
use crate::verify::context::RuleContext;
use crate::verify::field::{Field, field};
use crate::verify::platforms::before;
use crate::verify::rule::rules;
use crate::verify::types::{F_OR_HF, Types};

const SAMPLES: Types = {
    use DataType as T;
    Types::of(&[T::HF, T::F, T::W, T::UW, T::D, T::UD])
};

/// Returns whether the execution size is 8 or 16, or 32 on Xe2 and later. An unknown platform may
/// be Xe2.
#[inline(always)]
fn has_legal_size(s: &Sample3d, c: &RuleContext<'_, '_>) -> bool {
    match s.exec.size {
        ExecSize::S8 | ExecSize::S16 => true,
        ExecSize::S32 => !c.format().is_manual() && !c.is_on(before(Xe2)),
        _ => false,
    }
}

/// Returns whether the operation exists in dialect `Igc2026` only, before 4.2. These have the texel
/// offsets as a parameter.
#[inline(always)]
fn is_newer(op: SampleOp, c: &RuleContext<'_, '_>) -> bool {
    op.row().is_some_and(|row| row.since == Since::Igc2026 && row.is_in(c.format()))
        && c.format() != Format::V4_2
}

/// Returns whether 3D_SAMPLE has an operation.
#[inline(always)]
fn has_operation(op: SampleOp, c: &RuleContext<'_, '_>) -> bool {
    let is_on_platform = |row: &OperationRow| !(row.since_xe2 && c.is_on(before(Xe2)));
    op.row().is_some_and(|row| row.is_in(c.format()) && is_on_platform(row))
}

/// Returns the types of texel offsets of sampler messages.
pub(super) const fn offset_types(format: Format) -> Types {
    match (format.dialect, format.version) {
        (Dialect::Igc2026, Version::V4_2) => Types::of(&[DataType::UW, DataType::UD]),
        _ => Types::UW,
    }
}

/// Returns the parameters with their names, which depend on the operation.
#[inline(always)]
fn params(s: &Sample3d) -> impl Iterator<Item = (Field, Raw)> + '_ {
    s.params.named(s.op.params()).map(|(name, raw)| (Field::of_param(name), raw))
}

rules! { rules for Sample3d;
    /// The operation of 3D_SAMPLE is one of the eleven that the page lists, or in 4.2 one with a
    /// name.
    fn operation "sample-3d-operation" (Refuses, ANY, "3D_SAMPLE.md, Op") |s, c| {
        if !has_operation(s.op, c) {
            c.report(field!(Sample3d.op), format_args!("3D_SAMPLE has no operation {}", s.op));
        }
    }

    /// The operation of 3D_SAMPLE is not one of the six that only newer readers accept.
    fn operation_newer "sample-3d-operation-newer"
    (Accepts (Warning in Manual), ANY, "3D_SAMPLE.md, Op") |s, c| {
        if is_newer(s.op, c) {
            c.report(field!(Sample3d.op), format_args!("older readers do not accept operation {}", s.op));
        }
    }

    // Shipped kernels for Xe2 have 32 lanes.
    /// The execution size of 3D_SAMPLE is 8 or 16, from Xe2 on also 32.
    fn exec_size "sample-3d-exec-size" (Accepts, ANY, "3D_SAMPLE.md, Exec_size") |s, c| {
        if !has_legal_size(s, c) {
            c.fail(field!(Sample3d.exec), s.exec.size.lanes(), "8 or 16 lanes");
        }
    }

    // The platform may be Xe2, where shipped kernels have 32 lanes.
    /// If the platform is unknown, the execution size of 3D_SAMPLE is 8 or 16.
    fn exec_size_32 "sample-3d-exec-size-32"
    (Accepts (Warning in Manual), ANY, "3D_SAMPLE.md, Exec_size") |s, c| {
        if s.exec.size == ExecSize::S32 && c.platform().is_none() && has_legal_size(s, c) {
            c.fail(field!(Sample3d.exec), 32, "8 or 16 lanes");
        }
    }

    /// LOD compensation for coarse pixels (CPS) exists since ICLLP.
    fn cps_platform "sample-3d-cps-platform" (Accepts, before(Icllp), "3D_SAMPLE.md, Op") |s, c| {
        if s.flags.contains(SampleFlags::CPS) {
            c.report(field!(Sample3d.flags), "CPS is not available before ICLLP");
        }
    }

    /// LOD compensation for coarse pixels (CPS) exists for sample, sample_b, sample_b_c, sample_c
    /// and lod only.
    // These compute the LOD from neighbouring lanes.
    fn cps_operation "sample-3d-cps-operation" (Refuses, ANY, "3D_SAMPLE.md, Op") |s, c| {
        let with = s.op.row().is_some_and(|row| row.has_implicit_lod);
        if s.flags.contains(SampleFlags::CPS) && !with && s.op.is_in_manual() {
            c.report(field!(Sample3d.flags), format_args!("CPS is not available for `{}`", s.op));
        }
    }

    /// The execution size of 3D_SAMPLE with CPS is 8 or 16.
    fn cps_exec_size "sample-3d-cps-exec-size" (Crashes, ANY, "IGC") |s, c| {
        let is_32 = s.exec.size == ExecSize::S32 && has_legal_size(s, c);
        if s.flags.contains(SampleFlags::CPS) && is_32 {
            c.fail(field!(Sample3d.exec), 32, "8 or 16 lanes with CPS");
        }
    }

    /// The pixel null mask of 3D_SAMPLE exists since SKL.
    fn null_mask_platform "sample-3d-null-mask-platform" (RefusedIn2022, before(Skl), "IGC")
    |s, c| {
        if s.flags.contains(SampleFlags::PIXEL_NULL_MASK) {
            c.report(field!(Sample3d.flags), "the pixel null mask is not available before SKL");
        }
    }

    /// Paired surfaces of 3D_SAMPLE exist since Xe2.
    fn paired_surface "sample-3d-paired-surface" (Refuses, before(Xe2), "IGC") |s, c| {
        if s.paired_surface.is_some_and(|paired| !paired.is_null()) {
            c.report(field!(Sample3d.paired_surface), "paired surfaces are not available before Xe2");
        }
    }

    /// 3D_SAMPLE returns at least one channel.
    fn channels_empty "sample-3d-channels-empty" (Refuses, ANY, "3D_SAMPLE.md, Channels") |s, c| {
        if s.channels.is_empty() {
            c.fail(field!(Sample3d.channels), "none", "at least one channel");
        }
    }

    // The page only recommends this, so it is a warning in dialect Manual too.
    /// The LOD operation returns only R and G; B and A are undefined.
    fn lod_channels "sample-3d-lod-channels"
    (Accepts (Warning in Manual), ANY, "3D_SAMPLE.md, Notes") |s, c| {
        if s.op == SampleOp::LOD && s.channels.intersects(ChannelMask::B | ChannelMask::A) {
            c.fail(field!(Sample3d.channels), s.channels, "R, G or RG");
        }
    }

    /// The texel offsets of 3D_SAMPLE have type UW, in 4.2 also UD.
    fn aoffimmi_type "sample-3d-aoffimmi-type" (Accepts, ANY, "3D_SAMPLE.md, Aoffimmi") |s, c| {
        c.require_scalar_type(field!(Sample3d.aoffimmi), &s.aoffimmi.0, offset_types(c.format()));
    }

    /// Bits 12 to 15 of the texel offsets of 3D_SAMPLE are zero.
    fn aoffimmi_reserved "sample-3d-aoffimmi-reserved" (Accepts, ANY, "3D_SAMPLE.md, Aoffimmi")
    |s, c| {
        let word = s.aoffimmi.0.as_imm().filter(|imm| imm.ty() == DataType::UW);
        if let Some(imm) = word.filter(|_| s.aoffimmi.reserved() != 0) {
            let expected = "zero in bits 12 to 15";
            c.fail(field!(Sample3d.aoffimmi), format_args!("{:#x}", imm.bits()), expected);
        }
    }

    /// The destination of 3D_SAMPLE has type HF, F, W, UW, D or UD.
    fn dst_type "sample-3d-dst-type" (Accepts, ANY, "3D_SAMPLE.md, Dst") |s, c| {
        c.require_type(field!(Sample3d.dst), s.dst, SAMPLES);
    }

    /// The destination of 3D_SAMPLE has one element per lane for each channel, each channel in its
    /// own registers, followed by the pixel null mask, if any.
    fn dst_size "sample-3d-dst-size" (Miscompiles, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        let has_type = c.raw_ty(s.dst).is_some_and(|ty| SAMPLES.contains(ty));
        let payload = c.payload(s, field!(Sample3d.dst), s.dst);
        if let Some(payload) = payload.filter(|_| has_type && !s.channels.is_empty()) {
            let has_mask = s.flags.contains(SampleFlags::PIXEL_NULL_MASK);
            let unused = if has_mask { i64::from(payload.chunk) - NULL_MASK } else { 0 };
            c.require_bytes(field!(Sample3d.dst), s.dst, payload.bytes() - unused);
        }
    }

    /// 3D_SAMPLE has at least one parameter.
    fn num_params "sample-3d-num-params" (Refuses, ANY, "3D_SAMPLE.md, NumParams") |s, c| {
        if s.params.is_empty() {
            c.fail(field!(Sample3d.params), "none", "1 to 15 parameters");
        }
    }

    /// 3D_SAMPLE has at most as many parameters as its operation defines.
    fn param_count "sample-3d-param-count" (Accepts, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        let (found, most) = (s.params.len(), s.op.params().len());
        if found > most && s.op.is_in_manual() {
            c.fail(field!(Sample3d.params), found, format_args!("at most {most} parameters for `{}`", s.op));
        }
    }

    // The page only permits omitting them, so this is a warning in dialect Manual too.
    /// No parameter of 3D_SAMPLE is null. Trailing parameters that are zero are omitted.
    fn param_null "sample-3d-param-null" (Accepts (Warning in Manual), ANY, "3D_SAMPLE.md, Notes")
    |s, c| {
        for (field, raw) in params(s) {
            if raw.is_null() {
                c.fail(field, "null", "a variable");
            }
        }
    }

    /// Before ICLLP, the parameters of 3D_SAMPLE have type F.
    fn param_type_f "sample-3d-param-type-f" (Accepts, before(Icllp), "3D_SAMPLE.md, Notes")
    |s, c| {
        if c.is_on(before(Icllp)) {
            for (field, raw) in params(s) {
                c.require_type(field, raw, Types::of(&[DataType::F]));
            }
        }
    }

    /// The parameters of 3D_SAMPLE have the same type, F or HF.
    fn param_types "sample-3d-param-types" (Accepts, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        if !c.is_on(before(Icllp)) {
            for (field, raw) in params(s) {
                c.require_type(field, raw, F_OR_HF);
            }
            c.require_same_type(params(s));
        }
    }

    /// The parameters of 3D_SAMPLE have one element per lane.
    fn param_size "sample-3d-param-size" (Miscompiles, ANY, "3D_SAMPLE.md, Ref to Ai") |s, c| {
        for (field, raw) in params(s) {
            if c.raw_ty(raw).is_some_and(|ty| F_OR_HF.contains(ty)) {
                c.require_payload(s, field, raw);
            }
        }
    }
}
