//! The data flow of one root.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::events::{Effect, Event, Events, Units};
use super::lanes::LaneMap;
use super::mask;
use crate::analysis::graph::{BlockId, Cfg, Divergence, Wait};

/// Computes the live units of one root after the other. Its buffers are as large as the live range
/// of a root needs, not as the routine.
pub(super) struct Solver<'c> {
    cfg: &'c Cfg,
    divergence: &'c Divergence,
    exits: &'c [BlockId],
    /// For each block, the blocks that the hardware executes before it although no edge leads there.
    resumed_from: Vec<(BlockId, BlockId)>,
    /// The index of each block's wait plus 1; 0 for none.
    wait_at: Vec<u32>,
    /// The slot of each block, if `stamps` contains the current root.
    slots: Vec<u32>,
    stamps: Vec<u32>,
    stamp: u32,
    /// The block of each instruction.
    block_of: Vec<u32>,
    lanes: LaneMap,
    root: Root,
    events: Vec<Event>,
    /// The segments of a block in descending order: their ends and units.
    segments: Vec<(Range<u32>, u64)>,
}

/// The state of the current root.
#[derive(Default)]
struct Root {
    units: u32,
    words: usize,
    is_by_lane: bool,
    /// A mask for each event.
    masks: Vec<u64>,
    /// The events of each block that has any.
    groups: Vec<(BlockId, Range<usize>)>,
    /// The blocks of the slots.
    blocks: Vec<BlockId>,
    /// For each slot, the index of its group plus 1; 0 for none.
    group_of: Vec<u32>,
    /// For each slot, a mask for each of `FIELDS`.
    state: Vec<u64>,
    queue: Vec<u32>,
    is_queued: Vec<bool>,
    scratch: Vec<u64>,
}

/// The masks of a slot.
const FIELDS: usize = 11;
/// Units that an instruction may read, in whichever lane. The index is that of a class: `ANY` for
/// these, `OWN` for units that their own lane may read.
const LIVE_IN: [usize; 2] = [0, 1];
const LIVE_OUT: [usize; 2] = [2, 3];
const READ: [usize; 2] = [4, 5];
const KILLED: [usize; 2] = [6, 7];
/// Units that lanes which wait may read.
const WAITING: usize = 8;
/// Units that may have a value at the start of the block.
const DEFINED: usize = 9;
const OUTPUT: usize = 10;

const ANY: usize = 0;
const OWN: usize = 1;

impl<'c> Solver<'c> {
    pub(super) fn new(cfg: &'c Cfg, divergence: &'c Divergence, exits: &'c [BlockId]) -> Self {
        let count = cfg.blocks().len();
        let mut block_of = Vec::new();
        for (index, block) in cfg.blocks().iter().enumerate() {
            block_of.resize(block.instructions.end, index as u32);
        }
        let mut resumed_from: Vec<_> =
            divergence.resumptions().iter().map(|(from, to)| (*to, *from)).collect();
        resumed_from.sort_unstable();
        let mut wait_at = vec![0; count];
        for (index, wait) in divergence.waits().iter().enumerate() {
            if let Some(at) = wait_at.get_mut(wait.at.index()) {
                *at = index as u32 + 1;
            }
        }
        Solver {
            cfg,
            divergence,
            exits,
            resumed_from,
            wait_at,
            slots: vec![0; count],
            stamps: vec![0; count],
            stamp: 0,
            block_of,
            lanes: LaneMap::default(),
            root: Root::default(),
            events: Vec::new(),
            segments: Vec::new(),
        }
    }

    /// Calls a function with the live units of a root before each instruction at which any is live:
    /// ranges of instructions in ascending order, and their mask.
    pub(super) fn solve(
        &mut self,
        root: usize,
        events: &Events,
        is_defined_at_entry: bool,
        is_live_at_exit: bool,
        mut emit: impl FnMut(Range<u32>, &[u64]),
    ) {
        let facts = events.root(root);
        if !is_live_at_exit && !facts.is_read {
            return;
        }
        let is_simple = facts.is_local && !facts.is_by_lane && facts.units <= 64;
        if is_simple && !is_live_at_exit && self.solve_word(facts.last, events) {
            for (range, mask) in self.segments.drain(..).rev() {
                emit(range, &[mask]);
            }
            return;
        }
        let mut list = core::mem::take(&mut self.events);
        events.of_root(root, &mut list);
        if facts.is_by_lane {
            self.lanes.assign(&mut list, facts.units);
        } else {
            list.iter_mut().for_each(Event::forget_lanes);
        }
        self.root.is_by_lane = facts.is_by_lane;
        self.root.start(facts.units, &list, &self.block_of);
        self.solve_list(&list, is_defined_at_entry, is_live_at_exit, &mut emit);
        self.events = list;
    }

    /// Fast path: computes the segments of a root of at most 64 units whose events are in one block.
    /// Returns false if units are read there before they are written.
    fn solve_word(&mut self, last: u32, events: &Events) -> bool {
        self.segments.clear();
        let mut live = 0;
        let mut end = 0;
        let mut next = last;
        while let Some(event) = events.get(next) {
            let after = event.instruction + 1;
            if live != 0 && after < end {
                self.segments.push((after..end, live));
            }
            end = after;
            let Units::Word(units) = event.units else { return false };
            match event.effect {
                Effect::Read { .. } => live |= units,
                Effect::MayWrite => {}
                Effect::WriteLanes | Effect::Write | Effect::Discard => live &= !units,
            }
            next = event.previous;
        }
        live == 0
    }

    /// Solves the root whose events are in a list.
    fn solve_list(
        &mut self,
        events: &[Event],
        is_defined_at_entry: bool,
        is_live_at_exit: bool,
        emit: &mut impl FnMut(Range<u32>, &[u64]),
    ) {
        if let [(block, group)] = self.root.groups.as_slice() {
            let (block, group) = (*block, group.clone());
            if !is_live_at_exit && self.root.is_local(events, group.clone()) {
                let range = self.cfg.blocks()[block.index()].instructions.clone();
                self.root.emit_group(events, group, range, None, emit);
                return;
            }
        }
        self.stamp += 1;
        for index in 0..self.root.groups.len() {
            let (block, group) = self.root.groups[index].clone();
            let slot = self.slot(block);
            self.root.group_of[slot] = index as u32 + 1;
            self.root.summarize(slot, events, group);
        }
        if is_live_at_exit {
            for exit in self.exits {
                let slot = self.slot(*exit);
                let units = self.root.units;
                mask::insert(self.root.field(slot, OUTPUT), 0..units, units);
            }
        }
        let classes = if self.root.is_by_lane { 2 } else { 1 };
        for class in 0..classes {
            self.propagate_reads(class);
        }
        if self.root.is_by_lane {
            self.add_waiting_lanes();
        }
        self.propagate_definitions(events, is_defined_at_entry);
        self.emit(events, emit);
    }

    /// Returns the slot of a block.
    fn slot(&mut self, block: BlockId) -> usize {
        let index = block.index();
        if self.stamps[index] != self.stamp {
            self.stamps[index] = self.stamp;
            self.slots[index] = self.root.blocks.len() as u32;
            self.root.blocks.push(block);
            self.root.group_of.push(0);
            self.root.is_queued.push(false);
            let len = self.root.state.len() + FIELDS * self.root.words;
            self.root.state.resize(len, 0);
        }
        self.slots[index] as usize
    }

    fn existing_slot(&self, block: BlockId) -> Option<usize> {
        let index = block.index();
        (self.stamps[index] == self.stamp).then(|| self.slots[index] as usize)
    }

    /// Propagates the units that are read backwards, until nothing changes.
    fn propagate_reads(&mut self, class: usize) {
        for slot in 0..self.root.blocks.len() {
            self.root.update_live_in(slot, class);
        }
        while let Some(slot) = self.root.pop() {
            let block = self.root.blocks[slot];
            for index in 0..self.cfg.predecessors(block).len() {
                let from = self.cfg.predecessors(block)[index].from;
                self.flow_back(slot, from, class);
            }
            if class == ANY {
                let first = self.resumed_from.partition_point(|(to, _)| *to < block);
                let mut index = first;
                while let Some((_, from)) =
                    self.resumed_from.get(index).filter(|(to, _)| *to == block)
                {
                    let from = *from;
                    self.flow_back(slot, from, class);
                    index += 1;
                }
            }
        }
    }

    fn flow_back(&mut self, slot: usize, from: BlockId, class: usize) {
        let to = self.slot(from);
        if self.root.merge(to, LIVE_OUT[class], slot, LIVE_IN[class]) {
            self.root.update_live_in(to, class);
        }
    }

    /// Keeps the units that lanes read after they have waited, while other lanes execute blocks.
    fn add_waiting_lanes(&mut self) {
        for slot in 0..self.root.blocks.len() {
            let at = self.root.blocks[slot];
            let Some(index) = self.wait_at[at.index()].checked_sub(1) else { continue };
            if mask::is_empty(self.root.field(slot, LIVE_IN[OWN])) {
                continue;
            }
            let divergence = self.divergence;
            let Wait { blocks, calls, .. } = &divergence.waits()[index as usize];
            let subroutines = divergence.divergent_subroutines().iter().filter(|_| *calls);
            for range in core::iter::once(blocks).chain(subroutines) {
                for block in range.start.0..range.end.0 {
                    let to = self.slot(BlockId(block));
                    self.root.merge(to, WAITING, slot, LIVE_IN[OWN]);
                }
            }
        }
    }

    /// Propagates the units that may have a value, as far as they are live.
    fn propagate_definitions(&mut self, events: &[Event], is_defined_at_entry: bool) {
        if is_defined_at_entry && self.existing_slot(BlockId::ENTRY).is_some() {
            let slot = self.slot(BlockId::ENTRY);
            let units = self.root.units;
            mask::insert(self.root.field(slot, DEFINED), 0..units, units);
        }
        for slot in 0..self.root.blocks.len() {
            self.root.enqueue(slot);
        }
        while let Some(slot) = self.root.pop() {
            let block = self.root.blocks[slot];
            if !self.root.define_out(slot, events) {
                continue;
            }
            for edge in self.cfg.successors(block) {
                self.flow_forward(edge.to);
            }
            let resumptions = self.divergence.resumptions();
            let first = resumptions.partition_point(|(from, _)| *from < block);
            for (from, to) in &resumptions[first..] {
                if *from != block {
                    break;
                }
                self.flow_forward(*to);
            }
        }
    }

    /// Adds the units in the first scratch mask to those that may have a value in a block, as far
    /// as they are live there.
    fn flow_forward(&mut self, to: BlockId) {
        if let Some(to) = self.existing_slot(to) {
            if self.root.define_in(to) {
                self.root.enqueue(to);
            }
        }
    }

    fn emit(&mut self, events: &[Event], emit: &mut impl FnMut(Range<u32>, &[u64])) {
        let mut order: Vec<u32> = (0..self.root.blocks.len() as u32).collect();
        order.sort_unstable_by_key(|slot| self.root.blocks[*slot as usize]);
        for slot in order {
            let slot = slot as usize;
            let range = self.cfg.blocks()[self.root.blocks[slot].index()].instructions.clone();
            self.root.emit_slot(slot, events, range, emit);
        }
    }
}

impl Root {
    fn start(&mut self, units: u32, events: &[Event], block_of: &[u32]) {
        self.units = units;
        self.words = mask::words(units);
        self.masks.clear();
        self.masks.resize(events.len() * self.words, 0);
        for (event, mask) in events.iter().zip(self.masks.chunks_exact_mut(self.words)) {
            match event.units {
                Units::Word(word) => mask[0] = word,
                Units::Footprint(footprint) => {
                    for range in footprint.ranges() {
                        mask::insert(mask, range, units);
                    }
                }
            }
        }
        self.groups.clear();
        for (index, event) in events.iter().enumerate() {
            let block = BlockId(block_of[event.instruction as usize]);
            match self.groups.last_mut().filter(|(last, _)| *last == block) {
                Some((_, group)) => group.end = index + 1,
                None => self.groups.push((block, index..index + 1)),
            }
        }
        self.blocks.clear();
        self.group_of.clear();
        self.is_queued.clear();
        self.state.clear();
    }

    fn field(&mut self, slot: usize, field: usize) -> &mut [u64] {
        &mut self.state[(slot * FIELDS + field) * self.words..][..self.words]
    }

    /// Returns whether no unit is read before it is written in the only block with events.
    fn is_local(&mut self, events: &[Event], group: Range<usize>) -> bool {
        let words = self.words;
        self.scratch.clear();
        self.scratch.resize(words * 2, 0);
        for index in group.rev() {
            let (any, own) = self.scratch.split_at_mut(words);
            let mask = &self.masks[index * words..][..words];
            step_back(events[index].effect, mask, any, own);
        }
        mask::is_empty(&self.scratch)
    }

    /// Computes the units that a block reads before it writes them, and those that it writes.
    fn summarize(&mut self, slot: usize, events: &[Event], group: Range<usize>) {
        let words = self.words;
        let start = slot * FIELDS * words;
        let state = &mut self.state[start..][..FIELDS * words];
        for index in group.rev() {
            let mask = &self.masks[index * words..][..words];
            let (any, own) = state[READ[ANY] * words..][..2 * words].split_at_mut(words);
            let effect = events[index].effect;
            step_back(effect, mask, any, own);
            let (any, own) = state[KILLED[ANY] * words..][..2 * words].split_at_mut(words);
            if matches!(effect, Effect::Write | Effect::Discard) {
                mask::union(any, mask);
            }
            if matches!(effect, Effect::Write | Effect::Discard | Effect::WriteLanes) {
                mask::union(own, mask);
            }
        }
    }

    fn enqueue(&mut self, slot: usize) {
        if !self.is_queued[slot] {
            self.is_queued[slot] = true;
            self.queue.push(slot as u32);
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let slot = self.queue.pop()? as usize;
        self.is_queued[slot] = false;
        Some(slot)
    }

    /// Adds the units of a field of one slot to a field of another, and returns whether any is new.
    fn merge(&mut self, to: usize, to_field: usize, from: usize, from_field: usize) -> bool {
        let words = self.words;
        let (to, from) = ((to * FIELDS + to_field) * words, (from * FIELDS + from_field) * words);
        let mut is_changed = false;
        for word in 0..words {
            let old = self.state[to + word];
            let new = old | self.state[from + word];
            is_changed |= new != old;
            self.state[to + word] = new;
        }
        is_changed
    }

    /// Computes the units that are live at the start of a block, and enqueues it if any is new.
    fn update_live_in(&mut self, slot: usize, class: usize) {
        let words = self.words;
        let start = slot * FIELDS * words;
        let state = &mut self.state[start..][..FIELDS * words];
        let mut is_changed = false;
        for word in 0..words {
            let field = |field: usize| state[field * words + word];
            let out = field(LIVE_OUT[class]) | field(OUTPUT);
            let live = field(READ[class]) | out & !field(KILLED[class]);
            is_changed |= live & !field(LIVE_IN[class]) != 0;
            state[LIVE_IN[class] * words + word] |= live;
        }
        if is_changed {
            self.enqueue(slot);
        }
    }

    /// Computes the units that may have a value at the end of a block, in the first scratch mask.
    /// Returns whether there are any.
    fn define_out(&mut self, slot: usize, events: &[Event]) -> bool {
        let words = self.words;
        self.scratch.clear();
        let start = (slot * FIELDS + DEFINED) * words;
        self.scratch.extend_from_slice(&self.state[start..][..words]);
        if let Some(group) = (self.group_of[slot] as usize).checked_sub(1) {
            for index in self.groups[group].1.clone() {
                let mask = &self.masks[index * words..][..words];
                step_forward(events[index].effect, mask, &mut self.scratch);
            }
        }
        !mask::is_empty(&self.scratch)
    }

    /// Adds the units of the first scratch mask that are live at the start of a block to those that
    /// have a value there. Returns whether any is new.
    fn define_in(&mut self, slot: usize) -> bool {
        let words = self.words;
        let start = slot * FIELDS * words;
        let state = &mut self.state[start..][..FIELDS * words];
        let mut is_changed = false;
        for word in 0..words {
            let field = |field: usize| state[field * words + word];
            let live = field(LIVE_IN[ANY]) | field(LIVE_IN[OWN]) | field(WAITING);
            let new = self.scratch[word] & live & !field(DEFINED);
            is_changed |= new != 0;
            state[DEFINED * words + word] |= new;
        }
        is_changed
    }

    fn emit_slot(
        &mut self,
        slot: usize,
        events: &[Event],
        range: Range<usize>,
        emit: &mut impl FnMut(Range<u32>, &[u64]),
    ) {
        let words = self.words;
        self.scratch.clear();
        self.scratch.resize(words * 3, 0);
        if let Some(group) = (self.group_of[slot] as usize).checked_sub(1) {
            let group = self.groups[group].1.clone();
            return self.emit_group(events, group, range, Some(slot), emit);
        }
        let state = &self.state[slot * FIELDS * words..][..FIELDS * words];
        for (word, mask) in self.scratch[..words].iter_mut().enumerate() {
            let field = |field: usize| state[field * words + word];
            let live = field(LIVE_IN[ANY]) | field(LIVE_IN[OWN]) | field(WAITING);
            *mask = live & field(DEFINED);
        }
        if !range.is_empty() && !mask::is_empty(&self.scratch[..words]) {
            emit(range.start as u32..range.end as u32, &self.scratch[..words]);
        }
    }

    /// Emits the live units of a block with events. `slot` is `None` if no unit is live at its
    /// start and end.
    fn emit_group(
        &mut self,
        events: &[Event],
        group: Range<usize>,
        range: Range<usize>,
        slot: Option<usize>,
        emit: &mut impl FnMut(Range<u32>, &[u64]),
    ) {
        let words = self.words;
        // For each event, the units that are live before its instruction, then those that are live
        // at the end of the block; and the end of their range of instructions.
        let count = group.len() + 1;
        let mut buffer = core::mem::take(&mut self.scratch);
        buffer.clear();
        buffer.resize((count + 3) * words, 0);
        let (live, rest) = buffer.split_at_mut(count * words);
        let (any, rest) = rest.split_at_mut(words);
        let (own, defined) = rest.split_at_mut(words);
        let state = slot.map(|slot| &self.state[slot * FIELDS * words..][..FIELDS * words]);
        let field = |index: usize| state.map(|state| &state[index * words..][..words]);
        let waiting = field(WAITING);
        let copy = |to: &mut [u64], index: usize| {
            if let Some(from) = field(index) {
                mask::union(to, from);
            }
        };
        copy(any, LIVE_OUT[ANY]);
        copy(any, OUTPUT);
        copy(own, LIVE_OUT[OWN]);
        copy(defined, DEFINED);
        for at in (0..count).rev() {
            if at + 1 < count {
                let index = group.start + at;
                let mask = &self.masks[index * words..][..words];
                step_back(events[index].effect, mask, any, own);
            }
            let entry = &mut live[at * words..][..words];
            mask::union(entry, any);
            mask::union(entry, own);
            if let Some(waiting) = waiting {
                mask::union(entry, waiting);
            }
        }
        let mut start = range.start as u32;
        for at in 0..count {
            let index = group.start + at;
            let next = events.get(index).filter(|_| at + 1 < count);
            let end = next.map_or(range.end as u32, |event| event.instruction + 1);
            // Of the events of an instruction, the first has the units that are live before all.
            let entry = &mut live[at * words..][..words];
            if slot.is_some() {
                intersect(entry, defined);
            }
            if start < end && !mask::is_empty(entry) {
                emit(start..end, entry);
            }
            start = start.max(end);
            if let Some(event) = next {
                step_forward(event.effect, &self.masks[index * words..][..words], defined);
            }
        }
        self.scratch = buffer;
    }
}

fn intersect(mask: &mut [u64], other: &[u64]) {
    for (word, other) in mask.iter_mut().zip(other) {
        *word &= other;
    }
}

/// Changes the live units from after an access to before it.
#[inline]
fn step_back(effect: Effect, mask: &[u64], any: &mut [u64], own: &mut [u64]) {
    match effect {
        Effect::Read { by_lane: false } => mask::union(any, mask),
        Effect::Read { by_lane: true } => mask::union(own, mask),
        Effect::MayWrite => {}
        Effect::WriteLanes => mask::subtract(own, mask),
        Effect::Write | Effect::Discard => {
            mask::subtract(any, mask);
            mask::subtract(own, mask);
        }
    }
}

/// Changes the units that may have a value from before an access to after it.
#[inline]
fn step_forward(effect: Effect, mask: &[u64], defined: &mut [u64]) {
    match effect {
        Effect::Discard => mask::subtract(defined, mask),
        _ if effect.defines() => mask::union(defined, mask),
        _ => {}
    }
}
