//! Rules about the variables that a block declares.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use genvisa::Instruction;
use genvisa::RegisterSize;
use genvisa::analysis::{AccessKind, Storage};
use genvisa::isa::Id;
use genvisa::object::Routine;

/// A problem with a variable that a block declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// An instruction reads it, and none has written a part of it.
    Undefined,
    /// Instructions write it, and none reads it.
    Unread,
}

/// What the instructions do with a variable.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// The first instruction that reads it, and whether none before it writes a part of it.
    read: Option<(usize, bool)>,
    /// The first instruction that writes it.
    write: Option<usize>,
    /// Indirect operands may access it.
    is_addressed: bool,
    /// Messages, which have other effects, write it.
    is_loaded: bool,
}

/// Returns the problems with variables that are not aliases, by the index of the instruction.
pub(super) fn check(
    routine: &Routine<'_, '_>,
    instructions: &[Instruction],
    registers: RegisterSize,
) -> Vec<(Id, usize, Problem)> {
    let is_straight = !instructions.iter().any(|one| matches!(one, Instruction::Label(_)));
    let storage = Storage::new(routine, registers);
    let mut all: BTreeMap<Id, Uses> = BTreeMap::new();
    for (index, instruction) in instructions.iter().enumerate() {
        // An instruction reads before it writes.
        storage.visit_accesses(instruction, |access| {
            if access.kind == AccessKind::Read {
                let uses = all.entry(access.root).or_default();
                uses.read = uses.read.or(Some((index, uses.write.is_none())));
            }
        });
        storage.visit_accesses(instruction, |access| {
            let uses = all.entry(access.root).or_default();
            match access.kind {
                AccessKind::Write => {
                    uses.write = uses.write.or(Some(index));
                    uses.is_loaded |= instruction.is_message();
                }
                AccessKind::Read | AccessKind::Discard => {}
                _ => uses.is_addressed = true,
            }
        });
    }
    let problem = |(id, uses): (Id, Uses)| match uses {
        Uses { is_addressed: true, .. } => None,
        // In a loop or a branch, the order is not known.
        Uses { read: Some((at, is_first)), write, .. } => {
            let is_undefined = write.is_none() || is_first && is_straight;
            is_undefined.then_some((id, at, Problem::Undefined))
        }
        Uses { write: Some(at), is_loaded: false, .. } => Some((id, at, Problem::Unread)),
        _ => None,
    };
    all.into_iter().filter_map(problem).collect()
}
