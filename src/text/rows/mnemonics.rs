//! The first words of instructions, from the instruction table.

use alloc::string::String;
use alloc::vec::Vec;

use super::row_items::row_items;
use crate::format::Dialect;
use crate::isa::{Svm, instruction_table, mnemonic, prefix};
use crate::operand::lsc::LscOp;
use crate::text::items::{self, Word};
use crate::text::words::{Reserved, WordMap};

/// The words of a row. Labels and subroutines have none.
#[rustfmt::skip]
macro_rules! row_words {
    ($mnemonic:expr, (family)) => { &[] };
    ($mnemonic:expr, $body:tt $(, $text:tt)?) => {
        row_items!(words_of_items [$mnemonic] $body $($text)?)
    };
}

#[rustfmt::skip]
macro_rules! words_of_items {
    ([$mnemonic:expr]) => { &[] };
    ([$mnemonic:expr] [mnemonic $(!)?] $($rest:tt)*) => { &[$mnemonic] };
    ([$mnemonic:expr] [word $word:literal] $($rest:tt)*) => { &[$word] };
    ([$mnemonic:expr] [word_of $word:ident $($field:ident)?] $($rest:tt)*) => {
        <items::$word as Word<_>>::WORDS
    };
    ([$mnemonic:expr] $first:tt $($rest:tt)*) => { words_of_items!([$mnemonic] $($rest)*) };
}

/// Whether blanks cannot separate the mnemonic of a row from its suffix.
#[rustfmt::skip]
macro_rules! has_suffix {
    () => { false };
    ($text:tt) => { row_items!(has_suffix_in [] {} $text) };
}

#[rustfmt::skip]
macro_rules! has_suffix_in {
    ([] $([pred])? [mnemonic !] $($rest:tt)*) => { true };
    ([] $($items:tt)*) => { false };
}

macro_rules! instruction_words {
    ($({
        $doc:tt $op:literal $dialects:tt $name:ident $words:tt $body:tt
        $kind:tt $on:tt $moves:tt [$($text:tt)?] [$($manual:tt)?]
    })*) => {
        const ROWS: &[(&[&str], u8)] = &[
            $((row_words!(mnemonic! $words, $body $(, $text)?), $op)),*
        ];

        /// Returns whether blanks cannot separate the mnemonic of an opcode from its suffix.
        pub(in crate::text) const fn needs_suffix(opcode: u8) -> bool {
            match opcode {
                $($op => has_suffix!($($text)?),)*
                _ => false,
            }
        }

        /// The rows that have another text in dialect `Manual`.
        const MANUAL_ROWS: &[(&[&str], u8)] = &[$($((row_words!("", $body, $manual), $op),)?)*];
    };
}

instruction_table!(instruction_words);

const fn count(rows: &[(&[&str], u8)]) -> usize {
    let (mut count, mut row) = (0, 0);
    while row < rows.len() {
        count += rows[row].0.len();
        row += 1;
    }
    count
}

const fn words<const COUNT: usize>(rows: &[(&[&'static str], u8)]) -> [(&'static str, u8); COUNT] {
    let mut words = [("", 0); COUNT];
    let (mut count, mut row) = (0, 0);
    while row < rows.len() {
        let (mut i, (row_words, opcode)) = (0, rows[row]);
        while i < row_words.len() {
            words[count] = (row_words[i], opcode);
            (count, i) = (count + 1, i + 1);
        }
        row += 1;
    }
    words
}

/// The words and the opcodes of their rows, without the operations of families.
static WORDS: [(&str, u8); count(ROWS)] = words(ROWS);

/// The words that cannot be names.
pub(in crate::text) static RESERVED: Reserved = Reserved::new(&WORDS, needs_suffix);

/// The words of dialect `Manual`, which ignores their case.
static MANUAL_WORDS: [(&str, u8); count(MANUAL_ROWS)] = words(MANUAL_ROWS);

fn manual_opcode_of(word: &str) -> Option<u8> {
    let mut words = MANUAL_WORDS.iter();
    words.find(|(other, _)| other.eq_ignore_ascii_case(word)).map(|(_, opcode)| *opcode)
}

fn is_manual_row(opcode: u8) -> bool {
    MANUAL_ROWS.iter().any(|(_, other)| *other == opcode)
}

/// Returns the opcode of a word in a dialect.
pub(super) fn opcode_of(word: &str, dialect: Dialect) -> Option<u8> {
    if dialect != Dialect::Manual {
        return igc_opcode_of(word);
    }
    manual_opcode_of(word).or_else(|| igc_opcode_of(word).filter(|op| !is_manual_row(*op)))
}

fn igc_opcode_of(word: &str) -> Option<u8> {
    static OPCODES: WordMap<u8, 512> = WordMap::new(&WORDS);
    OPCODES.get(word)
}

/// Returns which dialects have a word that this dialect does not have, and the word in this
/// dialect.
pub(super) fn of_other_dialect(
    word: &str,
    dialect: Dialect,
) -> Option<(&'static str, &'static str)> {
    let is_manual = dialect == Dialect::Manual;
    let (opcode, words, whose): (_, &[(&str, u8)], _) = if is_manual {
        (igc_opcode_of(word)?, &MANUAL_WORDS, "dialects igc2022 and igc2026 have this word")
    } else {
        (manual_opcode_of(word)?, &WORDS, "dialect manual has this word")
    };
    let here = || words.iter().filter(|(_, other)| *other == opcode).map(|(word, _)| *word);
    let same = here().find(|other| other.eq_ignore_ascii_case(word));
    Some((whose, same.or_else(|| here().next())?))
}

/// Returns every word of a dialect, for suggestions.
pub(in crate::text) fn all(dialect: Dialect) -> Vec<String> {
    let is_manual = dialect == Dialect::Manual;
    let manual = MANUAL_WORDS.iter().filter(|_| is_manual);
    let rows = WORDS.iter().filter(|(_, opcode)| !(is_manual && is_manual_row(*opcode)));
    let rows = manual.chain(rows).map(|(word, _)| String::from(*word));
    let svm = Svm::SPEC.iter().map(|layout| String::from(prefix!(Svm)) + layout.mnemonic);
    let lsc = LscOp::NAMED.iter().filter_map(|op| op.name());
    rows.chain(svm).chain(lsc.map(|op| String::from(prefix!(Lsc)) + op)).collect()
}
