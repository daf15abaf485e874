//! Fast path for skipping instructions that have only fields of fixed length and vector operands.

use super::{FieldSpec, SPEC, is_in_dialect};
use crate::operand::{TypeByte, Vector};
use crate::wire::{Length, Reader};

/// A layout of fields of fixed length and vector operands.
#[derive(Clone, Copy)]
struct SimpleLayout {
    /// The number of bytes before the vector operands, including the opcode; 0 if the layout is not
    /// simple.
    head: u8,
    /// The number of vector operands, which are the last fields.
    vectors: u8,
}

/// An upper bound of the length of a simple layout. BFI is the longest: 4 bytes and five operands
/// of at most 10.
const WINDOW: usize = 64;

/// The layout of each opcode.
static LAYOUTS: [SimpleLayout; 256] = {
    let mut layouts = [SimpleLayout { head: 0, vectors: 0 }; 256];
    let mut row = 0;
    while row < SPEC.len() {
        let spec = &SPEC[row];
        if let Some(layout) = simple_layout(spec.fields) {
            layouts[spec.opcode as usize] = layout;
        }
        row += 1;
    }
    layouts
};

const fn simple_layout(fields: &[FieldSpec]) -> Option<SimpleLayout> {
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
    Some(SimpleLayout { head, vectors })
}

/// Skips an instruction of a simple layout.
///
/// Returns `None` for other layouts, near the end of the bytes, and for invalid or rare operands.
/// In these cases the caller uses [`Wire::skip`](crate::wire::Wire::skip) of the layout.
#[inline(always)]
pub(super) fn skip(r: &mut Reader<'_>) -> Option<()> {
    let window: &[u8; WINDOW] = r.rest().first_chunk()?;
    let opcode = window[0];
    let SimpleLayout { head, vectors } = LAYOUTS[usize::from(opcode)];
    if head == 0 || !is_in_dialect(opcode, r.format()) {
        return None;
    }
    let general = if r.wide_ids() { 9 } else { 7 };
    let mut at = usize::from(head);
    for i in 0..vectors {
        // `at` is always less than `WINDOW`; the remainder only removes the bounds check.
        let class = window[at % WINDOW] & Vector::CLASS;
        // These lengths are those of `Vector::skip`, and tests compare the two. Sharing the code
        // made this a fifth slower. The branches are predictable: most operands are of class 0, and
        // most others of class 5.
        at += if class == 0 {
            general
        } else if class == 5 && i > 0 {
            let ty = TypeByte::from_bits(window[(at + 1) % WINDOW]).ty();
            if ty.is_wide() { 10 } else { 6 }
        } else if class == 2 {
            3
        } else {
            // This is rare, or an error: destinations of comparisons have class 0 or 2.
            return None;
        };
    }
    r.try_advance(at)
}
