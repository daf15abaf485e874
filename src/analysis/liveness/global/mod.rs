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
use super::atoms::{Atoms, Distinct};
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
    events: Vec<GlobalEvent>,
    /// The different masks of atoms of the events.
    masks: Vec<u64>,
}

/// An event of a global root.
struct GlobalEvent {
    instruction: u32,
    effect: Effect,
    /// The number of its mask.
    mask: u32,
}

impl GlobalRoot {
    /// Returns a root with its events, for a routine with a number of blocks.
    pub(super) fn new(
        root: usize,
        units: u32,
        events: &[Event],
        is_defined_at_entry: bool,
        is_live_at_exit: bool,
        blocks: usize,
    ) -> GlobalRoot {
        let Distinct { units: distinct, of_event } = Distinct::new(events);
        let mut atoms = Atoms::new(&distinct, units);
        let size = mask::words(atoms.count()) * blocks.max(distinct.len());
        let is_coarse = size > ROOT_WORDS;
        if is_coarse {
            atoms = Atoms::new(&[], units);
        }
        let words = mask::words(atoms.count());
        let mut masks = vec![0; distinct.len() * words];
        for (units, mask) in distinct.iter().zip(masks.chunks_exact_mut(words)) {
            match is_coarse {
                true => mask.fill(1),
                false => atoms.insert(mask, units),
            }
        }
        // A write of an unknown part of the only atom.
        let limited = |effect: Effect| if effect.defines() { Effect::MayWrite } else { effect };
        let events = events.iter().zip(of_event).map(|(event, mask)| GlobalEvent {
            instruction: event.instruction,
            effect: if is_coarse { limited(event.effect) } else { event.effect },
            mask,
        });
        let events = events.collect();
        let place = Place::default();
        GlobalRoot { root, is_defined_at_entry, is_live_at_exit, atoms, place, events, masks }
    }

    fn mask(&self, event: usize) -> &[u64] {
        let words = self.place.words;
        &self.masks[self.events[event].mask as usize * words..][..words]
    }

    fn is_by_lane(&self) -> bool {
        self.events.iter().any(|event| event.effect == Effect::WriteLanes)
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

/// The number of words of a set of a batch.
const BATCH_WORDS: usize = 1 << 18;

/// The largest number of words of a set of one root, and of the masks of its events.
const ROOT_WORDS: usize = 1 << 20;

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
            for (event, of_root) in root.events.iter().enumerate() {
                let block = self.block_of[of_root.instruction as usize];
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
