//! The labels that instructions define and refer to.

use alloc::vec::Vec;
use core::panic::Location;

use super::error::{Error, ErrorKind};
use super::{Builder, name_of};
use crate::error::PathSegment;
use crate::isa::Instruction;
use crate::object::LabelKind;
use crate::operand::{LabelId, Slot, Visitor};

/// The state of a label.
#[derive(Debug, Default)]
pub(super) struct LabelState {
    is_defined: bool,
    /// The first instruction that refers to it, with its caller.
    first_use: Option<(PathSegment, &'static Location<'static>)>,
}

impl LabelState {
    /// Returns the states of the labels of a routine with instructions.
    pub(super) fn of(instructions: &[Instruction], count: usize) -> Vec<LabelState> {
        let mut states = Vec::new();
        states.resize_with(count, LabelState::default);
        for instruction in instructions {
            let label = match instruction {
                Instruction::Label(one) => one.label,
                Instruction::Subroutine(one) => one.label,
                _ => continue,
            };
            if let Some(state) = states.get_mut(usize::from(label.0)) {
                state.is_defined = true;
            }
        }
        states
    }
}

impl Builder {
    /// Reports the labels that callers used and did not define.
    pub(super) fn check_labels(&mut self) {
        for (state, label) in self.labels.iter_mut().zip(&self.body.labels) {
            if let (false, Some((segment, caller))) = (state.is_defined, state.first_use.take()) {
                let name = name_of(&self.body, label.name);
                let kind = ErrorKind::UndefinedLabel { name };
                self.errors.push(Error { path: [segment].into(), kind, caller });
            }
        }
    }

    /// Records the labels that an instruction defines or refers to.
    pub(super) fn record_labels(
        &mut self,
        instruction: &Instruction,
        segment: &PathSegment,
        caller: &'static Location<'static>,
    ) {
        let (label, kind) = match instruction {
            Instruction::Label(one) => (one.label, LabelKind::BLOCK),
            Instruction::Subroutine(one) => (one.label, LabelKind::SUBROUTINE),
            Instruction::Call(one) => (one.label, LabelKind::SUBROUTINE),
            _ => {
                return instruction.visit(&mut LabelUses {
                    labels: &mut self.labels,
                    segment,
                    caller,
                });
            }
        };
        let place = usize::from(label.0);
        let (Some(state), Some(info)) = (self.labels.get_mut(place), self.body.labels.get(place))
        else {
            return;
        };
        let name = || name_of(&self.body, info.name);
        let path = || [segment.clone()].into();
        if info.kind != kind {
            let kind = ErrorKind::LabelKind { name: name(), expected: kind };
            self.errors.push(Error { path: path(), kind, caller });
        }
        if let Instruction::Call(_) = instruction {
            state.first_use.get_or_insert_with(|| (segment.clone(), caller));
        } else if core::mem::replace(&mut state.is_defined, true) {
            let kind = ErrorKind::DuplicateLabel { name: name() };
            self.errors.push(Error { path: path(), kind, caller });
        }
    }
}

/// Records the labels that an instruction refers to.
struct LabelUses<'b> {
    labels: &'b mut [LabelState],
    segment: &'b PathSegment,
    caller: &'static Location<'static>,
}

impl Visitor for LabelUses<'_> {
    fn label(&mut self, _: Slot, label: LabelId) {
        if let Some(state) = self.labels.get_mut(usize::from(label.0)) {
            state.first_use.get_or_insert_with(|| (self.segment.clone(), self.caller));
        }
    }
}
