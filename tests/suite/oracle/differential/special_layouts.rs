//! Random instructions whose fields depend on each other.

use genvisa::Version;
use genvisa::isa::*;
use genvisa::operand::*;

use super::code::Generator;

/// The number of combinations of operation, size and channels of INFO.
pub const INFO_COMBINATIONS: usize = 2 * 3 * 16;

/// The operations of the manual. GenX_IR has no others.
const SAMPLES: [SampleOp; 11] = [
    SampleOp::SAMPLE,
    SampleOp::SAMPLE_B,
    SampleOp::SAMPLE_L,
    SampleOp::SAMPLE_C,
    SampleOp::SAMPLE_D,
    SampleOp::SAMPLE_B_C,
    SampleOp::SAMPLE_L_C,
    SampleOp::LOD,
    SampleOp::SAMPLE_D_C,
    SampleOp::SAMPLE_LZ,
    SampleOp::SAMPLE_C_LZ,
];
const LOADS: [SamplerOp; 4] =
    [SamplerOp::LOAD, SamplerOp::LOAD_LZ, SamplerOp::LOAD_2DMS_W, SamplerOp::LOAD_MCS];
const GATHERS: [SamplerOp; 4] =
    [SamplerOp::GATHER4, SamplerOp::GATHER4_C, SamplerOp::GATHER4_PO, SamplerOp::GATHER4_PO_C];

impl Generator<'_> {
    /// Returns an INFO with a combination of operation, size and channels.
    pub(super) fn info(&mut self, combination: usize) -> Info {
        const SIZES: [ExecSize; 3] = [ExecSize::S8, ExecSize::S16, ExecSize::S32];
        let (size, channels) = (SIZES[combination / 2 % 3], combination / 6);
        let lod = self.raw();
        Info {
            lod: [Some(lod), None][combination % 2],
            exec: self.exec(&[size]),
            channels: ChannelMask::from_bits_truncate(channels as u8),
            surface: self.surface().into(),
            dst: self.raw(),
        }
    }

    /// Returns an RT_WRITE with the operands of a mode.
    pub(super) fn rt_write(&mut self, mode: RtWriteMode) -> RtWrite {
        let has = |bit| mode.contains(bit);
        RtWrite {
            exec: self.exec(&[ExecSize::S8, ExecSize::S16]),
            pred: self.pred(),
            flags: mode.flags(),
            surface: self.surface().into(),
            header: self.raw_or_null(),
            sample_index: has(RtWriteMode::SI).then(|| self.vector()),
            cps_counter: has(RtWriteMode::CPS).then(|| self.vector()),
            rt_index: has(RtWriteMode::RTI).then(|| self.vector()),
            s0a: has(RtWriteMode::S0A).then(|| self.raw()),
            omask: has(RtWriteMode::OMASK).then(|| self.raw()),
            r: self.raw(),
            g: self.raw(),
            b: self.raw(),
            a: self.raw(),
            depth: has(RtWriteMode::Z).then(|| self.raw()),
            stencil: has(RtWriteMode::STENCIL).then(|| self.raw()),
        }
    }

    pub(super) fn typed(&mut self) -> Gather4Typed {
        // The form before 3.2 has no size, predicate and LOD.
        let is_short = !self.format.since(Version::V3_2);
        let sizes = if is_short { &[ExecSize::S8][..] } else { &[ExecSize::S8, ExecSize::S16] };
        Gather4Typed {
            exec: self.exec(sizes),
            pred: if is_short { Pred::NONE } else { self.pred() },
            channels: self.channels(),
            surface: self.surface(),
            u: self.raw(),
            v: self.raw_or_null(),
            r: self.raw_or_null(),
            lod: if is_short { Raw::NULL } else { self.raw_or_null() },
            dst: self.raw(),
        }
    }

    pub(super) fn sample(&mut self, max_params: usize) -> Sample3d {
        let params: Vec<Raw> =
            (0..self.rng.below(max_params + 1)).map(|_| self.raw_or_null()).collect();
        let word = self.rng.bits() as u16;
        let is_operand = self.format.since(Version::V3_4) && self.rng.one_in(4);
        Sample3d {
            op: self.rng.pick(&SAMPLES),
            flags: SampleFlags::from_bits_truncate(self.rng.bits() as u8),
            exec: self.exec(&[ExecSize::S8, ExecSize::S16]),
            pred: self.pred(),
            channels: self.channels(),
            aoffimmi: if is_operand { Aoffimmi(self.vector()) } else { Aoffimmi::from_bits(word) },
            sampler: self.sampler().into(),
            surface: self.surface().into(),
            dst: self.raw(),
            paired_surface: None,
            params: Params::new(&params).expect("at most fifteen"),
        }
    }

    pub(super) fn load(&mut self) -> Load3d {
        let op = self.rng.pick(&LOADS);
        let Sample3d { flags, exec, pred, channels, aoffimmi, surface, dst, params, .. } =
            self.sample(Params::MAX);
        let paired_surface = None;
        Load3d { op, flags, exec, pred, channels, aoffimmi, surface, dst, paired_surface, params }
    }

    pub(super) fn gather4(&mut self) -> Gather4 {
        let op = self.rng.pick(&GATHERS);
        // Readers allow at most seven parameters.
        let sample = self.sample(7);
        Gather4 {
            op,
            flags: sample.flags,
            exec: sample.exec,
            pred: sample.pred,
            channel: self.rng.below(4) as u8,
            aoffimmi: sample.aoffimmi,
            sampler: sample.sampler,
            surface: sample.surface,
            dst: sample.dst,
            paired_surface: None,
            params: sample.params,
        }
    }

    pub(super) fn switch(&mut self) -> SwitchJmp {
        let count = 1 + self.rng.below(Labels::MAX);
        let labels: Vec<LabelId> = (0..count).map(|_| self.label("Goto")).collect();
        SwitchJmp {
            exec: self.exec(&[ExecSize::S1]),
            index: self.vector(),
            labels: Labels::new(&labels).expect("1 to 32 labels"),
        }
    }
}
