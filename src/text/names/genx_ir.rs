//! The names of the reference style, with the quirks `AnonymousByCounter`, `NamesCleaned` and
//! `IndexedNames`.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

use super::Spelling;
use super::string_index::{Span, StringIndex};
use crate::operand::{PredId, StringId, SurfaceId, VarId};
use crate::text::words::Reserved;

/// The classes of variables. GenX_IR numbers unnamed variables of each class separately.
#[derive(Clone, Copy)]
pub(in crate::text) enum Class {
    General,
    Address,
    Predicate,
    Sampler,
    Surface,
}

impl Class {
    /// Returns the letter and the number of digits of the names of unnamed variables.
    const fn default_name_format(self) -> (char, usize) {
        match self {
            Class::General => ('V', 4),
            Class::Address => ('A', 2),
            Class::Predicate => ('P', 2),
            Class::Sampler => ('S', 3),
            Class::Surface => ('T', 3),
        }
    }
}

/// The names that GenX_IR derives from strings: a text, and a number if the text is already
/// in use. Names with the same text share it.
pub(in crate::text) struct GenXIrNames<'p, 'b> {
    string_index: &'p mut StringIndex<'b>,
    reserved: &'static Reserved,
    /// For each class, the number of the next unnamed variable.
    next: [u32; 5],
    texts: Vec<Text>,
    /// For each string, the index of the text that is derived from it. Equal strings use the entry
    /// of the first.
    derived_from: Vec<Option<usize>>,
    /// For each string, the index of the text that is equal to it.
    equal_to: Vec<Option<usize>>,
    /// The indices of the texts that are not equal to a string.
    others: BTreeMap<String, usize>,
    /// The index of the text `x_1`, by the index of the text `x` and the number 1.
    with_number: BTreeMap<(usize, u32), usize>,
}

struct Text {
    span: Span,
    /// Whether a name with this spelling is in use.
    is_used: bool,
    /// The next number to try after it.
    next: u32,
    /// Whether a number at its end has been added to
    /// [`with_number`](GenXIrNames::with_number).
    is_split: bool,
}

impl<'p, 'b> GenXIrNames<'p, 'b> {
    pub(in crate::text) fn new(
        string_index: &'p mut StringIndex<'b>,
        reserved: &'static Reserved,
    ) -> Self {
        let first_surface = SurfaceId::FIRST_DECLARED.0.into();
        GenXIrNames {
            next: [VarId::FIRST_DECLARED.0, 0, PredId::FIRST_DECLARED.0.into(), 0, first_surface],
            texts: Vec::new(),
            derived_from: vec![None; string_index.strings.len()],
            equal_to: vec![None; string_index.strings.len()],
            others: BTreeMap::new(),
            with_number: BTreeMap::new(),
            reserved,
            string_index,
        }
    }

    /// Returns the name of a variable, whose name in the file is a string.
    pub(in crate::text) fn name(&mut self, string: StringId, class: Class) -> Spelling {
        let index = self.text(string, class);
        let text = self.texts[index].span;
        if !core::mem::replace(&mut self.texts[index].is_used, true) {
            return Spelling { text, suffix: None };
        }
        loop {
            let number = self.texts[index].next;
            self.texts[index].next += 1;
            let is_used = match self.with_number.get(&(index, number)) {
                Some(other) => core::mem::replace(&mut self.texts[*other].is_used, true),
                None => false,
            };
            if !is_used {
                return Spelling { text, suffix: Some(number) };
            }
        }
    }

    /// Returns the index of the text that is derived from a string.
    fn text(&mut self, string: StringId, class: Class) -> usize {
        let bytes = self.string_index.bytes(string);
        let mut name = String::new();
        if bytes.is_empty() {
            let (prefix, width) = class.default_name_format();
            let number = &mut self.next[class as usize];
            // Writing to a string cannot fail.
            let _ = write!(name, "{prefix}{:0width$}", *number);
            *number += 1;
            return self.intern_split(&name, None);
        }
        let first = self.string_index.first(string).map_or(0, |first| first as usize);
        if let Some(index) = self.derived_from[first] {
            return index;
        }
        if bytes[0].is_ascii_digit() {
            name.push('_');
        }
        let clean = |byte: &u8| if byte.is_ascii_alphanumeric() { char::from(*byte) } else { '_' };
        name.extend(bytes.iter().map(clean));
        while self.reserved.is_in_genx_ir(name.as_bytes()) {
            name.push('_');
        }
        let equal = (bytes == name.as_bytes()).then_some(StringId(first as u32));
        let index = self.intern_split(&name, equal);
        self.derived_from[first] = Some(index);
        index
    }

    /// Returns the index of a text. If it ends in a number, it is added to `with_number`.
    fn intern_split(&mut self, name: &str, string: Option<StringId>) -> usize {
        let index = self.intern(name, string);
        if core::mem::replace(&mut self.texts[index].is_split, true) {
            return index;
        }
        let parts = name.rsplit_once('_').and_then(|(text, digits)| {
            let is_canonical = digits == "0" || digits.starts_with(|ch| matches!(ch, '1'..='9'));
            Some((text, digits.parse::<u32>().ok().filter(|_| is_canonical)?))
        });
        if let Some((text, number)) = parts {
            let base = self.intern(text, None);
            self.texts[index].is_used |= number < self.texts[base].next;
            self.with_number.insert((base, number), index);
        }
        index
    }

    /// Returns the index of a text. `string` is the string of the pool that is equal to it, if the
    /// caller knows one.
    fn intern(&mut self, name: &str, string: Option<StringId>) -> usize {
        let string = string.or_else(|| self.string_index.find(name.as_bytes()).map(StringId));
        let known = match string {
            Some(string) => self.equal_to[string.0 as usize],
            None => self.others.get(name).copied(),
        };
        if let Some(index) = known {
            return index;
        }
        let index = self.texts.len();
        match string {
            Some(string) => self.equal_to[string.0 as usize] = Some(index),
            None => _ = self.others.insert(name.into(), index),
        }
        let existing = string.and_then(|string| self.string_index.unescaped(string));
        let span = existing.unwrap_or_else(|| self.string_index.add(name));
        self.texts.push(Text { span, is_used: false, next: 0, is_split: false });
        index
    }
}
