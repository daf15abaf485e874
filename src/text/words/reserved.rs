//! Reserved words, which cannot be names.

use crate::isa::{Dialects, SPEC, Spec, Svm, prefix};
use crate::operand::lsc::LscOp;

/// Mnemonics of the table that are not reserved in GenX_IR.
const FREE_IN_GENX_IR: [&str; 7] = [
    "sampler_cache_flush",
    "sample_3d",
    "load_3d",
    "gather4_3d",
    "info_3d",
    "rt_write_3d",
    "urb_write_3d",
];

/// Words that are reserved in GenX_IR, and are not mnemonics of the table.
const NOT_MNEMONICS: [&str; 29] = [
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

/// Words in capitals that are reserved in GenX_IR.
const IN_CAPITALS: [&str; 3] = ["FILE", "LOC", "RESERVED_0"];

/// The codes of the words `reserved_` and a code that are reserved in GenX_IR.
const RESERVED_CODES: [&str; 21] = [
    "3B", "3D", "3E", "3F", "53", "58", "5e", "61", "62", "63", "64", "65", "66", "76", "77", "88",
    "8c", "8d", "8e", "8f", "90",
];

/// Words that are reserved only in the grammar of IGC.
const ONLY_IN_IGC: [&str; 14] = [
    "acos",
    "asin",
    "atan",
    "surf",
    "AVS_16_FULL",
    "AVS_16_DOWN_SAMPLE",
    "AVS_8_FULL",
    "AVS_8_DOWN_SAMPLE",
    "AVS_16x4",
    "AVS_16x8",
    "AVS_8x4",
    "AVS_8x8",
    "AVS_4x4",
    "AVS_4x8",
];

/// Mnemonics and reserved words that IGC accepts as names, because its grammar does not have them. It
/// also accepts mnemonics that need a suffix, and names that begin with `va_`.
const NAMES_IN_IGC: [&str; 15] = [
    "RESERVED_0",
    "fence",
    "file",
    "fminmax",
    "func",
    "gather4_3d",
    "info_3d",
    "label",
    "loc",
    "lsc_typed",
    "lsc_untyped",
    "samplr_cache_flush",
    "svm",
    "va",
    "vme_idm",
];

/// Returns whether GenX_IR does not have an instruction of these dialects.
fn is_later(dialects: Dialects) -> bool {
    matches!(dialects, Dialects::Igc2026 | Dialects::Text4_2)
}

/// Adds the lengths of the words of a list.
macro_rules! add_lengths {
    ($lengths:ident, $list:expr, $item:ident => $word:expr) => {
        let mut i = 0;
        while i < $list.len() {
            let $item = $list[i];
            let word: &str = $word;
            let word = word.as_bytes();
            if let Some(first) = word.first() {
                $lengths[*first as usize] |= length_bit(word);
            }
            i += 1;
        }
    };
}

/// The reserved words, including the words of the instruction table.
pub(in crate::text) struct Reserved {
    /// The words that rows begin with, and the opcodes of the rows.
    rows: &'static [(&'static str, u8)],
    /// Whether the mnemonic of an opcode needs a suffix.
    needs_suffix: fn(u8) -> bool,
    /// The lengths of reserved words by their first byte, as a set of bits.
    lengths: [u64; 256],
}

impl Reserved {
    /// Creates the set with the words that rows begin with.
    pub(in crate::text) const fn new(
        rows: &'static [(&'static str, u8)],
        needs_suffix: fn(u8) -> bool,
    ) -> Reserved {
        let mut lengths = [0; 256];
        add_lengths!(lengths, SPEC, spec => spec.mnemonic);
        add_lengths!(lengths, IN_CAPITALS, word => word);
        add_lengths!(lengths, NOT_MNEMONICS, word => word);
        add_lengths!(lengths, ONLY_IN_IGC, word => word);
        add_lengths!(lengths, rows, word => word.0);
        Reserved { rows, needs_suffix, lengths }
    }

    /// Returns whether a word is reserved in GenX_IR.
    pub(in crate::text) fn is_in_genx_ir(&self, word: &[u8]) -> bool {
        if let Some(code) = word.strip_prefix(b"reserved_") {
            return is_in(RESERVED_CODES, code);
        }
        let is_later = |spec: &&Spec| is_later(spec.dialects);
        is_message(word, LscOp::READ_STATE_INFO)
            || self.may_be_reserved(word)
                && is_common(word)
                && !is_in(FREE_IN_GENX_IR, word)
                && !is_in(SPEC.iter().filter(is_later).map(|spec| spec.mnemonic), word)
    }

    /// Returns whether a word is reserved in the grammar of IGC.
    pub(in crate::text) fn is_in_igc(&self, word: &[u8]) -> bool {
        is_message(word, LscOp::LOAD_QUAD_STATUS)
            || self.may_be_reserved(word)
                && (is_common(word)
                    || is_in(ONLY_IN_IGC, word)
                    || is_in(self.rows.iter().map(|(word, _)| *word), word))
    }

    /// Returns whether IGC rejects a word as a name. The printer avoids more words; see
    /// [`is_in_igc`](Self::is_in_igc).
    pub(in crate::text) fn is_rejected_in_igc(&self, word: &[u8]) -> bool {
        let with_suffix = self.rows.iter().filter(|(_, opcode)| (self.needs_suffix)(*opcode));
        self.is_in_igc(word)
            && !word.starts_with(b"va_")
            && !is_in(NAMES_IN_IGC, word)
            && !is_in(with_suffix.map(|(word, _)| *word), word)
    }

    /// Returns whether a reserved word has the first byte and the length of this one. Fast path: this
    /// excludes most names without a search.
    fn may_be_reserved(&self, word: &[u8]) -> bool {
        let lengths = word.first().map(|first| self.lengths[usize::from(*first)]);
        lengths.is_some_and(|lengths| lengths & length_bit(word) != 0)
    }
}

/// Returns whether a word is reserved in both, or in [`FREE_IN_GENX_IR`].
fn is_common(word: &[u8]) -> bool {
    is_in(SPEC.iter().map(|spec| spec.mnemonic), word)
        || is_in(IN_CAPITALS, word)
        || is_in(NOT_MNEMONICS, word)
}

/// Returns whether a word is an SVM message, or an LSC message with an operation up to the newest.
fn is_message(word: &[u8], newest: LscOp) -> bool {
    if let Some(op) = word.strip_prefix(prefix!(Svm).as_bytes()) {
        return is_in(Svm::SPEC.iter().map(|layout| layout.mnemonic), op);
    }
    word.strip_prefix(prefix!(Lsc).as_bytes()).is_some_and(|op| {
        let ops = LscOp::NAMED.iter().filter(|op| **op <= newest);
        is_in(ops.filter_map(|op| op.name()), op)
    })
}

fn is_in(words: impl IntoIterator<Item = &'static str>, word: &[u8]) -> bool {
    // Fast path: most words differ in the first byte, and `memcmp` is a call.
    words
        .into_iter()
        .any(|other| other.as_bytes().first() == word.first() && other.as_bytes() == word)
}

/// Returns the length of a word as a bit.
const fn length_bit(word: &[u8]) -> u64 {
    1 << (word.len() % 64)
}
