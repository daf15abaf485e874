//! `genvisa verify`: verification of files and texts.

use std::io::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use genvisa::error::PathSegment;
use genvisa::text::{self, LineIndex, SourceMap};
use genvisa::verify::{Finding, Rule, Severity, Verifier, rules};
use serde_json::{Value, json};

use crate::args::Verify;
use crate::asm::{self, Assembled, Source};
use crate::input::{Input, open};
use crate::output::Output;
use crate::snippet::with_snippet;
use crate::walk::{self, File};
use crate::{parallel, printable};

const BOLD: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

pub fn run(args: &Verify, out: &mut Output) -> anyhow::Result<()> {
    if args.list {
        return list(&rules().collect::<Vec<_>>(), args.json, out);
    }
    let mut verifier = Verifier::new();
    if let Some(platform) = args.platform {
        verifier = verifier.with_platform(platform);
    }
    verifier = args.rules.verifier(verifier)?;
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

/// The findings in a `.isa` file or text.
struct Verified {
    findings: Vec<Finding>,
    text: Option<(SourceMap, Source)>,
}

/// Returns the findings in a `.isa` file or text. Prints the errors of a text and returns `None` if it
/// has any.
fn verify(
    input: &Input,
    args: &Verify,
    verifier: &Verifier,
    out: &mut Output,
) -> anyhow::Result<Option<Verified>> {
    let stated = text::stated_platform(&input.bytes).and_then(|platform| platform.parse().ok());
    let verifier = match stated {
        Some(platform) if args.platform.is_none() => verifier.clone().with_platform(platform),
        _ => verifier.clone(),
    };
    if input.is_object() {
        let findings = verifier.check_module(&input.module(args.dialect.of_files())?);
        return Ok(Some(Verified { findings, text: None }));
    }
    let source = Source { name: input.name.clone(), text: input.bytes.clone() };
    let assembled = asm::parse(&source, &args.dialect, args.isa_version, out)?;
    Ok(assembled.map(|Assembled { module, source_map }| {
        let findings = verifier.check_module(&module);
        Verified { findings, text: Some((source_map, source)) }
    }))
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
        let Verified { findings, text } = self;
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            out.set_failed();
        }
        let text = text.filter(|_| !findings.is_empty());
        let lines = text.as_ref().map(|(_, source)| LineIndex::new(&source.text));
        let renderer = out.renderer();
        for mut finding in findings {
            let in_text = text.as_ref().zip(lines.as_ref()).map(|((source_map, source), lines)| {
                // The offset is that of the assembled file, not of the text.
                finding.offset = None;
                (finding.to_diagnostic(source_map), source, lines)
            });
            match in_text {
                _ if args.json => {
                    let place = in_text
                        .map(|(diagnostic, _, lines)| lines.line_and_column(diagnostic.span.start));
                    values.push(json(&input.name, &finding, place));
                }
                Some((diagnostic, source, lines)) => {
                    writeln!(out, "{}\n", with_snippet(source, &diagnostic, lines, &renderer))?;
                }
                None => print(&input.name, &finding, out)?,
            }
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

/// Returns a finding as JSON, with its line and column if it is in a text.
fn json(file: &str, finding: &Finding, line_and_column: Option<(usize, usize)>) -> Value {
    let (line, column) = line_and_column.unzip();
    let routine = finding.path.iter().find_map(|segment| match segment {
        PathSegment::Routine { kind, name } => Some((kind.to_string(), name)),
        _ => None,
    });
    let (kind, routine) = routine.unzip();
    json!({
        "file": file,
        "line": line,
        "column": column,
        "rule": finding.rule.name,
        "group": finding.rule.group().name(),
        "severity": finding.severity.to_string(),
        "kind": kind,
        "routine": routine,
        "instruction": finding.instruction,
        "offset": finding.offset,
        "path": finding.path.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "name": finding.name,
        "message": finding.message,
        "found": finding.found,
        "expected": finding.expected,
        "statement": finding.rule.statement,
        "source": finding.rule.source,
    })
}

/// Prints all rules as a table or as JSON.
pub fn list(rules: &[&Rule], as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    if as_json {
        let all: Vec<Value> = rules.iter().copied().map(rule_json).collect();
        return out.write_json(&all);
    }
    let width = |column: fn(&Rule) -> usize, head: &str| {
        rules.iter().copied().map(column).chain([head.len()]).max().unwrap_or_default()
    };
    let name = width(|rule| rule.name.len(), "RULE");
    let group = width(|rule| rule.group().name().len(), "GROUP");
    let severity = width(|rule| severities(rule).len(), "SEVERITY");
    let response = width(|rule| rule.response.name().len(), "COMPILER");
    let platforms = width(|rule| rule.platforms.to_string().len(), "PLATFORMS");
    let source = width(|rule| rule.source.len(), "SOURCE");
    writeln!(
        out,
        "{BOLD}{:name$}  {:group$}  {:severity$}  {:response$}  {:platforms$}  {:source$}  \
         STATEMENT{BOLD:#}",
        "RULE", "GROUP", "SEVERITY", "COMPILER", "PLATFORMS", "SOURCE"
    )?;
    for rule in rules {
        writeln!(
            out,
            "{:name$}  {:group$}  {:severity$}  {:response$}  {:platforms$}  {:source$}  {}",
            rule.name,
            rule.group(),
            severities(rule),
            rule.response,
            rule.platforms.to_string(),
            rule.source,
            rule.statement
        )?;
    }
    Ok(())
}

/// Returns the severity of a rule, and the severity in dialect manual if it differs.
fn severities(rule: &Rule) -> String {
    let (severity, in_manual) = (rule.severity, rule.severity_in_manual);
    if severity == in_manual {
        return severity.to_string();
    }
    format!("{severity} ({in_manual} in manual)")
}

fn rule_json(rule: &Rule) -> Value {
    json!({
        "name": rule.name,
        "group": rule.group().name(),
        "response": rule.response.name(),
        "severity": rule.severity.to_string(),
        "severity_in_manual": rule.severity_in_manual.to_string(),
        "platforms": rule.platforms.to_string(),
        "source": rule.source,
        "statement": rule.statement,
    })
}
