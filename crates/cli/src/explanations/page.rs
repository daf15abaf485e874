//! The page of a rule as text.

use std::collections::BTreeMap;
use std::fmt;

use anstyle::Style;
use genvisa::verify::{Compiler, Response, Rule};

use super::facts::Facts;
use crate::rule_list::{severities, url};

pub const BOLD: Style = Style::new().bold();

/// The facts about a rule, which `Display` prints as a page.
pub struct Page<'f>(pub &'f Facts);

/// Returns how the compiler responds, in a sentence.
pub fn response(rule: &Rule) -> String {
    let today = Compiler::default();
    let response = match rule.response {
        Response::Refuses => format!("IGC {today} reports an error."),
        Response::Crashes => format!("IGC {today} ends abnormally."),
        Response::Miscompiles => format!("IGC {today} accepts the code and compiles it wrongly."),
        Response::RefusedIn2022 => {
            "GenX_IR 12504 refuses the code; IGC 2.40.14 cannot be asked.".into()
        }
        _ => format!("IGC {today} accepts the code."),
    };
    match rule.enforced_by {
        Some(compilers) => {
            format!("{response} According to the source, the rule is enforced by {compilers}.")
        }
        None => response,
    }
}

/// Returns the words of the compiler with the devices that it was asked for.
pub fn words(facts: &Facts) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut words: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for said in &facts.words {
        let devices = words.entry(said.text).or_default();
        devices.extend(said.devices.split(','));
        devices.sort_unstable();
        devices.dedup();
    }
    words
}

/// Returns the command that checks the examples.
pub fn command(facts: &Facts) -> String {
    match facts.is_inline() {
        true => "genvisa check".into(),
        false => {
            let group = match facts.rule.response {
                Response::Accepts => " --group manual",
                _ => "",
            };
            let options = facts.options.unwrap_or_default();
            let space = if options.is_empty() { "" } else { " " };
            format!("genvisa verify{group}{space}{options}")
        }
    }
}

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page(facts) = self;
        let rule = facts.rule;
        writeln!(f, "{BOLD}{}{BOLD:#}\n    {}\n", rule.name, rule.statement)?;
        for (head, text) in [
            ("Group", rule.group().to_string()),
            ("Severity", severities(rule)),
            ("Platforms", rule.platforms.to_string()),
            ("Compiler", response(rule)),
            ("Source", rule.source.to_owned()),
            ("Link", url(rule.name)),
        ] {
            writeln!(f, "{BOLD}{head:9}{BOLD:#}  {text}")?;
        }
        let words = words(facts);
        if !words.is_empty() {
            writeln!(f, "\n{BOLD}Messages of the compiler{BOLD:#}")?;
        }
        for (words, devices) in words {
            writeln!(f, "    {words} ({})", devices.join(", "))?;
        }
        if !facts.findings.is_empty() {
            writeln!(f, "\n{BOLD}Findings{BOLD:#}")?;
        }
        for finding in &facts.findings {
            writeln!(f, "    {finding}")?;
        }
        for (head, lines) in [
            ("Text that breaks the rule", &facts.breaks),
            ("Text that satisfies the rule", &facts.satisfies),
        ] {
            if !lines.is_empty() {
                writeln!(f, "\n{BOLD}{head}{BOLD:#}")?;
            }
            for line in lines {
                writeln!(f, "    {line}")?;
            }
        }
        match facts.breaks.is_empty() {
            true => writeln!(f, "\nThere is no example in text."),
            false => writeln!(f, "\nThe command is `{}`.", command(facts)),
        }
    }
}
