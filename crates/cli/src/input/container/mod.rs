//! Files that contain vISA: libraries, programs, archives, device binaries, C sources and output of compilers.

mod array;
mod dump;
mod edit;
mod elf;
mod found;
mod limited;
mod place;
mod scan;
mod section;
mod sources;

use genvisa::Dialect;

use super::magic::is_text;
use crate::bytes::Bytes;
pub use found::{Broken, Container, Found, Kind, MachineCode, file_stem};
pub use place::{Edits, Place};

/// Finds the objects and texts in a file.
pub fn read(bytes: Bytes, dialect: Dialect) -> Container {
    let mut container = Container { bytes: bytes.clone(), ..Container::default() };
    if is_text(&bytes) {
        dump::add(&mut container, dialect);
        sources::add(&mut container, dialect);
    } else {
        scan::add(&mut container, dialect);
        elf::add(&mut container, dialect);
    }
    container.objects.sort_by_key(|found| found.place.order());
    container
}
