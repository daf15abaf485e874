//! `genvisa verify`: verification of files and texts.

mod barriers;
pub mod json;

use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use genvisa::Platform;
use genvisa::text::{LineIndex, SourceMap};
use genvisa::verify::{self, Finding, Severity, Verifier, rules};
use genvisa::{Module, Version};
use serde_json::Value;

use super::{CommandLine, Run};
use crate::explanations;
use crate::input::walk::{self, File};
use crate::input::{Input, open};
use crate::modules::assemble;
use crate::options::{DialectArg, RuleArgs, TOOL_RULES, platform_parser, warn_of_assumption};
use crate::output::Output;
use crate::output::parallel;
use crate::output::snippet::Source;
use crate::output::snippet::with_snippet;
use crate::rule_list;
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
  genvisa verify shader.isa
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
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
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

    fn prints_report(&self) -> bool {
        !self.list && self.explain.is_none()
    }
}

fn run(args: &Verify, out: &mut Output) -> anyhow::Result<()> {
    if args.list {
        let all = rules().chain(TOOL_RULES.iter().copied());
        return rule_list::print(&all.collect::<Vec<_>>(), args.json, out);
    }
    if let Some(rule_or_message) = &args.explain {
        return explanations::print(rule_or_message, args.json, out);
    }
    let verifier = Verifier::new().with_rules(TOOL_RULES).or_platform(args.platform);
    let verifier = args.rules.verifier(verifier)?;
    let mut all = Vec::new();
    let files = walk::expand(&args.files, &walk::VISA, out)?.files;
    let verify = |file: &File, out: &mut Output| verify_file(&file.path, args, &verifier, out);
    parallel::for_each(&files, File::path, out, verify, |findings| all.extend(findings))?;
    if args.json {
        out.write_json(&all)?;
    }
    Ok(())
}

/// Prints the findings in a file, or returns them as JSON. Reports errors.
fn verify_file(
    path: &Path,
    args: &Verify,
    verifier: &Verifier,
    out: &mut Output,
) -> anyhow::Result<Vec<Value>> {
    let mut values = Vec::new();
    let inputs = match open(path, None, &args.dialect) {
        Ok(inputs) => inputs,
        Err(error) => {
            out.report_error(format_args!("{error:#}"))?;
            return Ok(values);
        }
    };
    for input in inputs {
        match verify(&input, args, verifier, out) {
            Ok(Some(verified)) => verified.report(&input, args, out, &mut values)?,
            Ok(None) => {}
            Err(error) => out.report_error(format_args!("{error:#}"))?,
        }
    }
    Ok(values)
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
    has_errors: bool,
    text: Option<(SourceMap, Source)>,
}

impl Verified {
    fn new(verifier: &Verifier, module: &Module<'_>) -> Verified {
        let mut verified = Verified::default();
        let mut add = |finding: Finding| {
            verified.has_errors |= finding.severity == Severity::Error;
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

/// Returns the findings in a `.isa` file or text. Prints the errors of a text and returns `None` if it
/// has any.
fn verify(
    input: &Input,
    args: &Verify,
    verifier: &Verifier,
    out: &mut Output,
) -> anyhow::Result<Option<Verified>> {
    if input.is_object() {
        return Ok(Some(Verified::new(verifier, &input.module(args.dialect.of_files())?)));
    }
    let source = input.source();
    let options = args.dialect.of_texts().with_version(args.isa_version);
    let Some(document) = assemble::parse(&source, options, out)? else { return Ok(None) };
    let verifier = verifier.clone().or_platform(document.platform);
    if let Some(size) = document.assumed_register_size(args.platform) {
        let more = ", and rules for some platforms only are not applied";
        warn_of_assumption(&source.name, size, more, out)?;
    }
    let verified = Verified::new(&verifier, &document.module);
    Ok(Some(Verified { text: Some((document.source_map, source)), ..verified }))
}

impl Verified {
    /// Prints the findings, or adds them as JSON.
    fn report(
        self,
        input: &Input,
        args: &Verify,
        out: &mut Output,
        values: &mut Vec<Value>,
    ) -> anyhow::Result<()> {
        let Verified { findings, omitted, has_errors, text } = self;
        if has_errors {
            out.set_failed();
        }
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
                _ if args.json => {
                    let place = in_text.map(|((diagnostic, (_, source)), lines)| {
                        source.in_file(lines.line_and_column(diagnostic.span.start))
                    });
                    values.push(json::finding(&input.name, &finding, place));
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
