//! The ids of strings and labels in instructions, which are final at the end of a routine.

use crate::isa::Instruction;
use crate::operand::{LabelId, ShortStringId, Slot, StringId, VisitorMut};

/// The final ids of strings and labels.
pub(in crate::text) struct FinalIds<'n> {
    strings: &'n [StringId],
    labels: &'n [Option<LabelId>],
    /// Whether the id of a string does not fit in its field.
    is_full: bool,
    /// Whether a label has no final id.
    has_unknown: bool,
}

impl<'n> FinalIds<'n> {
    pub(in crate::text) fn new(
        strings: &'n [StringId],
        labels: &'n [Option<LabelId>],
    ) -> FinalIds<'n> {
        FinalIds { strings, labels, is_full: false, has_unknown: false }
    }

    /// Returns the instruction with the final ids.
    ///
    /// # Errors
    /// The message about an id that does not exist.
    pub(in crate::text) fn apply(
        &mut self,
        mut instruction: Instruction,
    ) -> Result<Instruction, &'static str> {
        (self.is_full, self.has_unknown) = (false, false);
        instruction.visit_mut(self);
        match (self.is_full, self.has_unknown) {
            (true, _) => Err("a symbol must be one of the first 65536 strings of the pool"),
            (_, true) => Err("this label is used but never defined"),
            _ => Ok(instruction),
        }
    }

    /// Returns the final id of a label, or `None` if it is not in the table.
    pub(super) fn final_label(&self, id: LabelId) -> Option<LabelId> {
        self.labels.get(usize::from(id.0)).copied().flatten()
    }

    fn final_string(&self, id: u32) -> StringId {
        self.strings.get(id as usize).copied().unwrap_or_default()
    }
}

impl VisitorMut for FinalIds<'_> {
    fn label(&mut self, _: Slot, label: &mut LabelId) {
        match self.final_label(*label) {
            Some(id) => *label = id,
            None => self.has_unknown = true,
        }
    }

    fn string(&mut self, _: Slot, string: &mut StringId) {
        *string = self.final_string(string.0);
    }

    fn short_string(&mut self, _: Slot, string: &mut ShortStringId) {
        let StringId(id) = self.final_string(string.0.into());
        match u16::try_from(id) {
            Ok(id) => string.0 = id,
            Err(_) => self.is_full = true,
        }
    }
}
