//! What any bytes are, by their first bytes.

use std::ops::Range;

use genvisa::object::MAGIC;
use genvisa::text;

use crate::zebin::EM_INTELGT;

macro_rules! kinds {
    ($($Kind:ident = $name:literal,)*) => {
        /// What a file is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FileKind {
            $(#[doc = concat!("It is ", $name, ".")] $Kind,)*
        }

        impl FileKind {
            /// Returns the name with its article, such as `an ELF file`.
            pub fn name(self) -> &'static str {
                match self {
                    $(FileKind::$Kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Object = "a .isa file",
    Visa = "vISA text",
    Text = "text",
    C = "C source",
    Llvm = "LLVM IR",
    Mlir = "MLIR",
    Json = "JSON",
    Markup = "HTML or XML",
    Spirv = "SPIR-V",
    Bitcode = "LLVM bitcode",
    Elf = "an ELF file",
    DeviceBinary = "a device binary",
    Archive = "an archive of object files",
    PatchTokens = "a device binary with patch tokens",
    Bundle = "an offload bundle",
    Pe = "a Windows executable",
    Tar = "a tar archive",
    Zip = "a ZIP file",
    SevenZip = "a 7z file",
    Gzip = "a gzip file",
    Bzip2 = "a bzip2 file",
    Xz = "an xz file",
    Zstd = "a Zstandard file",
    Png = "a PNG image",
    Jpeg = "a JPEG image",
    Gif = "a GIF image",
    Pdf = "a PDF file",
    Utf16 = "UTF-16 text",
    Utf32 = "UTF-32 text",
    Unknown = "a binary file of an unknown kind",
}

/// The bytes of the field `e_machine` of an ELF file.
const E_MACHINE: Range<usize> = 18..20;

/// The bytes at an offset that determine the kind of a file.
const MAGICS: &[(usize, &[u8], FileKind)] = &[
    (0, &MAGIC, FileKind::Object),
    (0, b"\x03\x02\x23\x07", FileKind::Spirv),
    (0, b"\x07\x23\x02\x03", FileKind::Spirv),
    (0, b"BC\xc0\xde", FileKind::Bitcode),
    (0, b"\xde\xc0\x17\x0b", FileKind::Bitcode),
    (0, b"\x7fELF", FileKind::Elf),
    (0, b"!<arch>\n", FileKind::Archive),
    (0, b"!<thin>\n", FileKind::Archive),
    (0, b"CTNI", FileKind::PatchTokens),
    (0, b"__CLANG_OFFLOAD_BUNDLE__", FileKind::Bundle),
    (0, b"CCOB", FileKind::Bundle),
    (0, b"\x10\xff\x10\xad", FileKind::Bundle),
    (257, b"ustar", FileKind::Tar),
    (0, b"PK\x03\x04", FileKind::Zip),
    (0, b"PK\x05\x06", FileKind::Zip),
    (0, b"7z\xbc\xaf\x27\x1c", FileKind::SevenZip),
    (0, b"\x1f\x8b", FileKind::Gzip),
    (0, b"BZh", FileKind::Bzip2),
    (0, b"\xfd7zXZ\0", FileKind::Xz),
    (0, b"\x28\xb5\x2f\xfd", FileKind::Zstd),
    (0, b"\x89PNG\r\n\x1a\n", FileKind::Png),
    (0, b"\xff\xd8\xff", FileKind::Jpeg),
    (0, b"GIF8", FileKind::Gif),
    (0, b"%PDF-", FileKind::Pdf),
    // The mark of UTF-32 begins with the mark of UTF-16.
    (0, b"\xff\xfe\0\0", FileKind::Utf32),
    (0, b"\0\0\xfe\xff", FileKind::Utf32),
    (0, b"\xff\xfe", FileKind::Utf16),
    (0, b"\xfe\xff", FileKind::Utf16),
];

impl FileKind {
    /// The number of bytes that determine what a file is, except for text.
    pub const START: usize = 4096;

    /// Returns the kind of a file by its contents, or by its first [`START`](FileKind::START) bytes.
    pub fn of(bytes: &[u8]) -> FileKind {
        let has = |(offset, magic, _): &&(usize, &[u8], FileKind)| {
            bytes.get(*offset..).is_some_and(|rest| rest.starts_with(magic))
        };
        match MAGICS.iter().find(has) {
            Some((.., FileKind::Elf))
                if bytes.get(E_MACHINE) == Some(&EM_INTELGT.to_le_bytes()) =>
            {
                return FileKind::DeviceBinary;
            }
            Some((.., kind)) => return *kind,
            None => {}
        }
        if is_text(bytes) || bytes.is_empty() {
            return of_text(bytes);
        }
        // These bytes may also begin a text.
        if bytes.starts_with(b"MZ") {
            return FileKind::Pe;
        }
        encoding(&bytes[..bytes.len().min(FileKind::START)]).unwrap_or(FileKind::Unknown)
    }

    /// Returns whether it is text in UTF-8.
    pub fn is_text(self) -> bool {
        use FileKind::{C, Json, Llvm, Markup, Mlir, Text, Visa};
        matches!(self, Visa | Text | C | Llvm | Mlir | Json | Markup)
    }

    /// Returns whether it is text in another encoding.
    pub fn is_encoded(self) -> bool {
        matches!(self, FileKind::Utf16 | FileKind::Utf32)
    }

    /// Returns whether it consists of any bytes, which may contain `.isa` files and device binaries.
    pub fn is_container(self) -> bool {
        use FileKind::{
            Archive, Bundle, DeviceBinary, Elf, PatchTokens, Pe, Tar, Unknown, Zip, Zstd,
        };
        matches!(
            self,
            Elf | DeviceBinary | Archive | PatchTokens | Bundle | Pe | Tar | Zip | Zstd | Unknown
        )
    }

    /// Returns whether it may be vISA, or contain it.
    pub fn may_contain_visa(self) -> bool {
        self == FileKind::Object || self.is_text() || self.is_container()
    }

    /// Returns whether it is a `.isa` file, or text that may be vISA.
    pub fn is_visa(self) -> bool {
        self == FileKind::Object || self.may_be_visa_text()
    }

    /// Returns whether it is text that may be vISA.
    pub fn may_be_visa_text(self) -> bool {
        matches!(self, FileKind::Visa | FileKind::Text)
    }
}

/// Returns the kind of a text.
fn of_text(bytes: &[u8]) -> FileKind {
    if is_visa_text(bytes) {
        let is_comment = |line: &[u8]| line.is_empty() || line.starts_with(b"//");
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.find(|line| !is_comment(line.trim_ascii())).unwrap_or_default();
        // Documents and dumps of consoles contain vISA, too.
        return if text::begins_text(first) { FileKind::Visa } else { FileKind::Text };
    }
    let mut symbols = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    match (symbols.next(), symbols.next()) {
        (Some(b'{'), Some(b'"' | b'}')) => return FileKind::Json,
        (Some(b'['), Some(b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9')) => {
            return FileKind::Json;
        }
        (Some(b'<'), Some(_)) => return FileKind::Markup,
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
            return Some(FileKind::Llvm);
        }
        if starts(MLIR_STARTS) {
            return Some(FileKind::Mlir);
        }
        starts(C_STARTS).then_some(FileKind::C)
    };
    bytes.split(|byte| *byte == b'\n').find_map(of_line).unwrap_or(FileKind::Text)
}

/// Returns whether bytes are text with a directive that begins a vISA text. C sources have none.
pub fn is_visa_text(bytes: &[u8]) -> bool {
    is_text(bytes) && bytes.split(|byte| *byte == b'\n').any(text::begins_text)
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
        return Some(FileKind::Utf16);
    }
    (of_scalars(u32::from_le_bytes) || of_scalars(u32::from_be_bytes)).then_some(FileKind::Utf32)
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
