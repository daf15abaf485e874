//! Words of the language, which names must avoid.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
const ONLY_IN_REFERENCE: [&str; 29] = [
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

/// A set of words, put together when it is first asked for a word that could be one of them.
pub(super) struct Reserved {
    list: fn() -> Vec<String>,
    words: Vec<String>,
}

impl Reserved {
    /// The words that the reference keeps from being names.
    pub(super) fn in_reference() -> Reserved {
        Reserved { list: in_reference, words: Vec::new() }
    }

    /// The words that cannot be names in today's grammar.
    pub(super) fn today() -> Reserved {
        Reserved { list: today, words: Vec::new() }
    }

    pub(super) fn contains(&mut self, word: &str) -> bool {
        // Most names are those that tools give, a capital letter and a number.
        if word.starts_with(|ch: char| ch.is_ascii_uppercase()) {
            return UPPER_CASE.contains(&word);
        }
        if self.words.is_empty() {
            self.words = (self.list)();
            self.words.sort_unstable();
        }
        self.words.binary_search_by(|reserved| reserved.as_str().cmp(word)).is_ok()
    }
}

/// The words of both lists that begin with a capital letter.
const UPPER_CASE: [&str; 3] = ["FILE", "LOC", "RESERVED_0"];

fn owned<'w>(words: impl IntoIterator<Item = &'w str>) -> impl Iterator<Item = String> {
    words.into_iter().map(String::from)
}

fn mnemonics() -> impl Iterator<Item = &'static str> {
    SPEC.iter().map(|spec| spec.mnemonic)
}

fn svm() -> impl Iterator<Item = String> {
    Svm::SPEC.iter().map(|layout| format!("svm_{}", layout.mnemonic))
}

/// The operations of LSC messages, with or without those that came after the reference.
fn lsc(newest: LscOp) -> impl Iterator<Item = String> {
    let ops = LscOp::NAMED.iter().filter(move |op| **op <= newest);
    ops.filter_map(|op| op.name()).map(|name| format!("lsc_{name}"))
}

fn in_reference() -> Vec<String> {
    let mnemonics = mnemonics().filter(|mnemonic| !FREE_IN_REFERENCE.contains(mnemonic));
    let mut words: Vec<String> = owned(mnemonics).chain(owned(ONLY_IN_REFERENCE)).collect();
    words.extend(RESERVED_CODES.iter().map(|code| format!("reserved_{code}")));
    words.extend(svm().chain(lsc(LscOp::READ_STATE_INFO)));
    words
}

fn today() -> Vec<String> {
    let mut words: Vec<String> = owned(mnemonics()).chain(owned(ONLY_IN_REFERENCE)).collect();
    words.extend(owned(ONLY_TODAY).chain(svm()).chain(lsc(LscOp::LOAD_QUAD_STATUS)));
    words.extend(owned(SampleOp::NAMED.iter().filter_map(|op| op.name())));
    words.extend(owned(SamplerOp::NAMED.iter().filter_map(|op| op.name())));
    words
}
