//! The command-line arguments.

mod analysis;
mod check;
mod codec;
mod container;
mod shared;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::levels::RuleArgs;
use crate::output::{self, STDOUT_CLOSED_MESSAGE};
use crate::{input, is_standard};
pub use analysis::{Cfg, CfgFormat, Diff, Stats};
pub use check::{Check, ReportFormat, Verify};
pub use codec::{Asm, Dis, Explain, Fmt, Hex, Info, Roundtrip, TextStyle};
pub use container::{Extract, Pack};
pub use shared::{Color, DialectArg, platform_parser};

/// Disassemble, assemble, check and explain GEN vISA, the instruction set between Intel's GPU
/// compilers and their finalizer
#[derive(Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_long_help = "\
Exit codes:
  0  Success
  1  The input has an error, or an input or output failed
  2  The command line has an error, or check or diff cannot read a file

Examples:
  genvisa dis shader.isa               Print a file as text
  genvisa info shader.isa              Print its routines and tables
  genvisa explain shader.isa           Print the meaning of every byte
  genvisa verify shader.isa            Check it against the rules of vISA")]
pub struct Args {
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Parses the command line. If it has an error, prints the error and ends the program.
    pub fn from_command_line() -> Args {
        let mut command = Args::command();
        let matches = match command.try_get_matches_from_mut(std::env::args_os()) {
            Ok(matches) => matches,
            Err(error) => exit_with(&error),
        };
        let mut args = match Args::from_arg_matches(&matches) {
            Ok(args) => args,
            Err(error) => error.format(&mut command).exit(),
        };
        if let (Some(rules), Some((_, matches))) = (args.command.rules(), matches.subcommand()) {
            rules.sort_levels(matches);
        }
        if let Err(why) = args.command.check() {
            // The error is followed by the usage of the subcommand.
            let name = matches.subcommand_name().unwrap_or_default();
            let command = command.find_subcommand(name).unwrap_or(&command);
            command.clone().error(ErrorKind::ValueValidation, why).exit();
        }
        args
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Decode .isa files, encode them again and compare the bytes
    ///
    /// Prints one line per file and a summary. The exit code is 1 if the bytes of a file differ or
    /// if it cannot be read.
    #[command(after_long_help = "\
Examples:
  genvisa roundtrip shader.isa
  genvisa roundtrip kernels/*.isa      Check many files")]
    Roundtrip(Roundtrip),
    /// Print the version, routines, tables and opcode counts of a .isa or .visaasm file
    #[command(after_long_help = "\
Examples:
  genvisa info shader.isa
  genvisa info --json shader.isa | jq '.routines[].name'")]
    Info(Info),
    /// Print the meaning of every byte of a .isa file, or of instructions in hex
    #[command(after_long_help = "\
Examples:
  genvisa explain shader.isa
  genvisa explain --routine main --parts shader.isa
  genvisa explain shader.isa --html shader.html
  genvisa explain --hex '70 0a 03 0f 06 20 00 00 00 00 00 21 00 00 00 00 00'")]
    Explain(Explain),
    /// Disassemble a .isa file to .visaasm text
    ///
    /// Prints all routines in the order of the file. If an instruction cannot be decoded, the text
    /// up to it is printed, the error is reported, and the exit code is 1.
    ///
    /// With --output, nothing is written if a routine cannot be decoded; with --out-dir, the other
    /// routines are. A file that exists with different contents, such as edited text, is
    /// overwritten only with --force; without it, no file is written and the exit code is 1.
    #[command(after_long_help = "\
Examples:
  genvisa dis shader.isa
  genvisa dis shader.isa -o shader.visaasm
  genvisa dis shader.isa --routine main --offsets
  genvisa dis kernel.visaasm --pressure --liveness acc --liveness V35")]
    Dis(Dis),
    /// Assemble .visaasm text to a .isa file
    ///
    /// Several texts are assembled to one file. If a text has errors, all of them are reported and
    /// nothing is written.
    ///
    /// The version of the file is the version that the text states. If that version cannot encode
    /// the text, the first of 3.6 and 4.1 that is newer and can encode it is used, with a warning.
    ///
    /// Today's compiler writes text of version 4.2, which has no binary form. It is assembled as 3.6
    /// if 3.6 can encode it, and as 4.1 otherwise. If neither can, every statement without a binary
    /// form is reported; verify, fmt and info work on such text.
    #[command(after_long_help = "\
Examples:
  genvisa asm shader.visaasm                      Write shader.isa
  genvisa asm kernel.visaasm lib.visaasm -o out.isa
  genvisa dis a.isa | genvisa asm - -o b.isa --gen-binaries-of a.isa")]
    Asm(Asm),
    /// Format .visaasm text
    ///
    /// Prints the text in the layout and spelling of dis. Comments are removed.
    #[command(after_long_help = "\
Examples:
  genvisa fmt shader.visaasm
  genvisa fmt --no-numbers shader.visaasm > formatted.visaasm")]
    Fmt(Fmt),
    /// Check .isa or .visaasm files against the rules of vISA
    ///
    /// Prints the findings, each with its severity, rule, location, and the found and expected
    /// values. The exit code is 1 if a finding is an error.
    ///
    /// Rules of group igc are errors: the compiler refuses or miscompiles the code. Rules of group
    /// manual are warnings: the compiler accepts the code. In dialect manual, they are errors.
    #[command(after_long_help = "\
Examples:
  genvisa verify shader.isa
  genvisa verify --platform TGLLP --allow operand-bounds shader.visaasm
  genvisa verify --group igc,manual --deny warnings shader.isa
  genvisa verify --list                Print all rules")]
    Verify(Verify),
    /// Count instructions, messages and branches, and find where registers are used
    ///
    /// For one file, prints a table for each routine. For two files, prints the routines of the same
    /// name side by side, with the differences. For more files and for folders, prints a line for
    /// each routine. If a routine has an error, the error is reported, the others are printed, and
    /// the exit code is 1.
    ///
    /// Registers are counted before they are allocated: those that the live variables take; see
    /// --registers for their size. vISA contains no spills, which the finalizer adds later: scratch
    /// reads and writes are those of the compiler, such as accesses to private arrays. Registers
    /// above the number that a thread has (128, or 256 with large register files) are a sign of
    /// spills.
    ///
    /// With --json, the output is a list of objects, one for each routine. The fields `file`, `kind`,
    /// `routine`, `version`, `platform` (null if unknown) and `register_bytes` describe the routine;
    /// `totals`, `operations`, `kinds`, `messages`, `scratch`, `widths`, `control_flow`,
    /// `declarations` and `peak` contain the numbers of the table, and all variables that are live
    /// at the peak. `operations` and `kinds` omit counts of 0.
    #[command(after_long_help = "\
Examples:
  genvisa stats kernel.visaasm
  genvisa stats before.visaasm after.visaasm         Print the differences
  genvisa stats --routine main shader.isa
  genvisa stats dumps/ | sort -k4 -n                 Sort routines by pressure
  genvisa stats --json dumps/ | jq '.[] | {routine, registers: .peak.registers}'")]
    Stats(Stats),
    /// Draw the control flow of the routines of a .isa or .visaasm file
    ///
    /// Prints a graph for dot of Graphviz: a box for each basic block, with its instructions and the
    /// largest number of registers that are live in it, shaded by that number; and a frame around
    /// each loop. Blue arrows are branches, bold if they repeat a loop; violet ones are calls and
    /// returns. If all lanes branch, a dotted grey arrow leads to the block where other lanes wait.
    ///
    /// With --format tree, prints a line for each block.
    ///
    /// If a routine has an error, it is reported, the other routines are drawn, and the exit code
    /// is 1. With --output, nothing is written then.
    #[command(after_long_help = "\
Examples:
  genvisa cfg kernel.visaasm | dot -Tsvg -o kernel.svg
  genvisa cfg kernel.visaasm --format tree
  genvisa cfg shader.isa --routine main --all -o main.dot")]
    Cfg(Cfg),
    /// Check the inline vISA assembly of OpenCL C, SYCL, C++, LLVM IR and SPIR-V files
    ///
    /// Finds the inline assembly statements ("blocks") in the files, and prints the findings about
    /// each. In folders, all files with known suffixes are checked. The last line counts the blocks
    /// that were checked, checked in part, and not checked. The exit code is 1 if there is an error,
    /// and 2 if a file cannot be read.
    #[command(after_long_help = "\
Examples:
  genvisa check kernel.cl
  genvisa check --platform PVC --platform Xe2 --lanes 16 include/
  clang -E kernel.cl | genvisa check --as c -
  genvisa check --format sarif src > findings.sarif")]
    Check(Check),
    /// Compare two .isa or .visaasm files, or two folders of them
    ///
    /// Kernels and functions are matched by name, and their instructions aligned. If both files have
    /// one kernel, the two are compared even if their names differ. The names and numbers of
    /// variables, surfaces, samplers and labels, the order of declarations, comments and versions do
    /// not matter. Prints the differences as a unified diff in the names of A: each instruction is a
    /// line, and $n is the number of the first one in the text of dis.
    ///
    /// In folders, files with the suffixes .isa and .visaasm are matched by their path in the folder,
    /// and then by this path without the suffix. The exit code is 0 if everything is equal, 1 if
    /// there are differences, and 2 if a file or routine cannot be read.
    #[command(after_long_help = "\
Examples:
  genvisa diff old.visaasm new.visaasm
  genvisa diff -U 0 shader.isa shader.visaasm
  genvisa diff dumps-of-2.39/ dumps-of-2.40/ | less -R
  genvisa diff --json a.isa b.isa | jq '.[].routine'")]
    Diff(Diff),
    /// Find .isa objects and .visaasm texts in libraries, programs, archives and C sources
    ///
    /// An object is found by its magic, wherever it is in a file, and proved by decoding it up to its
    /// end. Texts are the .visaasm sections of device binaries (zebin), which may be embedded in other
    /// files. In C sources, arrays of integers are searched. In folders, all files are.
    ///
    /// Writes each object and text to <FILE>-<N>.isa or <FILE>-<N>.visaasm, where <N> is its number in
    /// the file. With --list, only lists them: number, offset, size, version, the start of the SHA-256,
    /// and the section, symbol and routines. Other commands read such a part of a file by its number
    /// or by a routine: `genvisa dis lib.so!3` or `genvisa dis lib.so --routine NAME`.
    ///
    /// Objects that cannot be read are reported. Device binaries that contain only machine code are
    /// counted. The exit code is 1 if nothing was found, or if there was an error.
    #[command(after_long_help = "\
Examples:
  genvisa extract --list /usr/lib/x86_64-linux-gnu/libmfxhw64.so.1
  genvisa extract libmfxhw64.so.1 -o kernels
  genvisa extract --list --json kernel.bin | jq '.[].objects[].routines'")]
    Extract(Extract),
    /// Put changed .isa or .visaasm files back into the file that contains them
    ///
    /// NEW are files that extract has written to, or folders with them: their names contain the number
    /// of the object. A file of another name replaces the object that FILE!N names, or the only one.
    /// A text that replaces a .isa object is assembled in the version of that object.
    ///
    /// An object that is smaller than the old one is followed by zeros. A larger one is an error, except
    /// that a .visaasm section may be moved to the end of a device binary. Everything else in the file
    /// stays as it is. OUT is written only if all objects fit.
    #[command(after_long_help = "\
Examples:
  genvisa extract lib.so -o kernels
  genvisa dis kernels/lib.so-3.isa -o kernels/lib.so-3.visaasm
  (edit kernels/lib.so-3.visaasm)
  genvisa pack 'lib.so!3' kernels/lib.so-3.visaasm -o new/lib.so")]
    Pack(Pack),
}

/// Prints an error of clap, or the help or version that it represents, and ends the program.
fn exit_with(error: &clap::Error) -> ! {
    let code = error.exit_code();
    if error.use_stderr() {
        // Ignore that standard error may be closed.
        let _ = error.print();
        std::process::exit(code);
    }
    if output::is_stdout_closed() {
        let _ = writeln!(io::stderr(), "genvisa: {STDOUT_CLOSED_MESSAGE}");
        std::process::exit(1);
    }
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "genvisa: {failure}");
            std::process::exit(1)
        }
        _ => std::process::exit(code),
    }
}

impl Command {
    /// Returns the options that choose rules, if the command has them.
    fn rules(&mut self) -> Option<&mut RuleArgs> {
        match self {
            Command::Verify(command) => Some(&mut command.rules),
            Command::Check(command) => Some(&mut command.rules),
            _ => None,
        }
    }

    /// Checks that standard input is read once and that the output is not an input.
    fn check(&self) -> Result<(), String> {
        if matches!(self, Command::Dis(dis) if dis.has_margin() && dis.style == TextStyle::Reference)
        {
            return Err("--pressure and --liveness change the text; use --style faithful".into());
        }
        let inputs = self.inputs();
        if inputs.iter().filter(|path| is_standard(path)).count() > 1 {
            return Err("standard input can be read only once".into());
        }
        let Some(output) = self.output() else { return Ok(()) };
        let files: Vec<PathBuf> = inputs.iter().map(|path| input::split_choice(path).0).collect();
        let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        match input::same_as(&output, &files) {
            // A .isa file instead of a text is reported when it is read, before anything is
            // written.
            Some(same) if self.reads_as_text(same) && input::is_object_file(same) => Ok(()),
            Some(same) => Err(input::output_is_input(&output, same)),
            None => Ok(()),
        }
    }

    /// Returns whether the command reads an input as text.
    fn reads_as_text(&self, input: &Path) -> bool {
        matches!(self, Command::Asm(asm) if asm.files.iter().any(|file| file == input))
    }

    /// Returns the files that the command reads, with `-` for standard input.
    fn inputs(&self) -> Vec<&Path> {
        let (files, other): (&[PathBuf], Option<&PathBuf>) = match self {
            Command::Roundtrip(command) => (&command.files, None),
            Command::Info(command) => (std::slice::from_ref(&command.file), None),
            Command::Explain(command) => {
                let is_stdin = matches!(command.hex, Some(Hex::Stdin));
                return match &command.file {
                    Some(file) => vec![file],
                    None if is_stdin => vec![Path::new("-")],
                    None => Vec::new(),
                };
            }
            Command::Dis(command) => (std::slice::from_ref(&command.file), None),
            Command::Asm(command) => (&command.files, command.gen_binaries_of.as_ref()),
            Command::Fmt(command) => (&command.files, None),
            Command::Verify(command) => (&command.files, None),
            Command::Stats(command) => (&command.files, None),
            Command::Cfg(command) => (std::slice::from_ref(&command.file), None),
            Command::Check(command) => (&command.files, None),
            Command::Diff(command) => (std::slice::from_ref(&command.a), Some(&command.b)),
            Command::Extract(command) => (&command.files, None),
            Command::Pack(command) => (&command.new, Some(&command.file)),
        };
        files.iter().chain(other).map(PathBuf::as_path).collect()
    }

    /// Returns the file that the command writes, with `-` for standard output, or `None` if the
    /// names depend on the input.
    fn output(&self) -> Option<PathBuf> {
        match self {
            Command::Asm(command) => Some(command.output_path()),
            Command::Dis(command) if command.out_dir.is_some() => None,
            Command::Dis(Dis { output: Some(path), .. }) => Some(path.clone()),
            Command::Cfg(Cfg { output: Some(path), .. }) => Some(path.clone()),
            Command::Explain(Explain { html: Some(path), .. }) => Some(path.clone()),
            Command::Pack(command) => Some(command.output.clone()),
            _ => Some("-".into()),
        }
    }
}
<<<<<<< HEAD

#[derive(ClapArgs)]
pub struct Roundtrip {
    /// .isa files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Info {
    /// A .isa or .visaasm file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
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
    /// Decode the bytes of --hex in this vISA version [default: 3.6]
    #[arg(long, value_name = "M.m", conflicts_with = "file", value_parser = version_of_files)]
    pub isa_version: Option<Version>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Dis {
    /// A .isa file, or - for standard input; with --pressure or --liveness, also a .visaasm file
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
    #[arg(long, value_name = "STYLE", default_value = "faithful")]
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
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Dis {
    /// Returns whether there are columns to the left of the instructions.
    pub fn has_margin(&self) -> bool {
        self.pressure || !self.liveness.is_empty()
    }
}

#[derive(ClapArgs)]
pub struct Asm {
    /// .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write to this file, or to standard output with - [default: the first FILE with extension
    /// .isa]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// vISA version of the file [default: the version that the text states; 3.6 or 4.1 if that has
    /// no binary form]
    #[arg(long, value_name = "M.m", value_parser = version_of_files)]
    pub isa_version: Option<Version>,
    /// Copy the GEN binaries (machine code) of the kernels from this .isa file. Text does not
    /// contain them
    #[arg(long, value_name = "ISA")]
    pub gen_binaries_of: Option<PathBuf>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Asm {
    /// Returns the path of the file to write.
    pub fn output_path(&self) -> PathBuf {
        match (&self.output, &self.files[0]) {
            (Some(path), _) => path.clone(),
            (None, first) if is_standard(first) => first.clone(),
            (None, first) => first.with_extension("isa"),
        }
    }
}

#[derive(ClapArgs)]
pub struct Fmt {
    /// .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Do not number instructions
    #[arg(long)]
    pub no_numbers: bool,
}

#[derive(ClapArgs)]
pub struct Verify {
    /// .isa or .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub files: Vec<PathBuf>,
    /// Print all rules and exit
    #[arg(long, conflicts_with = "files")]
    pub list: bool,
    /// Also apply the rules of this platform [default: the platform that a comment of a text states]
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser(), ignore_case = true)]
    pub platform: Option<Platform>,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Read .visaasm files as this vISA version [default: 4.2 if the text states it, otherwise as
    /// asm does]
    #[arg(long, value_name = "M.m")]
    pub isa_version: Option<Version>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Stats {
    /// .isa or .visaasm files, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Print only the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    #[command(flatten)]
    pub registers: RegisterArgs,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Cfg {
    /// A .isa or .visaasm file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write to this file, or to standard output with - [default: -]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw only the routine of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    pub format: CfgFormat,
    /// The number of instructions of a block that are printed
    #[arg(long, value_name = "N", default_value = "16")]
    pub lines: usize,
    /// Print all instructions
    #[arg(long, conflicts_with = "lines")]
    pub all: bool,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CfgFormat {
    /// A graph for Graphviz
    Dot,
    /// A line for each block, indented by loops
    Tree,
}

#[derive(ClapArgs)]
pub struct Check {
    /// Source files, folders, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub files: Vec<PathBuf>,
    /// Check for this platform (can be repeated) [default: Xe2]
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser(), ignore_case = true)]
    pub platform: Vec<Platform>,
    /// The number of lanes (work-items per thread) of functions without an attribute that states it:
    /// 8, 16 or 32
    #[arg(long, value_name = "N")]
    pub lanes: Option<Lanes>,
    /// The part of the compiler that compiles the files [default: derived from attributes, suffixes
    /// and constraints]
    #[arg(long, value_name = "PATH")]
    pub path: Option<CompilerPath>,
    /// The type of an operand whose type is not known, such as 0=float8 (can be repeated)
    #[arg(long, value_name = "N=TYPE", value_parser = parse_operand)]
    pub operand: Vec<(usize, Type)>,
    /// The language of the files [default: derived from suffixes or contents]
    #[arg(long = "as", value_name = "LANGUAGE")]
    pub language: Option<SourceLanguage>,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Print all rules and exit
    #[arg(long, conflicts_with = "files")]
    pub list: bool,
    /// Set the exit code to 1 also if a block was checked only in part or not read
    #[arg(long)]
    pub strict: bool,
    /// Print which facts about each block are not known
    #[arg(long, short)]
    pub verbose: bool,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    pub format: ReportFormat,
    /// Print as JSON: short for --format json
    #[arg(long)]
    pub json: bool,
}

impl Check {
    /// Returns the format of the output.
    pub fn report_format(&self) -> ReportFormat {
        if self.json { ReportFormat::Json } else { self.format }
    }
}

#[derive(ClapArgs)]
pub struct Diff {
    /// A .isa or .visaasm file, a folder, or - for standard input
    pub a: PathBuf,
    /// The file or folder to compare with
    pub b: PathBuf,
    /// The number of unchanged instructions before and after each change
    #[arg(long, short = 'U', value_name = "N", default_value_t = 3)]
    pub unified: usize,
    /// Ignore LOC and FILE, the debug information in the instructions
    #[arg(long)]
    pub ignore_locations: bool,
    /// Print as JSON: a list of the differences, which is empty if there are none
    #[arg(long)]
    pub json: bool,
    /// Print only the differences of the code, not those of the statistics
    #[arg(long)]
    pub no_stats: bool,
    #[command(flatten)]
    pub registers: RegisterArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Extract {
    /// Files of any kind, folders, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write the objects and texts to files in this folder
    #[arg(long, short = 'o', value_name = "DIR", default_value = ".")]
    pub out_dir: PathBuf,
    /// Only list the objects and texts
    #[arg(long, short, conflicts_with = "out_dir")]
    pub list: bool,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
    /// Overwrite existing files that have different contents
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Pack {
    /// The file with the objects; FILE!N or FILE!ROUTINE chooses one
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Changed .isa or .visaasm files, or folders that extract has written to
    #[arg(value_name = "NEW", required = true)]
    pub new: Vec<PathBuf>,
    /// Write to this file, or to standard output with -
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CompilerPath {
    /// OpenCL C and SYCL: a kernel is the program of one work-item
    Simt,
    /// The vector compiler: ESIMD and CM
    Vc,
}

impl From<CompilerPath> for inline::Path {
    fn from(path: CompilerPath) -> inline::Path {
        match path {
            CompilerPath::Simt => inline::Path::Simt,
            CompilerPath::Vc => inline::Path::Vc,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum SourceLanguage {
    /// C, C++, OpenCL C or SYCL
    C,
    /// LLVM IR as text
    Llvm,
    /// SPIR-V
    Spirv,
}

impl From<SourceLanguage> for Language {
    fn from(language: SourceLanguage) -> Language {
        match language {
            SourceLanguage::C => Language::C,
            SourceLanguage::Llvm => Language::Llvm,
            SourceLanguage::Spirv => Language::Spirv,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text with the lines that findings refer to
    Text,
    /// JSON: a list of files
    Json,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

fn parse_operand(argument: &str) -> Result<(usize, Type), String> {
    let expected = "expected N=TYPE, such as 0=float8";
    let (number, ty) = argument.split_once('=').ok_or(expected)?;
    let number = number.trim_start_matches(['%', '$']).parse().map_err(|_| expected)?;
    Ok((number, ty.parse().map_err(|error: genvisa::ErrorKind| error.to_string())?))
}

/// Parses a version with a binary form.
fn version_of_files(version: &str) -> Result<Version, String> {
    let version: Version =
        version.parse().map_err(|error: genvisa::ErrorKind| error.to_string())?;
    match version.has_binary_form() {
        true => Ok(version),
        false => Err(genvisa::ErrorKind::TextOnly { version }.to_string()),
    }
}

pub fn platform_parser() -> impl TypedValueParser<Value = Platform> {
    let names = Platform::ALL.iter().map(|platform| platform.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Platform>())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextStyle {
    /// Complete: information that the language cannot express is in comments (`//@`)
    Faithful,
    /// Byte for byte the output of GenX_IR 1.0.12504.6
    Reference,
}

impl From<TextStyle> for Style {
    fn from(style: TextStyle) -> Style {
        match style {
            TextStyle::Faithful => Style::Faithful,
            TextStyle::Reference => Style::Reference,
        }
    }
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

#[derive(ClapArgs)]
pub struct DialectArg {
    /// Dialect of the format: manual (the five instruction documents), igc2022 (the 2022 compiler)
    /// or igc2026 (today's compiler) [default: igc2022; for text of version 4.2, igc2026]
    #[arg(long, value_name = "DIALECT")]
    pub dialect: Option<Dialect>,
}

impl DialectArg {
    /// Returns the dialect of files.
    pub fn of_files(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// Returns [`Format::V4_2`] if a text that is not written to a file is read in this format,
    /// because it is requested or the text states it. Returns `None` for other texts, which are
    /// read as `asm` does.
    pub fn of_text(&self, text: &[u8], requested: Option<Version>) -> Option<Format> {
        let is_text_only = requested.map_or_else(
            || genvisa::text::format_of(text) == Format::V4_2,
            |version| !version.has_binary_form(),
        );
        let dialect = self.dialect.unwrap_or(Dialect::Igc2026);
        (is_text_only && dialect == Dialect::Igc2026).then_some(Format::V4_2)
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// If standard output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    pub fn into_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}
=======
>>>>>>> cli21
