//! The data flow between blocks.

use alloc::vec;
use alloc::vec::Vec;

use super::Global;
use super::batch::{Batch, BatchRoot};
use super::row::Rows;
use crate::analysis::graph::{BlockId, Cfg, Divergence};
use crate::analysis::liveness::event::Effect;
use crate::analysis::liveness::local::Needs;
use crate::analysis::mask::{self, only_if};

/// The order in which blocks are visited, and the blocks that follow each.
pub(super) struct Flow {
    /// The blocks in postorder: successors first, as far as possible.
    order: Vec<u32>,
    /// The position of each block in the order.
    position: Vec<u32>,
    /// The blocks that are resumed after each block.
    resumptions: Edges,
    /// The blocks after which each block is resumed.
    resumed: Edges,
}

/// The blocks that each block refers to.
struct Edges {
    /// For each block, the index of the first; at the end their number.
    first: Vec<u32>,
    to: Vec<BlockId>,
}

impl Edges {
    /// Takes pairs of blocks in ascending order.
    fn new(count: usize, pairs: &[(BlockId, BlockId)]) -> Edges {
        let mut first = vec![0; count + 1];
        for (from, _) in pairs {
            first[from.index() + 1] += 1;
        }
        for index in 0..count {
            first[index + 1] += first[index];
        }
        Edges { first, to: pairs.iter().map(|(_, to)| *to).collect() }
    }

    fn of(&self, block: u32) -> &[BlockId] {
        let block = block as usize;
        &self.to[self.first[block] as usize..self.first[block + 1] as usize]
    }
}

/// The sets of each block. The buffers are reused for other batches.
#[derive(Default)]
pub(super) struct Sets {
    /// The units that any lane needs at the start of the block.
    pub(super) any: Rows,
    /// The units that their own lane needs there.
    pub(super) own: Rows,
    /// The units that lanes need which wait while others execute the block.
    waiting: Rows,
    /// The units that are defined at the start of the block, as far as they are needed.
    pub(super) defined: Rows,
    /// The units whose values at the start of the block no lane needs after it.
    killed_any: Rows,
    /// The units whose values at the start of the block their own lane does not need after it.
    killed_own: Rows,
    /// The units that are written in the block and not discarded afterwards.
    defines: Rows,
    /// The units that are discarded in the block.
    discards: Rows,
    /// The units that have a value at the entry.
    at_entry: Vec<u64>,
    /// The units that are used after the end of the routine.
    at_exit: Vec<u64>,
    is_exit: Vec<bool>,
}

impl Flow {
    pub(super) fn new(cfg: &Cfg, divergence: &Divergence) -> Flow {
        let count = cfg.blocks().len();
        let mut order = Vec::with_capacity(count);
        let mut is_visited = vec![false; count];
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for root in 0..count as u32 {
            if core::mem::replace(&mut is_visited[root as usize], true) {
                continue;
            }
            stack.push((root, 0));
            while let Some((block, next)) = stack.last_mut() {
                let edges = cfg.successors(BlockId(*block));
                match edges.get(*next) {
                    Some(edge) => {
                        *next += 1;
                        let to = edge.to.index();
                        if !core::mem::replace(&mut is_visited[to], true) {
                            stack.push((to as u32, 0));
                        }
                    }
                    None => {
                        order.push(*block);
                        stack.pop();
                    }
                }
            }
        }
        let mut position = vec![0; count];
        for (index, block) in order.iter().enumerate() {
            position[*block as usize] = index as u32;
        }
        let resumptions = divergence.resumptions();
        let mut resumed: Vec<_> = resumptions.iter().map(|(from, to)| (*to, *from)).collect();
        resumed.sort_unstable();
        Flow {
            order,
            position,
            resumptions: Edges::new(count, resumptions),
            resumed: Edges::new(count, &resumed),
        }
    }

    /// Sets the sets of all blocks.
    pub(super) fn solve(&self, global: &Global<'_>, batch: &Batch, sets: &mut Sets) {
        sets.collect(global.exits, batch, self.order.len());
        let mut any = core::mem::take(&mut sets.any);
        self.propagate_needs(global, sets, &mut any, &sets.killed_any, true);
        sets.any = any;
        if batch.is_by_lane {
            let mut own = core::mem::take(&mut sets.own);
            self.propagate_needs(global, sets, &mut own, &sets.killed_own, false);
            sets.own = own;
            sets.waiting = self.waiting(global, &sets.own, batch.words());
        }
        self.propagate_definitions(global, sets);
    }

    /// Propagates the units that are needed backwards. At first, `needed` contains the units that
    /// each block reads before it writes them. A block is visited if a block after it needs units, and again
    /// when that changes.
    fn propagate_needs(
        &self,
        global: &Global<'_>,
        sets: &Sets,
        needed: &mut Rows,
        killed: &Rows,
        by_any: bool,
    ) {
        let mut out = vec![0; sets.at_exit.len()];
        let mut pending = Pending::new(self.order.len());
        let add_before = |block: u32, pending: &mut Pending| {
            for edge in global.cfg.predecessors(BlockId(block)) {
                pending.add(self.position[edge.from.index()] as usize);
            }
            let resumed = if by_any { self.resumed.of(block) } else { &[] };
            for from in resumed {
                pending.add(self.position[from.index()] as usize);
            }
        };
        for block in 0..self.order.len() as u32 {
            if !mask::is_empty(needed.get(block as usize)) {
                add_before(block, &mut pending);
            }
        }
        if by_any && !mask::is_empty(&sets.at_exit) {
            for exit in global.exits {
                pending.add(self.position[exit.index()] as usize);
            }
        }
        while let Some(position) = pending.next() {
            let block = self.order[position];
            global.needed_after(block, needed, sets, by_any, &mut out);
            let killed = killed.get(block as usize);
            if mask::merge_without(needed.get_mut(block as usize), &out, killed) {
                add_before(block, &mut pending);
            }
        }
    }

    /// Returns the units that waiting lanes need in each block. The time is proportional to the
    /// number of blocks and waits, and the logarithm of the number of blocks.
    fn waiting(&self, global: &Global<'_>, own: &Rows, words: usize) -> Rows {
        let count = self.order.len();
        // A tree of ranges of blocks: node i has the children 2i and 2i + 1; leaves are blocks.
        let mut tree = Rows::new(2 * count, words);
        let mut add = |range: core::ops::Range<BlockId>, row: &[u64]| {
            let (mut start, mut end) = (range.start.index() + count, range.end.index() + count);
            while start < end {
                if start % 2 == 1 {
                    mask::union(tree.get_mut(start), row);
                    start += 1;
                }
                if end % 2 == 1 {
                    end -= 1;
                    mask::union(tree.get_mut(end), row);
                }
                (start, end) = (start / 2, end / 2);
            }
        };
        let mut in_calls = vec![0; words];
        for wait in global.divergence.waits() {
            let row = own.get(wait.at.index());
            if !mask::is_empty(row) {
                add(wait.blocks.clone(), row);
                if wait.calls {
                    mask::union(&mut in_calls, row);
                }
            }
        }
        for subroutine in global.divergence.divergent_subroutines() {
            add(subroutine.clone(), &in_calls);
        }
        for node in 2..2 * count {
            tree.union_within(node, node / 2);
        }
        let mut waiting = Rows::new(count, words);
        for block in 0..count {
            waiting.get_mut(block).copy_from_slice(tree.get(block + count));
        }
        waiting
    }

    /// Propagates the units that are defined, as far as they are needed.
    fn propagate_definitions(&self, global: &Global<'_>, sets: &mut Sets) {
        let count = self.order.len();
        let mut defined = core::mem::take(&mut sets.defined);
        if count > 0 {
            let mut row = sets.at_entry.clone();
            sets.keep_needed(0, &mut row);
            mask::union(defined.get_mut(0), &row);
        }
        let mut out = vec![0; sets.at_entry.len()];
        // From the entry: in the reverse order.
        let place = |block: usize| count - 1 - self.position[block] as usize;
        let mut pending = Pending::new(count);
        for block in 0..count {
            if !mask::is_empty(sets.defines.get(block)) || !mask::is_empty(defined.get(block)) {
                pending.add(place(block));
            }
        }
        while let Some(position) = pending.next() {
            let block = self.order[count - 1 - position] as usize;
            out.copy_from_slice(defined.get(block));
            mask::subtract(&mut out, sets.discards.get(block));
            mask::union(&mut out, sets.defines.get(block));
            let mut flow = |to: BlockId| {
                let mut is_new = false;
                let row = defined.get_mut(to.index()).iter_mut().zip(&out);
                sets.each_needed(to.index(), row, |(word, out), needed| {
                    let new = out & needed & !*word;
                    is_new |= new != 0;
                    *word |= new;
                });
                if is_new {
                    pending.add(place(to.index()));
                }
            };
            for edge in global.cfg.successors(BlockId(block as u32)) {
                flow(edge.to);
            }
            for to in self.resumptions.of(block as u32) {
                flow(*to);
            }
        }
        sets.defined = defined;
    }
}

impl Global<'_> {
    /// Computes the units that are needed at the end of a block, given those that are needed at the
    /// start of each block. `by_any` states whether these are needed by any lane, or by their own.
    pub(super) fn needed_after(
        &self,
        block: u32,
        needed: &Rows,
        sets: &Sets,
        by_any: bool,
        out: &mut [u64],
    ) {
        // Usually, a block has a successor.
        match self.cfg.successors(BlockId(block)) {
            [] => out.fill(0),
            [edge, edges @ ..] => {
                out.copy_from_slice(needed.get(edge.to.index()));
                for edge in edges {
                    mask::union(out, needed.get(edge.to.index()));
                }
            }
        }
        if by_any {
            if sets.is_exit[block as usize] {
                mask::union(out, &sets.at_exit);
            }
            for to in self.flow.resumptions.of(block) {
                mask::union(out, needed.get(to.index()));
            }
        }
    }
}

impl Sets {
    /// Sets the sets of a number of blocks to the effects of the blocks themselves.
    fn collect(&mut self, exits: &[BlockId], batch: &Batch, blocks: usize) {
        let words = batch.words();
        let Sets { any, defined, killed_any, defines, discards, .. } = self;
        for rows in [any, defined, killed_any, defines, discards] {
            rows.reset(blocks, words);
        }
        let words_by_lane = if batch.is_by_lane { words } else { 0 };
        for rows in [&mut self.own, &mut self.waiting, &mut self.killed_own] {
            rows.reset(blocks, words_by_lane);
        }
        for block in 0..blocks {
            // Later events first.
            for event in batch.events(block).iter().rev() {
                self.step_back(block, event.effect, batch.mask(event));
            }
        }
        for row in [&mut self.at_entry, &mut self.at_exit] {
            row.clear();
            row.resize(words, 0);
        }
        for BatchRoot { root, place, .. } in &batch.roots {
            for (word, atoms) in place.masks() {
                self.at_entry[word] |= only_if(root.is_defined_at_entry, atoms);
                self.at_exit[word] |= only_if(root.is_live_at_exit, atoms);
            }
        }
        self.is_exit.clear();
        self.is_exit.resize(blocks, false);
        for exit in exits {
            self.is_exit[exit.index()] = true;
        }
    }

    /// Changes the sets of a block from the effects of the events after an event to those from the event
    /// on.
    fn step_back(
        &mut self,
        block: usize,
        effect: Effect,
        mask: impl Iterator<Item = (usize, u64)>,
    ) {
        let is_by_lane = self.is_by_lane();
        let [any, killed_any, defines, discards] =
            [&mut self.any, &mut self.killed_any, &mut self.defines, &mut self.discards]
                .map(|rows| rows.get_mut(block));
        let [own, killed_own] =
            [&mut self.own, &mut self.killed_own].map(|rows| rows.get_mut(block));
        for (word, atoms) in mask {
            let mut needs = Needs { any: any[word], own: 0 };
            if is_by_lane {
                needs.own = own[word];
            }
            needs.step_back(effect, atoms);
            any[word] = needs.any;
            killed_any[word] |= only_if(effect.kills_for_any(), atoms);
            if is_by_lane {
                own[word] = needs.own;
                killed_own[word] |= only_if(effect.kills_for_own(), atoms);
            }
            defines[word] |= only_if(effect.defines(), atoms) & !discards[word];
            discards[word] |= only_if(effect == Effect::Discard, atoms);
        }
    }

    /// Returns whether any unit is needed by its own lane.
    pub(super) fn is_by_lane(&self) -> bool {
        self.waiting.words() > 0
    }

    /// Returns the units that waiting lanes need in a block; no words if lanes do not matter.
    pub(super) fn waiting_in(&self, block: usize) -> &[u64] {
        self.waiting.get(block)
    }

    /// Removes units that are not needed at the start of a block.
    pub(super) fn keep_needed(&self, block: usize, row: &mut [u64]) {
        self.each_needed(block, row.iter_mut(), |word, needed| *word &= needed);
    }

    /// Calls a function with each word of a row and the units that are needed at the start of a block.
    #[inline]
    fn each_needed<W>(
        &self,
        block: usize,
        row: impl Iterator<Item = W>,
        mut each: impl FnMut(W, u64),
    ) {
        let any = self.any.get(block);
        if !self.is_by_lane() {
            return row.zip(any).for_each(|(word, any)| each(word, *any));
        }
        let needed = any.iter().zip(self.own.get(block)).zip(self.waiting.get(block));
        row.zip(needed).for_each(|(word, ((any, own), waiting))| each(word, any | own | waiting));
    }
}

/// The positions that are still to be visited: none at first. Positions are visited in ascending
/// order; those that are added before the current one are visited in the next pass.
struct Pending {
    words: Vec<u64>,
    at: usize,
    is_complete: bool,
}

impl Pending {
    fn new(count: usize) -> Pending {
        Pending { words: vec![0; count.div_ceil(64)], at: 0, is_complete: true }
    }

    fn add(&mut self, position: usize) {
        self.words[position / 64] |= 1 << (position % 64);
        self.is_complete &= position / 64 >= self.at;
    }

    fn next(&mut self) -> Option<usize> {
        loop {
            while let Some(word) = self.words.get_mut(self.at) {
                if *word != 0 {
                    let bit = word.trailing_zeros();
                    *word &= *word - 1;
                    return Some(self.at * 64 + bit as usize);
                }
                self.at += 1;
            }
            if self.is_complete {
                return None;
            }
            (self.at, self.is_complete) = (0, true);
        }
    }
}
