//! The blocks of routines as a graph for Graphviz.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use genvisa::analysis::{BlockId, Edge, EdgeKind, LoopId};
use genvisa::isa::Instruction;

use super::Graph;
use crate::words::{count, shortened};

/// The number of characters of an instruction.
const COLUMNS: usize = 76;

const FONT: &str = "fontname=\"monospace\" fontsize=10";
const GREY: &str = "#6b7280";

/// Adds a routine to a drawing. The first one begins the drawing.
pub fn print(graph: &Graph, number: usize, has_frame: bool, lines: usize, out: &mut String) {
    // Writing to a string never fails.
    if number == 0 {
        let _ = begin(out);
    }
    let frame = if has_frame { "#d1d5db" } else { "transparent" };
    let _ = Cluster { graph, number, lines, frame, out }.routine();
}

fn begin(out: &mut String) -> std::fmt::Result {
    writeln!(out, "digraph cfg {{")?;
    writeln!(out, "  graph [bgcolor=\"white\" {FONT} ranksep=0.4 nodesep=0.35]")?;
    writeln!(out, "  node [shape=plain {FONT}]")?;
    writeln!(out, "  edge [{FONT} fontcolor=\"{GREY}\" color=\"#374151\" arrowsize=0.7]")
}

/// Ends a drawing.
pub fn end(out: &mut String) {
    out.push_str("}\n");
}

/// A routine that is printed as a cluster.
struct Cluster<'g, 'o> {
    graph: &'g Graph,
    number: usize,
    lines: usize,
    /// The color of the frame.
    frame: &'static str,
    out: &'o mut String,
}

impl Cluster<'_, '_> {
    fn routine(&mut self) -> std::fmt::Result {
        let (graph, number) = (self.graph, self.number);
        let size = graph.analysis.storage.registers().bytes();
        let at = graph.analysis.liveness.peak().map_or(0, |(at, _)| at);
        let (kind, name) = (graph.kind, escaped(&shortened(&graph.name, COLUMNS)));
        let part = graph.view.part.as_ref().map(|part| shortened(&format!(", {part}"), COLUMNS));
        let part = escaped(&part.unwrap_or_default());
        writeln!(self.out, "  subgraph cluster_r{number} {{")?;
        writeln!(
            self.out,
            "    label=<<B>{kind} {name}{part}</B>: peak of {} {size}-byte registers before ${at}>",
            graph.peak
        )?;
        writeln!(self.out, "    labeljust=l color=\"{}\" margin=12", self.frame)?;
        self.blocks()?;
        for id in graph.view.neighbors(&graph.analysis.cfg) {
            self.neighbor(id)?;
        }
        self.edges()?;
        writeln!(self.out, "  }}")
    }

    /// Prints the edges of the blocks that are drawn, once between two boxes.
    fn edges(&mut self) -> std::fmt::Result {
        let (graph, view) = (self.graph, &self.graph.view);
        let key = |edge: &Edge| (view.head(edge.from), view.head(edge.to), edge.kind as u8);
        let is_drawn = |edge: &&Edge| {
            let is_inside = view.head(edge.from) == view.head(edge.to) && edge.from != edge.to;
            (view.contains(edge.from) || view.contains(edge.to))
                && (!is_inside || graph.is_back_edge(edge))
        };
        let mut counts: BTreeMap<_, u32> = BTreeMap::new();
        let all = graph.blocks().flat_map(|(id, _)| graph.analysis.cfg.successors(id));
        for edge in all.filter(is_drawn) {
            *counts.entry(key(edge)).or_default() += 1;
        }
        for (id, _) in graph.blocks() {
            for edge in graph.analysis.cfg.successors(id).iter().filter(is_drawn) {
                if let Some(count) = counts.remove(&key(edge)) {
                    self.edge(edge, count == 1)?;
                }
            }
            let after =
                graph.after_call(id).filter(|after| view.contains(id) && view.contains(*after));
            if let Some(after) = after {
                let style = format!("style=dotted color=\"{GREY}\" arrowhead=none weight=10");
                self.arrow(id, after, &style)?;
            }
        }
        let mut seen = BTreeSet::new();
        for (from, to) in graph.analysis.divergence.resumptions() {
            let boxes = (view.head(*from), view.head(*to));
            if view.contains(*from)
                && view.contains(*to)
                && boxes.0 != boxes.1
                && seen.insert(boxes)
            {
                let tip = "tooltip=\"lanes that wait continue\"";
                let style = format!("style=dotted color=\"{GREY}\" constraint=false {tip}");
                self.arrow(*from, *to, &style)?;
            }
        }
        Ok(())
    }

    /// Prints a block outside of the part that is drawn.
    fn neighbor(&mut self, id: BlockId) -> std::fmt::Result {
        let name = escaped(&shortened(&self.graph.block_name(id), COLUMNS));
        writeln!(
            self.out,
            "    r{}b{} [label=<{name}> shape=box style=dashed color=\"{GREY}\" fontcolor=\"{GREY}\"]",
            self.number, id.0
        )
    }

    /// Prints the blocks, in clusters for subroutines and loops.
    fn blocks(&mut self) -> std::fmt::Result {
        let (graph, loops) = (self.graph, self.graph.loops.loops());
        // The loop of whose cluster the loop is part, and its subroutine. Parents come first.
        let mut clusters: Vec<(u32, LoopId)> = Vec::with_capacity(loops.len());
        for (id, found) in (0..).map(LoopId).zip(loops) {
            let (part, parent) = match found.parent {
                Some(parent) => clusters[parent.index()],
                None => (graph.block(found.header).subroutine, id),
            };
            clusters.push((part, if found.depth <= MAX_DEPTH { id } else { parent }));
        }
        let mut order: Vec<(u32, Option<LoopId>, BlockId, Vec<BlockId>)> = graph
            .view
            .boxes()
            .into_iter()
            .map(|(id, blocks)| match graph.loops.innermost(id) {
                Some(inner) => {
                    let (part, cluster) = clusters[inner.index()];
                    (part, Some(cluster), id, blocks)
                }
                None => (graph.block(id).subroutine, None, id, blocks),
            })
            .collect();
        order.sort_unstable();
        let mut open: Vec<LoopId> = Vec::new();
        let mut part = 0;
        for (block_part, cluster, id, blocks) in order {
            let header = cluster.map(|cluster| loops[cluster.index()].header);
            let is_inside =
                |outer: LoopId| header.is_some_and(|header| graph.loops.contains(outer, header));
            while open.last().is_some_and(|last| block_part != part || !is_inside(*last)) {
                open.pop();
                writeln!(self.out, "    }}")?;
            }
            if block_part != part {
                if part > 0 {
                    writeln!(self.out, "    }}")?;
                }
                part = block_part;
                self.open_subroutine(part, id)?;
            }
            if let Some(cluster) = cluster.filter(|cluster| open.last() != Some(cluster)) {
                open.push(cluster);
                self.open_loop(cluster)?;
            }
            self.node(id, &blocks)?;
        }
        for _ in 0..open.len() + usize::from(part > 0) {
            writeln!(self.out, "    }}")?;
        }
        Ok(())
    }

    fn open_subroutine(&mut self, part: u32, first: BlockId) -> std::fmt::Result {
        let number = self.number;
        let name = self.label(first).unwrap_or_default();
        writeln!(self.out, "    subgraph cluster_r{number}_s{part} {{")?;
        writeln!(self.out, "    label=<subroutine {name}> style=dashed color=\"{GREY}\"")
    }

    fn open_loop(&mut self, id: LoopId) -> std::fmt::Result {
        /// The colors of loops by their depth.
        const FILLS: [&str; 4] = ["#eef4fb", "#dbe8f6", "#c8dcf1", "#b5d0ec"];
        let (number, found) = (self.number, &self.graph.loops.loops()[id.index()]);
        let fill = FILLS[(found.depth as usize - 1).min(FILLS.len() - 1)];
        let name = self.label(found.header).unwrap_or_default();
        writeln!(self.out, "    subgraph cluster_r{number}_l{} {{", id.0)?;
        writeln!(
            self.out,
            "    label=<loop {name}> style=\"rounded,filled\" fillcolor=\"{fill}\" \
             color=\"#9db7d5\" fontcolor=\"#41608a\""
        )
    }

    /// Returns the label of a block, escaped.
    fn label(&self, id: BlockId) -> Option<String> {
        self.graph.labels[id.index()].as_ref().map(|label| escaped(&shortened(label, COLUMNS)))
    }

    /// Prints a box with these blocks.
    fn node(&mut self, id: BlockId, blocks: &[BlockId]) -> std::fmt::Result {
        let (graph, number) = (self.graph, self.number);
        let is_reachable = graph.analysis.cfg.is_reachable(id);
        let border = if is_reachable { "#374151" } else { "#b0b5bd" };
        let style = if is_reachable { "" } else { " STYLE=\"dashed\"" };
        write!(
            self.out,
            "    r{number}b{} [label=<<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" \
             CELLPADDING=\"4\" COLOR=\"{border}\"{style} BGCOLOR=\"white\">",
            id.0
        )?;
        let pressure = graph.pressure(blocks);
        let mut facts = vec![format!("B{}", id.0)];
        facts.extend(self.label(id).map(|label| format!("<B>{label}</B>")));
        if blocks.len() > 1 {
            facts.push(count(blocks.len(), "block"));
        }
        let ranges = graph.ranges(blocks);
        let is_empty = ranges.is_empty();
        facts.extend(Some(ranges).filter(|_| !is_empty));
        if is_empty {
            facts.push("end of the subroutine".into());
        } else {
            facts.push(count(pressure as usize, "register"));
        }
        if !is_reachable {
            facts.push("<I>unreachable</I>".into());
        } else if graph.analysis.divergence.is_divergent(id) {
            facts.push("<I>divergent</I>".into());
        }
        let shade = shade(pressure, graph.peak);
        write!(
            self.out,
            "<TR><TD ALIGN=\"LEFT\" BGCOLOR=\"{shade}\">{}</TD></TR>",
            facts.join(" &#160;")
        )?;
        let color = if is_reachable { "#111827" } else { GREY };
        let mut body = String::new();
        for line in self.instructions(blocks) {
            // The line break belongs to the line before it.
            write!(body, "{}<BR ALIGN=\"LEFT\"/>", escaped(&line))?;
        }
        if !body.is_empty() {
            write!(
                self.out,
                "<TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\"><FONT COLOR=\"{color}\">{body}</FONT></TD></TR>"
            )?;
        }
        writeln!(self.out, "</TABLE>>]")
    }

    /// Returns the instructions of blocks: the first ones and the last one, if there are too many.
    fn instructions(&self, blocks: &[BlockId]) -> Vec<String> {
        let code = &self.graph.analysis.instructions;
        let is_line = |index: &usize| {
            use Instruction::{File, Label, Loc, Subroutine};
            !matches!(code[*index], Label(_) | Subroutine(_) | File(_) | Loc(_))
        };
        let all = blocks.iter().flat_map(|id| self.graph.block(*id).instructions.clone());
        let lines: Vec<usize> = all.filter(is_line).collect();
        let text = |index: &usize| shortened(&self.graph.instructions[*index], COLUMNS);
        // The note and the last instruction are always printed.
        let most = self.lines.max(2);
        let Some((last, first)) = lines.split_last().filter(|_| lines.len() > most) else {
            return lines.iter().map(text).collect();
        };
        let shown = most - 2;
        let omitted = format!("\u{2026} {} more", first.len() - shown);
        first[..shown].iter().map(text).chain([omitted, text(last)]).collect()
    }

    fn edge(&mut self, edge: &Edge, has_condition: bool) -> std::fmt::Result {
        let is_back = self.graph.is_back_edge(edge);
        let mut style = match edge.kind {
            EdgeKind::FallThrough => format!("color=\"{GREY}\" weight=8"),
            EdgeKind::Branch if is_back => "color=\"#1d4ed8\" penwidth=1.8".into(),
            EdgeKind::Branch => "color=\"#1d4ed8\"".to_string(),
            EdgeKind::Call => "color=\"#7c3aed\" style=dashed".into(),
            EdgeKind::Return => "color=\"#7c3aed\" style=dotted constraint=false".into(),
            _ => String::new(),
        };
        if let Some(condition) = self.graph.condition(edge).filter(|_| has_condition) {
            let condition = escaped(&shortened(condition, 24));
            // The spaces separate the text from the line.
            style += &format!(" label=< {condition} >");
        }
        if is_back {
            // The header is above the rest of the loop.
            return self.arrow(edge.to, edge.from, &(style + " dir=back"));
        }
        self.arrow(edge.from, edge.to, &style)
    }

    fn arrow(&mut self, from: BlockId, to: BlockId, style: &str) -> std::fmt::Result {
        let (number, view) = (self.number, &self.graph.view);
        let (from, to) = (view.head(from).0, view.head(to).0);
        writeln!(self.out, "    r{number}b{from} -> r{number}b{to} [{style}]")
    }
}

/// The depth of the innermost loops that are clusters.
const MAX_DEPTH: u32 = 12;

/// Returns a color between white and orange. It is the square of the part, so that blocks near the
/// peak differ.
fn shade(part: u32, whole: u32) -> String {
    const MOST: [u64; 3] = [0xf9, 0x9d, 0x4a];
    let (part, whole) = (u64::from(part.min(whole)), u64::from(whole.max(1)));
    let [r, g, b] = MOST.map(|most| 255 - (255 - most) * part * part / whole / whole);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns a text with the characters escaped that have a meaning in labels. Characters that XML does
/// not have are replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // Several spaces are kept.
            ' ' => escaped += if escaped.ends_with(' ') { "&#160;" } else { " " },
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
