//! Recognizing `.isa` files and texts.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::words::is_standard;

/// The first bytes of a `.isa` file.
pub const MAGIC: &[u8] = b"CISA";

/// Returns whether bytes are text with a directive that begins a vISA text. C sources have none.
pub fn is_visa_text(bytes: &[u8]) -> bool {
    const DIRECTIVES: [&[u8]; 3] = [b".version", b".kernel ", b".global_function "];
    is_text(bytes)
        && bytes.split(|byte| *byte == b'\n').any(|line| {
            let line = line.trim_ascii_start();
            DIRECTIVES.iter().any(|directive| line.starts_with(directive))
        })
}

/// Returns whether bytes contain no control characters other than tabs, line ends and form feeds.
/// Comments of texts may contain bytes that are not UTF-8.
pub fn is_text(bytes: &[u8]) -> bool {
    let is_allowed =
        |byte: u8| !byte.is_ascii_control() | matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    // Without an exit for each byte, the compiler uses vectors.
    let are_allowed = |chunk: &[u8]| chunk.iter().fold(true, |all, byte| all & is_allowed(*byte));
    !bytes.is_empty() && bytes.chunks(256).all(are_allowed)
}

/// Returns whether a file begins like a `.isa` file.
pub fn is_object_file(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    // Standard input and pipes can be read only once.
    let is_regular = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let result =
        (is_regular && !is_standard(path)).then(|| File::open(path)?.read_exact(&mut start));
    matches!(result, Some(Ok(()))) && start == MAGIC
}
