//! The string pool of a routine, and the names and attributes that refer to it.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::object::{Attribute, Name};
use crate::operand::StringId;
use crate::text::context::Parser;
use crate::text::diagnostic::cut;
use crate::text::names::{Interner, is_default_name};
use crate::text::statements::{Annotations, AttributeText, Spanned};

/// The string pool of a routine.
pub(in crate::text) struct Pool {
    pub(in crate::text) strings: Interner,
    /// Whether the text lists the strings.
    pub(super) is_given: bool,
}

impl Pool {
    /// Returns the pool that an annotation lists, or one with the empty string only.
    pub(in crate::text) fn new(given: Option<Vec<Name>>) -> Pool {
        let is_given = given.is_some();
        Pool { strings: Interner::new(given.unwrap_or_else(|| [Name::default()].into())), is_given }
    }

    /// Returns the bytes of a string, which are empty if it does not exist.
    fn bytes(&self, index: u32) -> &[u8] {
        self.strings.get(index).map_or(&b""[..], Name::as_bytes)
    }

    /// Returns the warning about an annotation whose index of a string does not match the text.
    fn mismatch(&self, index: u32, expected: &str) -> String {
        match self.strings.get(index) {
            Some(string) if self.is_given => {
                let string = string.to_string_lossy();
                format!(
                    "this index is ignored: string {index} is `{}`, not {expected}",
                    cut(&string)
                )
            }
            Some(_) | None if !self.is_given => {
                "this index is ignored: the text does not list its strings".into()
            }
            _ => format!("this index is ignored: there is no string {index}"),
        }
    }

    pub(in crate::text) fn intern(&mut self, bytes: &[u8]) -> StringId {
        StringId(self.strings.intern(bytes))
    }
}

impl<'t> Parser<'t> {
    /// Returns the string of a name: the one that an annotation states if it matches the name, and
    /// else the first with these bytes.
    pub(super) fn name(
        &mut self,
        pool: &mut Pool,
        text: Option<&[u8]>,
        note: Option<&Spanned<u32>>,
        prefix: Option<char>,
        unnamed: bool,
    ) -> StringId {
        let default_of = |prefix: Option<char>, text: &[u8]| {
            let text = core::str::from_utf8(text).unwrap_or_default();
            prefix.is_some_and(|prefix| is_default_name(text, prefix))
        };
        if let Some(Spanned { value, span }) = note {
            let given = pool.bytes(*value);
            let is_for_this = match text {
                // A default name is printed for a string that is not a valid name.
                Some(text) => {
                    let end = text.iter().rposition(|byte| *byte != b'_').map_or(0, |at| at + 1);
                    given == text || default_of(prefix, &text[..end])
                }
                None => true,
            };
            if is_for_this && pool.is_given {
                return StringId(*value);
            }
            let message = pool.mismatch(*value, "this name");
            self.warn(span, message);
        }
        match text {
            None => StringId(0),
            Some(text) if unnamed && default_of(prefix, text) => StringId(0),
            Some(text) => pool.intern(text),
        }
    }

    /// Adds attributes to a list, with the strings of their names: those that annotations state if
    /// they match, and else the first with these bytes. Takes the values.
    pub(super) fn lower_attributes(
        &mut self,
        pool: &mut Pool,
        texts: &mut [AttributeText<'t>],
        annotations: &Annotations<'t>,
        attributes: &mut Vec<Attribute>,
    ) {
        let mut given = Vec::new();
        let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        if pool.is_given && !annotations.attributes.is_empty() {
            for (index, attribute) in texts.iter().enumerate() {
                places.entry(&attribute.name).or_default().push(index);
            }
        }
        for Spanned { value, span } in &annotations.attributes {
            let same = places.get(pool.bytes(*value)).map_or(&[][..], Vec::as_slice);
            let next = same.partition_point(|index| *index < given.len());
            match same.get(next) {
                Some(&index) => {
                    given.resize(index, None);
                    given.push(Some(StringId(*value)));
                }
                None => {
                    let message = pool.mismatch(*value, "the name of an attribute here");
                    self.warn(span, message);
                }
            }
        }
        let given = given.into_iter().chain(core::iter::repeat(None));
        if attributes.is_empty() {
            // Most lists are extended once.
            attributes.reserve_exact(texts.len());
        }
        attributes.extend(texts.iter_mut().zip(given).map(|(text, given)| Attribute {
            name: given.unwrap_or_else(|| pool.intern(&text.name)),
            value: core::mem::take(&mut text.value),
        }));
    }
}
