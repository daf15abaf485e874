//! Messages to surfaces with a format or with two dimensions, and to samplers.
//!
//! The tests compare kernels that IGC makes of OpenCL C with PoCL, or with plain loops in OpenCL C.
//! They cover `sample_lz`, `load_lz`, resinfo, SCATTER4_TYPED, LSC_TYPED store_quad, MEDIA_LD, MEDIA_ST and all
//! block messages. What the other messages do was not compared with another implementation, and nothing was
//! compared with hardware: they follow the pages of the instructions, and where these are silent, what the
//! table names.
//!
//! An access outside of an image is a fault, unless the page
//! defines the result or compilers rely on it.
//!
//! | Instruction | What is modelled | What is refused |
//! |---|---|---|
//! | INFO resinfo | width, height, depth or number of images or cubes, and the number of levels; the page names the width of a cube "buffer size"; the size of a level is at least 1, which the page does not say, and that of a level that does not exist is 0 | |
//! | INFO sampleinfo | the number of samples of 2D images; the other channels are undefined | other images |
//! | MEDIA_LD, MEDIA_ST | rectangles of a plane; the fields `top` and `bottom` are every second row, from row 0 or 1 on. The page leaves reads outside of a plane to the implementation: they repeat the texel at the border, as hardware does, on which programs rely; writes there are dropped | images that are not 2D |
//! | GATHER4_TYPED, SCATTER4_TYPED, TYPED_ATOMIC | conversion by the format; outside reads are 0, and 1 in alpha for GATHER4_TYPED; outside writes are dropped. A level that does not exist is outside | PREDEC; atomics on other formats than one channel of the width of the atomic |
//! | LSC_TYPED load_quad, store_quad, atomics | as GATHER4_TYPED, but outside is a fault | elements other than d32, offsets of coordinates, flags, other operations |
//! | LSC_TYPED load_block2d, store_block2d | rectangles of bytes | places outside, images that are not 2D |
//! | LSC_UNTYPED load_block2d, store_block2d | blocks, transposed data and the VNNI transform; outside loads are 0, outside stores are dropped | transposed stores |
//! | 3D_SAMPLE `sample_3d`, `_b`, `_l`, `_d`, `_lz`, `lod`, and with comparison | nearest and linear filters within a level and between levels. Weights are exact, where hardware rounds them to 8 bits. For the level of detail see below | `_mlod`, `_po`, paired surfaces; several levels or cubes with coordinates in texels; offsets in cubes |
//! | 3D_LOAD `load_3d`, `load_lz` | a texel by its integer coordinates; outside and in levels that do not exist, the channels of the format are 0, on which compilers rely | multisampled surfaces, cubes |
//! | 3D_GATHER4 `sample4`, `_c`, `_l`, `_b`, `_i`, `_i_c` | one channel of the texels of a linear filter, in the order of Direct3D and OpenGL: (0, 1), (1, 1), (1, 0), (0, 0); of level 0, or the one nearest to the parameter of `_l` | images that are not 2D; `_b`, `_i` with several levels; `_po`, `_l_c` |
//! | pixel null mask | all ones: there are no null pages | |
//! | RT_WRITE | colors, depth and stencil at the pixels of the lanes ([`Thread::set_pixels`](crate::Thread::set_pixels)), without tests or blending, to all samples of the oMask, or to the one with the sample index of the lane; the alpha of source 0 and the last-write flag have no effect | header, CPS counter, coarse mode; the per-sample mode without a sample index |
//!
//! RT_WRITE: the page packs the stencil values of 8 lanes into a dword, although they have type UB. Here each lane
//! has a byte.
//!
//! The page of 3D_SAMPLE does not define how a level of detail is computed. It follows Vulkan and Direct3D: the base-2
//! logarithm of the longer of two differences in texels, between the pixels (0, 0) and (1, 0), and (0, 0) and (0, 1). Four
//! lanes are the pixels (0, 0), (1, 0), (0, 1) and (1, 1) of a subspan; `_d` has the differences as parameters. The bias is
//! added, and the result is clamped to the levels of the image. The nearest level is that of the sum with 1/2, rounded down.
//! In a cube, the differences are those of the coordinates in the face. Compensation of the level (CPS) has no effect. `lod` returns the level clamped and unclamped.
//!
//! Sampling follows OpenCL C, 6.15.15 and the specification of OpenCL, 8, for address modes and filters.
//! Coordinates that are infinite or no numbers are faults. The index in an array is rounded to nearest even
//! and clamped. Filters combine texels of neighbouring faces of a cube, whatever the address modes are; where three faces meet,
//! the texel that is missing is the mean of the three.

mod block2d;
mod cube;
mod filter;
mod info;
mod level;
mod lsc;
mod media;
mod render;
mod sample;
mod typed;

use genvisa::Instruction;
use genvisa::isa::{LscTyped, LscUntyped};
use genvisa::operand::{Exec, Raw, State, StateClass, SurfaceId};

use super::memory::access::{Source, Space};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::number::low_bits;
use crate::surface::{Dimensions, Image, Surface};
use crate::value::Value;

/// Executes a message; returns `false` for others.
pub(super) fn execute(cx: &mut Context<'_>, instruction: &Instruction) -> Result<bool> {
    match instruction {
        Instruction::Info(i) => info::info(cx, i)?,
        Instruction::MediaLd(i) => media::media_ld(cx, i)?,
        Instruction::MediaSt(i) => media::media_st(cx, i)?,
        Instruction::Gather4Typed(i) => typed::gather4_typed(cx, i)?,
        Instruction::Scatter4Typed(i) => typed::scatter4_typed(cx, i)?,
        Instruction::TypedAtomic(i) => typed::typed_atomic(cx, i)?,
        Instruction::LscTyped(LscTyped::TypedAccess(i)) => return lsc::access(cx, i),
        Instruction::LscTyped(LscTyped::TypedBlock2d(i)) => media::typed_block2d(cx, i)?,
        Instruction::LscUntyped(LscUntyped::Block2d(i)) => block2d::block2d(cx, i)?,
        Instruction::Sample3d(i) => sample::sample(cx, i)?,
        Instruction::Load3d(i) => sample::load(cx, i)?,
        Instruction::Gather4(i) => sample::gather4(cx, i)?,
        Instruction::RtWrite(i) => render::rt_write(cx, i)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// A coordinate operand: its field, and the operand unless it is absent.
type Coordinate = (&'static str, Option<Raw>);

/// Coordinates of a texel, which may be outside of the image.
type Place = [i64; 3];

impl<'a> Context<'a> {
    /// Returns a surface by the value of its variable.
    fn surface(&self, value: u64) -> Result<&'a Surface> {
        let surfaces = self.shared.surfaces;
        let surface = u32::try_from(value).ok().and_then(|index| surfaces.get(index));
        let unset = || FaultKind::NotGiven(format!("surface {value:#x}"));
        Ok(surface.ok_or_else(unset)?)
    }

    /// Returns the surface that a variable refers to.
    fn surface_of(&self, id: SurfaceId) -> Result<&'a Surface> {
        if matches!(id.predefined_name(), Some("%slm" | "%scratch")) {
            let what = format!("{} is not a surface of texels", self.code.name_of(id));
            return Err(FaultKind::Malformed(what).into());
        }
        let state = self.state(StateClass::SURFACE, id.0.into(), 0)?;
        let origin = || format!("{} was never set", self.code.name_of(id));
        self.require(state, "the surface", origin)?;
        self.surface(state.bits)
    }

    /// Returns the surface of a message that may have its states in memory.
    fn surface_of_state(&self, state: State<SurfaceId>) -> Result<&'a Surface> {
        match state {
            State::Id(id) => self.surface_of(id),
            State::Address { .. } => {
                Err(FaultKind::not_modelled("a surface state in memory").into())
            }
        }
    }

    /// Reads the integer coordinates of a lane as x, y and z. Coordinates that the image does not have are
    /// 0, as are trailing ones that the message does not have, or that are null.
    fn coordinates(
        &self,
        image: &Image,
        operands: [Coordinate; 3],
        lane: u32,
        bytes: u32,
    ) -> Result<Place> {
        let mut coordinates = [0; 3];
        for (axis, (field, operand)) in operands.into_iter().enumerate() {
            let Some(operand) = operand.filter(|_| axis < image.dimensions.coordinates()) else {
                continue;
            };
            // The compiler omits trailing coordinates that are 0.
            if operand.is_null() && axis > 0 {
                continue;
            }
            if operand.is_null() {
                let what =
                    format!("`{field}` is null, but the image is {}", image.dimensions.name());
                return Err(FaultKind::Malformed(what).into());
            }
            let bits = self.required_raw(operand, lane * bytes, bytes, field, "a coordinate")?;
            // Coordinates of words have no sign. A dword with a sign is outside of every image either way.
            coordinates[axis] = match bytes {
                4 => i64::from(bits as u32 as i32),
                _ => bits.min(i64::MAX as u64) as i64,
            };
        }
        Ok(place(image.dimensions, coordinates))
    }

    /// Reads a level of detail that is an integer, which is 0 if the message does not have it.
    fn level(&self, lod: Option<Raw>, lane: u32, bytes: u32) -> Result<u32> {
        let Some(lod) = lod.filter(|lod| !lod.is_null()) else { return Ok(0) };
        let level = self.required_raw(lod, lane * bytes, bytes, "lod", "the level of detail")?;
        Ok(level.try_into().unwrap_or(u32::MAX))
    }

    /// Reads a channel of a texel as an element of some bytes.
    fn load_channel(
        &mut self,
        image: &Image,
        texel: [u32; 3],
        channel: usize,
        bytes: u32,
    ) -> Result<Value> {
        match self.load_memory_channel(image, texel, channel)? {
            Some(value) => Ok(image.format.load(value, bytes)?),
            None => Ok(image.format.absent(channel, bytes)?),
        }
    }

    /// Reads a channel of a texel as it is in memory; `None` if the format does not have it.
    fn load_memory_channel(
        &mut self,
        image: &Image,
        texel: [u32; 3],
        channel: usize,
    ) -> Result<Option<Value>> {
        let Some(offset) = image.format.channel_offset(channel) else { return Ok(None) };
        let address = image.texel(texel).saturating_add(offset.into());
        self.load(Space::Flat, address, image.format.channel_bytes(), 1).map(Some)
    }
}

/// Returns the image that a surface is.
fn image(surface: &Surface) -> Result<&Image> {
    let image = any_image(surface)?;
    match image.samples {
        1 => Ok(image),
        samples => Err(FaultKind::not_modelled(format!("an image with {samples} samples")).into()),
    }
}

/// Returns the image that a surface is, with any number of samples.
fn any_image(surface: &Surface) -> Result<&Image> {
    match surface {
        Surface::Image(image) => match image.problem() {
            Some(problem) => Err(FaultKind::Malformed(problem.into()).into()),
            None => Ok(image),
        },
        other => {
            let what = format!("the surface is {}, not an image", other.kind());
            Err(FaultKind::Malformed(what).into())
        }
    }
}

/// Returns the image of texels that a surface is: not one with several planes.
fn texels(surface: &Surface) -> Result<&Image> {
    let image = image(surface)?;
    match image.planes.is_empty() {
        true => Ok(image),
        false => Err(FaultKind::not_modelled("a texel of an image with several planes").into()),
    }
}

/// Returns u, v and r as x, y and z. The index in an array counts as z.
fn place<T: Default + Copy>(dimensions: Dimensions, [u, v, r]: [T; 3]) -> [T; 3] {
    match dimensions {
        Dimensions::D1Array => [u, T::default(), v],
        _ => [u, v, r],
    }
}

/// Returns the texel at a place; `None` if the place is outside of the image.
fn inside(image: &Image, place: Place) -> Option<[u32; 3]> {
    let mut texel = [0; 3];
    for ((texel, coordinate), size) in texel.iter_mut().zip(place).zip(image.size()) {
        *texel = u32::try_from(coordinate).ok().filter(|coordinate| *coordinate < size)?;
    }
    Some(texel)
}

/// Makes what follows the elements of each channel in its last register undefined, as the pages of GATHER4_TYPED and
/// 3D_SAMPLE state.
fn undefine_rest(cx: &mut Context<'_>, dst: Raw, exec: Exec, bytes: u32, channels: u32) {
    const STEP: u32 = 2;
    let used = exec.size.lanes() as u32 * bytes;
    let pitch = used.next_multiple_of(cx.register_bytes());
    let undefined = Value { bits: 0, undefined: low_bits(STEP * 8) };
    for start in (0..channels).map(|position| position * pitch) {
        for at in (used..pitch).step_by(STEP as usize) {
            // A variable may end before.
            if cx.write_raw(dst, start + at, STEP, undefined, "dst").is_err() {
                return;
            }
        }
    }
}

/// Returns the fault of an access outside of an image.
fn outside(image: &Image, access: &'static str, [x, y, z]: Place) -> FaultKind {
    let offset = x
        .saturating_mul(image.format.bytes().into())
        .saturating_add(y.saturating_mul(image.row_pitch.into()))
        .saturating_add(z.saturating_mul(image.slice_pitch.into()));
    let [width, height, depth] = image.size();
    FaultKind::OutsideMemory {
        access,
        address: image.address.wrapping_add(offset as u64),
        size: image.format.bytes(),
        near: format!("texel ({x}, {y}, {z}) of an image of {width} x {height} x {depth} texels"),
    }
}

/// Returns the channels of a mask, 0 to 3.
fn channels(mask: genvisa::operand::ChannelMask) -> Vec<usize> {
    (0..4).filter(|channel| mask.bits() >> channel & 1 != 0).collect()
}
