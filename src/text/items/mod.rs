//! The items that rows of the instruction table refer to as `{Name}`, each with a printer and a
//! parser.

mod arithmetic;
mod control;
mod exec;
mod lsc;
mod media;
mod memory;
mod rt_write;
mod sampler;
mod send;
mod sync;
mod syntax;
mod video;

pub(super) use arithmetic::*;
pub(super) use control::*;
pub(super) use exec::*;
pub(super) use lsc::*;
pub(super) use media::*;
pub(super) use memory::*;
pub(super) use rt_write::*;
pub(super) use sampler::*;
pub(super) use send::*;
pub(super) use sync::*;
pub(super) use video::*;

use crate::text::context::{Parser, Printer};
use crate::text::cursor::Parsed;

/// An item of a row. `T` is the type of the field or of the instruction that it is applied to.
pub(in crate::text) trait Item<T> {
    fn print(p: &mut Printer<'_>, value: &T);
    fn parse(p: &mut Parser<'_>, value: &mut T) -> Parsed<()>;
}

/// The mnemonic of an instruction, if it depends on a field.
pub(in crate::text) trait Word<T> {
    /// All words. They select the row, are reserved, and are suggested for similar words.
    const WORDS: &'static [&'static str];

    fn print(p: &mut Printer<'_>, value: &T);

    /// Sets the fields that [`Parser::word`] implies.
    fn parse(p: &Parser<'_>, value: &mut T);
}

/// Returns the words of a table of values and words.
const fn words<V, const COUNT: usize>(table: &[(V, &'static str); COUNT]) -> [&'static str; COUNT] {
    let mut words = [""; COUNT];
    let mut i = 0;
    while i < COUNT {
        words[i] = table[i].1;
        i += 1;
    }
    words
}

/// Returns the names of codes.
macro_rules! names {
    ($codes:expr) => {{
        let mut names = [""; $codes.len()];
        let mut i = 0;
        while i < names.len() {
            if let Some(name) = $codes[i].name() {
                names[i] = name;
            }
            i += 1;
        }
        names
    }};
}

use names;

/// Defines a [`Word`] by a table of values and words.
macro_rules! word {
    ($(#[$doc:meta])* $item:ident: $ty:ty = $table:ident, |$p:ident, $value:ident| $print:expr) => {
        $(#[$doc])*
        pub(in crate::text) struct $item;

        impl Word<$ty> for $item {
            const WORDS: &'static [&'static str] = &$crate::text::items::words(&$table);

            fn print($p: &mut Printer<'_>, $value: &$ty) {
                $print;
            }

            fn parse(p: &Parser<'_>, value: &mut $ty) {
                *value = $crate::text::items::value_of_word(p, &$table).unwrap_or_default();
            }
        }
    };
}

use word;

/// Returns the value whose word is the mnemonic of the instruction.
fn value_of_word<V: Copy>(p: &Parser<'_>, table: &[(V, &str)]) -> Option<V> {
    let word = p.word();
    table.iter().find(|(_, other)| p.is_same(word, other)).map(|(value, _)| *value)
}

/// Prints the word of a value. Returns whether it has one.
fn print_word<V: PartialEq>(p: &mut Printer<'_>, value: &V, table: &[(V, &str)]) -> bool {
    let found = table.iter().find(|(other, _)| other == value);
    if let Some((_, word)) = found {
        p.line.push(word);
    }
    found.is_some()
}
