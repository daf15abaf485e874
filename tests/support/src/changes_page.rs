//! The document about what the compiler changes silently, `docs/silent-changes.md`. It derives from the rules and
//! from the document about them.

use std::fmt::Write;
use std::{env, fs};

use genvisa::verify::{Compiler, Response, Rule};

use crate::repository;
use crate::rule_page::{self, escaped};

const PATH: &str = "docs/silent-changes.md";

/// Compares the document with the rules. If `GENVISA_BLESS` is set, writes it instead.
pub fn check(rules: &[&Rule]) {
    let page = page(rules).expect("a string");
    let path = repository(PATH);
    if env::var_os("GENVISA_BLESS").is_some() {
        fs::write(path, page).expect("a file that can be written");
        return;
    }
    let present = fs::read_to_string(path).expect("the document");
    assert!(present == page, "run the test again with GENVISA_BLESS=1 and commit {PATH}");
}

fn page(rules: &[&Rule]) -> Result<String, std::fmt::Error> {
    let today = Compiler::default();
    let mut page = format!(
        "# What IGC changes silently\n\n\
         This document is generated. IGC {today} accepts the texts in the tables without a message, and compiles \
         something else.\n`genvisa verify` and `genvisa check` report each of them by default; a rule applies to all \
         platforms unless\nits row names some. \
         [`genvisa check --dumps`](inline.md#what-the-compiler-changed) shows what a compiler that is\n\
         installed changes.\n"
    );
    let of = |is_of_kind: &dyn Fn(&Rule) -> bool| {
        rules.iter().copied().filter(|rule| is_of_kind(rule)).collect::<Vec<&Rule>>()
    };
    table(
        "Ignored or replaced",
        "The compiler ignores a part of the instruction, or compiles another one. These are warnings.",
        &of(&|rule| rule.response == Response::Changes),
        &mut page,
    )?;
    table(
        "Compiled wrongly",
        "The instruction has another result than its text states, or accesses other registers.",
        &of(&|rule| rule.response == Response::Miscompiles),
        &mut page,
    )?;
    table(
        "Compiled wrongly by other versions",
        &format!(
            "IGC {today} reports an error. Versions that do not enforce the rule compile the code wrongly."
        ),
        &of(&|rule| rule.otherwise.is_silent_change() && !rule.response.is_silent_change()),
        &mut page,
    )?;
    Ok(page)
}

fn table(title: &str, text: &str, rules: &[&Rule], page: &mut String) -> std::fmt::Result {
    write!(
        page,
        "\n## {title}\n\n{text}\n\n| Text | What genvisa reports | Rule |\n|---|---|---|\n"
    )?;
    for rule in rules {
        let (lines, finding) = rule_page::section_of(rule.name).example(rule);
        let platforms = match rule.platforms.to_string() {
            any if any == "any" => String::new(),
            platforms => format!(", {}", escaped(&platforms)),
        };
        let enforced = match rule.enforced_by {
            Some(compilers) => format!(", enforced by {compilers}"),
            None => String::new(),
        };
        let code = match lines.is_empty() {
            true => "no example".into(),
            false => format!("`{}`", lines.join("; ").replace('|', "\\|")),
        };
        let name = rule.name;
        let finding = escaped(finding.as_deref().unwrap_or(rule.statement));
        writeln!(page, "| {code} | {finding} | [{name}](rules.md#{name}){platforms}{enforced} |")?;
    }
    Ok(())
}
