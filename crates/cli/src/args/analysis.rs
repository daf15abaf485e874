//! The arguments of the commands that analyse and compare routines.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::DialectArg;
use crate::registers::RegisterArgs;

#[derive(Args)]
pub struct Stats {
    /// .isa or .visaasm files, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print only the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(Args)]
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

/// The default of `--lines`. It is not a default of the parser, so that [`Cfg::check`] can tell
/// whether the option is given.
const DEFAULT_LINES: usize = 16;

fn lines_help() -> String {
    format!(
        "The number of instructions of a block that are printed, for --format dot \
         [default: {DEFAULT_LINES}]"
    )
}

impl Cfg {
    /// Returns the number of instructions of a block that a drawing contains.
    pub fn max_lines(&self) -> usize {
        if self.all { usize::MAX } else { self.lines.unwrap_or(DEFAULT_LINES) }
    }

    /// Fails if an option has no effect with the chosen format.
    pub fn check(&self) -> Result<(), String> {
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CfgFormat {
    /// A graph for Graphviz
    Dot,
    /// A line for each block, indented by loops
    Tree,
    /// JSON: a list of routines, with blocks, edges, loops and pressure
    Json,
}

#[derive(Args)]
pub struct Diff {
    /// A .isa or .visaasm file, a folder, or - for standard input
    pub a: PathBuf,
    /// The file or folder to compare with, or - for standard input
    pub b: PathBuf,
    /// The number of unchanged instructions before and after each change
    #[arg(long, short = 'U', value_name = "N", default_value_t = 3)]
    pub unified: usize,
    /// Ignore LOC and FILE, the debug information in the instructions
    #[arg(long)]
    pub ignore_locations: bool,
    /// Print as JSON: a list of the differences, which is empty if there are none
    #[arg(long)]
    pub json: bool,
    /// Print only the differences of the code, not those of the statistics
    #[arg(long)]
    pub no_stats: bool,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}
