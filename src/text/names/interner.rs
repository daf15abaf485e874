//! A table of strings, which returns the id of the first equal string.

use alloc::vec::Vec;
use core::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::object::Name;

/// Strings in the order of their ids.
#[derive(Default)]
pub(in crate::text) struct Interner {
    strings: Vec<Name>,
    /// The id of the first string with these bytes.
    first: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Interner {
    /// Returns a table of strings, which may have duplicates.
    pub(in crate::text) fn new(strings: Vec<Name>) -> Interner {
        let mut interner = Interner {
            strings: Vec::with_capacity(strings.len()),
            first: HashTable::with_capacity(strings.len()),
            ..Interner::default()
        };
        for string in strings {
            interner.id_or_next(string.as_bytes());
            interner.strings.push(string);
        }
        interner
    }

    pub(in crate::text) fn get(&self, id: u32) -> Option<&Name> {
        self.strings.get(id as usize)
    }

    /// Returns the id of the first string with these bytes, after adding one if there is none.
    pub(in crate::text) fn intern(&mut self, bytes: &[u8]) -> u32 {
        let id = self.id_or_next(bytes);
        if id as usize == self.strings.len() {
            self.strings.push(bytes.into());
        }
        id
    }

    /// Returns the id of the first string with these bytes. If there is none, returns the id of the
    /// next string, which the caller must add.
    fn id_or_next(&mut self, bytes: &[u8]) -> u32 {
        let Interner { strings, first, hasher } = self;
        let bytes_of = |id: &u32| strings.get(*id as usize).map_or(bytes, Name::as_bytes);
        let is_same = |id: &u32| bytes_of(id) == bytes;
        let rehash = |id: &u32| hasher.hash_one(bytes_of(id));
        let entry = first.entry(hasher.hash_one(bytes), is_same, rehash);
        *entry.or_insert(strings.len() as u32).get()
    }

    pub(in crate::text) fn iter(&self) -> impl Iterator<Item = &Name> {
        self.strings.iter()
    }

    pub(in crate::text) fn into_strings(self) -> Vec<Name> {
        self.strings
    }

    /// Removes all strings. Keeps the memory, unless it takes longer to clear than to allocate.
    pub(in crate::text) fn clear(&mut self) {
        if self.first.capacity() > 8 * self.first.len() {
            self.first = HashTable::new();
        }
        self.strings.clear();
        self.first.clear();
    }
}
