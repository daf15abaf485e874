//! What the texts of IGC do not state.

use crate::isa::Instruction;
use crate::operand::Pred;

/// Returns the instruction that is in the text of IGC 2.40.14 if it compiles an instruction.
///
/// IGC does not write the predicates of GATHER4_TYPED and SCATTER4_TYPED, but compiles them. To compare what it
/// was given with its texts, apply this function to both.
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
/// let mov = read("(P1) mov (M1, 8) V32(0,0)<1> 0x1:d")?;
/// assert_eq!(as_igc_writes(mov), mov);
/// # Ok::<(), genvisa::text::Errors>(())
/// ```
pub fn as_igc_writes(mut instruction: Instruction) -> Instruction {
    match &mut instruction {
        Instruction::Gather4Typed(i) => i.pred = Pred::NONE,
        Instruction::Scatter4Typed(i) => i.pred = Pred::NONE,
        _ => {}
    }
    instruction
}
