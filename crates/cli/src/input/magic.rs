//! Recognizing what a file is.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use genvisa_inline::source::Language;

use crate::words::is_standard;

/// The first bytes of a `.isa` file.
pub const MAGIC: &[u8] = b"CISA";

/// The number of bytes that determine what a file is, except for text.
pub const START: u64 = 4096;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// The name with its article.
    pub name: &'static str,
    pub contents: Contents,
    /// The command that reads such files, or what else can be done.
    advice: &'static str,
}

/// What a kind of file may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A `.isa` file.
    Object,
    /// vISA text.
    Visa,
    /// Text without a known language.
    Text,
    /// Text in another language. The language of inline assembly is `None` for C and its dialects,
    /// which contents do not tell apart.
    Source(Option<Language>),
    /// Text that contains no vISA.
    OtherText,
    /// SPIR-V.
    Spirv,
    /// Any bytes, which may contain `.isa` files and device binaries.
    Bytes,
    /// Text in another encoding.
    Encoded,
    /// No vISA that could be found.
    Nothing,
}

const fn kind(name: &'static str, contents: Contents, advice: &'static str) -> FileKind {
    FileKind { name, contents, advice }
}

const LISTED: &str = "`genvisa extract --list` lists the vISA in such files";
const CHECKED: &str = "`genvisa check` checks its inline assembly";
const COMPRESSED: &str = "decompress it first";
const ENCODED: &str = "convert it to UTF-8, which genvisa reads";

const OBJECT: FileKind = kind(
    "a .isa file",
    Contents::Object,
    "`genvisa dis` disassembles it and `genvisa verify` checks it",
);
const VISA: FileKind = kind(
    "vISA text",
    Contents::Visa,
    "`genvisa asm` assembles it, `genvisa fmt` formats it and `genvisa verify` checks it",
);
const TEXT: FileKind = kind("text", Contents::Text, "`genvisa asm` assembles vISA text");
const C: FileKind = kind("C source", Contents::Source(None), CHECKED);
const LLVM: FileKind = kind("LLVM IR", Contents::Source(Some(Language::Llvm)), CHECKED);
const MLIR: FileKind = kind("MLIR", Contents::Source(Some(Language::Mlir)), CHECKED);
const JSON: FileKind = kind("JSON", Contents::OtherText, "");
const MARKUP: FileKind = kind("HTML or XML", Contents::OtherText, "");
const SPIRV: FileKind =
    kind("SPIR-V", Contents::Spirv, "`genvisa check --as spirv` checks its inline assembly");
const BITCODE: FileKind =
    kind("LLVM bitcode", Contents::Nothing, "convert it to text with `llvm-dis`");
pub const ELF: FileKind = kind("an ELF file", Contents::Bytes, LISTED);
pub const ARCHIVE: FileKind = kind("an archive of object files", Contents::Bytes, LISTED);
const DEVICE_BINARY: FileKind = kind("a device binary with patch tokens", Contents::Bytes, LISTED);
const BUNDLE: FileKind = kind("an offload bundle", Contents::Bytes, LISTED);
const PE: FileKind = kind("a Windows executable", Contents::Bytes, LISTED);
const TAR: FileKind = kind("a tar archive", Contents::Bytes, LISTED);
const ZIP: FileKind = kind("a ZIP file", Contents::Bytes, "unpack it first");
const SEVEN_ZIP: FileKind = kind("a 7z file", Contents::Nothing, "unpack it first");
const GZIP: FileKind = kind("a gzip file", Contents::Nothing, COMPRESSED);
const BZIP2: FileKind = kind("a bzip2 file", Contents::Nothing, COMPRESSED);
const XZ: FileKind = kind("an xz file", Contents::Nothing, COMPRESSED);
const ZSTD: FileKind = kind("a Zstandard file", Contents::Nothing, COMPRESSED);
const PNG: FileKind = kind("a PNG image", Contents::Nothing, "");
const JPEG: FileKind = kind("a JPEG image", Contents::Nothing, "");
const GIF: FileKind = kind("a GIF image", Contents::Nothing, "");
const PDF: FileKind = kind("a PDF file", Contents::Nothing, "");
const UTF_16: FileKind = kind("UTF-16 text", Contents::Encoded, ENCODED);
const UTF_32: FileKind = kind("UTF-32 text", Contents::Encoded, ENCODED);
/// Bytes that begin with nothing known.
pub const UNKNOWN: FileKind = kind("a binary file of an unknown kind", Contents::Bytes, "");

/// The bytes at an offset that determine the kind of a file.
const MAGICS: &[(usize, &[u8], FileKind)] = &[
    (0, MAGIC, OBJECT),
    (0, b"\x03\x02\x23\x07", SPIRV),
    (0, b"\x07\x23\x02\x03", SPIRV),
    (0, b"BC\xc0\xde", BITCODE),
    (0, b"\xde\xc0\x17\x0b", BITCODE),
    (0, b"\x7fELF", ELF),
    (0, b"!<arch>\n", ARCHIVE),
    (0, b"!<thin>\n", ARCHIVE),
    (0, b"CTNI", DEVICE_BINARY),
    (0, b"__CLANG_OFFLOAD_BUNDLE__", BUNDLE),
    (0, b"\x10\xff\x10\xad", BUNDLE),
    (257, b"ustar", TAR),
    (0, b"PK\x03\x04", ZIP),
    (0, b"PK\x05\x06", ZIP),
    (0, b"7z\xbc\xaf\x27\x1c", SEVEN_ZIP),
    (0, b"\x1f\x8b", GZIP),
    (0, b"BZh", BZIP2),
    (0, b"\xfd7zXZ\0", XZ),
    (0, b"\x28\xb5\x2f\xfd", ZSTD),
    (0, b"\x89PNG\r\n\x1a\n", PNG),
    (0, b"\xff\xd8\xff", JPEG),
    (0, b"GIF8", GIF),
    (0, b"%PDF-", PDF),
    // The mark of UTF-32 begins with the mark of UTF-16.
    (0, b"\xff\xfe\0\0", UTF_32),
    (0, b"\0\0\xfe\xff", UTF_32),
    (0, b"\xff\xfe", UTF_16),
    (0, b"\xfe\xff", UTF_16),
];

/// The first bytes of files that are not text, which may also begin a text.
const AMBIGUOUS: &[(&[u8], FileKind)] = &[(b"MZ", PE)];

impl FileKind {
    /// Returns the kind of a file by its contents, or by its first [`START`] bytes.
    pub fn of(bytes: &[u8]) -> FileKind {
        let has = |(offset, magic, _): &&(usize, &[u8], FileKind)| {
            bytes.get(*offset..).is_some_and(|rest| rest.starts_with(magic))
        };
        if let Some((.., kind)) = MAGICS.iter().find(has) {
            return *kind;
        }
        if is_text(bytes) || bytes.is_empty() {
            return of_text(bytes);
        }
        let begins = |(magic, _): &&(&[u8], FileKind)| bytes.starts_with(magic);
        match AMBIGUOUS.iter().find(begins) {
            Some((_, kind)) => *kind,
            None => encoding(&bytes[..bytes.len().min(START as usize)]).unwrap_or(UNKNOWN),
        }
    }

    /// Returns the kind of a file. `None` for standard input and pipes, which can be read only once.
    pub fn of_file(path: &Path) -> io::Result<Option<FileKind>> {
        if is_standard(path) || !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut start = Vec::with_capacity(START as usize);
        File::open(path)?.take(START).read_to_end(&mut start)?;
        Ok(Some(FileKind::of(&start)))
    }

    /// Returns whether it is text in UTF-8.
    pub fn is_text(self) -> bool {
        use Contents::{OtherText, Source, Text, Visa};
        matches!(self.contents, Visa | Text | Source(_) | OtherText)
    }

    /// Returns whether it may be vISA, or contain it.
    pub fn may_contain_visa(self) -> bool {
        self.is_text() || matches!(self.contents, Contents::Object | Contents::Bytes)
    }

    /// Returns whether it is a `.isa` file, or text that may be vISA.
    pub fn is_visa(self) -> bool {
        matches!(self.contents, Contents::Object) || self.may_be_visa_text()
    }

    /// Returns whether it is text that may be vISA.
    pub fn may_be_visa_text(self) -> bool {
        matches!(self.contents, Contents::Visa | Contents::Text)
    }

    /// Returns the error of a file that should be something else, such as `vISA`.
    pub fn error(self, file: &str, expected: &str) -> WrongKind {
        let FileKind { name, contents, advice } = self;
        let not = match contents {
            Contents::Encoded => String::new(),
            _ => format!(", not {expected}"),
        };
        let advice = if advice.is_empty() { String::new() } else { format!("; {advice}") };
        WrongKind { kind: self, message: format!("`{file}` is {name}{not}{advice}") }
    }
}

/// The error of a file of a kind that a command does not read.
#[derive(Debug)]
pub struct WrongKind {
    pub kind: FileKind,
    message: String,
}

impl fmt::Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WrongKind {}

/// Returns the kind of a text.
fn of_text(bytes: &[u8]) -> FileKind {
    if is_visa_text(bytes) {
        let is_comment = |line: &[u8]| line.is_empty() || line.starts_with(b"//");
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.find(|line| !is_comment(line.trim_ascii())).unwrap_or_default();
        // Documents and dumps of consoles contain vISA, too.
        return if is_directive(first) { VISA } else { TEXT };
    }
    let mut symbols = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    match (symbols.next(), symbols.next()) {
        (Some(b'{'), Some(b'"' | b'}')) => return JSON,
        (Some(b'['), Some(b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9')) => return JSON,
        (Some(b'<'), Some(_)) => return MARKUP,
        _ => {}
    }
    const LLVM_STARTS: &[&[u8]] =
        &[b"define ", b"target triple", b"target datalayout", b"; ModuleID"];
    const MLIR_STARTS: &[&[u8]] =
        &[b"module {", b"module attributes {", b"llvm.func ", b"\"builtin.module\"("];
    const C_STARTS: &[&[u8]] =
        &[b"#include", b"#define", b"#pragma", b"#if", b"__kernel ", b"kernel void "];
    let of_line = |line: &[u8]| {
        let starts = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
        if starts(LLVM_STARTS) {
            return Some(LLVM);
        }
        if starts(MLIR_STARTS) {
            return Some(MLIR);
        }
        starts(C_STARTS).then_some(C)
    };
    bytes.split(|byte| *byte == b'\n').find_map(of_line).unwrap_or(TEXT)
}

/// Returns whether bytes are text with a directive that begins a vISA text. C sources have none.
pub fn is_visa_text(bytes: &[u8]) -> bool {
    is_text(bytes) && bytes.split(|byte| *byte == b'\n').any(is_directive)
}

/// Returns whether a line is a directive that begins a vISA text.
fn is_directive(line: &[u8]) -> bool {
    const DIRECTIVES: [&[u8]; 3] = [b".version", b".kernel ", b".global_function "];
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii_start();
    DIRECTIVES.iter().any(|directive| line.starts_with(directive))
}

/// Returns whether bytes are text: they contain no NUL, and hardly any other control characters.
/// Comments of texts may contain bytes that are not UTF-8, and dumps of consoles the codes of colors.
pub fn is_text(bytes: &[u8]) -> bool {
    let is_control =
        |byte: u8| byte.is_ascii_control() & !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    // Without an exit for each byte, the compiler uses vectors.
    let controls =
        |chunk: &[u8]| chunk.iter().map(|byte| usize::from(is_control(*byte))).sum::<usize>();
    let mut all = 0;
    let has_nul = bytes.chunks(256).any(|chunk| {
        all += controls(chunk);
        chunk.contains(&0)
    });
    !bytes.is_empty() && !has_nul && all <= bytes.len() / 16
}

/// Returns the encoding of the start of a text that begins with no byte order mark.
fn encoding(start: &[u8]) -> Option<FileKind> {
    let of_units = |decode: fn([u8; 2]) -> u16| {
        let units = start.chunks_exact(2).map(|unit| decode([unit[0], unit[1]]));
        are_text(&char::decode_utf16(units).map(Result::ok).collect::<Vec<_>>())
    };
    let of_scalars = |decode: fn([u8; 4]) -> u32| {
        let scalars = start.chunks_exact(4).map(|it| decode([it[0], it[1], it[2], it[3]]));
        are_text(&scalars.map(char::from_u32).collect::<Vec<_>>())
    };
    if of_units(u16::from_le_bytes) || of_units(u16::from_be_bytes) {
        return Some(UTF_16);
    }
    (of_scalars(u32::from_le_bytes) || of_scalars(u32::from_be_bytes)).then_some(UTF_32)
}

/// Returns whether decoded characters are text that is mostly ASCII. The last may be cut.
fn are_text(chars: &[Option<char>]) -> bool {
    let is_allowed =
        |c: &Option<char>| c.is_some_and(|c| !c.is_control() || c.is_ascii_whitespace());
    let is_ascii = |c: &&Option<char>| c.is_some_and(|c| c.is_ascii());
    let Some((_, whole)) = chars.split_last() else { return false };
    let ascii = whole.iter().filter(is_ascii).count();
    !whole.is_empty() && whole.iter().all(is_allowed) && ascii * 2 > whole.len()
}
