//! The live units at each instruction, in the order of the code.

use alloc::vec;
use alloc::vec::Vec;

use super::Global;
use super::batch::{Batch, BatchEvent};
use super::flow::Sets;
use crate::analysis::liveness::atoms;
use crate::analysis::liveness::event::Effect;
use crate::analysis::liveness::local::Needs;
use crate::analysis::liveness::segments::Segments;
use crate::analysis::mask::{self, only_if};

/// Visits the blocks in the order of the code, and adds a segment when the live units of a root
/// change.
pub(super) struct Sweep<'s, 'c> {
    global: &'s Global<'c>,
    batch: &'s Batch,
    sets: &'s Sets,
    segments: &'s mut Segments,
    /// The atoms that are needed.
    any: Vec<u64>,
    own: Vec<u64>,
    /// The atoms that are defined.
    defined: Vec<u64>,
    /// The needs that the events of a block changed, from its end to its start.
    changed: Vec<Changed>,
    /// The atoms that are live before the current instruction.
    live: Vec<u64>,
    /// The atoms that are live before the next one.
    next: Vec<u64>,
    /// For each bit, its root.
    root_of: Vec<u32>,
    /// For each root, the instruction from which on its atoms are live.
    since: Vec<u32>,
    /// The units of the live atoms: the words of each root.
    units: Vec<u64>,
}

/// A word of the needs after an event, which differs from that before it.
struct Changed {
    event: u32,
    word: u32,
    needs: Needs,
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
        for (index, root) in batch.roots.iter().enumerate() {
            let first = root.place.word * 64 + root.place.shift as usize;
            root_of[first..][..root.place.count as usize].fill(index as u32);
        }
        let row = || vec![0; words];
        Sweep {
            global,
            batch,
            sets,
            segments,
            any: row(),
            own: row(),
            defined: row(),
            changed: Vec::new(),
            live: row(),
            next: row(),
            root_of,
            since: vec![0; batch.roots.len()],
            units: vec![0; batch.unit_words()],
        }
    }

    /// Adds the segments of the roots.
    pub(super) fn run(mut self) {
        let mut end = 0;
        for (index, block) in self.global.cfg.blocks().iter().enumerate() {
            if block.instructions.is_empty() {
                continue;
            }
            end = block.instructions.end as u32;
            self.next.copy_from_slice(self.sets.defined.get(index));
            self.sets.keep_needed(index, &mut self.next);
            self.change_all(block.instructions.start as u32);
            let events = self.batch.events(index);
            if !events.is_empty() {
                self.visit_events(index, events);
            }
        }
        self.next.fill(0);
        self.change_all(end);
    }

    /// Sets the live atoms after each instruction of a block.
    fn visit_events(&mut self, block: usize, events: &[BatchEvent]) {
        self.global.needed_after(block as u32, &self.sets.any, self.sets, true, &mut self.any);
        if self.sets.is_by_lane() {
            self.global.needed_after(block as u32, &self.sets.own, self.sets, false, &mut self.own);
        }
        for (index, event) in events.iter().enumerate().rev() {
            if event.effect == Effect::MayWrite {
                continue;
            }
            for (word, atoms) in self.batch.mask(event) {
                let after = Needs { any: self.any[word], own: self.own[word] };
                let mut needs = after;
                needs.step_back(event.effect, atoms);
                if needs != after {
                    (self.any[word], self.own[word]) = (needs.any, needs.own);
                    let (event, word) = (index as u32, word as u32);
                    self.changed.push(Changed { event, word, needs: after });
                }
            }
        }
        self.defined.copy_from_slice(self.sets.defined.get(block));
        let mut index = 0;
        // The atoms after the last event of an instruction are live before the next one.
        for events in events.chunk_by(|event, next| event.instruction == next.instruction) {
            for event in events {
                while let Some(changed) =
                    self.changed.last().filter(|changed| changed.event == index)
                {
                    let word = changed.word as usize;
                    (self.any[word], self.own[word]) = (changed.needs.any, changed.needs.own);
                    self.changed.pop();
                }
                index += 1;
                let (discards, defines) = (event.effect == Effect::Discard, event.effect.defines());
                for (word, atoms) in self.batch.mask(event) {
                    let defined = self.defined[word] & !only_if(discards, atoms);
                    self.defined[word] = defined | only_if(defines, atoms);
                }
            }
            let waiting = self.sets.waiting_in(block);
            let mut is_changed = false;
            for event in events {
                for (word, _) in self.batch.mask(event) {
                    let waiting = waiting.get(word).copied().unwrap_or_default();
                    let needed = self.any[word] | self.own[word] | waiting;
                    self.next[word] = needed & self.defined[word];
                    is_changed |= self.next[word] != self.live[word];
                }
            }
            if is_changed {
                for (word, _) in events.iter().flat_map(|event| self.batch.mask(event)) {
                    self.change(word, events[0].instruction + 1);
                }
            }
        }
    }

    /// Replaces the live atoms from an instruction on.
    fn change_all(&mut self, at: u32) {
        for word in 0..self.live.len() {
            self.change(word, at);
        }
    }

    /// Replaces the live atoms of the roots that change in a word, from an instruction on.
    #[inline]
    fn change(&mut self, word: usize, at: u32) {
        loop {
            let difference = self.live[word] ^ self.next[word];
            if difference == 0 {
                return;
            }
            let index = self.root_of[word * 64 + difference.trailing_zeros() as usize] as usize;
            let root = &self.batch.roots[index];
            let units = &mut self.units[root.unit_words.clone()];
            let since = core::mem::replace(&mut self.since[index], at);
            if since < at && !mask::is_empty(units) {
                self.segments.push(root.root.root, since..at, units);
            }
            for (index, (word, atoms)) in root.place.masks().enumerate() {
                let changed = (self.live[word] ^ self.next[word]) & atoms;
                if changed == 0 {
                    continue;
                }
                self.live[word] ^= changed;
                let bounds = &self.batch.bounds(root)[index * 64..];
                atoms::toggle(changed >> root.place.shift, bounds, units);
            }
        }
    }
}
