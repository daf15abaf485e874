//! A limit of what is read of tables and strings, which hostile files may let overlap.

use std::cell::Cell;

/// Limits the total size of the tables and names that are read, so that the time is linear in the
/// size of the file.
pub struct Budget {
    /// The rest; `None` if something was not read.
    rest: Cell<Option<usize>>,
}

impl Budget {
    /// Returns a budget that is enough for a file whose tables do not overlap.
    pub fn for_file(bytes: &[u8]) -> Budget {
        Budget { rest: Cell::new(Some(bytes.len().saturating_mul(4).saturating_add(1 << 20))) }
    }

    /// Returns whether this many bytes may be read.
    pub fn take(&self, bytes: usize) -> bool {
        self.rest.set(self.rest.get().and_then(|rest| rest.checked_sub(bytes)));
        !self.is_spent()
    }

    /// Returns whether something was not read.
    pub fn is_spent(&self) -> bool {
        self.rest.get().is_none()
    }
}
