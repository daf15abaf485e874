//! Routines, tables and opcode counts of `.isa` files and texts.

use std::collections::BTreeMap;
use std::io::Write;

use anstyle::Style;
use anyhow::bail;
use genvisa::object::MAGIC;
use genvisa::object::{Attribute, Body, Code, GenBinary, Kernel, Module, Routine};
use genvisa::{Error, Instruction};
use serde_json::{Value, json};

use super::{Info, json};
use crate::input::Input;
use crate::modules::assemble;
use crate::modules::routines::no_routine;
use crate::options::ReportFormat;
use crate::output::Output;
use crate::words::{count, printable};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The printed facts about a routine.
pub struct Summary<'m> {
    pub routine: Routine<'m, 'm>,
    /// `None` for a function.
    pub kernel: Option<&'m Kernel<'m>>,
    /// The number of instructions per mnemonic.
    pub opcodes: BTreeMap<&'static str, usize>,
    /// The decoding error after which instructions are not counted.
    pub error: Option<Error>,
}

impl Summary<'_> {
    pub fn instructions(&self) -> usize {
        self.opcodes.values().sum()
    }

    /// Returns the mnemonics with their counts, the most frequent first.
    fn by_frequency(&self) -> Vec<(&'static str, usize)> {
        let mut opcodes: Vec<_> =
            self.opcodes.iter().map(|(name, count)| (*name, *count)).collect();
        opcodes.sort_by_key(|(name, count)| (usize::MAX - count, *name));
        opcodes
    }

    /// Returns the names and sizes of the tables that are not empty.
    pub fn tables(&self) -> Vec<(&'static str, usize)> {
        let body = self.routine.body;
        let all = [
            ("string", body.strings.len()),
            ("variable", body.variables.len()),
            ("address variable", body.addresses.len()),
            ("predicate", body.predicates.len()),
            ("label", body.labels.len()),
            ("sampler", body.samplers.len()),
            ("surface", body.surfaces.len()),
            ("input", self.kernel.map_or(0, |kernel| kernel.inputs.len())),
        ];
        all.into_iter().filter(|(_, entries)| *entries > 0).collect()
    }
}

/// Prints the facts about a file or text, or returns them for `--json`. Returns `None` if a text has errors.
pub fn info(args: &Info, input: &Input, out: &mut Output) -> anyhow::Result<Option<Value>> {
    let Input { name, bytes: file, .. } = input;
    let module = if input.is_object() {
        input.module(args.dialect.of_files())?
    } else {
        match assemble::parse(&input.source(), args.dialect.of_texts(), out)? {
            Some(document) => document.module,
            None => return Ok(None),
        }
    };
    let mut summaries = summarize(&module);
    if let Some(name) = &args.routine {
        let names = summaries.iter().map(|summary| summary.routine.name.to_string_lossy());
        let unknown = no_routine(&input.name, name, names.collect::<Vec<_>>().into_iter());
        summaries.retain(|summary| summary.routine.name.as_bytes() == name.as_bytes());
        if summaries.is_empty() {
            bail!(unknown);
        }
    }
    let json = match args.format.get() {
        ReportFormat::Json => {
            Some(json::file(name, file.len(), file.starts_with(&MAGIC), &module, &summaries))
        }
        ReportFormat::Text => {
            print(name, file, &module, &summaries, out)?;
            None
        }
        // Modules have no numbers that can be denied.
        ReportFormat::Sarif => None,
    };
    for error in summaries.iter().filter_map(|summary| summary.error.as_ref()) {
        out.report_error(format_args!("{name}: {error}"))?;
    }
    Ok(json)
}

fn summarize<'m>(module: &'m Module<'m>) -> Vec<Summary<'m>> {
    let kernels = module.kernels.iter().map(Some).chain(std::iter::repeat(None));
    let summary = |(routine, kernel): (Routine<'m, 'm>, _)| {
        let (mut opcodes, mut error) = (BTreeMap::new(), None);
        for item in routine.boundaries() {
            match item {
                Ok(boundary) => {
                    let name = Instruction::mnemonic_of(boundary.opcode).unwrap_or("?");
                    *opcodes.entry(name).or_default() += 1;
                }
                Err(e) => error = Some(e),
            }
        }
        Summary { routine, kernel, opcodes, error }
    };
    module.routines().zip(kernels).map(summary).collect()
}

pub fn attribute_name(body: &Body<'_>, attribute: &Attribute) -> String {
    let name = body.strings.get(attribute.name.0 as usize);
    name.map_or_else(|| attribute.name.to_string(), ToString::to_string)
}

/// Returns the value as `true` if it is empty, an integer if the size allows, or else a string.
pub fn attribute_value(attribute: &Attribute) -> Value {
    match (attribute.value.as_slice(), attribute.as_integer()) {
        ([], _) => json!(true),
        (_, Some(integer)) => json!(integer),
        (bytes, None) => json!(String::from_utf8_lossy(bytes)),
    }
}

fn platform(binary: &GenBinary<'_>) -> String {
    let number = binary.platform;
    binary.known_platform().map_or_else(|| number.to_string(), |name| format!("{number} ({name})"))
}

fn print(
    name: &str,
    file: &[u8],
    module: &Module<'_>,
    summaries: &[Summary<'_>],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let has_file = file.starts_with(&MAGIC);
    writeln!(
        out,
        "{BOLD}{name}{BOLD:#}: vISA {}, dialect {}, {}",
        module.format.version,
        module.format.dialect,
        count(file.len(), "byte")
    )?;
    let counts = [
        count(module.kernels.len(), "kernel"),
        count(module.functions.len(), "function"),
        count(module.file_scope_vars.len(), "file-scope variable"),
    ];
    writeln!(out, "{}", counts.join(", "))?;
    for summary in summaries {
        let Summary { routine, kernel, .. } = summary;
        writeln!(out, "\n{BOLD}{} {}{BOLD:#}", routine.kind, routine.name)?;
        match &routine.body.code {
            // The code of a text has no offset in a file.
            Code::Present { .. } if !has_file => {
                let instructions = count(summary.instructions(), "instruction");
                writeln!(out, "  code        {instructions}")?;
            }
            Code::Present { bytes, offset } => writeln!(
                out,
                "  code        {}, {} at {offset:#x}",
                count(summary.instructions(), "instruction"),
                count(bytes.len(), "byte")
            )?,
            Code::Stripped { size, .. } => {
                writeln!(out, "  code        removed from the file ({size} bytes)")?;
            }
        }
        for binary in kernel.iter().flat_map(|kernel| &kernel.gen_binaries) {
            let size = count(binary.bytes.len(), "byte");
            writeln!(out, "  gen binary  {size} for platform {}", platform(binary))?;
        }
        let tables: Vec<_> = summary.tables().into_iter().map(|(name, n)| count(n, name)).collect();
        writeln!(out, "  tables      {}", tables.join(", "))?;
        for attribute in &routine.body.attributes {
            let name = attribute_name(routine.body, attribute);
            writeln!(
                out,
                "  attribute   {name} = {}",
                printable(&attribute_value(attribute).to_string())
            )?;
        }
        let total = summary.instructions();
        for (mnemonic, times) in summary.by_frequency() {
            let percent = 100.0 * times as f64 / total as f64;
            writeln!(out, "  {times:>8}  {mnemonic:<20} {DIM}{percent:5.1} %{DIM:#}")?;
        }
    }
    Ok(())
}
