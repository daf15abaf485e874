//! The control-flow graph of a routine.

mod divergence;
mod dominators;
mod loops;
mod spans;

pub use divergence::{Divergence, Wait};
pub use dominators::Dominators;
pub use loops::{Loop, LoopId, Loops};

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::isa::Instruction;
use crate::operand::LabelId;

/// The control-flow graph of a routine: basic blocks in the order of the code, and edges.
///
/// A block begins at a LABEL or SUBROUTINE, and after an instruction that ends a block
/// ([`Instruction::ends_block`]) or calls (CALL, FCALL, IFCALL). Block 0 is the entry.
///
/// The main part may begin with a SUBROUTINE, and compilers emit it. The main part and each
/// subroutine end at the next SUBROUTINE or at the end of the code. A call of a subroutine has an
/// edge to it, and its returns have edges to the blocks after its calls. If a subroutine returns
/// elsewhere than at its last instruction, it has an empty block at its end, and all of its returns
/// pass through this block. Thus the number of edges is linear in the number of instructions.
///
/// Calls of functions have an edge to the next block only, and a call of a label that is not defined
/// is a call of a function. RET in the main part and FRET end the routine. An edge to a label that is
/// not defined is omitted; if a label is defined twice, edges lead to the first definition. Control
/// that reaches a SUBROUTINE from the instruction before it continues there; control that reaches the
/// end of the code has no edge.
#[derive(Clone, Debug)]
pub struct Cfg {
    blocks: Vec<Block>,
    successors: Vec<Edge>,
    predecessors: Vec<Edge>,
    /// The block that each label begins.
    labels: Vec<Option<BlockId>>,
    /// Whether control may enter each block.
    reachable: Vec<bool>,
    /// Whether control may return from each subroutine, by its number.
    returns: Vec<bool>,
}

/// The index of a basic block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl BlockId {
    /// The entry of the routine.
    pub const ENTRY: BlockId = BlockId(0);

    /// Returns the index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A basic block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// The indexes of its instructions. Empty for the block through which a subroutine returns.
    pub instructions: Range<usize>,
    /// The label or subroutine that it begins with.
    pub label: Option<LabelId>,
    /// The number of its subroutine in the order of the code, from 1; 0 for blocks of the main part.
    pub subroutine: u32,
    successors: Range<usize>,
    predecessors: Range<usize>,
}

impl Block {
    /// Returns its last instruction; `None` if the block is empty.
    pub fn last<'i>(&self, instructions: &'i [Instruction]) -> Option<&'i Instruction> {
        instructions.get(self.instructions.clone())?.last()
    }

    fn new(instructions: Range<usize>, label: Option<LabelId>, subroutine: u32) -> Block {
        Block { instructions, label, subroutine, successors: 0..0, predecessors: 0..0 }
    }
}

/// An edge of the control-flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Edge {
    /// The block that control leaves.
    pub from: BlockId,
    /// The block that control enters.
    pub to: BlockId,
    /// The reason.
    pub kind: EdgeKind,
}

/// The reason for an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EdgeKind {
    /// Control continues with the next instruction.
    FallThrough,
    /// A JMP, GOTO or SWITCHJMP.
    Branch,
    /// A CALL.
    Call,
    /// A RET of a subroutine.
    Return,
}

impl Cfg {
    /// Returns the control-flow graph of the instructions of a routine. The time is linear in the
    /// number of instructions and labels.
    pub fn new(instructions: &[Instruction]) -> Cfg {
        let mut cfg = Cfg {
            blocks: blocks(instructions),
            successors: Vec::new(),
            predecessors: Vec::new(),
            labels: Vec::new(),
            reachable: Vec::new(),
            returns: Vec::new(),
        };
        for (index, block) in cfg.blocks.iter().enumerate() {
            let Some(label) = block.label else { continue };
            let number = usize::from(label.0);
            if cfg.labels.len() <= number {
                cfg.labels.resize(number + 1, None);
            }
            cfg.labels[number].get_or_insert(BlockId(index as u32));
        }
        let edges = cfg.edges(instructions);
        cfg.link(edges);
        cfg.find_reachable();
        cfg
    }

    /// Returns the blocks in the order of the code.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the block that begins with a label.
    pub fn block_of_label(&self, label: LabelId) -> Option<BlockId> {
        self.labels.get(usize::from(label.0)).copied().flatten()
    }

    /// Returns the block of an instruction.
    pub fn block_of(&self, instruction: usize) -> Option<BlockId> {
        let index = self.blocks.partition_point(|block| block.instructions.end <= instruction);
        (index < self.blocks.len()).then_some(BlockId(index as u32))
    }

    /// Returns the edges that leave a block. A block that branches to a label twice has one edge to
    /// it.
    pub fn successors(&self, block: BlockId) -> &[Edge] {
        self.blocks
            .get(block.index())
            .map_or(&[], |block| &self.successors[block.successors.clone()])
    }

    /// Returns the edges that enter a block.
    pub fn predecessors(&self, block: BlockId) -> &[Edge] {
        self.blocks
            .get(block.index())
            .map_or(&[], |block| &self.predecessors[block.predecessors.clone()])
    }

    /// Returns whether control may enter a block. Control returns from a subroutine only to calls
    /// that are reachable, and only if a RET of the subroutine is reachable.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.reachable.get(block.index()).copied().unwrap_or(false)
    }

    /// Returns the blocks of each part of the code: the main part, and the subroutines in the order of
    /// the code.
    pub fn parts(&self) -> impl Iterator<Item = Range<BlockId>> + '_ {
        let count = self.blocks.last().map_or(0, |block| block.subroutine + 1);
        let start_of = |part: u32| {
            BlockId(self.blocks.partition_point(|block| block.subroutine < part) as u32)
        };
        (0..count).map(move |part| start_of(part)..start_of(part + 1))
    }

    /// Returns the blocks that control enters next, where a call of a subroutine may enter the
    /// subroutine, and may continue after it if the subroutine returns. In contrast to
    /// [`successors`](Self::successors), there is no path that enters a subroutine by one call and
    /// leaves it by another.
    fn flow(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let edges = self.successors(block).iter().filter(|edge| self.is_local(edge));
        edges.map(|edge| edge.to).chain(self.continuation(block))
    }

    /// Returns the blocks from which control [flows](Self::flow) to a block.
    fn reverse_flow(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        let edges = self.predecessors(block).iter().filter(|edge| self.is_local(edge));
        let previous = (0..block.0).rev().map(BlockId).find(|previous| !self.is_empty(*previous));
        let call = previous.filter(|previous| self.continuation(*previous) == Some(block));
        edges.map(|edge| edge.from).chain(call)
    }

    /// Returns whether an edge is not a return to the block after a call.
    fn is_local(&self, edge: &Edge) -> bool {
        edge.kind != EdgeKind::Return || self.is_empty(edge.to)
    }

    /// Returns the block after a call of a subroutine that is not predicated, if the subroutine
    /// returns.
    fn continuation(&self, block: BlockId) -> Option<BlockId> {
        // Call edges are the last ones.
        let call = self.successors(block).last().filter(|edge| edge.kind == EdgeKind::Call)?;
        let callee = self.blocks[call.to.index()].subroutine as usize;
        let is_certain = self.successors(block).len() == 1;
        if is_certain && self.returns.get(callee).copied()? { self.next(block) } else { None }
    }

    fn is_empty(&self, block: BlockId) -> bool {
        self.blocks[block.index()].instructions.is_empty()
    }

    /// Sets `reachable` and `returns`.
    fn find_reachable(&mut self) {
        let parts = self.blocks.last().map_or(0, |block| block.subroutine as usize + 1);
        self.reachable = vec![false; self.blocks.len()];
        self.returns = vec![false; parts];
        // The blocks after reachable calls, by the subroutine that has not returned yet.
        let mut waiting: Vec<Vec<BlockId>> = vec![Vec::new(); parts];
        let mut stack = Vec::new();
        stack.extend(self.blocks.first().map(|_| BlockId::ENTRY));
        while let Some(block) = stack.pop() {
            if core::mem::replace(&mut self.reachable[block.index()], true) {
                continue;
            }
            stack.extend(self.flow(block));
            let next = self.next(block);
            let edges = self.blocks[block.index()].successors.clone();
            for edge in &self.successors[edges] {
                let part = match edge.kind {
                    EdgeKind::Call => self.blocks[edge.to.index()].subroutine as usize,
                    EdgeKind::Return => self.blocks[block.index()].subroutine as usize,
                    _ => continue,
                };
                if edge.kind == EdgeKind::Call {
                    waiting[part].extend(next);
                } else if !core::mem::replace(&mut self.returns[part], true) {
                    stack.append(&mut waiting[part]);
                }
            }
        }
    }

    /// Returns whether the routine may end after a block: at RET in the main part, FRET, a raw send
    /// with EOT or a call that does not return, with or without a predicate, or because no edge
    /// leaves the block.
    pub fn may_end(&self, block: BlockId, instructions: &[Instruction]) -> bool {
        let Some(facts) = self.blocks.get(block.index()) else { return false };
        let ends = facts.last(instructions).is_some_and(|last| match last {
            Instruction::Jmp(_) | Instruction::Goto(_) | Instruction::SwitchJmp(_) => false,
            Instruction::Ret(_) => facts.subroutine == 0,
            _ => last.ends_block(),
        });
        ends || self.successors(block).is_empty()
    }

    /// Returns all edges in the order of the blocks that they leave.
    fn edges(&self, instructions: &[Instruction]) -> Vec<Edge> {
        let parts = self.blocks.last().map_or(0, |block| block.subroutine as usize + 1);
        // The blocks after the calls of each subroutine, and the blocks through which they return.
        let mut targets: Vec<Vec<BlockId>> = vec![Vec::new(); parts];
        let mut exits: Vec<Option<BlockId>> = vec![None; parts];
        for (index, block) in self.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            match block.last(instructions) {
                Some(Instruction::Call(call)) => {
                    if let (Some(callee), Some(next)) =
                        (self.block_of_label(call.label), self.next(id))
                    {
                        targets[self.blocks[callee.index()].subroutine as usize].push(next);
                    }
                }
                Some(_) => {}
                None => exits[block.subroutine as usize] = Some(id),
            }
        }
        let mut edges: Vec<Edge> = Vec::with_capacity(self.blocks.len() * 2);
        for (index, block) in self.blocks.iter().enumerate() {
            let from = BlockId(index as u32);
            let part = block.subroutine as usize;
            let returns = |edges: &mut Vec<Edge>| {
                let kind = EdgeKind::Return;
                edges.extend(targets[part].iter().map(|to| Edge { from, to: *to, kind }));
            };
            let Some(last) = block.last(instructions) else {
                returns(&mut edges);
                continue;
            };
            let first = edges.len();
            // A SWITCHJMP has few labels.
            let mut add = |to: Option<BlockId>, kind| {
                let Some(to) = to else { return };
                if edges[first..].iter().all(|edge| edge.to != to) {
                    edges.push(Edge { from, to, kind });
                }
            };
            let callee = match last {
                Instruction::Call(call) => self.block_of_label(call.label),
                _ => None,
            };
            let is_certain_call =
                matches!(last, Instruction::Call(call) if callee.is_some() && call.pred.is_none());
            let next = self.next(from);
            if last.falls_through() && !is_certain_call && (callee.is_none() || callee != next) {
                add(next, EdgeKind::FallThrough);
            }
            match last {
                Instruction::Jmp(jump) => add(self.block_of_label(jump.label), EdgeKind::Branch),
                Instruction::Goto(jump) => add(self.block_of_label(jump.label), EdgeKind::Branch),
                Instruction::SwitchJmp(jump) => {
                    for label in jump.labels.iter() {
                        add(self.block_of_label(*label), EdgeKind::Branch);
                    }
                }
                Instruction::Call(_) => add(callee, EdgeKind::Call),
                // RET in the main part ends the routine.
                Instruction::Ret(_) if part > 0 => match exits[part] {
                    Some(exit) => add(Some(exit), EdgeKind::Return),
                    None => returns(&mut edges),
                },
                _ => {}
            }
        }
        edges
    }

    /// Returns the block of the next instruction.
    fn next(&self, block: BlockId) -> Option<BlockId> {
        let mut after = (block.index() + 1..self.blocks.len()).map(|index| BlockId(index as u32));
        after.find(|next| !self.is_empty(*next))
    }

    /// Sets the edges of all blocks.
    fn link(&mut self, edges: Vec<Edge>) {
        let mut counts = vec![0usize; self.blocks.len() + 1];
        for edge in &edges {
            counts[edge.to.index() + 1] += 1;
        }
        for index in 1..counts.len() {
            counts[index] += counts[index - 1];
        }
        let mut next = counts.clone();
        let mut predecessors = edges.clone();
        for edge in &edges {
            let at = &mut next[edge.to.index()];
            predecessors[*at] = *edge;
            *at += 1;
        }
        let mut start = 0;
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let end =
                start + edges[start..].iter().take_while(|edge| edge.from.index() == index).count();
            block.successors = start..end;
            block.predecessors = counts[index]..counts[index + 1];
            start = end;
        }
        self.successors = edges;
        self.predecessors = predecessors;
    }
}

/// Returns the blocks without edges.
fn blocks(instructions: &[Instruction]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    // Whether there is code, so that the next SUBROUTINE ends the main part.
    let mut is_started = false;
    let mut subroutine = 0;
    // The number of RETs of the current subroutine.
    let mut returns = 0usize;
    let end_part = |blocks: &mut Vec<Block>, end: usize, subroutine: u32, returns: usize| {
        let last = end.checked_sub(1).and_then(|last| instructions.get(last));
        let is_at_end = matches!(last, Some(Instruction::Ret(ret)) if ret.pred.is_none());
        if subroutine > 0 && returns > usize::from(is_at_end) {
            blocks.push(Block::new(end..end, None, subroutine));
        }
    };
    for (index, instruction) in instructions.iter().enumerate() {
        let label = match instruction {
            Instruction::Label(label) => Some(label.label),
            Instruction::Subroutine(label) => {
                if is_started {
                    end_part(&mut blocks, index, subroutine, returns);
                    subroutine += 1;
                    returns = 0;
                }
                Some(label.label)
            }
            _ => None,
        };
        match blocks.last_mut().filter(|_| is_open && label.is_none()) {
            Some(block) => block.instructions.end = index + 1,
            None => blocks.push(Block::new(index..index + 1, label, subroutine)),
        }
        is_started |= !matches!(instruction, Instruction::File(_) | Instruction::Loc(_));
        returns += usize::from(matches!(instruction, Instruction::Ret(_)));
        is_open = !(instruction.ends_block() || is_call(instruction));
    }
    end_part(&mut blocks, instructions.len(), subroutine, returns);
    blocks
}

fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Call(_) | Instruction::Fcall(_) | Instruction::Ifcall(_))
}
