//! Words of the language, which names must avoid.

use super::mnemonics::{WORDS, prefix};
use crate::isa::{Dialects, SPEC, Spec, Svm};
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

/// Words of the reference's list that are in capitals.
const IN_CAPITALS: [&str; 3] = ["FILE", "LOC", "RESERVED_0"];

/// The codes of the rows that the reference calls `reserved_` and the code.
const RESERVED_CODES: [&str; 21] = [
    "3B", "3D", "3E", "3F", "53", "58", "5e", "61", "62", "63", "64", "65", "66", "76", "77", "88",
    "8c", "8d", "8e", "8f", "90",
];

/// Words of today's grammar that are not in the other lists.
const ONLY_TODAY: [&str; 6] = ["breakpoint", "invm", "load_l", "rsqtm", "shfl_idx4", "surf"];

/// Whether the reference keeps a word from being a name.
pub(super) fn is_in_reference(word: &[u8]) -> bool {
    if let Some(code) = word.strip_prefix(b"reserved_") {
        return is_in(RESERVED_CODES, code);
    }
    let is_later = |spec: &&Spec| spec.dialects == Dialects::Igc2026;
    is_message(word, LscOp::READ_STATE_INFO)
        || could_be(word)
            && is_common(word)
            && !is_in(FREE_IN_REFERENCE, word)
            && !is_in(SPEC.iter().filter(is_later).map(|spec| spec.mnemonic), word)
}

/// Whether a word cannot be a name in today's grammar.
pub(super) fn is_today(word: &[u8]) -> bool {
    is_message(word, LscOp::LOAD_QUAD_STATUS)
        || could_be(word)
            && (is_common(word)
                || is_in(ONLY_TODAY, word)
                || is_in(WORDS.iter().map(|(word, _)| *word), word))
}

/// Whether a word is in both lists, or free in the reference's.
fn is_common(word: &[u8]) -> bool {
    is_in(SPEC.iter().map(|spec| spec.mnemonic), word)
        || is_in(IN_CAPITALS, word)
        || is_in(ONLY_IN_REFERENCE, word)
}

/// Whether a word is an operation of SVM or LSC messages, with or without those that came after the
/// reference.
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
    // Most words differ in the first byte: do not call `memcmp` for these.
    words
        .into_iter()
        .any(|other| other.as_bytes().first() == word.first() && other.as_bytes() == word)
}

/// Whether a word of the lists begins like this one and is as long: most names are seen to be free
/// without a look at the lists.
fn could_be(word: &[u8]) -> bool {
    word.first().is_some_and(|first| LENGTHS[usize::from(*first)] & length(word) != 0)
}

/// Takes note of the words of a list.
macro_rules! note {
    ($lengths:ident, $list:expr, $item:ident => $word:expr) => {
        let mut i = 0;
        while i < $list.len() {
            let $item = $list[i];
            let word: &str = $word;
            let word = word.as_bytes();
            if let Some(first) = word.first() {
                $lengths[*first as usize] |= length(word);
            }
            i += 1;
        }
    };
}

/// Of each first byte, the lengths of words.
static LENGTHS: [u64; 256] = {
    let mut lengths = [0; 256];
    note!(lengths, SPEC, spec => spec.mnemonic);
    note!(lengths, IN_CAPITALS, word => word);
    note!(lengths, ONLY_IN_REFERENCE, word => word);
    note!(lengths, ONLY_TODAY, word => word);
    note!(lengths, WORDS, word => word.0);
    lengths
};

/// A word's length as a bit.
const fn length(word: &[u8]) -> u64 {
    1 << (word.len() % 64)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn mnemonics(dialects: fn(Dialects) -> bool) -> impl Iterator<Item = &'static str> {
        let specs = SPEC.iter().filter(move |spec| dialects(spec.dialects));
        specs.map(|spec| spec.mnemonic)
    }

    #[test]
    fn words_are_reserved_where_they_are_words() {
        let both = IN_CAPITALS.iter().chain(&ONLY_IN_REFERENCE).copied();
        let both = both.chain(mnemonics(|dialects| dialects != Dialects::Igc2026));
        for word in both.chain(["svm_gather", "lsc_load"]) {
            assert!(is_today(word.as_bytes()), "{word}");
            let is_free = FREE_IN_REFERENCE.contains(&word);
            assert_eq!(is_in_reference(word.as_bytes()), !is_free, "{word}");
        }
        let later = mnemonics(|dialects| dialects == Dialects::Igc2026);
        let words = WORDS.iter().map(|(word, _)| *word);
        let words = words.filter(|word| !IN_CAPITALS.contains(word));
        let today =
            ONLY_TODAY.into_iter().chain(words).chain(later).chain(["lsc_load_quad_status"]);
        for word in today.filter(|word| !mnemonics(|e| e != Dialects::Igc2026).any(|m| m == *word))
        {
            assert!(is_today(word.as_bytes()), "{word}");
            assert!(!is_in_reference(word.as_bytes()), "{word}");
        }
        assert!(is_in_reference(b"reserved_3B") && !is_today(b"reserved_3B"));
        for word in ["", "V32", "moves", "mow", "svm_", "lsc_", "reserved_", "file_", "\u{e9}"] {
            assert!(!is_today(word.as_bytes()) && !is_in_reference(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn no_word_stands_in_two_lists() {
        let lists = IN_CAPITALS.iter().chain(&ONLY_IN_REFERENCE).chain(&ONLY_TODAY).copied();
        let rows = WORDS.iter().map(|(word, _)| *word);
        let rows = rows.filter(|word| !mnemonics(|_| true).any(|mnemonic| mnemonic == *word));
        let rows = rows.filter(|word| !IN_CAPITALS.contains(word));
        let mut words: Vec<&str> = lists.chain(rows).chain(mnemonics(|_| true)).collect();
        words.sort_unstable();
        let twice: Vec<&[&str]> = words.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
