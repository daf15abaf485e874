//! The direct accesses of a routine, by root.

use alloc::vec::Vec;
use core::ops::Range;

use super::event::{Effect, Event, Mapping, Units};
use super::indirect::Indirect;
use super::parts::Parts;
use crate::analysis::access::{Access, AccessKind, Condition};
use crate::analysis::footprint::Footprint;
use crate::analysis::graph::{BlockId, Cfg, Divergence};
use crate::analysis::indirect::AddressTargets;
use crate::analysis::storage::Storage;
use crate::isa::Instruction;

/// An access in the list of all events.
struct Link {
    instruction: u32,
    /// The previous event of the same root.
    previous: u32,
    /// The units of a root of at most 64 units; otherwise the index of the footprint.
    units: u64,
    effect: Effect,
}

/// The accesses of all instructions; direct accesses are linked by root.
pub(super) struct Events {
    links: Vec<Link>,
    /// The footprints of accesses to roots of more than 64 units.
    footprints: Vec<Footprint>,
    /// Whether a block is divergent. Otherwise lanes do not matter.
    has_lanes: bool,
    /// The lanes of each link; empty if lanes do not matter.
    mappings: Vec<Mapping>,
    roots: Vec<RootEvents>,
    pub(super) indirect: Indirect,
}

/// The events of a root.
#[derive(Clone, Copy)]
pub(super) struct RootEvents {
    /// The last event; [`NONE`] if there is none.
    last: u32,
    /// The block of the last event.
    block: u32,
    /// The number of units; if there are very many, the number of [`Parts`].
    pub(super) units: u32,
    /// Whether these are parts of several units.
    has_parts: bool,
    /// Whether all accesses are direct, and in one block.
    pub(super) is_local: bool,
    pub(super) is_read: bool,
    /// Whether an event writes by lane.
    pub(super) is_by_lane: bool,
}

/// No event.
const NONE: u32 = u32::MAX;

impl Events {
    pub(super) fn new(
        instructions: &[Instruction],
        storage: &Storage,
        cfg: &Cfg,
        divergence: &Divergence,
        targets: &AddressTargets,
    ) -> Events {
        let root = |root: usize| {
            let parts = Parts::new(storage.size_of_root(root));
            RootEvents {
                last: NONE,
                block: 0,
                units: parts.count,
                has_parts: parts.shift > 0,
                is_local: true,
                is_read: false,
                is_by_lane: false,
            }
        };
        // Lanes do not matter if all are active.
        let mut ids = (0..cfg.blocks().len() as u32).map(BlockId);
        let has_lanes = ids.any(|block| divergence.is_divergent(block));
        let mut result = Events {
            links: Vec::with_capacity(instructions.len() * 2),
            footprints: Vec::new(),
            has_lanes,
            mappings: Vec::new(),
            roots: (0..storage.len()).map(root).collect(),
            indirect: Indirect::default(),
        };
        for (index, block) in cfg.blocks().iter().enumerate() {
            let is_divergent = divergence.is_divergent(BlockId(index as u32));
            for at in block.instructions.clone() {
                let Some(instruction) = instructions.get(at) else { continue };
                let place = (at as u32, index as u32);
                storage.visit_accesses(instruction, |access| {
                    let Some(root) = storage.index(access.root) else { return };
                    match effect(&access, is_divergent) {
                        Some(effect) => {
                            let footprint = &access.footprint;
                            if result.roots[root].has_parts {
                                let parts = Parts::new(storage.size_of_root(root));
                                return result.add_parts(root, place, effect, footprint, parts);
                            }
                            let mapping = has_lanes.then(|| Mapping::new(&access));
                            result.add(root, place, effect, footprint, mapping);
                        }
                        None if access.kind != AccessKind::AddressTaken => {
                            let is_written = access.kind == AccessKind::IndirectWrite;
                            result.indirect.add(at as u32, access.root, is_written, targets);
                        }
                        None => {}
                    }
                });
            }
        }
        result.indirect.find_targets(targets, storage);
        for (root, set) in result.indirect.targets() {
            let root = &mut result.roots[*root as usize];
            root.is_local = false;
            root.is_read |= !result.indirect.accesses(*set).reads.is_empty();
        }
        result
    }

    /// Adds the events of an access of an instruction in a block to a root with parts.
    #[inline(never)]
    fn add_parts(
        &mut self,
        root: usize,
        place: (u32, u32),
        effect: Effect,
        footprint: &Footprint,
        parts: Parts,
    ) {
        let mapping = self.has_lanes.then(Mapping::default);
        parts.each_effect(effect, footprint, |effect, footprint| {
            self.add(root, place, effect, &footprint, mapping);
        });
    }

    /// Adds an event of an instruction in a block.
    #[inline(always)]
    fn add(
        &mut self,
        root: usize,
        (at, block): (u32, u32),
        effect: Effect,
        footprint: &Footprint,
        mapping: Option<Mapping>,
    ) {
        let added = self.links.len() as u32;
        let root = &mut self.roots[root];
        root.is_local &= root.last == NONE || root.block == block;
        root.is_read |= effect.is_read();
        root.is_by_lane |= effect == Effect::WriteLanes;
        root.block = block;
        let units = if root.units <= 64 {
            word(footprint, root.units)
        } else {
            self.footprints.push(*footprint);
            self.footprints.len() as u64 - 1
        };
        if let Some(mapping) = mapping {
            // The lanes of the rows of a footprint differ, and a word does not have rows.
            let has_rows = root.units <= 64 && footprint.rows > 1;
            self.mappings.push(if has_rows { Mapping::default() } else { mapping });
        }
        let mut link = Link { instruction: at, previous: root.last, units, effect };
        // The writes of an instruction follow its reads.
        let mut after = None;
        while let Some(write) = self.links.get(link.previous as usize) {
            if write.instruction != at || write.effect.is_read() || !effect.is_read() {
                break;
            }
            after = Some(link.previous);
            link.previous = write.previous;
        }
        match after.and_then(|after| self.links.get_mut(after as usize)) {
            Some(write) => write.previous = added,
            None => root.last = added,
        }
        self.links.push(link);
    }

    #[inline]
    pub(super) fn root(&self, root: usize) -> &RootEvents {
        &self.roots[root]
    }

    /// Returns the events of a root, the last one first. The writes of an instruction precede its
    /// reads.
    #[inline]
    pub(super) fn backwards(&self, root: usize) -> impl Iterator<Item = Event> + '_ {
        let RootEvents { last, units, .. } = self.roots[root];
        let mut next = last;
        core::iter::from_fn(move || {
            let link = self.links.get(next as usize)?;
            let mapping = self.mappings.get(next as usize).copied().unwrap_or_default();
            next = link.previous;
            let units = match units {
                ..=64 => Units::Word(link.units),
                _ => Units::Footprint(*self.footprints.get(link.units as usize)?),
            };
            let Link { instruction, effect, .. } = *link;
            Some(Event { instruction, effect, units, mapping })
        })
    }

    /// Replaces a list with the events of a root, in the order of the instructions. The reads of an
    /// instruction precede its writes.
    pub(super) fn of_root(&self, root: usize, list: &mut Vec<Event>) {
        list.clear();
        list.extend(self.backwards(root));
        list.reverse();
    }
}

/// Returns the units of a footprint in a root of at most 64 units.
#[inline]
fn word(footprint: &Footprint, units: u32) -> u64 {
    let bits = |range: Range<u32>| match (range.start.min(units), range.end.min(units)) {
        (start, end) if start < end => u64::MAX >> (64 - (end - start)) << start,
        _ => 0,
    };
    if let Some(range) = footprint.as_range() {
        return bits(range);
    }
    let Footprint { start, element, columns, column_stride, rows, row_stride } = *footprint;
    let span = footprint.span();
    if span.is_empty() || span.end > units {
        return footprint.ranges().fold(0, |word, range| word | bits(range));
    }
    let row = repeat(bits(0..element), columns, column_stride);
    repeat(row, rows, row_stride) << start
}

/// Returns at least one copy of units, each at a distance from the last. All are in the word.
#[inline]
fn repeat(units: u64, count: u32, distance: u32) -> u64 {
    let (mut word, mut copies) = (units, 1);
    while copies < count {
        let added = copies.min(count - copies);
        word |= word << (added * distance);
        copies += added;
    }
    word
}

/// Returns the effect of a direct access.
#[inline]
fn effect(access: &Access, is_divergent: bool) -> Option<Effect> {
    let by_lane = access.lanes.is_some_and(|lanes| lanes.is_masked || !is_divergent);
    let is_of_active = access.condition == Condition::ActiveLanes;
    let is_of_lanes = is_of_active && access.lanes.is_some();
    let may_write = if is_of_lanes { Effect::WriteLanes } else { Effect::MayWrite };
    let write = if access.is_complete(is_divergent) { Effect::Write } else { may_write };
    // The kinds alternate, so that a branch would often be mispredicted.
    let direct = [Effect::Read { by_lane }, write, Effect::Discard];
    const _: () = assert!(AccessKind::Read as usize == 0 && AccessKind::Discard as usize == 2);
    direct.get(access.kind as usize).copied()
}
