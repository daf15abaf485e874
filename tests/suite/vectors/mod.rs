//! Byte vectors of the five documented instructions.
//!
//! All bytes are written by hand: for dialect `Manual` after the page of the instruction, for the
//! Igc dialects after docs/format.md, 1, 3 and 4. None was generated or corrected with the
//! codec. If a test fails, compare the bytes with the documents.

use genvisa::isa::Boundary;
use genvisa::operand::{ChannelMask, Exec, ExecMask, ExecSize, Pred, PredControl, PredId};
use genvisa::operand::{Raw, SurfaceId, VarId};
use genvisa::{Boundaries, Dialect, ErrorKind, Format, Instruction, Version};

/// A predicate for kinds of errors.
macro_rules! kind {
    ($kind:pat $(if $guard:expr)?) => {
        |kind: &ErrorKind| matches!(kind, $kind $(if $guard)?)
    };
}

/// A listing: the bytes of an instruction in every format.
///
/// Bytes in brackets, `wide[0, 0]`, are only in the formats of their [`gate`]. A name in braces,
/// `{RGBA}`, inserts another listing.
macro_rules! bytes {
    (@part $format:ident {$listing:expr}) => { $listing($format) };
    (@part $format:ident $gate:ident [$($byte:expr),*]) => {
        if gate::$gate($format) { vec![$($byte),*] } else { Vec::new() }
    };
    (@part $format:ident $byte:expr) => { vec![$byte] };
    ($($part:tt $([$($byte:expr),*])?),* $(,)?) => {
        |format: Format| -> Vec<u8> {
            let _ = format; // not all listings depend on it
            [$(bytes!(@part format $part $([$($byte),*])?)),*].concat()
        }
    };
}

mod gather4_typed;
mod info;
mod media_ld;
mod operands;
mod rt_write;
mod sample_3d;

/// Versions with variable ids of two bytes (docs/format.md, 1.1).
const NARROW: &[Version] = &[Version::V3_0, Version::V3_1, Version::V3_2, Version::V3_3];

/// Versions with variable ids of four bytes.
const WIDE: &[Version] = &[
    Version::V3_4,
    Version::V3_5,
    Version::V3_6,
    Version::V3_7,
    Version::V3_8,
    Version::V4_0,
    Version::V4_1,
    Version::V4_8,
];

/// Versions with an operation of 3D_SAMPLE of two bytes. 4.8 has the layouts of 4.0 (docs/format.md,
/// 1.3).
const MAJOR_4: &[Version] = &[Version::V4_0, Version::V4_1, Version::V4_8];

/// A listing with a name.
type Listing = fn(Format) -> Vec<u8>;

/// The gates of listings.
mod gate {
    use super::*;

    /// The layout of the page of the instruction.
    pub(super) fn manual(format: Format) -> bool {
        format.dialect == Dialect::Manual
    }

    pub(super) fn igc(format: Format) -> bool {
        !manual(format)
    }

    /// Ids of variables have four bytes, and the texel offsets of 3D_SAMPLE are an operand.
    pub(super) fn wide(format: Format) -> bool {
        manual(format) || !NARROW.contains(&format.version)
    }

    /// The operation of 3D_SAMPLE has one byte.
    pub(super) fn byte_op(format: Format) -> bool {
        !word_op(format)
    }

    /// The operation of 3D_SAMPLE has two bytes.
    pub(super) fn word_op(format: Format) -> bool {
        igc(format) && MAJOR_4.contains(&format.version)
    }

    /// 3D_SAMPLE has a paired surface.
    pub(super) fn paired(format: Format) -> bool {
        let versions = [&[Version::V3_8], MAJOR_4].concat();
        format.dialect == Dialect::Igc2026 && versions.contains(&format.version)
    }
}

/// Returns dialect `Manual` with every version, which has no effect on it.
fn manual() -> Vec<Format> {
    Version::BINARY.iter().map(|&version| Format::new(Dialect::Manual, version)).collect()
}

/// Returns both Igc dialects in each of the versions.
fn igc(versions: &[Version]) -> Vec<Format> {
    versions.iter().flat_map(|&v| [Format::igc2022(v), Format::igc2026(v)]).collect()
}

/// Returns the formats with variable ids of four bytes.
fn wide() -> Vec<Format> {
    [manual(), igc(WIDE)].concat()
}

/// Returns all formats.
fn all() -> Vec<Format> {
    [manual(), igc(Version::BINARY)].concat()
}

/// Returns a raw operand.
fn raw(var: u32, offset: u16) -> Raw {
    Raw::new(VarId(var), offset)
}

/// Returns a variable from its start.
fn v(var: u32) -> Raw {
    raw(var, 0)
}

/// Asserts that the bytes decode to the instruction, that it encodes to the bytes, and that
/// skipping finds one instruction.
#[track_caller]
fn assert_encoding(
    formats: &[Format],
    listing: impl Fn(Format) -> Vec<u8>,
    instruction: impl Into<Instruction>,
) {
    let instruction = instruction.into();
    for &format in formats {
        let bytes = listing(format);
        match Instruction::from_bytes(&bytes, format) {
            Ok(decoded) => assert_eq!(decoded, instruction, "decoded as {format}"),
            Err(error) => panic!("decoding as {format}: {error}"),
        }
        match instruction.to_bytes(format) {
            Ok(encoded) => assert!(
                encoded == bytes,
                "encoded as {format}\n  encoded: {encoded:02x?}\n  written: {bytes:02x?}"
            ),
            Err(error) => panic!("encoding as {format}: {error}"),
        }
        let boundaries: Vec<_> = Boundaries::new(&bytes, format).collect();
        let whole = Boundary { offset: 0, len: bytes.len(), opcode: bytes[0] };
        assert_eq!(boundaries, [Ok(whole)], "skipped as {format}");
    }
}

/// Asserts that decoding fails at the offset. For a word, this is the offset of its first byte.
#[track_caller]
fn assert_rejected(
    formats: &[Format],
    listing: impl Fn(Format) -> Vec<u8>,
    offset: usize,
    kind: impl Fn(&ErrorKind) -> bool,
) {
    for &format in formats {
        let bytes = listing(format);
        match Instruction::from_bytes(&bytes, format) {
            Ok(instruction) => panic!("{format} reads {bytes:02x?} as {instruction:?}"),
            Err(error) => {
                assert!(kind(error.kind()), "another kind of error in {format}: {error}");
                assert_eq!(error.offset(), offset, "offset of the error in {format}: {error}");
            }
        }
    }
}

/// Asserts that the formats cannot express the instruction. The error begins with the field and
/// contains the format.
#[track_caller]
fn assert_inexpressible(
    formats: &[Format],
    instruction: impl Into<Instruction>,
    field: &str,
    kind: impl Fn(&ErrorKind) -> bool,
) {
    let instruction = instruction.into();
    for &format in formats {
        match instruction.to_bytes(format) {
            Ok(bytes) => panic!("{format} writes {instruction:?} as {bytes:02x?}"),
            Err(error) => {
                assert!(kind(error.kind()), "another kind of error in {format}: {error}");
                let text = error.to_string();
                let place = text.split([',', ':']).next();
                assert_eq!(place, Some(field), "{text:?} does not begin with the field");
                assert!(text.contains(&format.to_string()), "{text:?} does not name {format}");
            }
        }
    }
}

/// Asserts that formats with ids of two bytes reject the id 70,000 in the field.
#[track_caller]
fn assert_id_too_large(instruction: impl Into<Instruction>, field: &str) {
    let kind = kind!(ErrorKind::OutOfRange { value: 70_000, .. });
    assert_inexpressible(&igc(NARROW), instruction, field, kind);
}
