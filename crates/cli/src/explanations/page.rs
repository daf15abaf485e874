//! The page of a rule as text.

use std::fmt;

use anstyle::Style;

use super::facts::Facts;
use crate::rule_list::{severities, url};

pub const BOLD: Style = Style::new().bold();

/// The facts about a rule, which `Display` prints as a page.
pub struct Page<'f>(pub &'f Facts);

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page(facts) = self;
        let rule = facts.rule;
        writeln!(f, "{BOLD}{}{BOLD:#}\n    {}\n", rule.name, rule.statement)?;
        for (head, text) in [
            ("Group", rule.group().to_string()),
            ("Severity", severities(rule)),
            ("Platforms", rule.platforms.to_string()),
            ("Compiler", facts.response.to_owned()),
            ("Source", rule.source.to_owned()),
            ("Link", url(rule.name)),
        ] {
            writeln!(f, "{BOLD}{head:9}{BOLD:#}  {text}")?;
        }
        for (head, lines) in [
            ("Messages of the compiler", &facts.messages),
            ("Findings", &facts.findings),
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
        match facts.command {
            None => writeln!(f, "\nThere is no example in text."),
            Some(command) => writeln!(f, "\nThe command is `{command}`."),
        }
    }
}
