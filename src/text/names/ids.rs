//! The ids of an instruction.

use alloc::vec::Vec;

use crate::isa::Instruction;
use crate::object::Body;
use crate::operand::{PredId, SurfaceId, VarId};

/// The class of an id, as the letter that precedes it in text without names, and the id.
pub(in crate::text) type Reference = (char, u32);

/// Replaces the ids of an instruction, unless a new one is too large for its field.
pub(in crate::text) fn replace_ids(
    instruction: &mut Instruction,
    mut replace: impl FnMut(char, u32) -> u32,
) -> Option<()> {
    instruction.replace_ids(|id| replace(id.class.letter(), id.number)).ok()
}

/// Returns the ids of an instruction.
pub(in crate::text) fn references(instruction: &Instruction) -> Vec<Reference> {
    let mut found = Vec::new();
    instruction.visit_ids(|id| found.push((id.class.letter(), id.number)));
    found
}

/// Returns whether a routine declares an id.
pub(in crate::text) fn is_in_tables((class, id): Reference, body: &Body<'_>) -> bool {
    let (first, count) = match class {
        'V' => (VarId::FIRST_DECLARED.0, body.variables.len()),
        'A' => (0, body.addresses.len()),
        'P' => (PredId::FIRST_DECLARED.0.into(), body.predicates.len()),
        'S' => (0, body.samplers.len()),
        'T' => (SurfaceId::FIRST_DECLARED.0.into(), body.surfaces.len()),
        'L' => (0, body.labels.len()),
        _ => return false,
    };
    id.checked_sub(first).is_some_and(|index| (index as usize) < count)
}
