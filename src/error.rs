//! The error type of decoding and encoding, with the kind, the byte offset and the path to the
//! field.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::format::{Format, Version};

/// The result of decoding or encoding.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// An error in bytes that are decoded, or in a value that is encoded.
///
/// Its text contains the path to the field and the offset:
///
/// ```text
/// kernel `foo`, instruction 417 mad, src1, region: reserved bits 0x3000 are set (offset 0x1c2b)
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    // One word, so that a `Result` of it stays in registers.
    inner: Box<Inner>,
}

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    offset: usize,
    /// Innermost first: callers append their segment.
    path: Vec<PathSegment>,
}

impl Error {
    /// Returns an error at an absolute byte offset, with an empty path.
    #[cold]
    pub fn new(kind: ErrorKind, offset: usize) -> Error {
        Error { inner: Box::new(Inner { kind, offset, path: Vec::new() }) }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.inner.kind
    }

    /// Returns where the error occurred.
    ///
    /// For decoding, this is the absolute offset of the integer that is wrong; for
    /// [`ErrorKind::UnexpectedEof`], of the first missing byte. For encoding, it is the length of
    /// the output so far.
    pub fn offset(&self) -> usize {
        self.inner.offset
    }

    /// Returns the path to the wrong field, outermost segment first.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = &PathSegment> {
        self.inner.path.iter().rev()
    }

    /// Returns the error with a segment added in front of its path.
    #[cold]
    #[must_use]
    pub fn within(mut self, segment: PathSegment) -> Error {
        self.inner.path.push(segment);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.path().enumerate() {
            write!(f, "{}{segment}", if i == 0 { "" } else { ", " })?;
        }
        let separator = if self.inner.path.is_empty() { "" } else { ": " };
        write!(f, "{separator}{} (offset {:#x})", self.kind(), self.offset())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Error {}

const _: () = {
    const fn shareable<T: Send + Sync + 'static>() {}
    shareable::<Error>();
};

/// A segment of the path to the field that an error refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathSegment {
    /// A field of an instruction, operand or record.
    Field(&'static str),
    /// An entry of a table.
    Entry {
        /// The name of the table in the singular, such as `variable` or `string`.
        table: &'static str,
        /// The position in the table, from 0.
        index: usize,
    },
    /// An instruction of a routine.
    Instruction {
        /// The position in the routine, from 0. Labels and debug information count as instructions.
        index: usize,
        /// The mnemonic; empty if the opcode is unknown.
        mnemonic: &'static str,
    },
    /// A kernel or a function.
    Routine {
        /// Whether it is a kernel or a function.
        kind: RoutineKind,
        /// The name in the file's header.
        name: String,
    },
}

/// A kernel or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutineKind {
    /// A kernel.
    Kernel,
    /// A function.
    Function,
}

impl fmt::Display for RoutineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RoutineKind::Kernel => "kernel",
            RoutineKind::Function => "function",
        })
    }
}

impl fmt::Display for PathSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathSegment::Field(name) => f.write_str(name),
            PathSegment::Entry { table, index } => write!(f, "{table} {index}"),
            PathSegment::Instruction { index, mnemonic: "" } => write!(f, "instruction {index}"),
            PathSegment::Instruction { index, mnemonic } => {
                write!(f, "instruction {index} {mnemonic}")
            }
            PathSegment::Routine { kind, name } => write!(f, "{kind} `{name}`"),
        }
    }
}

/// The severity of a diagnostic or a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// The text or module is accepted, but a part of it is ignored or may not work everywhere.
    Warning,
    /// The text cannot be assembled, or the module is not legal vISA.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// The kinds of decoding and encoding errors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes end inside a field.
    #[error("unexpected end of input: {needed} more {} needed", are_bytes(*.needed))]
    UnexpectedEof {
        /// The number of bytes that the field lacks.
        needed: usize,
    },
    /// The file does not begin with `CISA`.
    #[error(
        "not a vISA object: expected the magic number \"CISA\" ({expected:#010x}), found {found:#010x}"
    )]
    BadMagic {
        /// The first four bytes, little-endian.
        found: u32,
        /// The first four bytes of a vISA object.
        expected: u32,
    },
    /// A version that has text, but no binary form.
    #[error("vISA {version} has no binary form: it exists as text only")]
    TextOnly {
        /// The version.
        version: Version,
    },
    /// An unknown version.
    #[error("vISA {major}.{minor} is not known (known: 3.0 to 3.8, 4.0 to 4.2, 4.8)")]
    UnsupportedVersion {
        /// The major number.
        major: u8,
        /// The minor number.
        minor: u8,
    },
    /// An opcode that no reader supports.
    #[error("unknown opcode {opcode:#04x}")]
    UnknownOpcode {
        /// The first byte of the instruction.
        opcode: u8,
    },
    /// A retired opcode, whose layout is not documented.
    #[error("opcode {opcode:#04x} ({name}) is retired")]
    RetiredOpcode {
        /// The first byte of the instruction.
        opcode: u8,
        /// The mnemonic that it had.
        name: &'static str,
    },
    /// An opcode that exists only in text: the binary reader of IGC has no layout for it.
    #[error("opcode {opcode:#04x} ({name}) has no known binary form")]
    NoBinaryForm {
        /// The first byte of the instruction.
        opcode: u8,
        /// The mnemonic in text.
        name: &'static str,
    },
    /// An instruction that does not exist in the dialect.
    #[error("{name} does not exist in {format}")]
    NotInFormat {
        /// The mnemonic of the instruction.
        name: &'static str,
        /// The format of the reader or writer.
        format: Format,
    },
    /// A sub-opcode that selects no known layout.
    #[error("unknown {what} {value:#04x}")]
    UnknownSubOpcode {
        /// The kind of operation that the field selects, such as `svm operation`.
        what: &'static str,
        /// The value of the field.
        value: u32,
    },
    /// Bits that must be zero are not.
    #[error("reserved bits {bits:#x} are set")]
    ReservedBits {
        /// The reserved bits that are set, as a mask of the integer at the error's offset.
        bits: u32,
    },
    /// A value that is not valid for its field.
    #[error("expected {expected}, found {value:#x}")]
    InvalidValue {
        /// The value found.
        value: u32,
        /// The values that are valid.
        expected: &'static str,
    },
    /// The address-of operand class, which is documented, but which no reader accepts.
    #[error(
        "operand class 4 (address-of) is not supported by any reader; \
         pass the variable itself to addr_add"
    )]
    AddressOfOperand,
    /// A count that differs from the number of items, or that exceeds its limits.
    #[error("expected a count of {expected}, found {found}")]
    BadCount {
        /// The count found.
        found: usize,
        /// The counts that are valid.
        expected: Expected,
    },
    /// A table whose entries cannot fit in the remaining bytes.
    #[error(
        "{count} entries of at least {entry_size} bytes do not fit in the remaining {remaining} bytes"
    )]
    CountTooLarge {
        /// The count found.
        count: usize,
        /// The least size of an entry, in bytes.
        entry_size: usize,
        /// The number of remaining bytes.
        remaining: usize,
    },
    /// A value that needs more bits than its field has in the format.
    #[error("{value} is out of range: the maximum in {format} is {max}")]
    OutOfRange {
        /// The value to encode.
        value: u64,
        /// The greatest value that fits.
        max: u64,
        /// The format of the reader or writer.
        format: Format,
    },
    /// A value that cannot be encoded in this format, but may be in others.
    #[error("{what} cannot be expressed in {format}")]
    Inexpressible {
        /// The part that cannot be expressed.
        what: &'static str,
        /// The format of the reader or writer.
        format: Format,
    },
    /// A field that is `None` and that the format requires.
    #[error("the field is missing; {format} requires it")]
    MissingField {
        /// The format of the reader or writer.
        format: Format,
    },
    /// A table that has as many entries as there are ids.
    #[error("the table is full: it can have at most {max} entries")]
    TableFull {
        /// The maximum number of entries.
        max: usize,
    },
    /// An id that the routine does not declare, and that another entry has or would get.
    #[error("{letter}{number} is not declared where it is used, and would refer to another entry")]
    UndeclaredId {
        /// The letter of the [class](crate::isa::IdClass::letter).
        letter: char,
        /// The id as in operands.
        number: u32,
    },
    /// Bytes after the end of the value.
    #[error("expected the end of the input, found {count} more {}", bytes(*.count))]
    TrailingBytes {
        /// The number of bytes.
        count: usize,
    },
    /// A layout of a file that writing would not reproduce, and that reading therefore rejects.
    #[error("writing would not reproduce this file: {what} is {found:#x}, expected {expected:#x}")]
    Layout {
        /// The quantity, such as an offset or a size.
        what: &'static str,
        /// The value in the file.
        found: u64,
        /// The value that follows from the rest of the file.
        expected: u64,
    },
    /// Two sections of a file that share bytes.
    #[error("sections overlap: one ends at {end:#x}, the next begins at {start:#x}")]
    Overlap {
        /// The offset of the end of the first section.
        end: usize,
        /// The offset of the start of the second section.
        start: usize,
    },
    /// A string that is not the name of a value.
    #[error("expected {expected}")]
    Unparsable {
        /// The names or the syntax that are valid.
        expected: &'static str,
    },
}

/// Returns the noun for a number of bytes.
const fn bytes(count: usize) -> &'static str {
    if count == 1 { "byte" } else { "bytes" }
}

const fn are_bytes(count: usize) -> &'static str {
    if count == 1 { "byte is" } else { "bytes are" }
}

/// The valid values of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// Exactly this count.
    Exactly(usize),
    /// A count from the first to the second number, inclusive.
    Between(usize, usize),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Exactly(n) => write!(f, "{n}"),
            Expected::Between(low, high) => write!(f, "{low} to {high}"),
        }
    }
}

/// Implements the traits of a list of errors, a struct around a `Vec`, which implements `Display`.
#[cfg(any(feature = "build", feature = "text"))]
macro_rules! error_list {
    ($list:ident($item:ident)) => {
        impl core::ops::Deref for $list {
            type Target = [$item];

            fn deref(&self) -> &[$item] {
                &self.0
            }
        }

        impl IntoIterator for $list {
            type Item = $item;
            type IntoIter = alloc::vec::IntoIter<$item>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.into_iter()
            }
        }

        impl<'e> IntoIterator for &'e $list {
            type Item = &'e $item;
            type IntoIter = core::slice::Iter<'e, $item>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }

        // `main` prints the error that it returns by `Debug`.
        impl core::fmt::Debug for $list {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }

        impl core::error::Error for $list {}
    };
}

#[cfg(any(feature = "build", feature = "text"))]
pub(crate) use error_list;

impl ErrorKind {
    /// Returns the format, or an error if it has no binary form.
    pub(crate) fn check_binary(format: Format) -> core::result::Result<Format, ErrorKind> {
        match format.has_binary_form() {
            true => Ok(format),
            false => Err(ErrorKind::TextOnly { version: format.version }),
        }
    }
}
