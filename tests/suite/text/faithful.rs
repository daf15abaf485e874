//! The faithful style loses nothing: what differs in the file differs in the text.

mod instructions;
pub mod plain;
mod tables;

use genvisa::{Format, Version};

/// Both sides of the gates that text depends on.
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
