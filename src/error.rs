//! One error for both directions: what is wrong, at which byte, and in which field.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::format::Format;

/// The result of decoding or encoding.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// Why bytes could not be decoded, or a value not be encoded.
///
/// Its text leads to the place:
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
    /// Innermost first: it grows as the error travels outwards.
    path: Vec<PathSegment>,
}

impl Error {
    /// An error at an absolute byte offset.
    #[cold]
    pub fn new(kind: ErrorKind, offset: usize) -> Error {
        Error { inner: Box::new(Inner { kind, offset, path: Vec::new() }) }
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.inner.kind
    }

    /// Where: decoding, the absolute offset of the integer that is wrong, be it a byte or wider (for
    /// [`ErrorKind::UnexpectedEof`], of the first byte that is missing); encoding, the length of
    /// the output so far.
    pub fn offset(&self) -> usize {
        self.inner.offset
    }

    /// The way to the place, outermost first.
    pub fn path(&self) -> impl DoubleEndedIterator<Item = &PathSegment> {
        self.inner.path.iter().rev()
    }

    /// The same error, seen from one level further out.
    #[cold]
    #[must_use]
    pub fn within(mut self, place: PathSegment) -> Error {
        self.inner.path.push(place);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, place) in self.path().enumerate() {
            write!(f, "{}{place}", if i == 0 { "" } else { ", " })?;
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

/// A step on the way to an error's place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathSegment {
    /// A field of an instruction, operand or record.
    Field(&'static str),
    /// An entry of a table.
    Entry {
        /// The table's name, singular: `variable`, `string`.
        table: &'static str,
        /// Its position there, from 0.
        index: usize,
    },
    /// An instruction of a routine.
    Instruction {
        /// Its position in the routine, from 0, every instruction counted.
        index: usize,
        /// Its name, empty where the opcode is not known.
        mnemonic: &'static str,
    },
    /// A kernel or a function.
    Routine {
        /// Which of the two.
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

/// How severe a diagnostic or a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// The text or module is accepted, but part of it is ignored or may not work everywhere.
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

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes end inside a field.
    #[error("the bytes end here, {needed} short")]
    UnexpectedEof {
        /// How many bytes the field lacks.
        needed: usize,
    },
    /// The file does not begin with `CISA`.
    #[error(
        "not a vISA object: it begins with {found:#010x}, not with \"CISA\" ({expected:#010x})"
    )]
    BadMagic {
        /// The first four bytes, little-endian.
        found: u32,
        /// What they are in a vISA object.
        expected: u32,
    },
    /// A version whose binary form is not known.
    #[error("vISA {major}.{minor} has no known binary form (known: 3.0 to 3.8, 4.0, 4.1, 4.8)")]
    UnsupportedVersion {
        /// The major number.
        major: u8,
        /// The minor number.
        minor: u8,
    },
    /// No reader knows this opcode.
    #[error("unknown opcode {opcode:#04x}")]
    UnknownOpcode {
        /// The first byte of the instruction.
        opcode: u8,
    },
    /// An opcode that was given up; its layout is not documented.
    #[error("opcode {opcode:#04x} ({name}) is retired")]
    RetiredOpcode {
        /// The first byte of the instruction.
        opcode: u8,
        /// What it once was.
        name: &'static str,
    },
    /// An opcode that today's reader names and has no layout for.
    #[error("opcode {opcode:#04x} ({name}) has no known binary form")]
    NoBinaryForm {
        /// The first byte of the instruction.
        opcode: u8,
        /// What it is in text.
        name: &'static str,
    },
    /// The instruction does not exist in this dialect.
    #[error("{name} does not exist in {format}")]
    NotInFormat {
        /// The instruction's mnemonic.
        name: &'static str,
        /// The format asked for.
        format: Format,
    },
    /// A sub-opcode that selects no known layout.
    #[error("unknown {what} {value:#04x}")]
    UnknownSubOpcode {
        /// What the field selects, such as `svm operation`.
        what: &'static str,
        /// Its value.
        value: u32,
    },
    /// Bits that must be zero are not.
    #[error("reserved bits {bits:#x} are set")]
    ReservedBits {
        /// The offending bits alone, in their place in the integer at the error's offset.
        bits: u32,
    },
    /// A value that the field cannot have.
    #[error("{value:#x} is not {expected}")]
    InvalidValue {
        /// The value found.
        value: u32,
        /// What is legal.
        expected: &'static str,
    },
    /// The address-of operand class, which is documented but which no reader accepts.
    #[error(
        "operand class 4 (address-of): no reader accepts it; addr_add takes the variable itself"
    )]
    AddressOfOperand,
    /// A count that disagrees with what it counts, or that its limits forbid.
    #[error("the count is {found}, not {expected}")]
    BadCount {
        /// The count found.
        found: usize,
        /// What it may be.
        expected: Expected,
    },
    /// A count of entries that cannot fit in the bytes that are left.
    #[error(
        "{count} entries of at least {entry_size} bytes cannot fit in the {remaining} bytes left"
    )]
    CountTooLarge {
        /// The count found.
        count: usize,
        /// The least that one entry takes.
        entry_size: usize,
        /// The bytes there are.
        remaining: usize,
    },
    /// The value needs more bits than the format gives it.
    #[error("{value} is more than {max}, the most that {format} holds")]
    OutOfRange {
        /// The value to encode.
        value: u64,
        /// The greatest that fits.
        max: u64,
        /// The format asked for.
        format: Format,
    },
    /// The value is legal elsewhere but has no bytes in this format.
    #[error("{what} cannot be expressed in {format}")]
    Inexpressible {
        /// What cannot be said.
        what: &'static str,
        /// The format asked for.
        format: Format,
    },
    /// A field that the format requires is `None`.
    #[error("the field is missing, and {format} requires it")]
    MissingField {
        /// The format asked for.
        format: Format,
    },
    /// A table that is as long as its entries' ids allow.
    #[error("the table is full: it holds at most {max} entries")]
    TableFull {
        /// The most that there can be.
        max: usize,
    },
    /// Bytes remain where none should.
    #[error("{count} bytes are left over")]
    TrailingBytes {
        /// How many.
        count: usize,
    },
    /// A file-level layout that would not be written back as it was, and is therefore refused.
    #[error(
        "this layout would not be written back as it is: {what} is {found:#x}, not {expected:#x}"
    )]
    Layout {
        /// The quantity.
        what: &'static str,
        /// Its value in the file.
        found: u64,
        /// Its value if the rest of the file is right.
        expected: u64,
    },
    /// Two sections of a file share bytes.
    #[error("sections overlap: one ends at {end:#x}, the next begins at {start:#x}")]
    Overlap {
        /// Where the earlier section ends.
        end: usize,
        /// Where the later one begins.
        start: usize,
    },
    /// Text that does not name a value.
    #[error("expected {expected}")]
    Unparsable {
        /// What was expected.
        expected: &'static str,
    },
}

/// What a count may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// Exactly this.
    Exactly(usize),
    /// Anything from the first to the second, both included.
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
