use std::io::Write;

use genvisa::object::Code;
use genvisa::{Dialect, Instruction, Module, Result};

use crate::args::Roundtrip;
use crate::{Outcome, count, read};

/// What a file that could be read came to.
struct Report {
    routines: usize,
    instructions: usize,
    /// Where the bytes that came out first differ from those that went in.
    differs_at: Option<usize>,
}

pub fn run(args: &Roundtrip, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let (mut routines, mut instructions, mut mismatches) = (0, 0, 0);
    for path in &args.files {
        let report = read(path).and_then(|file| {
            roundtrip(&file, args.dialect.dialect).map_err(|e| anyhow::anyhow!("{path}: {e}"))
        });
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
                        format!("{counts}, different from offset {offset:#x} on")
                    }
                }
            }
            Err(error) => {
                mismatches += 1;
                out.flush()?;
                anstream::eprintln!("genvisa: {error:#}");
                "unreadable".into()
            }
        };
        writeln!(out, "{path}: {verdict}")?;
    }
    writeln!(
        out,
        "{} files, {routines} routines, {instructions} instructions, {mismatches} mismatches",
        args.files.len()
    )?;
    Ok(if mismatches == 0 { Outcome::Fine } else { Outcome::Findings })
}

/// Decodes everything down to the last operand and encodes it again.
fn roundtrip(file: &[u8], dialect: Dialect) -> Result<Report> {
    let mut module = Module::parse(file, dialect)?;
    let mut report = Report { routines: 0, instructions: 0, differs_at: None };
    let mut codes = Vec::new();
    for routine in module.routines() {
        let items: Result<Vec<Instruction>> =
            routine.instructions().map(|item| item.map(|(_, instruction)| instruction)).collect();
        let instructions = items?;
        report.routines += 1;
        report.instructions += instructions.len();
        codes.push(match &routine.body.code {
            stripped @ Code::Stripped { .. } => stripped.clone(),
            _ => Code::from_instructions(&instructions, module.format)
                .map_err(|error| error.within(routine.place()))?,
        });
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
