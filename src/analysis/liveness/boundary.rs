//! The storage that has values when a routine starts, or whose values are used after its end.

use alloc::vec;
use alloc::vec::Vec;

use crate::analysis::graph::{BlockId, Cfg};
use crate::analysis::storage::Storage;
use crate::isa::{Id, IdClass, Instruction};
use crate::object::{AliasScope, InputClass, Routine};
use crate::operand::VarId;

/// Whether roots have values at the entry and at the exits of a routine.
pub(super) struct Boundary {
    flags: Vec<u8>,
    /// The blocks after which the routine may end.
    pub(super) exits: Vec<BlockId>,
}

const AT_ENTRY: u8 = 1;
const AT_EXIT: u8 = 2;

impl Boundary {
    pub(super) fn new(
        routine: &Routine<'_, '_>,
        instructions: &[Instruction],
        storage: &Storage,
        cfg: &Cfg,
    ) -> Boundary {
        let mut flags = vec![0u8; storage.len()];
        let mut set = |id: Id, flag: u8| {
            let root = storage.location(id).and_then(|location| storage.index(location.root));
            if let Some(flags) = root.and_then(|root| flags.get_mut(root)) {
                *flags |= flag;
            }
        };
        let is_function = routine.stack_sizes.is_some();
        for number in 0..VarId::FIRST_DECLARED.0 {
            // The values of %arg and %retval are undefined when a kernel starts.
            if is_function || !matches!(VarId(number), VarId::ARG | VarId::RETVAL) {
                set(VarId(number).into(), AT_ENTRY);
            }
        }
        for input in routine.inputs {
            if input.kind.class() == InputClass::GENERAL {
                set(Id { class: IdClass::Variable, number: input.index }, AT_ENTRY);
            }
        }
        for (index, variable) in routine.body.variables.iter().enumerate() {
            let id: Id = VarId(VarId::FIRST_DECLARED.0 + index as u32).into();
            if variable.alias_scope == AliasScope::FILE {
                set(id, AT_ENTRY | AT_EXIT);
            }
            for attribute in &variable.attributes {
                let name = routine.body.strings.get(attribute.name.0 as usize);
                match name.map(|name| name.as_bytes()) {
                    Some(b"Input") => set(id, AT_ENTRY),
                    Some(b"Output") => set(id, AT_EXIT),
                    Some(b"Input_Output") => set(id, AT_ENTRY | AT_EXIT),
                    _ => {}
                }
            }
        }
        let is_exit = |block: &BlockId| cfg.may_end(*block, instructions);
        let exits = (0..cfg.blocks().len() as u32).map(BlockId).filter(is_exit).collect();
        Boundary { flags, exits }
    }

    /// Returns whether a root has a value at the entry.
    pub(super) fn is_defined_at_entry(&self, root: usize) -> bool {
        self.flags[root] & AT_ENTRY != 0
    }

    /// Returns whether the value of a root is used after the end of the routine.
    pub(super) fn is_live_at_exit(&self, root: usize) -> bool {
        self.flags[root] & AT_EXIT != 0
    }
}
