//! Instructions: the table, and the structs and codecs that it expands to.
//!
//! [`Instruction`] is any of them. The crate's five documents describe [`Info`], [`MediaLd`],
//! [`RtWrite`], [`Gather4Typed`] and [`Sample3d`].

mod accesses;
mod family;
mod gather4_typed;
mod ids;
mod info;
mod kind;
mod list;
pub mod lsc;
pub(crate) mod record;
mod rows;
mod rt_write;
mod sampler;
mod simple_layout;
mod stream;
pub mod svm;
mod table;
pub mod va;
pub mod va_skl_plus;

pub use accesses::{Access, AccessKind};
pub use ids::{Id, IdClass};
pub use info::InfoOp;
pub use kind::Kind;
pub use list::{Labels, List, Params};
pub(crate) use rows::mnemonic;
pub use rt_write::{RtWriteFlags, RtWriteMode};
pub use sampler::{Param, SampleFlags, SampleOp, SamplerOp};
pub use stream::{Boundaries, Boundary, Instructions};
pub use table::*;

use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::format::{Dialect, Format};
use crate::operand::{Visitor, VisitorMut};
use crate::wire::{Describe, Length, Reader, Trace, Wire, Writer};

/// A row of the instruction table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spec {
    /// The first byte.
    pub opcode: u8,
    /// The name of the struct and of the variant of [`Instruction`].
    pub name: &'static str,
    /// The name in the reference's table.
    pub mnemonic: &'static str,
    /// What it does.
    pub kind: Kind,
    /// The dialects that have it.
    pub dialects: Dialects,
    /// The fields after the opcode, in the order of their bytes; none for a family.
    pub fields: &'static [FieldSpec],
    /// The layouts of a family, by sub-opcode.
    pub family: &'static [SubSpec],
}

/// A layout of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubSpec {
    /// The values of the byte after the opcode that select it in both Igc dialects.
    pub sub_opcodes: &'static [u8],
    /// Those that select it in `Igc2026` alone.
    pub newer_sub_opcodes: &'static [u8],
    /// The name of the struct.
    pub name: &'static str,
    /// The name of the operation.
    pub mnemonic: &'static str,
    /// The fields after the sub-opcode, in the order of their bytes.
    pub fields: &'static [FieldSpec],
}

/// A field of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldSpec {
    /// Its name.
    pub name: &'static str,
    /// The name of its type.
    pub ty: &'static str,
    /// The condition under which it is present, if it is not always. It is written as in the
    /// instruction table:
    ///
    /// | condition | the field is present |
    /// |---|---|
    /// | `since V3_2`, `before V3_2` | in that version and newer ones, in older ones; dialect `Manual` counts as newer than every version |
    /// | `igc2026`, `manual`, `not manual` | in that dialect, in the others |
    /// | `igc2026 since V3_8` | in that dialect, from that version on |
    /// | `if mode has SI` | where the field `mode` has the flag `SI` |
    /// | `if op is ResInfo` | where the field `op` is `ResInfo` |
    /// | `times n` | as often as the field `n` states |
    ///
    /// After a comma, `else` and the value that the struct has where the field is absent.
    pub when: Option<&'static str>,
    /// How many bytes it takes.
    length: Length,
}

/// Which dialects have an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialects {
    /// All three.
    Everywhere,
    /// `Igc2022` and `Igc2026`.
    Igc,
    /// `Igc2026` alone.
    Igc2026,
}

impl Dialects {
    /// The first dialect that has the instruction: those after it do too.
    const fn since(self) -> Dialect {
        match self {
            Dialects::Everywhere => Dialect::Manual,
            Dialects::Igc => Dialect::Igc2022,
            Dialects::Igc2026 => Dialect::Igc2026,
        }
    }

    /// Whether the format has the instruction.
    pub fn includes(self, format: Format) -> bool {
        format.dialect >= self.since()
    }
}

impl Default for Instruction {
    fn default() -> Self {
        Instruction::Barrier(Barrier {})
    }
}

impl Instruction {
    /// Decodes exactly one instruction, filling all of `bytes`.
    ///
    /// # Errors
    /// Whatever the bytes do not say legally; [`ErrorKind::TrailingBytes`] for bytes after it.
    pub fn from_bytes(bytes: &[u8], format: Format) -> Result<Instruction> {
        let mut r = Reader::new(bytes, format);
        let instruction = Instruction::decode(&mut r)?;
        match r.rest().len() {
            0 => Ok(instruction),
            count => Err(r.error(ErrorKind::TrailingBytes { count })),
        }
    }

    /// The instruction's bytes.
    ///
    /// # Errors
    /// What the instruction says and the format cannot.
    pub fn to_bytes(&self, format: Format) -> Result<Vec<u8>> {
        let mut w = Writer::new(format);
        self.encode(&mut w)?;
        Ok(w.into_bytes())
    }

    /// The row of the table for an opcode.
    pub fn spec_of(opcode: u8) -> Option<&'static Spec> {
        SPEC.binary_search_by_key(&opcode, |spec| spec.opcode).ok().map(|i| &SPEC[i])
    }
}

/// Shows the operands of an instruction to a visitor.
pub(crate) trait Operands {
    fn operands<V: Visitor + ?Sized>(&self, visitor: &mut V);
    fn operands_mut<V: VisitorMut + ?Sized>(&mut self, visitor: &mut V);
}

/// The items of a list that have no names of their own.
const NO_NAMES: &[&str] = &[];

/// Refuses what the dialect lacks; leaves unknown opcodes to the dispatch.
#[inline(always)]
fn check_dialect<T: Trace>(opcode: u8, r: &Reader<'_, T>) -> Result<()> {
    if r.format().dialect < SINCE[usize::from(opcode)] {
        return Err(not_in_format(opcode, r));
    }
    Ok(())
}

/// The first dialect that has each opcode.
static SINCE: [Dialect; 256] = {
    let mut table = [Dialect::Manual; 256];
    let mut row = 0;
    while row < SPEC.len() {
        table[SPEC[row].opcode as usize] = SPEC[row].dialects.since();
        row += 1;
    }
    table
};

/// The error for an opcode that the dialect lacks; it was just read.
#[cold]
fn not_in_format<T: Trace>(opcode: u8, r: &Reader<'_, T>) -> Error {
    let name = Instruction::mnemonic_of(opcode).unwrap_or_default();
    r.error_back(1, ErrorKind::NotInFormat { name, format: r.format() })
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
        if w.format().dialect < SINCE[usize::from(opcode)] {
            let (name, format) = (self.mnemonic(), w.format());
            return Err(w.error(ErrorKind::NotInFormat { name, format }));
        }
        w.u8(opcode);
        self.encode_body(w)
    }

    #[inline(always)]
    fn skip(r: &mut Reader<'_>) -> Result<()> {
        match simple_layout::skip(r) {
            Some(()) => Ok(()),
            None => skip_by_layout(r),
        }
    }
}

/// Passes over an instruction of any layout.
#[inline(never)]
fn skip_by_layout(r: &mut Reader<'_>) -> Result<()> {
    let opcode = r.u8()?;
    check_dialect(opcode, r)?;
    Instruction::skip_body(opcode, r)
}

/// Opcodes that were given up, with what they were (format-facts 5.9).
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

/// Opcodes of today's text that its binary reader has no correct case for (format-facts 5.2).
const TEXT_ONLY: &[(u8, &str)] = &[
    (0x94, "breakpoint"),
    (0x95, "shfl_idx4"),
    (0x98, "lfsr"),
    (0x99, "bdpas"),
    (0x9a, "dnscl"),
    (0x9b, "invm"),
    (0x9c, "rsqtm"),
];

/// The error for an opcode without a row; the opcode was just read.
#[cold]
fn unknown_opcode<T: Trace>(opcode: u8, r: &Reader<'_, T>) -> Error {
    let name_in = |list: &[(u8, &'static str)]| {
        list.iter().find(|(op, _)| *op == opcode).map(|(_, name)| *name)
    };
    let kind = match (name_in(RETIRED), name_in(TEXT_ONLY)) {
        (Some(name), _) => ErrorKind::RetiredOpcode { opcode, name },
        (_, Some(name)) => ErrorKind::NoBinaryForm { opcode, name },
        _ => ErrorKind::UnknownOpcode { opcode },
    };
    r.error_back(1, kind)
}

/// An opcode or sub-opcode with its name, for tracing.
struct NamedOpcode(&'static str);

impl fmt::Display for NamedOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Describe for NamedOpcode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_opcodes_without_repetition() {
        assert!(SPEC.windows(2).all(|rows| rows[0].opcode < rows[1].opcode));
    }

    #[test]
    fn no_opcode_with_a_word_of_excuse_has_a_row() {
        for (opcode, name) in RETIRED.iter().chain(TEXT_ONLY) {
            assert_eq!(Instruction::spec_of(*opcode), None, "{name}");
        }
    }

    #[test]
    fn an_instruction_stays_within_three_cache_lines() {
        assert!(size_of::<Instruction>() <= 192, "{}", size_of::<Instruction>());
    }
}
