//! The accesses of a routine, by root.

use alloc::vec;
use alloc::vec::Vec;

use crate::analysis::access::{Access, AccessKind, Condition, Lanes};
use crate::analysis::footprint::Footprint;
use crate::analysis::graph::{BlockId, Cfg, Divergence};
use crate::analysis::indirect::AddressTargets;
use crate::analysis::storage::Storage;
use crate::isa::Instruction;

/// An access to a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) instruction: u32,
    pub(super) block: BlockId,
    pub(super) effect: Effect,
    pub(super) footprint: Footprint,
    pub(super) lanes: Option<Lanes>,
}

/// The effect of an access on liveness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Reads the units. `true` if each active lane reads its own units only.
    Read { by_lane: bool },
    /// Writes some of the units, or none.
    MayWrite,
    /// Writes the units of active lanes, while others may be inactive.
    WriteLanes,
    /// Writes all units.
    Write,
    /// The values are lost.
    Discard,
}

impl Effect {
    pub(super) fn is_read(self) -> bool {
        matches!(self, Effect::Read { .. })
    }

    /// Returns whether units may have a value afterwards.
    pub(super) fn defines(self) -> bool {
        matches!(self, Effect::MayWrite | Effect::WriteLanes | Effect::Write)
    }
}

/// The accesses of all instructions, linked by root.
pub(super) struct Events {
    events: Vec<(Event, u32)>,
    /// The last event of each root.
    last: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Events {
    pub(super) fn new(
        instructions: &[Instruction],
        storage: &Storage,
        cfg: &Cfg,
        divergence: &Divergence,
        targets: &AddressTargets,
    ) -> Events {
        let mut events = Vec::with_capacity(instructions.len() * 3);
        let mut last = vec![NONE; storage.len()];
        for (index, block) in cfg.blocks().iter().enumerate() {
            let id = BlockId(index as u32);
            let is_divergent = divergence.is_divergent(id);
            for at in block.instructions.clone() {
                let Some(instruction) = instructions.get(at) else { continue };
                let mut add = |root: usize, effect, footprint, lanes| {
                    let event =
                        Event { instruction: at as u32, block: id, effect, footprint, lanes };
                    events.push((event, last[root]));
                    last[root] = events.len() as u32 - 1;
                };
                storage.visit_accesses(instruction, |access| {
                    let Some(root) = storage.index(access.root) else { return };
                    if let Some(effect) = effect(&access, is_divergent) {
                        return add(root, effect, access.footprint, access.lanes);
                    }
                    let effect = match access.kind {
                        AccessKind::IndirectRead => Effect::Read { by_lane: false },
                        AccessKind::IndirectWrite => Effect::MayWrite,
                        _ => return,
                    };
                    for target in targets.of(access.root) {
                        let Some(root) = storage.index(target) else { continue };
                        let size = storage.location(target).map_or(0, |location| location.size);
                        add(root, effect, Footprint::contiguous(0, size), None);
                    }
                });
            }
        }
        Events { events, last }
    }

    /// Replaces a list with the events of a root, in the order of the instructions. The reads of an
    /// instruction precede its writes.
    pub(super) fn of_root(&self, root: usize, list: &mut Vec<Event>) {
        list.clear();
        let mut next = self.last[root];
        while let Some((event, previous)) = self.events.get(next as usize) {
            list.push(*event);
            next = *previous;
        }
        list.reverse();
        for end in 1..list.len() {
            let mut at = end;
            while at > 0
                && list[at].instruction == list[at - 1].instruction
                && list[at].effect.is_read()
                && !list[at - 1].effect.is_read()
            {
                list.swap(at, at - 1);
                at -= 1;
            }
        }
    }
}

/// Returns the effect of a direct access.
#[inline]
fn effect(access: &Access, is_divergent: bool) -> Option<Effect> {
    match access.kind {
        AccessKind::Read => {
            let is_active = access.condition != Condition::Always || !is_divergent;
            Some(Effect::Read { by_lane: access.lanes.is_some() && is_active })
        }
        AccessKind::Write => Some(match access.condition {
            Condition::Always => Effect::Write,
            Condition::ActiveLanes if !is_divergent => Effect::Write,
            Condition::ActiveLanes if access.lanes.is_some() => Effect::WriteLanes,
            _ => Effect::MayWrite,
        }),
        AccessKind::Discard => Some(Effect::Discard),
        _ => None,
    }
}
