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
/// If a routine has an error, it is reported and the other routines are drawn. With --output,
/// nothing is written then.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa cfg kernel.visaasm | dot -Tsvg -o kernel.svg
  genvisa cfg kernel.visaasm --format tree
  genvisa cfg shader.isa --routine main --all -o main.dot")]
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
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    pub format: CfgFormat,
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

fn lines_help() -> String {
    format!(
        "The number of instructions of a block that are printed, for --format dot \
         [default: {DEFAULT_LINES}]"
    )
}

pub mod tree;

use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::ValueEnum;
use genvisa::analysis::{Analysis, Block, BlockId, Edge, EdgeKind, Loops};
use genvisa::isa::{Id, Instruction};
use genvisa::object::{Routine, RoutineKind};
use serde_json::Value;

use crate::input::open_one;
use crate::modules::lines;
use crate::modules::load::load;
use crate::modules::omitted::check_output;
use crate::modules::routines::routines;
use crate::options::{DialectArg, RegisterArgs};
use crate::output::{Output, write_atomically};
use crate::words::{is_standard, printable, shown};
use super::{CommandLine, Run};

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
            _ => return Ok(()),
        };
        let (format, what) = match self.format {
            CfgFormat::Dot => return Ok(()),
            CfgFormat::Tree => ("tree", "prints no instructions"),
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
    for (_, routine) in routines(&loaded.module, &loaded.omitted, name, args.routine.as_ref())? {
        let registers = args.registers.size(loaded.platform, routine.body);
        match Analysis::new(&routine, registers) {
            Ok(analysis) => drawing.add(Graph::new(&routine, analysis)),
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
            write_atomically(path, text.as_bytes())
                .with_context(|| format!("cannot write `{}`", shown(path)))
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
        match self.args.format {
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
        match self.args.format {
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
    /// The name of the label of each block.
    labels: Vec<Option<String>>,
    /// The text of each instruction, without the names of labels that it defines.
    instructions: Vec<String>,
    /// The largest number of live registers in the routine.
    peak: u32,
}

impl Graph {
    fn new(routine: &Routine<'_, '_>, analysis: Analysis) -> Graph {
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

    /// Returns the largest number of registers that are live in a block.
    fn pressure(&self, block: &Block) -> u32 {
        let pressure = self.analysis.liveness.pressure().get(block.instructions.clone());
        pressure.unwrap_or_default().iter().map(|at| at.registers).max().unwrap_or_default()
    }

    /// Returns the range of the instructions of a block as the numbers that `dis` prints.
    fn range(&self, block: &Block) -> String {
        let range = &block.instructions;
        match range.len() {
            0 => String::new(),
            1 => format!("${}", range.start),
            _ => format!("${}-${}", range.start, range.end - 1),
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
