//! Fast path for skipping instructions whose vector operands are adjacent, and whose other fields
//! are always present and have a length that the format determines.

use super::{FieldSpec, Kind, SINCE, SPEC};
use crate::operand::{TypeByte, Vector};
use crate::wire::{Length, Reader};

/// The layout of such an instruction. Positions and lengths are in bytes; a position counts from the
/// opcode.
///
/// In most instructions the vector operands have the *usual* classes: all are general, but the
/// destination of a comparison is a predicate, and the last operand may also be an immediate.
/// Arrays of two have a value for ids of two bytes, and one for ids of four bytes.
#[derive(Clone, Copy)]
#[repr(align(16))] // With a size of 16, an index is multiplied by a shift.
struct SimpleLayout {
    /// The first dialect that has the instruction; above every dialect if the layout is not simple.
    since: u8,
    /// The number of vector operands.
    vectors: u8,
    /// The usual class of the first vector operand, or `u8::MAX`, which no operand has, if there are
    /// more than three.
    usual: u8,
    /// [`Vector::CLASS`] if there is such a vector operand, and otherwise 0: the first one, the
    /// second of three, and the last of several.
    exists: [u8; 3],
    /// Where the first vector operand begins.
    first: [u8; 2],
    /// Where the second vector operand begins, if the first one has the usual class.
    second: [u8; 2],
    /// Where the last vector operand begins, if those before it have the usual classes.
    last: [u8; 2],
    /// The length of the fields after the vector operands.
    tail: [u8; 2],
    /// The length of the instruction, if all vector operands have the usual classes and the last
    /// one is not an immediate.
    len: [u8; 2],
}

/// The number of bytes that are read at once. A layout that can be longer is not simple, which is
/// rare.
const WINDOW: usize = 64;

/// The length of a general operand with ids of two and of four bytes.
const GENERAL: [u8; 2] = [7, 9];

/// The length of a predicate operand.
const PREDICATE: u8 = 3;

/// The layout of each opcode.
static LAYOUTS: [SimpleLayout; 256] = {
    const NOT_SIMPLE: SimpleLayout = SimpleLayout {
        since: u8::MAX,
        vectors: 0,
        usual: 0,
        exists: [0; 3],
        first: [0; 2],
        second: [0; 2],
        last: [0; 2],
        tail: [0; 2],
        len: [0; 2],
    };
    let mut layouts = [NOT_SIMPLE; 256];
    let mut row = 0;
    while row < SPEC.len() {
        let spec = &SPEC[row];
        let opcode = spec.opcode as usize;
        let usual = if matches!(spec.kind, Kind::Compare) { 2 } else { 0 };
        if let Some(layout) = simple_layout(SINCE[opcode], spec.fields, usual) {
            layouts[opcode] = layout;
        }
        row += 1;
    }
    layouts
};

/// Returns the layout of fields, if it is simple.
const fn simple_layout(since: u8, fields: &[FieldSpec], usual: u8) -> Option<SimpleLayout> {
    let (mut first, mut vectors, mut tail) = ([1; 2], 0, [0; 2]);
    let mut i = 0;
    while i < fields.len() {
        if fields[i].when.is_some() {
            return None;
        }
        let bytes = match fields[i].length {
            Length::VectorOperand if tail[1] == 0 => {
                vectors += 1;
                [0; 2]
            }
            Length::Fixed(bytes) => [bytes; 2],
            Length::ByIds { narrow, wide } => [narrow, wide],
            _ => return None,
        };
        let part = if vectors == 0 { &mut first } else { &mut tail };
        *part = [part[0] + bytes[0], part[1] + bytes[1]];
        i += 1;
    }
    // Families and empty layouts have no fields.
    if fields.is_empty() || first[1] as usize + vectors as usize * 10 + tail[1] as usize > WINDOW {
        return None;
    }
    let (mut second, mut last, mut len) = (first, first, first);
    let mut i = 0;
    while i < 2 {
        if vectors > 0 {
            second[i] += if usual == 2 { PREDICATE } else { GENERAL[i] };
            len[i] = second[i] + (vectors - 1) * GENERAL[i];
        }
        if vectors > 1 {
            last[i] = len[i] - GENERAL[i];
        }
        len[i] += tail[i];
        i += 1;
    }
    // `exists[1]` is for the second operand of three: of two, the second is the last.
    let exists = [class_if(vectors > 0), class_if(vectors > 2), class_if(vectors > 1)];
    // `exists` has no place for more than three operands: `any_len` skips them.
    let usual = if vectors > 3 { u8::MAX } else { usual };
    Some(SimpleLayout { since, vectors, usual, exists, first, second, last, tail, len })
}

const fn class_if(exists: bool) -> u8 {
    if exists { Vector::CLASS } else { 0 }
}

/// Skips an instruction of a simple layout.
///
/// Returns `None` for other layouts, near the end of the bytes, and for invalid or rare operands.
/// In these cases the caller decodes the instruction.
#[inline(always)]
pub(super) fn skip(r: &mut Reader<'_>) -> Option<()> {
    let window: &[u8; WINDOW] = r.rest().first_chunk()?;
    let layout = &LAYOUTS[usize::from(window[0])];
    if (r.format().dialect as u8) < layout.since {
        return None;
    }
    // The length comes from the table, and a branch only checks it: a branch that depended on the
    // number of operands would be hard to predict. The last operand has a branch of its own,
    // because the next instruction would have to wait for a computed length.
    let ids = usize::from(r.wide_ids());
    let class = |at: u8, exists: u8| window[usize::from(at) % WINDOW] & exists;
    let len = usize::from(layout.len[ids]);
    let general = usize::from(GENERAL[ids]);
    let first = class(layout.first[ids], layout.exists[0]) ^ layout.usual;
    if first | class(layout.second[ids], layout.exists[1]) == 0 {
        match class(layout.last[ids], layout.exists[2]) {
            0 => return r.try_advance(len),
            5 => {
                let last = immediate(window, layout.last[ids].into());
                return r.try_advance(len.wrapping_sub(general).wrapping_add(last));
            }
            _ => {}
        }
    }
    r.try_advance(any_len(window, layout, ids)?)
}

/// Returns the length of an instruction with vector operands of any class; `None` if they are
/// invalid or rare.
#[inline(always)]
fn any_len(window: &[u8; WINDOW], layout: &SimpleLayout, ids: usize) -> Option<usize> {
    let mut at = usize::from(layout.first[ids]);
    for i in 0..layout.vectors {
        at += match window[at % WINDOW] & Vector::CLASS {
            0 => GENERAL[ids].into(),
            2 => PREDICATE.into(),
            // Destinations of comparisons have class 0 or 2.
            5 if i > 0 => immediate(window, at),
            _ => return None,
        };
    }
    Some(at + usize::from(layout.tail[ids]))
}

/// Returns the length of the immediate at a position, which is always less than `WINDOW`: the
/// remainder only removes the bounds check.
#[inline(always)]
fn immediate(window: &[u8; WINDOW], at: usize) -> usize {
    let ty = TypeByte::from_bits(window[at.wrapping_add(1) % WINDOW]).ty();
    if ty.is_wide() { 10 } else { 6 }
}
