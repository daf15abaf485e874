//! Explanations of rules: a page for each, and the rules that a message is about.

#[cfg(test)]
mod document;
mod facts;
mod index;
mod page;

use std::io::Write;

use genvisa::verify::Rule;

use crate::output::{Output, UsageError};
use crate::rule_list;
use crate::words::printable;
use facts::Facts;
use index::{Found, Index};
use page::BOLD;

/// Prints the page of a rule, or of the rule that a message is about. If a message is about several
/// rules, prints their statements.
pub fn print(name_or_message: &str, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    let facts = facts::all();
    match Index::new(&facts).find(name_or_message) {
        Found::Rules(found) if as_json => {
            let rules: Vec<&Rule> = found.iter().map(|facts| facts.rule).collect();
            rule_list::print(&rules, true, out)
        }
        Found::Rules(found) => match found[..] {
            [facts] => Ok(write!(out, "{}", page::Page(facts))?),
            _ => print_list(&found, out),
        },
        Found::OnlyCounts => Err(UsageError(
            "the line only counts errors; their messages are in `<kernel>.errors.txt`".into(),
        )
        .into()),
        Found::Similar(names) => Err(UsageError(unknown(name_or_message, &names)).into()),
    }
}

fn print_list(found: &[&Facts], out: &mut Output) -> anyhow::Result<()> {
    for facts in found {
        writeln!(out, "{BOLD}{}{BOLD:#}: {}", facts.rule.name, facts.rule.statement)?;
    }
    writeln!(out, "\n`genvisa verify --explain RULE` explains one of these rules.")?;
    Ok(())
}

/// Returns the error for a text that is neither a rule nor a message.
fn unknown(text: &str, similar: &[String]) -> String {
    let text = crate::words::shortened(&printable(text.trim()), 80);
    let mut message = format!("no rule has the name or the message `{text}`");
    match similar {
        [] => message += "; --list prints all rules",
        _ => {
            message += "; did you mean one of these?";
            for line in similar {
                message += &format!("\n  {line}");
            }
        }
    }
    message
}
