//! The complete style is lossless: different files have different texts.

pub mod complete_text;
mod instructions;
mod parts;
mod tables;
mod undeclared;

use genvisa::{Format, Version};

/// Formats on both sides of the versions where text changes.
const FORMATS: [Format; 5] = [
    Format::igc2022(Version::V3_0),
    Format::igc2022(Version::V3_2),
    Format::igc2022(Version::V3_6),
    Format::igc2022(Version::V4_1),
    Format::igc2026(Version::V4_1),
];

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}
