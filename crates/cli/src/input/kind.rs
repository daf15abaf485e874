//! Files of kinds that a command does not read.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use genvisa_container::FileKind;

use crate::words::is_standard;

/// Returns the kind of a file. `None` for standard input and pipes, which can be read only once.
pub fn of_file(path: &Path) -> io::Result<Option<FileKind>> {
    if is_standard(path) || !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut start = Vec::with_capacity(FileKind::START);
    File::open(path)?.take(FileKind::START as u64).read_to_end(&mut start)?;
    Ok(Some(FileKind::of(&start)))
}

/// The error of a file of a kind that a command does not read.
#[derive(Debug)]
pub struct WrongKind {
    pub kind: FileKind,
    message: String,
}

impl WrongKind {
    /// Returns the error of a file that should be something else, such as `vISA`.
    pub fn new(kind: FileKind, file: &str, expected: &str) -> WrongKind {
        let name = kind.name();
        let not = if kind.is_encoded() { String::new() } else { format!(", not {expected}") };
        let advice = advice(kind).map(|advice| format!("; {advice}")).unwrap_or_default();
        WrongKind { kind, message: format!("`{file}` is {name}{not}{advice}") }
    }
}

impl fmt::Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WrongKind {}

/// Returns the command that reads files of a kind, or what else can be done.
fn advice(kind: FileKind) -> Option<&'static str> {
    use FileKind::*;
    Some(match kind {
        Object => "`genvisa dis` disassembles it and `genvisa verify` checks it",
        Visa => {
            "`genvisa asm` assembles it, `genvisa fmt` formats it and `genvisa verify` checks it"
        }
        Text => "`genvisa asm` assembles vISA text",
        C | Llvm | Mlir => "`genvisa check` checks its inline assembly",
        Spirv => "`genvisa check --as spirv` checks its inline assembly",
        Bitcode => "convert it to text with `llvm-dis`",
        Elf | DeviceBinary | Archive | PatchTokens | Bundle | Pe | Tar => {
            "`genvisa extract --list` lists the vISA in such files"
        }
        Zip | SevenZip => "unpack it first",
        Gzip | Bzip2 | Xz | Zstd => "decompress it first",
        Utf16 | Utf32 => "convert it to UTF-8, which genvisa reads",
        _ => return None,
    })
}
