//! Words of the language, which names must avoid.

use crate::isa::{SPEC, SampleOp, SamplerOp, Svm};
use crate::operand::lsc::LscOp;

/// Rows that the reference's list of words calls something else, or not at all: they are free.
const FREE_IN_REFERENCE: [&str; 7] = [
    "sampler_cache_flush",
    "sample_3d",
    "load_3d",
    "gather4_3d",
    "info_3d",
    "rt_write_3d",
    "urb_write_3d",
];

/// Words of the reference's list that are not mnemonics of the table.
const ONLY_IN_REFERENCE: [&str; 31] = [
    "FILE",
    "LOC",
    "arg",
    "bss",
    "bti",
    "flat",
    "ss",
    "samplr_cache_flush",
    "va_convolve_2d",
    "va_minmax",
    "va_minmaxfilter",
    "va_erode",
    "va_dilate",
    "va_boolcentroid",
    "va_centroid",
    "va_convolve_1d_v",
    "va_convolve_1d_h",
    "va_convolve_1pixel",
    "va_floodfill",
    "va_lbpcreation",
    "va_lbpcorrelation",
    "va_correlationsearch",
    "va_hdc_convolve_2d",
    "va_hdc_minmaxfilter",
    "va_hdc_erode",
    "va_hdc_dilate",
    "va_hdc_lbpcorrelation",
    "va_hdc_lbpcreation",
    "va_hdc_convolve_1d_h",
    "va_hdc_convolve_1d_v",
    "va_hdc_convolve_1pixel",
];

/// The codes of the rows that the reference calls `reserved_` and the code.
const RESERVED_CODES: [&str; 21] = [
    "3B", "3D", "3E", "3F", "53", "58", "5e", "61", "62", "63", "64", "65", "66", "76", "77", "88",
    "8c", "8d", "8e", "8f", "90",
];

/// Words of today's grammar that neither list has.
const ONLY_TODAY: [&str; 14] = [
    "min",
    "max",
    "fccall",
    "fence_global",
    "fence_local",
    "fence_sw",
    "raw_sendc",
    "raw_sendsc",
    "raw_sends_eot",
    "raw_sendsc_eot",
    "resinfo",
    "sampleinfo",
    "surf",
    "sample_3d",
];

/// Operations of LSC messages that came after the reference.
fn is_new(op: LscOp) -> bool {
    op > LscOp::READ_STATE_INFO
}

fn is_lsc(word: &str, with_new: bool) -> bool {
    let Some(name) = word.strip_prefix("lsc_") else { return false };
    let mut ops = LscOp::NAMED.iter().filter(|op| with_new || !is_new(**op));
    ops.any(|op| op.name() == Some(name))
}

fn is_svm(word: &str) -> bool {
    let Some(name) = word.strip_prefix("svm_") else { return false };
    Svm::SPEC.iter().any(|layout| layout.mnemonic == name)
}

fn is_mnemonic(word: &str) -> bool {
    SPEC.iter().any(|spec| spec.mnemonic == word)
}

/// Whether the reference keeps a word from being a variable's name.
pub(super) fn in_reference(word: &str) -> bool {
    if let Some(code) = word.strip_prefix("reserved_") {
        return RESERVED_CODES.contains(&code);
    }
    is_mnemonic(word) && !FREE_IN_REFERENCE.contains(&word)
        || ONLY_IN_REFERENCE.contains(&word)
        || word == "RESERVED_0"
        || is_svm(word)
        || is_lsc(word, false)
}

/// Whether a word cannot be a name in today's grammar.
pub(super) fn today(word: &str) -> bool {
    is_mnemonic(word)
        || ONLY_TODAY.contains(&word)
        || ONLY_IN_REFERENCE.contains(&word)
        || is_svm(word)
        || is_lsc(word, true)
        || SampleOp::NAMED.iter().any(|op| op.name() == Some(word))
        || SamplerOp::NAMED.iter().any(|op| op.name() == Some(word))
}
