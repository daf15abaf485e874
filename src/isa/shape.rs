//! The lengths of the layouts that are nothing but fields of fixed size and vector operands, which
//! most instructions have, found without a reader.

use super::{FieldSpec, SINCE, SPEC};
use crate::operand::{TypeByte, Vector};
use crate::wire::Reader;

/// How a layout's bytes are counted.
#[derive(Clone, Copy)]
struct Shape {
    /// The bytes before the vector operands; 0 if the layout is not one of these.
    head: u8,
    /// How many vector operands follow. Nothing is behind them.
    vectors: u8,
}

/// More than the bytes of any layout here: BFI has the most, 4 before five operands of at most 10.
const WINDOW: usize = 64;

/// The shape of each opcode's layout.
static SHAPES: [Shape; 256] = {
    let mut shapes = [Shape { head: 0, vectors: 0 }; 256];
    let mut row = 0;
    while row < SPEC.len() {
        let spec = &SPEC[row];
        if let Some((head, vectors)) = shape(spec.fields) {
            shapes[spec.opcode as usize] = Shape { head, vectors };
        }
        row += 1;
    }
    shapes
};

/// The bytes before the vector operands, the opcode's among them, and how many operands there are.
const fn shape(fields: &[FieldSpec]) -> Option<(u8, u8)> {
    let (mut head, mut vectors, mut i) = (1, 0, 0);
    while i < fields.len() {
        if fields[i].when.is_some() {
            return None;
        }
        match (fields[i].ty.as_bytes(), vectors) {
            (b"Vector" | b"Dst" | b"CmpDst" | b"AddressOf", _) => vectors += 1,
            (b"Exec" | b"Relation" | b"MinMaxOp" | b"u8", 0) => head += 1,
            (b"Pred" | b"LabelId" | b"u16", 0) => head += 2,
            (b"u32", 0) => head += 4,
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

/// Moves the reader behind an instruction whose length is found so easily.
///
/// What is not, or may be wrong, is left to [`Wire::skip`](crate::wire::Wire::skip) of its layout.
#[inline(always)]
pub(super) fn pass(r: &mut Reader<'_>) -> Option<()> {
    let window: &[u8; WINDOW] = r.rest().first_chunk()?;
    let opcode = window[0];
    let Shape { head, vectors } = SHAPES[usize::from(opcode)];
    if head == 0 || r.format().dialect < SINCE[usize::from(opcode)] {
        return None;
    }
    let general = if r.wide_ids() { 9 } else { 7 };
    let mut at = usize::from(head);
    for i in 0..vectors {
        // No offset comes near `WINDOW`; the remainder spares the check of bounds.
        let class = window[at % WINDOW] & Vector::CLASS;
        // The lengths are those of `Vector::skip`, and tests hold the two together: code for both was
        // a fifth slower. Branches can be foretold: most operands are of class 0, most others of
        // class 5.
        at += if class == 0 {
            general
        } else if class == 5 && i > 0 {
            let ty = TypeByte::from_bits(window[(at + 1) % WINDOW]).ty();
            if ty.is_wide() { 10 } else { 6 }
        } else if class == 2 {
            3
        } else {
            // Comparisons write classes 0 and 2 only, and others rarely something else.
            return None;
        };
    }
    r.try_advance(at)
}
