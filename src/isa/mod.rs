//! Instructions.
//!
//! Sections 4 and 5 of [`docs::format`](crate::docs::format) describe their bytes.
//!
//! - [`Instruction`] is an enum of all instructions, with a struct per variant: [`Add`], [`Mov`],
//!   [`Sample3d`] and so on. It decodes and encodes single instructions, and has methods that work
//!   for all of them: [`mnemonic`](Instruction::mnemonic), [`kind`](Instruction::kind),
//!   [`visit_accesses`](Instruction::visit_accesses), [`ends_block`](Instruction::ends_block).
//! - The five instructions that the manual documents are [`Info`], [`MediaLd`], [`RtWrite`],
//!   [`Gather4Typed`] and [`Sample3d`]; their pages here describe the bytes of every field.
//! - Five variants are families, enums in turn: [`Svm`], [`Va`], [`VaSklPlus`], [`LscUntyped`] and
//!   [`LscTyped`]. Their structs are in the modules of this page.
//! - [`Instructions`] decodes the instructions of a routine one by one; [`Boundaries`] only finds
//!   where they begin.
//! - [`SPEC`] is the instruction table as data: a [`Spec`] per opcode, with its fields in the order
//!   of their bytes.
//!
//! ```
//! use genvisa::isa::{Kind, Ret};
//! use genvisa::operand::ExecSize;
//! use genvisa::{Format, Instruction};
//!
//! let ret = Ret { exec: ExecSize::S1.into(), ..Ret::default() };
//! let bytes = Instruction::from(ret).to_bytes(Format::default())?;
//! assert_eq!(bytes, [0x34, 0, 0, 0]); // opcode, exec, predicate
//!
//! let instruction = Instruction::from_bytes(&bytes, Format::default())?;
//! assert_eq!((instruction.mnemonic(), instruction.kind()), ("ret", Kind::Flow));
//! match instruction {
//!     Instruction::Ret(Ret { exec, .. }) => assert_eq!(exec.size.lanes(), 1),
//!     other => panic!("unexpected {other}"),
//! }
//!
//! let fields: Vec<&str> = instruction.spec().fields.iter().map(|field| field.name).collect();
//! assert_eq!(fields, ["exec", "pred"]);
//! # Ok::<(), genvisa::Error>(())
//! ```

mod accesses;
mod family;
mod gather4_typed;
mod ids;
mod info;
mod kind;
mod list;
pub mod lsc;
#[cfg(any(feature = "analysis", feature = "verify"))]
pub(crate) mod payload;
pub(crate) mod record;
mod rows;
mod rt_write;
pub(crate) mod sampler;
mod simple_layout;
mod stream;
pub mod svm;
mod table;
pub mod va;
pub mod va_skl_plus;

pub use accesses::{Access, AccessKind};
pub(crate) use family::normalize_family;
pub use ids::{Id, IdClass};
pub use info::InfoOp;
pub use kind::Kind;
pub use list::{Labels, List, Params};
#[cfg(feature = "text")]
pub(crate) use rows::mnemonic;
pub(crate) use rows::normalize_rows;
#[cfg(any(feature = "analysis", feature = "text"))]
pub(crate) use rows::prefix;
pub use rt_write::{RtWriteFlags, RtWriteMode};
pub use sampler::{Param, SampleFlags, SampleOp, SamplerOp};
pub use stream::{Boundaries, Boundary, Instructions};
pub use table::*;

use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::format::{Dialect, Format, Version};
use crate::operand::{Visitor, VisitorMut};
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// Returns the name of a field of a row, or of another struct. The field must exist.
#[cfg(any(feature = "text", feature = "verify", feature = "analysis"))]
macro_rules! field_name {
    ($($row:ident)::+ . $field:ident) => {{
        const _: usize = core::mem::offset_of!($($row)::+, $field);
        stringify!($field)
    }};
}

#[cfg(any(feature = "text", feature = "verify", feature = "analysis"))]
pub(crate) use field_name;

/// A row of the instruction table: an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spec {
    /// The opcode: the first byte of the instruction.
    pub opcode: u8,
    /// The name of the struct and of the variant of [`Instruction`].
    pub name: &'static str,
    /// The mnemonic: the name in the table of GenX_IR.
    pub mnemonic: &'static str,
    /// The kind of the instruction.
    pub kind: Kind,
    /// The dialects that have the instruction.
    pub dialects: Dialects,
    /// The fields after the opcode, in the order of their bytes; empty for a family.
    pub fields: &'static [FieldSpec],
    /// The layouts of a family; empty for other instructions.
    pub family: &'static [SubSpec],
}

impl Spec {
    /// Returns the layout of a family that a sub-opcode selects in a format, if the format has one.
    pub fn layout(&self, sub_opcode: u8, format: Format) -> Option<&'static SubSpec> {
        let family = self.dialects.includes(format).then_some(self.family)?;
        let is_newer = format.dialect == Dialect::Igc2026;
        let is_newest = is_newer && format.since(Version::V4_2);
        let newest =
            family.iter().filter(|it| is_newest && it.newest_sub_opcodes.contains(&sub_opcode));
        let others = family.iter().filter(|it| {
            it.sub_opcodes.contains(&sub_opcode)
                || is_newer && it.newer_sub_opcodes.contains(&sub_opcode)
        });
        newest.chain(others).next()
    }
}

/// A layout of a family, which the byte after the opcode selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubSpec {
    /// The sub-opcodes of this layout in both Igc dialects.
    pub sub_opcodes: &'static [u8],
    /// The sub-opcodes of this layout in `Igc2026` only.
    pub newer_sub_opcodes: &'static [u8],
    /// The sub-opcodes of this layout since version 4.2 of `Igc2026`. Other layouts may also list
    /// them, for older versions.
    pub newest_sub_opcodes: &'static [u8],
    /// The name of the struct.
    pub name: &'static str,
    /// The mnemonic of the operation.
    pub mnemonic: &'static str,
    /// The fields after the sub-opcode, in the order of their bytes.
    pub fields: &'static [FieldSpec],
}

/// The struct of an instruction, or of a layout of a family such as LSC.
///
/// ```
/// use genvisa::isa::{Layout, Sample3d};
/// use genvisa::{Format, Version};
///
/// // The paired surface exists in dialect `Igc2026` since 3.8.
/// assert_eq!(Sample3d::for_format(Format::igc2022(Version::V3_6)).paired_surface, None);
/// assert!(Sample3d::for_format(Format::igc2026(Version::V3_8)).paired_surface.is_some());
/// assert_eq!(Sample3d::FIELDS[0].name, "op");
/// ```
pub trait Layout: Default {
    /// The fields in the order of their bytes.
    const FIELDS: &'static [FieldSpec];

    /// Returns the default for a format: fields that depend on the format are `Some` if the format has
    /// them.
    fn for_format(format: Format) -> Self;
}

/// A field of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldSpec {
    /// The name.
    pub name: &'static str,
    /// The name of the type.
    pub ty: &'static str,
    /// What the field means, and its bits if it has several parts. Empty if the name says it.
    #[cfg(feature = "text")]
    pub doc: &'static str,
    /// The values that have names.
    #[cfg(feature = "text")]
    pub values: &'static [crate::wire::NamedValue],
    /// The condition under which the field is present; `None` if it always is. The syntax is that
    /// of the instruction table:
    ///
    /// | condition | the field is present |
    /// |---|---|
    /// | `since V3_2`, `before V3_2` | in this version and newer ones, in older ones; dialect `Manual` counts as newer than every version |
    /// | `igc2026`, `manual`, `not manual` | in this dialect, in the others |
    /// | `igc2026 since V3_8` | in this dialect, since this version |
    /// | `if mode has SI` | if the field `mode` has the flag `SI` |
    /// | `if op is ResInfo` | if the field `op` is `ResInfo` |
    /// | `times n` | `n` times, where `n` is a field |
    ///
    /// After `, else` follows the value that the struct has if the field is absent.
    pub when: Option<&'static str>,
    /// The length in bytes.
    length: Length,
    gate: Gate,
}

/// The part of a condition that is about the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    Always,
    Since(Version),
    Before(Version),
    Manual,
    NotManual,
    Igc2026,
    Igc2026Since(Version),
}

impl Gate {
    /// Returns whether the condition allows the field in a format. Inlined, because the gates of decoders are
    /// constants.
    #[inline(always)]
    pub(crate) fn is_open(self, format: Format) -> bool {
        match self {
            Gate::Always => true,
            Gate::Since(version) => format.since(version),
            Gate::Before(version) => !format.since(version),
            Gate::Manual => format.is_manual(),
            Gate::NotManual => !format.is_manual(),
            Gate::Igc2026 => format.dialect == Dialect::Igc2026,
            Gate::Igc2026Since(version) => {
                format.dialect == Dialect::Igc2026 && format.since(version)
            }
        }
    }
}

impl FieldSpec {
    /// Returns whether an instruction can have the field in a format. A field that is present if another field
    /// has a value is one.
    pub fn is_in(&self, format: Format) -> bool {
        self.gate.is_open(format)
    }
}

/// The dialects that have an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialects {
    /// All three.
    Everywhere,
    /// `Igc2022` and `Igc2026`.
    Igc,
    /// `Igc2026` only.
    Igc2026,
    /// `Igc2026` in version 4.2, which has text only.
    Text4_2,
}

impl Dialects {
    /// Returns the first dialect that has the instruction. Later ones have it, too.
    const fn since(self) -> Dialect {
        match self {
            Dialects::Everywhere => Dialect::Manual,
            Dialects::Igc => Dialect::Igc2022,
            Dialects::Igc2026 | Dialects::Text4_2 => Dialect::Igc2026,
        }
    }

    /// Returns whether a format has the instruction.
    pub fn includes(self, format: Format) -> bool {
        match self {
            Dialects::Text4_2 => format == Format::V4_2,
            dialects => format.dialect >= dialects.since(),
        }
    }
}

impl Default for Instruction {
    fn default() -> Self {
        Instruction::Barrier(Barrier {})
    }
}

impl Instruction {
    /// Decodes an instruction that fills all of `bytes`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid instruction, and [`ErrorKind::TrailingBytes`]
    /// if there are more bytes.
    pub fn from_bytes(bytes: &[u8], format: Format) -> Result<Instruction> {
        let mut r = Reader::new(bytes, format);
        let instruction = Instruction::decode(&mut r)?;
        match r.rest().len() {
            0 => Ok(instruction),
            count => Err(r.error(ErrorKind::TrailingBytes { count })),
        }
    }

    /// Encodes the instruction. [`Code::from_instructions`](crate::object::Code::from_instructions) encodes
    /// several for a routine.
    ///
    /// In 4.2, which has no binary form, these are the bytes of an instruction in memory. No file
    /// contains them, and they may change between versions of this crate.
    ///
    /// # Errors
    /// Returns an error if the format cannot express the instruction.
    pub fn to_bytes(&self, format: Format) -> Result<Vec<u8>> {
        let mut w = Writer::new(format);
        self.encode(&mut w)?;
        Ok(w.into_bytes())
    }

    /// Returns the row of the instruction table for an opcode.
    pub fn spec_of(opcode: u8) -> Option<&'static Spec> {
        SPEC.binary_search_by_key(&opcode, |spec| spec.opcode).ok().map(|i| &SPEC[i])
    }
}

/// Passes the operands of an instruction to a visitor.
pub(crate) trait Operands {
    fn operands(&self, visitor: &mut dyn Visitor);
    fn operands_mut(&mut self, visitor: &mut dyn VisitorMut);
}

/// The names of the items of a list whose items have no names.
const NO_NAMES: &[&str] = &[];

/// Returns an error if the dialect does not have the opcode. Unknown opcodes are not checked.
#[inline(always)]
fn check_dialect<T: Trace>(opcode: u8, r: &Reader<'_, T>) -> Result<()> {
    // Fast path: most opcodes only depend on the dialect.
    if is_in_dialect(opcode, r.format()) || is_in_text(opcode, r.format()) {
        return Ok(());
    }
    Err(not_in_format(opcode, r))
}

/// Returns whether the dialect has an opcode in every version.
#[inline(always)]
fn is_in_dialect(opcode: u8, format: Format) -> bool {
    format.dialect as u8 >= SINCE[usize::from(opcode)]
}

/// Returns whether an opcode exists in 4.2 only, and the format is 4.2.
#[cold]
fn is_in_text(opcode: u8, format: Format) -> bool {
    format == Format::V4_2 && SINCE[usize::from(opcode)] == TEXT_ONLY
}

/// The first dialect that has each opcode in every version, or [`TEXT_ONLY`].
static SINCE: [u8; 256] = {
    let mut table = [Dialect::Manual as u8; 256];
    let mut row = 0;
    while row < SPEC.len() {
        table[SPEC[row].opcode as usize] = match SPEC[row].dialects {
            Dialects::Text4_2 => TEXT_ONLY,
            dialects => dialects.since() as u8,
        };
        row += 1;
    }
    table
};

/// The entry of [`SINCE`] for an opcode that exists in text of 4.2 only. It is greater than every
/// dialect.
const TEXT_ONLY: u8 = u8::MAX;

/// Returns the error for an opcode that the dialect does not have. It was read last.
#[cold]
fn not_in_format<T: Trace>(opcode: u8, r: &Reader<'_, T>) -> Error {
    let (name, format) = (Instruction::mnemonic_of(opcode).unwrap_or_default(), r.format());
    let is_text_only = SINCE[usize::from(opcode)] == TEXT_ONLY;
    r.error_back(
        1,
        match is_text_only && format.version != Version::V4_2 {
            true => ErrorKind::NoBinaryForm { opcode, name },
            false => ErrorKind::NotInFormat { name, format },
        },
    )
}

impl Wire for Instruction {
    #[inline]
    fn decode_into<T: Trace>(&mut self, r: &mut Reader<'_, T>) -> Result<()> {
        let start = r.offset();
        let opcode = r.u8()?;
        check_dialect(opcode, r)?;
        if T::ENABLED {
            let name = Instruction::mnemonic_of(opcode).unwrap_or("unknown");
            r.part("opcode", start, start + 1, &NamedOpcode(name));
        }
        self.decode_body(opcode, r)
    }

    #[inline]
    fn encode(&self, w: &mut Writer) -> Result<()> {
        let opcode = self.opcode();
        if !is_in_dialect(opcode, w.format()) && !is_in_text(opcode, w.format()) {
            let (name, format) = (self.mnemonic(), w.format());
            return Err(w.error(ErrorKind::NotInFormat { name, format }));
        }
        w.u8(opcode);
        self.encode_body(w)
    }
}

/// The retired opcodes and their mnemonics (docs/format.md, 5.9).
const RETIRED: &[(u8, &str)] = &[
    (0x3b, "scatter_atomic"),
    (0x3d, "gather4"),
    (0x3e, "scatter4"),
    (0x3f, "transpose_ld"),
    (0x61, "else"),
    (0x62, "endif"),
    (0x63, "do"),
    (0x64, "while"),
    (0x65, "break"),
    (0x66, "continue"),
    (0x76, "strbuf_ld_scaled"),
    (0x77, "strbuf_st_scaled"),
];

/// Returns the error for an opcode without a row. It was read last.
#[cold]
fn unknown_opcode<T: Trace>(opcode: u8, r: &Reader<'_, T>) -> Error {
    let kind = match RETIRED.iter().find(|(op, _)| *op == opcode) {
        Some((_, name)) => ErrorKind::RetiredOpcode { opcode, name },
        None => ErrorKind::UnknownOpcode { opcode },
    };
    r.error_back(1, kind)
}

/// The name of an opcode or sub-opcode, for tracing.
struct NamedOpcode(&'static str);

impl fmt::Display for NamedOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Describe for NamedOpcode {}
