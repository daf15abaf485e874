//! The arguments of the commands that read and write files and texts.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use genvisa::text::Style;
use genvisa::{Format, Version};

use super::shared::{DialectArg, version_of_files};
use crate::is_standard;
use crate::registers::RegisterArgs;

#[derive(Args)]
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

#[derive(Args)]
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
        match (&self.output, &self.files[0]) {
            (Some(path), _) => path.clone(),
            (None, first) if is_standard(first) => first.clone(),
            (None, first) => first.with_extension("isa"),
        }
    }
}

#[derive(Args)]
pub struct Fmt {
    /// .visaasm files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Do not number instructions
    #[arg(long)]
    pub no_numbers: bool,
}

#[derive(Args)]
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

#[derive(Args)]
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

#[derive(Args)]
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
