//! Printers of the items that a row writes in braces: text that is not a field after a separator.

mod control;
mod lsc;
mod memory;
mod sampler;
mod video;

pub(super) use control::*;
pub(super) use lsc::{LSC_CHANNELS, class_in_text};
pub(super) use memory::*;
pub(super) use sampler::*;
pub(super) use video::*;

/// The words that begin an instruction without being the mnemonic of its row, and the opcode of the
/// row. The operations of the sampler, SVM and LSC messages are such words, too.
pub(super) const OTHER_WORDS: [(&str, u8); 17] = [
    ("min", 0x45),
    ("max", 0x45),
    ("fence_global", 0x5c),
    ("fence_local", 0x5c),
    ("fence_sw", 0x5c),
    ("raw_sendc", 0x5d),
    ("raw_sends_eot", 0x7a),
    ("raw_sendsc", 0x7a),
    ("raw_sendsc_eot", 0x7a),
    ("raw_sendg_eot", 0x93),
    ("raw_sendgc", 0x93),
    ("raw_sendgc_eot", 0x93),
    ("fccall", 0x33),
    ("resinfo", 0x70),
    ("sampleinfo", 0x70),
    ("FILE", 0x51),
    ("LOC", 0x52),
];
