//! Sampler messages and INFO.

use super::super::Parser;
use super::super::cursor::Parsed;
use super::super::operands::Parse;
use super::super::rows::Head;
use crate::isa::*;
use crate::operand::{ChannelMask, ChannelsMode, Raw, SampleMode};
use crate::text::irregular::{OUTPUT_FORMATS, SAMPLER_FLAGS};

fn flags(p: &mut Parser<'_>) -> SampleFlags {
    let mut flags = SampleFlags::empty();
    for (flag, name) in SAMPLER_FLAGS {
        flags.set(flag, p.c.eat_here(name));
    }
    flags
}

/// The code of the operation that the mnemonic names.
fn operation(p: &Parser<'_>) -> u8 {
    let word = p.word();
    let sampling = SampleOp::NAMED.iter().find(|op| op.name() == Some(word)).map(|op| op.bits());
    let others = SamplerOp::NAMED.iter().find(|op| op.name() == Some(word)).map(|op| op.bits());
    sampling.or(others).unwrap_or_default()
}

fn channels(p: &mut Parser<'_>) -> Parsed<ChannelMask> {
    let mut channels = ChannelMask::empty();
    p.dot()?;
    channels.parse(p)?;
    Ok(channels)
}

/// The channels of a message that the reference prints without letters where there is no channel.
fn letters_or_none(p: &mut Parser<'_>) -> Parsed<ChannelMask> {
    if matches!(p.c.rest(), [b'.', b' ' | b'.', ..]) {
        p.c.at += 1;
        return Ok(ChannelMask::empty());
    }
    channels(p)
}

/// The destination, the paired surface where the text has one, and the parameters.
fn payload(p: &mut Parser<'_>, dst: &mut Raw, paired: &mut Option<Raw>) -> Parsed<Params> {
    dst.parse(p)?;
    if p.has_paired_surface() {
        let mut surface = Raw::NULL;
        surface.parse(p)?;
        // Text of today always has one; bytes of the past have none.
        let has_place = Sample3d::for_format(p.format).paired_surface.is_some();
        *paired = (has_place || surface != Raw::NULL).then_some(surface);
    }
    let start = p.c.at;
    let mut params = [Raw::NULL; Params::MAX];
    let mut count = 0;
    while !p.c.is_at_line_end() {
        let mut param = Raw::NULL;
        param.parse(p)?;
        match params.get_mut(count) {
            Some(slot) => *slot = param,
            None => return Err(p.c.fail(start..p.c.at, "a message has at most 15 parameters")),
        }
        count += 1;
    }
    Ok(Params::new(&params[..count]).unwrap_or_default())
}

pub(in super::super) fn sample_3d(
    p: &mut Parser<'_>,
    i: &mut Sample3d,
    head: &mut Head,
) -> Parsed<()> {
    i.pred = head.pred();
    i.op = SampleOp::from_bits(operation(p)).unwrap_or_default();
    i.flags = flags(p);
    i.channels = letters_or_none(p)?;
    i.exec.parse(p)?;
    i.aoffimmi.parse(p)?;
    i.sampler.parse(p)?;
    i.surface.parse(p)?;
    i.params = payload(p, &mut i.dst, &mut i.paired_surface)?;
    Ok(())
}

pub(in super::super) fn load_3d(p: &mut Parser<'_>, i: &mut Load3d, head: &mut Head) -> Parsed<()> {
    i.pred = head.pred();
    i.op = SamplerOp::from_bits(operation(p)).unwrap_or_default();
    i.flags = flags(p);
    i.channels = letters_or_none(p)?;
    i.exec.parse(p)?;
    i.aoffimmi.parse(p)?;
    i.surface.parse(p)?;
    i.params = payload(p, &mut i.dst, &mut i.paired_surface)?;
    Ok(())
}

pub(in super::super) fn gather4(
    p: &mut Parser<'_>,
    i: &mut Gather4,
    head: &mut Head,
) -> Parsed<()> {
    i.pred = head.pred();
    i.op = SamplerOp::from_bits(operation(p)).unwrap_or_default();
    i.flags = flags(p);
    let start = p.c.at;
    i.channel = match channels(p)? {
        ChannelMask::R => 0,
        ChannelMask::G => 1,
        ChannelMask::B => 2,
        ChannelMask::A => 3,
        _ => return Err(p.c.fail(start + 1..p.c.at, "one channel is gathered: R, G, B or A")),
    };
    i.exec.parse(p)?;
    i.aoffimmi.parse(p)?;
    i.sampler.parse(p)?;
    i.surface.parse(p)?;
    i.params = payload(p, &mut i.dst, &mut i.paired_surface)?;
    Ok(())
}

pub(in super::super) fn info(p: &mut Parser<'_>, i: &mut Info, _: &mut Head) -> Parsed<()> {
    let asks_for_resource = p.word_is("resinfo");
    i.channels = channels(p)?;
    i.exec.parse(p)?;
    i.surface.parse(p)?;
    if asks_for_resource {
        i.lod.insert(Raw::NULL).parse(p)?;
    }
    i.dst.parse(p)
}

pub(in super::super) fn channels_simd(
    p: &mut Parser<'_>,
    to: &mut ChannelsMode,
    _: &mut Head,
) -> Parsed<()> {
    let channels = letters_or_none(p)?;
    p.c.expect("(")?;
    p.c.skip_blanks();
    let start = p.c.at;
    let mode = match p.c.number("a SIMD mode of 8 or 16")? {
        8u8 => SampleMode::MODE0,
        16 => SampleMode::MODE1,
        _ => return Err(p.c.fail(start..p.c.at, "a SIMD mode is 8 or 16")),
    };
    p.c.expect(")")?;
    *to = ChannelsMode { channels, mode };
    Ok(())
}

pub(in super::super) fn channels_output(
    p: &mut Parser<'_>,
    to: &mut ChannelsMode,
    _: &mut Head,
) -> Parsed<()> {
    let channels = letters_or_none(p)?;
    match OUTPUT_FORMATS.iter().find(|(_, text)| p.c.eat_here(text)) {
        Some((mode, _)) => *to = ChannelsMode { channels, mode: *mode },
        None => {
            let what = "an output format: 16-full, 16-downsampled, 8-full or 8-downsampled";
            return Err(p.c.expected(what));
        }
    }
    Ok(())
}

pub(in super::super) fn letters(
    p: &mut Parser<'_>,
    to: &mut ChannelMask,
    _: &mut Head,
) -> Parsed<()> {
    *to = letters_or_none(p)?;
    Ok(())
}
