//! 3D_SAMPLE (3D_SAMPLE.md).

use super::context::RuleContext;
use super::platform::{Platform::*, before};
use super::rule::rules;
use super::types::{F_OR_HF, Types};
use crate::format::Dialect;
use crate::isa::{Sample3d, SampleFlags, SampleOp};
use crate::operand::{ChannelMask, DataType, ExecSize, Raw};

const SAMPLES: Types = {
    use DataType as T;
    Types::of(&[T::HF, T::F, T::W, T::UW, T::D, T::UD])
};

/// 8 or 16 lanes; 32 from Xe2 on, which a platform that is not known may be.
#[inline(always)]
fn runs(s: &Sample3d, c: &RuleContext<'_, '_>) -> bool {
    match s.exec.size {
        ExecSize::S8 | ExecSize::S16 => true,
        ExecSize::S32 => !c.format().is_manual() && !c.is_on(before(Xe2)),
        _ => false,
    }
}

/// The operations that only readers of today know, which make texel offsets a parameter.
#[inline(always)]
fn is_newer(op: SampleOp, c: &RuleContext<'_, '_>) -> bool {
    c.format().dialect == Dialect::Igc2026 && matches!(op.bits(), 0x20..=0x24 | 0x26)
}

/// The parameters under the names that the operation gives them.
#[inline(always)]
fn params(s: &Sample3d) -> impl Iterator<Item = (&'static str, Raw)> + '_ {
    s.params.named(s.op.params())
}

rules! { sample_3d for Sample3d;
    /// The operation of 3D_SAMPLE is one of the eleven.
    fn operation "sample-3d-operation" (Error, ANY, "3D_SAMPLE.md, Op") |s, c| {
        if s.op.name().is_none() && !is_newer(s.op, c) {
            c.fail("op", s.op, "an operation of 3D_SAMPLE");
        }
    }

    /// The operation of 3D_SAMPLE is not one of the six that the page of today adds.
    fn operation_newer "sample-3d-operation-newer" (Warning, ANY, "3D_SAMPLE.md, Op") |s, c| {
        if s.op.name().is_none() && is_newer(s.op, c) {
            c.fail("op", s.op, "an operation that all readers know");
        }
    }

    // Real kernels for Xe2 have 32 lanes.
    /// 3D_SAMPLE runs 8 or 16 lanes, from Xe2 on also 32.
    fn exec_size "sample-3d-exec-size" (Error, ANY, "3D_SAMPLE.md, Exec_size") |s, c| {
        if !runs(s, c) {
            c.fail("exec", s.exec.size.lanes(), "8 or 16 lanes");
        }
    }

    // The platform may be Xe2, where real kernels have 32 lanes.
    /// Where the platform is not known, 3D_SAMPLE runs 8 or 16 lanes, as all platforms can.
    fn exec_size_32 "sample-3d-exec-size-32" (Warning, ANY, "3D_SAMPLE.md, Exec_size") |s, c| {
        if s.exec.size == ExecSize::S32 && c.platform().is_none() && runs(s, c) {
            c.fail("exec", 32, "8 or 16 lanes");
        }
    }

    /// The LOD is compensated for coarse pixels from ICLLP on.
    fn cps_platform "sample-3d-cps-platform" (Error, before(Icllp), "3D_SAMPLE.md, Op") |s, c| {
        if s.flags.contains(SampleFlags::CPS) {
            c.fail("flags", "CPS", "a flag before ICLLP");
        }
    }

    /// Only sample, sample_b, sample_b_c, sample_c and lod compensate the LOD for coarse pixels.
    fn cps_operation "sample-3d-cps-operation" (Error, ANY, "3D_SAMPLE.md, Op") |s, c| {
        use SampleOp as S;
        let with = matches!(s.op, S::SAMPLE | S::SAMPLE_B | S::SAMPLE_B_C | S::SAMPLE_C | S::LOD);
        if s.flags.contains(SampleFlags::CPS) && !with && s.op.name().is_some() {
            c.fail("flags", "CPS", format_args!("a flag of {}", s.op));
        }
    }

    /// The LOD is compensated for coarse pixels in 8 or 16 lanes.
    fn cps_exec_size "sample-3d-cps-exec-size" (Error, ANY, "reference") |s, c| {
        if s.flags.contains(SampleFlags::CPS) && s.exec.size == ExecSize::S32 && runs(s, c) {
            c.fail("exec", 32, "8 or 16 lanes with CPS");
        }
    }

    /// The pixel null mask is returned from SKL on.
    fn null_mask_platform "sample-3d-null-mask-platform" (Error, before(Skl), "reference") |s, c| {
        if s.flags.contains(SampleFlags::PIXEL_NULL_MASK) {
            c.fail("flags", "PIXEL_NULL_MASK", "a flag before SKL");
        }
    }

    /// A surface is paired with another from Xe2 on.
    fn paired_surface "sample-3d-paired-surface" (Error, before(Xe2), "reference") |s, c| {
        if s.paired_surface.is_some_and(|paired| !paired.is_null()) {
            c.fail("paired_surface", "a variable", "null");
        }
    }

    /// 3D_SAMPLE returns at least one channel.
    fn channels_empty "sample-3d-channels-empty" (Error, ANY, "3D_SAMPLE.md, Channels") |s, c| {
        if s.channels.is_empty() {
            c.fail("channels", "none", "at least one");
        }
    }

    // The page says "should", so this is a warning in dialect Manual too.
    /// The LOD operation returns R and G; B and A have no value.
    fn lod_channels "sample-3d-lod-channels" (Warning, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        if s.op == SampleOp::LOD && s.channels.intersects(ChannelMask::B | ChannelMask::A) {
            c.fail("channels", s.channels, "R, G or RG");
        }
    }

    /// The texel offsets are of type UW.
    fn aoffimmi_type "sample-3d-aoffimmi-type" (Error, ANY, "3D_SAMPLE.md, Aoffimmi") |s, c| {
        c.wants_scalar("aoffimmi", &s.aoffimmi.0, Types::UW);
    }

    /// Bits 12 to 15 of the texel offsets are zero.
    fn aoffimmi_reserved "sample-3d-aoffimmi-reserved" (Error, ANY, "3D_SAMPLE.md, Aoffimmi")
    |s, c| {
        let word = s.aoffimmi.0.as_imm().filter(|imm| imm.ty() == DataType::UW);
        if let Some(imm) = word.filter(|_| s.aoffimmi.reserved() != 0) {
            c.fail("aoffimmi", imm, "a word with bits 12 to 15 zero");
        }
    }

    /// The destination of 3D_SAMPLE is of type HF, F, W, UW, D or UD.
    fn dst_type "sample-3d-dst-type" (Error, ANY, "3D_SAMPLE.md, Dst") |s, c| {
        c.wants("dst", s.dst, SAMPLES);
    }

    /// The destination of 3D_SAMPLE has room for an element a lane of each channel, each channel in
    /// registers of its own, and for the pixel null mask behind them.
    fn dst_size "sample-3d-dst-size" (Error, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        let ty = c.raw_ty(s.dst).filter(|ty| SAMPLES.contains(*ty));
        let channels = i64::from(s.channels.bits().count_ones());
        if let Some(ty) = ty.filter(|_| channels > 0 && runs(s, c)) {
            let channel = s.exec.size.lanes() as i64 * ty.size() as i64;
            let registers = channel.max(c.grf());
            let needed = if s.flags.contains(SampleFlags::PIXEL_NULL_MASK) {
                channels * registers + 4
            } else {
                (channels - 1) * registers + channel
            };
            c.needs("dst", s.dst, needed);
        }
    }

    /// 3D_SAMPLE has at least one parameter.
    fn num_params "sample-3d-num-params" (Error, ANY, "3D_SAMPLE.md, NumParams") |s, c| {
        if s.params.is_empty() {
            c.fail("params", "none", "1 to 15");
        }
    }

    /// 3D_SAMPLE has no more parameters than its operation.
    fn param_count "sample-3d-param-count" (Error, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        let (found, most) = (s.params.len(), s.op.params().len());
        if found > most && s.op.name().is_some() {
            c.fail("params", found, format_args!("up to {most}"));
        }
    }

    // The page permits leaving them out, no more, so this is a warning in dialect Manual too.
    /// No parameter of 3D_SAMPLE is null: those that count as zero are left out, at the end.
    fn param_null "sample-3d-param-null" (Warning, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        for (field, raw) in params(s) {
            if raw.is_null() {
                c.fail(field, "null", "a variable");
            }
        }
    }

    /// Before ICLLP the parameters of 3D_SAMPLE are of type F.
    fn param_type_f "sample-3d-param-type-f" (Error, before(Icllp), "3D_SAMPLE.md, Notes") |s, c| {
        if c.is_on(before(Icllp)) {
            for (field, raw) in params(s) {
                c.wants(field, raw, Types::of(&[DataType::F]));
            }
        }
    }

    /// The parameters of 3D_SAMPLE are all of one type, F or HF.
    fn param_types "sample-3d-param-types" (Error, ANY, "3D_SAMPLE.md, Notes") |s, c| {
        if !c.is_on(before(Icllp)) {
            for (field, raw) in params(s) {
                c.wants(field, raw, F_OR_HF);
            }
            c.wants_alike(params(s));
        }
    }

    /// The parameters of 3D_SAMPLE have an element a lane.
    fn param_size "sample-3d-param-size" (Error, ANY, "3D_SAMPLE.md, Ref to Ai") |s, c| {
        if runs(s, c) {
            let lanes = s.exec.size.lanes() as i64;
            for (field, raw) in params(s) {
                c.needs_lanes(field, raw, F_OR_HF, lanes);
            }
        }
    }
}
