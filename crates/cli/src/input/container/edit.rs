//! A replacement of bytes.

use std::ops::Range;

/// A replacement of bytes of a file by others.
#[derive(Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub bytes: Vec<u8>,
}
