//! `genvisa cfg`: draws the control flow of routines.

mod dot;
pub mod json;
/// Draw the control flow of the routines of a .isa or .visaasm file
///
/// Prints a graph for dot of Graphviz: a box for each basic block, with its instructions and the
/// largest number of registers that are live in it, shaded by that number; and a frame around
/// each loop. Blue arrows are branches, bold if they repeat a loop; violet ones are calls and
/// returns. If all lanes branch, a dotted grey arrow leads to the block where other lanes wait.
///
/// With --format tree, prints a line for each block.
///
/// Large routines are drawn in part (--loop, --range), or with fewer boxes (--collapse). Blocks
/// outside of the part that have an edge to it are dashed.
///
/// If a routine has an error, it is reported and the other routines are drawn. With --output,
/// nothing is written then.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa cfg tests/data/collatz.visaasm | dot -Tsvg -o collatz.svg
  genvisa cfg tests/data/collatz.visaasm --format tree
  genvisa cfg shader.isa --routine main --all -o main.dot
  genvisa cfg shader.isa --routine main --collapse=branches | dot -Tsvg -o main.svg
  genvisa cfg shader.isa --routine main --loop B12 --format tree")]
pub struct Cfg {
    /// A .isa or .visaasm file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write to this file, or to standard output with - [default: -]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw only the routine of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// Draw only the loop with this header: a label, or a block such as B12
    #[arg(long, value_name = "HEADER", conflicts_with = "range")]
    pub r#loop: Option<String>,
    /// Draw only the blocks of these instructions, by their numbers in the text of dis: 12-40, or
    /// one number
    #[arg(long, value_name = "FIRST-LAST", value_parser = InstructionRange::parse)]
    pub range: Option<InstructionRange>,
    /// Draw several blocks as one box: chains, or those of the value
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "chains",
        hide_default_value = true
    )]
    pub collapse: Option<Collapse>,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "dot", conflicts_with = "json")]
    pub format: CfgFormat,
    /// Print as JSON: short for --format json
    #[arg(long)]
    pub json: bool,
    #[arg(long, value_name = "N", help = lines_help())]
    pub lines: Option<usize>,
    /// Print all instructions, for --format dot
    #[arg(long, conflicts_with = "lines")]
    pub all: bool,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Cfg {
    /// Returns the number of instructions of a block that a drawing contains.
    pub fn max_lines(&self) -> usize {
        if self.all { usize::MAX } else { self.lines.unwrap_or(DEFAULT_LINES) }
    }

    /// Limits a graph to the part that the options select.
    fn select(&self, graph: &mut Graph) -> anyhow::Result<()> {
        if let Some(name) = &self.r#loop {
            graph.select_loop(name)?;
        }
        if let Some(range) = &self.range {
            graph.select_range(range)?;
        }
        if let Some(what) = self.collapse {
            graph.collapse(what);
        }
        Ok(())
    }
}

/// The default of `--lines`. It is not a default of the parser, so that [`Cfg::check`] can tell
/// whether the option is given.
const DEFAULT_LINES: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CfgFormat {
    /// A graph for Graphviz
    Dot,
    /// A line for each block, indented by loops
    Tree,
    /// JSON: a list of routines, with blocks, edges, loops and pressure
    Json,
}

impl Cfg {
    /// Returns the form of the output.
    fn format(&self) -> CfgFormat {
        if self.json { CfgFormat::Json } else { self.format }
    }
}

fn lines_help() -> String {
    format!(
        "The number of instructions of a block that are printed, for --format dot \
         [default: {DEFAULT_LINES}]"
    )
}

pub mod tree;
mod view;

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::ValueEnum;
use genvisa::analysis::{Analysis, Block, BlockId, Edge, EdgeKind, Loops};
use genvisa::isa::{Id, Instruction};
use genvisa::object::{Routine, RoutineKind};
use serde_json::Value;

use super::{CommandLine, Run};
use crate::input::open_one;
use crate::modules::lines;
use crate::modules::load::load;
use crate::modules::omitted::check_output;
use crate::modules::routines::routines;
use crate::options::{DialectArg, RegisterArgs};
use crate::output::{Output, write_atomically};
use crate::words::{count, inert, is_standard, printable, shown};
use view::{Collapse, InstructionRange, View};

impl Run for Cfg {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        vec![&self.file]
    }

    fn output(&self) -> Option<PathBuf> {
        Some(self.output.clone().unwrap_or_else(|| "-".into()))
    }

    fn check(&self) -> Result<(), String> {
        let option = match self {
            Cfg { all: true, .. } => "--all",
            Cfg { lines: Some(_), .. } => "--lines",
            Cfg { collapse: Some(_), format: CfgFormat::Json, .. } => "--collapse",
            _ => return Ok(()),
        };
        let (format, what) = match self.format() {
            CfgFormat::Dot => return Ok(()),
            CfgFormat::Tree => ("tree", "prints no instructions"),
            CfgFormat::Json if self.collapse.is_some() => ("json", "prints `chain` and `region`"),
            CfgFormat::Json => ("json", "prints all instructions"),
        };
        Err(format!("{option} has no effect with --format {format}, which {what}"))
    }
}

fn run(args: &Cfg, out: &mut Output) -> anyhow::Result<()> {
    let input = open_one(&args.file, args.routine.as_ref(), &args.dialect)?;
    let name = &input.name;
    let Some(loaded) = load(&input, &args.dialect, out)? else { return Ok(()) };
    args.registers.warn_of_assumption(name, &loaded.module, loaded.platform, out)?;
    let mut drawing = Drawing::new(name, args);
    let mut has_omitted = !loaded.omitted.is_empty();
    let routines = routines(&loaded.module, &loaded.omitted, name, args.routine.as_ref())?;
    if routines.len() > 1 && (args.r#loop.is_some() || args.range.is_some()) {
        let routines = count(routines.len(), "routine");
        bail!("{name}: --loop and --range are about one of {routines}: select it with --routine");
    }
    for (_, routine) in routines {
        let registers = args.registers.size(loaded.platform, routine.body);
        match Analysis::new(&routine, registers) {
            Ok(analysis) => {
                let mut graph = Graph::new(&routine, analysis);
                args.select(&mut graph).with_context(|| name.clone())?;
                drawing.add(graph);
            }
            Err(error) => {
                has_omitted = true;
                out.report_error(format_args!("{name}: {error}"))?;
            }
        }
    }
    check_output(name, args.output.as_deref(), has_omitted)?;
    let Some(text) = drawing.end()? else { return Ok(()) };
    match &args.output {
        Some(path) if !is_standard(path) => {
            if path.is_dir() {
                bail!("cannot write `{}`: it is a folder", shown(path));
            }
            write_atomically(path, inert(&text).as_bytes())
        }
        _ => Ok(out.write_all(text.as_bytes())?),
    }
}

/// The text of the graphs of a file. Graphs are dropped when they have been printed.
struct Drawing<'d> {
    file: &'d str,
    args: &'d Cfg,
    text: String,
    /// The first graph of a drawing for dot, which has a frame only if there are others.
    first: Option<Graph>,
    values: Vec<Value>,
    count: usize,
}

impl<'d> Drawing<'d> {
    fn new(file: &'d str, args: &'d Cfg) -> Drawing<'d> {
        Drawing { file, args, text: String::new(), first: None, values: Vec::new(), count: 0 }
    }

    fn add(&mut self, graph: Graph) {
        match self.args.format() {
            CfgFormat::Dot if self.count == 0 => self.first = Some(graph),
            CfgFormat::Dot => {
                if let Some(first) = self.first.take() {
                    self.add_cluster(&first, 0, true);
                }
                self.add_cluster(&graph, self.count, true);
            }
            CfgFormat::Tree => {
                if self.count > 0 {
                    self.text.push('\n');
                }
                tree::print(&graph, &mut self.text);
            }
            CfgFormat::Json => self.values.push(graph.json(self.file)),
        }
        self.count += 1;
    }

    fn add_cluster(&mut self, graph: &Graph, number: usize, has_frame: bool) {
        dot::print(graph, number, has_frame, self.args.max_lines(), &mut self.text);
    }

    /// Returns the text, unless it is a drawing without graphs.
    fn end(mut self) -> anyhow::Result<Option<String>> {
        if let Some(only) = self.first.take() {
            self.add_cluster(&only, 0, false);
        }
        match self.args.format() {
            CfgFormat::Json => Ok(Some(serde_json::to_string_pretty(&self.values)? + "\n")),
            _ if self.count == 0 => Ok(None),
            CfgFormat::Dot => {
                dot::end(&mut self.text);
                Ok(Some(self.text))
            }
            CfgFormat::Tree => Ok(Some(self.text)),
        }
    }
}

/// The control flow of a routine, with the texts of its instructions.
pub struct Graph {
    kind: RoutineKind,
    name: String,
    analysis: Analysis,
    loops: Loops,
    /// What is drawn.
    view: View,
    /// The name of the label of each block.
    labels: Vec<Option<String>>,
    /// The text of each instruction, without the names of labels that it defines.
    instructions: Vec<String>,
    /// The largest number of live registers in the routine.
    peak: u32,
}

impl Graph {
    pub fn new(routine: &Routine<'_, '_>, analysis: Analysis) -> Graph {
        let cfg = &analysis.cfg;
        let label = |block: &Block| {
            let id = Id::from(block.label?);
            let name = routine.body.name_of(id).map(|name| printable(&name.to_string_lossy()));
            Some(name.unwrap_or_else(|| format!("L{}", id.number)))
        };
        Graph {
            kind: routine.kind,
            name: printable(&routine.name.to_string_lossy()),
            loops: cfg.loops(&cfg.dominators()),
            view: View::new(cfg),
            labels: cfg.blocks().iter().map(label).collect(),
            instructions: lines::instructions(*routine, &analysis.instructions),
            peak: analysis.liveness.peak().map_or(0, |(_, peak)| peak.registers),
            analysis,
        }
    }

    /// Returns the blocks in the order of the code.
    fn blocks(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        (0..).map(BlockId).zip(self.analysis.cfg.blocks())
    }

    fn block(&self, id: BlockId) -> &Block {
        &self.analysis.cfg.blocks()[id.index()]
    }

    /// Returns the largest number of registers that are live in blocks.
    fn pressure(&self, blocks: &[BlockId]) -> u32 {
        let pressure = self.analysis.liveness.pressure();
        let of_block = |id: &BlockId| pressure.get(self.block(*id).instructions.clone());
        let all = blocks.iter().filter_map(of_block).flatten();
        all.map(|at| at.registers).max().unwrap_or_default()
    }

    /// Returns the ranges of the instructions of blocks as the numbers that `dis` prints.
    fn ranges(&self, blocks: &[BlockId]) -> String {
        const MOST: usize = 4;
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in blocks.iter().map(|id| self.block(*id).instructions.clone()) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        let text = |range: &Range<usize>| match range.len() {
            0 => String::new(),
            1 => format!("${}", range.start),
            _ => format!("${}-${}", range.start, range.end - 1),
        };
        let rest = ranges.len().saturating_sub(MOST);
        let mut texts: Vec<String> = ranges.iter().take(MOST).map(text).collect();
        texts.retain(|text| !text.is_empty());
        if rest > 0 {
            texts.push(format!("{rest} more"));
        }
        texts.join(", ")
    }

    /// Returns the name of a block in messages: `B3` or `B3 label`.
    fn block_name(&self, id: BlockId) -> String {
        match &self.labels[id.index()] {
            Some(label) => format!("B{} {label}", id.0),
            None => format!("B{}", id.0),
        }
    }

    /// Returns the block after a call of a subroutine, unless it is a successor of the call.
    fn after_call(&self, id: BlockId) -> Option<BlockId> {
        let cfg = &self.analysis.cfg;
        let has = |kind| cfg.successors(id).iter().any(|edge| edge.kind == kind);
        if !has(EdgeKind::Call) || has(EdgeKind::FallThrough) {
            return None;
        }
        let after = cfg.block_of(self.block(id).instructions.end);
        after.filter(|after| cfg.is_reachable(*after))
    }

    /// Returns whether an edge leads to the header of a loop from inside of it.
    fn is_back_edge(&self, edge: &Edge) -> bool {
        let id = self.loops.innermost(edge.to);
        id.is_some_and(|id| self.loops.back_edges(id).binary_search(&(edge.from, edge.to)).is_ok())
    }

    /// Returns what a branch, call or return depends on: its predicate in parentheses.
    fn condition(&self, edge: &Edge) -> Option<&str> {
        if edge.kind == EdgeKind::FallThrough {
            return None;
        }
        let last = self.block(edge.from).instructions.end.checked_sub(1)?;
        let text = self.instructions.get(last)?;
        let is_predicated = self.analysis.instructions.get(last)?.falls_through()
            || matches!(self.analysis.instructions.get(last), Some(Instruction::Call(_)));
        let end = text.find(") ").filter(|_| is_predicated && text.starts_with('('))?;
        Some(&text[..=end])
    }
}
