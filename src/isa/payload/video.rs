//! Payloads of video analytics and motion estimation. The manual has no pages for video analytics.

use super::{Payload, Sizes};
use crate::operand::va::{ErodeDilateMode, FilterExecMode, LbpMode, OutputFormat};

impl Sizes {
    pub(super) fn convolved(self, mode: FilterExecMode) -> Option<Payload> {
        Some(self.elements(pixels(mode)?))
    }

    /// Returns the result of a convolution, whose mode is in the low bits of its properties.
    pub(super) fn convolved_by(self, properties: u8) -> Option<Payload> {
        self.convolved(FilterExecMode::from_low_bits(properties & 3))
    }

    /// Returns 16 pairs of words, which modes of fewer pixels may not have.
    pub(super) fn pixel_offsets(self, mode: FilterExecMode) -> Payload {
        if mode == FilterExecMode::B16X1 { self.block(64) } else { self.part_of(64) }
    }

    pub(super) fn binary_patterns(self, mode: LbpMode) -> Option<Payload> {
        match mode {
            LbpMode::BOTH => Some(self.elements(128)),
            LbpMode::B3X3 | LbpMode::B5X5 => Some(self.elements(64)),
            _ => None,
        }
    }

    /// Returns the result of a min-max filter: the minimum and the maximum of each pixel.
    pub(super) fn filtered(self, format: OutputFormat, mode: FilterExecMode) -> Option<Payload> {
        let size = match format {
            OutputFormat::FULL_16 => 4,
            OutputFormat::DOWN_SAMPLE_16 | OutputFormat::FULL_8 => 2,
            OutputFormat::DOWN_SAMPLE_8 => 1,
            _ => return None,
        };
        let bytes = match pixels(mode)? {
            1 => 4,
            pixels => pixels * size,
        };
        Some(Payload::block(bytes))
    }

    /// Returns the result of erosion or dilation, with a bit per pixel.
    pub(super) fn bit_image(self, mode: ErodeDilateMode) -> Option<Payload> {
        let bits = match mode {
            ErodeDilateMode::B64X4 => 256,
            ErodeDilateMode::B32X4 => 128,
            ErodeDilateMode::B64X1 => 64,
            ErodeDilateMode::B32X1 => 32,
            _ => return None,
        };
        Some(Payload::block(bits / 8))
    }

    /// Returns the input of an integer search. The finalizer sends less if nothing streams in.
    pub(super) fn ime_input(self, stream_mode: u8, search_ctrl: u8) -> Payload {
        match (stream_mode, search_ctrl) {
            (0, _) => self.block(64),
            (1, DUAL_REFERENCE) => self.part_of(192),
            (1, _) => self.part_of(128),
            (_, DUAL_REFERENCE) => self.block(192),
            _ => self.block(128),
        }
    }

    /// Returns the output of an integer search. The finalizer receives less if nothing streams out.
    pub(super) fn ime_output(self, stream_mode: u8, search_ctrl: u8) -> Payload {
        match (stream_mode, search_ctrl) {
            (0, _) => self.block(224),
            (2, DUAL_REFERENCE) => self.part_of(352),
            (2, _) => self.part_of(288),
            (_, DUAL_REFERENCE) => self.block(352),
            _ => self.block(288),
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

/// The search control for two references. The page numbers the four values from 0 to 3, and readers
/// accept 0, 1, 3 and 7.
pub(crate) const DUAL_REFERENCE: u8 = 7;
