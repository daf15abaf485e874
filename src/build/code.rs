//! The instructions of a builder, with their callers and a position to insert at.

use alloc::vec::Vec;
use core::panic::Location;

use super::error::{Error, ErrorKind};
use crate::error::PathSegment;
use crate::format::Format;
use crate::isa::Instruction;
use crate::wire::{Wire, Writer};

/// An instruction, and the line of the caller that added it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) instruction: Instruction,
    pub(super) caller: Option<&'static Location<'static>>,
    /// Whether an operand has an error, which has been reported.
    pub(super) has_error: bool,
}

/// A gap buffer of instructions.
#[derive(Debug, Default)]
pub(super) struct InstructionBuffer {
    /// The instructions before the position.
    before: Vec<Entry>,
    /// The instructions after the position, last first.
    after: Vec<Entry>,
}

impl InstructionBuffer {
    /// Returns a buffer of the instructions of a routine, with the position at the end.
    pub(super) fn new(instructions: &[Instruction]) -> InstructionBuffer {
        let entry = |instruction: &Instruction| Entry {
            instruction: *instruction,
            caller: None,
            has_error: false,
        };
        InstructionBuffer { before: instructions.iter().map(entry).collect(), after: Vec::new() }
    }

    pub(super) fn position(&self) -> usize {
        self.before.len()
    }

    pub(super) fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Sets the position, which must not be after the end.
    pub(super) fn set_position(&mut self, index: usize) {
        if let Some(distance) = index.checked_sub(self.before.len()) {
            let rest = self.after.len() - distance;
            self.before.extend(self.after.drain(rest..).rev());
        } else {
            self.after.extend(self.before.drain(index..).rev());
        }
    }

    /// Inserts an instruction at the position, which moves after it.
    pub(super) fn insert(&mut self, entry: Entry) {
        self.before.push(entry);
    }

    /// Returns the segment for the paths of errors in an instruction that is inserted next.
    pub(super) fn segment(&self, instruction: &Instruction) -> PathSegment {
        PathSegment::Instruction { index: self.position(), mnemonic: instruction.mnemonic() }
    }

    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.before.iter().chain(self.after.iter().rev())
    }

    /// Encodes the instructions that callers added, except for those with errors.
    pub(super) fn encode(&self, format: Format, errors: &mut Vec<Error>) -> Vec<u8> {
        let mut w = Writer::new(format);
        for (index, Entry { instruction, caller, has_error }) in self.entries().enumerate() {
            let (start, Some(caller), false) = (w.len(), *caller, *has_error) else { continue };
            if let Err(error) = instruction.encode(&mut w) {
                w.truncate(start);
                let mnemonic = instruction.mnemonic();
                let segment = PathSegment::Instruction { index, mnemonic };
                let path = core::iter::once(segment).chain(error.path().cloned()).collect();
                let kind = ErrorKind::Encoding(error);
                errors.push(Error { path, kind, caller });
            }
        }
        w.into_bytes()
    }
}
