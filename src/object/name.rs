//! Strings of a file.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::Result;
use crate::wire::{Describe, Reader, Trace, Wire, Writer};

/// A string of a file: usually ASCII, but any bytes are kept.
///
/// In a routine's pool it ends with a NUL, which is not part of it; as the name of a routine it is
/// counted.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Vec<u8>);

impl Name {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The string, with replacement characters for what is not UTF-8.
    pub fn to_string_lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<&str> for Name {
    fn from(s: &str) -> Name {
        Name(s.into())
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
    /// Printable ASCII as it is, everything else escaped: safe on any terminal.
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

/// In a string pool: the bytes and a NUL.
impl Wire for Name {
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let rest = r.rest();
        let len = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
        // Without a NUL, one byte more is asked for than there is.
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
