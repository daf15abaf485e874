//! Sampler messages and INFO.

use super::super::print::{Printer, Token};
use super::super::quirk::Quirk;
use crate::format::Version;
use crate::isa::*;
use crate::operand::{ChannelMask, ChannelsMode, SampleMode};

/// The suffixes of a sampler message's flags, in the order that the grammar requires.
pub(in super::super) const SAMPLER_FLAGS: [(SampleFlags, &str); 3] = [
    (SampleFlags::PIXEL_NULL_MASK, ".pixel_null_mask"),
    (SampleFlags::CPS, ".cps"),
    (SampleFlags::NON_UNIFORM_SAMPLER, ".divS"),
];

/// The operations that text writes as a 3D_LOAD.
pub(in super::super) const LOADS: [SamplerOp; 4] =
    [SamplerOp::LOAD, SamplerOp::LOAD_LZ, SamplerOp::LOAD_2DMS_W, SamplerOp::LOAD_MCS];

/// The operations that text writes as a 3D_GATHER4.
pub(in super::super) const GATHERS: [SamplerOp; 4] =
    [SamplerOp::GATHER4, SamplerOp::GATHER4_C, SamplerOp::GATHER4_PO, SamplerOp::GATHER4_PO_C];

/// The output formats of SAMPLE_UNORM.
pub(in super::super) const OUTPUT_FORMATS: [(SampleMode, &str); 4] = [
    (SampleMode::MODE0, ".16-full"),
    (SampleMode::MODE1, ".16-downsampled"),
    (SampleMode::MODE2, ".8-full"),
    (SampleMode::MODE3, ".8-downsampled"),
];

/// Prints the flags of a sampler message as suffixes.
fn flags(p: &mut Printer<'_>, mut flags: SampleFlags, has_cps: bool) {
    if p.has(Quirk::SamplerFlagsForgotten) {
        let kept = SampleFlags::PIXEL_NULL_MASK | SampleFlags::CPS;
        flags = if p.format.since(Version::V4_0) { flags & kept } else { SampleFlags::empty() };
        if !has_cps {
            flags -= SampleFlags::CPS;
        }
    }
    let names = SAMPLER_FLAGS.iter().filter(|(flag, _)| flags.contains(*flag));
    names.for_each(|(_, name)| p.line.push(name));
}

/// The operation's name, which is the mnemonic.
fn operation(p: &mut Printer<'_>, name: Option<&str>, code: u8) {
    match name {
        Some(name) => p.line.push(name),
        None if p.has(Quirk::UnknownSamplerOperation) => p.line.push("sampler_unknown"),
        None => {
            p.line.push("sampler_op_");
            p.line.hex(code);
            p.lossy = true;
        }
    }
}

/// The channels of the messages whose printer writes letter for letter, nothing for no channel.
pub(in super::super) fn letters(p: &mut Printer<'_>, channels: &ChannelMask) {
    p.line.ch('.');
    if !channels.is_empty() {
        channels.print(p);
    } else if !p.has(Quirk::NoChannelNoText) {
        p.line.push(channels.name());
    }
}

pub(in super::super) fn sample_3d(p: &mut Printer<'_>, sample: &Sample3d) {
    p.pred_prefix(&sample.pred);
    match sample.op {
        SampleOp::SAMPLE => p.line.push("sample_3d"),
        op => {
            operation(p, other_family(op.name(), op.bits()), op.bits());
            // The name of a load or gather is read as one.
            p.omit_if(op.name().is_none());
        }
    }
    flags(p, sample.flags, true);
    letters(p, &sample.channels);
    sample.exec.operand(p);
    p.line.ch(' ');
    sample.aoffimmi.operand(p);
    sample.sampler.operand(p);
    sample.surface.operand(p);
    sample.dst.operand(p);
    sample.paired_surface.operand(p);
    sample.params.iter().for_each(|param| param.operand(p));
}

pub(in super::super) fn load_3d(p: &mut Printer<'_>, load: &Load3d) {
    p.pred_prefix(&load.pred);
    operation(p, any_family(load.op), load.op.bits());
    p.omit_if(!LOADS.contains(&load.op));
    flags(p, load.flags, false);
    letters(p, &load.channels);
    load.exec.operand(p);
    p.line.ch(' ');
    load.aoffimmi.operand(p);
    load.surface.operand(p);
    load.dst.operand(p);
    load.paired_surface.operand(p);
    load.params.iter().for_each(|param| param.operand(p));
}

pub(in super::super) fn gather4(p: &mut Printer<'_>, gather: &Gather4) {
    p.pred_prefix(&gather.pred);
    operation(p, any_family(gather.op), gather.op.bits());
    p.omit_if(!GATHERS.contains(&gather.op));
    flags(p, gather.flags, false);
    p.line.ch('.');
    match gather.channel {
        0 => p.line.ch('R'),
        1 => p.line.ch('G'),
        2 => p.line.ch('B'),
        3 => p.line.ch('A'),
        _ => {
            p.line.push("illegal");
            p.lossy = true;
        }
    }
    gather.exec.operand(p);
    gather.aoffimmi.operand(p);
    gather.sampler.operand(p);
    gather.surface.operand(p);
    gather.dst.operand(p);
    gather.paired_surface.operand(p);
    gather.params.iter().for_each(|param| param.operand(p));
}

/// The reference has one list of names for all sampler messages.
fn any_family(op: SamplerOp) -> Option<&'static str> {
    match SampleOp::from_bits(op.bits()) {
        _ if op.name().is_some() => op.name(),
        Some(SampleOp::SAMPLE) => Some("sample_3d"),
        Some(op) => op.name(),
        None => None,
    }
}

fn other_family(name: Option<&'static str>, code: u8) -> Option<&'static str> {
    name.or_else(|| SamplerOp::from_bits(code)?.name())
}

pub(in super::super) fn info(p: &mut Printer<'_>, info: &Info) {
    p.line.push(info.op().name());
    p.line.ch('.');
    info.channels.print(p);
    info.exec.operand(p);
    p.line.ch(' ');
    info.surface.operand(p);
    info.lod.operand(p);
    info.dst.operand(p);
}

pub(in super::super) fn channels_simd(
    p: &mut Printer<'_>,
    &ChannelsMode { channels, mode }: &ChannelsMode,
) {
    letters(p, &channels);
    p.line.push(" (");
    // Readers take every mode but the first for 16.
    p.line.push(if mode == SampleMode::MODE0 { "8" } else { "16" });
    p.line.ch(')');
    p.omit_if(mode != SampleMode::MODE0 && mode != SampleMode::MODE1);
}

pub(in super::super) fn channels_output(
    p: &mut Printer<'_>,
    &ChannelsMode { channels, mode }: &ChannelsMode,
) {
    letters(p, &channels);
    if let Some((_, name)) = OUTPUT_FORMATS.iter().find(|(format, _)| *format == mode) {
        p.line.push(name);
    }
}
