//! RT_WRITE: writes to render targets (RT_WRITE.md).
//!
//! The message does not contain where its pixels are: the dispatch of a pixel shader knows. Here it is a
//! part of the state of a thread, [`Thread::set_pixels`](crate::Thread::set_pixels). There is no test of depth
//! or stencil and no blending: what a lane writes replaces what was there.

use std::slice;

use genvisa::isa::{RtWrite, RtWriteFlags};
use genvisa::operand::Raw;

use super::{Space, inside, outside};
use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::message::memory::access::{Source, Written};
use crate::number::low_bits;
use crate::surface::{Dimensions, Image, Surface};
use crate::value::{MAX_LANES, Value, set_bits};

/// RT_WRITE: the color of each enabled lane to the render target with an index, 0 without one, its depth to the
/// depth buffer, and its stencil to the stencil buffer. A null color is undefined. A lane writes the samples of its
/// oMask, or the one with its sample index. A null render target has no colors.
pub(super) fn rt_write(cx: &mut Context<'_>, i: &RtWrite) -> Result<()> {
    require_plain(i)?;
    let targets = targets(cx.surface_of_state(i.surface)?)?;
    let index = match &i.rt_index {
        Some(index) => cx.scalar(index, "rt_index")?.1,
        None => 0,
    };
    let lanes = cx.enabled(i.exec, i.pred)?;
    let samples = samples(cx, i, lanes)?;
    let first = i.exec.mask.first_lane() as u32;
    let is_indexed = i.sample_index.is_some();
    let lanes = Writers { lanes, samples: &samples, is_indexed, first };
    if !i.flags.contains(RtWriteFlags::NULL_RT) {
        let target = usize::try_from(index).ok().and_then(|index| targets.colors.get(index));
        let missing = || FaultKind::NotGiven(format!("render target {index}"));
        let target = target.ok_or_else(missing)?;
        let colors = [("r", i.r), ("g", i.g), ("b", i.b), ("a", i.a)];
        write(cx, target, lanes, colors, color_bytes(cx, i)?)?;
    }
    for (field, operand, target, bytes, name) in [
        ("depth", i.depth, targets.depth, 4, "a depth buffer"),
        ("stencil", i.stencil, targets.stencil, 1, "a stencil buffer"),
    ] {
        let Some(operand) = operand else { continue };
        let target = target.ok_or_else(|| FaultKind::NotGiven(name.into()))?;
        let null = (field, Raw::NULL);
        write(cx, target, lanes, [(field, operand), null, null, null], bytes)?;
    }
    Ok(())
}

/// The lanes that write.
#[derive(Clone, Copy)]
struct Writers<'a> {
    lanes: u32,
    /// The samples that each lane writes, as a mask.
    samples: &'a [u32; MAX_LANES],
    /// Whether each is one sample, which the target has.
    is_indexed: bool,
    /// The lane of the thread that is lane 0.
    first: u32,
}

/// Returns the samples that each lane writes, as a mask.
fn samples(cx: &Context<'_>, i: &RtWrite, lanes: u32) -> Result<[u32; MAX_LANES]> {
    let mut samples = [u32::MAX; MAX_LANES];
    if let Some(omask) = i.omask.filter(|omask| !omask.is_null()) {
        for lane in set_bits(lanes) {
            let mask = cx
                .required_raw(omask, lane as u32 * 2, 2, "omask", "the mask of samples")
                .map_err(|problem| problem.lane(lane as u32))?;
            samples[lane] = mask as u32;
        }
    }
    if let Some(index) = &i.sample_index {
        let source = cx.read(index, "sample_index", lanes)?;
        for lane in set_bits(lanes) {
            let value = source.values.get(lane);
            cx.require(value, "the index of a sample", || cx.origin_of(index))
                .map_err(|problem| problem.operand("sample_index").lane(lane as u32))?;
            let index = u32::try_from(value.bits).unwrap_or(u32::MAX);
            if index >= Image::MAX_SAMPLES {
                let kind = FaultKind::NotDefined(format!("sample {index} of a render target"));
                return Err(Problem::from(kind).operand("sample_index").lane(lane as u32));
            }
            samples[lane] &= 1 << index;
        }
    }
    Ok(samples)
}

/// Writes the channels of lanes to the pixels of the lanes.
fn write(
    cx: &mut Context<'_>,
    target: &Image,
    lanes: Writers<'_>,
    channels: [(&'static str, Raw); 4],
    bytes: u32,
) -> Result<()> {
    if target.dimensions != Dimensions::D2 {
        let what = format!("a {} image as a render target", target.dimensions.name());
        return Err(FaultKind::not_modelled(what).into());
    }
    let format = target.format;
    if format.is_integer() && bytes == 2 {
        return Err(FaultKind::not_modelled(format!("colors of HF with format {format}")).into());
    }
    if !format.is_integer() && bytes == 1 {
        return Err(FaultKind::not_modelled(format!("stencil values with format {format}")).into());
    }
    let mut written = Vec::new();
    for lane in set_bits(lanes.lanes).map(|lane| lane as u32) {
        let all = low_bits(target.samples) as u32;
        let samples = lanes.samples[lane as usize];
        if lanes.is_indexed && samples & !all != 0 {
            let sample = samples.trailing_zeros();
            let what = format!("sample {sample} of a render target with {}", target.samples);
            return Err(Problem::from(FaultKind::NotDefined(what))
                .operand("sample_index")
                .lane(lane));
        }
        let samples = samples & all;
        if samples == 0 {
            continue;
        }
        let Some([x, y]) = cx.pixels.get((lanes.first + lane) as usize) else {
            let kind = FaultKind::NotGiven("the pixel of the lane".into());
            return Err(Problem::from(kind).lane(lane));
        };
        let place = [i64::from(*x), i64::from(*y), 0];
        let Some([x, y, _]) = inside(target, place) else {
            return Err(Problem::from(outside(target, "writes", place)).lane(lane));
        };
        for (channel, (field, operand)) in channels.into_iter().enumerate() {
            let Some(offset) = format.channel_offset(channel) else { continue };
            let element = match operand.is_null() {
                true => Value { bits: 0, undefined: low_bits(bytes * 8) },
                false => cx.read_raw(operand, lane * bytes, bytes, field)?,
            };
            let value = format.store(element, bytes)?;
            written.extend(set_bits(samples).map(|sample| Written {
                lane,
                address: target.texel([x, y, sample as u32]).saturating_add(offset.into()),
                size: format.channel_bytes(),
                value,
                source: Source { field, operand, offset: lane * bytes, size: bytes },
            }));
        }
    }
    cx.store_all(Space::Flat, written, 1)
}

/// Returns the size of a color: that of the first color that is not null.
fn color_bytes(cx: &Context<'_>, i: &RtWrite) -> Result<u32> {
    let Some(color) = [i.r, i.g, i.b, i.a].into_iter().find(|color| !color.is_null()) else {
        return Ok(4);
    };
    let ty = cx.code.variable(color.var)?.ty;
    match ty.size() {
        bytes @ (2 | 4) => Ok(bytes as u32),
        _ => Err(FaultKind::not_modelled(format!("a color of type {ty}")).into()),
    }
}

/// The images of a set of render targets.
struct Targets<'a> {
    colors: &'a [Image],
    depth: Option<&'a Image>,
    stencil: Option<&'a Image>,
}

/// Returns the render targets that a surface is. An image is render target 0.
fn targets(surface: &Surface) -> Result<Targets<'_>> {
    let targets = match surface {
        Surface::RenderTargets(targets) => Targets {
            colors: &targets.colors,
            depth: targets.depth.as_ref(),
            stencil: targets.stencil.as_ref(),
        },
        Surface::Image(image) => {
            Targets { colors: slice::from_ref(image), depth: None, stencil: None }
        }
        other => {
            let what = format!("the surface is {}, not a set of render targets", other.kind());
            return Err(FaultKind::Malformed(what).into());
        }
    };
    for image in targets.colors.iter().chain(targets.depth).chain(targets.stencil) {
        if image.size().contains(&0) || image.samples == 0 || image.samples > Image::MAX_SAMPLES {
            let most = Image::MAX_SAMPLES;
            let what = format!("the render target has no texels, or not 1 to {most} samples");
            return Err(FaultKind::Malformed(what).into());
        }
        if !image.planes.is_empty() {
            let what = "an image with several planes as a render target";
            return Err(FaultKind::not_modelled(what).into());
        }
    }
    Ok(targets)
}

/// Refuses what is not modelled.
fn require_plain(i: &RtWrite) -> Result<()> {
    if i.flags.contains(RtWriteFlags::PS) && i.sample_index.is_none() {
        return Err(FaultKind::NotGiven("the sample of each lane".into()).into());
    }
    let what = if !i.header.is_null() {
        "a header of RT_WRITE"
    } else if i.cps_counter.is_some() || i.flags.contains(RtWriteFlags::CM) {
        "a write of coarse pixels"
    } else {
        return Ok(());
    };
    Err(FaultKind::not_modelled(what).into())
}
