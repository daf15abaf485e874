//! The document about all rules, `docs/rules.md`. The tests of three packages each write a part of it, and
//! the tool reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::{env, fs};

use genvisa::error::PathSegment;
use genvisa::text::{Document, ParseOptions};
use genvisa::verify::{Compiler, Response, Rule, Verifier};
use genvisa::{Dialect, Platform};

use crate::repository;

const PATH: &str = "docs/rules.md";

/// What is known about a rule besides the rule itself.
#[derive(Default)]
pub struct Facts {
    /// `None` if no text breaks the rule.
    pub example: Option<Example>,
    /// Messages of the compiler, without names, with the devices that it was asked for.
    pub messages: BTreeMap<String, BTreeSet<String>>,
    /// Messages of findings, without names.
    pub findings: Vec<String>,
}

/// Texts about a rule.
pub struct Example {
    /// The command that finds that a text breaks the rule.
    pub command: String,
    /// The lines of a text that breaks the rule.
    pub breaks: Vec<String>,
    /// The lines of a text that satisfies it; empty if none is known.
    pub satisfies: Vec<String>,
}

/// Compares the part of the document below a title with facts. Its text is a title, an introduction and the
/// rules. If `GENVISA_BLESS` is set, writes it instead.
pub fn check<'r>(introduction: &str, rules: impl Iterator<Item = (&'r Rule, Facts)>) {
    let mut part = String::from(introduction);
    for (rule, facts) in rules {
        section(rule, &facts, &mut part).expect("a string");
    }
    let path = repository(PATH);
    let page = fs::read_to_string(&path).expect("the document");
    let (title, _) = introduction.split_once('\n').expect("a title");
    let start = page.find(&format!("{title}\n")).expect("the part with the title");
    let length = page[start..].find("\n\n# ").map_or(page.len() - start, |end| end + 1);
    let present = &page[start..start + length];
    if env::var_os("GENVISA_BLESS").is_some() {
        let page = [&page[..start], &part, &page[start + length..]].concat();
        fs::write(&path, page).expect("a file that can be written");
    } else {
        assert!(present == part, "run the test again with GENVISA_BLESS=1 and commit {PATH}");
    }
}

/// What the document states about a rule.
pub struct Section {
    /// Messages of findings.
    pub findings: Vec<String>,
    /// The command that finds that a text breaks the rule; empty if there is none.
    command: String,
    /// The lines of the text that breaks the rule; empty if there is none.
    breaks: Vec<String>,
}

/// Returns what the document states about a rule.
pub fn section_of(name: &str) -> Section {
    let page = fs::read_to_string(repository(PATH)).expect("the document");
    let start = page.find(&format!("\n## {name}\n")).expect("the section of the rule");
    let section = &page[start + 1..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    let lines_after = |head: &str| -> Vec<String> {
        let after = section.split_once(head).map(|(_, after)| after);
        let text = after.and_then(|after| after.split("```").nth(1)).unwrap_or_default();
        text.lines().skip(1).map(String::from).collect()
    };
    let command = section.split('`').find(|code| code.starts_with("genvisa ")).unwrap_or_default();
    let command = command.to_string();
    Section {
        command,
        findings: lines_after("Findings:\n"),
        breaks: lines_after("breaks the rule:\n"),
    }
}

impl Section {
    /// Returns the instruction or declaration that breaks the rule, or the lines of a template, with a finding.
    pub fn example(&self, rule: &Rule) -> (Vec<String>, Option<String>) {
        let text = self.breaks.join("\n");
        let option = |name| self.command.split_once(name)?.1.split_whitespace().next();
        let platform = option("--platform ").map(|it| it.parse::<Platform>().expect("a platform"));
        let dialect = option("--dialect ").map(|it| it.parse::<Dialect>().expect("a dialect"));
        let document = Document::parse(&text, ParseOptions::new().with_dialect(dialect));
        let verifier = platform.iter().fold(Verifier::new(), |it, one| it.with_platform(*one));
        let findings = verifier.check_module(&document.module);
        let Some(finding) = findings.into_iter().find(|finding| finding.rule == rule) else {
            let lines = self.lines().into_iter().map(String::from).collect();
            return (lines, self.findings.first().cloned());
        };
        let span = finding.instruction.and_then(|at| document.source_map.instruction(0, at));
        let line = span.map_or_else(|| self.lines().join(""), |span| text[span].to_string());
        let message = match finding.path.last() {
            Some(PathSegment::Field(field)) => format!("{field}: {}", finding.message),
            _ => finding.message,
        };
        (vec![line], Some(message))
    }

    fn lines(&self) -> Vec<&str> {
        if self.breaks.first().is_none_or(|line| !line.starts_with("asm")) {
            return self.breaks.last().map(|line| line.trim()).into_iter().collect();
        }
        let template = self.breaks.iter().map(|line| line.trim());
        let template = template.filter_map(|line| line.strip_prefix('"')?.strip_suffix("\\n\""));
        template.filter(|line| !["{", "}"].contains(line)).collect()
    }
}

fn section(rule: &Rule, facts: &Facts, text: &mut String) -> std::fmt::Result {
    write!(text, "\n## {}\n\n{}\n\n", rule.name, escaped(rule.statement))?;
    write!(text, "Group {}, {}", rule.group(), rule.severity)?;
    if rule.severity_in_manual != rule.severity {
        write!(text, " ({} in manual)", rule.severity_in_manual)?;
    }
    writeln!(text, ", platforms: {}, source: {}.", rule.platforms, escaped(rule.source))?;
    writeln!(text, "{}", response(rule))?;
    let messages = facts.messages.iter().map(|(message, devices)| {
        let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
        format!("{message} ({})", devices.join(", "))
    });
    block("Messages of the compiler:", &messages.collect::<Vec<_>>(), text)?;
    block("Findings:", &facts.findings, text)?;
    if let Some(example) = &facts.example {
        let head = format!("`{}` finds that this text breaks the rule:", example.command);
        block(&head, &example.breaks, text)?;
        block("This text satisfies it:", &example.satisfies, text)?;
    }
    Ok(())
}

fn block(head: &str, lines: &[String], text: &mut String) -> std::fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    // The tool splits the document at these lines.
    let is_mark = |line: &String| line.starts_with("```") || line.starts_with('#');
    assert!(!lines.iter().any(is_mark), "{lines:?}");
    write!(text, "\n{head}\n\n```text\n{}\n```\n", lines.join("\n"))
}

/// Returns how the compiler responds, in sentences.
fn response(rule: &Rule) -> String {
    let today = Compiler::default();
    let response = match rule.response {
        Response::Refuses => format!("IGC {today} reports an error."),
        Response::Crashes => format!("IGC {today} ends abnormally."),
        Response::Miscompiles => format!("IGC {today} accepts the code and compiles it wrongly."),
        Response::Changes => {
            format!("IGC {today} accepts the code and ignores or replaces a part of it.")
        }
        Response::RefusedIn2022 => {
            format!("GenX_IR 12504 refuses the code; IGC {today} cannot be asked.")
        }
        _ => format!("IGC {today} accepts the code."),
    };
    match rule.enforced_by {
        Some(compilers) => {
            let otherwise = match rule.otherwise {
                otherwise if otherwise == rule.response => "",
                Response::Miscompiles => " Others accept the code and compile it wrongly.",
                _ => "",
            };
            let enforced = "According to the source, the rule is enforced by";
            format!("{response} {enforced} {compilers}.{otherwise}")
        }
        None => response,
    }
}

/// Returns a text with the special characters of Markdown escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (i, code) in text.split('`').enumerate() {
        if i % 2 == 1 {
            escaped += &format!("`{code}`");
            continue;
        }
        for c in code.chars() {
            if matches!(c, '*' | '_' | '[' | ']' | '<' | '>' | '|' | '\\' | '#') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}
