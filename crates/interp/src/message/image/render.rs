//! RT_WRITE: writes to render targets (RT_WRITE.md).
//!
//! The message does not contain where its pixels are: the dispatch of a pixel shader knows. Here it is a
//! part of the state of a thread, [`Thread::set_pixels`](crate::Thread::set_pixels). There is no test of depth
//! or stencil and no blending: what a lane writes replaces what was there.

use std::slice;

use genvisa::isa::{RtWrite, RtWriteFlags};
use genvisa::operand::Raw;

use super::{Space, inside, outside, texels};
use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::message::memory::access::{Source, Written};
use crate::number::low_bits;
use crate::surface::{Dimensions, Image, Surface};
use crate::value::{Value, set_bits};

/// RT_WRITE: the color of each enabled lane to the render target with an index, 0 without one, and its depth
/// to the depth buffer. A null color is undefined. A lane whose oMask lacks sample 0 writes nothing. A null
/// render target has no colors.
pub(super) fn rt_write(cx: &mut Context<'_>, i: &RtWrite) -> Result<()> {
    require_plain(i)?;
    let (colors, depth_buffer) = targets(cx.surface_of_state(i.surface)?)?;
    let index = match &i.rt_index {
        Some(index) => cx.scalar(index, "rt_index")?.1,
        None => 0,
    };
    let mut lanes = cx.enabled(i.exec, i.pred)?;
    if let Some(omask) = i.omask.filter(|omask| !omask.is_null()) {
        for lane in set_bits(lanes) {
            let mask = cx
                .required_raw(omask, lane as u32 * 2, 2, "omask", "the mask of samples")
                .map_err(|problem| problem.lane(lane as u32))?;
            if mask & 1 == 0 {
                lanes &= !(1 << lane);
            }
        }
    }
    let first = i.exec.mask.first_lane() as u32;
    if !i.flags.contains(RtWriteFlags::NULL_RT) {
        let target = usize::try_from(index).ok().and_then(|index| colors.get(index));
        let missing = || FaultKind::NotGiven(format!("render target {index}"));
        let target = target.ok_or_else(missing)?;
        let colors = [("r", i.r), ("g", i.g), ("b", i.b), ("a", i.a)];
        let bytes = color_bytes(cx, i)?;
        write(cx, target, lanes, first, colors, bytes)?;
    }
    if let Some(depth) = i.depth {
        let Some(target) = depth_buffer else {
            return Err(FaultKind::NotGiven("a depth buffer".into()).into());
        };
        let null = ("depth", Raw::NULL);
        write(cx, target, lanes, first, [("depth", depth), null, null, null], 4)?;
    }
    Ok(())
}

/// Writes the channels of lanes to the pixels of the lanes.
fn write(
    cx: &mut Context<'_>,
    target: &Image,
    lanes: u32,
    first: u32,
    channels: [(&'static str, Raw); 4],
    bytes: u32,
) -> Result<()> {
    if target.dimensions != Dimensions::D2 {
        let what = format!("a {} image as a render target", target.dimensions.name());
        return Err(FaultKind::not_modelled(what).into());
    }
    let format = target.format;
    if format.is_integer() && bytes != 4 {
        return Err(FaultKind::not_modelled(format!("colors of HF with format {format}")).into());
    }
    let mut written = Vec::new();
    for lane in set_bits(lanes).map(|lane| lane as u32) {
        let Some([x, y]) = cx.pixels.get((first + lane) as usize) else {
            let kind = FaultKind::NotGiven("the pixel of the lane".into());
            return Err(Problem::from(kind).lane(lane));
        };
        let place = [i64::from(*x), i64::from(*y), 0];
        let Some(texel) = inside(target, place) else {
            return Err(Problem::from(outside(target, "writes", place)).lane(lane));
        };
        for (channel, (field, operand)) in channels.into_iter().enumerate() {
            let Some(offset) = format.channel_offset(channel) else { continue };
            let element = match operand.is_null() {
                true => Value { bits: 0, undefined: low_bits(bytes * 8) },
                false => cx.read_raw(operand, lane * bytes, bytes, field)?,
            };
            written.push(Written {
                lane,
                address: target.texel(texel).saturating_add(offset.into()),
                size: format.channel_bytes(),
                value: format.store(element, bytes)?,
                source: Source { field, operand, offset: lane * bytes, size: bytes },
            });
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

/// Returns the render targets and the depth buffer that a surface is. An image is render target 0.
fn targets(surface: &Surface) -> Result<(&[Image], Option<&Image>)> {
    match surface {
        Surface::RenderTargets(targets) => Ok((&targets.colors, targets.depth.as_ref())),
        Surface::Image(_) => Ok((slice::from_ref(texels(surface)?), None)),
        other => {
            let what = format!("the surface is {}, not a set of render targets", other.kind());
            Err(FaultKind::Malformed(what).into())
        }
    }
}

/// Refuses what is not modelled.
fn require_plain(i: &RtWrite) -> Result<()> {
    let what = if !i.header.is_null() {
        "a header of RT_WRITE"
    } else if i.sample_index.is_some() || i.flags.contains(RtWriteFlags::PS) {
        "a write to a sample of a render target"
    } else if i.cps_counter.is_some() || i.flags.contains(RtWriteFlags::CM) {
        "a write of coarse pixels"
    } else if i.stencil.is_some() {
        "the stencil of RT_WRITE"
    } else {
        return Ok(());
    };
    Err(FaultKind::not_modelled(what).into())
}
