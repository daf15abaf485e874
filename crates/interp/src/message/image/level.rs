//! The level of detail of a sample. The documentation of [`image`](super) says how it is computed.

use genvisa::isa::Param;

use super::cube;
use super::filter::{Sampling, number_of};
use super::sample::Operands;
use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::surface::{Dimensions, Image};

/// What the level of detail of a message depends on.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Detail {
    /// Nothing: the level is 0.
    Zero,
    /// Nothing, because the image has one level; a parameter has to be defined.
    OnlyLevel,
    /// The parameters of the message.
    Computed,
}

impl Detail {
    /// Returns what the level of a message depends on that samples an image.
    pub fn of(image: &Image) -> Detail {
        match image.levels {
            0 | 1 => Detail::OnlyLevel,
            _ => Detail::Computed,
        }
    }
}

/// The gradients of each coordinate.
const GRADIENTS: [[Param; 3]; 2] =
    [[Param::Dudx, Param::Dvdx, Param::Drdx], [Param::Dudy, Param::Dvdy, Param::Drdy]];

impl Operands<'_> {
    /// Returns the level of detail of a lane, which the image may not have.
    pub fn level_of_detail(
        &self,
        cx: &Context<'_>,
        message: &Sampling<'_>,
        detail: Detail,
        lane: u32,
    ) -> Result<f64> {
        if detail == Detail::Zero {
            return Ok(0.0);
        }
        let lod = self.number(cx, Param::Lod, lane)?;
        let bias = self.number(cx, Param::Bias, lane)?.unwrap_or(0.0);
        if bias.abs() > 16.0 {
            let what = format!("a bias of {bias}, which is not from -16 to 16");
            return Err(FaultKind::NotDefined(what).into());
        }
        let lod = match (lod, detail) {
            (_, Detail::OnlyLevel) => 0.0,
            (Some(lod), _) => lod,
            (None, _) => self.length(cx, message, lane)?.log2() + bias,
        };
        match lod.is_nan() {
            false => Ok(lod),
            true => {
                Err(FaultKind::NotDefined("a level of detail that is not a number".into()).into())
            }
        }
    }

    /// Returns the longer of the differences between texels of neighbouring pixels.
    fn length(&self, cx: &Context<'_>, message: &Sampling<'_>, lane: u32) -> Result<f64> {
        let differences = match self.get(Param::Dudx) {
            Some(_) => self.gradients(cx, lane)?,
            None => self.differences(cx, message.image, lane)?,
        };
        let differences = match message.image.dimensions {
            Dimensions::Cube => {
                let [u, v, r, _] = self.params(cx, message.image, lane)?;
                let [x, y] = differences.map(|difference| cube::derivative([u, v, r], difference));
                [x?, y?]
            }
            _ => differences,
        };
        let size = message.image.size().map(f64::from);
        let axes = message.image.dimensions.axes();
        let lengths = differences.map(|difference| {
            let texels = difference.into_iter().zip(size).take(axes);
            let scale = |(difference, size): (f64, f64)| match message.sampler.normalized {
                true => difference * size,
                false => difference,
            };
            texels.map(scale).map(|difference| difference * difference).sum::<f64>().sqrt()
        });
        Ok(lengths[0].max(lengths[1]))
    }

    /// Returns the parameters with the differences in x and in y.
    fn gradients(&self, cx: &Context<'_>, lane: u32) -> Result<[[f64; 3]; 2]> {
        let mut gradients = [[0.0; 3]; 2];
        for (numbers, params) in gradients.iter_mut().zip(GRADIENTS) {
            for (number, param) in numbers.iter_mut().zip(params) {
                *number = self.number(cx, param, lane)?.unwrap_or(0.0);
            }
        }
        Ok(gradients)
    }

    /// Returns the differences in x and in y between the pixels of a subspan of 2 x 2.
    fn differences(&self, cx: &Context<'_>, image: &Image, lane: u32) -> Result<[[f64; 3]; 2]> {
        let first = lane & !3;
        let [origin, right, below] =
            [first, first + 1, first + 2].map(|lane| self.params(cx, image, lane));
        let (origin, neighbours) = (origin?, [right?, below?]);
        Ok(neighbours.map(|place| [0, 1, 2].map(|axis| place[axis] - origin[axis])))
    }

    /// Reads a parameter that determines the level of detail; `None` if it is missing.
    fn number(&self, cx: &Context<'_>, param: Param, lane: u32) -> Result<Option<f64>> {
        let Some(operand) = self.get(param).filter(|operand| !operand.is_null()) else {
            return Ok(None);
        };
        let (bytes, field) = (self.bytes(cx)?, param.name());
        let bits = cx.required_raw(operand, lane * bytes, bytes, field, "the level of detail")?;
        Ok(Some(number_of(bits, bytes)?))
    }
}
