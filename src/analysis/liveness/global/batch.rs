//! Roots that are solved at the same time.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::GlobalRoot;
use super::row::Place;
use crate::analysis::liveness::atoms::{Atoms, Distinct};
use crate::analysis::liveness::events::{Effect, Event};
use crate::analysis::liveness::mask;

/// The roots that are solved at the same time, and their events.
pub(super) struct Batch {
    pub(super) roots: Vec<BatchRoot>,
    /// The events of all roots, in the order of the code for each root.
    events: Vec<BatchEvent>,
    /// The masks of atoms of the events.
    masks: Vec<u64>,
    /// The units at which the atoms of the roots start.
    bounds: Vec<u32>,
    groups: Vec<Group>,
    /// For each block, one of the groups; [`NONE`] if there is none.
    first_group: Vec<u32>,
    /// The end of the places of the roots.
    end: Place,
    /// Whether an event writes by lane.
    pub(super) is_by_lane: bool,
    distinct: Distinct,
    atoms: Atoms,
}

/// A root of a batch.
pub(super) struct BatchRoot {
    pub(super) root: GlobalRoot,
    /// Its atoms in the sets of the batch.
    pub(super) place: Place,
    /// The words of its atoms, and those of its units, if all roots have their own words.
    pub(super) atom_words: Range<usize>,
    pub(super) unit_words: Range<usize>,
    bounds: Range<usize>,
}

/// An event of a root of a batch.
#[derive(Clone, Copy)]
pub(super) struct BatchEvent {
    pub(super) instruction: u32,
    pub(super) effect: Effect,
    /// The index of the first word of its mask.
    mask: u32,
}

/// The events of a root in a block.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) block: u32,
    /// The index of the root in its batch.
    pub(super) root: u32,
    events: Range<u32>,
    /// Another group of the block.
    next: u32,
}

/// No group.
const NONE: u32 = u32::MAX;

/// The largest number of words of a set of one root, and of the masks of its events.
const ROOT_WORDS: usize = 1 << 20;

impl Batch {
    /// Returns a batch without roots, for a routine with a number of blocks.
    pub(super) fn new(blocks: usize) -> Batch {
        Batch {
            roots: Vec::new(),
            events: Vec::new(),
            masks: Vec::new(),
            bounds: Vec::new(),
            groups: Vec::new(),
            first_group: vec![NONE; blocks],
            end: Place::default(),
            is_by_lane: false,
            distinct: Distinct::default(),
            atoms: Atoms::default(),
        }
    }

    /// Removes all roots.
    pub(super) fn clear(&mut self) {
        self.roots.clear();
        self.events.clear();
        self.masks.clear();
        self.bounds.clear();
        self.groups.clear();
        self.first_group.fill(NONE);
        self.end = Place::default();
        self.is_by_lane = false;
    }

    /// Adds a root with its events, given the block of each instruction.
    pub(super) fn add(&mut self, root: GlobalRoot, events: &[Event], block_of: &[u32]) {
        self.distinct.assign(events);
        let distinct = self.distinct.units.as_slice();
        self.atoms.assign(distinct, root.units);
        let blocks = self.first_group.len();
        let size = mask::words(self.atoms.count()) * blocks.max(distinct.len());
        let is_coarse = size > ROOT_WORDS;
        if is_coarse {
            self.atoms.assign(&[], root.units);
        }
        let words = mask::words(self.atoms.count());
        let first_mask = self.masks.len();
        self.masks.resize(first_mask + distinct.len() * words, 0);
        for (units, mask) in distinct.iter().zip(self.masks[first_mask..].chunks_exact_mut(words)) {
            match is_coarse {
                true => mask.fill(1),
                false => self.atoms.insert(mask, units),
            }
        }
        let index = self.roots.len() as u32;
        let first_group = self.groups.len();
        for (event, distinct) in events.iter().zip(&self.distinct.of_event) {
            let effect = match event.effect {
                // Others than reads change an unknown part of the only atom.
                effect if is_coarse && !effect.is_read() => Effect::MayWrite,
                effect => effect,
            };
            self.is_by_lane |= effect == Effect::WriteLanes;
            let (instruction, at) = (event.instruction, self.events.len() as u32);
            let mask = (first_mask + *distinct as usize * words) as u32;
            self.events.push(BatchEvent { instruction, effect, mask });
            let block = block_of[instruction as usize];
            match self.groups[first_group..].last_mut().filter(|group| group.block == block) {
                Some(group) => group.events.end = at + 1,
                None => {
                    let first = &mut self.first_group[block as usize];
                    let next = core::mem::replace(first, self.groups.len() as u32);
                    self.groups.push(Group { block, root: index, events: at..at + 1, next });
                }
            }
        }
        let first_bound = self.bounds.len();
        self.bounds.extend_from_slice(self.atoms.bounds());
        let bounds = first_bound..self.bounds.len();
        let place = self.end.allocate(self.atoms.count());
        let words = |start: usize, count: u32| start..start + mask::words(count);
        let atom_words = words(self.atom_words(), self.atoms.count());
        let unit_words = words(self.unit_words(), root.units);
        self.roots.push(BatchRoot { root, place, atom_words, unit_words, bounds });
    }

    /// Returns the number of words of a set.
    pub(super) fn words(&self) -> usize {
        self.end.end()
    }

    /// Returns the number of words of the atoms of all roots, if each has its own words.
    pub(super) fn atom_words(&self) -> usize {
        self.roots.last().map_or(0, |last| last.atom_words.end)
    }

    /// Returns the number of words of the units of all roots.
    pub(super) fn unit_words(&self) -> usize {
        self.roots.last().map_or(0, |last| last.unit_words.end)
    }

    /// Returns the groups of all blocks.
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the groups of a block.
    pub(super) fn groups_of(&self, block: usize) -> impl Iterator<Item = &Group> {
        let first = self.first_group.get(block).and_then(|first| self.groups.get(*first as usize));
        core::iter::successors(first, |group| self.groups.get(group.next as usize))
    }

    /// Returns the events of a group.
    pub(super) fn events(&self, group: &Group) -> &[BatchEvent] {
        &self.events[group.events.start as usize..group.events.end as usize]
    }

    /// Returns a word of the mask of an event.
    #[inline]
    pub(super) fn mask(&self, event: &BatchEvent, word: usize) -> u64 {
        self.masks[event.mask as usize + word]
    }

    /// Returns the start of each atom of a root, and the end of the last one.
    pub(super) fn bounds(&self, root: &BatchRoot) -> &[u32] {
        &self.bounds[root.bounds.clone()]
    }
}
