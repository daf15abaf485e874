//! Typed messages of the data port (GATHER4_TYPED.md, SCATTER4_TYPED.md, TYPED_ATOMIC.md).

use genvisa::isa::{Gather4Typed, Scatter4Typed, TypedAtomic};
use genvisa::operand::{AtomicOp, ChannelMask, Exec, Raw};

use super::{Coordinate, Place, Space, channels, inside, texels, undefine_rest};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::message::memory::access::{Source, Written};
use crate::message::memory::atomics::Update;
use crate::number::low_bits;
use crate::surface::Image;
use crate::value::{Value, set_bits};

/// The size of an element in registers.
const ELEMENT: u32 = 4;

/// What an enabled lane accesses.
pub(super) struct Access {
    pub lane: u32,
    /// The level of the image; `None` if it does not exist.
    level: Option<Image>,
    place: Place,
}

impl Access {
    /// Returns the level and the texel; `None` if it is outside of the image.
    fn texel(&self) -> Option<(&Image, [u32; 3])> {
        let level = self.level.as_ref()?;
        Some((level, inside(level, self.place)?))
    }

    /// Returns the fault of an access outside of the image.
    pub fn outside(&self, image: &Image, access: &'static str) -> FaultKind {
        super::outside(self.level.as_ref().unwrap_or(image), access, self.place)
    }
}

/// Reads the coordinates of enabled lanes.
pub(super) fn accesses(
    cx: &Context<'_>,
    image: &Image,
    lanes: u32,
    operands: [Coordinate; 3],
    lod: Raw,
    bytes: u32,
) -> Result<Vec<Access>> {
    let place = |lane: u32| {
        let level = image.level(cx.level(Some(lod), lane, bytes)?);
        Ok(Access { lane, level, place: cx.coordinates(image, operands, lane, bytes)? })
    };
    let places = set_bits(lanes).map(|lane| lane as u32);
    places
        .map(|lane| place(lane).map_err(|problem: crate::fault::Problem| problem.lane(lane)))
        .collect()
}

/// GATHER4_TYPED: reads channels of texels; each channel begins at a register. Outside of the image, alpha
/// is 1, and the other channels are 0.
pub(super) fn gather4_typed(cx: &mut Context<'_>, i: &Gather4Typed) -> Result<()> {
    let lanes = cx.enabled(i.exec, i.pred)?;
    let image = texels(cx.surface_of(i.surface)?)?;
    let operands = [("u", Some(i.u)), ("v", Some(i.v)), ("r", Some(i.r))];
    let accesses = accesses(cx, image, lanes, operands, i.lod, ELEMENT)?;
    load_channels(cx, &accesses, i.exec, i.channels, i.dst, |_, channel| {
        image.format.absent(channel, ELEMENT)
    })?;
    if lanes != 0 {
        undefine_rest(cx, i.dst, i.exec, ELEMENT, channels(i.channels).len() as u32);
    }
    Ok(())
}

/// SCATTER4_TYPED: writes channels of texels. Outside of the image, it writes nothing.
pub(super) fn scatter4_typed(cx: &mut Context<'_>, i: &Scatter4Typed) -> Result<()> {
    let lanes = cx.enabled(i.exec, i.pred)?;
    let image = texels(cx.surface_of(i.surface)?)?;
    let operands = [("u", Some(i.u)), ("v", Some(i.v)), ("r", Some(i.r))];
    let mut accesses = accesses(cx, image, lanes, operands, i.lod, ELEMENT)?;
    accesses.retain(|access| access.texel().is_some());
    store_channels(cx, image, &accesses, i.exec, i.channels, (i.src, "src"))
}

/// Reads channels of texels as dwords. `outside` returns what a channel outside of the image is.
pub(super) fn load_channels(
    cx: &mut Context<'_>,
    accesses: &[Access],
    exec: Exec,
    mask: ChannelMask,
    dst: Raw,
    outside: impl Fn(&Access, usize) -> std::result::Result<Value, FaultKind>,
) -> Result<()> {
    let pitch = channel_pitch(cx, exec);
    for access in accesses {
        let lane = access.lane;
        for (position, channel) in (0..).zip(channels(mask)) {
            let value = match access.texel() {
                Some((level, texel)) => cx.load_channel(level, texel, channel, ELEMENT),
                None => outside(access, channel).map_err(Into::into),
            };
            let value = value.map_err(|problem| problem.lane(lane))?;
            cx.write_raw(dst, position * pitch + lane * ELEMENT, ELEMENT, value, "dst")?;
        }
    }
    Ok(())
}

/// Writes channels of texels that are inside of an image. Channels that the format does not have are
/// ignored.
pub(super) fn store_channels(
    cx: &mut Context<'_>,
    image: &Image,
    accesses: &[Access],
    exec: Exec,
    mask: ChannelMask,
    (src, field): (Raw, &'static str),
) -> Result<()> {
    let pitch = channel_pitch(cx, exec);
    let mut written = Vec::new();
    for access in accesses {
        let lane = access.lane;
        let Some((level, texel)) = access.texel() else {
            let kind = access.outside(image, "writes");
            return Err(crate::fault::Problem::from(kind).lane(lane));
        };
        for (position, channel) in (0..).zip(channels(mask)) {
            let Some(offset) = image.format.channel_offset(channel) else { continue };
            let at = position * pitch + lane * ELEMENT;
            let element = cx.read_raw(src, at, ELEMENT, field)?;
            written.push(Written {
                lane,
                address: level.texel(texel).saturating_add(offset.into()),
                size: image.format.channel_bytes(),
                value: image.format.store(element, ELEMENT)?,
                source: Source { field, operand: src, offset: at, size: ELEMENT },
            });
        }
    }
    cx.store_all(Space::Flat, written, 1)
}

fn channel_pitch(cx: &Context<'_>, exec: Exec) -> u32 {
    (exec.size.lanes() as u32 * ELEMENT).next_multiple_of(cx.register_bytes())
}

/// TYPED_ATOMIC: replaces texels of one channel, lane by lane, and returns what they were. 16-bit operands
/// are in the low halves of dwords. Outside of the image, the result is 0.
pub(super) fn typed_atomic(cx: &mut Context<'_>, i: &TypedAtomic) -> Result<()> {
    let lanes = cx.enabled(i.exec, i.pred)?;
    let image = texels(cx.surface_of(i.surface)?)?;
    let operands = [("u", Some(i.u)), ("v", Some(i.v)), ("r", Some(i.r))];
    let Some(update) = Update::of_data_port(i.op.op()) else {
        return Err(FaultKind::InstructionNotModelled(format!("operation {}", i.op)).into());
    };
    let bytes = u32::from(i.op.width()) / 8;
    require_atomic(image, update, bytes)?;
    let accesses = accesses(cx, image, lanes, operands, i.lod, ELEMENT)?;
    // The first operand is the new value (DWORD_ATOMIC.md).
    let swaps = matches!(i.op.op(), AtomicOp::CMPXCHG | AtomicOp::FCMPWR);
    let sources = match swaps {
        true => [(i.src1, "src1"), (i.src0, "src0")],
        false => [(i.src0, "src0"), (i.src1, "src1")],
    };
    for access in accesses {
        let old = match access.texel() {
            Some(_) => atomic(cx, image, &access, update, bytes, sources)?,
            None => Value::default(),
        };
        cx.write_raw(i.dst, access.lane * ELEMENT, ELEMENT, old, "dst")?;
    }
    Ok(())
}

/// Requires that an image has texels of one channel, with the size and the kind of an atomic.
pub(super) fn require_atomic(image: &Image, update: Update, bytes: u32) -> Result<()> {
    let is_float = matches!(
        update,
        Update::FloatAdd
            | Update::FloatSubtract
            | Update::FloatMin
            | Update::FloatMax
            | Update::FloatCompareExchange
    );
    let moves = matches!(update, Update::Load | Update::Exchange | Update::CompareExchange);
    let format = image.format;
    let fits = if is_float { format.is_float() } else { moves || format.is_integer() };
    if format.channels() != 1 || format.channel_bytes() != bytes || !fits {
        let what = format!("this atomic of {bytes} bytes on format {format}");
        return Err(FaultKind::not_modelled(what).into());
    }
    Ok(())
}

/// Replaces the texel of a lane, and returns what it was. The sources are the operand, or what the texel is
/// compared with, and the value that replaces it then.
pub(super) fn atomic(
    cx: &mut Context<'_>,
    image: &Image,
    access: &Access,
    update: Update,
    bytes: u32,
    sources: [(Raw, &'static str); 2],
) -> Result<Value> {
    let lane = access.lane;
    let Some((level, texel)) = access.texel() else {
        let kind = access.outside(image, "reads and writes");
        return Err(crate::fault::Problem::from(kind).lane(lane));
    };
    let mut operands = [Value::default(); 2];
    for (operand, (raw, field)) in operands.iter_mut().zip(sources) {
        if !raw.is_null() {
            let Value { bits, undefined } = cx.read_raw(raw, lane * ELEMENT, ELEMENT, field)?;
            let part = low_bits(bytes * 8);
            *operand = Value { bits: bits & part, undefined: undefined & part };
        }
    }
    let [first, second] = operands;
    let source = |(operand, field)| Source { field, operand, offset: lane * ELEMENT, size: bytes };
    cx.replace(Space::Flat, level.texel(texel), bytes, &sources.map(source), |old| {
        update.apply(old, first, second, bytes, false)
    })
    .map_err(|problem| problem.lane(lane))
}
