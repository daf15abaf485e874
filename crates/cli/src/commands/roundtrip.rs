//! `genvisa roundtrip`: decodes files, encodes them again and compares the bytes.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use genvisa::object::{Code, Routine};
use genvisa::wire::{Wire, Writer};
use genvisa::{Dialect, Format, Instruction, Module, Result};
use serde::Serialize;
use serde_json::{Value, json};

use super::{CommandLine, Run};
use crate::input::open;
use crate::input::walk::{self, File};
use crate::options::DialectArg;
use crate::output::Output;
use crate::output::definitions::{self, Offset};
use crate::output::parallel;
use crate::words::{count, shown};

/// Decode .isa files, encode them again and compare the bytes
///
/// Prints one line per file and a summary.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa roundtrip tests/data/tour.isa
  genvisa roundtrip --json tests/data/tour.isa
  genvisa roundtrip kernels/*.isa      Check many files")]
pub struct Roundtrip {
    /// .isa files, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

/// The numbers in the last line, and the results as JSON.
#[derive(Default)]
struct Totals {
    files: usize,
    routines: usize,
    instructions: usize,
    mismatches: usize,
    errors: usize,
    values: Vec<Value>,
}

/// The result for a `.isa` file that was decoded.
#[derive(Default)]
struct Report {
    routines: usize,
    instructions: usize,
    /// The offset of the first different byte.
    differs_at: Option<usize>,
}

impl Run for Roundtrip {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "The bytes of a file differ")]
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn prints_report(&self) -> bool {
        true
    }
}

fn run(args: &Roundtrip, out: &mut Output) -> anyhow::Result<()> {
    let files = walk::expand(&args.files, &walk::OBJECTS, out)?.files;
    let roundtrip = |file: &File, out: &mut Output| roundtrip_file(&file.path, args, out);
    let mut totals = Totals::default();
    parallel::for_each(&files, File::path, out, roundtrip, |of_file| totals.add(of_file))?;
    if args.json {
        return out.write_json(&totals.values);
    }
    let mut counts = vec![
        count(totals.files, "file"),
        count(totals.routines, "routine"),
        count(totals.instructions, "instruction"),
        count(totals.mismatches, "mismatch"),
    ];
    if totals.errors > 0 {
        counts.push(count(totals.errors, "error"));
    }
    writeln!(out, "{}", counts.join(", "))?;
    Ok(())
}

impl Totals {
    fn add(&mut self, other: Totals) {
        let Totals { files, routines, instructions, mismatches, errors, values } = other;
        self.files += files;
        self.routines += routines;
        self.instructions += instructions;
        self.mismatches += mismatches;
        self.errors += errors;
        self.values.extend(values);
    }
}

/// Prints the results for the `.isa` files of a path.
fn roundtrip_file(path: &Path, args: &Roundtrip, out: &mut Output) -> anyhow::Result<Totals> {
    let mut totals = Totals::default();
    let inputs = match open(path, None, &args.dialect) {
        Ok(inputs) => inputs.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    };
    for input in inputs {
        totals.files += 1;
        let (name, report) = match input {
            Ok(input) => {
                let report = input.check_object().and_then(|()| {
                    roundtrip(&input.bytes, args.dialect.of_files())
                        .map_err(|error| anyhow::anyhow!("{}: {error}", input.name))
                });
                (input.name, report)
            }
            Err(error) => (shown(path), Err(error)),
        };
        if args.json {
            totals.values.push(json(&name, &report));
        }
        let verdict = match report {
            Ok(report) => {
                totals.routines += report.routines;
                totals.instructions += report.instructions;
                let counts =
                    [count(report.routines, "routine"), count(report.instructions, "instruction")]
                        .join(", ");
                match report.differs_at {
                    None => format!("{counts}, identical"),
                    Some(offset) => {
                        totals.mismatches += 1;
                        out.set_failed();
                        format!("{counts}, different from offset {offset:#x}")
                    }
                }
            }
            Err(error) => {
                totals.errors += 1;
                out.report_error(format_args!("{error:#}"))?;
                "error".into()
            }
        };
        if !args.json {
            writeln!(out, "{name}: {verdict}")?;
        }
    }
    Ok(totals)
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct FileResult<'r> {
    file: definitions::File<'r>,
    routines: Option<usize>,
    instructions: Option<usize>,
    identical: bool,
    /// The first byte that differs.
    offset: Option<Offset>,
    error: Option<String>,
}

fn json(name: &str, report: &anyhow::Result<Report>) -> Value {
    let counts = report.as_ref().ok();
    json!(FileResult {
        file: definitions::File(name),
        routines: counts.map(|report| report.routines),
        instructions: counts.map(|report| report.instructions),
        identical: counts.is_some_and(|report| report.differs_at.is_none()),
        offset: counts.and_then(|report| report.differs_at).map(Offset),
        error: report.as_ref().err().map(|error| format!("{error:#}")),
    })
}

/// Decodes a file and all its instructions, encodes them again and compares the bytes.
fn roundtrip(file: &[u8], dialect: Dialect) -> Result<Report> {
    let mut module = Module::from_bytes(file, dialect)?;
    let mut report = Report::default();
    let mut codes = Vec::new();
    for routine in module.routines() {
        report.routines += 1;
        let code = reencode(&routine, module.format, &mut report.instructions);
        codes.push(code.map_err(|error| error.within(routine.path_segment()))?);
    }
    for (body, code) in module.bodies_mut().zip(codes) {
        body.code = code;
    }
    let again = module.to_bytes()?;
    if again != file {
        let same = again.iter().zip(file).take_while(|(a, b)| a == b).count();
        report.differs_at = Some(same);
    }
    Ok(report)
}

/// Decodes the instructions of a routine and returns them encoded again.
fn reencode(
    routine: &Routine<'_, '_>,
    format: Format,
    instructions: &mut usize,
) -> Result<Code<'static>> {
    if let Code::Stripped { size, entry } = routine.body.code {
        return Ok(Code::Stripped { size, entry });
    }
    let mut w = Writer::new(format);
    let mut decoder = routine.body.code.instructions(format);
    let mut instruction = Instruction::default();
    while decoder.next_into(&mut instruction)?.is_some() {
        instruction.encode(&mut w)?;
        *instructions += 1;
    }
    Ok(Code::Present { bytes: Cow::Owned(w.into_bytes()), offset: 0 })
}
