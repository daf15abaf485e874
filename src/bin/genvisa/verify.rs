//! `genvisa verify`: verification of files and texts.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use genvisa::error::PathSegment;
use genvisa::text::{self, LineIndex};
use genvisa::verify::{Finding, Rule, Severity, Verifier, rules};
use serde_json::{Value, json};

use crate::args::Verify;
use crate::asm::{self, Source};
use crate::input::{Input, open};
use crate::output::Output;
use crate::printable;
use crate::walk::{self, File};

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
    out.start_progress(files.len());
    for File { path, .. } in &files {
        out.next_file(path);
        let inputs = match open(path, None, &args.dialect) {
            Ok(inputs) => inputs,
            Err(error) => {
                out.report_error(format_args!("{error:#}"))?;
                continue;
            }
        };
        for input in inputs {
            match verify(input, args, &verifier, out) {
                Ok(findings) if args.json => all.extend(findings.iter().map(LocatedFinding::json)),
                Ok(findings) => findings.iter().try_for_each(|finding| finding.print(out))?,
                Err(error) => out.report_error(format_args!("{error:#}"))?,
            }
        }
    }
    if args.json {
        out.write_json(&all)?;
    }
    Ok(())
}

/// A finding with its place in a file or text.
struct LocatedFinding {
    file: String,
    finding: Finding,
    /// The line and column in a text.
    line_and_column: Option<(usize, usize)>,
    /// The finding with the line of the text that it refers to.
    snippet: Option<String>,
}

/// Returns the findings in a file or text.
fn verify(
    input: Input,
    args: &Verify,
    verifier: &Verifier,
    out: &mut Output,
) -> anyhow::Result<Vec<LocatedFinding>> {
    let file = input.name.clone();
    let stated = text::stated_platform(&input.bytes).and_then(|platform| platform.parse().ok());
    let verifier = match stated {
        Some(platform) if args.platform.is_none() => verifier.clone().with_platform(platform),
        _ => verifier.clone(),
    };
    let (findings, text) = if input.is_object() {
        (verifier.check_module(&input.module(args.dialect.of_files())?), None)
    } else {
        let source = Source { name: file.clone(), text: input.bytes.into() };
        let Some(assembled) = asm::parse(&source, &args.dialect, args.isa_version, out)? else {
            return Ok(Vec::new());
        };
        (verifier.check_module(&assembled.module), Some((assembled.source_map, source)))
    };
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        out.set_failed();
    }
    let lines = text.as_ref().map(|(_, source)| LineIndex::new(&source.text));
    let located = findings.into_iter().map(|mut finding| {
        let (Some((source_map, source)), Some(lines)) = (&text, &lines) else {
            return LocatedFinding {
                file: file.clone(),
                finding,
                line_and_column: None,
                snippet: None,
            };
        };
        // The offset is that of the assembled file, not of the text.
        finding.offset = None;
        let diagnostic = finding.to_diagnostic(source_map);
        LocatedFinding {
            file: file.clone(),
            line_and_column: Some(lines.line_and_column(diagnostic.span.start)),
            snippet: Some(asm::with_snippet(source, &diagnostic)),
            finding,
        }
    });
    Ok(located.collect())
}

impl LocatedFinding {
    fn print(&self, out: &mut Output) -> std::io::Result<()> {
        if let Some(snippet) = &self.snippet {
            return writeln!(out, "{snippet}\n");
        }
        let finding = &self.finding;
        let style = match finding.severity {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
        };
        write!(out, "{}:", self.file)?;
        let text = finding.to_string();
        // Names may contain control characters; the severity and the rule, which come first, do
        // not.
        let (head, rest) = text.split_once(": ").unwrap_or((&text, ""));
        writeln!(out, " {style}{head}{style:#}: {}", printable(rest))
    }

    fn json(&self) -> Value {
        let finding = &self.finding;
        let (line, column) = self.line_and_column.unzip();
        let routine = finding.path.iter().find_map(|segment| match segment {
            PathSegment::Routine { kind, name } => Some((kind.to_string(), name)),
            _ => None,
        });
        let (kind, routine) = routine.unzip();
        json!({
            "file": self.file,
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
