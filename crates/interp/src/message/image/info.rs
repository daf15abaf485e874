//! INFO: the size of an image, and its number of samples (INFO.md).

use genvisa::isa::{Info, InfoOp};

use super::{any_image, channels};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::surface::{Dimensions, Image};
use crate::value::{Value, set_bits};

/// RESINFO and SAMPLEINFO: a dword per lane for each channel of the mask, each in its own registers. Dialect
/// `Manual` has no mask, and all four channels.
pub(super) fn info(cx: &mut Context<'_>, i: &Info) -> Result<()> {
    let lanes = cx.unmasked(i.exec);
    let image = any_image(cx.surface_of_state(i.surface)?)?;
    let pitch = (i.exec.size.lanes() as u32 * 4).next_multiple_of(cx.register_bytes());
    for lane in set_bits(lanes).map(|lane| lane as u32) {
        let result = match i.op() {
            InfoOp::ResInfo => {
                let level = cx.level(i.lod, lane, 4).map_err(|problem| problem.lane(lane))?;
                size(image, level).map(|number| Value::defined(number.into()))
            }
            InfoOp::SampleInfo => samples(image)?,
        };
        for (position, channel) in (0..).zip(channels(i.channels)) {
            cx.write_raw(i.dst, position * pitch + lane * 4, 4, result[channel], "dst")?;
        }
    }
    Ok(())
}

/// Returns the channels of resinfo. The size of a level that does not exist is 0.
fn size(image: &Image, level: u32) -> [u32; 4] {
    let [width, height, depth] = image.level(level).map_or([0; 3], |level| level.size());
    match image.dimensions {
        Dimensions::D1 => [width, 0, 0, image.levels],
        Dimensions::D1Array => [width, depth, 0, image.levels],
        Dimensions::D2 => [width, height, 0, image.levels],
        Dimensions::D2Array | Dimensions::D3 => [width, height, depth, image.levels],
        Dimensions::Cube => [width, height, depth / Dimensions::CUBE_FACES, image.levels],
    }
}

/// Returns the channels of sampleinfo: the number of samples. The page defines the palette of sample
/// positions by no number.
fn samples(image: &Image) -> Result<[Value; 4]> {
    if image.dimensions != Dimensions::D2 {
        let what = format!("the number of samples of a {} image", image.dimensions.name());
        return Err(FaultKind::NotDefined(what).into());
    }
    let undefined = Value { bits: 0, undefined: u32::MAX.into() };
    Ok([Value::defined(image.samples.into()), undefined, undefined, undefined])
}
