//! What the texts of IGC do not state.

use crate::isa::Instruction;
use crate::operand::{DataType, Imm, Pred, Slot, Vector, VisitorMut};

/// Returns the instruction that is in the text of IGC 2.40.14 if it compiles an instruction.
///
/// IGC does not write the predicates of GATHER4_TYPED and SCATTER4_TYPED, but compiles them, and writes some
/// constants of small types with more bits than they have. To compare what it was given with its texts, apply
/// this function to both.
///
/// ```
/// use genvisa::text::{as_igc_writes, parse_instruction};
/// use genvisa::{Format, Instruction};
///
/// let read = |text: &str| parse_instruction(text, Format::V4_2);
/// let gather = "gather4_typed.R (M1, 8) T7 V32.0 V33.0 V34.0 V35.0 V36.0";
/// let predicated = read(&format!("(P1) {gather}"))?;
/// assert_eq!(as_igc_writes(predicated), read(gather)?);
///
/// let mov = |bits| read(&format!("(P1) mov (M1, 8) V32(0,0)<1> {bits}:uw"));
/// assert_eq!(as_igc_writes(mov("0xffff")?), mov("0xffff")?);
/// assert_eq!(as_igc_writes(mov("0xffffffff")?), mov("0xffff")?);
/// # Ok::<(), genvisa::text::Errors>(())
/// ```
pub fn as_igc_writes(mut instruction: Instruction) -> Instruction {
    match &mut instruction {
        Instruction::Gather4Typed(i) => i.pred = Pred::NONE,
        Instruction::Scatter4Typed(i) => i.pred = Pred::NONE,
        _ => {}
    }
    instruction.visit_mut(&mut Narrow);
    instruction
}

/// Removes the bits of constants that their types do not have.
struct Narrow;

impl VisitorMut for Narrow {
    fn vector(&mut self, _: Slot, operand: &mut Vector) {
        let Some(imm) = operand.as_imm() else { return };
        // A packed vector has the size of an element, but eight nibbles or four bytes.
        let is_packed = matches!(imm.ty(), DataType::V | DataType::UV | DataType::VF);
        let bits = 8 * imm.ty().size();
        if bits < 32 && !is_packed {
            *operand =
                Imm::new(imm.ty(), imm.bits() & ((1 << bits) - 1)).map_or(*operand, Vector::from);
        }
    }
}
