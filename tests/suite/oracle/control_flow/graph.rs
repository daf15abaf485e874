//! Graphs whose nodes are sets of blocks, for comparison.

use std::collections::BTreeSet;

/// The nodes and edges of a graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The blocks of each node.
    pub nodes: Vec<BTreeSet<usize>>,
    pub edges: BTreeSet<(usize, usize)>,
}

impl Graph {
    /// Removes nodes all of whose blocks match, and their edges.
    pub fn remove(&mut self, matches: impl Fn(&usize) -> bool) {
        let is_removed: Vec<bool> =
            self.nodes.iter().map(|node| !node.is_empty() && node.iter().all(&matches)).collect();
        self.edges.retain(|(from, to)| !is_removed[*from] && !is_removed[*to]);
        for (node, _) in self.nodes.iter_mut().zip(is_removed).filter(|(_, removed)| *removed) {
            node.clear();
        }
    }

    /// Removes nodes without blocks, and connects the nodes before them with the nodes after them.
    pub fn without_empty_nodes(mut self) -> Graph {
        for node in (0..self.nodes.len()).filter(|node| self.nodes[*node].is_empty()) {
            let (of_node, mut edges): (BTreeSet<_>, BTreeSet<_>) =
                self.edges.iter().partition(|(from, to)| *from == node || *to == node);
            for (before, _) in of_node.iter().filter(|(from, to)| *to == node && *from != node) {
                let after = of_node.iter().filter(|(from, to)| *from == node && *to != node);
                edges.extend(after.map(|(_, to)| (*before, *to)));
            }
            self.edges = edges;
        }
        self
    }

    /// Joins nodes where the second is the only successor of the first, which is its only predecessor.
    pub fn joined(mut self) -> Graph {
        while let Some((from, to)) = self.edges.iter().copied().find(|(from, to)| {
            let around = |node| self.edges.iter().filter(move |(a, b)| *a == node || *b == node);
            from != to
                && around(*from).filter(|(a, _)| a == from).count() == 1
                && around(*to).filter(|(_, b)| b == to).count() == 1
        }) {
            let blocks = std::mem::take(&mut self.nodes[to]);
            self.nodes[from].extend(blocks);
            self.edges.remove(&(from, to));
            self.edges = (self.edges.into_iter())
                .map(|(a, b)| (if a == to { from } else { a }, b))
                .collect();
        }
        self
    }

    /// Returns the differences from another graph. The names of blocks are used in them.
    pub fn differences(&self, other: &Graph, name: impl Fn(usize) -> String) -> Vec<String> {
        let name = |node: &BTreeSet<usize>| {
            node.iter().map(|block| name(*block)).collect::<Vec<_>>().join("+")
        };
        let nodes = |graph: &Graph| -> BTreeSet<String> {
            graph.nodes.iter().filter(|node| !node.is_empty()).map(name).collect()
        };
        let edges = |graph: &Graph| -> BTreeSet<String> {
            let edge = |(from, to): &(usize, usize)| {
                format!("{} -> {}", name(&graph.nodes[*from]), name(&graph.nodes[*to]))
            };
            graph.edges.iter().map(edge).collect()
        };
        let mut differences = Vec::new();
        for (what, ours, theirs) in
            [("block", nodes(self), nodes(other)), ("edge", edges(self), edges(other))]
        {
            differences.extend(ours.difference(&theirs).map(|item| format!("no {what} {item}")));
            differences.extend(theirs.difference(&ours).map(|item| format!("a {what} {item}")));
        }
        differences
    }
}
