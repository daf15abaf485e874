//! `genvisa dis`: prints files as text.

mod color;
mod iga;
mod machine;
mod margin;
mod source;

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use clap::ValueEnum;
use genvisa::Platform;
use genvisa::object::Routine;
use genvisa::text::Style;
use genvisa::text::{FileListing, Listing, PrintError};

use super::{CommandLine, Run};
use crate::finalizer_asm::{FinalizerAsm, MachineCode, beside};
use crate::input::choice::split_choice;
use crate::input::open_one;
use crate::input::same_file::output_is_input;
use crate::input::same_file::same_as;
use crate::modules::load::{Loaded, load};
use crate::modules::omitted::check_output;
use crate::modules::routines::routines;
use crate::options::{AsmArgs, DialectArg, RegisterArgs};
use crate::output::{Batch, Output, UsageError};
use crate::source_files::SourceFiles;
use crate::words::{is_standard, shown};
use machine::MachineColumn;
use margin::Margin;
use source::SourceComments;

/// Disassemble a .isa file to .visaasm text
///
/// Prints all routines in the order of the file. If an instruction cannot be decoded, the text
/// up to it is printed and the error is reported.
///
/// With --output, nothing is written if a routine cannot be decoded; with --out-dir, the other
/// routines are. A file that exists with different contents, such as edited text, is
/// overwritten only with --force; without it, no file is written.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa dis tests/data/tour.isa
  genvisa dis shader.isa -o shader.visaasm
  genvisa dis shader.isa --routine main --offsets
  genvisa dis tests/data/collatz.visaasm --pressure --liveness steps
  genvisa dis kernel.visaasm --source --source-root src/
  genvisa dis kernel.bin --machine-code              Needs iga64")]
pub struct Dis {
    /// A .isa file, or - for standard input; with --pressure, --liveness, --source or --asm, also
    /// a .visaasm file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write all routines to this file, or to standard output with - [default: -]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Write each routine to a file <index>-<name>.visaasm in this folder. Information about the
    /// file as a whole, such as file-scope variables, is not written
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub out_dir: Option<PathBuf>,
    /// Overwrite existing files that have different contents
    #[arg(long)]
    pub force: bool,
    /// Style of the text
    #[arg(long, value_name = "STYLE", default_value = "complete")]
    pub style: TextStyle,
    /// Print the file offset and the bytes before each instruction
    #[arg(long)]
    pub offsets: bool,
    /// Do not number instructions, so that a diff of two texts shows only changed lines
    #[arg(long)]
    pub no_numbers: bool,
    /// Print only the routine of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// Print the number of live registers before each instruction, as a comment. FILE may be text,
    /// too
    #[arg(long)]
    pub pressure: bool,
    /// Mark the instructions at which a variable is live, in a comment before each instruction: a
    /// name of the text, or an id such as V32, A0 or P1 (can be repeated). FILE may be text, too
    #[arg(long, value_name = "NAME")]
    pub liveness: Vec<String>,
    /// Print the source lines of the instructions that follow as comments, where LOC and FILE
    /// change them: file, line and, if the file is found, the text. FILE may be text, too
    #[arg(long)]
    pub source: bool,
    /// Look for source files in this folder: under the end of their names, the longest first, and
    /// then where FILE states, below the current folder or the folder of the input
    #[arg(long, value_name = "DIR", requires = "source")]
    pub source_root: Option<PathBuf>,
    /// Print the kernels of device binaries with their machine code, as Intel's disassembler iga64 prints it:
    /// the program in PATH, or IGA64
    #[arg(
        long,
        value_name = "IGA64",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "iga64",
        conflicts_with_all = [
            "output", "out_dir", "style", "offsets", "no_numbers", "pressure", "liveness", "source", "asm",
            "registers", "force", "dialect",
        ]
    )]
    pub machine_code: Option<PathBuf>,
    #[command(flatten)]
    pub asm: AsmArgs,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Dis {
    /// Returns whether there are comments before the instructions.
    pub fn has_comments(&self) -> bool {
        self.source || self.has_margin() || self.asm.is_present()
    }

    /// Returns whether there are columns with registers.
    fn has_margin(&self) -> bool {
        self.pressure || !self.liveness.is_empty()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextStyle {
    /// All of a file: information that the language cannot express is in comments (`//@`)
    Complete,
    /// Byte for byte the output of GenX_IR 1.0.12504.6
    #[value(name = "genx-ir")]
    GenXIr,
}

impl From<TextStyle> for Style {
    fn from(style: TextStyle) -> Style {
        match style {
            TextStyle::Complete => Style::Complete,
            TextStyle::GenXIr => Style::GenXIr,
        }
    }
}

impl Run for Dis {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        [self.file.as_path()].into_iter().chain(self.asm.files()).collect()
    }

    fn output(&self) -> Option<PathBuf> {
        match (&self.out_dir, &self.output) {
            (Some(_), _) => None,
            (None, output) => Some(output.clone().unwrap_or_else(|| "-".into())),
        }
    }

    fn check(&self) -> Result<(), String> {
        self.asm.check(&[&self.file])?;
        match self.has_comments() && self.style == TextStyle::GenXIr {
            true => {
                let options = "--pressure, --liveness, --source and --asm";
                Err(format!("{options} change the text; use --style complete"))
            }
            false => Ok(()),
        }
    }
}

fn run(args: &Dis, out: &mut Output) -> anyhow::Result<()> {
    if let Some(iga64) = &args.machine_code {
        return iga::print(args, iga64, out);
    }
    let input = open_one(&args.file, args.routine.as_ref(), &args.dialect)?;
    let name = &input.name;
    // Only the comments apply to text, too.
    if !args.has_comments() {
        input.check_object()?;
    }
    let Some(loaded) = load(&input, &args.dialect, out)? else { return Ok(()) };
    let is_unread = loaded.is_unread();
    let Loaded { module, platform, omitted } = loaded;
    check_output(name, args.output.as_deref(), !omitted.is_empty())?;
    if is_unread {
        return Ok(());
    }
    if args.has_margin() {
        args.registers.warn_of_assumption(name, &module, platform, out)?;
    }
    let listing = FileListing::new(&module)
        .with_style(args.style.into())
        .with_offsets(args.offsets)
        .with_numbers(!args.no_numbers);
    let routine_listings = listing.routines().collect();
    let routines = routines(&module, &omitted, name, args.routine.as_ref())?;
    margin::check_names(&args.liveness, name, &routines)?;
    let has_head = args.routine.is_none();
    let sources = SourceFiles::new(args.source_root.as_ref(), [&args.file]);
    let asm = FinalizerAsm::of_input(&args.asm, 0, &args.file, false)?;
    let machine_code = match &asm {
        Some(asm) => {
            // The files that the user names are inputs of the command line.
            let beside = beside(&args.file);
            let is_input = args.asm.files().next().is_none();
            let output = args.output.as_ref().filter(|_| is_input);
            let output = output.filter(|output| same_as(output, &[&beside]).is_some());
            if let Some(output) = output {
                return Err(UsageError(output_is_input(output, &beside)).into());
            }
            asm.check(name, &module, platform, out)?;
            machine_code(asm, &routines)?
        }
        None => Vec::new(),
    };
    let text = Text {
        name,
        listing,
        has_head,
        routine_listings,
        routines,
        platform,
        sources,
        machine_code,
        args,
    };
    match (&args.out_dir, &args.output) {
        (Some(folder), _) => text.write_folder(folder, args, out),
        (None, Some(path)) if !is_standard(path) => text.write_file(path, args.force, out),
        _ => text.print(out),
    }
}

/// Returns the machine code of each routine. Routines that cannot be decoded have none.
fn machine_code(
    asm: &FinalizerAsm,
    routines: &[(usize, Routine<'_, '_>)],
) -> anyhow::Result<Vec<Option<MachineCode>>> {
    let code = |(_, routine): &(usize, Routine<'_, '_>)| {
        let instructions: genvisa::Result<Vec<_>> = routine.instructions().collect();
        instructions.map_or(Ok(None), |instructions| asm.machine_code(routine, instructions.len()))
    };
    routines.iter().map(code).collect()
}

/// The selected routines of a file, to be printed as text.
struct Text<'t, 'm, 'a> {
    /// The name of the file.
    name: &'t str,
    listing: FileListing<'m, 'a>,
    /// Whether the head of the file is printed too, which belongs to no routine.
    has_head: bool,
    /// The listings of all routines, selected or not.
    routine_listings: Vec<Listing<'m, 'a>>,
    /// The routines to print, with their indices in `routine_listings`.
    routines: Vec<(usize, Routine<'m, 'a>)>,
    /// The platform that a text states.
    platform: Option<Platform>,
    sources: SourceFiles,
    /// The machine code of each of `routines`; empty if the user requests none.
    machine_code: Vec<Option<MachineCode>>,
    args: &'t Dis,
}

impl Text<'_, '_, '_> {
    /// Prints the routines up to the first error in each.
    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        if self.has_head {
            let mut head = String::new();
            // Writing to a string never fails, and a module that was read can be printed.
            let _ = self.listing.write_head_to(&mut head);
            out.write_inert(&head)?;
        }
        for (position, (_, routine)) in self.routines.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            if let Some(error) = self.print_routine(position, routine, out)? {
                out.report_error(format_args!("{}: {error}", self.name))?;
            }
        }
        Ok(())
    }

    /// Writes the routines to a file, unless one of them cannot be decoded.
    fn write_file(&self, path: &Path, force: bool, out: &mut Output) -> anyhow::Result<()> {
        if path.is_dir() {
            let path = shown(path);
            bail!("cannot write `{path}` (use --out-dir to write to a folder): is a directory");
        }
        let mut result = Ok(());
        let mut batch = Batch::default();
        batch.add_with(path, |file| {
            let mut text = TextFile { file, error: None };
            result = self.write_to(&mut text);
            text.error.map_or(Ok(()), Err)
        })?;
        if let Err(error) = result {
            let path = shown(path);
            out.report_error(format_args!("{}: {error}; `{path}` was not written", self.name))?;
            return Ok(());
        }
        batch.commit(force)
    }

    fn write_to(&self, out: &mut impl fmt::Write) -> Result<(), PrintError> {
        if self.has_head {
            self.listing.write_head_to(out)?;
        }
        for (position, (index, routine)) in self.routines.iter().enumerate() {
            if position > 0 {
                out.write_str("\n")?;
            }
            self.write_routine(position, self.listing(position, *index), routine, out)?;
        }
        Ok(())
    }

    /// Returns the listing of a routine at a position of a text. In the complete style, a text states
    /// its version once, as compilers require.
    fn listing(&self, position: usize, index: usize) -> Listing<'_, '_> {
        let is_first = position == 0 || self.args.style == TextStyle::GenXIr;
        self.routine_listings[index].with_version(is_first)
    }

    /// Writes the routine of a position, with the comments that the user requests.
    fn write_routine(
        &self,
        position: usize,
        listing: Listing<'_, '_>,
        routine: &Routine<'_, '_>,
        out: &mut impl fmt::Write,
    ) -> Result<(), PrintError> {
        if !self.args.has_comments() {
            return listing.write_to(out);
        }
        let instructions =
            routine.instructions().map(|item| item.map(|(_, instruction)| instruction));
        let Ok(instructions) = instructions.collect::<genvisa::Result<Vec<_>>>() else {
            // Without comments: the listing ends with the same error.
            return listing.write_to(out);
        };
        let Dis { pressure, liveness, .. } = self.args;
        let source = self.args.source;
        let source = source.then(|| SourceComments::new(&instructions, routine, &self.sources));
        let margin = self.args.has_margin().then(|| {
            let registers = self.args.registers.size(self.platform, routine.body);
            Margin::new(*pressure, liveness, instructions, routine, registers)
        });
        let machine = self.machine_code.get(position).and_then(Option::as_ref);
        let machine = machine.map(MachineColumn::new);
        out.write_str(margin.as_ref().map_or("", |margin| &margin.legend))?;
        out.write_str(machine.as_ref().map_or("", |machine| &machine.legend))?;
        listing.write_with_margin_to(out, |at, text| {
            source.iter().for_each(|comments| comments.print(at, text));
            margin.iter().for_each(|margin| margin.print(at, text));
            machine.iter().for_each(|machine| machine.print(at, text));
        })
    }

    /// Prints a routine up to the first error in its code, and returns that error.
    fn print_routine(
        &self,
        position: usize,
        routine: &Routine<'_, '_>,
        out: &mut Output,
    ) -> io::Result<Option<genvisa::Error>> {
        let listing = self.listing(position, self.routines[position].0);
        let color = out.has_color();
        let mut sink = Sink { out, color, line: String::new(), error: None };
        let result = self.write_routine(position, listing, routine, &mut sink);
        sink.finish();
        match (sink.error, result) {
            (Some(error), _) => Err(error),
            (None, Err(PrintError::Code(error))) => Ok(Some(error)),
            (None, _) => Ok(None),
        }
    }

    /// Writes a file for each routine that can be decoded.
    fn write_folder(&self, folder: &Path, args: &Dis, out: &mut Output) -> anyhow::Result<()> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create folder `{}`", shown(folder)))?;
        let mut batch = Batch::default();
        for (position, (index, routine)) in self.routines.iter().enumerate() {
            let path = folder.join(file_name(*index, routine));
            let (input, _) = split_choice(&args.file);
            if same_as(&path, &[&input]).is_some() {
                let message = output_is_input(&path, &input);
                return Err(UsageError(message).into());
            }
            let mut text = String::new();
            let listing = self.routine_listings[*index];
            match self.write_routine(position, listing, routine, &mut text) {
                Ok(()) => {
                    batch.add(&path, text.as_bytes())?;
                }
                Err(error) => {
                    let path = shown(&path);
                    let name = self.name;
                    out.report_error(format_args!("{name}: {error}; `{path}` was not written"))?;
                }
            }
        }
        batch.commit(args.force)
    }
}

/// A file with a text, which keeps its first error.
struct TextFile<'f> {
    file: &'f mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for TextFile<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.file.write_all(text.as_bytes()).map_err(|error| {
            self.error.get_or_insert(error);
            fmt::Error
        })
    }
}

/// Returns `<index>-<name>.visaasm`. Characters of the name other than ASCII letters, digits, `.`,
/// `_` and `-` become `_`.
fn file_name(index: usize, routine: &Routine<'_, '_>) -> String {
    const MAX_LEN: usize = 100;
    let replace = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = routine.name.to_string_lossy().chars().map(replace).take(MAX_LEN).collect();
    format!("{index}-{name}.visaasm")
}

/// Adapts standard output to `fmt::Write`, adds colors and keeps the first error.
struct Sink<'o> {
    out: &'o mut Output,
    color: bool,
    /// The incomplete last line. Only used with colors, which apply to complete lines.
    line: String,
    error: Option<io::Error>,
}

impl Sink<'_> {
    fn finish(&mut self) {
        if !self.line.is_empty() {
            let line = color::line(&self.line);
            self.put(&line);
        }
    }

    fn put(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = if self.color {
                self.out.write_all(text.as_bytes()).err()
            } else {
                self.out.write_inert(text).err()
            };
        }
    }
}

impl fmt::Write for Sink<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.color {
            self.put(text);
        } else {
            for part in text.split_inclusive('\n') {
                self.line.push_str(part);
                if let Some(line) = self.line.strip_suffix('\n') {
                    let line = color::line(line) + "\n";
                    self.line.clear();
                    self.put(&line);
                }
            }
        }
        // After an error, such as a closed pipe, stop printing.
        if self.error.is_some() { Err(fmt::Error) } else { Ok(()) }
    }
}
