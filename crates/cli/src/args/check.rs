//! The arguments of the commands that check rules.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use genvisa::Version;
use genvisa::verify::Platform;
use genvisa_inline::source::Language;
use genvisa_inline::{Lanes, Type};

use super::shared::{DialectArg, platform_parser};
use crate::levels::RuleArgs;

#[derive(Args)]
pub struct Verify {
    /// .isa or .visaasm files, folders, or - for standard input
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

#[derive(Args)]
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

#[derive(Clone, Copy, ValueEnum)]
pub enum CompilerPath {
    /// OpenCL C and SYCL: a kernel is the program of one work-item
    Simt,
    /// The vector compiler: ESIMD and CM
    Vc,
}

impl From<CompilerPath> for genvisa_inline::Path {
    fn from(path: CompilerPath) -> genvisa_inline::Path {
        match path {
            CompilerPath::Simt => genvisa_inline::Path::Simt,
            CompilerPath::Vc => genvisa_inline::Path::Vc,
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
