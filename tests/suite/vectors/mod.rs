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
fn assert_encoding(format: Format, bytes: &[u8], instruction: impl Into<Instruction>) {
    let instruction = instruction.into();
    match Instruction::from_bytes(bytes, format) {
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
    let boundaries: Vec<_> = Boundaries::new(bytes, format).collect();
    let whole = Boundary { offset: 0, len: bytes.len(), opcode: bytes[0] };
    assert_eq!(boundaries, [Ok(whole)], "skipped as {format}");
}

/// [`assert_encoding`] in each of the formats.
#[track_caller]
fn assert_encoding_in(formats: &[Format], bytes: &[u8], instruction: impl Into<Instruction>) {
    let instruction = instruction.into();
    for &format in formats {
        assert_encoding(format, bytes, instruction);
    }
}

/// Asserts that decoding fails at the offset. For a word, this is the offset of its first byte.
#[track_caller]
fn assert_rejected(format: Format, bytes: &[u8], offset: usize, kind: impl Fn(&ErrorKind) -> bool) {
    match Instruction::from_bytes(bytes, format) {
        Ok(instruction) => panic!("{format} reads {bytes:02x?} as {instruction:?}"),
        Err(error) => {
            assert!(kind(error.kind()), "another kind of error in {format}: {error}");
            assert_eq!(error.offset(), offset, "offset of the error in {format}: {error}");
        }
    }
}

/// [`assert_rejected`] in each of the formats.
#[track_caller]
fn assert_rejected_in(
    formats: &[Format],
    bytes: &[u8],
    offset: usize,
    kind: impl Fn(&ErrorKind) -> bool,
) {
    for &format in formats {
        assert_rejected(format, bytes, offset, &kind);
    }
}

/// Asserts that the format cannot express the instruction. The error begins with the field and
/// contains the format.
#[track_caller]
fn assert_inexpressible(
    format: Format,
    instruction: impl Into<Instruction>,
    field: &str,
    kind: impl Fn(&ErrorKind) -> bool,
) {
    let instruction = instruction.into();
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
