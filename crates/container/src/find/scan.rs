//! Objects in any bytes, found by their magic and proved by parsing.

use genvisa::object::MAGIC;
use std::borrow::Cow;
use std::ops::Range;

use genvisa::wire::{Describe, Trace};
use genvisa::{Dialect, Error, Format, Module, Version};
use memchr::memmem;

use super::{Broken, Container, Found, Kind};
use crate::place::{Place, Start};

/// Adds the objects in the bytes of a container, which may be anywhere.
pub fn add(container: &mut Container<'_>, dialect: Dialect) {
    let bytes = container.bytes;
    Search::new(bytes.len(), dialect).add(container, Cow::Borrowed(bytes), Place::Bytes);
}

/// A search for objects in the bytes of a file or in parts of them.
pub struct Search {
    dialect: Dialect,
    /// Failed attempts may read as much as this in total. Otherwise, a hostile file could contain
    /// a header in each name of a header.
    budget: Option<usize>,
}

impl Search {
    /// Returns a search in a file of this size.
    pub fn new(size: usize, dialect: Dialect) -> Search {
        Search { dialect, budget: Some(size.saturating_mul(16).saturating_add(1 << 20)) }
    }

    /// Returns whether bytes contain the magic of objects.
    pub fn may_find(bytes: &[u8]) -> bool {
        memmem::find(bytes, &MAGIC).is_some()
    }

    /// Adds the objects in bytes to a container. `place` returns their places in the file.
    pub fn add<'b>(
        &mut self,
        container: &mut Container<'b>,
        bytes: Cow<'b, [u8]>,
        place: impl Fn(Range<usize>) -> Place,
    ) {
        let mut next = 0;
        for start in memmem::find_iter(&bytes, &MAGIC) {
            let Some(budget) = self.budget else { return };
            if start < next {
                continue;
            }
            match object_at(&bytes[start..], self.dialect) {
                Ok((size, version, routines)) => {
                    next = start + size;
                    container.objects.push(Found {
                        kind: Kind::Object,
                        place: place(start..next),
                        start: Start::default(),
                        bytes: match &bytes {
                            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[start..next]),
                            Cow::Owned(bytes) => Cow::Owned(bytes[start..next].to_vec()),
                        },
                        version: Some(version),
                        routines,
                        error: None,
                        path: Vec::new(),
                        section: None,
                        symbol: None,
                    });
                }
                Err(_) if !has_version(&bytes[start..]) => container.chance += 1,
                Err(Failure { error, read }) => {
                    let offset = place(start..start + MAGIC.len()).offset();
                    container.broken.push(Broken { offset, error });
                    self.budget = budget.checked_sub(read);
                    if self.budget.is_none() {
                        container.damage.push(format!(
                            "the bytes from {offset:#x} were not searched: too many broken objects"
                        ));
                    }
                }
            }
        }
    }
}

/// Returns whether bytes that begin with the magic have a version after it that files may have, also
/// versions that this program does not know.
fn has_version(bytes: &[u8]) -> bool {
    matches!(bytes.get(MAGIC.len()..), Some([3..=9, 0..=9, ..]))
}

/// Why an object cannot be read.
struct Failure {
    error: Error,
    /// The number of bytes that were read, which the offset of the error does not state: the header
    /// may refer to a place at its start.
    read: usize,
}

/// A trace that finds the end of what is read.
struct End(usize);

impl Trace for End {
    const ENABLED: bool = true;

    fn enter(&mut self, _: &str, offset: usize) {
        self.0 = self.0.max(offset);
    }

    fn leave(&mut self, offset: usize, _: &dyn Describe, _: Format) {
        self.0 = self.0.max(offset);
    }
}

/// Decodes the object at the start of bytes with all of its instructions. Returns its size, its version and the names
/// of its routines.
fn object_at(bytes: &[u8], dialect: Dialect) -> Result<(usize, Version, Vec<String>), Failure> {
    let (module, size) = Module::from_prefix(bytes, dialect).map_err(|error| {
        let mut end = End(error.offset());
        // This returns the same error again.
        let _ = Module::from_bytes_traced(bytes, dialect, &mut end);
        Failure { error, read: end.0 }
    })?;
    for routine in module.routines() {
        let mut boundaries = routine.boundaries();
        let decoded = boundaries.try_for_each(|boundary| boundary.map(drop));
        decoded.map_err(|error| Failure { error, read: size })?;
    }
    let routines = module.routines().map(|routine| routine.name.to_string_lossy()).collect();
    Ok((size, module.format.version, routines))
}
