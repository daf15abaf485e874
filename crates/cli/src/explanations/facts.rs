//! Facts about rules besides the table of rules: examples, the words of the compiler and findings.

use genvisa::verify::Rule;

use crate::options::TOOL_RULES;

/// The facts about a rule.
pub struct Facts {
    pub rule: &'static Rule,
    /// The options of `verify` for the examples; `None` if there are no examples.
    pub options: Option<&'static str>,
    /// The lines of an example that breaks the rule.
    pub breaks: Vec<&'static str>,
    /// The lines of an example that satisfies the rule.
    pub satisfies: Vec<&'static str>,
    pub words: Vec<Words>,
    /// The messages of the verifier, without names.
    pub findings: Vec<&'static str>,
}

/// A message of the compiler.
pub struct Words {
    /// The devices that the compiler was asked for.
    pub devices: &'static str,
    /// The beginning of the message, without names.
    pub text: &'static str,
}

/// The number of characters of a message that the file contains.
pub const LONGEST_WORDS: usize = 90;

/// The rules of vISA, and the rules of inline assembly. Tests of the libraries generate the files.
const FILES: [&str; 2] = [include_str!("verify.txt"), include_str!("inline.txt")];

impl Facts {
    fn new(rule: &'static Rule) -> Facts {
        let (breaks, satisfies) = (Vec::new(), Vec::new());
        Facts { rule, options: None, breaks, satisfies, words: Vec::new(), findings: Vec::new() }
    }

    /// Returns whether the rule is about inline assembly only.
    pub fn is_inline(&self) -> bool {
        genvisa_inline::rules().any(|rule| rule.name == self.rule.name)
    }
}

/// Returns the facts about all rules, in the order of the lists of rules.
pub fn all() -> Vec<Facts> {
    let mut all: Vec<Facts> = Vec::new();
    for line in FILES.iter().flat_map(|file| file.lines()) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        if key == "rule" {
            all.extend(genvisa_inline::rule(value).map(Facts::new));
            continue;
        }
        let Some(facts) = all.last_mut() else { continue };
        match key {
            "options" => facts.options = Some(value),
            "breaks" => facts.breaks.push(value),
            "satisfies" => facts.satisfies.push(value),
            "finding" => facts.findings.push(value),
            "words" => {
                let (devices, text) = value.split_once(' ').unwrap_or_default();
                facts.words.push(Words { devices, text });
            }
            _ => {}
        }
    }
    all.extend(TOOL_RULES.iter().map(|rule| Facts::new(rule)));
    all
}
