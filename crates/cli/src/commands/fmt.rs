//! `genvisa fmt`: formats text.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use genvisa::text::{Diagnostics, ReformatError, Reformatter};

use super::{CommandLine, Run};
use crate::input::choice::split_choice;
use crate::input::read_text;
use crate::input::walk::{self, TEXTS};
use crate::modules::assemble::{print_diagnostics, report_errors, sources};
use crate::options::DialectArg;
use crate::output::snippet::Source;
use crate::output::{Batch, Output};
use crate::words::{count, is_standard, shown};

/// Format .visaasm text
///
/// Prints the text in the layout and spelling of dis, with its comments.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa fmt tests/data/collatz.visaasm
  genvisa fmt --no-numbers tests/data/collatz.visaasm -o formatted.visaasm
  genvisa fmt --in-place kernels/
  genvisa fmt --check kernels/         Name the files that would change")]
pub struct Fmt {
    /// .visaasm files, or - for standard input. Folders need --check or --in-place
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write to this file, or to standard output with - [default: -]
    #[arg(long, short, value_name = "OUT", conflicts_with_all = ["check", "in_place"])]
    pub output: Option<PathBuf>,
    /// Overwrite an existing file that has different contents
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Replace each file by its formatted text. If a text has errors, no file is changed
    #[arg(long, conflicts_with = "check")]
    pub in_place: bool,
    /// Print the names of files that are not formatted, and fail if there are any
    #[arg(long)]
    pub check: bool,
    /// Do not number instructions
    #[arg(long)]
    pub no_numbers: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Run for Fmt {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "With --check, a file is not formatted")]
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn output(&self) -> Option<PathBuf> {
        match self.in_place {
            true => None,
            false => Some(self.output.clone().unwrap_or_else(|| "-".into())),
        }
    }

    fn check(&self) -> Result<(), String> {
        let part =
            self.files.iter().find(|file| is_standard(file) || split_choice(file).1.is_some());
        match part.filter(|_| self.in_place) {
            Some(file) => Err(format!("--in-place needs a file, which `{}` is not", shown(file))),
            None => Ok(()),
        }
    }
}

fn run(args: &Fmt, out: &mut Output) -> anyhow::Result<()> {
    let reformatter = Reformatter::new().with_numbers(!args.no_numbers);
    let reformatter = reformatter.with_dialect(args.dialect.dialect);
    if args.check || args.in_place {
        return replace_or_check(args, &reformatter, out);
    }
    let mut file = Vec::new();
    let output = args.output.as_ref().filter(|path| !is_standard(path));
    let mut has_errors = false;
    for source in &sources(&args.files, &args.dialect)? {
        has_errors |= match output {
            Some(_) => !reformat(&reformatter, source, &mut file, out)?,
            None => !print(&reformatter, source, out)?,
        };
    }
    match output.filter(|_| !has_errors) {
        None => Ok(()),
        Some(path) => {
            let mut batch = Batch::default();
            batch.add(path, &file)?;
            batch.commit(args.force)
        }
    }
}

/// Replaces the files by their formatted texts, or prints which of them would change.
fn replace_or_check(args: &Fmt, reformatter: &Reformatter, out: &mut Output) -> anyhow::Result<()> {
    let files = walk::expand(&args.files, &TEXTS, out)?;
    let (mut batch, mut has_errors, mut changed) = (Batch::default(), files.has_error, 0);
    for file in &files.files {
        let source = read_text(&file.path, &args.dialect)?.source();
        let mut formatted = Vec::new();
        if !reformat(reformatter, &source, &mut formatted, out)? {
            has_errors = true;
        } else if *formatted != *source.text {
            changed += 1;
            match args.check {
                true => writeln!(out, "{}", shown(&file.path))?,
                false => batch.add(&file.path, &formatted).map(drop)?,
            }
        }
    }
    match (args.check, changed) {
        (true, 0) => Ok(()),
        (true, _) => bail!("{} not formatted", are(changed)),
        (false, _) if has_errors => bail!("no file was changed"),
        (false, _) => batch.commit(true),
    }
}

fn are(files: usize) -> String {
    format!("{} {}", count(files, "file"), if files == 1 { "is" } else { "are" })
}

/// Adds a formatted text to a file. Prints errors, and returns `false` if the text has any.
fn reformat(
    reformatter: &Reformatter,
    source: &Source,
    file: &mut Vec<u8>,
    out: &mut Output,
) -> anyhow::Result<bool> {
    let mut text = String::new();
    let result = reformatter.write_to(&source.text, &mut text);
    file.extend_from_slice(text.as_bytes());
    report(result, source, out)
}

/// Prints a formatted text. Prints errors, and returns `false` if the text has any.
fn print(reformatter: &Reformatter, source: &Source, out: &mut Output) -> anyhow::Result<bool> {
    let mut text = RawOutput { out, error: None };
    let result = reformatter.write_to(&source.text, &mut text);
    match text.error {
        Some(error) => Err(error.into()),
        None => report(result, source, out),
    }
}

fn report(
    result: Result<Diagnostics, ReformatError>,
    source: &Source,
    out: &mut Output,
) -> anyhow::Result<bool> {
    match result {
        Ok(warnings) => print_diagnostics(source, &warnings, out).map(|()| true),
        Err(ReformatError::Text(errors)) => {
            report_errors(std::slice::from_ref(source), vec![(0, errors)], out).map(|()| false)
        }
        Err(error) => Err(error.into()),
    }
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
