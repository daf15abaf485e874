//! `genvisa verify`: verification of files and texts.

mod barriers;
pub mod json;

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use genvisa::Platform;
use genvisa::object::Routine;
use genvisa::text::{Diagnostic, Errors, LineIndex, SourceMap};
use genvisa::verify::{self, Finding, Severity, Verifier, rules};
use genvisa::{Module, Version};
use serde_json::{Value, json};

use super::{CommandLine, Run};
use crate::explanations;
use crate::input::walk::{self, File};
use crate::input::{Input, open};
use crate::modules::assemble;
use crate::options::{
    DialectArg, FormatArgs, ReportFormat, RuleArgs, TOOL_RULES, platform_parser, warn_of_assumption,
};
use crate::output::Output;
use crate::output::parallel;
use crate::output::snippet::Source;
use crate::output::snippet::with_snippet;
use crate::rule_list;
use crate::sarif;
use crate::words::{count, printable};

/// Check .isa or .visaasm files against the rules of vISA
///
/// Prints the findings, each with its severity, rule, location, and the found and expected
/// values.
///
/// Rules of group igc are errors: the compiler refuses or miscompiles the code. If it only ignores or
/// replaces a part of the code, they are warnings. Rules of group manual are warnings: the compiler
/// accepts the code. In dialect manual, they are errors.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa verify tests/data/tour.isa
  genvisa verify --platform TGLLP --allow operand-bounds shader.visaasm
  genvisa verify --group igc,manual --deny warnings shader.isa
  genvisa verify --list                Print all rules
  genvisa verify --explain 'Input V38 intersects with V37'")]
pub struct Verify {
    /// .isa or .visaasm files, folders, or - for standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["list", "explain"])]
    pub files: Vec<PathBuf>,
    /// Print all rules and exit
    #[arg(long, conflicts_with = "files")]
    pub list: bool,
    /// Explain a rule, or the rules that a message of the compiler or of this tool is about, and exit
    #[arg(long, value_name = "RULE|MESSAGE", conflicts_with_all = ["files", "list"])]
    pub explain: Option<String>,
    /// Also apply the rules of this platform [default: the platform that a comment of a text states]
    #[arg(long, value_name = "PLATFORM", value_parser = platform_parser(), ignore_case = true)]
    pub platform: Option<Platform>,
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Read .visaasm files as this vISA version [default: 4.2 if the text states it, otherwise as
    /// asm does]
    #[arg(long, value_name = "M.m")]
    pub isa_version: Option<Version>,
    /// Print only findings in the routines of this name
    #[arg(long, visible_alias = "kernel", value_name = "NAME")]
    pub routine: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
    #[command(flatten)]
    pub dialect: DialectArg,
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

impl Run for Verify {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "A finding is an error")]
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn check(&self) -> Result<(), String> {
        match (self.list, &self.explain) {
            (true, _) => self.format.check_without_findings("--list"),
            (false, Some(_)) => self.format.check_without_findings("--explain"),
            (false, None) => Ok(()),
        }
    }

    fn prints_report(&self) -> bool {
        !self.list && self.explain.is_none()
    }
}

fn run(args: &Verify, out: &mut Output) -> anyhow::Result<()> {
    let is_json = args.format.get() == ReportFormat::Json;
    if args.list {
        let all = rules().chain(TOOL_RULES.iter().copied());
        return rule_list::print(&all.collect::<Vec<_>>(), is_json, out);
    }
    if let Some(rule_or_message) = &args.explain {
        return explanations::print(rule_or_message, is_json, out);
    }
    let verifier = Verifier::new().with_rules(TOOL_RULES).or_platform(args.platform);
    let verifier = args.rules.verifier(verifier)?;
    let mut all = Vec::new();
    let files = walk::expand(&args.files, &walk::VISA, out)?.files;
    let verify = |file: &File, out: &mut Output| verify_file(&file.path, args, &verifier, out);
    let mut errors = Vec::new();
    let mut lacks_routine = true;
    let mut totals = Totals::default();
    parallel::for_each(&files, File::path, out, verify, |of_file| {
        lacks_routine &= of_file.lacks_routine && of_file.errors.is_empty();
        totals.add(&of_file.totals);
        all.extend(of_file.findings);
        errors.extend(of_file.errors);
    })?;
    if let Some(name) = args.routine.as_ref().filter(|_| lacks_routine && !files.is_empty()) {
        let files = count(files.len(), "file");
        out.report_error(format_args!("{files}: no routine `{}`", printable(name)))?;
    }
    match args.format.get() {
        ReportFormat::Text => Ok(writeln!(out, "{totals}")?),
        ReportFormat::Json => out.write_json(&all),
        ReportFormat::Sarif => sarif::print(all, describe, errors.iter(), out),
    }
}

/// Returns the description of a rule in SARIF.
fn describe(name: &str) -> Value {
    if name == rule_list::SYNTAX {
        return sarif::describe_syntax();
    }
    let rule = rules().chain(TOOL_RULES.iter().copied()).find(|rule| rule.name == name);
    rule.map_or(Value::Null, sarif::describe)
}

/// What the summary counts.
#[derive(Default)]
struct Totals {
    /// Files, and texts in files with several.
    files: usize,
    routines: usize,
    errors: usize,
    warnings: usize,
    /// Files and texts that cannot be read.
    unreadable: usize,
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        let Totals { files, routines, errors, warnings, unreadable } = other;
        self.unreadable += unreadable;
        self.files += files;
        self.routines += routines;
        self.errors += errors;
        self.warnings += warnings;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { files, routines, errors, warnings, unreadable } = *self;
        write!(
            f,
            "{}, {}: {}, {}",
            count(files, "file"),
            count(routines, "routine"),
            count(errors, "error"),
            count(warnings, "warning")
        )?;
        match unreadable {
            0 => Ok(()),
            _ => write!(f, ", {unreadable} not read"),
        }
    }
}

/// The findings in a file as JSON or SARIF, and the errors that kept it from being read.
struct OfFile {
    findings: Vec<Value>,
    errors: Vec<String>,
    totals: Totals,
    /// Whether no text in the file has the routine that the user requests.
    lacks_routine: bool,
}

/// Prints the findings in a file, or returns them. Reports errors.
fn verify_file(
    path: &Path,
    args: &Verify,
    verifier: &Verifier,
    out: &mut Output,
) -> anyhow::Result<OfFile> {
    let mut of_file = OfFile {
        findings: Vec::new(),
        errors: Vec::new(),
        totals: Totals::default(),
        lacks_routine: true,
    };
    let inputs = match open(path, None, &args.dialect) {
        Ok(inputs) => inputs,
        Err(error) => {
            of_file.add_error(format!("{error:#}"), out)?;
            return Ok(of_file);
        }
    };
    for input in inputs {
        match verify(&input, args, verifier, out) {
            Ok(Ok(verified)) => verified.report(&input, args, out, &mut of_file)?,
            Ok(Err((source, errors))) => of_file.add_syntax_errors(source, errors, args, out)?,
            Err(error) => of_file.add_error(format!("{error:#}"), out)?,
        }
    }
    Ok(of_file)
}

impl OfFile {
    /// Prints the errors of a text, or adds them as JSON.
    fn add_syntax_errors(
        &mut self,
        source: Source,
        errors: Errors,
        args: &Verify,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        self.totals.unreadable += 1;
        if args.format.get() == ReportFormat::Text {
            self.errors.push(format!("{}: it has syntax errors", source.name));
            return assemble::report_errors(&[source], vec![(0, errors)], out);
        }
        out.set_failed();
        let lines = LineIndex::new(&source.text);
        for error in errors.iter() {
            let span = span(error, &source, &lines);
            self.findings.push(match args.format.get() {
                ReportFormat::Sarif => {
                    let message = sarif::with_help(error.to_string(), error.help.as_deref());
                    let (rule, file) = (rule_list::SYNTAX, &source.name);
                    sarif::result(rule, error.severity, &message, file, region(span))
                }
                _ => json::syntax_error(&source.name, error, span),
            });
        }
        Ok(())
    }

    fn add_error(&mut self, error: String, out: &mut Output) -> std::io::Result<()> {
        out.report_error(&error)?;
        self.totals.unreadable += 1;
        self.errors.push(error);
        Ok(())
    }
}

/// The largest number of findings that are printed for a file or text: more are of no use, and JSON
/// keeps all of them in memory.
const MAX_FINDINGS: usize = 10_000;

/// The findings in a `.isa` file or text.
#[derive(Default)]
struct Verified {
    /// The first of them.
    findings: Vec<Finding>,
    /// The number of the others.
    omitted: usize,
    totals: Totals,
    /// Whether it lacks the routine that the user requests.
    lacks_routine: bool,
    text: Option<(SourceMap, Source)>,
}

impl Verified {
    fn new(verifier: &Verifier, module: &Module<'_>, routine: Option<&str>) -> Verified {
        let mut verified = Verified::default();
        let is_selected = |it: Routine<'_, '_>| routine.is_some_and(|name| *it.name == *name);
        let selected = routine.map(|_| module.routines().map(is_selected).collect::<Vec<_>>());
        verified.totals.files = 1;
        verified.totals.routines = match &selected {
            Some(selected) => selected.iter().filter(|it| **it).count(),
            None => module.routines().count(),
        };
        verified.lacks_routine =
            selected.as_ref().is_some_and(|selected| !selected.contains(&true));
        let mut add = |finding: Finding| {
            let index = finding.routine.unwrap_or(usize::MAX);
            if selected.as_ref().is_some_and(|selected| selected.get(index) != Some(&true)) {
                return;
            }
            match finding.severity {
                Severity::Error => verified.totals.errors += 1,
                Severity::Warning => verified.totals.warnings += 1,
            }
            if verified.findings.len() < MAX_FINDINGS {
                verified.findings.push(finding);
            } else {
                verified.omitted += 1;
            }
        };
        verifier.visit_module(module, &mut add);
        barriers::visit_module(verifier, module, add);
        verified
    }
}

/// Returns the findings in a `.isa` file or text, or the syntax errors of the text.
fn verify(
    input: &Input,
    args: &Verify,
    verifier: &Verifier,
    out: &mut Output,
) -> anyhow::Result<Result<Verified, (Source, Errors)>> {
    let routine = args.routine.as_deref();
    if input.is_object() {
        return Ok(Ok(Verified::new(verifier, &input.module(args.dialect.of_files())?, routine)));
    }
    let source = input.source();
    let options = args.dialect.of_texts().with_version(args.isa_version);
    let document = match assemble::read(&source, options, out)? {
        Ok(document) => document,
        Err(errors) => return Ok(Err((source, errors))),
    };
    let verifier = verifier.clone().or_platform(document.platform);
    if let Some(size) = document.assumed_register_size(args.platform) {
        let more = ", and rules for some platforms only are not applied";
        warn_of_assumption(&source.name, size, more, out)?;
    }
    let verified = Verified::new(&verifier, &document.module, routine);
    Ok(Ok(Verified { text: Some((document.source_map, source)), ..verified }))
}

impl Verified {
    /// Prints the findings, or adds them as JSON.
    fn report(
        self,
        input: &Input,
        args: &Verify,
        out: &mut Output,
        of_file: &mut OfFile,
    ) -> anyhow::Result<()> {
        let Verified { findings, omitted, totals, lacks_routine, text } = self;
        of_file.lacks_routine &= lacks_routine;
        if totals.errors > 0 {
            out.set_failed();
        }
        of_file.totals.add(&totals);
        let text = text.filter(|_| !findings.is_empty());
        let lines = text.as_ref().map(|(_, source)| LineIndex::new(&source.text));
        let renderer = out.renderer();
        let diagnostics = text
            .as_ref()
            .map(|(source_map, source)| verify::diagnostics(&findings, source_map, &source.text));
        for (index, mut finding) in findings.into_iter().enumerate() {
            let diagnostic = diagnostics.as_ref().and_then(|diagnostics| diagnostics.get(index));
            let in_text = diagnostic.zip(text.as_ref()).zip(lines.as_ref());
            if in_text.is_some() {
                // The offset refers to the assembled file, not to the text.
                finding.offset = None;
            }
            match in_text {
                _ if args.format.get() != ReportFormat::Text => {
                    let span = in_text
                        .map(|((diagnostic, (_, source)), lines)| span(diagnostic, source, lines));
                    of_file.findings.push(match args.format.get() {
                        ReportFormat::Sarif => result(&input.name, &finding, span),
                        _ => json::finding(&input.name, &finding, span),
                    });
                }
                Some(((diagnostic, (_, source)), lines)) => {
                    writeln!(out, "{}\n", with_snippet(source, diagnostic, lines, &renderer))?;
                }
                None => print(&input.name, &finding, out)?,
            }
        }
        if omitted > 0 {
            let omitted = count(omitted, "finding");
            let name = &input.name;
            out.report_error(format_args!(
                "{name}: {omitted} more: only the first {MAX_FINDINGS} are printed"
            ))?;
        }
        Ok(())
    }
}

/// The lines and columns of the start and the end of a text in a file.
type Span = ((usize, usize), (usize, usize));

fn span(diagnostic: &Diagnostic, source: &Source, lines: &LineIndex<'_>) -> Span {
    let place = |at| source.in_file(lines.line_and_column(at));
    (place(diagnostic.span.start), place(diagnostic.span.end))
}

/// Returns a finding in SARIF: at its lines and columns, or else at its offset.
fn result(file: &str, finding: &Finding, span: Option<Span>) -> Value {
    let region = match span {
        Some(span) => region(span),
        None => json!({ "byteOffset": finding.offset.unwrap_or_default(), "byteLength": 0 }),
    };
    let text = finding.to_string();
    let (_, message) = text.split_once(": ").unwrap_or(("", &text));
    sarif::result(finding.rule.name, finding.severity, message, file, region)
}

/// Returns a part of a text in SARIF.
fn region(((line, column), (end_line, end_column)): Span) -> Value {
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}

/// Prints a finding in a `.isa` file.
fn print(file: &str, finding: &Finding, out: &mut Output) -> std::io::Result<()> {
    let style = match finding.severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    };
    write!(out, "{file}:")?;
    let text = finding.to_string();
    // Names may contain control characters; the severity and the rule, which come first, do not.
    let (head, rest) = text.split_once(": ").unwrap_or((&text, ""));
    writeln!(out, " {style}{head}{style:#}: {}", printable(rest))
}
