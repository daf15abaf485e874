//! The control-flow graph of a routine.

mod divergence;

pub use divergence::{Divergence, Wait};

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
/// A call of a subroutine has an edge to it, and each RET of the subroutine has edges to the blocks
/// after its calls. Calls of functions have an edge to the next block only. RET outside of
/// subroutines and FRET end the routine. An edge to a label that is not defined is omitted.
#[derive(Clone, Debug)]
pub struct Cfg {
    blocks: Vec<Block>,
    successors: Vec<Edge>,
    predecessors: Vec<Edge>,
    /// The block that each label begins.
    labels: Vec<Option<BlockId>>,
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
    /// The indexes of its instructions.
    pub instructions: Range<usize>,
    /// The label or subroutine that it begins with.
    pub label: Option<LabelId>,
    /// The number of SUBROUTINE instructions up to its start: 0 for blocks of the main part.
    pub subroutine: u32,
    successors: Range<usize>,
    predecessors: Range<usize>,
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
    /// number of instructions and edges.
    pub fn new(instructions: &[Instruction]) -> Cfg {
        let mut cfg = Cfg {
            blocks: blocks(instructions),
            successors: Vec::new(),
            predecessors: Vec::new(),
            labels: Vec::new(),
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
        &self.successors[self.blocks[block.index()].successors.clone()]
    }

    /// Returns the edges that enter a block.
    pub fn predecessors(&self, block: BlockId) -> &[Edge] {
        &self.predecessors[self.blocks[block.index()].predecessors.clone()]
    }

    /// Returns all edges in the order of the blocks that they leave.
    fn edges(&self, instructions: &[Instruction]) -> Vec<Edge> {
        // The blocks after the calls of each subroutine, by the number of the subroutine.
        let count = self.blocks.last().map_or(0, |block| block.subroutine as usize + 1);
        let mut returns: Vec<Vec<BlockId>> = vec![Vec::new(); count];
        for (index, block) in self.blocks.iter().enumerate() {
            let Some(Instruction::Call(call)) = instructions.get(block.instructions.end - 1) else {
                continue;
            };
            if let (Some(callee), Some(next)) =
                (self.block_of_label(call.label), self.next(BlockId(index as u32)))
            {
                returns[self.blocks[callee.index()].subroutine as usize].push(next);
            }
        }
        let mut edges: Vec<Edge> = Vec::with_capacity(self.blocks.len() * 2);
        for (index, block) in self.blocks.iter().enumerate() {
            let from = BlockId(index as u32);
            let first = edges.len();
            let mut add = |to: Option<BlockId>, kind| {
                let Some(to) = to else { return };
                if edges[first..].iter().all(|edge| edge.to != to) {
                    edges.push(Edge { from, to, kind });
                }
            };
            let last = &instructions[block.instructions.end - 1];
            let callee = match last {
                Instruction::Call(call) => self.block_of_label(call.label),
                _ => None,
            };
            let is_certain_call =
                matches!(last, Instruction::Call(call) if callee.is_some() && call.pred.is_none());
            if last.falls_through() && !is_certain_call {
                add(self.next(from), EdgeKind::FallThrough);
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
                Instruction::Ret(_) => {
                    for to in &returns[block.subroutine as usize] {
                        add(Some(*to), EdgeKind::Return);
                    }
                }
                _ => {}
            }
        }
        edges
    }

    fn next(&self, block: BlockId) -> Option<BlockId> {
        (block.index() + 1 < self.blocks.len()).then_some(BlockId(block.0 + 1))
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
    let mut subroutine = 0;
    for (index, instruction) in instructions.iter().enumerate() {
        let label = match instruction {
            Instruction::Label(label) => Some(label.label),
            Instruction::Subroutine(label) => {
                subroutine += 1;
                Some(label.label)
            }
            _ => None,
        };
        match blocks.last_mut().filter(|_| is_open && label.is_none()) {
            Some(block) => block.instructions.end = index + 1,
            None => blocks.push(Block {
                instructions: index..index + 1,
                label,
                subroutine,
                successors: 0..0,
                predecessors: 0..0,
            }),
        }
        is_open = !(instruction.ends_block() || is_call(instruction));
    }
    blocks
}

fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::Call(_) | Instruction::Fcall(_) | Instruction::Ifcall(_))
}
