//! `genvisa asm` and `genvisa fmt`: assemble and format text.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;

use annotate_snippets::{Level, Renderer};
use anyhow::bail;
use clap::{ArgGroup, Args};
use genvisa::error::{PathSegment, Severity};
use genvisa::object::{Code, Kernel, Name};
use genvisa::text::{self, Diagnostic, Diagnostics, Document, SourceMap};
use genvisa::{Error, Format, Instruction, Module, Version};
use genvisa_container::Start;

use super::{CommandLine, Run};
use crate::input::{Input, open_one};
use crate::modules::assemble::{
    Assembled, assemble, print, print_diagnostics, report_errors, sources,
};
use crate::options::{DialectArg, version_of_files};
use crate::output::snippet::{self, Source};
use crate::output::{self, MessageKind, Output};
use crate::words::{is_standard, printable, push_hex};

/// Assemble .visaasm text to a .isa file, or an instruction to bytes
///
/// Several texts are assembled to one file. If a text has errors, all of them are reported and
/// nothing is written.
///
/// The version of the file is the version that the text states. If that version cannot encode
/// the text, the first of 3.6 and 4.1 that is newer and can encode it is used, with a warning.
///
/// IGC writes text of version 4.2, which has no binary form. It is assembled as 3.6
/// if 3.6 can encode it, and as 4.1 otherwise. If neither can, every statement without a binary
/// form is reported; verify, fmt and info work on such text.
///
/// With -e, the bytes of instructions are printed in hex, as `explain --hex` reads them. Names are ids
/// such as V33, A0, P1, S0, T6 and L3, or those of declarations that precede the instructions.
#[derive(Args)]
#[command(group = ArgGroup::new("input").required(true).args(["files", "expressions"]))]
#[command(after_long_help = "\
Examples:
  genvisa asm shader.visaasm                      Write shader.isa
  genvisa asm kernel.visaasm lib.visaasm -o out.isa
  genvisa dis a.isa | genvisa asm - -o b.isa --gen-binaries-of a.isa
  genvisa asm -e 'resinfo.RG (8) T6 V33.0 V34.0'
  genvisa asm -e '.decl x v_type=G type=d num_elts=8' -e 'add (M1, 8) x(0,0)<1> x(0,0)<8;8,1> 0x1:d'")]
pub struct Asm {
    /// .visaasm files, or - for standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the bytes of this instruction. A declaration such as `.decl x ..` names what the following
    /// instructions use
    #[arg(long = "expression", short, value_name = "TEXT", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["files", "output", "gen_binaries_of"])]
    pub expressions: Vec<String>,
    /// Write to this file, or to standard output with - [default: the first FILE with extension
    /// .isa]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// vISA version of the file [default: the version that the text states; 3.6 or 4.1 if that has
    /// no binary form]
    #[arg(long, value_name = "M.m", value_parser = version_of_files)]
    pub isa_version: Option<Version>,
    /// Copy the GEN binaries (machine code) of the kernels from this .isa file, or from standard input
    /// with -. Text does not contain them
    #[arg(long, value_name = "ISA")]
    pub gen_binaries_of: Option<PathBuf>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Asm {
    /// Returns the path of the file to write.
    pub fn output_path(&self) -> PathBuf {
        match (&self.output, self.files.first()) {
            (Some(path), _) => path.clone(),
            (None, None) => PathBuf::from("-"),
            (None, Some(first)) if is_standard(first) => first.clone(),
            (None, Some(first)) => first.with_extension("isa"),
        }
    }
}

impl Run for Asm {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().chain(&self.gen_binaries_of).map(PathBuf::as_path).collect()
    }

    fn reads_as_text(&self, input: &Path) -> bool {
        self.files.iter().any(|file| file == input)
    }

    fn output(&self) -> Option<PathBuf> {
        Some(self.output_path())
    }
}

fn run(args: &Asm, out: &mut Output) -> anyhow::Result<()> {
    if !args.expressions.is_empty() {
        return print_bytes(args, out);
    }
    let sources = sources(&args.files, &args.dialect)?;
    let assembled = assemble(&sources, args.dialect.of_files(), args.isa_version, out)?;
    let Some(Assembled { module, source_map }) = assembled else { return Ok(()) };
    let file;
    let module = match &args.gen_binaries_of {
        Some(path) => {
            file = open_one(path, None, &args.dialect)?;
            with_gen_binaries_of(module, &file, args, out)?
        }
        None => module,
    };
    let bytes = match module.to_bytes() {
        Ok(bytes) => bytes,
        Err(error) => {
            return match (span_of(&error, &module, &source_map), &sources[..]) {
                (Some(span), [source]) => {
                    out.set_failed();
                    let title = fields_and_kind(&error);
                    let title = Level::ERROR.primary_title(&title);
                    let location = text::line_and_column(&source.text, span.start);
                    let location = source.in_file(location);
                    let renderer = Renderer::styled();
                    let snippet =
                        snippet::render(source, &span, location, title, None, None, &renderer);
                    print(MessageKind::Error, &snippet, out)
                }
                _ => Err(error.into()),
            };
        }
    };
    let path = args.output_path();
    if is_standard(&path) {
        return Ok(out.write_raw(&bytes)?);
    }
    output::write_atomically(&path, &bytes)
}

/// Prints the bytes of the instructions of `-e`, each in a line. If a text has errors, nothing is printed but these.
fn print_bytes(args: &Asm, out: &mut Output) -> anyhow::Result<()> {
    let format = Format::new(args.dialect.of_files(), args.isa_version.unwrap_or_default());
    let text = args.expressions.join("\n") + "\n";
    let has_declarations = text.lines().any(|line| line.trim_start().starts_with(DECLARATION));
    let parsed = match has_declarations {
        true => with_declarations(&text, format)?,
        false => with_ids(&args.expressions, format),
    };
    let source =
        Source { name: "-e".into(), text: text.into_bytes().into(), start: Start::default() };
    let Parsed { instructions, diagnostics } = parsed;
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return report_errors(&[source], vec![(0, diagnostics)], out);
    }
    print_diagnostics(&source, &diagnostics, out)?;
    if instructions.is_empty() {
        bail!("there is no instruction in -e");
    }
    for instruction in instructions {
        let mut line = String::new();
        push_hex(&instruction.to_bytes(format)?, &mut line);
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The beginning of a line of `-e` that declares a name.
const DECLARATION: &str = ".decl";

/// The instructions of texts, and the errors and warnings.
struct Parsed {
    instructions: Vec<Instruction>,
    diagnostics: Diagnostics,
}

/// Parses texts with an instruction each, whose names are ids. Spans are those in the joined texts.
fn with_ids(texts: &[String], format: Format) -> Parsed {
    let (mut instructions, mut diagnostics, mut start) = (Vec::new(), Vec::new(), 0);
    for text in texts {
        match text::parse_instruction(text, format) {
            Ok(instruction) => instructions.push(instruction),
            Err(errors) => diagnostics.extend(errors.into_iter().map(|error| moved(error, start))),
        }
        start += text.len() as isize + 1;
    }
    Parsed { instructions, diagnostics: diagnostics.into_iter().collect() }
}

/// Parses instructions and the declarations of their names.
fn with_declarations(text: &str, format: Format) -> anyhow::Result<Parsed> {
    let is_other = |line: &&str| line.starts_with('.') && !line.starts_with(DECLARATION);
    if let Some(line) = text.lines().map(str::trim_start).find(is_other) {
        bail!("`{}` is neither a declaration nor an instruction", printable(line.trim_end()));
    }
    let head = format!(".version {}\n.kernel \"expression\"\n", format.version);
    let document = Document::parse(format!("{head}{text}"), format);
    let (module, diagnostics) = match document.into_result() {
        Ok(Document { module, warnings, .. }) => (Some(module), warnings),
        Err(errors) => (None, errors),
    };
    let routine = module.iter().flat_map(Module::routines).next();
    let instructions = routine.into_iter().flat_map(|routine| routine.instructions());
    let instructions: Result<Vec<_>, _> = instructions.map(|item| Ok(item?.1)).collect();
    let in_text = |diagnostic| moved(diagnostic, -(head.len() as isize));
    let diagnostics = diagnostics.into_iter().map(in_text).collect();
    Ok(Parsed { instructions: instructions.map_err(|error: Error| error)?, diagnostics })
}

/// Moves the span of a diagnostic.
fn moved(mut diagnostic: Diagnostic, by: isize) -> Diagnostic {
    let Range { start, end } = diagnostic.span;
    diagnostic.span = start.saturating_add_signed(by)..end.saturating_add_signed(by);
    diagnostic
}

/// Returns the span of text that an error in the tables refers to.
fn span_of(error: &Error, module: &Module<'_>, source_map: &SourceMap) -> Option<Range<usize>> {
    let path: Vec<PathSegment> = error.path().cloned().collect();
    let routine = path.iter().find_map(|segment| match segment {
        PathSegment::Routine { kind, name } => module
            .routines()
            .position(|routine| routine.kind == *kind && routine.name.to_string() == *name),
        _ => None,
    });
    source_map.span_of(routine?, &path)
}

/// Returns the message of an error without its offset, which refers to a file that does not exist,
/// and without the routine, which the snippet shows.
fn fields_and_kind(error: &Error) -> String {
    let fields = error.path().filter(|segment| matches!(segment, PathSegment::Field(_)));
    let fields: Vec<String> = fields.map(ToString::to_string).collect();
    format!("{}: {}", fields.join(", "), error.kind())
}

/// Returns the module with the GEN binaries of the kernels of the same names in another file.
fn with_gen_binaries_of<'f>(
    module: Module<'f>,
    file: &'f Input,
    args: &Asm,
    out: &mut Output,
) -> anyhow::Result<Module<'f>> {
    let other_name = &file.name;
    let other = file.module(args.dialect.of_files())?;
    let names: BTreeSet<_> = other.kernels.iter().map(|kernel| &kernel.name).collect();
    if let Some(kernel) = module.kernels.iter().find(|kernel| !names.contains(&kernel.name)) {
        bail!("{other_name}: no kernel `{}`", kernel.name);
    }
    for name in kernels_with_stale_binaries(&module, &other) {
        out.warn(format_args!(
            "kernel `{name}`: the GEN binaries in `{other_name}` were compiled from different vISA \
             code"
        ))?;
    }
    Ok(module.with_gen_binaries_of(&other))
}

/// Returns the names of the kernels whose vISA code differs from the kernel in `other` with
/// GEN binaries.
fn kernels_with_stale_binaries(module: &Module<'_>, other: &Module<'_>) -> Vec<Name> {
    // Kernels of the same name are paired in order, as in `Module::with_gen_binaries_of`.
    let mut by_name: BTreeMap<&Name, VecDeque<&Kernel<'_>>> = BTreeMap::new();
    for kernel in &other.kernels {
        by_name.entry(&kernel.name).or_default().push_back(kernel);
    }
    let is_stale = |kernel: &&Kernel<'_>| {
        let counterpart = by_name.get_mut(&kernel.name).and_then(VecDeque::pop_front);
        counterpart.is_some_and(|counterpart| {
            let (code, other_code) = (&kernel.body.code, &counterpart.body.code);
            !counterpart.gen_binaries.is_empty()
                && !is_same_code((code, module.format), (other_code, other.format))
        })
    };
    module.kernels.iter().filter(is_stale).map(|kernel| kernel.name.clone()).collect()
}

/// Returns whether two kernels have the same instructions, even if in different versions.
fn is_same_code(a: (&Code<'_>, Format), b: (&Code<'_>, Format)) -> bool {
    match (a.0, b.0) {
        (Code::Stripped { size, .. }, Code::Stripped { size: other, .. }) => size == other,
        (Code::Present { bytes, .. }, Code::Present { bytes: other, .. }) if a.1 == b.1 => {
            bytes == other
        }
        (Code::Present { .. }, Code::Present { .. }) => {
            let decoded = |(code, format): (&Code<'_>, Format)| {
                let instructions = code.instructions(format);
                instructions
                    .map(|item| item.map(|(_, instruction)| instruction))
                    .collect::<Vec<_>>()
            };
            decoded(a) == decoded(b)
        }
        _ => false,
    }
}
