//! The control flow of routines as JSON.

use genvisa::analysis::{BlockId, EdgeKind, LoopId};
use serde::Serialize;
use serde_json::{Value, json};

use super::Graph;
use super::view::{Collapse, View};
use crate::output::definitions::{
    Block, File, InstructionIndex, Loop, Pressure, RoutineKind, RoutineName, Size,
};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Routine<'g> {
    file: File<'g>,
    kind: RoutineKind,
    routine: RoutineName,
    register_bytes: Size,
    /// The first instruction before which the most registers are live.
    peak: Option<Pressure>,
    /// The blocks, or those of the part that the user selects.
    blocks: Vec<BasicBlock<'g>>,
    /// The edges of these blocks. With a part, one of the two blocks may be outside of it.
    edges: Vec<Edge<'g>>,
    loops: Vec<LoopOfBlocks>,
    /// The blocks of each cycle with several entries.
    irreducible: Vec<Vec<Block>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct BasicBlock<'g> {
    block: Block,
    label: Option<&'g str>,
    /// The first block of the straight chain that contains the block.
    chain: Block,
    /// The first block of the straight chain that contains the block if conditionals without loops count
    /// as straight.
    region: Block,
    /// The index of the first instruction.
    first: InstructionIndex,
    /// The text of each instruction.
    instructions: &'g [String],
    /// The number of registers that are live before each instruction.
    registers: Vec<u32>,
    /// The index of the subroutine, or 0 for the main program.
    subroutine: u32,
    /// The innermost loop that contains the block.
    r#loop: Option<Loop>,
    is_reachable: bool,
    /// Whether some lanes of a thread may be inactive.
    is_divergent: bool,
    /// Whether the routine may end after the block.
    may_end: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Edge<'g> {
    from: Block,
    to: Block,
    #[cfg_attr(test, schemars(extend("enum" = ["fall_through", "branch", "call", "return"])))]
    kind: &'static str,
    /// The predicate, in parentheses.
    condition: Option<&'g str>,
    is_back_edge: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct LoopOfBlocks {
    header: Block,
    /// The loop that contains it.
    parent: Option<Loop>,
    depth: u32,
    /// The origin and the header of each back edge.
    back_edges: Vec<[Block; 2]>,
}

impl Graph {
    /// Returns the graph as JSON.
    pub fn json(&self, file: &str) -> Value {
        let cfg = &self.analysis.cfg;
        let liveness = &self.analysis.liveness;
        let is_drawn = |edge: &&genvisa::analysis::Edge| {
            self.view.contains(edge.from) || self.view.contains(edge.to)
        };
        let edges = self.blocks().flat_map(|(id, _)| cfg.successors(id)).filter(is_drawn);
        let [chains, regions] = [Collapse::Chains, Collapse::Branches].map(|what| {
            let mut view = self.view.clone();
            view.collapse(what, cfg, &self.loops);
            view
        });
        let blocks = self.view.blocks().map(|id| self.block_json(id, &chains, &regions));
        let loops = (0..).map(LoopId).zip(self.loops.loops()).map(|(id, found)| {
            let back_edges = self.loops.back_edges(id).iter();
            LoopOfBlocks {
                header: Block(found.header.0),
                parent: found.parent.map(|parent| Loop(parent.0)),
                depth: found.depth,
                back_edges: back_edges.map(|(from, to)| [Block(from.0), Block(to.0)]).collect(),
            }
        });
        let irreducible = self.loops.irreducible();
        json!(Routine {
            file: File(file),
            kind: RoutineKind(self.kind.to_string()),
            routine: RoutineName(self.name.clone()),
            register_bytes: Size(self.analysis.storage.registers().bytes().into()),
            peak: liveness.peak().map(|(at, peak)| Pressure::new(at, &peak)),
            blocks: blocks.collect(),
            edges: edges.map(|edge| self.edge_json(edge)).collect(),
            loops: loops.collect(),
            irreducible: irreducible
                .map(|cycle| cycle.iter().map(|block| Block(block.0)).collect())
                .collect(),
        })
    }

    fn block_json(&self, id: BlockId, chains: &View, regions: &View) -> BasicBlock<'_> {
        let (cfg, block) = (&self.analysis.cfg, self.block(id));
        let range = block.instructions.clone();
        let registers = self.analysis.liveness.pressure().get(range.clone()).unwrap_or_default();
        BasicBlock {
            block: Block(id.0),
            label: self.labels[id.index()].as_deref(),
            chain: Block(chains.head(id).0),
            region: Block(regions.head(id).0),
            first: InstructionIndex(range.start),
            instructions: self.instructions.get(range).unwrap_or_default(),
            registers: registers.iter().map(|at| at.registers).collect(),
            subroutine: block.subroutine,
            r#loop: self.loops.innermost(id).map(|id| Loop(id.0)),
            is_reachable: cfg.is_reachable(id),
            is_divergent: cfg.is_reachable(id) && self.analysis.divergence.is_divergent(id),
            may_end: cfg.may_end(id, &self.analysis.instructions),
        }
    }

    fn edge_json(&self, edge: &genvisa::analysis::Edge) -> Edge<'_> {
        Edge {
            from: Block(edge.from.0),
            to: Block(edge.to.0),
            kind: match edge.kind {
                EdgeKind::FallThrough => "fall_through",
                EdgeKind::Branch => "branch",
                EdgeKind::Call => "call",
                EdgeKind::Return => "return",
                _ => "other",
            },
            condition: self.condition(edge),
            is_back_edge: self.is_back_edge(edge),
        }
    }
}
