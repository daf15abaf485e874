//! The live units at each instruction, in the order of the code.

use alloc::vec;
use alloc::vec::Vec;

use super::Global;
use super::batch::{Batch, BatchRoot, Group};
use super::flow::Sets;
use crate::analysis::liveness::atoms;
use crate::analysis::liveness::events::Effect;
use crate::analysis::liveness::local::Needs;
use crate::analysis::liveness::mask::{self, only_if};
use crate::analysis::liveness::segments::Segments;

/// Visits the blocks in the order of the code, and adds a segment when the live units of a root
/// change.
pub(super) struct Sweep<'s, 'c> {
    global: &'s Global<'c>,
    batch: &'s Batch,
    sets: &'s Sets,
    live: Live<'s>,
    /// The atoms that are live before the current block.
    row: Vec<u64>,
    /// The atoms that are needed at the end of the block.
    any: Vec<u64>,
    own: Vec<u64>,
    /// For each bit, its root.
    root_of: Vec<u32>,
    /// For each event of a group, the atoms that are live after it.
    after: Vec<u64>,
}

/// The live atoms of each root.
struct Live<'s> {
    segments: &'s mut Segments,
    /// For each root, the instruction from which on its atoms are live.
    since: Vec<u32>,
    /// The atoms that are live since then: the words of each root.
    atoms: Vec<u64>,
    /// The units of these atoms.
    units: Vec<u64>,
}

impl<'s, 'c> Sweep<'s, 'c> {
    pub(super) fn new(
        global: &'s Global<'c>,
        batch: &'s Batch,
        sets: &'s Sets,
        segments: &'s mut Segments,
    ) -> Sweep<'s, 'c> {
        let words = batch.words();
        let mut root_of = vec![0; words * 64];
        for (index, BatchRoot { place, .. }) in batch.roots.iter().enumerate() {
            let first = place.word * 64 + place.shift as usize;
            root_of[first..][..place.count as usize].fill(index as u32);
        }
        let live = Live {
            segments,
            since: vec![0; batch.roots.len()],
            atoms: vec![0; batch.atom_words()],
            units: vec![0; batch.unit_words()],
        };
        let row = || vec![0; words];
        let after = Vec::new();
        Sweep { global, batch, sets, live, row: row(), any: row(), own: row(), root_of, after }
    }

    /// Adds the segments of the roots.
    pub(super) fn run(mut self) {
        let mut end = 0;
        for (index, block) in self.global.cfg.blocks().iter().enumerate() {
            if block.instructions.is_empty() {
                continue;
            }
            end = block.instructions.end as u32;
            self.start_block(index, block.instructions.start as u32);
            let mut groups = self.batch.groups_of(index).peekable();
            if groups.peek().is_some() {
                self.find_needs_after(index as u32);
            }
            for group in groups {
                self.visit_group(index, group);
            }
        }
        for (index, root) in self.batch.roots.iter().enumerate() {
            self.after.clear();
            self.after.resize(root.place.words, 0);
            self.live.change(self.batch, index, end, &self.after);
        }
    }

    /// Sets the live atoms at the start of a block.
    fn start_block(&mut self, block: usize, at: u32) {
        self.any.copy_from_slice(self.sets.defined.get(block));
        self.sets.keep_needed(block, &mut self.any);
        for word in 0..self.row.len() {
            loop {
                let difference = self.row[word] ^ self.any[word];
                if difference == 0 {
                    break;
                }
                let index = self.root_of[word * 64 + difference.trailing_zeros() as usize];
                let place = self.batch.roots[index as usize].place;
                self.after.clear();
                for word in 0..place.words {
                    let atoms = place.word(&self.any, word);
                    place.set_word(&mut self.row, word, atoms);
                    self.after.push(atoms);
                }
                self.live.change(self.batch, index as usize, at, &self.after);
            }
        }
    }

    /// Finds the atoms that are needed at the end of a block.
    fn find_needs_after(&mut self, block: u32) {
        self.global.needed_after(block, &self.sets.any, self.sets, true, &mut self.any);
        if self.sets.is_by_lane() {
            self.global.needed_after(block, &self.sets.own, self.sets, false, &mut self.own);
        }
    }

    /// Sets the live atoms of a root after each instruction of a block that accesses it.
    fn visit_group(&mut self, block: usize, group: &Group) {
        let batch = self.batch;
        let (events, place) = (batch.events(group), batch.roots[group.root as usize].place);
        let words = place.words;
        self.after.clear();
        self.after.resize(events.len() * words, 0);
        for word in 0..words {
            let get = |row: &[u64]| place.word(row, word);
            let mut needs = Needs { any: get(&self.any), own: 0 };
            let mut waiting = 0;
            if self.sets.is_by_lane() {
                needs.own = get(&self.own);
                waiting = get(self.sets.waiting.get(block));
            }
            for (event, after) in events.iter().zip(self.after.chunks_exact_mut(words)).rev() {
                after[word] = needs.all() | waiting;
                needs.step_back(event.effect, batch.mask(event, word));
            }
            let mut defined = get(self.sets.defined.get(block));
            for (event, after) in events.iter().zip(self.after.chunks_exact_mut(words)) {
                let (effect, mask) = (event.effect, batch.mask(event, word));
                defined &= !only_if(effect == Effect::Discard, mask);
                defined |= only_if(effect.defines(), mask);
                after[word] &= defined;
            }
            let last = self.after[self.after.len() - words + word];
            place.set_word(&mut self.row, word, last);
        }
        for (index, (event, after)) in events.iter().zip(self.after.chunks_exact(words)).enumerate()
        {
            // The atoms after the last event of an instruction are live before the next one.
            let next = events.get(index + 1);
            if next.is_none_or(|next| next.instruction != event.instruction) {
                self.live.change(batch, group.root as usize, event.instruction + 1, after);
            }
        }
    }
}

impl Live<'_> {
    /// Sets the live atoms of a root from an instruction on.
    #[inline]
    fn change(&mut self, batch: &Batch, index: usize, at: u32, atoms: &[u64]) {
        let root = &batch.roots[index];
        let live = &mut self.atoms[root.atom_words.clone()];
        if live == atoms {
            return;
        }
        let units = &mut self.units[root.unit_words.clone()];
        let since = core::mem::replace(&mut self.since[index], at);
        if since < at && !mask::is_empty(live) {
            self.segments.push(root.root.root, since..at, units);
        }
        atoms::replace(live, atoms, batch.bounds(root), units);
    }
}
