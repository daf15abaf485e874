//! Tables and strings of ELF files, which hostile files may let overlap.

use std::ops::Range;

/// Limits the total size of the tables and names that are read, so that the time is linear in the
/// size of the file.
pub struct Budget {
    rest: usize,
    is_spent: bool,
}

impl Budget {
    /// Returns a budget that is enough for a file whose tables do not overlap.
    pub fn for_file(bytes: &[u8]) -> Budget {
        Budget { rest: bytes.len().saturating_mul(4).saturating_add(1 << 20), is_spent: false }
    }

    /// Returns whether this many bytes may be read.
    pub fn take(&mut self, bytes: usize) -> bool {
        match self.rest.checked_sub(bytes) {
            Some(rest) => self.rest = rest,
            None => {
                self.rest = 0;
                self.is_spent = true;
            }
        }
        !self.is_spent
    }

    /// Returns whether something was not read.
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }
}

/// Returns a string of a string table, which is a range of the bytes. Strings that are longer than in
/// real files are truncated.
pub fn string_at<'b>(bytes: &'b [u8], table: &Range<usize>, offset: u32) -> Option<&'b [u8]> {
    const LONGEST: usize = 4096;
    let rest = bytes.get(table.clone())?.get(usize::try_from(offset).ok()?..)?;
    let rest = &rest[..rest.len().min(LONGEST)];
    Some(memchr::memchr(0, rest).map_or(rest, |end| &rest[..end]))
}

/// Returns a string of a string table as text, or `None` if it is empty or the budget is spent.
pub fn name_at(
    bytes: &[u8],
    table: &Range<usize>,
    offset: u32,
    budget: &mut Budget,
) -> Option<String> {
    let name = string_at(bytes, table, offset).filter(|name| !name.is_empty())?;
    budget.take(name.len()).then(|| String::from_utf8_lossy(name).into_owned())
}
