//! `genvisa fmt`: formats text.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use genvisa::text::{ReformatError, Reformatter};

use super::{CommandLine, Run};
use crate::modules::assemble::{print_diagnostics, report_errors, sources};
use crate::options::DialectArg;
use crate::output::Output;

/// Format .visaasm text
///
/// Prints the text in the layout and spelling of dis, with its comments.
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
    #[command(flatten)]
    pub dialect: DialectArg,
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
    let sources = sources(&args.files, &args.dialect)?;
    let reformatter = Reformatter::new().with_numbers(!args.no_numbers);
    let reformatter = reformatter.with_dialect(args.dialect.dialect);
    for (index, source) in sources.iter().enumerate() {
        let mut text = RawOutput { out, error: None };
        let result = reformatter.write_to(&source.text, &mut text);
        let error = text.error;
        match (result, error) {
            (_, Some(error)) => return Err(error.into()),
            (Ok(warnings), None) => print_diagnostics(source, &warnings, out)?,
            (Err(ReformatError::Text(errors)), None) => {
                report_errors(&sources, vec![(index, errors)], out)?;
            }
            (Err(error), None) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Adapts the output to `fmt::Write` and keeps its first error.
struct RawOutput<'o> {
    out: &'o mut Output,
    error: Option<io::Error>,
}

impl fmt::Write for RawOutput<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_raw(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
