//! Strings of the string pool, and names of routines.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::counted::Entry;
use crate::error::Result;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A string of a file. It is usually ASCII, but may contain any bytes.
///
/// In the string pool of a routine, it is terminated by a NUL, which is not part of it. The name of
/// a routine is preceded by its length.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Vec<u8>);

impl Name {
    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the string, with replacement characters for invalid UTF-8.
    pub fn to_string_lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Returns whether the string is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<&str> for Name {
    fn from(s: &str) -> Name {
        Name(s.into())
    }
}

impl From<&Name> for Name {
    fn from(name: &Name) -> Name {
        name.clone()
    }
}

impl From<&[u8]> for Name {
    fn from(bytes: &[u8]) -> Name {
        Name(bytes.into())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl fmt::Display for Name {
    /// Prints the string with everything except printable ASCII escaped, so that it is safe to
    /// print on a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl Describe for Name {}

/// The bytes and a NUL, as in a string pool.
impl Wire for Name {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let rest = r.rest();
        let len = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        // Without a NUL, this requests one byte more than remains, which is an error.
        let bytes = r.bytes(len + 1)?;
        self.0 = bytes.split_last().map(|(_, name)| name.into()).unwrap_or_default();
        Ok(())
    }

    fn encode(&self, w: &mut Writer) -> Result<()> {
        if self.0.contains(&0) {
            return Err(w.inexpressible("a NUL in a string of the pool"));
        }
        w.put(&self.0);
        w.u8(0);
        Ok(())
    }
}

impl Entry for Name {
    const LEAST: usize = 1;

    fn as_text(&self) -> String {
        format!("{self:?}")
    }
}
