//! The words that begin an instruction, from the instruction table.

use alloc::string::String;
use alloc::vec::Vec;

use super::items::{self, Word};
use crate::isa::{Svm, instruction_table, mnemonic};
use crate::operand::lsc::LscOp;

/// What precedes the operation of a family.
#[rustfmt::skip]
macro_rules! prefix {
    (Svm) => { "svm_" };
    (Va) => { "va." };
    (VaSklPlus) => { "va_skl_plus." };
    (Lsc) => { "lsc_" };
}

pub(super) use prefix;

/// Labels and subroutines have neither a mnemonic nor another word.
#[rustfmt::skip]
macro_rules! row_words {
    ($mnemonic:expr, (family)) => { &[] };
    ($mnemonic:expr, $body:tt) => { &[$mnemonic] };
    ($mnemonic:expr, $body:tt, [$word:literal $($items:tt)*]) => { &[$word] };
    ($mnemonic:expr, $body:tt, [@ $($items:tt)*]) => { &[$mnemonic] };
    ($mnemonic:expr, $body:tt, [{@ $item:ident $($field:ident)?} $($items:tt)*]) => {
        <items::$item as Word<_>>::WORDS
    };
    ($mnemonic:expr, $body:tt, [$first:tt $($items:tt)*]) => {
        row_words!($mnemonic, $body, [$($items)*])
    };
    ($mnemonic:expr, $body:tt, []) => { &[] };
}

macro_rules! instruction_words {
    ($(
        $(#[$doc:meta])*
        $op:literal $([$existence:ident])? $name:ident $($mnemonic:literal)? $method:ident $body:tt
        is $kind:ident $(($signature:ident))?
        $(as $text:tt)?
    )*) => {
        const ROWS: &[(&[&str], u8)] = &[
            $((row_words!(mnemonic!($($mnemonic)? $method), $body $(, $text)?), $op)),*
        ];
    };
}

instruction_table!(instruction_words);

const COUNT: usize = {
    let (mut count, mut row) = (0, 0);
    while row < ROWS.len() {
        count += ROWS[row].0.len();
        row += 1;
    }
    count
};

/// Each word and the opcode of its row, without the operations of families.
pub(super) static WORDS: [(&str, u8); COUNT] = {
    let mut words = [("", 0); COUNT];
    let (mut count, mut row) = (0, 0);
    while row < ROWS.len() {
        let (mut i, (row_words, opcode)) = (0, ROWS[row]);
        while i < row_words.len() {
            words[count] = (row_words[i], opcode);
            (count, i) = (count + 1, i + 1);
        }
        row += 1;
    }
    words
};

/// The opcode of the row that a word begins.
pub(super) fn opcode_of(word: &str) -> Option<u8> {
    // Most words differ in the first byte: do not call `memcmp` for these.
    let first = word.as_bytes().first();
    let mut same_first = WORDS.iter().filter(|(other, _)| other.as_bytes().first() == first);
    same_first.find(|(other, _)| *other == word).map(|(_, opcode)| *opcode)
}

/// Every word, for suggestions.
pub(super) fn all() -> Vec<String> {
    let rows = WORDS.iter().map(|(word, _)| String::from(*word));
    let svm = Svm::SPEC.iter().map(|layout| String::from(prefix!(Svm)) + layout.mnemonic);
    let lsc = LscOp::NAMED.iter().filter_map(|op| op.name());
    rows.chain(svm).chain(lsc.map(|op| String::from(prefix!(Lsc)) + op)).collect()
}
