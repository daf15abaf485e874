//! Payloads of video analytics and motion estimation. The manual has no pages for video analytics.

use super::{Payload, Payloads, Sizes};
use crate::isa::va::{Convolve, MinMaxFilter};
use crate::isa::va_skl_plus::{
    Convolve1Pixel, Convolve1dHorizontal, Convolve1dVertical, LbpCreation,
};
use crate::isa::{Va, VaSklPlus, VmeFbr, VmeIdm, VmeIme, VmeSic};
use crate::operand::va::{ErodeDilateMode, FilterExecMode, LbpMode, OutputFormat};

impl Payloads for Va {
    fn payload(&self, _: &str, sizes: Sizes) -> Option<Payload> {
        let bytes = match self {
            Va::Convolve(Convolve { properties, .. }) => {
                pixels(FilterExecMode::from_low_bits(properties & 3))? * sizes.element
            }
            Va::MinMax(_) => 32,
            Va::MinMaxFilter(i) => filter(i)?,
            Va::Erode(i) => bits(i.exec_mode)? / 8,
            Va::Dilate(i) => bits(i.exec_mode)? / 8,
            Va::BoolCentroid(_) => 16 * sizes.element,
            Va::Centroid(_) => 32 * sizes.element,
        };
        Some(Payload::block(bytes))
    }
}

impl Payloads for VaSklPlus {
    fn payload(&self, field: &str, sizes: Sizes) -> Option<Payload> {
        use VaSklPlus as V;
        let convolved = |mode| Some(Payload::block(pixels(mode)? * sizes.element));
        match self {
            V::Convolve1Pixel(Convolve1Pixel { mode, .. }) if field == "offsets" => {
                // 16 pairs of words. Other modes may have none.
                let offsets = Payload::block(64);
                Some(if *mode == FilterExecMode::B16X1 { offsets } else { offsets.at_most() })
            }
            V::HdcConvolve1Pixel(_) => Some(Payload::block(64)),
            V::Convolve1dVertical(Convolve1dVertical { mode, .. })
            | V::Convolve1dHorizontal(Convolve1dHorizontal { mode, .. })
            | V::Convolve1Pixel(Convolve1Pixel { mode, .. }) => convolved(*mode),
            V::FloodFill(_) if field == "pixel_mask_h_direction" => Some(Payload::block(20)),
            V::FloodFill(_) => Some(Payload::block(8 * sizes.element)),
            V::LbpCreation(LbpCreation { mode, .. }) => match *mode {
                LbpMode::BOTH => Some(Payload::block(128 * sizes.element)),
                LbpMode::B3X3 | LbpMode::B5X5 => Some(Payload::block(64 * sizes.element)),
                _ => None,
            },
            V::LbpCorrelation(_) => Some(Payload::block(64 * sizes.element)),
            // The finalizer receives the whole variable.
            V::CorrelationSearch(_) => None,
            _ => None,
        }
    }
}

/// Returns the number of pixels of a convolution; `None` for an unknown mode.
fn pixels(mode: FilterExecMode) -> Option<u32> {
    Some(match mode {
        FilterExecMode::B16X4 => 64,
        FilterExecMode::B16X1 => 16,
        FilterExecMode::B1X1 => 1,
        _ => return None,
    })
}

/// Returns the number of bytes of a min-max filter: the minimum and the maximum of each pixel.
fn filter(i: &MinMaxFilter) -> Option<u32> {
    let size = match i.cntrl {
        OutputFormat::FULL_16 => 4,
        OutputFormat::DOWN_SAMPLE_16 | OutputFormat::FULL_8 => 2,
        OutputFormat::DOWN_SAMPLE_8 => 1,
        _ => return None,
    };
    match pixels(i.exec_mode)? {
        1 => Some(4),
        pixels => Some(pixels * size),
    }
}

/// Returns the number of bits of erosion and dilation; `None` for an unknown mode.
fn bits(mode: ErodeDilateMode) -> Option<u32> {
    Some(match mode {
        ErodeDilateMode::B64X4 => 256,
        ErodeDilateMode::B32X4 => 128,
        ErodeDilateMode::B64X1 => 64,
        ErodeDilateMode::B32X1 => 32,
        _ => return None,
    })
}

/// The size of the input that all kinds of motion estimation have.
const UNIVERSAL: u32 = 128;

/// The search control for two references. The page numbers the four values from 0 to 3, and readers
/// accept 0, 1, 3 and 7.
pub(crate) const DUAL_REFERENCE: u8 = 7;

impl Payloads for VmeIme {
    fn payload(&self, field: &str, _: Sizes) -> Option<Payload> {
        let (input, output) = match (self.stream_mode, self.search_ctrl) {
            (0, _) => (64, 224),
            (_, DUAL_REFERENCE) => (192, 352),
            _ => (128, 288),
        };
        Some(match field {
            "uni_input" => Payload::block(UNIVERSAL),
            // The finalizer sends less if nothing streams in, and receives less if nothing streams
            // out.
            "ime_input" if self.stream_mode == 1 => Payload::block(input).at_most(),
            "output" if self.stream_mode == 2 => Payload::block(output).at_most(),
            "ime_input" => Payload::block(input),
            "output" => Payload::block(output),
            "cost_center" => Payload::block(32),
            _ => Payload::block(4),
        })
    }
}

macro_rules! vme {
    ($($name:ident $input:literal $output:literal),*) => {$(
        impl Payloads for $name {
            fn payload(&self, field: &str, _: Sizes) -> Option<Payload> {
                Some(Payload::block(match field {
                    "uni_input" => UNIVERSAL,
                    "output" => $output,
                    _ => $input,
                }))
            }
        }
    )*};
}

vme!(VmeSic 128 224, VmeFbr 128 224, VmeIdm 32 512);
