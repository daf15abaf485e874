//! Device binaries in the compressed parts of a file.

use std::borrow::Cow;

use super::{EmbeddedBinaries, EmbeddedBinary, embedded};
use crate::compressed::{Problem, parts};

/// The most bytes of an unpacked part, which is in memory as a whole.
const LARGEST: usize = 1 << 30;
/// The most bytes that all parts have for each byte of a file, and at least.
const RATIO: usize = 64;
const LEAST: usize = 64 << 20;

/// Adds the device binaries in compressed parts.
pub fn add_device_binaries(file: &[u8], all: &mut EmbeddedBinaries<'_>) {
    let mut rest = file.len().saturating_mul(RATIO).max(LEAST);
    for part in parts(file) {
        let limit = rest.min(LARGEST);
        let bytes = match part.unpack(file, limit) {
            Ok(bytes) => bytes,
            // Programs may contain the magic by chance.
            Err(Problem::Damaged) if !part.is_certain => continue,
            Err(problem) => {
                all.damage.push(format!("{}: {problem}", part.label));
                rest -= if matches!(problem, Problem::TooLarge(_)) { limit } else { 0 };
                continue;
            }
        };
        rest = rest.saturating_sub(bytes.len());
        let mut inner = EmbeddedBinaries::default();
        embedded::add_device_binaries(&bytes, &mut inner);
        for binary in inner.binaries {
            let path = [part.label.clone()].into_iter().chain(binary.path).collect();
            let bytes = Cow::Owned(binary.bytes.into_owned());
            all.binaries.push(EmbeddedBinary { bytes, offset: binary.offset, path });
        }
    }
}
