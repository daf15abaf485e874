//! `genvisa explain`: prints bytes with their meaning, one line per field, or writes a page.

mod html;
pub mod json;
mod names;
mod sink;
mod view;

use genvisa::Platform;
use std::path::Path;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::ArgGroup;
use clap::Args;
use genvisa::Version;
use genvisa::error::PathSegment;
use genvisa::object::{Body, Code, Module, Routine};
use genvisa::wire::{Describe, FieldRecorder, Reader, Trace};
use genvisa::{Error, Format, Instruction};
use genvisa_isa::decode_recorded;

use super::{CommandLine, Run};
use crate::input::{Input, open_one, read};
use crate::modules::routines::routines;
use crate::options::{DialectArg, version_of_files};
use crate::output::Output;
use crate::words::count;
use html::Page;
use json::Json;
use sink::{Decoded, Printer, Sink};

/// Print the meaning of every byte of a .isa file, or of instructions in hex
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa explain tests/data/tour.isa
  genvisa explain --routine main --parts shader.isa
  genvisa explain shader.isa --html shader.html
  genvisa explain --hex '70 0a 03 0f 06 20 00 00 00 00 00 21 00 00 00 00 00'")]
#[command(group = ArgGroup::new("input").required(true).args(["file", "hex"]))]
pub struct Explain {
    /// A .isa file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print only the routine of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME", conflicts_with = "hex")]
    pub routine: Option<String>,
    /// Decode instructions from hex digits such as "70 0a 03", or from standard input with -
    #[arg(long, value_name = "BYTES", value_parser = Hex::parse)]
    pub hex: Option<Hex>,
    /// Print the parts of each operand on lines of their own
    #[arg(long, short)]
    pub parts: bool,
    /// Write a page to this file, or to standard output with -: one HTML file, which loads nothing
    /// else, with the bytes next to the tree of fields and their parts. If the input has an error, the
    /// page shows it, and what was read
    #[arg(long, value_name = "OUT")]
    pub html: Option<PathBuf>,
    /// Print the tree of fields, with their parts, as JSON
    #[arg(long, conflicts_with_all = ["html", "parts"])]
    pub json: bool,
    /// Decode the bytes of --hex in this vISA version [default: 3.6]
    #[arg(long, value_name = "M.m", conflicts_with = "file", value_parser = version_of_files)]
    pub isa_version: Option<Version>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Explain {
    /// Returns the format of the bytes of `--hex`.
    pub fn hex_format(&self) -> Format {
        Format::new(self.dialect.of_files(), self.isa_version.unwrap_or_default())
    }
}

/// The argument of `--hex`.
#[derive(Clone)]
pub enum Hex {
    Bytes(Vec<u8>),
    Stdin,
}

impl Hex {
    fn parse(text: &str) -> Result<Hex, String> {
        if text == "-" { Ok(Hex::Stdin) } else { Hex::parse_bytes(text).map(Hex::Bytes) }
    }

    /// Parses pairs of hex digits. Whitespace, commas and `0x` may separate them.
    pub fn parse_bytes(text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
            let digits = word.strip_prefix("0x").unwrap_or(word).as_bytes();
            let pairs = digits.chunks(2).map(|pair| match *pair {
                [high, low] => {
                    let digit = |c: u8| char::from(c).to_digit(16);
                    Some((digit(high)? * 16 + digit(low)?) as u8)
                }
                _ => None,
            });
            let pairs: Option<Vec<u8>> = pairs.collect();
            bytes.extend(
                pairs.ok_or_else(|| format!("expected pairs of hex digits, found `{word}`"))?,
            );
        }
        if bytes.is_empty() { Err("expected hex digits, found nothing".into()) } else { Ok(bytes) }
    }
}

impl Run for Explain {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        match (&self.file, &self.hex) {
            (Some(file), _) => vec![file],
            (None, Some(Hex::Stdin)) => vec![Path::new("-")],
            (None, _) => Vec::new(),
        }
    }

    fn output(&self) -> Option<PathBuf> {
        Some(self.html.clone().unwrap_or_else(|| "-".into()))
    }
}

fn run(args: &Explain, out: &mut Output) -> anyhow::Result<()> {
    match (&args.file, &args.hex) {
        (Some(path), _) => explain_file(args, path, out),
        (None, Some(hex)) => explain_hex(args, hex, out),
        (None, None) => bail!("a file or --hex is required"),
    }
}

/// Explains the instructions of `--hex`.
fn explain_hex(args: &Explain, hex: &Hex, out: &mut Output) -> anyhow::Result<()> {
    let bytes = match hex {
        Hex::Bytes(bytes) => bytes.clone(),
        Hex::Stdin => {
            let text = String::from_utf8_lossy(&read(Path::new("-"))?).into_owned();
            Hex::parse_bytes(&text).map_err(anyhow::Error::msg).context("standard input")?
        }
    };
    let format = args.hex_format();
    if args.json {
        let mut json = Json::new(None, &bytes, out);
        json.heading("instructions", 0)?;
        explain_bare(&bytes, format, &mut json)?;
        return json.end(Some(format));
    }
    let Some(path) = &args.html else {
        let mut printer = Printer::new(&bytes, args.parts, out);
        return explain_bare(&bytes, format, &mut printer);
    };
    let mut page = Page::new("instructions in hex", &bytes, true);
    page.heading("instructions", 0)?;
    explain_bare(&bytes, format, &mut page)?;
    page.set_format(format);
    page.write(path, out)
}

/// Explains instructions without a routine.
fn explain_bare(bytes: &[u8], format: Format, sink: &mut impl Sink) -> anyhow::Result<()> {
    match explain_instructions(bytes, 0, format, None, sink)? {
        Some(error) => sink.error(&error),
        None => Ok(()),
    }
}

/// Explains instructions up to the first error, and returns that error.
fn explain_instructions(
    code: &[u8],
    base: usize,
    format: Format,
    body: Option<&Body<'_>>,
    sink: &mut impl Sink,
) -> anyhow::Result<Option<Error>> {
    let mut recorder = FieldRecorder::default();
    let mut r = Reader::traced(code, base, format, &mut recorder);
    let mut instruction = Instruction::default();
    for index in 0.. {
        if r.is_empty() {
            break;
        }
        let offset = r.offset();
        let opcode = r.rest().first().copied().unwrap_or_default();
        let mnemonic = Instruction::mnemonic_of(opcode).unwrap_or_default();
        let result = decode_recorded(&mut instruction, &mut r);
        let len = result.is_ok().then(|| r.offset() - offset);
        let mut fields = r.trace_mut().take();
        if let Some(body) = body {
            names::resolve(&mut fields, body);
        }
        let (fields, instruction) = (&fields[..], &instruction);
        sink.instruction(&Decoded { index, mnemonic, offset, len, fields, instruction })?;
        if let Err(error) = result {
            return Ok(Some(error.within(PathSegment::Instruction { index, mnemonic })));
        }
    }
    Ok(None)
}

/// Explains a file.
fn explain_file(args: &Explain, path: &Path, out: &mut Output) -> anyhow::Result<()> {
    let input = open_one(path, args.routine.as_ref(), &args.dialect)?;
    input.check_object()?;
    if args.json {
        let mut json = Json::new(Some(&input.name), &input.bytes, out);
        let format = explain_object(args, &input, &mut json)?;
        return json.end(format);
    }
    let Some(path) = &args.html else {
        let mut printer = Printer::new(&input.bytes, args.parts, out);
        return explain_object(args, &input, &mut printer).map(|_| ());
    };
    let mut page = Page::new(&input.name, &input.bytes, args.routine.is_none());
    if let Some(format) = explain_object(args, &input, &mut page)? {
        page.set_format(format);
    }
    page.write(path, out)
}

/// Explains a `.isa` file, and returns its format unless the file has an error.
fn explain_object(
    args: &Explain,
    input: &Input,
    sink: &mut impl Sink,
) -> anyhow::Result<Option<Format>> {
    let Input { name, bytes: file, .. } = input;
    let dialect = args.dialect.of_files();
    // The fields of a file need many times its memory, so they are explained while the file is read
    // for a second time. The first time finds the names.
    match Module::from_bytes(file, dialect) {
        Ok(module) => {
            let routines = routines(&module, &[], name, args.routine.as_ref())?;
            let mut tables = TableTrace::new(sink);
            tables.has_header = args.routine.is_none();
            tables.selection = Some(Selection { module: &module, name, routines });
            let _ = Module::from_bytes_traced(file, dialect, &mut tables);
            tables.finish()?;
            if args.routine.is_none() {
                explain_binaries(&module, sink)?;
                for padding in module.padding() {
                    sink.opaque(&format!("padding: {}", count(padding.len(), "byte")), padding)?;
                }
            }
            Ok(Some(module.format))
        }
        Err(error) => {
            let mut tables = TableTrace::new(sink);
            let _ = Module::from_bytes_traced(file, dialect, &mut tables);
            tables.finish()?;
            sink.error(&format_args!("{name}: {error}"))?;
            Ok(None)
        }
    }
}

/// The routines to explain, with their indices in the module.
struct Selection<'t, 'm, 'a> {
    module: &'m Module<'a>,
    /// The name of the file.
    name: &'t str,
    routines: Vec<(usize, Routine<'m, 'a>)>,
}

/// A trace that explains the fields of the header and tables while they are read, and the
/// instructions of each routine after its tables.
struct TableTrace<'t, 'm, 'a, S> {
    sink: &'t mut S,
    /// Whether the header is explained.
    has_header: bool,
    /// `None` if the file has an error. All tables are then explained up to the error, without code
    /// and names.
    selection: Option<Selection<'t, 'm, 'a>>,
    /// The index of the current group. The header is group 0, routines follow.
    group: usize,
    /// The number of nested fields that have been entered and not left.
    depth: usize,
    /// Records the current field of a group, with its parts.
    recorder: FieldRecorder,
    error: Option<anyhow::Error>,
}

impl<'t, 'm, 'a, S: Sink> TableTrace<'t, 'm, 'a, S> {
    fn new(sink: &'t mut S) -> Self {
        TableTrace {
            sink,
            has_header: true,
            selection: None,
            group: 0,
            depth: 0,
            recorder: FieldRecorder::default(),
            error: None,
        }
    }

    /// Explains the fields before an error in the file, and returns the first error of the output.
    fn finish(mut self) -> anyhow::Result<()> {
        self.flush();
        self.error.map_or(Ok(()), Err)
    }

    /// Returns the routine of the current group if it is selected.
    fn routine(&self) -> Option<Routine<'m, 'a>> {
        let routines = &self.selection.as_ref()?.routines;
        let index = self.group.checked_sub(1)?;
        // Sorted: the routines are in the order of the module.
        let position = routines.binary_search_by_key(&index, |(routine, _)| *routine).ok()?;
        Some(routines[position].1)
    }

    /// Returns whether the current group is explained.
    fn is_selected(&self) -> bool {
        self.error.is_none()
            && match self.group {
                0 => self.has_header,
                _ => self.selection.is_none() || self.routine().is_some(),
            }
    }

    /// Keeps the first error of the output. Nothing is printed after it.
    fn record(&mut self, result: anyhow::Result<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    fn flush(&mut self) {
        let mut fields = self.recorder.take();
        if let Some(routine) = self.routine() {
            names::resolve(&mut fields, routine.body);
        }
        if self.error.is_none() {
            let result = self.sink.fields(&fields);
            self.record(result);
        }
    }

    /// Explains the code of the current routine.
    fn explain_code(&mut self) -> anyhow::Result<()> {
        let Some(routine) = self.routine() else { return Ok(()) };
        let Some(Selection { module, name, .. }) = self.selection else { return Ok(()) };
        match explain_code(&routine, module.format, self.sink)? {
            Some(error) => self.sink.error(&format_args!("{name}: {error}")),
            None => Ok(()),
        }
    }
}

impl<S: Sink> Trace for TableTrace<'_, '_, '_, S> {
    const ENABLED: bool = true;

    fn enter(&mut self, name: &str, offset: usize) {
        if self.is_selected() {
            if self.depth == 0 {
                let result = self.sink.heading(name, offset);
                self.record(result);
            } else {
                self.recorder.enter(name, offset);
            }
        }
        self.depth += 1;
    }

    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format) {
        self.depth -= 1;
        if self.is_selected() {
            match self.depth {
                0 => {
                    let result = self.explain_code();
                    self.record(result);
                }
                depth => {
                    self.recorder.leave(offset, value, format);
                    if depth == 1 {
                        self.flush();
                    }
                }
            }
        }
        if self.depth == 0 {
            self.group += 1;
        }
    }
}

/// Explains the code of a routine up to the first error, and returns that error.
fn explain_code(
    routine: &Routine<'_, '_>,
    format: Format,
    sink: &mut impl Sink,
) -> anyhow::Result<Option<Error>> {
    match &routine.body.code {
        Code::Present { bytes, offset } => {
            sink.code(routine);
            let body = Some(routine.body);
            let error = explain_instructions(bytes, *offset, format, body, sink)?;
            Ok(error.map(|error| error.within(routine.path_segment())))
        }
        Code::Stripped { size, entry } => {
            let text =
                format!("code removed from the file: {size} bytes, at {entry:#x} of the body");
            sink.remark(&text)?;
            Ok(None)
        }
    }
}

/// Explains the sizes and platforms of the GEN binaries. Their contents are not decoded.
fn explain_binaries(module: &Module<'_>, sink: &mut impl Sink) -> anyhow::Result<()> {
    for kernel in &module.kernels {
        for (index, binary) in kernel.gen_binaries.iter().enumerate() {
            let platform = binary.known_platform().map_or("unknown", Platform::name);
            let text = format!(
                "gen binary {index} of kernel `{}`: {} for platform {} ({platform})",
                kernel.name,
                count(binary.bytes.len(), "byte"),
                binary.platform,
            );
            sink.opaque(&text, &binary.bytes)?;
        }
    }
    Ok(())
}
