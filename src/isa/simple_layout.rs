//! Fast path for skipping instructions that have only fields of fixed length and vector operands.

use super::{FieldSpec, Kind, SINCE, SPEC};
use crate::operand::{TypeByte, Vector};
use crate::wire::{Length, Reader};

/// A layout of fields of fixed length and vector operands, which are the last fields.
///
/// In most instructions the operands have the *usual* classes: all are general, but the destination
/// of a comparison is a predicate, and the last operand may also be an immediate. Arrays of two are
/// for ids of two and of four bytes.
#[derive(Clone, Copy)]
#[repr(align(16))] // An index is multiplied by a shift.
struct SimpleLayout {
    /// The first dialect that has the instruction; above every dialect if the layout is not simple.
    since: u8,
    /// The number of bytes before the operands, including the opcode.
    head: u8,
    /// The number of operands.
    vectors: u8,
    /// The usual class of the first operand.
    usual: u8,
    /// [`Vector::CLASS`] if there is such an operand, and otherwise 0: the first one, the second of
    /// three, and the last of several.
    exists: [u8; 3],
    /// Where the second operand begins if the first one has the usual class.
    second: [u8; 2],
    /// The length of the instruction if all operands have the usual classes, and the last one is
    /// not an immediate.
    len: [u8; 2],
}

/// An upper bound of the length of a simple layout. BFI is the longest: 4 bytes and five operands
/// of at most 10.
const WINDOW: usize = 64;

/// The length of a general operand with ids of two and of four bytes. This and the other lengths
/// here are those of `Vector::skip`, and tests compare the two. Sharing the code made this a fifth
/// slower.
const GENERAL: [u8; 2] = [7, 9];

/// The length of a predicate operand.
const PREDICATE: u8 = 3;

/// The layout of each opcode.
static LAYOUTS: [SimpleLayout; 256] = {
    let mut layouts = [SimpleLayout {
        since: u8::MAX,
        head: 0,
        vectors: 0,
        usual: 0,
        exists: [0; 3],
        second: [0; 2],
        len: [0; 2],
    }; 256];
    let mut row = 0;
    while row < SPEC.len() {
        let spec = &SPEC[row];
        if let Some((head, vectors)) = simple_fields(spec.fields) {
            let opcode = spec.opcode as usize;
            let usual = if matches!(spec.kind, Kind::Compare) { 2 } else { 0 };
            layouts[opcode] = simple_layout(SINCE[opcode], head, vectors, usual);
        }
        row += 1;
    }
    layouts
};

/// Returns the number of bytes before the vector operands, and the number of these, if the layout
/// is simple.
const fn simple_fields(fields: &[FieldSpec]) -> Option<(u8, u8)> {
    let (mut head, mut vectors, mut i) = (1, 0, 0);
    while i < fields.len() {
        if fields[i].when.is_some() {
            return None;
        }
        match (fields[i].length, vectors) {
            (Length::VectorOperand, _) => vectors += 1,
            (Length::Fixed(bytes), 0) => head += bytes,
            _ => return None,
        }
        i += 1;
    }
    // Families and empty layouts have no fields.
    if fields.is_empty() || head as usize + vectors as usize * 10 > WINDOW {
        return None;
    }
    Some((head, vectors))
}

const fn simple_layout(since: u8, head: u8, vectors: u8, usual: u8) -> SimpleLayout {
    let (mut second, mut len) = ([head; 2], [head; 2]);
    let mut i = 0;
    while i < 2 && vectors > 0 {
        second[i] = head + if usual == 2 { PREDICATE } else { GENERAL[i] };
        len[i] = second[i] + (vectors - 1) * GENERAL[i];
        i += 1;
    }
    let mut exists = [0; 3];
    let mut i = 0;
    while i < 3 {
        // The second operand of two is the last one.
        if vectors > [0, 2, 1][i] {
            exists[i] = Vector::CLASS;
        }
        i += 1;
    }
    // Layouts with more operands are rare.
    let usual = if vectors > 3 { u8::MAX } else { usual };
    SimpleLayout { since, head, vectors, usual, exists, second, len }
}

/// Skips an instruction of a simple layout.
///
/// Returns `None` for other layouts, near the end of the bytes, and for invalid or rare operands.
/// In these cases the caller uses [`Wire::skip`](crate::wire::Wire::skip) of the layout.
#[inline(always)]
pub(super) fn skip(r: &mut Reader<'_>) -> Option<()> {
    let window: &[u8; WINDOW] = r.rest().first_chunk()?;
    let layout = &LAYOUTS[usize::from(window[0])];
    if (r.format().dialect as u8) < layout.since {
        return None;
    }
    // The length comes from the table, and a branch only checks it: the number of operands would
    // be hard to predict. The last operand has a branch of its own, because computing its length
    // takes longer than waiting for the branch now and then.
    let wide = usize::from(r.wide_ids());
    let class = |at: usize, exists: u8| window[at % WINDOW] & exists;
    let [first, second, last] = layout.exists;
    let len = usize::from(layout.len[wide]);
    let last_at = len.wrapping_sub(GENERAL[wide].into());
    let unusual = class(layout.head.into(), first) ^ layout.usual
        | class(layout.second[wide].into(), second);
    if unusual == 0 {
        match class(last_at, last) {
            0 => return r.try_advance(len),
            5 => return r.try_advance(last_at.wrapping_add(immediate(window, last_at))),
            _ => {}
        }
    }
    r.try_advance(skip_operands(window, layout, GENERAL[wide].into())?)
}

/// Returns the length of an instruction with operands of any class; `None` if they are invalid or
/// rare.
#[inline(always)]
fn skip_operands(window: &[u8; WINDOW], layout: &SimpleLayout, general: usize) -> Option<usize> {
    let mut at = usize::from(layout.head);
    for i in 0..layout.vectors {
        at += match window[at % WINDOW] & Vector::CLASS {
            0 => general,
            2 => PREDICATE.into(),
            // Destinations of comparisons have class 0 or 2.
            5 if i > 0 => immediate(window, at),
            _ => return None,
        };
    }
    Some(at)
}

/// Returns the length of the immediate at a position, which is always less than `WINDOW`: the
/// remainder only removes the bounds check.
#[inline(always)]
fn immediate(window: &[u8; WINDOW], at: usize) -> usize {
    let ty = TypeByte::from_bits(window[at.wrapping_add(1) % WINDOW]).ty();
    if ty.is_wide() { 10 } else { 6 }
}
