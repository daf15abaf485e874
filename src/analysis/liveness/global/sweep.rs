//! The live units at each instruction, in the order of the code.

use alloc::vec;
use alloc::vec::Vec;

use super::flow::Sets;
use super::{Global, GlobalEvent, GlobalRoot, Group};
use crate::analysis::liveness::events::Effect;
use crate::analysis::liveness::local::step_back;
use crate::analysis::liveness::mask;
use crate::analysis::liveness::segments::Segments;

/// Visits the blocks in the order of the code, and adds a segment when the live units of a root
/// change.
pub(super) struct Sweep<'s, 'c> {
    global: &'s Global<'c>,
    roots: &'s [GlobalRoot],
    sets: Sets,
    segments: &'s mut Segments,
    /// The atoms that are live before the current instruction.
    live: Vec<u64>,
    /// For each root, the instruction from which on its atoms are live.
    since: Vec<u32>,
    /// For each bit, its root.
    root_of: Vec<u32>,
    buffers: Buffers,
}

/// Buffers that are reused.
#[derive(Default)]
struct Buffers {
    units: Vec<u64>,
    old: Vec<u64>,
    row: Vec<u64>,
    any: Vec<u64>,
    own: Vec<u64>,
    /// For each event of a group, the atoms that are needed before it, then those that are needed
    /// after the last one.
    needed: Vec<u64>,
    state: Vec<u64>,
}

impl<'s, 'c> Sweep<'s, 'c> {
    pub(super) fn new(
        global: &'s Global<'c>,
        roots: &'s [GlobalRoot],
        words: usize,
        sets: Sets,
        segments: &'s mut Segments,
    ) -> Sweep<'s, 'c> {
        let mut root_of = vec![0; words * 64];
        for (index, root) in roots.iter().enumerate() {
            let first = root.place.word * 64 + root.place.shift as usize;
            root_of[first..][..root.atoms.count() as usize].fill(index as u32);
        }
        let buffers = Buffers { row: vec![0; words], ..Buffers::default() };
        let (live, since) = (vec![0; words], vec![0; roots.len()]);
        Sweep { global, roots, sets, segments, live, since, root_of, buffers }
    }

    /// Adds the segments of the roots, given the events of each block.
    pub(super) fn run(mut self, mut groups: &[Group]) {
        let words = self.live.len();
        (self.buffers.any, self.buffers.own) = (vec![0; words], vec![0; words]);
        let mut end = 0;
        for (index, block) in self.global.cfg.blocks().iter().enumerate() {
            if block.instructions.is_empty() {
                continue;
            }
            end = block.instructions.end as u32;
            self.start_block(index, block.instructions.start as u32);
            let of_block = groups.partition_point(|group| group.block as usize == index);
            if of_block > 0 {
                self.find_needs_after(index as u32);
                for group in &groups[..of_block] {
                    self.visit_group(index, group);
                }
                groups = &groups[of_block..];
            }
        }
        for index in 0..self.roots.len() {
            self.change(index, end, &[]);
        }
    }

    /// Sets the live atoms at the start of a block.
    fn start_block(&mut self, block: usize, at: u32) {
        let mut row = core::mem::take(&mut self.buffers.row);
        row.copy_from_slice(self.sets.defined.get(block));
        self.sets.keep_needed(block, &mut row);
        for word in 0..row.len() {
            loop {
                let difference = self.live[word] ^ row[word];
                if difference == 0 {
                    break;
                }
                let index = self.root_of[word * 64 + difference.trailing_zeros() as usize];
                let place = self.roots[index as usize].place;
                let mut state = core::mem::take(&mut self.buffers.state);
                state.clear();
                state.resize(place.words, 0);
                place.get(&row, &mut state);
                self.change(index as usize, at, &state);
                self.buffers.state = state;
            }
        }
        self.buffers.row = row;
    }

    /// Finds the atoms that are needed at the end of a block.
    fn find_needs_after(&mut self, block: u32) {
        let Buffers { any, own, .. } = &mut self.buffers;
        self.global.needed_after(block, &self.sets.any, &self.sets, true, any);
        if self.sets.is_by_lane() {
            self.global.needed_after(block, &self.sets.own, &self.sets, false, own);
        }
    }

    /// Sets the live atoms of a root after each instruction of a block that accesses it.
    fn visit_group(&mut self, block: usize, group: &Group) {
        match self.roots[group.root as usize].place.words {
            1 => self.visit_word(block, group),
            _ => self.visit_words(block, group),
        }
    }

    /// Visits the events of a root whose atoms are in one word.
    fn visit_word(&mut self, block: usize, group: &Group) {
        let root = &self.roots[group.root as usize];
        let get = |row: &[u64]| root.place.word(row);
        let mut any = get(&self.buffers.any);
        let (mut own, mut waiting) = (0, 0);
        if self.sets.is_by_lane() {
            own = get(&self.buffers.own);
            waiting = get(self.sets.waiting.get(block));
        }
        let mut needed = core::mem::take(&mut self.buffers.needed);
        needed.clear();
        for event in group.events.clone().rev() {
            needed.push(any | own | waiting);
            let GlobalEvent { effect, mask, .. } = root.events[event];
            let mask = root.masks[mask as usize];
            match effect {
                Effect::Read { by_lane: false } => any |= mask,
                Effect::Read { by_lane: true } => own |= mask,
                Effect::MayWrite => {}
                Effect::WriteLanes => own &= !mask,
                Effect::Write | Effect::Discard => {
                    any &= !mask;
                    own &= !mask;
                }
            }
        }
        let mut defined = get(self.sets.defined.get(block));
        for (event, needed) in group.events.clone().zip(needed.iter().rev()) {
            let GlobalEvent { instruction, effect, mask } = root.events[event];
            let mask = root.masks[mask as usize];
            match effect {
                Effect::Discard => defined &= !mask,
                _ if effect.defines() => defined |= mask,
                _ => {}
            }
            let next = root.events.get(event + 1).filter(|_| event + 1 < group.events.end);
            if next.is_none_or(|next| next.instruction != instruction) {
                self.change(group.root as usize, instruction + 1, &[needed & defined]);
            }
        }
        self.buffers.needed = needed;
    }

    /// Visits the events of a root whose atoms are in several words.
    fn visit_words(&mut self, block: usize, group: &Group) {
        let root = &self.roots[group.root as usize];
        let words = root.place.words;
        let mut needed = core::mem::take(&mut self.buffers.needed);
        needed.clear();
        needed.resize((group.events.len() + 4) * words, 0);
        let (needs, rest) = needed.split_at_mut((group.events.len() + 1) * words);
        let (any, rest) = rest.split_at_mut(words);
        let (own, waiting) = rest.split_at_mut(words);
        root.place.get(&self.buffers.any, any);
        if self.sets.is_by_lane() {
            root.place.get(&self.buffers.own, own);
            root.place.get(self.sets.waiting.get(block), waiting);
        }
        for (index, need) in needs.chunks_exact_mut(words).enumerate().rev() {
            if let Some(event) = group.events.clone().nth(index) {
                step_back(root.events[event].effect, root.mask(event), any, own);
            }
            mask::union(need, any);
            mask::union(need, own);
            mask::union(need, waiting);
        }
        let mut defined = core::mem::take(&mut self.buffers.state);
        defined.clear();
        defined.resize(words, 0);
        root.place.get(self.sets.defined.get(block), &mut defined);
        for (index, event) in group.events.clone().enumerate() {
            let GlobalEvent { instruction, effect, .. } = root.events[event];
            match effect {
                Effect::Discard => mask::subtract(&mut defined, root.mask(event)),
                _ if effect.defines() => mask::union(&mut defined, root.mask(event)),
                _ => {}
            }
            // The needs after the last event of an instruction are those before the next one.
            let next = root.events.get(event + 1).filter(|_| event + 1 < group.events.end);
            if next.is_none_or(|next| next.instruction != instruction) {
                let live = &mut needs[(index + 1) * words..][..words];
                mask::intersect(live, &defined);
                self.change(group.root as usize, instruction + 1, live);
            }
        }
        self.buffers.needed = needed;
        self.buffers.state = defined;
    }

    /// Sets the live atoms of a root from an instruction on. An empty mask contains none.
    fn change(&mut self, index: usize, at: u32, atoms: &[u64]) {
        let root = &self.roots[index];
        if let [atoms] = atoms {
            let old = root.place.word(&self.live);
            if old == *atoms {
                return;
            }
            if old != 0 && self.since[index] < at {
                root.atoms.expand(&[old], &mut self.buffers.units);
                self.segments.push(root.root, self.since[index]..at, &self.buffers.units);
            }
            root.place.set(&mut self.live, &[*atoms]);
            self.since[index] = at;
            return;
        }
        let Buffers { old, units, .. } = &mut self.buffers;
        old.clear();
        old.resize(root.place.words, 0);
        root.place.get(&self.live, old);
        if old == atoms || atoms.is_empty() && mask::is_empty(old) {
            return;
        }
        if !mask::is_empty(old) && self.since[index] < at {
            root.atoms.expand(old, units);
            self.segments.push(root.root, self.since[index]..at, units);
        }
        old.fill(0);
        root.place.set(&mut self.live, if atoms.is_empty() { old } else { atoms });
        self.since[index] = at;
    }
}
