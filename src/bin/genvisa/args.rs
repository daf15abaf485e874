//! What the command line says.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{
    ArgGroup, Args as ClapArgs, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};
use genvisa::text::Style;
use genvisa::verify::{self, Platform, Rule};
use genvisa::{Dialect, Format, Version};

use crate::output::{self, CLOSED};
use crate::{input, is_standard};

/// Reads vISA, the instruction set between Intel's GPU compilers and their finalizer
#[derive(Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 100)]
pub struct Args {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

impl Args {
    /// The command line. Where it makes no sense, clap says why and ends the program.
    pub fn of_command_line() -> Args {
        let mut command = Args::command();
        let matches = match command.try_get_matches_from_mut(std::env::args_os()) {
            Ok(matches) => matches,
            Err(error) => end(&error),
        };
        let args = match Args::from_arg_matches(&matches) {
            Ok(args) => args,
            Err(error) => error.format(&mut command).exit(),
        };
        if let Err(why) = args.command.check() {
            // The usage that is shown with it is the subcommand's.
            let name = matches.subcommand_name().unwrap_or_default();
            let command = command.find_subcommand(name).unwrap_or(&command);
            command.clone().error(ErrorKind::ValueValidation, why).exit();
        }
        args
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Decode files, encode them again and compare
    ///
    /// Prints a line a file and a summary. The exit code is 1 if a file came out different or could
    /// not be read.
    Roundtrip(Roundtrip),
    /// Show what a file holds: header, routines, tables, opcodes
    Info(Info),
    /// Show what every byte means
    Explain(Explain),
    /// Disassemble to visaasm
    ///
    /// Prints all routines, one after the other. Where the bytes cannot be decoded any further, the
    /// error follows what came before, and the exit code is 1. A file that exists and has other
    /// contents, such as edited text, is overwritten only with --force: without it, nothing is
    /// written and the exit code is 1.
    Dis(Dis),
    /// Assemble visaasm to a .isa file
    ///
    /// Several texts become one file. If anything is wrong with them, all of it is shown and nothing
    /// is written.
    ///
    /// The file has the version that the text states. Text of version 4.2, which has no binary form,
    /// is assembled as 3.6 if that can express all of it, or else as 4.1. If a text contains
    /// something that its own version cannot express, the first of 3.6 and 4.1 that is newer and can
    /// is used, with a warning.
    Asm(Asm),
    /// Read visaasm and print it again
    ///
    /// The text on standard output has the layout and the spelling that dis gives it. Comments are
    /// lost.
    Fmt(Fmt),
    /// Say what is not legal vISA in files or texts
    ///
    /// Prints a line a finding: its severity and rule, its place, what is there and what should be.
    /// The exit code is 1 if there is any. Some warnings are errors in dialect manual: see --list.
    Verify(Verify),
}

/// Prints what clap has to say, help included, and ends the program.
fn end(error: &clap::Error) -> ! {
    let code = error.exit_code();
    if error.use_stderr() {
        // If standard error is closed, nobody reads the message.
        let _ = error.print();
        std::process::exit(code);
    }
    if output::is_stdout_closed() {
        let _ = writeln!(io::stderr(), "genvisa: {CLOSED}");
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
    /// Checks what clap cannot: that standard input is read once, and that no input is written to.
    fn check(&self) -> Result<(), String> {
        let inputs = self.inputs();
        if inputs.iter().filter(|path| is_standard(path)).count() > 1 {
            return Err("standard input can be read only once".into());
        }
        let Some(output) = self.output() else { return Ok(()) };
        match input::same_as(&output, &inputs) {
            // An object file in place of a text is reported when it is read, before anything is
            // written.
            Some(same) if self.is_text(same) && input::is_object_file(same) => Ok(()),
            Some(same) => Err(input::would_be_overwritten(&output, same)),
            None => Ok(()),
        }
    }

    /// Whether an input is read as text.
    fn is_text(&self, input: &Path) -> bool {
        matches!(self, Command::Asm(asm) if asm.files.iter().any(|file| file == input))
    }

    /// The files that the command reads, `-` for standard input.
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
        };
        files.iter().chain(other).map(PathBuf::as_path).collect()
    }

    /// The file that the command writes, `-` for standard output. `None` if the names depend on the
    /// input.
    fn output(&self) -> Option<PathBuf> {
        match self {
            Command::Asm(command) => Some(command.path_to_write()),
            Command::Dis(command) if command.out_dir.is_some() => None,
            Command::Dis(Dis { output: Some(path), .. }) => Some(path.clone()),
            _ => Some("-".into()),
        }
    }
}

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
    /// A .isa file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print JSON
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
    /// Only the routine of this name
    #[arg(long, value_name = "NAME", conflicts_with = "hex")]
    pub routine: Option<String>,
    /// Instructions as hex digits, such as "70 0a 03 0f 06 .."; - reads them from standard input
    #[arg(long, value_name = "BYTES", value_parser = Hex::parse)]
    pub hex: Option<Hex>,
    /// Take operands apart
    #[arg(long, short)]
    pub parts: bool,
    /// With --hex: the version the bytes are written in [default: 3.6]
    #[arg(long, value_name = "M.m", conflicts_with = "file")]
    pub isa_version: Option<Version>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Dis {
    /// A .isa file, or - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write all routines to this file, or - for standard output [default: -]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Write a file <index>-<name>.visaasm for each routine into this folder; what belongs to the
    /// file as a whole is in none of them
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub out_dir: Option<PathBuf>,
    /// Overwrite files that have other contents
    #[arg(long)]
    pub force: bool,
    /// How to print
    #[arg(long, value_name = "STYLE", default_value = "faithful")]
    pub style: TextStyle,
    /// Print offset and bytes before each instruction
    #[arg(long)]
    pub offsets: bool,
    /// Leave out the number of each instruction, so that a comparison of two texts shows only what
    /// changed
    #[arg(long)]
    pub no_numbers: bool,
    /// Only the routine of this name
    #[arg(long, value_name = "NAME")]
    pub routine: Option<String>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

#[derive(ClapArgs)]
pub struct Asm {
    /// .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The file to write, or - for standard output [default: the first text's name with .isa]
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// The version of the file [default: the version of the text, or 3.6 or 4.1 if the text states
    /// none that has a binary form]
    #[arg(long, value_name = "M.m")]
    pub isa_version: Option<Version>,
    /// Take the machine code of the kernels, which text has no room for, from a .isa file
    #[arg(long, value_name = "ISA")]
    pub gen_binaries_of: Option<PathBuf>,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Asm {
    /// Where the bytes go.
    pub fn path_to_write(&self) -> PathBuf {
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
    /// Leave out the number of each instruction
    #[arg(long)]
    pub no_numbers: bool,
}

#[derive(ClapArgs)]
pub struct Verify {
    /// .isa or .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub files: Vec<PathBuf>,
    /// List the rules
    #[arg(long, conflicts_with = "files")]
    pub list: bool,
    /// Also apply the rules of a platform
    #[arg(long, value_name = "PLATFORM", value_parser = platform(), ignore_case = true)]
    pub platform: Option<Platform>,
    /// Do not apply a rule
    #[arg(long, value_name = "RULE", value_parser = rule_of)]
    pub allow: Vec<&'static Rule>,
    /// Take a warning for an error
    #[arg(long, value_name = "RULE", value_parser = rule_of)]
    pub deny: Vec<&'static Rule>,
    /// For texts: the version to assemble them in [default: as asm chooses it]
    #[arg(long, value_name = "M.m")]
    pub isa_version: Option<Version>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

fn platform() -> impl TypedValueParser<Value = Platform> {
    let names = Platform::ALL.iter().map(|platform| platform.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Platform>())
}

fn rule_of(name: &str) -> Result<&'static Rule, String> {
    verify::rule(name).ok_or_else(|| "there is no such rule; --list shows them all".into())
}

#[derive(Clone, Copy, ValueEnum)]
pub enum TextStyle {
    /// All that the file says; what the language has no words for stands in comments
    Faithful,
    /// Byte for byte what GenX_IR 1.0.12504.6 prints
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
    /// The format of `--hex`.
    pub fn hex_format(&self) -> Format {
        Format::new(self.dialect.dialect, self.isa_version.unwrap_or_default())
    }
}

/// Bytes on the command line, or where else to read them.
#[derive(Clone)]
pub enum Hex {
    Bytes(Vec<u8>),
    Stdin,
}

impl Hex {
    fn parse(text: &str) -> Result<Hex, String> {
        if text == "-" { Ok(Hex::Stdin) } else { Hex::bytes(text).map(Hex::Bytes) }
    }

    /// Hex digits in pairs; blanks, commas and `0x` between them are as people paste them.
    pub fn bytes(text: &str) -> Result<Vec<u8>, String> {
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
            bytes.extend(pairs.ok_or_else(|| format!("`{word}` is not pairs of hex digits"))?);
        }
        if bytes.is_empty() { Err("there are no bytes".into()) } else { Ok(bytes) }
    }
}

#[derive(ClapArgs)]
pub struct DialectArg {
    /// Whose reading of the format: manual (the five documents), igc2022 or igc2026
    #[arg(long, value_name = "DIALECT", default_value_t)]
    pub dialect: Dialect,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// On a terminal only
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
