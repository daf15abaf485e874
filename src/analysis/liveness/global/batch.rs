//! Roots that are solved at the same time.

use alloc::vec::Vec;
use core::ops::Range;

use super::GlobalRoot;
use super::row::Place;
use crate::analysis::liveness::atoms::{Atoms, Distinct};
use crate::analysis::liveness::event::{Effect, Event};
use crate::analysis::liveness::indirect::Indirect;
use crate::analysis::mask;

/// The roots that are solved at the same time, and their events.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) roots: Vec<BatchRoot>,
    /// Indirect reads, direct accesses and indirect writes: their order within an instruction.
    added: [Vec<BatchEvent>; 3],
    /// All events by block.
    events: Vec<BatchEvent>,
    /// For each block, the index of its first event; at the end the number of events.
    first_event: Vec<u32>,
    /// The masks of the events: words of a set that are not zero, in ascending order.
    masks: Vec<(u32, u64)>,
    /// The units at which the atoms of the roots start.
    bounds: Vec<u32>,
    /// Pairs of a set of targets of indirect accesses and a root in it.
    targets: Vec<(u32, u32)>,
    /// The end of the places of the roots.
    end: Place,
    /// Whether an event writes by lane.
    pub(super) is_by_lane: bool,
    distinct: Distinct,
    atoms: Atoms,
    /// For each of the distinct units, its part of the masks.
    ranges: Vec<(u32, u32)>,
    mask: Vec<u64>,
}

/// A root of a batch.
pub(super) struct BatchRoot {
    pub(super) root: GlobalRoot,
    /// Its atoms in the sets of the batch.
    pub(super) place: Place,
    /// The words of its units, if all roots have their own words.
    pub(super) unit_words: Range<usize>,
    bounds: Range<usize>,
}

/// An event of some roots of a batch.
#[derive(Clone, Copy)]
pub(super) struct BatchEvent {
    pub(super) instruction: u32,
    pub(super) effect: Effect,
    /// The start and the end of its mask.
    mask: (u32, u32),
}

/// The largest number of words of a set of one root, and of the masks of its events.
const ROOT_WORDS: usize = 1 << 20;

impl Batch {
    /// Removes all roots.
    pub(super) fn clear(&mut self) {
        self.roots.clear();
        self.added.iter_mut().for_each(Vec::clear);
        self.masks.clear();
        self.bounds.clear();
        self.targets.clear();
        self.end = Place::default();
        self.is_by_lane = false;
    }

    /// Adds a root with its direct accesses, given the number of blocks.
    pub(super) fn add(
        &mut self,
        root: GlobalRoot,
        events: &[Event],
        indirect: &Indirect,
        blocks: usize,
    ) {
        self.distinct.assign(events);
        let distinct = self.distinct.units.as_slice();
        self.atoms.assign(distinct, root.units);
        let size = mask::words(self.atoms.count()) * blocks.max(distinct.len());
        let is_coarse = size > ROOT_WORDS;
        if is_coarse {
            self.atoms.assign(&[], root.units);
        }
        let place = self.end.allocate(self.atoms.count());
        self.ranges.clear();
        for units in distinct {
            self.mask.clear();
            self.mask.resize(place.words, 0);
            match is_coarse {
                true => self.mask.fill(1),
                false => self.atoms.insert(&mut self.mask, units),
            }
            let start = self.masks.len() as u32;
            let words = self.mask.iter().enumerate().filter(|(_, bits)| **bits != 0);
            let masks =
                words.map(|(index, bits)| ((place.word + index) as u32, bits << place.shift));
            self.masks.extend(masks);
            self.ranges.push((start, self.masks.len() as u32));
        }
        for (event, distinct) in events.iter().zip(&self.distinct.of_event) {
            let effect = match event.effect {
                // Others than reads change an unknown part of the only atom.
                effect if is_coarse && !effect.is_read() => Effect::MayWrite,
                effect => effect,
            };
            self.is_by_lane |= effect == Effect::WriteLanes;
            let mask = self.ranges[*distinct as usize];
            self.added[1].push(BatchEvent { instruction: event.instruction, effect, mask });
        }
        let index = self.roots.len() as u32;
        self.targets.extend(indirect.sets_of(root.root).map(|set| (set, index)));
        let first_bound = self.bounds.len();
        self.bounds.extend_from_slice(self.atoms.bounds());
        let bounds = first_bound..self.bounds.len();
        let start = self.unit_words();
        let unit_words = start..start + mask::words(root.units);
        self.roots.push(BatchRoot { root, place, unit_words, bounds });
    }

    /// Adds the indirect accesses to all roots, and orders the events, given the number of blocks and the
    /// block of each instruction.
    pub(super) fn sort(&mut self, indirect: &Indirect, blocks: usize, block_of: &[u32]) {
        self.targets.sort_unstable();
        for targets in self.targets.chunk_by(|(first, _), (second, _)| first == second) {
            let start = self.masks.len();
            for (_, root) in targets {
                for (word, bits) in self.roots[*root as usize].place.masks() {
                    // Several roots may share a word.
                    match self.masks[start..].last_mut().filter(|last| last.0 == word as u32) {
                        Some((_, mask)) => *mask |= bits,
                        None => self.masks.push((word as u32, bits)),
                    }
                }
            }
            let mask = (start as u32, self.masks.len() as u32);
            let accesses = indirect.accesses(targets[0].0);
            let event = |effect| {
                move |instruction: &u32| BatchEvent { instruction: *instruction, effect, mask }
            };
            let read = event(Effect::Read { by_lane: false });
            self.added[0].extend(accesses.reads.iter().map(read));
            self.added[2].extend(accesses.writes.iter().map(event(Effect::MayWrite)));
        }
        let Batch { added, events, first_event: first, .. } = self;
        let block = |event: &BatchEvent| block_of[event.instruction as usize] as usize;
        first.clear();
        first.resize(blocks + 2, 0);
        for list in added.iter() {
            list.iter().for_each(|event| first[block(event) + 2] += 1);
        }
        for index in 2..first.len() {
            first[index] += first[index - 1];
        }
        let count = added.iter().map(Vec::len).sum();
        events.resize(count, BatchEvent { instruction: 0, effect: Effect::MayWrite, mask: (0, 0) });
        for list in added {
            for event in list {
                let at = &mut first[block(event) + 1];
                events[*at as usize] = *event;
                *at += 1;
            }
        }
        // The order of the accesses to different roots does not matter.
        if !self.targets.is_empty() {
            for block in 0..blocks {
                let events = &mut events[first[block] as usize..first[block + 1] as usize];
                events.sort_by_key(|event| event.instruction);
            }
        }
    }

    /// Returns the number of words of a set.
    pub(super) fn words(&self) -> usize {
        self.end.end()
    }

    /// Returns the number of words of a set to which no root will be added.
    pub(super) fn full_words(&self) -> usize {
        self.end.word
    }

    /// Returns the number of words of the units of all roots.
    pub(super) fn unit_words(&self) -> usize {
        self.roots.last().map_or(0, |last| last.unit_words.end)
    }

    /// Returns the events of a block, in the order of the code for each root.
    pub(super) fn events(&self, block: usize) -> &[BatchEvent] {
        &self.events[self.first_event[block] as usize..self.first_event[block + 1] as usize]
    }

    /// Returns the words of a set that contain atoms of an event, and these atoms.
    #[inline]
    pub(super) fn mask(&self, event: &BatchEvent) -> impl Iterator<Item = (usize, u64)> + '_ {
        let masks = &self.masks[event.mask.0 as usize..event.mask.1 as usize];
        masks.iter().map(|(word, atoms)| (*word as usize, *atoms))
    }

    /// Returns the start of each atom of a root, and the end of the last one.
    pub(super) fn bounds(&self, root: &BatchRoot) -> &[u32] {
        &self.bounds[root.bounds.clone()]
    }
}
