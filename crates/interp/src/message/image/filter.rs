//! How samplers compute samples: address modes and filters.
//!
//! The rules are those of OpenCL (specification, 8.2; OpenCL C, 6.15.15). Texel offsets are added to the
//! indices of texels before the address mode applies.

use genvisa::operand::DataType;

use super::{cube, place};
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::number::{Float, low_bits};
use crate::surface::{ALPHA, AddressMode, Dimensions, Filter, Image, PixelFormat, Sampler};
use crate::value::Value;

/// A texel that contributes to a sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    /// The index of the level.
    level: usize,
    /// The texel; `None` for the border.
    texel: Option<[u32; 3]>,
    weight: f64,
}

/// The reference of a comparison.
pub(super) type Reference = Option<Value>;

/// What a message samples.
pub(super) struct Sampling<'a> {
    pub image: &'a Image,
    /// The levels of the image, of which there is at least one.
    pub levels: Vec<Image>,
    pub sampler: &'a Sampler,
    /// The offsets of texels in u, v and r.
    pub offsets: [i64; 3],
    /// The size of an element of the result, and of the reference.
    pub bytes: u32,
    pub reference_bytes: u32,
}

/// The two texels of a coordinate, and the weight of the second; `None` for the border.
type Pair = ([Option<u32>; 2], f64);

impl Sampling<'_> {
    /// Returns the texels of a sample at a level of detail, and their weights, which are not zero.
    pub fn taps(&self, coordinates: [f64; 3], lod: f64) -> Result<Vec<Tap>> {
        if self.sampler.level_filter == Filter::Nearest {
            return self.taps_of(coordinates, self.nearest(lod), 1.0);
        }
        let lod = self.clamped(lod);
        let (first, second) = (lod.floor(), lod.fract());
        let mut taps = self.taps_of(coordinates, first as usize, 1.0 - second)?;
        if second > 0.0 {
            taps.extend(self.taps_of(coordinates, first as usize + 1, second)?);
        }
        Ok(taps)
    }

    /// Returns a level of detail that the image has.
    pub fn clamped(&self, lod: f64) -> f64 {
        lod.clamp(0.0, (self.levels.len() - 1) as f64)
    }

    /// Returns the index of the nearest level.
    fn nearest(&self, lod: f64) -> usize {
        self.clamped((lod + 0.5).floor()) as usize
    }

    /// Returns the texels of a sample of a level, whose weights have a sum.
    fn taps_of(&self, coordinates: [f64; 3], level: usize, sum: f64) -> Result<Vec<Tap>> {
        if self.image.dimensions == Dimensions::Cube {
            return self.taps_of_cube(coordinates, level, sum);
        }
        let mut taps = vec![Tap { level, texel: Some([0; 3]), weight: sum }];
        for (axis, coordinate) in coordinates.into_iter().enumerate() {
            let (texels, second) = self.axis(level, axis, coordinate, self.sampler.filter)?;
            let mut product = Vec::with_capacity(taps.len() * 2);
            for (texel, weight) in texels.into_iter().zip([1.0 - second, second]) {
                for tap in &taps {
                    let weight = tap.weight * weight;
                    if weight > 0.0 {
                        let texel = at(tap.texel, axis, texel);
                        product.push(Tap { texel, weight, ..*tap });
                    }
                }
            }
            taps = product;
        }
        for tap in &mut taps {
            tap.texel = tap.texel.map(|texel| place(self.image.dimensions, texel));
        }
        Ok(taps)
    }

    /// Returns the texels of a sample of a level of a cube, whose weights have a sum.
    fn taps_of_cube(&self, [s, t, layer]: [f64; 3], level: usize, sum: f64) -> Result<Vec<Tap>> {
        let size = self.levels[level].width;
        let face = layer as u32 % Dimensions::CUBE_FACES;
        let first_face = layer as u32 - face;
        let [columns, rows] = [s, t].map(|coordinate| {
            let position = coordinate * f64::from(size);
            match self.sampler.filter {
                // The last texel includes the edge after it.
                Filter::Nearest => [(position.floor().min(f64::from(size - 1)), 1.0), (0.0, 0.0)],
                Filter::Linear => {
                    let first = (position - 0.5).floor();
                    let second = position - 0.5 - first;
                    [(first, 1.0 - second), (first + 1.0, second)]
                }
            }
        });
        let mut taps = Vec::with_capacity(4);
        for ((column, in_x), (row, in_y)) in
            columns.into_iter().flat_map(|column| rows.map(|row| (column, row)))
        {
            let weight = sum * in_x * in_y;
            if weight > 0.0 {
                let texels = cube::texels(face as usize, [column as i64, row as i64], size)?;
                let weight = weight / texels.len() as f64;
                taps.extend(texels.into_iter().map(|[x, y, face]| Tap {
                    level,
                    texel: Some([x, y, first_face + face]),
                    weight,
                }));
            }
        }
        Ok(taps)
    }

    /// Returns the four texels of the nearest level that a linear filter combines, in the order (0, 1), (1, 1), (1, 0),
    /// (0, 0).
    pub fn footprint(&self, coordinates: [f64; 3], lod: f64) -> Result<[Tap; 4]> {
        let [u, v, r] = coordinates;
        let level = self.nearest(lod);
        let (columns, _) = self.axis(level, 0, u, Filter::Linear)?;
        let (rows, _) = self.axis(level, 1, v, Filter::Linear)?;
        let ([slice, _], _) = self.axis(level, 2, r, Filter::Linear)?;
        Ok([(0, 1), (1, 1), (1, 0), (0, 0)].map(|(column, row)| {
            let texel = at(at(Some([0; 3]), 0, columns[column]), 1, rows[row]);
            Tap { level, texel: at(texel, 2, slice), weight: 1.0 }
        }))
    }

    /// Returns the texels of a coordinate in a level: the index in an array is rounded and clamped, and coordinates that
    /// the image does not have are 0.
    fn axis(&self, level: usize, axis: usize, coordinate: f64, filter: Filter) -> Result<Pair> {
        let dimensions = self.image.dimensions;
        if axis >= dimensions.coordinates() {
            return Ok(([Some(0); 2], 0.0));
        }
        if !coordinate.is_finite() {
            return Err(
                FaultKind::NotDefined(format!("a sample at coordinate {coordinate}")).into()
            );
        }
        if axis >= dimensions.axes() {
            let last = f64::from(self.image.depth - 1);
            let index = coordinate.round_ties_even().clamp(0.0, last) as u32;
            return Ok(([Some(index); 2], 0.0));
        }
        let (size, mode) = (self.levels[level].size()[axis], self.sampler.address[axis]);
        let repeats = matches!(mode, AddressMode::Repeat | AddressMode::MirroredRepeat);
        let position = match self.sampler.normalized {
            // Two images are a period of both modes. The remainder is exact.
            true if repeats => coordinate % 2.0 * f64::from(size),
            true => coordinate * f64::from(size),
            false if repeats => {
                let what = format!("address mode {} of coordinates in texels", mode.name());
                return Err(FaultKind::NotDefined(what).into());
            }
            false => coordinate,
        };
        // Far outside, all texels are those of the edge or of the border.
        let position = position.clamp(-FAR, FAR);
        let texel = |index: f64| mode.wrap(index as i64 + self.offsets[axis], size);
        Ok(match filter {
            Filter::Nearest => ([texel(position.floor()); 2], 0.0),
            Filter::Linear => {
                let first = (position - 0.5).floor();
                ([texel(first), texel(first + 1.0)], position - 0.5 - first)
            }
        })
    }

    /// Computes a channel of a sample.
    pub fn channel(&self, cx: &mut Context<'_>, taps: &[Tap], channel: usize) -> Result<Value> {
        // A copy keeps every bit.
        if let [tap] = taps {
            return self.texel(cx, *tap, channel);
        }
        let format = self.image.format;
        if format.is_integer() {
            return Err(FaultKind::NotDefined(format!("a linear filter on format {format}")).into());
        }
        let mut sum = Some(0.0);
        for tap in taps {
            let number = self.number(cx, *tap, channel)?;
            sum = sum.zip(number).map(|(sum, number)| sum + number * tap.weight);
        }
        self.result(sum)
    }

    /// Computes the red channel of a sample of comparisons: the sum of the weights of texels that the
    /// reference compares with.
    pub fn comparison(
        &self,
        cx: &mut Context<'_>,
        taps: &[Tap],
        reference: Value,
    ) -> Result<Value> {
        let mut sum = Some(0.0);
        for tap in taps {
            let result = self.compare(cx, *tap, 0, reference)?;
            sum = sum.zip(result).map(|(sum, result)| sum + result * tap.weight);
        }
        self.result(sum)
    }

    /// Compares a channel of a texel with a reference: 1 or 0; `None` if it is undefined.
    fn compare(
        &self,
        cx: &mut Context<'_>,
        tap: Tap,
        channel: usize,
        reference: Value,
    ) -> Result<Option<f64>> {
        let format = self.image.format;
        let Some(compare) = self.sampler.compare else {
            let what = "a comparison by a sampler without a comparison";
            return Err(FaultKind::NotDefined(what.into()).into());
        };
        if format.is_integer() {
            return Err(FaultKind::NotDefined(format!("a comparison on format {format}")).into());
        }
        if !reference.is_defined() {
            return Ok(None);
        }
        let reference = number_of(reference.bits, self.reference_bytes)?;
        if format.is_unorm() && !(0.0..=1.0).contains(&reference) {
            let what = format!("the comparison of {reference} with format {format}");
            return Err(FaultKind::not_modelled(what).into());
        }
        let texel = self.number(cx, tap, channel)?;
        Ok(texel.map(|texel| f64::from(u8::from(compare.holds(reference, texel)))))
    }

    /// Returns a channel of a texel of a footprint, or its comparison with a reference.
    pub fn gathered(
        &self,
        cx: &mut Context<'_>,
        tap: Tap,
        channel: usize,
        reference: Reference,
    ) -> Result<Value> {
        match reference {
            Some(reference) => {
                let result = self.compare(cx, tap, channel, reference)?;
                self.result(result)
            }
            None => self.texel(cx, tap, channel),
        }
    }

    /// Returns a channel of a texel as an element of the result.
    fn texel(&self, cx: &mut Context<'_>, tap: Tap, channel: usize) -> Result<Value> {
        let format = self.image.format;
        Ok(match tap.texel {
            Some(texel) => cx.load_channel(&self.levels[tap.level], texel, channel, self.bytes)?,
            None if format.channel_offset(channel).is_none() => {
                format.absent(channel, self.bytes)?
            }
            None => format.element(self.sampler.border[channel].into(), self.bytes)?,
        })
    }

    /// Returns a channel of a texel as a number; `None` if it is undefined.
    fn number(&self, cx: &mut Context<'_>, tap: Tap, channel: usize) -> Result<Option<f64>> {
        let format = self.image.format;
        let absent = if channel == ALPHA { 1.0 } else { 0.0 };
        let Some(texel) = tap.texel else {
            let border = self.sampler.border[channel].into();
            return Ok(Some(format.channel_offset(channel).map_or(absent, |_| border)));
        };
        match cx.load_memory_channel(&self.levels[tap.level], texel, channel)? {
            Some(value) => Ok(format.number(value)?),
            None => Ok(Some(absent)),
        }
    }

    /// Returns a number that is not from the image as an element of the result.
    pub fn element(&self, number: f64) -> Result<Value> {
        Ok(PixelFormat::R32Float.element(number, self.bytes)?)
    }

    /// Rounds a number to an element of the result.
    fn result(&self, number: Option<f64>) -> Result<Value> {
        let undefined = Value { bits: 0, undefined: low_bits(self.bytes * 8) };
        Ok(match number {
            Some(number) => self.image.format.element(number, self.bytes)?,
            None => undefined,
        })
    }
}

/// A coordinate outside of every image and all offsets.
const FAR: f64 = (1u64 << 40) as f64;

/// Sets a coordinate of a texel; `None` is the border.
fn at(texel: Option<[u32; 3]>, axis: usize, coordinate: Option<u32>) -> Option<[u32; 3]> {
    let (mut texel, coordinate) = texel.zip(coordinate)?;
    texel[axis] = coordinate;
    Some(texel)
}

/// Returns the number that an element of 2 or 4 bytes is.
pub(super) fn number_of(bits: u64, bytes: u32) -> std::result::Result<f64, FaultKind> {
    let ty = if bytes == 2 { DataType::HF } else { DataType::F };
    Ok(Float::from_bits(bits, ty)?.to_f64())
}
