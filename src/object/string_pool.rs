//! The string pool of a routine.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut};

use super::name::Name;
use crate::operand::StringId;

/// The string pool of a routine. It dereferences to a `Vec`, in which a [`StringId`] is an index.
///
/// ```
/// use genvisa::object::{Name, StringPool};
///
/// let mut pool = StringPool::default();
/// let x = pool.intern("x");
/// pool.intern("y");
/// assert_eq!(pool.intern("x"), x);
/// assert_eq!(pool, ["", "x", "y"].map(Name::from));
/// ```
#[derive(Default)]
pub struct StringPool {
    strings: Vec<Name>,
    /// Boxed, because most pools are only read.
    index: Option<Box<Index>>,
}

/// The ids of the first strings of a pool.
#[derive(Default)]
struct Index {
    /// The ids, except for the string 0. Of equal strings, the first.
    ids: BTreeMap<Name, StringId>,
    /// The number of strings that were indexed.
    len: usize,
}

impl StringPool {
    /// Returns the id of a string, and adds the string if the pool does not contain it. The id of the
    /// empty string is always 0, which means no name.
    ///
    /// The first call indexes the pool, and so does the first one after a mutable dereference.
    pub fn intern(&mut self, string: impl Into<Name>) -> StringId {
        self.intern_name(string.into())
    }

    fn intern_name(&mut self, string: Name) -> StringId {
        if string.is_empty() {
            return StringId(0);
        }
        let index = self.index.get_or_insert_default();
        for (at, name) in self.strings.iter().enumerate().skip(index.len.max(1)) {
            index.ids.entry(name.clone()).or_insert(StringId(at as u32));
        }
        index.len = self.strings.len();
        match index.ids.get(&string) {
            Some(id) => *id,
            None => self.add(string),
        }
    }

    /// Adds a string without searching for it, and returns its id. The string 0 of an empty pool becomes
    /// the empty string.
    pub fn add(&mut self, string: impl Into<Name>) -> StringId {
        if self.strings.is_empty() {
            self.strings.push(Name::default());
        }
        self.strings.push(string.into());
        StringId(self.strings.len() as u32 - 1)
    }
}

impl Deref for StringPool {
    type Target = Vec<Name>;

    fn deref(&self) -> &Vec<Name> {
        &self.strings
    }
}

impl DerefMut for StringPool {
    /// Ids may change, so this drops the index.
    fn deref_mut(&mut self) -> &mut Vec<Name> {
        self.index = None;
        &mut self.strings
    }
}

/// Without the index.
impl Clone for StringPool {
    fn clone(&self) -> StringPool {
        self.strings.clone().into()
    }
}

impl From<Vec<Name>> for StringPool {
    fn from(strings: Vec<Name>) -> StringPool {
        StringPool { strings, index: None }
    }
}

impl FromIterator<Name> for StringPool {
    fn from_iter<I: IntoIterator<Item = Name>>(strings: I) -> StringPool {
        Vec::from_iter(strings).into()
    }
}

impl<'p> IntoIterator for &'p StringPool {
    type Item = &'p Name;
    type IntoIter = core::slice::Iter<'p, Name>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Drops the index.
impl<'p> IntoIterator for &'p mut StringPool {
    type Item = &'p mut Name;
    type IntoIter = core::slice::IterMut<'p, Name>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for StringPool {
    fn eq(&self, other: &StringPool) -> bool {
        self.strings == other.strings
    }
}

impl Eq for StringPool {}

impl<const N: usize> PartialEq<[Name; N]> for StringPool {
    fn eq(&self, other: &[Name; N]) -> bool {
        self.strings == other
    }
}

impl fmt::Debug for StringPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.strings.fmt(f)
    }
}
