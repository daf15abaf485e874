//! Facts about rules besides the table of rules: examples, messages of the compiler and findings.

use genvisa::verify::{Rule, explanations};

use crate::options::TOOL_RULES;

/// The facts about a rule. Lines are empty if there are none.
pub struct Facts {
    pub rule: &'static Rule,
    /// How the compiler responds, in sentences.
    pub response: &'static str,
    /// Messages of the compiler, each with its devices.
    pub messages: Lines,
    /// The messages of the verifier, without names.
    pub findings: Lines,
    /// The command for the examples.
    pub command: Option<&'static str>,
    /// The lines of an example that breaks the rule.
    pub breaks: Lines,
    /// The lines of an example that satisfies the rule.
    pub satisfies: Lines,
}

type Lines = Vec<&'static str>;

/// The number of characters of a message that the document contains.
pub const LONGEST_WORDS: usize = 90;

impl Facts {
    /// Reads a section of the document, which begins with the name of the rule.
    fn read(section: &'static str) -> Option<Facts> {
        let (name, section) = section.split_once('\n')?;
        let of_tool = TOOL_RULES.iter().copied().find(|rule| rule.name == name);
        let rule = of_tool.or_else(|| genvisa_inline::rule(name))?;
        // The paragraphs about the rule are its statement, and two lines.
        let response = section.split("\n\n").nth(1)?.lines().nth(1)?;
        let block = |head: &str| {
            let (_, block) = section.split_once(&format!("{head}:\n\n```text\n"))?;
            Some(block.split("\n```").next()?.lines().collect())
        };
        let lines = |head: &str| block(head).unwrap_or_default();
        const BREAKS: &str = "finds that this text breaks the rule";
        let head = section.lines().find(|line| line.ends_with(&format!("` {BREAKS}:")));
        Some(Facts {
            rule,
            response,
            messages: lines("Messages of the compiler"),
            findings: lines("Findings"),
            command: head.and_then(|head| head.strip_prefix('`')?.split('`').next()),
            breaks: lines(BREAKS),
            satisfies: lines("This text satisfies it"),
        })
    }

    /// Returns the messages of the compiler, without devices.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        self.messages.iter().map(|line| line.rsplit_once(" (").map_or(*line, |(words, _)| words))
    }
}

/// Returns the facts about all rules, in the order of the lists of rules.
pub fn all() -> Vec<Facts> {
    explanations().split("\n## ").filter_map(Facts::read).collect()
}
