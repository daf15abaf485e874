//! The command-line arguments.

mod analysis;
mod check;
mod codec;
mod container;
mod exit;
mod shared;
mod tool;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::levels::RuleArgs;
use crate::output::{self, STDOUT_CLOSED_MESSAGE, Verbosity};
use crate::{input, is_standard};
pub use analysis::{Cfg, CfgFormat, Diff, Stats};
pub use check::{Check, ReportFormat, Verify};
pub use codec::{Asm, Dis, Explain, Fmt, Hex, Info, Roundtrip, TextStyle};
pub use container::{Extract, Pack};
pub use shared::{Color, DialectArg, platform_parser};
pub use tool::{Completions, Man};

/// Disassemble, assemble, check and explain GEN vISA, the instruction set between Intel's GPU
/// compilers and their finalizer
#[derive(Parser)]
#[command(name = "genvisa", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_long_help = "\
Environment:
  RAYON_NUM_THREADS  Number of threads of check, diff, roundtrip and verify [default: all cores]

Examples:
  genvisa dis shader.isa               Print a file as text
  genvisa info shader.isa              Print its routines and tables
  genvisa explain shader.isa           Print the meaning of every byte
  genvisa verify shader.isa            Check it against the rules of vISA")]
pub struct Args {
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no report, warnings or progress: only errors, and output that is requested, such as text or
    /// JSON
    #[arg(long, short, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// Returns what is printed besides errors.
    pub fn verbosity(&self) -> Verbosity {
        match self.quiet {
            false => Verbosity::All,
            true if self.command.prints_report() => Verbosity::NoReport,
            true => Verbosity::NoWarnings,
        }
    }

    /// Parses the command line. If it has an error, prints the error and ends the program.
    pub fn from_command_line() -> Args {
        let mut command = command();
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
    /// Prints one line per file and a summary.
    #[command(after_long_help = "\
Examples:
  genvisa roundtrip shader.isa
  genvisa roundtrip kernels/*.isa      Check many files")]
    Roundtrip(Roundtrip),
    /// Print the version, routines, tables and opcode counts of a .isa or .visaasm file
    #[command(after_long_help = "\
Examples:
  genvisa info shader.isa
  genvisa info --json shader.isa | jq '.[].routines[].name'")]
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
    /// up to it is printed and the error is reported.
    ///
    /// With --output, nothing is written if a routine cannot be decoded; with --out-dir, the other
    /// routines are. A file that exists with different contents, such as edited text, is
    /// overwritten only with --force; without it, no file is written.
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
    /// values.
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
    /// each routine. If a routine has an error, the error is reported and the others are printed.
    ///
    /// Registers are counted before they are allocated: those that the live variables take; see
    /// --registers for their size. vISA contains no spills, which the finalizer adds later: scratch
    /// reads and writes are those of the compiler, such as accesses to private arrays. Registers
    /// above the number that a thread has (128, or 256 with large register files) are a sign of
    /// spills.
    ///
    /// With --json, the output is a list of objects, one for each routine, with the numbers of the
    /// table, and all variables that are live at the peak.
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
    /// If a routine has an error, it is reported and the other routines are drawn. With --output,
    /// nothing is written then.
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
    /// that were checked, checked in part, and not checked.
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
    /// and then by this path without the suffix.
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
    /// counted.
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
    /// Print a script that completes the command line in a shell
    #[command(after_long_help = "\
Examples:
  source <(genvisa completions bash)
  genvisa completions zsh > ~/.zfunc/_genvisa")]
    Completions(Completions),
    /// Print the manual page, or write a page for each command to a folder
    #[command(after_long_help = "\
Examples:
  genvisa man | man -l -
  genvisa man -o ~/.local/share/man/man1     Then: man genvisa-dis")]
    Man(Man),
    /// Print the JSON Schema of the output of all commands with --json
    ///
    /// The definition of a command has its name: `genvisa stats --json` prints `#/$defs/stats`.
    Schema,
}

/// Returns the command line as clap describes it, with the exit codes in the help of each command.
pub fn command() -> clap::Command {
    let with_exit_codes = |command: clap::Command, name: Option<&str>| {
        let codes = exit::help(name);
        let help = command
            .get_after_long_help()
            .map_or(codes.clone(), |help| format!("{codes}\n\n{help}"));
        command.after_long_help(help)
    };
    with_exit_codes(Args::command(), None).mut_subcommands(|command| {
        let name = command.get_name().to_string();
        with_exit_codes(command, Some(&name))
    })
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

    /// Returns whether the text on standard output only reports what the exit code summarizes, unless
    /// the user requests a list.
    fn prints_report(&self) -> bool {
        match self {
            Command::Verify(command) => !command.list,
            Command::Check(command) => !command.list,
            Command::Extract(command) => !command.list,
            Command::Roundtrip(_) | Command::Stats(_) | Command::Diff(_) | Command::Pack(_) => true,
            Command::Info(_)
            | Command::Explain(_)
            | Command::Dis(_)
            | Command::Asm(_)
            | Command::Fmt(_)
            | Command::Cfg(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Schema => false,
        }
    }

    /// Checks that standard input is read once, that the output is not an input, and that options
    /// have an effect.
    fn check(&self) -> Result<(), String> {
        if let Command::Cfg(cfg) = self {
            cfg.check()?;
        }
        if matches!(self, Command::Dis(dis) if dis.has_margin() && dis.style == TextStyle::Reference)
        {
            return Err("--pressure and --liveness change the text; use --style faithful".into());
        }
        if matches!(self, Command::Pack(pack) if pack.json && is_standard(&pack.output)) {
            return Err("--json prints to standard output; choose another output".into());
        }
        let inputs = self.inputs();
        let files: Vec<PathBuf> = inputs.iter().map(|path| input::split_choice(path).0).collect();
        if files.iter().filter(|path| is_standard(path)).count() > 1 {
            return Err("standard input can be read only once".into());
        }
        let Some(output) = self.output() else { return Ok(()) };
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
            Command::Completions(_) | Command::Man(_) | Command::Schema => (&[], None),
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
