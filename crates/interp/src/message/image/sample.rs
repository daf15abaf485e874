//! Messages to the sampler (3D_SAMPLE.md, 3D_LOAD.md, 3D_SAMPLE4.md).
//!
//! Every channel of a result begins at a register; elements have 2 or 4 bytes, like those of the destination's
//! variable.

use genvisa::isa::{Gather4, Load3d, Param, Params, Sample3d, SampleFlags, SampleOp, SamplerOp};
use genvisa::operand::{Aoffimmi, Exec, Raw, SamplerId, State, StateClass};

use super::cube;
use super::filter::{Sampling, number_of};
use super::level::Detail;
use super::{channels, inside, texels, undefine_rest};
use crate::context::Context;
use crate::fault::{FaultKind, Problem, Result};
use crate::number::low_bits;
use crate::surface::{Dimensions, Image, Sampler};
use crate::value::{Value, set_bits};

/// The parameters of a message: their names, and the operands, of which trailing ones may be missing.
pub(super) struct Operands<'a> {
    names: &'static [Param],
    operands: &'a Params,
}

/// 3D_SAMPLE: samples an image. A comparison returns the red channel; the others are undefined. `lod` returns the level of
/// detail in the red channel, and unclamped in the green one.
pub(super) fn sample(cx: &mut Context<'_>, i: &Sample3d) -> Result<()> {
    let is_modelled = matches!(
        i.op,
        SampleOp::SAMPLE
            | SampleOp::SAMPLE_B
            | SampleOp::SAMPLE_L
            | SampleOp::SAMPLE_C
            | SampleOp::SAMPLE_D
            | SampleOp::SAMPLE_B_C
            | SampleOp::SAMPLE_L_C
            | SampleOp::SAMPLE_D_C
            | SampleOp::LOD
            | SampleOp::SAMPLE_LZ
            | SampleOp::SAMPLE_C_LZ
    );
    if !is_modelled {
        return Err(FaultKind::not_modelled(format!("sampler operation {}", i.op)).into());
    }
    require_plain(i.paired_surface)?;
    let operands = Operands { names: i.op.params(), operands: &i.params };
    let lanes = cx.enabled(i.exec, i.pred)?;
    let message = sampling(cx, i.sampler, i.surface, &i.aoffimmi, i.dst, &operands)?;
    let undefined = Value { bits: 0, undefined: low_bits(message.bytes * 8) };
    let compares = operands.get(Param::Ref).is_some();
    let detail = match i.op {
        SampleOp::LOD => Detail::Computed,
        SampleOp::SAMPLE_LZ | SampleOp::SAMPLE_C_LZ => Detail::Zero,
        _ => Detail::of(message.image),
    };
    let pitch = channel_pitch(cx, i.exec, message.bytes);
    let channels = channels(i.channels);
    for lane in set_bits(lanes).map(|lane| lane as u32) {
        let in_lane = |problem: Problem| problem.lane(lane);
        let coordinates = operands.coordinates(cx, message.image, lane).map_err(in_lane)?;
        let lod = operands.level_of_detail(cx, &message, detail, lane).map_err(in_lane)?;
        let taps = message.taps(coordinates, lod).map_err(in_lane)?;
        for (position, channel) in (0..).zip(&channels) {
            let result = match operands.reference(cx, lane)? {
                _ if i.op == SampleOp::LOD => match channel {
                    0 => message.element(message.clamped(lod)),
                    1 => message.element(lod),
                    _ => Ok(undefined),
                },
                Some(reference) if *channel == 0 => message.comparison(cx, &taps, reference),
                _ if compares => Ok(undefined),
                _ => message.channel(cx, &taps, *channel),
            };
            let at = position * pitch + lane * message.bytes;
            cx.write_raw(i.dst, at, message.bytes, result.map_err(in_lane)?, "dst")?;
        }
    }
    if lanes != 0 {
        undefine_rest(cx, i.dst, i.exec, message.bytes, channels.len() as u32);
    }
    null_mask(cx, i.flags, i.dst, channels.len() as u32 * pitch, i.exec, lanes)
}

/// 3D_LOAD: reads texels by their integer coordinates. Outside of the image, the channels of the format are 0:
/// the page does not define it, but compilers rely on it for samplers that clamp to a border.
pub(super) fn load(cx: &mut Context<'_>, i: &Load3d) -> Result<()> {
    if !matches!(i.op, SamplerOp::LOAD | SamplerOp::LOAD_LZ) {
        return Err(FaultKind::not_modelled(format!("sampler operation {}", i.op)).into());
    }
    require_plain(i.paired_surface)?;
    let operands = Operands { names: i.op.params(), operands: &i.params };
    let lanes = cx.enabled(i.exec, i.pred)?;
    let image = texels(cx.surface_of_state(i.surface)?)?;
    if image.dimensions == Dimensions::Cube {
        return Err(FaultKind::not_modelled("a texel of a cube by its coordinates").into());
    }
    let offsets = super::place(image.dimensions, offsets(&i.aoffimmi, image)?);
    let bytes = element_bytes(cx, i.dst, "dst")?;
    let pitch = channel_pitch(cx, i.exec, bytes);
    let channels = channels(i.channels);
    let param_bytes = operands.bytes(cx)?;
    let named = |param: Param| (param.name(), operands.get(param));
    for lane in set_bits(lanes).map(|lane| lane as u32) {
        let in_lane = |problem: Problem| problem.lane(lane);
        let level = cx.level(operands.get(Param::Lod), lane, param_bytes).map_err(in_lane)?;
        let level = image.level(level);
        let coordinates = [Param::U, Param::V, Param::R].map(named);
        let mut place = cx.coordinates(image, coordinates, lane, param_bytes).map_err(in_lane)?;
        for (coordinate, offset) in place.iter_mut().zip(offsets) {
            *coordinate += offset;
        }
        let texel = level.as_ref().and_then(|level| Some((level, inside(level, place)?)));
        for (position, channel) in (0..).zip(&channels) {
            let value = match texel {
                Some((level, texel)) => cx.load_channel(level, texel, *channel, bytes),
                None => image.format.outside(*channel, bytes).map_err(Into::into),
            };
            let value = value.map_err(in_lane)?;
            cx.write_raw(i.dst, position * pitch + lane * bytes, bytes, value, "dst")?;
        }
    }
    null_mask(cx, i.flags, i.dst, channels.len() as u32 * pitch, i.exec, lanes)
}

/// 3D_GATHER4: one channel of the four texels that a linear filter combines, whatever the filter of the
/// sampler, or their comparisons with a reference.
pub(super) fn gather4(cx: &mut Context<'_>, i: &Gather4) -> Result<()> {
    let is_modelled = matches!(
        i.op,
        SamplerOp::GATHER4
            | SamplerOp::GATHER4_C
            | SamplerOp::GATHER4_L
            | SamplerOp::GATHER4_B
            | SamplerOp::GATHER4_I
            | SamplerOp::GATHER4_I_C
    );
    if !is_modelled {
        return Err(FaultKind::not_modelled(format!("sampler operation {}", i.op)).into());
    }
    require_plain(i.paired_surface)?;
    let channel = usize::from(i.channel);
    if channel > 3 {
        return Err(FaultKind::NotDefined(format!("channel {channel}")).into());
    }
    let operands = Operands { names: i.op.params(), operands: &i.params };
    let lanes = cx.enabled(i.exec, i.pred)?;
    let message = sampling(cx, i.sampler, i.surface, &i.aoffimmi, i.dst, &operands)?;
    if !matches!(message.image.dimensions, Dimensions::D2 | Dimensions::D2Array) {
        let what = format!("a gather from a {} image", message.image.dimensions.name());
        return Err(FaultKind::not_modelled(what).into());
    }
    let computes =
        matches!(i.op, SamplerOp::GATHER4_B | SamplerOp::GATHER4_I | SamplerOp::GATHER4_I_C);
    if computes && message.image.levels > 1 {
        let what = format!("sampler operation {} on an image with several levels", i.op);
        return Err(FaultKind::not_modelled(what).into());
    }
    let detail = match operands.get(Param::Lod) {
        Some(_) => Detail::of(message.image),
        None => Detail::Zero,
    };
    let pitch = channel_pitch(cx, i.exec, message.bytes);
    for lane in set_bits(lanes).map(|lane| lane as u32) {
        let in_lane = |problem: Problem| problem.lane(lane);
        let coordinates = operands.coordinates(cx, message.image, lane).map_err(in_lane)?;
        let lod = operands.level_of_detail(cx, &message, detail, lane).map_err(in_lane)?;
        let reference = operands.reference(cx, lane)?;
        let taps = message.footprint(coordinates, lod).map_err(in_lane)?;
        for (position, tap) in (0..).zip(taps) {
            let result = message.gathered(cx, tap, channel, reference).map_err(in_lane)?;
            let at = position * pitch + lane * message.bytes;
            cx.write_raw(i.dst, at, message.bytes, result, "dst")?;
        }
    }
    null_mask(cx, i.flags, i.dst, 4 * pitch, i.exec, lanes)
}

impl Operands<'_> {
    /// Returns a parameter, unless the message does not have it.
    pub fn get(&self, param: Param) -> Option<Raw> {
        let position = self.names.iter().position(|name| *name == param)?;
        self.operands.get(position).copied()
    }

    /// Returns the size of an element of the parameters.
    pub fn bytes(&self, cx: &Context<'_>) -> Result<u32> {
        let mut given = self.operands.iter().filter(|operand| !operand.is_null());
        match given.next() {
            Some(first) => element_bytes(cx, *first, "params"),
            None => Err(FaultKind::Malformed("the message has no parameters".into()).into()),
        }
    }

    /// Reads the coordinates of a lane. For a cube, these are those in the face that the direction meets, and the index of
    /// the face.
    pub fn coordinates(&self, cx: &Context<'_>, image: &Image, lane: u32) -> Result<[f64; 3]> {
        let [u, v, r, ai] = self.params(cx, image, lane)?;
        if image.dimensions != Dimensions::Cube {
            return Ok([u, v, r]);
        }
        let (face, [s, t]) = cube::project([u, v, r])?;
        let last = f64::from(image.depth / Dimensions::CUBE_FACES - 1);
        if !ai.is_finite() {
            return Err(FaultKind::NotDefined(format!("a sample of cube {ai}")).into());
        }
        let cube = ai.round_ties_even().clamp(0.0, last);
        Ok([s, t, cube * f64::from(Dimensions::CUBE_FACES) + face as f64])
    }

    /// Reads the parameters u, v, r and ai of a lane, which have to be defined if the image has them. Missing ones are 0.
    pub fn params(&self, cx: &Context<'_>, image: &Image, lane: u32) -> Result<[f64; 4]> {
        let mut coordinates = [0.0; 4];
        let bytes = self.bytes(cx)?;
        let params = [Param::U, Param::V, Param::R, Param::Ai].into_iter().zip(&mut coordinates);
        for (param, coordinate) in params.take(image.dimensions.sample_params()) {
            let Some(operand) = self.get(param) else { continue };
            // The compiler omits trailing coordinates that are 0.
            if operand.is_null() && param != Param::U {
                continue;
            }
            if operand.is_null() {
                let what = format!("`{}` is null", param.name());
                return Err(FaultKind::Malformed(what).into());
            }
            let field = param.name();
            let bits = cx.required_raw(operand, lane * bytes, bytes, field, "a coordinate")?;
            *coordinate = number_of(bits, bytes)?;
        }
        Ok(coordinates)
    }

    /// Reads the reference of a comparison.
    fn reference(&self, cx: &Context<'_>, lane: u32) -> Result<Option<Value>> {
        let Some(operand) = self.get(Param::Ref) else { return Ok(None) };
        let bytes = self.bytes(cx)?;
        cx.read_raw(operand, lane * bytes, bytes, "ref").map(Some)
    }
}

/// Returns what a message samples.
fn sampling<'a>(
    cx: &Context<'a>,
    sampler: State<SamplerId>,
    surface: genvisa::operand::Surface,
    aoffimmi: &Aoffimmi,
    dst: Raw,
    operands: &Operands<'_>,
) -> Result<Sampling<'a>> {
    let image = texels(cx.surface_of_state(surface)?)?;
    let sampler = sampler_of(cx, sampler)?;
    if image.dimensions == Dimensions::Cube && !sampler.normalized {
        let what = "a sample of a cube at coordinates in texels";
        return Err(FaultKind::NotDefined(what.into()).into());
    }
    if image.levels > 1 && !sampler.normalized {
        let what = "a sample of an image with several levels at coordinates in texels";
        return Err(FaultKind::NotDefined(what.into()).into());
    }
    Ok(Sampling {
        image,
        levels: (0..image.levels).map_while(|level| image.level(level)).collect(),
        sampler,
        offsets: offsets(aoffimmi, image)?,
        bytes: element_bytes(cx, dst, "dst")?,
        reference_bytes: operands.bytes(cx)?,
    })
}

/// Returns the sampler that a variable refers to. Handles of bindless samplers are multiples of the size of
/// a state; compilers set bit 0, which selects how hardware finds the state.
fn sampler_of<'a>(cx: &Context<'a>, sampler: State<SamplerId>) -> Result<&'a Sampler> {
    let State::Id(id) = sampler else {
        return Err(FaultKind::not_modelled("a sampler state in memory").into());
    };
    let state = cx.state(StateClass::SAMPLER, id.0.into(), 0)?;
    let origin = || format!("{} was never set", cx.code.name_of(id));
    cx.require(state, "the sampler", origin)?;
    let samplers = cx.shared.surfaces;
    let handle = state.bits as u32;
    let bindless = (id == SamplerId::BINDLESS).then(|| samplers.sampler(handle & !1)).flatten();
    let unset = || FaultKind::NotGiven(format!("sampler {handle:#x}"));
    Ok(samplers.sampler(handle).or(bindless).ok_or_else(unset)?)
}

/// Returns the offsets of texels in u, v and r.
fn offsets(aoffimmi: &Aoffimmi, image: &Image) -> Result<[i64; 3]> {
    let offsets = (aoffimmi.u(), aoffimmi.v(), aoffimmi.r());
    let (Some(u), Some(v), Some(r)) = offsets else {
        return Err(FaultKind::not_modelled("offsets of texels in a variable").into());
    };
    let offsets = [u, v, r].map(i64::from);
    if offsets[image.dimensions.offset_axes()..].iter().any(|offset| *offset != 0) {
        let what =
            format!("an offset in a coordinate that a {} image has not", image.dimensions.name());
        return Err(FaultKind::not_modelled(what).into());
    }
    Ok(offsets)
}

/// Refuses paired surfaces. The compensation of the level of detail has no effect, nor has it that other
/// threads may have another sampler.
fn require_plain(paired_surface: Option<Raw>) -> Result<()> {
    if paired_surface.is_some_and(|surface| !surface.is_null()) {
        return Err(FaultKind::not_modelled("a paired surface").into());
    }
    Ok(())
}

/// Returns the size of an element of a variable: 2 or 4 bytes.
fn element_bytes(cx: &Context<'_>, operand: Raw, field: &'static str) -> Result<u32> {
    let ty = cx.code.variable(operand.var)?.ty;
    match ty.size() {
        bytes @ (2 | 4) => Ok(bytes as u32),
        _ => {
            let problem = Problem::from(FaultKind::not_modelled(format!("type {ty} of `{field}`")));
            Err(problem.operand(field))
        }
    }
}

fn channel_pitch(cx: &Context<'_>, exec: Exec, bytes: u32) -> u32 {
    (exec.size.lanes() as u32 * bytes).next_multiple_of(cx.register_bytes())
}

/// Writes the pixel null mask after the channels: a bit per lane, which is 1, since there are no null pages.
fn null_mask(
    cx: &mut Context<'_>,
    flags: SampleFlags,
    dst: Raw,
    at: u32,
    exec: Exec,
    lanes: u32,
) -> Result<()> {
    if !flags.contains(SampleFlags::PIXEL_NULL_MASK) {
        return Ok(());
    }
    let all = low_bits(exec.size.lanes() as u32);
    let mask = Value { bits: lanes.into(), undefined: all & !u64::from(lanes) };
    cx.write_raw(dst, at, 4, mask, "dst")
}
