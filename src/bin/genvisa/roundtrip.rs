//! `genvisa roundtrip`: decodes files, encodes them again and compares the bytes.

use std::borrow::Cow;
use std::io::Write;

use genvisa::object::{Code, Routine};
use genvisa::wire::{Wire, Writer};
use genvisa::{Dialect, Format, Instruction, Module, Result};
use serde_json::{Value, json};

use crate::args::Roundtrip;
use crate::input::open;
use crate::output::Output;
use crate::{count, shown, walk};

/// The result for a file that was decoded.
#[derive(Default)]
struct Report {
    routines: usize,
    instructions: usize,
    /// The offset of the first different byte.
    differs_at: Option<usize>,
}

pub fn run(args: &Roundtrip, out: &mut Output) -> anyhow::Result<()> {
    let (mut routines, mut instructions, mut mismatches, mut errors) = (0, 0, 0, 0);
    let mut files = 0;
    let mut values = Vec::new();
    let paths = walk::expand(&args.files, &walk::OBJECTS, out)?.files;
    out.start_progress(paths.len());
    let all = paths.iter().flat_map(|file| match open(&file.path, None, &args.dialect) {
        Ok(inputs) => inputs.into_iter().map(|input| (&file.path, Ok(input))).collect(),
        Err(error) => vec![(&file.path, Err(error))],
    });
    let mut current = None;
    for (path, input) in all {
        if current.replace(path) != Some(path) {
            out.next_file(path);
        }
        files += 1;
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
            values.push(json(&name, &report));
        }
        let verdict = match report {
            Ok(report) => {
                routines += report.routines;
                instructions += report.instructions;
                let counts =
                    [count(report.routines, "routine"), count(report.instructions, "instruction")]
                        .join(", ");
                match report.differs_at {
                    None => format!("{counts}, identical"),
                    Some(offset) => {
                        mismatches += 1;
                        out.set_failed();
                        format!("{counts}, different from offset {offset:#x}")
                    }
                }
            }
            Err(error) => {
                errors += 1;
                out.report_error(format_args!("{error:#}"))?;
                "error".into()
            }
        };
        if !args.json {
            writeln!(out, "{name}: {verdict}")?;
        }
    }
    if args.json {
        return out.write_json(&values);
    }
    let mut totals = vec![
        count(files, "file"),
        count(routines, "routine"),
        count(instructions, "instruction"),
        count(mismatches, "mismatch"),
    ];
    if errors > 0 {
        totals.push(count(errors, "error"));
    }
    writeln!(out, "{}", totals.join(", "))?;
    Ok(())
}

/// Returns the result for a file as JSON.
fn json(name: &str, report: &anyhow::Result<Report>) -> Value {
    let counts = report.as_ref().ok();
    json!({
        "file": name,
        "routines": counts.map(|report| report.routines),
        "instructions": counts.map(|report| report.instructions),
        "identical": counts.is_some_and(|report| report.differs_at.is_none()),
        "offset": counts.and_then(|report| report.differs_at),
        "error": report.as_ref().err().map(|error| format!("{error:#}")),
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
