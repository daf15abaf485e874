//! Roots that are live in several blocks: data flow over sets of bits, one for each atom.

mod flow;
mod row;
mod sweep;

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use self::flow::Flow;
use self::row::Place;
use self::sweep::Sweep;
use super::atoms::Atoms;
use super::events::{Effect, Event};
use super::mask;
use super::segments::Segments;
use crate::analysis::graph::{BlockId, Cfg, Divergence};

/// A root that may be live in several blocks.
pub(super) struct GlobalRoot {
    /// The index of the root.
    pub(super) root: usize,
    pub(super) is_defined_at_entry: bool,
    pub(super) is_live_at_exit: bool,
    atoms: Atoms,
    place: Place,
    /// For each event of the root, its instruction and effect.
    events: Vec<(u32, Effect)>,
    /// For each event, a mask of atoms.
    masks: Vec<u64>,
}

impl GlobalRoot {
    pub(super) fn new(
        root: usize,
        units: u32,
        events: &[Event],
        is_defined_at_entry: bool,
        is_live_at_exit: bool,
    ) -> GlobalRoot {
        let atoms = Atoms::new(events, units);
        let words = mask::words(atoms.count());
        let mut masks = vec![0; events.len() * words];
        for (event, mask) in events.iter().zip(masks.chunks_exact_mut(words)) {
            atoms.insert(mask, &event.units);
        }
        let events = events.iter().map(|event| (event.instruction, event.effect)).collect();
        let place = Place::default();
        GlobalRoot { root, is_defined_at_entry, is_live_at_exit, atoms, place, events, masks }
    }

    fn mask(&self, event: usize) -> &[u64] {
        &self.masks[event * self.place.words..][..self.place.words]
    }

    fn is_by_lane(&self) -> bool {
        self.events.iter().any(|(_, effect)| *effect == Effect::WriteLanes)
    }
}

/// The events of a root in a block.
struct Group {
    block: u32,
    /// The index of the root in its batch.
    root: u32,
    events: Range<usize>,
}

/// The control flow of a routine, for all batches.
pub(super) struct Global<'c> {
    cfg: &'c Cfg,
    divergence: &'c Divergence,
    exits: &'c [BlockId],
    /// The block of each instruction.
    block_of: Vec<u32>,
    flow: Flow,
    /// The roots that have been added since the last batch, and their atoms in words.
    roots: Vec<GlobalRoot>,
    words: Place,
}

/// The number of words of the sets of a batch.
const BATCH_WORDS: usize = 1 << 21;

impl<'c> Global<'c> {
    pub(super) fn new(cfg: &'c Cfg, divergence: &'c Divergence, exits: &'c [BlockId]) -> Self {
        let mut block_of = Vec::new();
        for (index, block) in cfg.blocks().iter().enumerate() {
            block_of.resize(block.instructions.end.max(block_of.len()), index as u32);
        }
        let flow = Flow::new(cfg, divergence);
        let words = Place::default();
        Global { cfg, divergence, exits, block_of, flow, roots: Vec::new(), words }
    }

    /// Adds a root. The segments of the roots before it are added if there are enough for a batch.
    pub(super) fn add(&mut self, mut root: GlobalRoot, segments: &mut Segments) {
        root.place = self.words.allocate(root.atoms.count());
        let end = root.place.end();
        self.roots.push(root);
        if end * self.cfg.blocks().len() >= BATCH_WORDS {
            self.finish(segments);
        }
    }

    /// Adds the segments of the roots that have been added.
    pub(super) fn finish(&mut self, segments: &mut Segments) {
        let roots = core::mem::take(&mut self.roots);
        let words = core::mem::take(&mut self.words).end();
        if roots.is_empty() {
            return;
        }
        let groups = self.groups(&roots);
        let sets = self.flow.solve(self, &roots, &groups, words);
        Sweep::new(self, &roots, words, sets, segments).run(&groups);
    }

    /// Returns the events of each block by root, in the order of the blocks.
    fn groups(&self, roots: &[GlobalRoot]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (index, root) in roots.iter().enumerate() {
            let first = groups.len();
            for (event, (instruction, _)) in root.events.iter().enumerate() {
                let block = self.block_of[*instruction as usize];
                match groups[first..].last_mut().filter(|group| group.block == block) {
                    Some(group) => group.events.end = event + 1,
                    None => {
                        groups.push(Group { block, root: index as u32, events: event..event + 1 })
                    }
                }
            }
        }
        groups.sort_by_key(|group| group.block);
        groups
    }
}
