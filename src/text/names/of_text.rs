//! The names that a parsed text uses.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use super::default_name;
use crate::isa::{Id, IdClass};

/// The number of classes whose entries have names.
const CLASSES: usize = IdClass::NAMED.len();

/// The names that the text of a routine uses, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::text) struct TextNames {
    /// All names, class by class.
    text: String,
    /// For each class, the end of each name in `text`.
    ends: [Vec<usize>; CLASSES],
    /// The declarations with a default name: an outer scope or one before declares their name.
    renamed: Vec<Id>,
}

impl TextNames {
    /// Creates the names of each class, in the order of the ids. Names of variables are repeated only in
    /// a text with scopes.
    pub(in crate::text) fn new<'s>(
        of_class: impl Fn(IdClass) -> Vec<&'s str>,
        has_scopes: bool,
    ) -> TextNames {
        let mut new = TextNames::default();
        for (class, ends) in IdClass::NAMED.into_iter().zip(&mut new.ends) {
            *ends = of_class(class)
                .into_iter()
                .map(|name| {
                    new.text.push_str(name);
                    new.text.len()
                })
                .collect();
        }
        if has_scopes { new.with_unique_names() } else { new }
    }

    /// Replaces repeated names by default names that no declaration has.
    fn with_unique_names(self) -> TextNames {
        let all: BTreeSet<&str> = self.names().map(|(_, name)| name).collect();
        let mut used = BTreeSet::new();
        let mut unique = TextNames { ends: self.ends.clone(), ..TextNames::default() };
        for ((id, name), end) in self.names().zip(unique.ends.iter_mut().flatten()) {
            // Labels have a namespace of their own.
            if id.class == IdClass::Label || used.insert(name) {
                unique.text.push_str(name);
            } else {
                let mut new = default_name(id.class.letter(), id.number);
                while all.contains(&*new.as_str()) {
                    new.ch('_');
                }
                unique.text.push_str(&new.as_str());
                unique.renamed.push(id);
            }
            *end = unique.text.len();
        }
        unique
    }

    /// Returns all names, class by class.
    pub(super) fn names(&self) -> impl Iterator<Item = (Id, &str)> {
        let ends = IdClass::NAMED.into_iter().zip(&self.ends).flat_map(|(class, ends)| {
            let numbers = class.first_declared()..;
            ends.iter().zip(numbers).map(move |(end, number)| (Id { class, number }, *end))
        });
        let mut start = 0;
        ends.map(move |(id, end)| (id, &self.text[mem::replace(&mut start, end)..end]))
    }

    /// Returns the declarations whose names are not the names in the text.
    pub(in crate::text) fn renamed(&self) -> &[Id] {
        &self.renamed
    }
}
