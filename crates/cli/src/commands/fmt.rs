//! `genvisa fmt`: formats text.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use genvisa::text::Reformatter;

use crate::modules::assemble::{print_diagnostics, report_errors, sources};
use crate::options::{DialectArg};
use crate::output::Output;
use super::{CommandLine, Run};

/// Format .visaasm text
///
/// Prints the text in the layout and spelling of dis. Comments are removed.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa fmt shader.visaasm
  genvisa fmt --no-numbers shader.visaasm > formatted.visaasm")]
pub struct Fmt {
    /// .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Do not number instructions
    #[arg(long)]
    pub no_numbers: bool,
}

impl Run for Fmt {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        fmt(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }
}

fn fmt(args: &Fmt, out: &mut Output) -> anyhow::Result<()> {
    let sources = sources(&args.files, &DialectArg { dialect: None })?;
    let reformatter = Reformatter::new().with_numbers(!args.no_numbers);
    for (index, source) in sources.iter().enumerate() {
        match reformatter.reformat(&source.text) {
            Ok(reformatted) => {
                out.write_raw(reformatted.text.as_bytes())?;
                print_diagnostics(source, &reformatted.warnings, out)?;
            }
            Err(diagnostics) => report_errors(&sources, vec![(index, diagnostics)], out)?,
        }
    }
    Ok(())
}
