//! `genvisa check`: checks of the inline assembly in source files.

pub mod dumps;
mod files;
pub mod json;
mod position;
mod report;
mod sarif;
mod statements;
mod text;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;
use genvisa::Platform;
use genvisa::verify::rules as verify_rules;
use genvisa_inline::Lanes;
use genvisa_inline::Type;
use genvisa_inline::source::{Block, Content, Language, Search};
use genvisa_inline::{Checker, Finding, Place};

use super::{CommandLine, Run};
use crate::input::kind::WrongKind;
use crate::options::{FormatArgs, ReportFormat, RuleArgs, platform_parser};
use crate::output::Output;
use crate::output::parallel;
use crate::rule_list;
use crate::words::{is_standard, shown};
use files::Input;
use position::Positions;
use report::{BlockReport, FileReport, Lines, Located, Parts, Status, Summary};

/// Check the inline vISA assembly of C, OpenCL C, SYCL, LLVM IR, MLIR, SPIR-V and Python
///
/// Finds the inline assembly statements ("blocks") in the files, and prints the findings about
/// each. In folders, all files with known suffixes are checked, and the others are counted as
/// skipped. The last line counts the blocks that were checked, checked in part, and not checked.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa check tests/data/inline/scale.cl
  genvisa check --platform PVC --platform Xe2 --lanes 16 tests/data/inline/
  clang -E kernel.cl | genvisa check --as c -
  genvisa check --format sarif src > findings.sarif
  genvisa check --dumps dumps/               Compare the texts that the compiler wrote
  genvisa check --dumps dumps/ kernel.cl     Compile with dumps first, for Xe2
  genvisa check --dumps dumps/ --source src  Name the lines of the sources in src")]
pub struct Check {
    /// Source files, folders, or - for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["list", "dumps"])]
    pub files: Vec<PathBuf>,
    /// Report what the compiler changed of the kernels in a folder of its dumps: compare each
    /// X.inline.visaasm, the text that it parsed, with X.visaasm, the text that it compiled. With
    /// FILE, first compile these files into the folder, which is empty or new, and name their lines
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "lanes", "path", "operand", "require_visa", "define", "undefine", "include", "language", "strict",
        "verbose", "group", "allow", "warn", "deny", "compiler",
    ])]
    pub dumps: Option<PathBuf>,
    /// With --dumps, name the lines of inline assembly in this source file or folder (can be repeated)
    #[arg(long, value_name = "FILE", requires = "dumps")]
    pub source: Vec<PathBuf>,
    /// The compiler that --dumps runs
    #[arg(long, value_name = "PATH", default_value = "ocloc", requires_all = ["dumps", "files"])]
    pub ocloc: PathBuf,
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
    /// Require that all inline assembly is vISA, unless the file states another target: PTX and other
    /// assembly is an error. Macros of SYCL device code for Intel GPUs are defined, and those of other
    /// targets are not
    #[arg(long)]
    pub require_visa: bool,
    /// Define a macro of C, which chooses branches of #if (can be repeated)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_macro)]
    pub define: Vec<(String, String)>,
    /// State that a macro of C is not defined (can be repeated)
    #[arg(short = 'U', value_name = "NAME", value_parser = parse_name)]
    pub undefine: Vec<String>,
    /// Read a header of C before each file, for its macros and declarations (can be repeated)
    #[arg(long, value_name = "FILE")]
    pub include: Vec<PathBuf>,
    /// The language of the files [default: derived from suffixes or contents]
    #[arg(long = "as", value_name = "LANGUAGE")]
    pub language: Option<SourceLanguage>,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Print all rules and exit
    #[arg(long, conflicts_with_all = ["files", "dumps"])]
    pub list: bool,
    /// Set the exit code to 1 also if a block was checked only in part or not read
    #[arg(long)]
    pub strict: bool,
    /// Print which facts about each block are not known
    #[arg(long, short)]
    pub verbose: bool,
    #[command(flatten)]
    pub format: FormatArgs,
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
    /// C, C++ or SYCL
    C,
    /// OpenCL C
    Opencl,
    /// CM
    Cm,
    /// LLVM IR as text
    Llvm,
    /// MLIR as text
    Mlir,
    /// SPIR-V
    Spirv,
    /// Python
    #[cfg(feature = "python")]
    Python,
}

impl SourceLanguage {
    /// Returns the options that state a language, as a list.
    fn options() -> String {
        let values =
            SourceLanguage::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let options: Vec<String> =
            values.map(|value| format!("--as {}", value.get_name())).collect();
        match options.split_last() {
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

impl From<SourceLanguage> for Language {
    fn from(language: SourceLanguage) -> Language {
        match language {
            SourceLanguage::C => Language::C,
            SourceLanguage::Opencl => Language::OpenCl,
            SourceLanguage::Cm => Language::Cm,
            SourceLanguage::Llvm => Language::Llvm,
            SourceLanguage::Mlir => Language::Mlir,
            SourceLanguage::Spirv => Language::Spirv,
            #[cfg(feature = "python")]
            SourceLanguage::Python => Language::Python,
        }
    }
}

fn parse_operand(argument: &str) -> Result<(usize, Type), String> {
    let expected = "expected N=TYPE, such as 0=float8";
    let (number, ty) = argument.split_once('=').ok_or(expected)?;
    let number = number.trim_start_matches(['%', '$']).parse().map_err(|_| expected)?;
    Ok((number, ty.parse().map_err(|error: genvisa::ErrorKind| error.to_string())?))
}

/// Returns a macro and its value, which is 1 if none is stated.
fn parse_macro(argument: &str) -> Result<(String, String), String> {
    let (head, value) = argument.split_once('=').unwrap_or((argument, "1"));
    let (name, parameters) = head.split_once('(').unwrap_or((head, ")"));
    parse_name(name)?;
    match parameters.strip_suffix(')') {
        Some(list) if !list.contains(['(', ')']) => Ok((head.into(), value.into())),
        _ => Err("expected `)` at the end of the parameters".into()),
    }
}

/// Returns the name of a macro.
fn parse_name(argument: &str) -> Result<String, String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match !argument.is_empty()
        && argument.chars().all(is_name)
        && !argument.starts_with(char::is_numeric)
    {
        true => Ok(argument.into()),
        false => Err("expected the name of a macro".into()),
    }
}

/// Returns the name of a macro without its parameters.
fn macro_name((head, _): &(String, String)) -> &str {
    head.split('(').next().unwrap_or(head)
}

impl Run for Check {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[
            (1, "A finding is an error"),
            (1, "With --strict, a block was checked only in part or not read"),
            (1, "With --dumps, the compiler changed an instruction"),
            (2, "An input cannot be read"),
        ]
    }

    fn inputs(&self) -> Vec<&Path> {
        let all = self.files.iter().chain(&self.dumps).chain(&self.source).chain(&self.include);
        all.map(PathBuf::as_path).collect()
    }

    fn check(&self) -> Result<(), String> {
        if self.list {
            self.format.check_without_findings("--list")?;
        }
        let is_undefined = |name: &&str| self.undefine.iter().any(|undefined| undefined == name);
        if let Some(name) = self.define.iter().map(macro_name).find(is_undefined) {
            return Err(format!("-D and -U state different things about macro `{name}`"));
        }
        if self.dumps.is_none() {
            return Ok(());
        }
        self.format.check_without_findings("--dumps")?;
        if self.files.is_empty() && !self.platform.is_empty() {
            return Err("--dumps without files takes the platform from the dumps".into());
        }
        match self.files.iter().find(|file| is_standard(file) || file.is_dir()) {
            Some(file) => {
                Err(format!("--dumps compiles files, and `{}` is not a file", shown(file)))
            }
            None => Ok(()),
        }
    }

    fn prints_report(&self) -> bool {
        !self.list
    }
}

fn run(args: &Check, out: &mut Output) -> anyhow::Result<()> {
    if args.list {
        let rules: Vec<_> = genvisa_inline::rules().chain(verify_rules()).collect();
        return rule_list::print(&rules, args.format.get() == ReportFormat::Json, out);
    }
    if let Some(folder) = &args.dumps {
        return dumps::run(args, folder, out);
    }
    let headers = args.include.iter().map(|path| files::read_header(path));
    let headers = match headers.collect::<anyhow::Result<_>>() {
        Ok(headers) => headers,
        Err(error) => {
            out.report_error(format_args!("{error:#}"))?;
            out.set_unreadable_input();
            return Ok(());
        }
    };
    let checkers = Checkers::new(args, headers)?;
    let mut summary = Summary::default();
    let mut reports = Vec::new();
    let (inputs, skipped) = files::inputs(&args.files, args.language.map(Language::from), out)?;
    let check = |input: &Input, out: &mut Output| checkers.check_file(input, out);
    parallel::for_each(&inputs, Input::path, out, check, |(of_file, report)| {
        summary.add(&of_file);
        reports.extend(report);
    })?;
    for (number, _) in &args.operand {
        if !summary.used_operands.contains(number) {
            out.warn(format_args!("--operand {number}: no block has this operand"))?;
        }
    }
    let has_c_options =
        !(args.define.is_empty() && args.undefine.is_empty() && args.include.is_empty());
    if has_c_options && summary.files > 0 && !summary.may_contain_c {
        out.warn(format_args!("-D, -U and --include have no effect: no file may contain C"))?;
    }
    for folder in &skipped {
        summary.add_skipped(&folder.suffixes);
    }
    match args.format.get() {
        ReportFormat::Text => {
            let platforms = match &args.platform[..] {
                [] => format!("{} (default)", Checker::DEFAULT_PLATFORM.name()),
                platforms => report::names(platforms),
            };
            text::print_summary(&summary, &platforms, args.verbose, out)?
        }
        ReportFormat::Json => json::print(&reports, &skipped, out)?,
        ReportFormat::Sarif => sarif::print(&reports, out)?,
    }
    let is_incomplete = summary.partial + summary.not_read > 0;
    if summary.errors > 0 || args.strict && is_incomplete {
        out.set_failed();
    }
    Ok(())
}

/// One checker for each platform.
struct Checkers<'a> {
    args: &'a Check,
    /// The contents of the headers.
    headers: Vec<Vec<u8>>,
    checkers: Vec<(Platform, Checker)>,
}

impl<'a> Checkers<'a> {
    fn new(args: &'a Check, headers: Vec<Vec<u8>>) -> anyhow::Result<Checkers<'a>> {
        let mut platforms = Vec::new();
        for platform in &args.platform {
            if !platforms.contains(platform) {
                platforms.push(*platform);
            }
        }
        if platforms.is_empty() {
            platforms.push(Checker::DEFAULT_PLATFORM);
        }
        let checker = |platform| {
            let mut checker = args.rules.checker(Checker::new().with_platform(platform))?;
            if let Some(lanes) = args.lanes {
                checker = checker.with_lanes(lanes);
            }
            if let Some(path) = args.path {
                checker = checker.with_path(path.into());
            }
            Ok((platform, checker))
        };
        let checkers: anyhow::Result<_> = platforms.into_iter().map(checker).collect();
        Ok(Checkers { args, headers, checkers: checkers? })
    }

    /// Reads and checks a file. Prints the report as text or returns it.
    fn check_file(
        &self,
        input: &Input,
        out: &mut Output,
    ) -> anyhow::Result<(Summary, Option<FileReport>)> {
        let mut summary = Summary::default();
        let (language, bytes) = match input.read() {
            Ok(read) => read,
            Err(error) if !input.is_argument && error.is::<WrongKind>() => {
                // Folders may contain other files with the suffixes of sources.
                let wrong = error.downcast_ref::<WrongKind>();
                if wrong.is_some_and(|wrong| wrong.kind.is_encoded()) {
                    out.warn(format_args!("{error:#}"))?;
                }
                return Ok((summary, None));
            }
            Err(error) => {
                out.report_error(format_args!("{error:#}"))?;
                out.set_unreadable_input();
                return Ok((summary, None));
            }
        };
        summary.may_contain_c = language.may_contain_c();
        let report = self.check(input, &bytes, language, &mut summary.used_operands);
        summary.add_report(&report, input);
        for error in &report.errors {
            out.report_error(error)?;
        }
        if report.is_damaged {
            out.set_unreadable_input();
        }
        match self.args.format.get() {
            ReportFormat::Text => text::print(&report, input, self.args.verbose, out)?,
            ReportFormat::Json | ReportFormat::Sarif => return Ok((summary, Some(report))),
        }
        Ok((summary, None))
    }

    /// Returns the search in files of a language.
    fn search(&self, language: Language) -> Search {
        let args = self.args;
        let mut search = Search::new(language);
        if args.require_visa {
            search = search.require_visa();
        }
        for (name, value) in &args.define {
            search = search.define(name, value);
        }
        let search = args.undefine.iter().fold(search, |search, name| search.undefine(name));
        self.headers.iter().fold(search, |search, header| search.include(header))
    }

    /// Checks the contents of a file. Adds the values of `--operand` that some block has to a set.
    fn check(
        &self,
        input: &Input,
        bytes: &[u8],
        language: Language,
        used_operands: &mut BTreeSet<usize>,
    ) -> FileReport {
        let file = shown(&input.path);
        let found = self.search(language).find(bytes);
        let positions = Positions::of(language, &file, bytes, &found);
        let (errors, is_damaged) = (positions.errors(&found), found.error.is_some());
        let mut blocks = Vec::with_capacity(found.blocks.len());
        for mut block in found.blocks {
            if self.args.path.is_none() {
                block.path = block.path.or(input.compiler_path());
            }
            blocks.push(self.check_block(block, &positions, used_operands));
        }
        FileReport { file, blocks, errors, is_damaged }
    }

    /// Checks a block for all platforms.
    fn check_block(
        &self,
        mut block: Block,
        positions: &Positions<'_>,
        used_operands: &mut BTreeSet<usize>,
    ) -> BlockReport {
        if let Content::Visa(statement) = &mut block.content {
            for (number, ty) in &self.args.operand {
                if let Some(operand) = statement.operands.get_mut(*number) {
                    operand.ty = operand.ty.or(Some(*ty));
                    used_operands.insert(*number);
                }
            }
        }
        let mut findings: Vec<(Finding, Vec<Platform>)> = Vec::new();
        let mut indices: HashMap<String, usize> = HashMap::new();
        let mut unknown = Vec::new();
        let mut path = block.path;
        for (platform, checker) in &self.checkers {
            let Some(report) = block.check(checker) else { break };
            path = Some(report.path);
            unknown.extend(report.unknown);
            for finding in report.findings {
                match indices.entry(format!("{finding:?}")) {
                    Entry::Occupied(index) => findings[*index.get()].1.push(*platform),
                    Entry::Vacant(entry) => {
                        entry.insert(findings.len());
                        findings.push((finding, vec![*platform]));
                    }
                }
            }
        }
        findings.sort_by_key(|(finding, _)| match &finding.place {
            Place::Operand(number) => (0, *number),
            Place::Clobber(index) => (1, *index),
            Place::Template(span) => (2, span.start),
        });
        unknown.sort();
        unknown.dedup();
        let status = match &block.content {
            Content::Visa(_) if unknown.is_empty() => Status::Checked,
            Content::Visa(_) => Status::Partial,
            Content::Other(reason) => Status::NotVisa(reason),
            Content::Unreadable(reason) => Status::NotRead(reason.clone()),
        };
        let parts = positions.is_binary().then(|| Parts::new(&block));
        let lines = parts.as_ref().map_or(Lines::File(positions), Lines::of_parts);
        let findings = findings.into_iter().map(|(finding, platforms)| {
            let is_everywhere = platforms.len() == self.checkers.len();
            let located = Located::new(finding, platforms, &block, positions, &lines);
            Located { is_everywhere, ..located }
        });
        let findings: Vec<Located> = findings.collect();
        let place = positions.locate(block.span.start);
        let lanes = block.lanes.or(self.args.lanes);
        let template = match &block.content {
            Content::Visa(statement) => {
                Some(String::from_utf8_lossy(&statement.template).into_owned())
            }
            _ => None,
        };
        let function = block.function;
        BlockReport { place, function, path, lanes, status, template, unknown, findings }
    }
}
