//! Objects in any bytes, found by their magic and proved by parsing.

use bytes::Bytes;
use genvisa::{Dialect, Error, Module};
use memchr::memmem;

use super::{Broken, Container, Found, Kind, Place};
use crate::input::MAGIC;

/// Adds the objects in the bytes of a container, which may be anywhere.
pub fn add(container: &mut Container, dialect: Dialect) {
    let bytes = container.bytes.clone();
    // Failed attempts may read as much as this in total. Otherwise, a hostile file could contain
    // a header in each name of a header.
    let mut budget = 64 * bytes.len() + (1 << 20);
    let mut next = 0;
    for offset in memmem::find_iter(&bytes, MAGIC) {
        if offset < next {
            continue;
        }
        match object_at(&bytes, offset, dialect) {
            Ok(found) => {
                next = found.place.range().end;
                container.objects.push(found);
            }
            Err(_) if !has_version(&bytes[offset..]) => container.chance += 1,
            Err(error) => {
                let read = error.offset();
                container.broken.push(Broken { offset, error: error.to_string() });
                match budget.checked_sub(read) {
                    Some(rest) => budget = rest,
                    None => {
                        container.damage.push(format!(
                            "the bytes from {offset:#x} were not searched: too many broken objects"
                        ));
                        return;
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

/// Returns the object at an offset. All of its instructions are decoded.
pub fn object_at(bytes: &Bytes, offset: usize, dialect: Dialect) -> Result<Found, Error> {
    let (module, size) = Module::from_prefix(&bytes[offset..], dialect)?;
    for routine in module.routines() {
        routine.boundaries().try_for_each(|boundary| boundary.map(drop))?;
    }
    let range = offset..offset + size;
    Ok(Found {
        kind: Kind::Object,
        bytes: bytes.slice(range.clone()),
        place: Place::Bytes(range),
        version: Some(module.format.version),
        routines: module.routines().map(|routine| routine.name.to_string_lossy()).collect(),
        error: None,
        path: Vec::new(),
        section: None,
        symbol: None,
    })
}
