//! The names of the reference style, with the quirks `AnonymousByCounter`, `NamesCleaned` and
//! `IndexedNames`.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

use super::names::Spelling;
use super::reserved;
use super::string_index::{Span, StringIndex};
use crate::operand::{PredId, StringId, SurfaceId, VarId};

/// The kinds of variables, which the reference counts and calls differently where they have no name.
#[derive(Clone, Copy)]
pub(super) enum Class {
    General,
    Address,
    Predicate,
    Sampler,
    Surface,
}

impl Class {
    /// Letter and number of digits.
    const fn anonymous(self) -> (char, usize) {
        match self {
            Class::General => ('V', 4),
            Class::Address => ('A', 2),
            Class::Predicate => ('P', 2),
            Class::Sampler => ('S', 3),
            Class::Surface => ('T', 3),
        }
    }
}

/// The names that the reference makes of strings: a text, and a number behind those that are wanted
/// again. Texts are kept once, however many names begin with them.
pub(super) struct ReferenceNames<'p, 'b> {
    pool: &'p mut StringIndex<'b>,
    /// Of each class, the number of the next variable without a name.
    next: [u32; 5],
    texts: Vec<Text>,
    /// By the index of the first string like it, the text that is made of a string.
    of_string: Vec<Option<usize>>,
    /// By that index again, the text that is the same as a string; and of those that no string is.
    same: Vec<Option<usize>>,
    others: BTreeMap<String, usize>,
    /// By a text and a number, the text that reads like both.
    alike: BTreeMap<(usize, u32), usize>,
}

struct Text {
    span: Span,
    /// Whether a name is this text alone, or reads like it.
    is_used: bool,
    /// The first number to try behind it.
    next: u32,
    /// Whether it is known what it is [`alike`](ReferenceNames::alike).
    is_split: bool,
}

impl<'p, 'b> ReferenceNames<'p, 'b> {
    pub(super) fn new(pool: &'p mut StringIndex<'b>) -> Self {
        let first_surface = SurfaceId::FIRST_DECLARED.0.into();
        ReferenceNames {
            next: [VarId::FIRST_DECLARED.0, 0, PredId::FIRST_DECLARED.0.into(), 0, first_surface],
            texts: Vec::new(),
            of_string: vec![None; pool.strings.len()],
            same: vec![None; pool.strings.len()],
            others: BTreeMap::new(),
            alike: BTreeMap::new(),
            pool,
        }
    }

    /// The name of a variable that has a string for it.
    pub(super) fn name(&mut self, string: StringId, class: Class) -> Spelling {
        let index = self.text(string, class);
        let text = self.texts[index].span;
        if !core::mem::replace(&mut self.texts[index].is_used, true) {
            return Spelling { text, suffix: None };
        }
        loop {
            let number = self.texts[index].next;
            self.texts[index].next += 1;
            let is_used = match self.alike.get(&(index, number)) {
                Some(other) => core::mem::replace(&mut self.texts[*other].is_used, true),
                None => false,
            };
            if !is_used {
                return Spelling { text, suffix: Some(number) };
            }
        }
    }

    fn text(&mut self, string: StringId, class: Class) -> usize {
        let bytes = self.pool.bytes(string);
        let mut name = String::new();
        if bytes.is_empty() {
            let (prefix, width) = class.anonymous();
            let number = &mut self.next[class as usize];
            // Writing to a string does not fail.
            let _ = write!(name, "{prefix}{:0width$}", *number);
            *number += 1;
            return self.split(&name, None);
        }
        let first = self.pool.first(string).map_or(0, |first| first as usize);
        if let Some(index) = self.of_string[first] {
            return index;
        }
        if bytes[0].is_ascii_digit() {
            name.push('_');
        }
        let clean = |byte: &u8| if byte.is_ascii_alphanumeric() { char::from(*byte) } else { '_' };
        name.extend(bytes.iter().map(clean));
        while reserved::is_in_reference(name.as_bytes()) {
            name.push('_');
        }
        let same = (bytes == name.as_bytes()).then_some(StringId(first as u32));
        let index = self.split(&name, same);
        self.of_string[first] = Some(index);
        index
    }

    /// The index of a text, which is known to be alike to another and a number if it is.
    fn split(&mut self, name: &str, string: Option<StringId>) -> usize {
        let index = self.intern(name, string);
        if core::mem::replace(&mut self.texts[index].is_split, true) {
            return index;
        }
        let parts = name.rsplit_once('_').and_then(|(text, digits)| {
            let is_plain = digits == "0" || digits.starts_with(|ch| matches!(ch, '1'..='9'));
            Some((text, digits.parse::<u32>().ok().filter(|_| is_plain)?))
        });
        if let Some((text, number)) = parts {
            let of = self.intern(text, None);
            self.texts[index].is_used |= number < self.texts[of].next;
            self.alike.insert((of, number), index);
        }
        index
    }

    /// The index of a text that is the same as a string of the pool, if that is known.
    fn intern(&mut self, name: &str, string: Option<StringId>) -> usize {
        let string = string.or_else(|| self.pool.find(name.as_bytes()).map(StringId));
        let known = match string {
            Some(string) => self.same[string.0 as usize],
            None => self.others.get(name).copied(),
        };
        if let Some(index) = known {
            return index;
        }
        let index = self.texts.len();
        match string {
            Some(string) => self.same[string.0 as usize] = Some(index),
            None => _ = self.others.insert(name.into(), index),
        }
        let in_pool = string.and_then(|string| self.pool.plain(string));
        let span = in_pool.unwrap_or_else(|| self.pool.add(name));
        self.texts.push(Text { span, is_used: false, next: 0, is_split: false });
        index
    }
}
