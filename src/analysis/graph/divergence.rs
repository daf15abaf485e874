//! Divergence: blocks in which some lanes may be inactive, because they took another branch.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::spans::Sets;
use super::{BlockId, Cfg, EdgeKind};
use crate::isa::{Fret, Instruction, Ret};
use crate::operand::{Exec, ExecSize, Pred};

/// The blocks in which some of the lanes that entered the routine may be inactive, and the blocks
/// at which inactive lanes wait.
///
/// JMP, SWITCHJMP, and RET and FRET with the execution size 1 are scalar: all lanes go the same way. The
/// active lanes at a GOTO that has no predicate or the execution size 1 go the same way. At other
/// instructions, lanes diverge and wait for each other as follows. Branches of unreachable blocks are
/// ignored.
///
/// - At a GOTO to a later block, the lanes that branch wait at that block, while the others execute the
///   blocks between them. If all active lanes branch, there are others only if the block of the GOTO is
///   divergent: the lanes that wait elsewhere.
/// - At a predicated GOTO to an earlier or its own block, the lanes that do not branch wait at the block
///   after the GOTO, while the others execute the blocks from the earlier one on again.
/// - At a RET or FRET that is predicated or in a divergent block, the lanes that return wait at the end
///   of the subroutine or of the main part.
/// - At a predicated CALL, the lanes that do not call wait at the block after it, while the others
///   execute the subroutine.
/// - While lanes wait, the others may branch back from a block that they execute, and execute the
///   blocks from the target on.
///
/// The subroutines that are called by a predicated CALL or in a divergent block are divergent, and so
/// are the subroutines that they call. JMP must not skip a block at which lanes wait.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    divergent: Vec<bool>,
    waits: Vec<Wait>,
    subroutines: Vec<Range<BlockId>>,
    resumptions: Vec<(BlockId, BlockId)>,
}

/// Lanes that wait at the start of a block while other lanes execute a range of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wait {
    /// The block at which the lanes wait.
    pub at: BlockId,
    /// The blocks that other lanes may execute in the meantime. They end before `at`.
    pub blocks: Range<BlockId>,
    /// Whether other lanes may also execute [`Divergence::divergent_subroutines`], because the blocks,
    /// or the predicated CALL before `at`, call subroutines.
    pub calls: bool,
}

impl Divergence {
    /// Returns the divergent blocks of a control-flow graph. `is_entered_by_all` states whether all
    /// lanes are active when the routine is entered; otherwise all blocks are divergent. Functions may
    /// be called by some of the lanes, unless they have the attribute `AllLaneActive`. The result has no
    /// meaning if the graph is of other instructions.
    ///
    /// The time is almost linear.
    pub fn new(cfg: &Cfg, instructions: &[Instruction], is_entered_by_all: bool) -> Divergence {
        let count = cfg.blocks.len();
        let mut search = Search::new(cfg, instructions);
        search.run();
        let mut divergence = Divergence { waits: search.waits(), ..Divergence::default() };
        divergence.resumptions = divergence.resumptions_of(&search);
        divergence.divergent = search.divergent;
        divergence.add_subroutines(cfg, &search.ends);
        if !is_entered_by_all {
            divergence.divergent = vec![true; count];
        }
        divergence
    }

    /// Returns whether some lanes may be inactive in a block.
    pub fn is_divergent(&self, block: BlockId) -> bool {
        self.divergent.get(block.index()).copied().unwrap_or(false)
    }

    /// Returns the blocks at which lanes wait, in ascending order, each once.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// Returns the blocks of the subroutines that are called while lanes wait, in ascending order.
    pub fn divergent_subroutines(&self) -> &[Range<BlockId>] {
        &self.subroutines
    }

    /// Returns pairs of blocks that are not edges of the graph, because no lane goes from the first
    /// to the second, but that the hardware executes one after the other: when all active lanes
    /// branch forward or return, the lanes that wait at the next block continue.
    pub fn resumptions(&self) -> &[(BlockId, BlockId)] {
        &self.resumptions
    }

    /// Marks the blocks of subroutines that are called by some of the lanes.
    fn add_subroutines(&mut self, cfg: &Cfg, ends: &[End]) {
        let parts: Vec<Range<BlockId>> = cfg.parts().collect();
        let mut is_found = vec![false; parts.len()];
        let mut stack: Vec<usize> = Vec::new();
        for block in (0..ends.len() as u32).map(BlockId) {
            let is_called_by_some = match ends[block.index()] {
                End::Call { is_predicated } => is_predicated || self.is_divergent(block),
                _ => false,
            };
            stack.extend(is_called_by_some.then(|| callee(cfg, block)).flatten());
        }
        while let Some(part) = stack.pop() {
            if core::mem::replace(&mut is_found[part], true) {
                continue;
            }
            for block in parts[part].start.0..parts[part].end.0 {
                self.divergent[block as usize] = true;
                stack.extend(callee(cfg, BlockId(block)));
            }
        }
        let found = parts.into_iter().zip(is_found).filter(|(_, is_found)| *is_found);
        self.subroutines = found.map(|(part, _)| part).collect();
    }

    /// Returns the blocks that execute after a block all of whose lanes branch forward or return.
    fn resumptions_of(&self, search: &Search<'_>) -> Vec<(BlockId, BlockId)> {
        let mut found = Vec::new();
        // The waits after the block, the nearest one last, without those that start after it.
        let mut stack: Vec<&Wait> = Vec::new();
        let mut waits = self.waits.iter().rev().peekable();
        for index in (0..search.ends.len() as u32).rev() {
            stack.extend(waits.next_if(|wait| wait.at.0 == index + 1));
            while stack.last().is_some_and(|wait| wait.blocks.start.0 > index) {
                stack.pop();
            }
            let limit = match search.ends[index as usize] {
                // If there is a predicate, it may be true in all active lanes.
                End::Forward { to, .. } | End::Return { to, .. } => to,
                _ => continue,
            };
            if let Some(wait) = stack.last().filter(|wait| wait.at.0 < limit) {
                found.push((BlockId(index), wait.at));
            }
        }
        found.reverse();
        found
    }
}

/// Returns the subroutine that a reachable block calls.
fn callee(cfg: &Cfg, block: BlockId) -> Option<usize> {
    let call = cfg.successors(block).iter().find(|edge| edge.kind == EdgeKind::Call)?;
    cfg.is_reachable(block).then(|| cfg.blocks[call.to.index()].subroutine as usize)
}

/// How a block ends, as far as lanes may diverge.
#[derive(Clone, Copy, Debug)]
enum End {
    Other,
    /// A GOTO to a later block.
    Forward {
        to: u32,
        is_uniform: bool,
    },
    /// A GOTO to an earlier block, or to its own one.
    Backward {
        to: u32,
        is_uniform: bool,
    },
    /// A RET or FRET that is not scalar: lanes wait at the block `to`, or are done if it is the end
    /// of the part.
    Return {
        to: u32,
        is_uniform: bool,
    },
    /// A CALL of a subroutine.
    Call {
        is_predicated: bool,
    },
}

struct Search<'c> {
    cfg: &'c Cfg,
    ends: Vec<End>,
    /// The first target of the backward branches of each block, if it has one.
    back: Vec<Option<u32>>,
    divergent: Vec<bool>,
}

impl<'c> Search<'c> {
    fn new(cfg: &'c Cfg, instructions: &[Instruction]) -> Search<'c> {
        let mut part_ends = vec![0u32; cfg.blocks.last().map_or(0, |b| b.subroutine as usize + 1)];
        for (index, block) in cfg.blocks.iter().enumerate() {
            // Lanes wait at the empty block, if there is one.
            let end = index + usize::from(!block.instructions.is_empty());
            part_ends[block.subroutine as usize] = end as u32;
        }
        let mut search = Search {
            cfg,
            ends: vec![End::Other; cfg.blocks.len()],
            back: vec![None; cfg.blocks.len()],
            divergent: vec![false; cfg.blocks.len()],
        };
        for (index, block) in cfg.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            let Some(last) = block.last(instructions).filter(|_| cfg.is_reachable(id)) else {
                continue;
            };
            let branches = cfg
                .successors(id)
                .iter()
                .filter(|edge| edge.kind == EdgeKind::Branch && edge.to <= id);
            search.back[index] = branches.map(|edge| edge.to.0).min();
            let end_of_part = part_ends[block.subroutine as usize];
            search.ends[index] = match last {
                Instruction::Goto(goto) => match cfg.block_of_label(goto.label) {
                    Some(to) if to > id => {
                        End::Forward { to: to.0, is_uniform: is_uniform(goto.exec, goto.pred) }
                    }
                    Some(to) => {
                        End::Backward { to: to.0, is_uniform: is_uniform(goto.exec, goto.pred) }
                    }
                    None => End::Other,
                },
                Instruction::Ret(Ret { exec, pred }) | Instruction::Fret(Fret { exec, pred })
                    if exec.size != ExecSize::S1 =>
                {
                    End::Return { to: end_of_part, is_uniform: pred.is_none() }
                }
                Instruction::Call(call) if cfg.block_of_label(call.label).is_some() => {
                    End::Call { is_predicated: !call.pred.is_none() }
                }
                _ => End::Other,
            };
        }
        search
    }

    /// Finds the divergent blocks, except in subroutines that only some lanes call.
    fn run(&mut self) {
        let count = self.ends.len();
        // The next block from each one on that is not divergent yet.
        let mut next = Sets::new(count + 1);
        let mut stack: Vec<Range<u32>> = Vec::new();
        for index in 0..count as u32 {
            stack.extend(self.blocks_while_waiting(index, false));
        }
        while let Some(range) = stack.pop() {
            let mut at = next.find(range.start);
            while at < range.end {
                self.divergent[at as usize] = true;
                next.merge(at, at + 1);
                stack.extend(self.blocks_while_waiting(at, true));
                stack.extend(self.back[at as usize].map(|to| to..at));
                at = next.find(at);
            }
        }
    }

    /// Returns the blocks that lanes execute while others wait because of the end of a block. They
    /// wait at the end of the range.
    fn blocks_while_waiting(&self, block: u32, is_divergent: bool) -> Option<Range<u32>> {
        match self.ends[block as usize] {
            End::Forward { to, is_uniform, .. } | End::Return { to, is_uniform, .. } => {
                (is_divergent || !is_uniform).then_some(block + 1..to)
            }
            End::Backward { to, is_uniform } => (!is_uniform).then_some(to..block + 1),
            End::Call { is_predicated } => is_predicated.then_some(block + 1..block + 1),
            End::Other => None,
        }
    }

    /// Returns whether a block is the one through which a subroutine returns.
    fn is_exit(&self, block: u32) -> bool {
        (block as usize) < self.ends.len() && self.cfg.is_empty(BlockId(block))
    }

    /// Returns the waits.
    fn waits(&self) -> Vec<Wait> {
        let count = self.ends.len() as u32;
        // The first block that waits at each block start from, and whether lanes wait because of a
        // predicated call.
        let mut starts: Vec<Option<(u32, bool)>> = vec![None; self.ends.len() + 1];
        for block in 0..count {
            let is_call = match self.ends[block as usize] {
                End::Call { .. } => true,
                // Lanes that return from the main part are done.
                End::Return { to, .. } if !self.is_exit(to) => continue,
                _ => false,
            };
            let is_divergent = self.divergent[block as usize];
            if let Some(range) = self.blocks_while_waiting(block, is_divergent) {
                if range.is_empty() && !is_call {
                    continue;
                }
                let (start, calls) =
                    starts[range.end as usize].get_or_insert((range.start, is_call));
                *start = range.start.min(*start);
                *calls |= is_call;
            }
        }
        // The number of calls before each block.
        let mut calls = vec![0u32; self.ends.len() + 1];
        for (index, end) in self.ends.iter().enumerate() {
            calls[index + 1] = calls[index] + u32::from(matches!(end, End::Call { .. }));
        }
        let mut waits = Vec::new();
        // The blocks that execute again after a branch back: each set contains consecutive blocks, and
        // its representative is the first one.
        let mut again = Sets::new(self.ends.len());
        for at in 0..count {
            if let Some((start, after_call)) = starts[at as usize] {
                let start = if start < at { again.find(start) } else { start };
                let calls = after_call || calls[at as usize] > calls[start as usize];
                waits.push(Wait { at: BlockId(at), blocks: BlockId(start)..BlockId(at), calls });
            }
            if let Some(to) = self.back[at as usize] {
                let mut last = again.find(at);
                while last > to {
                    let previous = again.find(last - 1);
                    again.merge(last, previous);
                    last = previous;
                }
            }
        }
        waits
    }
}

/// Returns whether all active lanes go the same way.
fn is_uniform(exec: Exec, pred: Pred) -> bool {
    pred.is_none() || exec.size == ExecSize::S1
}
