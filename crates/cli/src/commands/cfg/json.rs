//! The control flow of routines as JSON.

use genvisa::analysis::{Block, BlockId, Edge, EdgeKind, LoopId, Pressure};
use serde_json::{Value, json};

use super::Graph;

impl Graph {
    /// Returns the graph as JSON.
    pub fn json(&self, file: &str) -> Value {
        let cfg = &self.analysis.cfg;
        let liveness = &self.analysis.liveness;
        let peak = liveness.peak().map(|(at, peak)| {
            let mut value = pressure(peak);
            value["instruction"] = json!(at);
            value
        });
        let edges = self.blocks().flat_map(|(id, _)| cfg.successors(id));
        let loops = (0..).map(LoopId).zip(self.loops.loops()).map(|(id, found)| {
            let back_edges = self.loops.back_edges(id).iter();
            json!({
                "header": found.header.0,
                "parent": found.parent.map(|parent| parent.0),
                "depth": found.depth,
                "back_edges": back_edges.map(|(from, to)| [from.0, to.0]).collect::<Vec<_>>(),
            })
        });
        let irreducible = self.loops.irreducible();
        json!({
            "file": file,
            "kind": self.kind.to_string(),
            "routine": self.name,
            "register_bytes": self.analysis.storage.registers().bytes(),
            "peak": peak,
            "blocks": self.blocks().map(|(id, block)| self.block_json(id, block)).collect::<Vec<_>>(),
            "edges": edges.map(|edge| self.edge_json(edge)).collect::<Vec<_>>(),
            "loops": loops.collect::<Vec<_>>(),
            "irreducible": irreducible
                .map(|cycle| cycle.iter().map(|block| block.0).collect::<Vec<_>>())
                .collect::<Vec<_>>(),
        })
    }

    fn block_json(&self, id: BlockId, block: &Block) -> Value {
        let cfg = &self.analysis.cfg;
        let range = block.instructions.clone();
        let registers = self.analysis.liveness.pressure().get(range.clone()).unwrap_or_default();
        json!({
            "block": id.0,
            "label": self.labels[id.index()],
            "first": range.start,
            "instructions": self.instructions.get(range).unwrap_or_default(),
            "registers": registers.iter().map(|at| at.registers).collect::<Vec<_>>(),
            "subroutine": block.subroutine,
            "loop": self.loops.innermost(id).map(|id| id.0),
            "is_reachable": cfg.is_reachable(id),
            "is_divergent": cfg.is_reachable(id) && self.analysis.divergence.is_divergent(id),
            "may_end": cfg.may_end(id, &self.analysis.instructions),
        })
    }

    fn edge_json(&self, edge: &Edge) -> Value {
        json!({
            "from": edge.from.0,
            "to": edge.to.0,
            "kind": match edge.kind {
                EdgeKind::FallThrough => "fall_through",
                EdgeKind::Branch => "branch",
                EdgeKind::Call => "call",
                EdgeKind::Return => "return",
                _ => "other",
            },
            "condition": self.condition(edge),
            "is_back_edge": self.is_back_edge(edge),
        })
    }
}

fn pressure(pressure: Pressure) -> Value {
    json!({
        "registers": pressure.registers,
        "bytes": pressure.bytes,
        "address_bytes": pressure.address_bytes,
        "predicate_bits": pressure.predicate_bits,
    })
}
